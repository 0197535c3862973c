// kill -9 of the real bots process in the middle of commands on Discord and X: everything that was asked for is paid once and told once.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { companionOf } from '../setup/inWorker.ts';
import { lockTable, processOf, type Runner, until } from '../setup/processes.ts';
import { localPerson, startWorld, type World } from '../setup/world.ts';

const WITHIN_MS = 45_000;

let world: World;
let bots: Runner;
let workers: Runner;
let bobHad: bigint;
let settledBefore: number;
beforeAll(async () => {
  world = await startWorld({
    discord: true,
    x: { env: { X_POLL_SECONDS: '0.3', X_DAILY_BUDGET_USD: '1000' }, rateLimits: { mentions: 10_000 } },
    anvil: { blockTimeSeconds: 1 },
  });
  await world.discord.stop();
  bots = processOf(world, 'bots');
  workers = companionOf(world, 'workers');
  await workers.start();
});
afterAll(async () => {
  await Promise.all([bots.stop(), workers.stop()]);
  await world.stop();
});
beforeEach(async () => {
  await bots.start();
  [bobHad, settledBefore] = [await world.usdc('bob'), await settled()];
});

const settled = () => world.ctx.db.tip.count({ where: { status: 'settled' } });
const stored = (platform: string) => world.ctx.db.inbox.count({ where: { platform } });
const mention = (amount: number) => `${world.discord.at('bot')} tip ${world.discord.at('bob')} ${amount}`;
const receipts = async () =>
  (await world.discord.botSaid()).map(({ content }) => content).filter((text) => text !== '');

/** Nothing is open any more, so many tips came to their end, and bob has so much more. */
async function done(tips: number, amount: string): Promise<void> {
  const { db } = world.ctx;
  await until(async () => (await settled()) === settledBefore + tips, 'final payments', WITHIN_MS);
  await until(async () => (await db.reply.count({ where: { open: true } })) === 0, 'no reply is open', WITHIN_MS);
  expect((await world.usdc('bob')) - bobHad).toBe(parseUnits(amount, 6));
  await bots.stop();
}

/** The server would carry out what a dead process had asked for. */
async function forget(table: 'intent' | 'seen_user'): Promise<void> {
  await world.ctx.db.$queryRaw`
    select pg_terminate_backend(pid) from pg_locks where relation = cast(${table} as regclass) and not granted`;
}

test('Discord: what was heard and not stored yet is found in the channel', async () => {
  // A channel is looked after from the first command there on.
  await world.discord.type('alice', `${world.discord.at('bot')} help`);
  await until(async () => (await receipts()).length === 1, 'help');
  await until(async () => (await world.ctx.db.reply.count({ where: { open: true } })) === 0, 'no reply is open');
  const [before, entries] = [(await receipts()).length, await stored('discord')];
  const lock = await lockTable(world.databaseUrl, 'seen_user');
  await world.discord.type('alice', mention(1));
  await lock.reached();
  expect(await stored('discord')).toBe(entries);
  await bots.kill();
  await forget('seen_user');
  await lock.release();
  expect(await stored('discord')).toBe(entries);
  await bots.start();
  await done(1, '1');
  expect((await receipts()).slice(before)).toEqual([expect.stringMatching(/^✅ @alice tipped @bob 1\.00 USDC/)]);
});

test('Discord: a receipt that Discord has taken before it said so stands there once', async () => {
  const before = (await receipts()).length;
  await world.discord.fail({ method: 'create_message', status: 200, accept: true, delay_ms: 60_000 });
  await world.discord.type('alice', mention(2));
  await until(async () => (await receipts()).length === before + 1, 'the receipt at Discord', WITHIN_MS);
  await bots.kill();
  // Beside it bob's notice of both tips can be open.
  expect(await world.ctx.db.reply.count({ where: { open: true, kind: 'intent' } })).toBe(1);
  await bots.start();
  await done(1, '2');
  expect((await receipts()).slice(before)).toEqual([expect.stringMatching(/^✅ @alice tipped @bob 2\.00 USDC/)]);
});

test('Discord: a slash command that was taken in has its answer from the next process', async () => {
  const [before, entries] = [(await receipts()).length, await stored('discord')];
  const lock = await lockTable(world.databaseUrl, 'intent');
  await world.discord.interact('alice', 'tip', { to: localPerson('bob').discord.id, amount: '3' });
  await until(async () => (await stored('discord')) === entries + 1, 'the command');
  await lock.reached();
  await bots.kill();
  await forget('intent');
  await lock.release();
  await bots.start();
  await done(1, '3');
  expect((await receipts()).slice(before)).toEqual([expect.stringMatching(/^✅ @alice tipped @bob 3\.00 USDC/)]);
});

test('X: several mentions, wherever they are when the process that has just stored them dies, are settled and answered once', async () => {
  const posts = [];
  for (const name of ['alice', 'shop']) posts.push(await world.x.post(name, '@ampersat_bot tip @bob 1'));
  await until(async () => (await stored('x')) === 2, 'the mentions');
  await bots.kill();
  await bots.start();
  await done(2, '2');
  for (const { conversation_id } of posts)
    expect((await world.x.botSaid(conversation_id)).map((post) => post.visible_text)).toEqual([
      expect.stringMatching(/^✅ @\w+ tipped bob 1\.00 USDC/),
    ]);
});
