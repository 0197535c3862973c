// Random commands of Discord's menu with its calls failing and the real bots process killed at random moments: no deferred one is left without an answer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answersOf, createRandom, giveRandomCommand, orderRandomFault } from '../setup/discordAnswers.ts';
import { companionOf } from '../setup/inWorker.ts';
import { processOf, type Runner, until } from '../setup/processes.ts';
import { startWorld, type World } from '../setup/world.ts';

/** DISCORD_COMMANDS=500 is the long run: a minute or two. */
const COMMANDS = Number(process.env['DISCORD_COMMANDS'] ?? 60);
const TOGETHER = 20;
const EACH_KILL = 60;

let world: World;
let bots: Runner;
let workers: Runner;
beforeAll(async () => {
  world = await startWorld({ discord: true, anvil: { blockTimeSeconds: 1 } });
  await world.discord.stop();
  [bots, workers] = [processOf(world, 'bots'), companionOf(world, 'workers')];
  await Promise.all([bots.start(), workers.start()]);
  await until(isConnected, 'the gateway');
});
afterAll(async () => {
  await Promise.all([bots.stop(), workers.stop()]);
  await world.stop();
});

const waiting = async () =>
  (await world.ctx.db.reply.count({ where: { open: true } })) +
  (await world.ctx.db.inbox.count({ where: { status: { not: 'done' } } })) +
  (await world.ctx.db.intent.count({ where: { status: 'accepted' } }));
const acknowledged = (ids: string[]) =>
  world.ctx.db.discordInteraction.count({ where: { id: { in: ids }, acknowledgedAt: { not: null } } });
/** How many have their first answer, or failed for lack of one, as those do that meet a busy machine. */
const decided = async (ids: string[]) => {
  const states = await Promise.all(
    ids.map((id) => world.discord.user<{ answer: string | null }>(`interactions?id=${id}`)),
  );
  return states.filter(({ answer }) => answer !== null).length;
};

const isConnected = async () =>
  (await world.discord.user<{ connected: boolean }[]>('gateway')).some(({ connected }) => connected);

test(`${COMMANDS} random commands with faults and a kill in ${EACH_KILL}`, { timeout: 300_000 }, async () => {
  const random = createRandom(500);
  const ids: string[] = [];
  // What is used while no process is there, or a busy one, is never heard of: more are given until enough are.
  while (ids.length < COMMANDS || ((await acknowledged(ids)) < COMMANDS * 0.6 && ids.length < COMMANDS * 5)) {
    if (random.below(3) > 0) await orderRandomFault(world, random);
    const together: string[] = [];
    for (let i = 0; i < TOGETHER; i++) together.push(await giveRandomCommand(world, random));
    ids.push(...together);
    // Which of the others it is doing then, and how far it is with them, is left to chance.
    const some = 1 + random.below(TOGETHER / 2);
    await until(async () => (await decided(together)) >= some, 'signs of life', 20_000);
    if (ids.length % EACH_KILL !== TOGETHER) continue;
    await bots.kill();
    await bots.start();
    await until(isConnected, 'the gateway');
  }
  await world.discord.user('faults', undefined, 'DELETE');
  await until(async () => (await waiting()) === 0, 'everything is worked on', 90_000);
  const { deferred, unanswered } = await answersOf(world, ids);
  expect(unanswered).toEqual([]);
  expect(deferred).toBeGreaterThan(COMMANDS * 0.5);
});
