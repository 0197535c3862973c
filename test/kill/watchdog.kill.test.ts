// The watchdog as a process beside the others: 200 tips of ours, sent, replaced, and sent again after kills of the workers and of itself, never pause the
// router; a transaction with an executor's key that none of our rows signed does, within two blocks, also a plain transfer.
import { createWalletClient, encodeFunctionData, type Hex, keccak256, parseUnits, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd, typeAll } from '../../local/platforms/loadGenerator.ts';
import { TELEGRAM_BOT, TELEGRAM_GROUP } from '../../local/stack/people.ts';
import { ROLES } from '../../local/stack/roles.ts';
import { seedMore } from '../../local/stack/seed.ts';
import { botRouterAbi } from '../../src/chain/routers/abis/BotRouter.ts';
import { rpcTransport } from '../../src/chain/rpc/transport.ts';
import { evaluateAlerts } from '../../src/services/operations/alertChecks.ts';
import { replaceAttempt } from '../../src/services/outgoing/evmLane.ts';
import { processOf, type Runner, until } from '../setup/processes.ts';
import { localPerson, startWorld, type World } from '../setup/world.ts';

const SENDERS = 40;
const EACH = 5;
const TIPS = SENDERS * EACH;
const WITHIN_MS = 400_000;
const BLOCK_SECONDS = 3;

let world: World;
let workers: Runner;
let bots: Runner;
let watchdog: Runner;
beforeAll(async () => {
  world = await startWorld({ anvil: { blockTimeSeconds: BLOCK_SECONDS } });
  workers = processOf(world, 'workers');
  bots = processOf(world, 'bots');
  watchdog = processOf(world, 'watchdog', { GUARDIAN_KEY: ROLES.guardian.key, EXECUTOR_KEYS: '', LOG_LEVEL: 'info' });
  await world.admin().setBalance({ address: ROLES.guardian.address, value: 10n ** 18n });
});
afterAll(async () => {
  await Promise.all([workers.stop(), bots.stop(), watchdog.stop()]);
  await world.stop();
});

const router = () => world.evmChain().routers.bot;
const isPaused = () => world.reader().readContract({ address: router(), abi: botRouterAbi, functionName: 'paused' });
const settled = () => world.ctx.db.tip.count({ where: { status: 'settled' } });
/** Whether it has judged the newest block, as of now. */
async function hasReadAll(): Promise<boolean> {
  const head = await world.reader().getBlockNumber();
  const [mark] = await world.ctx.db.watchCheckpoint.findMany();
  return mark !== undefined && mark.head >= head && mark.caughtUpAt.getTime() >= mark.lookedAt.getTime();
}

test(`${TIPS} tips of ours never pause the router, and the first that is not ours does within two blocks`, {
  timeout: 2 * WITHIN_MS,
}, async () => {
  const { db } = world.ctx;
  const senders = crowd('watched', 1_000, SENDERS);
  await seedMore(world.processEnv, world.embedded, senders, { platforms: ['telegram'], isSignedIn: false });
  await Promise.all([bots.start(), workers.start(), watchdog.start()]);
  const server = { platforms: { telegram: { url: world.telegramUrl, bot: TELEGRAM_BOT } } };
  await typeAll(server, senders, TELEGRAM_GROUP, '/tip @bob 1', EACH);

  for (const part of [1, 2, 3]) {
    await until(async () => (await settled()) >= (part * TIPS) / 5, `${part} fifths are settled`, WITHIN_MS);
    await watchdog.kill();
    const open = await db.outgoingTx.findFirst({ where: { status: 'sent' } });
    if (open) await replaceAttempt(world.ctx, world.evmChain(), open.id).catch(() => {});
    await workers.kill();
    await Promise.all([workers.start(), watchdog.start()]);
  }
  await until(async () => (await settled()) === TIPS, 'all are settled', WITHIN_MS);
  await until(hasReadAll, 'the watchdog has read all of it', WITHIN_MS);
  expect(await db.foreignTransaction.count()).toBe(0);
  expect(await db.watchSighting.count()).toBe(0);
  expect(await isPaused()).toBe(false);

  const [executor] = ROLES.executors;
  const tip = {
    messageKey: keccak256(toHex('a theft')),
    ...{ sender: localPerson('alice').address, recipient: localPerson('carol').address },
    ...{ token: world.evmChain().usdc, amount: parseUnits('1', 6), fee: 0n, validUntil: 2n ** 63n },
  };
  const data = encodeFunctionData({ abi: botRouterAbi, functionName: 'tip', args: [tip] });
  const transport = rpcTransport(world.anvilOf().rpcUrl);
  const thief = createWalletClient({ account: privateKeyToAccount(executor?.key as Hex), transport });
  const hash = await thief.sendTransaction({ to: router(), data, gas: 600_000n, chain: null });
  await until(isPaused, 'the router is paused', WITHIN_MS);
  const { blockNumber: stolenIn } = await world.reader().getTransactionReceipt({ hash });
  const pauses = await world.reader().getContractEvents({
    ...{ address: router(), abi: botRouterAbi, eventName: 'PausedSet' as const },
    fromBlock: stolenIn,
  });
  expect(pauses).toHaveLength(1);
  expect(Number((pauses[0]?.blockNumber ?? 0n) - stolenIn)).toBeLessThanOrEqual(2);
  await until(
    async () => (await db.foreignTransaction.count({ where: { pausedAt: { not: null } } })) === 1,
    'it is noted',
  );

  // Past the router nothing but the key's nonce says so.
  const owner = createWalletClient({ account: privateKeyToAccount(ROLES.owner.key), transport });
  await world.admin().setBalance({ address: ROLES.owner.address, value: 10n ** 18n });
  await owner.writeContract({ address: router(), abi: botRouterAbi, functionName: 'unpause', chain: null });
  await until(async () => !(await isPaused()), 'the owner has ended the pause', WITHIN_MS);
  const plain = await thief.sendTransaction({ to: localPerson('carol').address, value: 1n, chain: null });
  await until(isPaused, 'the router is paused again', WITHIN_MS);
  const { blockNumber: movedIn } = await world.reader().getTransactionReceipt({ hash: plain });
  const [again] = await world.reader().getContractEvents({
    ...{ address: router(), abi: botRouterAbi, eventName: 'PausedSet' as const },
    fromBlock: movedIn,
  });
  expect(Number((again?.blockNumber ?? 0n) - movedIn)).toBeLessThanOrEqual(2);
  await until(
    async () => (await db.foreignTransaction.count({ where: { pausedAt: { not: null } } })) === 2,
    'it is noted, too',
  );
  // What it found outlives it.
  await watchdog.kill();
  await evaluateAlerts(world.ctx);
  expect(await db.alert.findMany({ where: { kind: 'watchdog_paused' }, orderBy: { raisedAt: 'asc' } })).toMatchObject([
    { subject: `base ${hash}`, resolvedAt: null },
    { subject: `base ${plain}`, resolvedAt: null },
  ]);
});
