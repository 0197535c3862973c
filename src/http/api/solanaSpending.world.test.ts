// Allowance, limits, pauses and rights of a Solana wallet over real HTTP and on a real chain: one signature, and nothing without it.
import { randomBytes } from 'node:crypto';
import { type MessageV0, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forkWithout } from '../../../local/solana/fork.ts';
import { type Keypair, keypairOf } from '../../../local/solana/keys.ts';
import { decodeTransaction } from '../../../local/solana/wire.ts';
import { signTransaction, walletOfPerson } from '../../../test/setup/signer.ts';
import { addSolana, FINALIZED_AFTER, type SolanaInWorld } from '../../../test/setup/solanaInWorld.ts';
import { serveWorld, solanaSignature, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { senderState } from '../../chain/senders.ts';
import { createConnection } from '../../services/accounts/handles.ts';
import { requireAccountRoom } from '../../services/spending/sponsorBudget.ts';

const MILLION = 1_000_000n;
let world: World;
let solana: SolanaInWorld;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  solana = await addSolana(world);
  base = await serveWorld(world);
});
afterAll(async () => {
  await solana.stop();
  await world.stop();
});
beforeEach(() => {
  // A day later no budget of another test counts.
  world.later(25 * 3_600_000);
  world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 500;
});

let number = 0;
/** Someone whose handle has a Solana wallet alone, without SOL, and a chat that may only receive. */
async function newcomer(): Promise<{ key: Keypair; browser: Visitor; slug: string; chat: string }> {
  number += 1;
  const key = keypairOf(randomBytes(32));
  const browser = visitor(base);
  expect((await browser.signInWithSolana(key)).status).toBe(200);
  const slug = `sol_${100 + number}`;
  expect((await browser.post('/api/handle', { handle: slug })).status).toBe(201);
  const handle = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } });
  const chat = String(8_800_000 + number);
  await createConnection(world.ctx, {
    handleId: handle.id,
    platform: 'telegram',
    platformUserId: chat,
    username: slug,
    canSpend: false,
  });
  return { key, browser, slug, chat };
}

const ALLOW = { kind: 'allow', chain: 'solana', amount: '250', per_tip: '20', per_day: '100' };
const LIMITS = { kind: 'limits', chain: 'solana', per_tip: '5', per_day: '10' };
const RESUME = { kind: 'resume', chain: 'solana' };
const permit = (amount: string) => ({ kind: 'permit', chain: 'solana', amount });
// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Body = any;

async function prepare(browser: Visitor, choice: object): Promise<Body> {
  // What was prepared in one slot for one wallet is the same each time.
  solana.step();
  const { status, body } = await browser.post('/api/spending/prepare', choice);
  expect(body.error).toBeUndefined();
  expect(status).toBe(200);
  return body;
}
async function sign(browser: Visitor, key: Keypair, choice: object) {
  const { solana_transaction, submit } = await prepare(browser, choice);
  return { ...submit, solana_transaction: signTransaction(key, solana_transaction) };
}
const submit = (browser: Visitor, body: object) => browser.post('/api/spending/submit', body);
const code = (answer: { status: number; body: Body }) => [answer.status, answer.body.error?.code];
const statusOf = async (browser: Visitor, { body }: { body: Body }) =>
  (await browser.get(`/api/spending/requests/${body.request.id}`)).body.request;
const stateOf = ({ address }: Keypair) => senderState(solana.chain, address, solana.usdc, world.ctx.clock.now());
const onPage = async (browser: Visitor) => {
  const { body } = await browser.get('/api/spending');
  return { page: body, chain: body.chains.find(({ chain }: { chain: string }) => chain === 'solana') };
};
const calls = () => world.ctx.db.sponsoredCall.count();
async function allowed() {
  const person = await newcomer();
  expect((await submit(person.browser, await sign(person.browser, person.key, ALLOW))).status).toBe(200);
  await solana.run();
  return person;
}

