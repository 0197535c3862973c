// A hundred tips of twenty people through real processes (in a long run a thousand of two hundred): none lost, none twice, every balance right to
// the unit, one receipt a message.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd, typeAll, watchChat } from '../../local/platforms/loadGenerator.ts';
import { TELEGRAM_BOT, TELEGRAM_GROUP } from '../../local/stack/people.ts';
import { seedMore } from '../../local/stack/seed.ts';
import { tokenBalance } from '../../src/chain/routers/bot.ts';
import { isLong } from '../setup/long.ts';
import { processOf, type Runner, until } from '../setup/processes.ts';
import { startWorld, type World } from '../setup/world.ts';

const SENDERS = isLong ? 200 : 20;
const EACH = 5;
const TIPS = SENDERS * EACH;
const WITHIN_MS = 300_000;

let world: World;
let workers: Runner;
let bots: Runner;
beforeAll(async () => {
  world = await startWorld({ anvil: { blockTimeSeconds: 1 } });
  workers = processOf(world, 'workers');
  bots = processOf(world, 'bots');
});
afterAll(async () => {
  await Promise.all([workers.stop(), bots.stop()]);
  await world.stop();
});

test(`${TIPS} tips from ${SENDERS} senders are paid once each, to the unit, with one receipt a message`, {
  timeout: 2 * WITHIN_MS,
}, async () => {
  const senders = crowd('many', 1_000, SENDERS);
  await seedMore(world.processEnv, world.embedded, senders, { platforms: ['telegram'], isSignedIn: false });
  const chain = { ...world.evmChain(), client: world.reader() as never };
  const balances = () => Promise.all(senders.map(({ address }) => tokenBalance(chain, chain.usdc, address)));
  const sendersHad = await balances();
  const [bobHad, treasuryHad] = await Promise.all([world.usdc('bob'), world.usdc('treasury')]);

  await Promise.all([bots.start(), workers.start()]);
  const server = { platforms: { telegram: { url: world.telegramUrl, bot: TELEGRAM_BOT } } };
  const chat = await watchChat(server, TELEGRAM_GROUP);
  const typed = await typeAll(server, senders, TELEGRAM_GROUP, '/tip @bob 1', EACH);
  const ids = typed.map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(TIPS);
  await chat.finalReceipts(ids, WITHIN_MS);
  await until(
    async () => (await world.ctx.db.reply.count({ where: { open: true } })) === 0,
    'no reply is open',
    WITHIN_MS,
  );
  chat.close();

  for (const id of ids) {
    const said = [...(chat.answers.get(id)?.texts.values() ?? [])];
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^✅/);
  }
  const [amount, fee] = [parseUnits('1', 6), parseUnits('0.05', 6)];
  expect((await world.usdc('bob')) - bobHad).toBe(BigInt(TIPS) * amount);
  expect((await world.usdc('treasury')) - treasuryHad).toBe(BigInt(TIPS) * fee);
  const spent = (await balances()).map((now, index) => (sendersHad[index] ?? 0n) - now);
  expect(spent).toEqual(senders.map(() => BigInt(EACH) * (amount + fee)));

  const { db } = world.ctx;
  expect(await db.tip.groupBy({ by: ['status'], _count: true })).toEqual([{ status: 'settled', _count: TIPS }]);
  expect(await db.intent.groupBy({ by: ['status'], _count: true })).toEqual([{ status: 'completed', _count: TIPS }]);
  // One move a leg and step: nothing was done twice on the way.
  const moves = await db.transition.groupBy({ by: ['action'], where: { resource: 'tip' }, _count: true });
  expect(Object.fromEntries(moves.map((move) => [move.action, move._count]))).toEqual({
    submit: TIPS,
    mine: TIPS,
    settle: TIPS,
  });
});
