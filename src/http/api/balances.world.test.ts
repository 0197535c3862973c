// What wallets hold: one total of the chains that answer; one that is away, or only slow, is named, and counted neither as nothing nor waited for.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { walletOfPerson } from '../../../test/setup/signer.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import type { Balances } from './balanceAnswers.ts';

let world: World;
let alice: Visitor;
let proxy: RpcProxy;
beforeAll(async () => {
  const bsc = async (direct: string) => {
    proxy = await startRpcProxy(direct);
    return proxy.url;
  };
  world = await startWorld({ chains: ['base', 'bsc'], rpcUrls: { bsc } });
  alice = visitor(await serveWorld(world));
  await alice.signIn(walletOfPerson('alice'));
});
afterAll(async () => {
  await world.stop();
  await proxy.close();
});
afterEach(() => proxy.setDead(false));

const read = async (): Promise<Balances> => {
  const answer = await alice.get('/api/balances');
  expect(answer.status).toBe(200);
  return answer.body;
};
const cents = (usd: string) => Math.round(Number(usd) * 100);

test('USDC counts as a dollar, coins by their price, and the total is their sum', async () => {
  await world.freshPrices('base', 3_000);
  await world.freshPrices('bsc', 600);
  const { live, test: total, chains } = await read();
  expect(live).toBeNull();
  expect(chains.map(({ chain, unreachable, address }) => [chain, unreachable, address])).toEqual([
    ['base', false, localPerson('alice').address],
    ['bsc', false, localPerson('alice').address],
  ]);
  const all = chains.flatMap(({ holdings }) => holdings);
  const eth = all.find(({ asset, kind }) => asset === 'ETH' && kind === 'native');
  expect(cents(eth?.usd ?? '')).toBe(cents(String(Number(eth?.amount) * 3_000)));
  expect(all.filter(({ kind }) => kind === 'usdc').every(({ amount, usd }) => amount === usd)).toBe(true);
  const sum = all.reduce((units, { usd }) => units + Math.round(Number(usd) * 1_000_000), 0);
  expect(Math.abs(Math.round(Number(total?.total_usd) * 1_000_000) - sum)).toBeLessThanOrEqual(all.length);
  expect([total?.unreachable, total?.unpriced]).toEqual([[], []]);
});

test('a chain that is away is named, in the chat as well', async () => {
  const before = await read();
  proxy.setDead(true);
  const { test: total, chains } = await read();
  expect(total?.unreachable).toEqual(['BNB Smart Chain']);
  expect(chains.map(({ unreachable, holdings }) => [unreachable, holdings.length > 0])).toEqual([
    [false, true],
    [true, false],
  ]);
  expect(cents(total?.total_usd ?? '')).toBeLessThan(cents(before.test?.total_usd ?? ''));
  const chat = localPerson('alice').telegram.id;
  await world.say('alice', '/balance', { chat });
  const said = (await world.botSaid(chat)).at(-1)?.text ?? '';
  expect(said).toContain('Without BNB Smart Chain');
  expect(said).toContain('BNB Smart Chain: not responding right now.');
});

test('a chain that is slow holds up no other', async () => {
  const gate = proxy.hold('eth_getBalance', 'before');
  const from = performance.now();
  const { test: total } = await read();
  expect(performance.now() - from).toBeLessThan(9_000);
  expect(total?.unreachable).toEqual(['BNB Smart Chain']);
  gate.open();
});

test('a coin without a believable price is named and not counted', async () => {
  await world.admin().increaseTime({ seconds: 2 * 3_600 });
  await world.mine(1);
  const { test: total, chains } = await read();
  expect(total?.unpriced).toEqual(['ETH']);
  const eth = chains.flatMap(({ holdings }) => holdings).find(({ asset }) => asset === 'ETH');
  expect(eth?.usd).toBeNull();
});