describe('the page of what may be spent', () => {
  test('has Solana for a handle with a Solana wallet alone, before anything is allowed', async () => {
    const { browser, key, slug } = await newcomer();
    const { page, chain } = await onPage(browser);
    expect(page).toMatchObject({ handle: slug, paused_at: null });
    expect(page.chains).toHaveLength(1);
    expect(page.without_wallet).toEqual([{ chain: 'base', family: 'evm', label: 'Base', livemode: false }]);
    expect(chain).toMatchObject({
      family: 'solana',
      label: 'Solana',
      wallet: key.address,
      chain_id: null,
      router: solana.program,
      permit: true,
      one_signature: true,
      paused: false,
    });
    expect(chain.tokens).toEqual([
      expect.objectContaining({
        asset: 'USDC',
        token: solana.usdc,
        allowance: '0.00',
        per_tip: '0.00',
        balance: '0.00',
      }),
    ]);
  });

  test('has no Solana for a handle of an EVM wallet', async () => {
    const browser = visitor(base);
    await browser.signIn(walletOfPerson('alice'));
    const { page, chain } = await onPage(browser);
    expect(chain).toBeUndefined();
    expect(page.without_wallet).toMatchObject([{ chain: 'solana', family: 'solana' }]);
    expect(page.chains[0]).toMatchObject({ chain: 'base', family: 'evm', chain_id: 8453, one_signature: false });
    const refused = await browser.post('/api/spending/prepare', ALLOW);
    expect(code(refused)).toEqual([409, 'state_conflict']);
    expect(refused.body.error.message).toContain('no Solana wallet yet');
    const onBase = await browser.post('/api/spending/prepare', { ...ALLOW, chain: 'base' });
    expect(onBase.body.error).toMatchObject({ code: 'parameter_invalid', param: 'kind' });
  });

  test('says that the chain does not answer', async () => {
    const { browser } = await newcomer();
    solana.node.faults.add({ kind: 'away', times: 100 });
    const { chain } = await onPage(browser);
    solana.node.faults.clear();
    expect(chain).toEqual({ chain: 'solana', family: 'solana', label: 'Solana', livemode: false, unreachable: true });
  });
});

