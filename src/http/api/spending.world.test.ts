// Allowance, limits, resume and the right to spend over real HTTP and on a real chain: what a signature does, and what nothing else does.

import { createWalletClient, http, maxUint256, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { showMoney } from '../../../bots/render/amounts.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { type Prepared, signPrepared, walletOfPerson } from '../../../test/setup/signer.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { senderState } from '../../chain/routers/bot.ts';
import type { Hex } from '../../chain/rpc/client.ts';

let world: World;
let base: string;
let sepolia: RpcProxy;
beforeAll(async () => {
  world = await startWorld({
    chains: ['base', 'base-sepolia', 'bsc'],
    rpcUrls: {
      'base-sepolia': async (direct) => {
        sepolia = await startRpcProxy(direct);
        return sepolia.url;
      },
    },
  });
  base = await serveWorld(world);
});
afterAll(async () => {
  await world.stop();
  await sepolia.close();
});
beforeEach(async () => {
  // A day later no budget and no window of another test counts.
  world.later(25 * 3_600_000);
  await world.freshPrices();
});

const ALICE = walletOfPerson('alice');
async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(walletOfPerson(name))).status).toBe(200);
  return browser;
}
const prepare = async (browser: Visitor, choice: object): Promise<Prepared> => {
  const answer = await browser.post('/api/spending/prepare', choice);
  expect(answer.body.error).toBeUndefined();
  return answer.body;
};
async function sign(browser: Visitor, choice: object, account = ALICE) {
  const prepared = await prepare(browser, choice);
  return { ...prepared.submit, signature: await signPrepared(prepared, account) };
}
const submit = (browser: Visitor, body: object) => browser.post('/api/spending/submit', body);
const code = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
];
const stateOf = (name: string, chain: 'base' | 'base-sepolia' | 'bsc' = 'base') =>
  senderState(
    { ...world.evmChain(chain), client: world.reader(chain) as never },
    localPerson(name).address,
    world.evmChain(chain).usdc,
  );
const sentCalls = () => world.ctx.db.outgoingTx.count({ where: { kind: 'sponsored', nonce: { not: null } } });
const usdcOf = (view: { chains: { chain: string; tokens: object[] }[] }, chain = 'base') =>
  view.chains.find((one) => one.chain === chain)?.tokens[0];
const telegramOf = async (browser: Visitor) =>
  (await browser.get('/api/spending')).body.connections.find(
    (one: { platform: string }) => one.platform === 'telegram',
  );

describe('the page of what may be spent', () => {
  test('200 with exactly the figures that /limits says in the chat', async () => {
    const alice = localPerson('alice').telegram.id;
    await world.say('alice', '/tip @bob 7.25');
    const browser = await signedIn('alice');
    const view = (await browser.get('/api/spending')).body;
    expect(view).toMatchObject({
      handle: 'alice',
      command_cap: '100.00',
      day_cap: '500.00',
      max_command_cap: '1000.00',
      max_day_cap: '10000.00',
      spent_24h_usd: '7.35',
      tips_left_this_hour: 4,
      tips_per_hour: 5,
      paused_at: null,
    });
    expect(view.chains.map((one: { chain: string }) => one.chain)).toEqual(['base', 'bsc', 'base-sepolia']);
    expect(view.chains.map((one: { permit: boolean }) => one.permit)).toEqual([true, false, true]);
    const usdc = usdcOf(view) as Record<string, string>;
    expect(usdc).toMatchObject({ asset: 'USDC', decimals: 6, per_tip: '100.00', per_day: '500.00', max_fee: '0.50' });
    expect(usdc).toMatchObject({ spent_24h: '7.35', left_24h: '492.65', allowance: null });
    await world.say('alice', '/limits', { chat: alice });
    const said = (await world.botSaid(alice)).at(-1)?.text.split('\n');
    const dollars = (usd: string) => showMoney('en', { usd });
    const lines = view.chains.map(
      ({ label, tokens: [one] }: { label: string; tokens: Record<string, string>[] }) =>
        `${label}: ${one?.['per_tip']} USDC per tip, ${one?.['left_24h']} USDC of ${one?.['per_day']} USDC left today, allowance: no limit`,
    );
    expect(said).toEqual([
      `Commands: ${view.tips_left_this_hour} of ${view.tips_per_hour} left this hour`,
      `Limits: ${dollars(view.command_cap)} per command, ${dollars(view.day_cap)} per day (${dollars(view.spent_24h_usd)} used)`,
      ...lines,
    ]);
    await world.say('alice', '/balance', { chat: alice });
    expect((await world.botSaid(alice)).at(-1)?.text).toContain(
      `Base: ${showMoney('en', { amount: usdc['balance'] ?? '', asset: 'USDC' })}`,
    );
  });

  test('200 with the other chains when one does not answer', async () => {
    sepolia.setDead(true);
    const view = (await (await signedIn('alice')).get('/api/spending')).body;
    sepolia.setDead(false);
    expect(view.chains[0]).toMatchObject({ chain: 'base', unreachable: false });
    expect(view.chains[2]).toEqual({
      chain: 'base-sepolia',
      family: 'evm',
      label: 'Base Sepolia',
      livemode: false,
      unreachable: true,
    });
  });

  test('401 signed out, 403 without a handle', async () => {
    const stranger = visitor(base);
    expect((await stranger.get('/api/spending')).status).toBe(401);
    await stranger.signIn(privateKeyToAccount(generatePrivateKey()));
    expect((await stranger.get('/api/spending')).status).toBe(403);
    expect((await stranger.post('/api/spending/prepare', { kind: 'resume', chain: 'base' })).status).toBe(403);
  });
});

