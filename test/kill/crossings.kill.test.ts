// kill -9 of bots and workers, with all queues emptied, in every gap of a tip to another chain: between its plan, what was stored, what was sent, the
// bridge, its end and the telling of it. The recipient has the amount once, the sender paid once, and the chat reads it once.
import { parseUnits } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendToken } from '../setup/orders.ts';
import { lockTable, processOf, queueEmptier, type Runner, until } from '../setup/processes.ts';
import { type SmartWorld, startSmartWorld } from '../setup/smart.ts';
import { localPerson } from '../setup/world.ts';

const WITHIN_MS = 90_000;
const ALICE = localPerson('alice');
const usdc = (amount: string) => parseUnits(amount, 6);

let smart: SmartWorld;
let queues: Awaited<ReturnType<typeof queueEmptier>>;
beforeAll(async () => {
  smart = await startSmartWorld(['base', 'celo'], { isLive: true });
  queues = await queueEmptier(smart.world.databaseUrl);
  const { world } = smart;
  await sendToken(world, ALICE.key, world.evmChain().usdc, localPerson('dave').address, await world.usdc('alice'));
});
afterAll(async () => {
  await queues.close();
  await smart.stop();
});

let [bots, workers]: [Runner?, Runner?] = [];
let had: { alice: bigint; bob: bigint; treasury: bigint; said: number };
beforeEach(async () => {
  [bots, workers] = [processOf(smart.world, 'bots', smart.env), processOf(smart.world, 'workers', smart.env)];
  had = { ...(await balances()), said: (await smart.world.botSaid()).length };
});
afterEach(() => Promise.all([bots?.stop(), workers?.stop()]));

const db = () => smart.world.ctx.db;
async function balances() {
  const { world } = smart;
  const [alice, bob, treasury] = await Promise.all([
    world.usdc('alice', 'celo'),
    world.usdc('bob', 'base'),
    world.usdc('treasury', 'celo'),
  ]);
  return { alice, bob, treasury };
}
const start = () => Promise.all([bots?.start(), workers?.start()]);
async function kill(): Promise<void> {
  await Promise.all([bots?.kill(), workers?.kill()]);
  for (let times = 0; times < 3; times += 1) await queues.empty();
}
const newest = () =>
  db().tip.findFirst({ orderBy: { id: 'desc' }, include: { crossing: { include: { legs: true } } } });

/** Types a tip whose amount tells it from all others, kills when its row says so, and starts again. */
async function killedWhen(amount: string, isThere: (tip: NonNullable<Awaited<ReturnType<typeof newest>>>) => boolean) {
  await start();
  await smart.world.type('alice', `/tip @bob ${amount} on base`);
  await until(
    async () => {
      const tip = await newest();
      return tip !== null && String(tip.units) === String(usdc(amount)) && isThere(tip);
    },
    'the gap',
    WITHIN_MS,
  );
  await kill();
  await start();
}

async function exactlyOnce(amount: string): Promise<void> {
  await until(async () => (await newest())?.crossing?.status === 'succeeded', 'it arrived', WITHIN_MS);
  // A kill between Telegram's taking of a message and our hearing of it leaves a second one there, which is edited with its reply.
  const said = async () => (await smart.world.botSaid()).slice(had.said);
  const isTold = (texts: { text: string }[]) =>
    texts.length > 0 && texts.every(({ text }) => text.includes('arrived on Base'));
  await until(async () => isTold(await said()), 'the chat reads it', WITHIN_MS);
  const tip = await newest();
  const now = await balances();
  const bridge = BigInt(tip?.bridgeUnits.toFixed(0) ?? '0');
  expect(now.bob - had.bob).toBe(usdc(amount));
  expect(now.treasury - had.treasury).toBe(usdc('0.3'));
  expect(had.alice - now.alice).toBe(usdc(amount) + usdc('0.3') + bridge);
  expect(await db().reply.count({ where: { data: { path: ['intentId'], equals: tip?.intentId ?? '' } } })).toBe(1);
  expect(await db().tip.count({ where: { units: String(usdc(amount)) } })).toBe(1);
  expect(await db().smartPayment.count({ where: { tipId: tip?.id ?? '' } })).toBe(1);
  const ends = { resource: 'smart_leg', action: 'arrive', resourceId: tip?.crossing?.legs[0]?.id ?? '' };
  expect(await db().transition.count({ where: ends })).toBe(1);
}

test('planned, and not yet stored', async () => {
  const lock = await lockTable(smart.world.databaseUrl, 'smart_leg');
  await start();
  await smart.world.type('alice', '/tip @bob 5.01 on base');
  await lock.reached();
  await kill();
  await lock.release();
  await start();
  await exactlyOnce('5.01');
});

test('stored, and not yet sent', async () => {
  const lock = await lockTable(smart.world.databaseUrl, 'tx_attempt');
  await start();
  await smart.world.type('alice', '/tip @bob 5.02 on base');
  await lock.reached();
  await kill();
  await lock.release();
  await start();
  await exactlyOnce('5.02');
});

test('sent, and not yet in a block; then in a block, and on its way', async () => {
  await killedWhen('5.03', ({ status }) => status !== 'ready');
  await until(async () => (await newest())?.crossing?.legs[0]?.status !== 'prepared', 'it is on its way', WITHIN_MS);
  await kill();
  await start();
  await exactlyOnce('5.03');
});

test('arrived, and not yet written', async () => {
  await start();
  await smart.world.type('alice', '/tip @bob 5.05 on base');
  await until(async () => String((await newest())?.units) === String(usdc('5.05')), 'it is stored', WITHIN_MS);
  const lock = await lockTable(smart.world.databaseUrl, 'smart_payment');
  await lock.reached();
  await kill();
  await lock.release();
  await start();
  await exactlyOnce('5.05');
});

test('written, and not yet told', async () => {
  await killedWhen('5.06', ({ crossing }) => crossing?.status === 'succeeded');
  await exactlyOnce('5.06');
});
