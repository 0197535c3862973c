// A contract wallet (ERC-1271) as somebody who spends: its own code says yes, on the chain where it has shown that it can.
import { encodeFunctionData, erc20Abi, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintUsdc } from '../../../local/chains/deploy/usdc.ts';
import { localKey, TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { placeContractWallet } from '../../../test/setup/contractWallet.ts';
import { type Prepared, signPrepared } from '../../../test/setup/signer.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { botRouterAbi } from '../../chain/routers/abis/BotRouter.ts';
import { senderState } from '../../chain/routers/bot.ts';
import type { Hex } from '../../chain/rpc/client.ts';
import { createConnection } from '../../services/accounts/handles.ts';

let world: World;
let browser: Visitor;
const owner = privateKeyToAccount(localKey('owner of a contract wallet').key);
const { address } = localKey('contract wallet');
beforeAll(async () => {
  world = await startWorld({ chains: ['base', 'celo'] });
  const base = await serveWorld(world);
  await placeContractWallet(world, address, owner.address);
  browser = visitor(base);
  const { message } = await browser.signedMessage(owner, { address, chainId: 8453 });
  const signature = await owner.signMessage({ message });
  expect((await browser.post('/api/auth/siwe', { message, signature })).status).toBe(200);
  expect((await browser.post('/api/handle', { handle: 'safe_spender' })).status).toBe(201);
  const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'safe_spender' } });
  const account = { platform: 'telegram', platformUserId: '7000099', username: 'safe_spender' };
  await createConnection(world.ctx, { ...account, handleId, canSpend: false });
});
afterAll(() => world.stop());

async function signed(choice: object, signer = owner): Promise<object> {
  const prepared = (await browser.post('/api/spending/prepare', choice)).body as Prepared;
  return { ...prepared.submit, signature: await signPrepared(prepared, signer) };
}
const submit = (body: object) => browser.post('/api/spending/submit', body);
function mintOn(name: 'base' | 'celo'): { rpcUrl: string; usdc: Hex } {
  return { rpcUrl: world.anvilOf(name).rpcUrl, usdc: world.evmChain(name).usdc };
}
async function says(text: string): Promise<string | undefined> {
  const from = { id: 7_000_099, username: 'safe_spender', first_name: 'Safe' };
  await world.user('messages', { chat_id: TELEGRAM_GROUP, from, text });
  await world.run();
  return (await world.botSaid()).at(-1)?.text;
}

test('gives an allowance and sets limits by its owner’s signature, sent by us', async () => {
  const { chains } = (await browser.get('/api/spending')).body;
  expect(chains[0]).toMatchObject({ chain: 'base', permit: true });
  expect((await submit(await signed({ kind: 'permit', chain: 'base', amount: '40' }))).status).toBe(200);
  expect((await submit(await signed({ kind: 'limits', chain: 'base', per_tip: '5', per_day: '20' }))).status).toBe(200);
  await world.run();
  const chain = world.evmChain();
  expect(await senderState(chain, address, chain.usdc)).toMatchObject({
    allowance: 40_000_000n,
    perTip: 5_000_000n,
    perDay: 20_000_000n,
  });
});

test('is not spoken for by another key, nor by other code at its address on another chain', async () => {
  const stranger = privateKeyToAccount(generatePrivateKey());
  await placeContractWallet(world, address, stranger.address, 'celo');
  const { connections } = (await browser.get('/api/spending')).body;
  const right = { kind: 'right', connection_id: connections[0].id, command_cap: '5', day_cap: '5' };
  const attempts = [
    await signed(right, stranger),
    await signed({ ...right, chain: 'celo' }, stranger),
    await signed({ kind: 'permit', chain: 'base', amount: '1000' }, stranger),
  ];
  for (const body of attempts) {
    const answer = await submit(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'signature_invalid']);
  }
  expect((await browser.get('/api/spending')).body.connections[0].can_spend).toBe(false);
});

test('gives the right to spend where it has proven itself, and the chat spends', async () => {
  const { connections } = (await browser.get('/api/spending')).body;
  const right = { kind: 'right', connection_id: connections[0].id, command_cap: '5', day_cap: '15' };
  const answer = await submit(await signed(right));
  expect(answer.status).toBe(200);
  expect(answer.body.right.connection.can_spend).toBe(true);
  await mintUsdc({ ...mintOn('base'), to: [address], amount: 10_000_000n });
  const before = await world.usdc('bob');
  await says('/tip @bob 2');
  expect((await world.usdc('bob')) - before).toBe(2_000_000n);
});

describe('money of the same address on a chain where it has not proven itself', () => {
  beforeAll(async () => {
    // Somebody else's wallet there, which once allowed our router to spend.
    await mintUsdc({ ...mintOn('celo'), to: [address], amount: 10_000_000n });
    const { usdc, routers } = world.evmChain('celo');
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [routers.bot, 10_000_000n] });
    const limits = [usdc, 10_000_000n, 10_000_000n, 1_000_000n] as const;
    const setLimits = encodeFunctionData({ abi: botRouterAbi, functionName: 'setLimits', args: limits });
    const admin = world.admin('celo');
    await admin.impersonateAccount({ address });
    await admin.setBalance({ address, value: parseEther('1') });
    for (const [to, data] of [
      [usdc, approve],
      [routers.bot, setLimits],
    ] as const)
      await admin.request({ method: 'eth_sendTransaction', params: [{ from: address, to, data }] } as never);
    await world.mine(1, 'celo');
  });

  test('is not spent by typing that chain', async () => {
    const before = await world.usdc('bob', 'celo');
    expect(await says('/send @bob 2 on celo')).toContain('only set up on Base');
    expect(await world.usdc('bob', 'celo')).toBe(before);
    expect(await world.ctx.db.tip.count({ where: { chain: 'celo' } })).toBe(0);
  });

  test('is not spent because the recipient prefers that chain: they are paid where it has', async () => {
    await world.ctx.db.handle.update({ where: { slug: 'bob' }, data: { preferredChain: 'celo' } });
    const before = [await world.usdc('bob'), await world.usdc('bob', 'celo')] as const;
    await says('/tip @bob 2');
    expect(await world.usdc('bob')).toBe(before[0] + 2_000_000n);
    expect(await world.usdc('bob', 'celo')).toBe(before[1]);
  });

  test('is not spent for its native coin either', async () => {
    expect(await says('/tip @bob 2 CELO')).toContain('only set up on Base');
    expect(await world.ctx.db.tip.count({ where: { chain: 'celo' } })).toBe(0);
  });
});