describe('an allowance', () => {
  test('200 by one signature: sent by us, followed to its final block', async () => {
    const browser = await signedIn('alice');
    const prepared = await prepare(browser, { kind: 'permit', chain: 'base', amount: '123.45' });
    expect(prepared.typed_data).toMatchObject({
      primaryType: 'Permit',
      domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: world.evmChain().usdc },
      message: { owner: ALICE.address, spender: world.evmChain().routers.bot, value: '123450000' },
    });
    expect(prepared.typed_data.types['EIP712Domain']).toHaveLength(4);
    const before = await world.reader().getBalance({ address: ALICE.address });
    const answer = await submit(browser, { ...prepared.submit, signature: await signPrepared(prepared, ALICE) });
    expect(answer.status).toBe(200);
    expect(answer.body.request).toMatchObject({
      kind: 'permit',
      chain: 'base',
      status: 'queued',
      tx_hash: null,
      failure: null,
    });
    const path = `/api/spending/requests/${answer.body.request.id}`;
    await world.run();
    const done = (await browser.get(path)).body.request;
    expect(done).toMatchObject({ status: 'final', tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    expect(done.explorer_url).toBe(`https://basescan.org/tx/${done.tx_hash}`);
    expect((await stateOf('alice')).allowance).toBe(123_450_000n);
    expect(await world.reader().getBalance({ address: ALICE.address })).toBe(before);
    expect((await (await signedIn('bob')).get(path)).status).toBe(404);
    const view = (await browser.get('/api/spending')).body;
    expect(usdcOf(view)).toMatchObject({ allowance: '123.45' });
  });

  test('200 without limit, and down to zero', async () => {
    const browser = await signedIn('alice');
    for (const [amount, units] of [
      ['0', 0n],
      ['max', maxUint256],
    ] as const) {
      expect((await submit(browser, await sign(browser, { kind: 'permit', chain: 'base', amount }))).status).toBe(200);
      await world.run();
      expect((await stateOf('alice')).allowance).toBe(units);
    }
  });

  test('200 the same signature twice, from two tabs at once too, is one call', async () => {
    const browser = await signedIn('alice');
    const signed = await sign(browser, { kind: 'permit', chain: 'base', amount: 'max' });
    const before = await sentCalls();
    const both = await Promise.all([submit(browser, signed), submit(browser, signed)]);
    expect(both.map((one) => one.status)).toEqual([200, 200]);
    expect(both[0]?.body.request.id).toBe(both[1]?.body.request.id);
    await world.run();
    expect((await submit(browser, signed)).body.request).toMatchObject({
      id: both[0]?.body.request.id,
      status: 'final',
    });
    await world.run();
    expect((await sentCalls()) - before).toBe(1);
  });

  test('409 two tabs with two signatures for one number: the first is sent, the second told', async () => {
    const browser = await signedIn('alice');
    const signed = [
      await sign(browser, { kind: 'permit', chain: 'base', amount: '11' }),
      await sign(browser, { kind: 'permit', chain: 'base', amount: '12' }),
    ];
    const before = await sentCalls();
    const both = await Promise.all(signed.map((one) => submit(browser, one)));
    expect(both.map((one) => one.status).sort()).toEqual([200, 409]);
    await world.run();
    expect((await sentCalls()) - before).toBe(1);
    const loser = signed[both.findIndex((one) => one.status === 409)];
    // Its number is used up now.
    expect(code(await submit(browser, loser as object))).toEqual([409, 'state_conflict']);
    expect((await sentCalls()) - before).toBe(1);
  });

  test('400 by another wallet, over another amount, for another chain, with another number', async () => {
    const browser = await signedIn('alice');
    const signed = await sign(browser, { kind: 'permit', chain: 'base', amount: '10' });
    const before = await sentCalls();
    const mallory = privateKeyToAccount(generatePrivateKey());
    const theirs = await sign(browser, { kind: 'permit', chain: 'base', amount: '10' }, mallory);
    const tampered = [
      theirs,
      { ...signed, amount: '1000' },
      { ...signed, amount: 'max' },
      { ...signed, chain: 'base-sepolia' },
      { ...signed, nonce: '999' },
      { ...signed, deadline: Number((signed as { deadline?: number }).deadline) - 1 },
      { ...signed, signature: '0x' },
      { ...signed, signature: `0x${'11'.repeat(65)}` },
    ];
    for (const body of tampered)
      expect(code(await submit(browser, body)), JSON.stringify(body)).toEqual([400, 'signature_invalid']);
    // Bob cannot use Alice's signature for himself, nor send it for her.
    expect(code(await submit(await signedIn('bob'), signed))).toEqual([400, 'signature_invalid']);
    await world.run();
    expect(await sentCalls()).toBe(before);
  });

  test('409 replayed after it was used, whoever used it', async () => {
    const browser = await signedIn('alice');
    const signed = await sign(browser, { kind: 'permit', chain: 'base', amount: '10' });
    const [r, s, v] = splitSignature((signed as { signature?: Hex }).signature ?? '0x');
    const { deadline } = signed as { deadline?: number };
    // Anybody may send a permit that they got hold of.
    const anybody = createWalletClient({ account: walletOfPerson('bob'), transport: http(world.anvilOf().rpcUrl) });
    await anybody.writeContract({
      address: world.evmChain().usdc,
      abi: parseAbi(['function permit(address,address,uint256,uint256,uint8,bytes32,bytes32)']),
      functionName: 'permit',
      args: [ALICE.address, world.evmChain().routers.bot, 10_000_000n, BigInt(deadline ?? 0), v, r, s],
      chain: null,
    });
    await world.mine(1);
    expect(code(await submit(browser, signed))).toEqual([409, 'state_conflict']);
  });

  test('400 late, or with a deadline further away than we give', async () => {
    const browser = await signedIn('alice');
    const signed = await sign(browser, { kind: 'permit', chain: 'base', amount: '10' });
    world.later(10 * 60_000);
    const late = await submit(browser, signed);
    expect(late.body.error).toMatchObject({ code: 'parameter_invalid', param: 'deadline' });
    const prepared = await prepare(browser, { kind: 'permit', chain: 'base', amount: '10' });
    const deadline = Number(prepared.submit['deadline']) + 86_400;
    Object.assign(prepared.typed_data.message, { deadline: String(deadline) });
    const far = { ...prepared.submit, deadline, signature: await signPrepared(prepared, ALICE) };
    expect((await submit(browser, far)).body.error).toMatchObject({ code: 'parameter_invalid', param: 'deadline' });
  });

  test('409 where USDC takes no permit; the plain approve is the way there', async () => {
    const browser = await signedIn('alice');
    const answer = await browser.post('/api/spending/prepare', { kind: 'permit', chain: 'bsc', amount: '10' });
    expect(code(answer)).toEqual([409, 'state_conflict']);
    const { transaction } = (await browser.post('/api/spending/approve/prepare', { chain: 'bsc', amount: '12.5' }))
      .body;
    expect(transaction).toMatchObject({ to: world.evmChain('bsc').usdc, value: '0x0', chainId: 56 });
    const wallet = createWalletClient({ account: ALICE, transport: http(world.anvilOf('bsc').rpcUrl) });
    await wallet.sendTransaction({ to: transaction.to, data: transaction.data, chain: null });
    await world.mine(1, 'bsc');
    expect((await stateOf('alice', 'bsc')).allowance).toBe(12_500_000_000_000_000_000n);
  });

  test('402 for an account whose code the token asks instead of its key', async () => {
    const browser = await signedIn('alice');
    await world.admin().setCode({ address: ALICE.address, bytecode: '0x60006000fd' });
    const answer = await submit(browser, await sign(browser, { kind: 'permit', chain: 'base', amount: '10' }));
    await world.admin().setCode({ address: ALICE.address, bytecode: '0x' });
    expect(code(answer)).toEqual([402, 'call_refused']);
    expect(answer.body.error.message).toContain('from your wallet instead');
  });

  test('503 with Retry-After while the chain is away, or no key can send', async () => {
    const browser = await signedIn('alice');
    const signed = await sign(browser, { kind: 'permit', chain: 'base-sepolia', amount: '10' });
    sepolia.setDead(true);
    const away = await submit(browser, signed);
    const prepared = await browser.post('/api/spending/prepare', {
      kind: 'permit',
      chain: 'base-sepolia',
      amount: '1',
    });
    sepolia.setDead(false);
    for (const answer of [away, prepared]) {
      expect(code(answer)).toEqual([503, 'provider_unavailable']);
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    const onBase = await sign(browser, { kind: 'permit', chain: 'base', amount: '10' });
    await world.ctx.db.executorKey.updateMany({ where: { chain: 'base' }, data: { pausedReason: 'test' } });
    const busy = await submit(browser, onBase);
    await world.ctx.db.executorKey.updateMany({ where: { chain: 'base' }, data: { pausedReason: null } });
    expect(code(busy)).toEqual([503, 'provider_unavailable']);
    // Nothing was lost: the same signatures go through now.
    expect((await submit(browser, onBase)).status).toBe(200);
    expect((await submit(browser, signed)).status).toBe(200);
    await world.run();
  });

  test('waits while its chain is away, and fails in words when its signature runs out', async () => {
    const browser = await signedIn('alice');
    const { request } = (
      await submit(browser, await sign(browser, { kind: 'permit', chain: 'base-sepolia', amount: '3' }))
    ).body;
    const look = async () => (await browser.get(`/api/spending/requests/${request.id}`)).body.request;
    sepolia.setDead(true);

    await world.send('base-sepolia');
    expect((await look()).status).toBe('queued');
    world.later(10 * 60_000);
    await world.send('base-sepolia');
    sepolia.setDead(false);
    expect(await look()).toMatchObject({
      status: 'failed',
      tx_hash: null,
      failure: expect.stringContaining('Sign it again'),
    });
    await world.run();
    expect((await stateOf('alice', 'base-sepolia')).allowance).not.toBe(3_000_000n);
  });

  test('429 after twenty calls in a day, and beyond the budget of the chain', async () => {
    const browser = await signedIn('alice');
    const call = async () => submit(browser, await sign(browser, { kind: 'permit', chain: 'base', amount: 'max' }));
    world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 1;
    expect((await call()).status).toBe(200);
    await world.run();
    const overChain = await call();
    expect(code(overChain)).toEqual([429, 'rate_limited']);
    expect(Number(overChain.headers.get('retry-after'))).toBeGreaterThan(0);
    world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 500;
    const { handleId } = await world.ctx.db.sponsoredCall.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
    const row = await world.ctx.db.sponsoredCall.findFirstOrThrow({
      where: { handleId },
      orderBy: { createdAt: 'desc' },
    });
    await world.ctx.db.sponsoredCall.createMany({
      data: Array.from({ length: 19 }, (_, index) => ({
        ...row,
        id: `spc_filler${index}${row.id}`,
        use: `filler${index}${row.id}`,
        chain: 'ink',
      })),
    });
    const overHandle = await call();
    expect(code(overHandle)).toEqual([429, 'rate_limited']);
    world.later(25 * 3_600_000);
    expect((await call()).status).toBe(200);
    await world.run();
    await world.ctx.db.sponsoredCall.deleteMany({ where: { chain: 'ink' } });
  });

  test('402 after three failures in a day: the wallet sends it itself', async () => {
    const browser = await signedIn('alice');
    const signed = await sign(browser, { kind: 'permit', chain: 'base', amount: '21' });
    const { handleId, ...row } = await world.ctx.db.sponsoredCall.findFirstOrThrow({
      where: { kind: 'permit', chain: 'base' },
    });
    const failed = {
      ...row,
      handleId,
      status: 'failed',
      outgoingTxId: null,
      createdAt: new Date(world.ctx.clock.now()),
    };
    await world.ctx.db.sponsoredCall.createMany({
      data: [1, 2, 3].map((number) => ({ ...failed, id: `${row.id}-${number}`, use: `failed-${number}` })),
    });
    expect(code(await submit(browser, signed))).toEqual([402, 'call_refused']);
    await world.ctx.db.sponsoredCall.deleteMany({ where: { use: { startsWith: 'failed-' } } });
    expect((await submit(browser, signed)).status).toBe(200);
    await world.run();
  });

  test('a reorg takes it back, and it is sent again', async () => {
    const browser = await signedIn('alice');
    const { request } = (await submit(browser, await sign(browser, { kind: 'permit', chain: 'base', amount: '77' })))
      .body;
    const look = async () => (await browser.get(`/api/spending/requests/${request.id}`)).body.request.status;
    const snapshot = await world.admin().snapshot();

    await world.send();
    await world.mine(1);
    await world.watch();
    expect(await look()).toBe('mined');
    await world.admin().revert({ id: snapshot });
    await world.mine(1);
    await world.watch();
    expect(['sent', 'mined']).toContain(await look());
    world.later(30_000);
    await world.run();
    await world.run();
    expect(await look()).toBe('final');
    expect((await stateOf('alice')).allowance).toBe(77_000_000n);
  });
});

describe('limits', () => {
  test('200 raised and lowered by one signature, the fee limit with them', async () => {
    const browser = await signedIn('alice');
    const prepared = await prepare(browser, { kind: 'limits', chain: 'base', per_tip: '150', per_day: '600' });
    expect(prepared.typed_data).toMatchObject({
      primaryType: 'SetLimits',
      domain: {
        name: 'Ampersat Bot Router',
        version: '1',
        chainId: 8453,
        verifyingContract: world.evmChain().routers.bot,
      },
      message: {
        sender: ALICE.address,
        token: world.evmChain().usdc,
        perTip: '150000000',
        perDay: '600000000',
        maxFee: '1000000',
      },
    });
    expect((await submit(browser, { ...prepared.submit, signature: await signPrepared(prepared, ALICE) })).status).toBe(
      200,
    );
    await world.run();
    expect(await stateOf('alice')).toMatchObject({ perTip: 150_000_000n, perDay: 600_000_000n, maxFee: 1_000_000n });
    expect(
      (await submit(browser, await sign(browser, { kind: 'limits', chain: 'base', per_tip: '100', per_day: '500' })))
        .status,
    ).toBe(200);
    await world.run();
    expect(await stateOf('alice')).toMatchObject({ perTip: 100_000_000n, perDay: 500_000_000n });
  });

  test('400 raised without the wallet: no session, no tampering and no other key changes them', async () => {
    const browser = await signedIn('alice');
    const signed = await sign(browser, { kind: 'limits', chain: 'base', per_tip: '10', per_day: '50' });
    const before = await stateOf('alice');
    const bodies = [
      { ...signed, per_tip: '50' },
      { ...signed, per_day: '1000' },
      { ...signed, chain: 'base-sepolia' },
      await sign(browser, { kind: 'limits', chain: 'base', per_tip: '1000', per_day: '1000' }, walletOfPerson('bob')),
    ];
    for (const body of bodies) expect(code(await submit(browser, body))).toEqual([400, 'signature_invalid']);
    await world.run();
    expect(await stateOf('alice')).toEqual(before);
  });

  test('409 replayed: an older, higher signature does not come back', async () => {
    const browser = await signedIn('alice');
    const high = await sign(browser, { kind: 'limits', chain: 'base', per_tip: '1000', per_day: '1000' });
    expect(
      (await submit(browser, await sign(browser, { kind: 'limits', chain: 'base', per_tip: '100', per_day: '500' })))
        .status,
    ).toBe(200);
    await world.run();
    expect(code(await submit(browser, high))).toEqual([409, 'state_conflict']);
    expect((await stateOf('alice')).perTip).toBe(100_000_000n);
  });

  test.each([
    [{ per_tip: '1000.01', per_day: '2000' }, 'per_tip'],
    [{ per_tip: '1', per_day: '10000.01' }, 'per_day'],
    [{ per_tip: '2', per_day: '1' }, 'per_tip'],
    [{ per_tip: '-1', per_day: '1' }, 'per_tip'],
    [{ per_tip: '1e3', per_day: '1' }, 'per_tip'],
    [{ per_tip: '0.0000001', per_day: '1' }, 'per_tip'],
    [{ per_tip: '1', per_day: '1', chain: 'ink' }, 'chain'],
    [{ per_tip: '1', per_day: '1', chain: '__proto__' }, 'chain'],
  ])('400 for %j names the parameter', async (wrong, param) => {
    const browser = await signedIn('alice');
    const answer = await browser.post('/api/spending/prepare', { kind: 'limits', chain: 'base', ...wrong });
    expect(answer.body.error).toMatchObject({ code: 'parameter_invalid', param });
  });

  test('400 for what is unknown or missing', async () => {
    const browser = await signedIn('alice');
    const bad = [{}, { kind: 'everything' }, { kind: 'resume' }, { kind: 'resume', chain: 'base', recipient: '0x' }];
    for (const body of bad) expect((await browser.post('/api/spending/prepare', body)).status).toBe(400);
  });
});

describe('pause and resume', () => {
  test('200 paused from the page is what /pause is; resumed by one signature, chain by chain', async () => {
    const browser = await signedIn('alice');
    const paused = await browser.post('/api/spending/pause');
    expect(paused.status).toBe(200);
    expect(paused.body.paused_at).toMatch(/Z$/);
    const before = await world.usdc('bob');
    await world.say('alice', '/tip @bob 1');
    await world.run();
    expect(await world.usdc('bob')).toBe(before);
    const view = (await browser.get('/api/spending')).body;
    expect(view.paused_at).toBe(paused.body.paused_at);
    expect(view.chains.map((one: { paused: boolean }) => one.paused)).toEqual([true, true, true]);
    world.later(1_000);
    for (const chain of ['base', 'base-sepolia', 'bsc']) {
      const signed = await sign(browser, { kind: 'resume', chain });
      expect((await submit(browser, signed)).status, chain).toBe(200);
    }
    await world.run();
    const after = (await browser.get('/api/spending')).body;
    expect(after.paused_at).toBeNull();
    expect(after.chains.map((one: { paused: boolean }) => one.paused)).toEqual([false, false, false]);
    world.later(3_700_000);
    await world.say('alice', '/tip @bob 1');
    expect((await world.usdc('bob')) - before).toBe(1_000_000n);
    expect(code(await browser.post('/api/spending/prepare', { kind: 'resume', chain: 'base' }))).toEqual([
      409,
      'state_conflict',
    ]);
  });

  test('a pause that is said after the signature was made wins, signed, stored or sent', async () => {
    const browser = await signedIn('alice');

    const holds = async () => {
      await world.run();
      await world.run();
      const before = await world.usdc('bob');
      world.later(3_700_000);
      await world.say('alice', '/tip @bob 1');
      expect(await world.usdc('bob')).toBe(before);
      expect((await stateOf('alice')).paused).toBe(true);
    };
    await browser.post('/api/spending/pause');
    await world.run();
    world.later(1_000);

    // Signed, and not brought back yet.
    let signed = await sign(browser, { kind: 'resume', chain: 'base' });
    world.later(1_000);
    await browser.post('/api/spending/pause');
    expect(code(await submit(browser, signed))).toEqual([409, 'state_conflict']);
    await holds();

    // Stored, and not sent yet.
    signed = await sign(browser, { kind: 'resume', chain: 'base' });
    const stored = (await submit(browser, signed)).body.request;
    world.later(1_000);
    await browser.post('/api/spending/pause');
    await world.send();
    expect((await browser.get(`/api/spending/requests/${stored.id}`)).body.request).toMatchObject({ status: 'failed' });
    await holds();

    // Sent, and not in a block yet.
    signed = await sign(browser, { kind: 'resume', chain: 'base' });
    await submit(browser, signed);
    await world.admin().setAutomine(false);
    await world.send();
    world.later(1_000);
    await browser.post('/api/spending/pause');

    await world.send();
    await world.mine(1);
    await world.admin().setAutomine(true);
    expect((await stateOf('alice')).paused).toBe(false);
    await world.mine(3);
    await world.watch();
    await world.watch();
    await holds();
    await resumeAll(browser);
  });

  test('409 in the second of the pause itself: no signature of it would count', async () => {
    const browser = await signedIn('alice');
    await browser.post('/api/spending/pause');
    await world.run();
    // As late in this second as can be, whenever it is asked.
    await world.ctx.db.pause.updateMany({ data: { since: new Date(world.ctx.clock.now() + 900) } });
    const early = await browser.post('/api/spending/prepare', { kind: 'resume', chain: 'base' });
    expect(code(early)).toEqual([409, 'state_conflict']);
    expect(early.body.error.message).toContain('wait a moment');
    world.later(1_000);
    await resumeAll(browser);
  });

  test('401 and 403: nobody else pauses or resumes', async () => {
    expect((await visitor(base).post('/api/spending/pause')).status).toBe(401);
    const browser = await signedIn('alice');
    expect((await browser.post('/api/spending/pause', {}, { origin: 'https://evil.example' })).status).toBe(403);
    await browser.post('/api/spending/pause');
    await world.run();
    world.later(1_000);
    const theirs = await sign(browser, { kind: 'resume', chain: 'base' }, walletOfPerson('bob'));
    expect(code(await submit(browser, theirs))).toEqual([400, 'signature_invalid']);
    await resumeAll(browser);
  });

  async function resumeAll(browser: Visitor): Promise<void> {
    await world.run();
    // Signatures are counted in whole seconds: one of the pause's own second does not take it back.
    world.later(1_000);
    for (const { chain, paused } of (await browser.get('/api/spending')).body.chains) {
      if (paused) expect((await submit(browser, await sign(browser, { kind: 'resume', chain }))).status).toBe(200);
    }
    await world.run();
    expect((await browser.get('/api/spending')).body.paused_at).toBeNull();
  }
});

describe('the right to spend', () => {
  const makeReceiveOnly = () =>
    world.ctx.db.connection.updateMany({
      where: { platform: 'telegram', username: 'alice' },
      data: { canSpend: false },
    });
  const right = async (browser: Visitor, caps = { command_cap: '100', day_cap: '500' }) => ({
    kind: 'right',
    connection_id: (await telegramOf(browser)).id,
    ...caps,
  });

  test('200 by the wallet: the connection spends, the caps are in force, every chat is told', async () => {
    const alice = localPerson('alice').telegram.id;
    await world.say('alice', '/start', { chat: alice });
    await makeReceiveOnly();
    const before = await world.usdc('bob');
    await world.say('alice', '/tip @bob 1');
    expect(await world.usdc('bob')).toBe(before);
    const browser = await signedIn('alice');
    const prepared = await prepare(browser, await right(browser, { command_cap: '30', day_cap: '200.50' }));
    expect(prepared.typed_data).toMatchObject({
      domain: { name: 'Ampersat', version: '1', chainId: 8453 },
      primaryType: 'SpendingRight',
      message: {
        platform: 'telegram',
        platformUserId: String(alice),
        username: 'alice',
        handle: 'alice',
        commandCap: '30.00 USD',
        dayCap: '200.50 USD',
      },
    });
    const answer = await submit(browser, { ...prepared.submit, signature: await signPrepared(prepared, ALICE) });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      right: { connection: { platform: 'telegram', can_spend: true } },
      caps: { command_cap: '30.00', day_cap: '200.50' },
    });
    await world.run();
    expect((await world.botSaid(alice)).at(-1)?.text).toContain('$30 per command and $200.50 per day');
    world.later(3_700_000);
    await world.say('alice', '/tip @bob 1');
    expect((await world.usdc('bob')) - before).toBe(1_000_000n);
    await world.say('alice', '/tip @bob 30');
    expect((await world.usdc('bob')) - before).toBe(1_000_000n);
    expect(await world.ctx.db.spendingRight.count()).toBe(1);
  });

  test('400 raised without the wallet: tampered, or signed by another', async () => {
    const browser = await signedIn('alice');
    const signed = await sign(browser, await right(browser, { command_cap: '10', day_cap: '50' }));
    const capsBefore = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
    const bodies = [
      { ...signed, command_cap: '10.01' },
      { ...signed, day_cap: '1000' },
      { ...signed, chain: 'base-sepolia' },
      { ...signed, nonce: '99' },
      await sign(browser, await right(browser, { command_cap: '1000', day_cap: '1000' }), walletOfPerson('bob')),
    ];
    for (const body of bodies) expect(code(await submit(browser, body))).toEqual([400, 'signature_invalid']);
    const other = (await browser.get('/api/spending')).body.connections.find(
      (one: { platform: string }) => one.platform === 'x',
    );
    expect(code(await submit(browser, { ...signed, connection_id: other.id }))).toEqual([400, 'signature_invalid']);
    const capsAfter = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
    expect(capsAfter).toEqual(capsBefore);
  });

  test('409 used twice, also by two tabs at once, and void after a disconnect', async () => {
    const browser = await signedIn('alice');
    const signed = await sign(browser, await right(browser));
    const both = await Promise.all([submit(browser, signed), submit(browser, signed)]);
    expect(both.map((one) => one.status).sort()).not.toEqual([200, 200]);
    expect(both.filter((one) => one.status === 200)).toHaveLength(1);
    expect((await submit(browser, signed)).status).not.toBe(200);
    const next = await sign(browser, await right(browser));
    const { id } = await telegramOf(browser);
    expect((await browser.delete(`/api/connections/${id}`)).status).toBe(200);
    expect(code(await submit(browser, next))).toEqual([404, 'resource_missing']);
    const row = await world.ctx.db.connection.findFirstOrThrow({ where: { platform: 'telegram', username: 'alice' } });
    // Connected anew, with the same id even: the number is another one.
    await world.ctx.db.connection.update({ where: { id: row.id }, data: { disconnectedAt: null } });
    expect(code(await submit(browser, next))).toEqual([409, 'state_conflict']);
    expect((await world.ctx.db.connection.findUniqueOrThrow({ where: { id: row.id } })).canSpend).toBe(false);
    expect((await submit(browser, await sign(browser, await right(browser)))).status).toBe(200);
  });

  test('400 late, and above the most', async () => {
    const browser = await signedIn('alice');
    const signed = await sign(browser, await right(browser));
    world.later(15 * 60_000);
    expect((await submit(browser, signed)).body.error).toMatchObject({ code: 'parameter_invalid', param: 'deadline' });
    for (const [caps, param] of [
      [{ command_cap: '1000.01', day_cap: '5000' }, 'command_cap'],
      [{ command_cap: '10', day_cap: '10000.01' }, 'day_cap'],
      [{ command_cap: '10', day_cap: '9' }, 'command_cap'],
    ] as const) {
      const answer = await browser.post('/api/spending/prepare', await right(browser, caps));
      expect(answer.body.error).toMatchObject({ code: 'parameter_invalid', param });
    }
  });

  test('404 for a connection of somebody else', async () => {
    const [alice, bob] = [await signedIn('alice'), await signedIn('bob')];
    expect(code(await bob.post('/api/spending/prepare', await right(alice)))).toEqual([404, 'resource_missing']);
    const signed = await sign(alice, await right(alice));
    expect(code(await submit(bob, signed))).toEqual([404, 'resource_missing']);
  });
});

function splitSignature(signature: Hex): [Hex, Hex, number] {
  return [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`, Number.parseInt(signature.slice(130), 16)];
}
