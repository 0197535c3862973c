// Planning a batch while chains are slow, or move on under it.
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../test/setup/processes.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import type { ChainName } from '../../domain/chains.ts';
import { prepareIntents } from './preparation.ts';

let world: World;
const proxies: Partial<Record<ChainName, RpcProxy>> = {};
beforeAll(async () => {
  const through = (name: ChainName) => async (direct: string) => {
    const proxy = await startRpcProxy(direct);
    proxies[name] = proxy;
    return proxy.url;
  };
  const rpcUrls = { base: through('base'), 'base-sepolia': through('base-sepolia') };
  world = await startWorld({ chains: ['base', 'base-sepolia'], rpcUrls });
});
afterAll(async () => {
  await world.stop();
  for (const proxy of Object.values(proxies)) await proxy.close();
});
beforeEach(() => world.later(3_700_000));

function proxyOf(name: ChainName): RpcProxy {
  const proxy = proxies[name];
  if (!proxy) throw new Error(`${name} has no proxy`);
  return proxy;
}
/** Commands that were accepted and not planned yet, in their order. */
async function accepted(...commands: [string, string][]): Promise<string[]> {
  for (const [who, text] of commands) await world.type(who, text);
  await world.fetchUpdates();
  await world.ingest();
  const rows = await world.ctx.db.intent.findMany({ where: { status: 'accepted' } });
  expect(rows).toHaveLength(commands.length);
  // Ids of one millisecond are in no order; messages are.
  return rows.toSorted((a, b) => Number(a.messageId) - Number(b.messageId)).map(({ id }) => id);
}
const statusOf = async (id: string) => (await world.ctx.db.intent.findUniqueOrThrow({ where: { id } })).status;

test('a chain that hangs holds up no tip on another chain of the same batch', async () => {
  const ids = await accepted(
    ['alice', '/send @bob 1 on base-sepolia'],
    ['alice', '/tip @bob 1'],
    ['bob', '/tip @alice 1'],
  );
  const [slow = '', ...others] = ids;
  const gate = proxyOf('base-sepolia').hold('eth_call', 'before');
  const prepared = prepareIntents(world.ctx, ids);
  await gate.reached;
  for (const id of others) await until(async () => (await statusOf(id)) === 'routed', 'the others go on', 3_000);
  expect(await statusOf(slow)).toBe('accepted');
  gate.open();
  await prepared;
  expect(await statusOf(slow)).toBe('routed');
  await world.run();
});

test('a chain whose prices hang holds up no tip on another chain', async () => {
  await world.freshPrices('base-sepolia');
  const [slow = '', other = ''] = await accepted(
    ['alice', '/tip @bob 0.001 ETH on base-sepolia'],
    ['bob', '/tip @alice 1'],
  );
  const gate = proxyOf('base-sepolia').hold('eth_call', 'before');
  const prepared = prepareIntents(world.ctx, [slow, other]);
  await gate.reached;
  await until(async () => (await statusOf(other)) === 'routed', 'the other goes on', 3_000);
  gate.open();
  await prepared;
  await world.run();
});

test('a tip that is mined between the two reads counts as spent', async () => {
  const { usdc } = world.evmChain();
  const rest = (await world.usdc('alice')) - parseUnits('6', 6);
  const admin = world.admin();
  const { address } = localPerson('alice');
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [localPerson('carol').address, rest],
  });
  await admin.impersonateAccount({ address });
  await admin.request({ method: 'eth_sendTransaction', params: [{ from: address, to: usdc, data }] } as never);
  await world.mine(1);
  const [first = ''] = await accepted(['alice', '/tip @bob 5']);
  await prepareIntents(world.ctx, [first]);
  await admin.setAutomine(false);
  await world.settle();
  const [second = ''] = await accepted(['alice', '/tip @bob 5']);
  // The chain has answered “6 USDC”, and that answer is on its way when the first tip gets into a block.
  const gate = proxyOf('base').hold('eth_call', 'after');
  const planned = prepareIntents(world.ctx, [second]);
  await gate.reached;
  await admin.setAutomine(true);
  await world.mine(1);
  // What the watcher writes when it sees that block; it cannot read it through the gate.
  await world.ctx.db.tip.updateMany({ where: { intentId: first }, data: { status: 'mined' } });
  gate.open();
  await planned;
  expect(await world.ctx.db.intent.findUniqueOrThrow({ where: { id: second } })).toMatchObject({
    status: 'refused',
    detail: { refusal: { code: 'balance_low' } },
  });
});

/** What the service logged as an error while something was done. */
async function errorsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const logged: string[] = [];
  const { log } = world.ctx;
  const error = log.error.bind(log);
  log.error = (...[, text]: unknown[]) => void logged.push(String(text));
  await work().finally(() => {
    log.error = error;
  });
  return logged;
}
const detailOf = async (id: string) =>
  world.ctx.db.intent.findUniqueOrThrow({ where: { id }, include: { tips: true } });

test('an address of another family of chains is refused while planning', async () => {
  const solana = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';
  const [id = ''] = await accepted(['alice', `/send ${solana} 1`]);
  const logged = await errorsDuring(() => world.run());
  expect(await detailOf(id)).toMatchObject({
    status: 'refused',
    detail: { refusal: { code: 'address_other_family', label: '7EcDhS…FLtV', chains: ['Base', 'Base Sepolia'] } },
    tips: [],
  });
  expect((await world.botSaid()).map(({ text }) => text)).toContain(
    '7EcDhS…FLtV belongs to another kind of network. I can send to addresses on Base and Base Sepolia.',
  );
  expect(logged).toEqual([]);
});

test('a failure that would come again at every attempt refuses the intent, once', async () => {
  const [bad = '', good = ''] = await accepted(['alice', '/tip @bob 1'], ['bob', '/tip @alice 1']);
  const { command } = await detailOf(bad);
  await world.ctx.db.intent.update({
    where: { id: bad },
    data: { command: { ...(command as object), chain: 'no_such_chain' } },
  });
  const logged = await errorsDuring(() => prepareIntents(world.ctx, [bad, good]));
  expect(await detailOf(bad)).toMatchObject({ status: 'refused', detail: { refusal: { code: 'plan_failed' } } });
  expect(await statusOf(good)).toBe('routed');
  expect(logged).toEqual(['an intent cannot be planned; it is refused']);
  await world.run();
});

test('a leg that no transaction can carry fails at once and holds up no other', async () => {
  const [bad = '', good = ''] = await accepted(['alice', '/tip @bob 1'], ['bob', '/tip @alice 1']);
  await prepareIntents(world.ctx, [bad, good]);
  await world.ctx.db.tip.updateMany({ where: { intentId: bad }, data: { recipientAddress: 'no address' } });
  const logged = await errorsDuring(() => world.run());
  expect((await detailOf(bad)).tips).toMatchObject([{ status: 'failed', failure: { code: 'plan_failed' } }]);
  expect((await detailOf(good)).tips).toMatchObject([{ status: 'settled' }]);
  expect(logged).toEqual(['a leg cannot be encoded; it is failed']);
});
