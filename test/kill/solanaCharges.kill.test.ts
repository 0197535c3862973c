// Hundreds of due subscriptions on Solana (in a long run two thousand), two overlapping cron calls and two workers processes that are killed in the
// middle, while the queues are emptied: each is charged exactly once, none early, and the sums on the chain are exact.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '../../local/solana/accounts.ts';
import { decodeSubscription } from '../../src/chain/solana/accounts.ts';
import { isLong } from '../setup/long.ts';
import { processOf, queueEmptier, type Runner, until } from '../setup/processes.ts';
import { type SolanaPlanOf, type SolanaSubscriptions, subscriptionsOnSolana } from '../setup/solanaSubscriptions.ts';
import { MONTH_S } from '../setup/subscriptions.ts';
import { serveWorld } from '../setup/visitor.ts';
import { startWorld, type World } from '../setup/world.ts';

const WALLETS = isLong ? 100 : 20;
const PLANS = isLong ? 20 : 10;
const ALL = WALLETS * PLANS;
const AMOUNT = 1_000_000n;
const FEE = 10_000n;
const WITHIN_MS = isLong ? 900_000 : 180_000;
const SLOT_MS = 100;
const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';

let world: World;
let subs: SolanaSubscriptions;
let workers: Runner[];
beforeAll(async () => {
  world = await startWorld({ solana: { slotMs: SLOT_MS, finalizedAfter: 20 } });
  world.ctx.env.ADMIN_SECRET = ADMIN;
  subs = await subscriptionsOnSolana(world, world.solana, { movesAlone: false });
  workers = [0, 1].map(() => processOf(world, 'workers', {}, { followsClock: true }));
}, 120_000);
afterAll(async () => {
  await Promise.all(workers.map((one) => one.stop()));
  await world.stop();
});

const PAYERS = Array.from({ length: WALLETS }, (_, index) => `payer ${index}`);
const charged = () => world.ctx.db.subscription.count({ where: { chain: 'solana', chargesPaid: 2 } });

/** Every wallet subscribes to every plan by its own transactions. */
async function subscribeAll(plans: readonly SolanaPlanOf[]): Promise<void> {
  const sum = AMOUNT * BigInt(2 * plans.length);
  for (const name of PAYERS) {
    subs.person(name, { usdc: sum, allows: sum });
    for (const plan of plans) subs.subscribe(name, plan);
    // Slots pass, and no block has all of them.
    await new Promise((resolve) => setTimeout(resolve, SLOT_MS));
  }
}

test(`${ALL} due subscriptions on Solana, two cron calls, two workers killed, queues emptied: each charged once, to the unit`, {
  timeout: 3 * WITHIN_MS,
}, async () => {
  const base = await serveWorld(world);
  const plans = Array.from({ length: PLANS }, () => subs.create('shop', { amount: AMOUNT }));
  await subscribeAll(plans);
  await until(
    async () => {
      await subs.index();
      return (await world.ctx.db.subscription.count({ where: { chain: 'solana', chargesPaid: 1 } })) === ALL;
    },
    'all subscribe',
    WITHIN_MS,
  );
  const [shopHad, treasuryHad] = [subs.usdc('shop'), subs.treasury()];

  subs.later(MONTH_S + 3_600);
  const begunAt = Date.now();
  const [first, second] = workers as [Runner, Runner];
  await Promise.all([first.start(), second.start()]);
  const call = async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${ADMIN}` };
    const answer = await fetch(`${base}/api/cron/charge`, { method: 'POST', headers, body: '{"chain":"solana"}' });
    return { status: answer.status, run: (await answer.json()) as Record<string, number> };
  };
  const faults: string[] = [];
  const { error: log } = world.ctx.log;
  world.ctx.log.error = ((of: { err?: Error }, text: string) => {
    faults.push(`${text} ${of.err?.stack}`);
    log.call(world.ctx.log, of, text);
  }) as typeof log;
  const calls = Promise.all([call(), call()]);
  const queues = await queueEmptier(world.databaseUrl);
  // One after the other in the middle of it, each at once there again.
  for (const [runner, part] of [
    [first, 0.1],
    [second, 0.4],
    [first, 0.7],
  ] as const) {
    await until(async () => (await charged()) >= ALL * part, `${part} are charged`, WITHIN_MS);
    await runner.kill();
    for (let times = 0; times < 10; times++) await queues.empty();
    await runner.start();
  }
  await until(async () => (await charged()) === ALL, 'all are charged', WITHIN_MS);
  const tookMs = Date.now() - begunAt;
  await queues.close();

  const [one, other] = await calls;
  expect([one.status, other.status], faults.join('\n')).toEqual([200, 200]);
  for (const { run } of [one, other])
    expect(run['scanned']).toBe((run['charged'] ?? 0) + (run['skippedEarly'] ?? 0) + (run['skippedFailed'] ?? 0));
  // On the chain: to the unit, and each subscription by its own count.
  expect(subs.usdc('shop') - shopHad).toBe(BigInt(ALL) * (AMOUNT - FEE));
  expect(subs.treasury() - treasuryHad).toBe(BigInt(ALL) * FEE);
  for (const name of PAYERS) {
    expect(subs.usdc(name)).toBe(0n);
    for (const plan of plans) {
      const { subscription } = subs.addressesOf(name, plan);
      const account = readAccount(world.solana.ledger, subscription);
      expect(account && decodeSubscription(account.data)?.charges).toBe(2n);
    }
  }
  const logs = await world.ctx.db.subscriptionLog.groupBy({
    by: ['kind', 'number'],
    _count: true,
    where: { chain: 'solana', kind: 'charged' },
  });
  expect(logs.map(({ number, _count }) => [number, _count]).sort()).toEqual([
    [1, ALL],
    [2, ALL],
  ]);
  const early = await world.ctx.db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from subscription_log l join subscription s on s.id = l.subscription_id
    where l.number = 2 and l.at < s.started_at + interval '30 days'`;
  expect(early).toEqual([{ count: 0 }]);
  expect(await world.ctx.db.event.count({ where: { type: 'subscription.charged' } })).toBe(2 * ALL);
  const sent = await world.ctx.db.outgoingTx.groupBy({ by: ['status'], _count: true, where: { kind: 'charge' } });
  const figures = Object.fromEntries(sent.map(({ status, _count }) => [status, _count]));
  console.info(
    `${ALL} charges in ${(tookMs / 1_000).toFixed(1)} s, transactions by status: ${JSON.stringify(figures)}`,
  );
});