describe('one signature', () => {
  test('gives allowance and limits to a wallet without SOL and without a USDC account; we pay', async () => {
    const { browser, key } = await newcomer();
    const prepared = await prepare(browser, ALLOW);
    expect(prepared).not.toHaveProperty('typed_data');
    const { message } = decodeTransaction(Buffer.from(prepared.solana_transaction, 'base64'));
    expect(solana.roles.executors.map(({ address }) => address)).toContain(message.keys[0]);
    const answer = await submit(browser, {
      ...prepared.submit,
      solana_transaction: signTransaction(key, prepared.solana_transaction),
    });
    expect(answer.body.request).toMatchObject({ kind: 'allow', chain: 'solana', status: 'queued', failure: null });
    await solana.sendNow();
    expect((await statusOf(browser, answer)).status).toBe('sent');
    solana.step(3);
    await solana.follow();
    expect((await statusOf(browser, answer)).status).toBe('mined');
    solana.step(FINALIZED_AFTER + 2);
    await solana.follow();
    const done = await statusOf(browser, answer);
    expect(done.status).toBe('final');
    expect(done.explorer_url).toContain(`/tx/${done.tx_hash}`);
    expect(await stateOf(key)).toMatchObject({
      allowance: 250n * MILLION,
      perTip: 20n * MILLION,
      perDay: 100n * MILLION,
      maxFee: MILLION,
      paused: false,
    });
    expect(solana.lamportsOf(key.address)).toBe(0n);
    expect((await onPage(browser)).chain.tokens[0]).toMatchObject({
      allowance: '250.00',
      per_tip: '20.00',
      per_day: '100.00',
      left_24h: '100.00',
    });
    const [row] = await world.ctx.db.outgoingTx.findMany({ where: { kind: 'sponsored' }, orderBy: { id: 'desc' } });
    const landed = await solana.node.rpc('getTransaction', row?.minedHash, { maxSupportedTransactionVersion: 0 });
    // It had 100,000 units.
    expect(landed.meta.computeUnitsConsumed).toBeLessThan(70_000);
  });

  test('changes one of the two alone, allows all, and revokes', async () => {
    const { browser, key } = await allowed();
    for (const [choice, state] of [
      [LIMITS, { perTip: 5n * MILLION, perDay: 10n * MILLION, allowance: 250n * MILLION }],
      [permit('max'), { perTip: 5n * MILLION, allowance: 2n ** 64n - 1n }],
      [permit('0'), { allowance: 0n }],
      [permit('1.5'), { allowance: 1_500_000n }],
    ] as const) {
      expect((await submit(browser, await sign(browser, key, choice))).status).toBe(200);
      await solana.run();
      expect(await stateOf(key)).toMatchObject(state);
      if (choice === LIMITS) continue;
      const shown = (await onPage(browser)).chain.tokens[0].allowance;
      expect(shown).toBe({ max: null, '0': '0.00', '1.5': '1.50' }[(choice as { amount: string }).amount]);
    }
  });

  test('400 for amounts that are none, and above the most', async () => {
    const { browser } = await newcomer();
    for (const [change, param] of [
      [{ amount: '-1' }, 'amount'],
      [{ amount: '18446744073710' }, 'amount'],
      [{ per_tip: '1000.01', per_day: '10000' }, 'per_tip'],
      [{ per_tip: '200' }, 'per_tip'],
    ] as const) {
      const answer = await browser.post('/api/spending/prepare', { ...ALLOW, ...change });
      expect(answer.body.error).toMatchObject({ code: 'parameter_invalid', param });
    }
  });

  test('twice, from two tabs at once too, is one call', async () => {
    const { browser, key } = await newcomer();
    const signed = await sign(browser, key, ALLOW);
    const before = await calls();
    const both = await Promise.all([submit(browser, signed), submit(browser, signed)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]?.body.request.id).toBe(both[1]?.body.request.id);
    await solana.run();
    const again = await submit(browser, signed);
    expect(again.body.request).toMatchObject({ id: both[0]?.body.request.id, status: 'final' });
    expect((await calls()) - before).toBe(1);
  });

  test('409 while another one is under way', async () => {
    const { browser, key } = await newcomer();
    const [first, second] = [await sign(browser, key, ALLOW), await sign(browser, key, permit('7'))];
    expect((await submit(browser, first)).status).toBe(200);
    expect(code(await submit(browser, second))).toEqual([409, 'state_conflict']);
    await solana.run();
    expect((await stateOf(key)).allowance).toBe(250n * MILLION);
  });

  test('400 over anything else than what the terms say, by another wallet, and with terms that we never give', async () => {
    const { browser, key } = await newcomer();
    const { solana_transaction: unsigned, submit: terms } = await prepare(browser, ALLOW);
    const signed = { ...terms, solana_transaction: signTransaction(key, unsigned) };
    const before = await calls();
    const thief = keypairOf(randomBytes(32));
    const changed = (change: (message: MessageV0) => void) => ({
      ...signed,
      solana_transaction: signTransaction(key, unsigned, change),
    });
    const priced = (price: bigint) =>
      changed(({ compiledInstructions: [, setPrice] }) => {
        if (!setPrice) throw new Error('the second instruction sets the price');
        const data = Buffer.from(setPrice.data);
        data.writeBigUInt64LE(price, 1);
        setPrice.data = data;
      });
    const tampered = [
      { ...signed, amount: '9999' },
      { ...signed, per_day: '1000' },
      { ...signed, kind: 'permit', per_tip: undefined, per_day: undefined },
      { ...signed, deadline: signed.deadline - 1 },
      changed(({ staticAccountKeys }) => void staticAccountKeys.splice(0, 1, new PublicKey(thief.address))),
      priced(1_000_001n),
      changed((message) => void message.compiledInstructions.pop()),
      changed((message) => void message.compiledInstructions.push(...message.compiledInstructions.slice(-1))),
      changed(({ header }) => {
        header.numReadonlyUnsignedAccounts -= 1;
      }),
      { ...signed, solana_transaction: unsigned },
      { ...signed, solana_transaction: 'AAAA' },
      await sign(browser, thief, ALLOW),
    ];
    for (const body of tampered)
      expect(code(await submit(browser, body)), JSON.stringify(body)).toEqual([400, 'signature_invalid']);
    const bare = { ...terms, signature: `0x${'11'.repeat(65)}` };
    expect((await submit(browser, bare)).body.error).toMatchObject({
      code: 'parameter_missing',
      param: 'solana_transaction',
    });
    // Nor can another handle use it, whose session a thief may have.
    const stolen = await newcomer();
    expect(code(await submit(stolen.browser, signed))).toEqual([400, 'signature_invalid']);
    expect(await calls()).toBe(before);
  });

  test('402 with a block hash that is over or that never was', async () => {
    const { browser, key } = await newcomer();
    const { solana_transaction: unsigned, submit: terms } = await prepare(browser, ALLOW);
    const signed = { ...terms, solana_transaction: signTransaction(key, unsigned) };
    const made = signTransaction(key, unsigned, (message) => {
      message.recentBlockhash = solana.usdc;
    });
    expect(code(await submit(browser, { ...terms, solana_transaction: made }))).toEqual([402, 'call_refused']);
    solana.node.faults.add({ kind: 'expire' });
    const late = await submit(browser, signed);
    expect(code(late)).toEqual([402, 'call_refused']);
    expect(late.body.error.message).toContain('Sign it again');
    const after = await submit(browser, await sign(browser, key, ALLOW));
    expect(after.status).toBe(200);
    await solana.run();
    expect((await stateOf(key)).allowance).toBe(250n * MILLION);
  });

  test('fails in words when its block hash is over before a worker has sent it', async () => {
    const { browser, key } = await newcomer();
    const answer = await submit(browser, await sign(browser, key, ALLOW));
    solana.node.faults.add({ kind: 'expire' });
    await solana.sendNow();
    expect(await statusOf(browser, answer)).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining('Sign it again'),
    });
    expect((await stateOf(key)).allowance).toBe(0n);
  });

  test('503 while the chain is away, or no key can pay', async () => {
    const { browser, key } = await newcomer();
    const signed = await sign(browser, key, ALLOW);
    solana.node.faults.add({ kind: 'away', times: 1_000 });
    expect(code(await submit(browser, signed))).toEqual([503, 'provider_unavailable']);
    expect(code(await browser.post('/api/spending/prepare', ALLOW))).toEqual([503, 'provider_unavailable']);
    solana.node.faults.clear();
    const keys = { chain: 'solana' };
    await world.ctx.db.executorKey.updateMany({ where: keys, data: { pausedReason: 'test' } });
    expect(code(await submit(browser, signed))).toEqual([503, 'provider_unavailable']);
    expect(code(await browser.post('/api/spending/prepare', ALLOW))).toEqual([503, 'provider_unavailable']);
    await world.ctx.db.executorKey.updateMany({ where: keys, data: { pausedReason: null } });
    expect((await submit(browser, signed)).status).toBe(200);
    await solana.run();
  });

  test('goes out again where the cluster drops it or forks it away, and shows that it must be signed again when it never can land', async () => {
    const { browser, key } = await newcomer();
    solana.node.faults.add({ kind: 'drop' });
    const answer = await submit(browser, await sign(browser, key, ALLOW));
    await solana.sendNow();
    solana.step(3);
    world.later(2_000);
    await solana.follow();
    solana.step(3);
    await solana.follow();
    const mined = await statusOf(browser, answer);
    expect(mined.status).toBe('mined');
    expect(forkWithout(solana.ledger, mined.tx_hash)).toBe(true);
    await solana.follow();
    expect((await statusOf(browser, answer)).status).toBe('sent');
    solana.step(3);
    await solana.follow();
    solana.step(FINALIZED_AFTER + 2);
    await solana.follow();
    expect(await statusOf(browser, answer)).toMatchObject({ status: 'final', tx_hash: mined.tx_hash });

    solana.node.faults.add({ kind: 'drop', times: 1_000 });
    const lost = await submit(browser, await sign(browser, key, permit('3')));
    await solana.sendNow();
    // It is lost behind the end of any hash that it can have.
    for (let hashes = 0; hashes < 2; hashes++) solana.node.faults.add({ kind: 'expire' });
    world.later(2_000);
    await solana.follow();
    solana.node.faults.clear();
    const failed = await statusOf(browser, lost);
    expect(failed).toMatchObject({ status: 'failed', failure: expect.stringContaining('Sign it again') });
    expect((await stateOf(key)).allowance).toBe(250n * MILLION);
  });
});

