// Hundreds of due subscriptions on one chain (in a long run ten thousand), two overlapping cron calls and two workers processes that are killed in the
// middle, while the queues are emptied: each is charged exactly once, none early, and the sums on the chain are exact.
import { createWalletClient, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintUsdc } from '../../local/chains/deploy/usdc.ts';
import { crowd } from '../../local/platforms/loadGenerator.ts';
import type { Person } from '../../local/stack/people.ts';
import { encodeSubscribe, readSubscription } from '../../src/chain/routers/subscription.ts';
import type { Address } from '../../src/chain/rpc/client.ts';
import { rpcTransport } from '../../src/chain/rpc/transport.ts';
import { isLong } from '../setup/long.ts';
import { processOf, queueEmptier, type Runner, until } from '../setup/processes.ts';
import { MONTH_S, type OwnPlan, type Subscriptions, subscriptionsOf } from '../setup/subscriptions.ts';
import { serveWorld } from '../setup/visitor.ts';
import { startWorld, type World } from '../setup/world.ts';

const WALLETS = isLong ? 200 : 20;
const PLANS = isLong ? 50 : 20;
const ALL = WALLETS * PLANS;
const AMOUNT = 1_000_000n;
const FEE = 10_000n;
const WITHIN_MS = isLong ? 900_000 : 180_000;
const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';

let world: World;
let subs: Subscriptions;
let workers: Runner[];
beforeAll(async () => {
  world = await startWorld({ anvil: { blockTimeSeconds: 1 } });
  world.ctx.env.ADMIN_SECRET = ADMIN;
  subs = subscriptionsOf(world);
  workers = [0, 1].map(() => processOf(world, 'workers', {}, { followsClock: true }));
});
afterAll(async () => {
  await Promise.all(workers.map((one) => one.stop()));
  await world.stop();
});

/** Every wallet subscribes to every plan by its own transactions. */
async function subscribeAll(payers: Person[], plans: OwnPlan[]): Promise<void> {
  const { rpcUrl } = world.anvilOf();
  const { usdc, routers } = world.evmChain();
  const amount = AMOUNT * BigInt(2 * plans.length);
  await mintUsdc({ rpcUrl, usdc, to: payers.map(({ address }) => address as Address), amount });
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [routers.subscription, amount] });
  await Promise.all(
    payers.map(async ({ address, key }) => {
      await world.admin().setBalance({ address: address as Address, value: 10n ** 19n });
      const wallet = createWalletClient({ account: privateKeyToAccount(key), transport: rpcTransport(rpcUrl) });
      const send = (to: Address, data: Hex, nonce: number) =>
        wallet.sendTransaction({
          to,
          data,
          nonce,
          chain: null,
          gas: 400_000n,
          maxFeePerGas: 10n ** 11n,
          type: 'eip1559',
        });
      await send(usdc, approve, 0);
      for (const [index, { key: planKey, amount, period }] of plans.entries()) {
        const terms = { planKey, subscriber: address as Address, amount, period };
        await send(routers.subscription, encodeSubscribe(terms, { way: 'direct' }), index + 1);
      }
    }),
  );
}

const charged = () => world.ctx.db.subscription.count({ where: { chargesPaid: 2 } });

test(`${ALL} due subscriptions, two cron calls, two workers killed, queues emptied: each charged once, to the unit`, {
  timeout: 3 * WITHIN_MS,
}, async () => {
  const base = await serveWorld(world);
  const payers = crowd('payer', 1_000, WALLETS);
  const plans: OwnPlan[] = [];
  for (let number = 0; number < PLANS; number++) plans.push(await subs.create('shop', { amount: AMOUNT }));
  await subscribeAll(payers, plans);
  await until(
    async () => {
      await subs.index();
      return (await world.ctx.db.subscription.count({ where: { chargesPaid: 1 } })) === ALL;
    },
    'all subscribe',
    WITHIN_MS,
  );
  const startedAt = await world.ctx.db.subscription.findFirstOrThrow({ orderBy: { startedAt: 'desc' } });
  const [shopHad, treasuryHad] = await Promise.all([world.usdc('shop'), world.usdc('treasury')]);

  await subs.later(MONTH_S + 3_600);
  const [first, second] = workers as [Runner, Runner];
  await Promise.all([first.start(), second.start()]);
  const call = async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${ADMIN}` };
    const answer = await fetch(`${base}/api/cron/charge`, { method: 'POST', headers, body: '{"chain":"base"}' });
    return { status: answer.status, run: (await answer.json()) as Record<string, number> };
  };
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
  await queues.close();

  const [one, other] = await calls;
  expect([one.status, other.status]).toEqual([200, 200]);
  for (const { run } of [one, other])
    expect(run['scanned']).toBe((run['charged'] ?? 0) + (run['skippedEarly'] ?? 0) + (run['skippedFailed'] ?? 0));
  // On the chain: to the unit, and no charge before its time.
  expect((await world.usdc('shop')) - shopHad).toBe(BigInt(ALL) * (AMOUNT - FEE));
  expect((await world.usdc('treasury')) - treasuryHad).toBe(BigInt(ALL) * FEE);
  const logs = await world.ctx.db.subscriptionLog.groupBy({
    by: ['kind', 'number'],
    _count: true,
    where: { kind: 'charged' },
  });
  expect(logs.map(({ number, _count }) => [number, _count]).sort()).toEqual([
    [1, ALL],
    [2, ALL],
  ]);
  const early = await world.ctx.db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from subscription_log l join subscription s on s.id = l.subscription_id
    where l.number = 2 and l.at < s.started_at + interval '30 days'`;
  expect(early).toEqual([{ count: 0 }]);
  const events = await world.ctx.db.event.count({ where: { type: 'subscription.charged' } });
  expect(events).toBe(2 * ALL);
  const sample = { planKey: plans[0]?.key as Hex, subscriber: payers[0]?.address as Address };
  const { nextChargeAt } = await readSubscription(world.evmChain(), sample);
  expect(Number(nextChargeAt) * 1_000).toBeGreaterThan(startedAt.startedAt.getTime() + MONTH_S * 1_000);
});