describe('what we pay for', () => {
  test('402 without a chat and without money; 429 beyond the budgets of the chain and of the handle', async () => {
    const { browser, key, chat } = await newcomer();
    const where = { platformUserId: chat };
    await world.ctx.db.connection.updateMany({ where, data: { disconnectedAt: new Date() } });
    const signed = await sign(browser, key, ALLOW);
    const refused = await submit(browser, signed);
    expect(code(refused)).toEqual([402, 'call_refused']);
    expect(refused.body.error.message).toMatch(/Connect a chat first\.$/);
    await world.ctx.db.connection.updateMany({ where, data: { disconnectedAt: null } });
    world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 0;
    const over = await submit(browser, signed);
    expect(code(over)).toEqual([429, 'rate_limited']);
    expect(over.body.error.message).toMatch(/Try again tomorrow\.$/);
    world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 500;
    expect((await submit(browser, signed)).status).toBe(200);
    await solana.run();
  });

  test('429 for the fourth USDC account of a month, whose rent would be the wallet’s', async () => {
    const { browser, key, slug } = await newcomer();
    const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } });
    expect((await submit(browser, await sign(browser, key, ALLOW))).status).toBe(200);
    const row = await world.ctx.db.sponsoredCall.findFirstOrThrow({ where: { handleId } });
    expect(row.use).toContain(':account:');
    await world.ctx.db.sponsoredCall.createMany({
      data: [1, 2].map((index) => ({ ...row, id: `${row.id}${index}`, use: `${row.use}${index}`, status: 'failed' })),
    });
    await solana.run();
    world.later(20 * 24 * 3_600_000);
    const room = () => world.ctx.db.$transaction((tx) => requireAccountRoom(world.ctx, tx, handleId, solana.chain));
    await expect(room()).rejects.toMatchObject({ code: 'rate_limited' });
    world.later(11 * 24 * 3_600_000);
    await room();
    world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 0;
    await expect(room()).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

describe('a pause', () => {
  const rowOf = async (slug: string) => world.ctx.db.pause.findFirst({ where: { chain: 'solana', handle: { slug } } });

  test('goes to the chain by an executor, and only the wallet’s signature ends it', async () => {
    const { browser, key, slug } = await allowed();
    expect((await browser.post('/api/spending/pause')).status).toBe(200);
    expect((await onPage(browser)).page.paused_at).not.toBeNull();
    await solana.run();
    expect((await stateOf(key)).paused).toBe(true);
    expect(await rowOf(slug)).toMatchObject({ status: 'done' });
    expect(await world.ctx.db.pause.count({ where: { handle: { slug } } })).toBe(1);
    world.later(1_000);
    expect(code(await submit(browser, await sign(browser, keypairOf(randomBytes(32)), RESUME)))).toEqual([
      400,
      'signature_invalid',
    ]);
    expect((await submit(browser, await sign(browser, key, RESUME))).status).toBe(200);
    await solana.run();
    expect((await stateOf(key)).paused).toBe(false);
    expect(await rowOf(slug)).toBeNull();
    expect((await onPage(browser)).page.paused_at).toBeNull();
  });

  test('after the preparation wins over the older signature, before and after it was stored', async () => {
    const { browser, key } = await allowed();
    await browser.post('/api/spending/pause');
    await solana.run();
    world.later(1_000);
    const before = await sign(browser, key, RESUME);
    world.later(1_000);
    await browser.post('/api/spending/pause');
    expect(code(await submit(browser, before))).toEqual([409, 'state_conflict']);
    // Its time is part of what was signed.
    expect(code(await submit(browser, { ...before, deadline: before.deadline + 1 }))).toEqual([
      400,
      'signature_invalid',
    ]);
    await solana.run();
    world.later(1_000);
    const stored = await submit(browser, await sign(browser, key, RESUME));
    expect(stored.status).toBe(200);
    world.later(1_000);
    await browser.post('/api/spending/pause');
    await solana.run();
    expect(await statusOf(browser, stored)).toMatchObject({ status: 'failed' });
    expect((await stateOf(key)).paused).toBe(true);
    expect((await onPage(browser)).page.paused_at).not.toBeNull();
  });

  test('is held by our rows where there is nothing to pause, and ends with the wallet’s word alone', async () => {
    const { browser, key, slug } = await newcomer();
    await browser.post('/api/spending/pause');
    expect(code(await browser.post('/api/spending/prepare', RESUME))).toEqual([409, 'state_conflict']);
    await solana.run();
    expect(await rowOf(slug)).toMatchObject({ status: 'held' });
    expect((await onPage(browser)).chain.paused).toBe(true);
    world.later(1_000);
    const signed = await sign(browser, key, RESUME);
    expect((await submit(browser, signed)).status).toBe(200);
    await solana.run();
    expect(await rowOf(slug)).toBeNull();
    expect((await onPage(browser)).page.paused_at).toBeNull();
  });

  test('that the cluster loses is sent again', async () => {
    const { browser, key, slug } = await allowed();
    await browser.post('/api/spending/pause');
    solana.node.faults.add({ kind: 'drop', times: 1_000 });
    await solana.sendNow();
    solana.node.faults.add({ kind: 'expire' });
    world.later(2_000);
    await solana.follow();
    solana.node.faults.clear();
    expect(await rowOf(slug)).toMatchObject({ status: 'wanted' });
    await solana.run();
    expect((await stateOf(key)).paused).toBe(true);
  });

  test('counts what executors signed, on chains without numbers too', async () => {
    const { browser, slug } = await allowed();
    const { browser: idle, key, slug: idler } = await allowed();
    await submit(idle, await sign(idle, key, permit('0')));
    await solana.run();
    world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 1;
    await browser.post('/api/spending/pause');
    await solana.run();
    expect(await rowOf(slug)).toMatchObject({ status: 'done' });
    await idle.post('/api/spending/pause');
    await solana.run();
    expect(await rowOf(idler)).toMatchObject({ status: 'held' });
  });
});

describe('the right to spend', () => {
  const right = async (browser: Visitor, caps = { command_cap: '30', day_cap: '200.50' }) => ({
    kind: 'right',
    connection_id: (await onPage(browser)).page.connections[0].id,
    ...caps,
  });

  test('200 by a text that the Solana wallet signs, once', async () => {
    const { browser, key, slug, chat } = await newcomer();
    const { text, submit: terms } = await prepare(browser, await right(browser));
    expect(text.split('\n')).toEqual([
      `${new URL(base).host} wants you to let a chat spend for @${slug}.`,
      '',
      'Up to 30.00 US dollars per command and 200.50 in 24 hours, fees included, until you pause or disconnect.',
      '',
      'Platform: telegram',
      `User ID: ${chat}`,
      `Username: ${slug}`,
      `Wallet: ${key.address}`,
      `URI: ${base}`,
      'Nonce: 0',
      `Expiration Time: ${new Date(terms.deadline * 1_000).toISOString()}`,
    ]);
    const signed = { ...terms, signature: solanaSignature(key, text) };
    const bodies = [
      { ...signed, command_cap: '31' },
      { ...signed, nonce: '1' },
      { ...signed, deadline: terms.deadline - 1 },
      { ...signed, signature: solanaSignature(keypairOf(randomBytes(32)), text) },
      { ...signed, signature: '0x1234' },
    ];
    for (const body of bodies) expect(code(await submit(browser, body))).toEqual([400, 'signature_invalid']);
    const answer = await submit(browser, signed);
    expect(answer.body).toMatchObject({
      right: { connection: { can_spend: true } },
      caps: { command_cap: '30.00', day_cap: '200.50' },
    });
    const stored = await world.ctx.db.spendingRight.findFirstOrThrow({ where: { address: key.address } });
    expect(stored).toMatchObject({ message: { text }, signature: signed.signature, nonce: 0 });
    expect((await submit(browser, signed)).status).not.toBe(200);
  });

  test('409 on a chain for which the handle has no wallet', async () => {
    const { browser } = await newcomer();
    const answer = await browser.post('/api/spending/prepare', { ...(await right(browser)), chain: 'base' });
    expect(code(answer)).toEqual([409, 'state_conflict']);
  });
});
