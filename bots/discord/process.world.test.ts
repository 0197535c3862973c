// The bots process with Discord: killed in the middle, it loses nothing that was typed and does nothing twice.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processOf, type Runner, until } from '../../test/setup/processes.ts';
import { startWorld, type World } from '../../test/setup/world.ts';

let world: World;
let bots: Runner;
beforeAll(async () => {
  world = await startWorld({ discord: true });
  await world.discord.stop();
  bots = processOf(world, 'bots');
});
afterAll(async () => {
  await bots.stop();
  await world.stop();
});

const accepted = () => world.ctx.db.intent.count({ where: { platform: 'discord' } });
const order = (amount: number) => `${world.discord.at('bot')} tip ${world.discord.at('bob')} ${amount}`;

test('a kill between two commands, and one while it was down: each is accepted once and answered once; no token is kept where it does not belong', async () => {
  await bots.start();
  await world.discord.type('alice', order(1));
  await until(async () => (await accepted()) === 1, 'the first command');
  await bots.kill();
  await world.discord.type('alice', order(2));
  await bots.start();
  await until(async () => (await accepted()) === 2, 'the command that was typed meanwhile');
  await world.discord.interact('alice', 'help');
  await until(async () => (await world.discord.botSaid()).some(({ content }) => content.includes('/tip')), 'help');
  expect(await accepted()).toBe(2);
  const { token } = await world.ctx.db.discordInteraction.findFirstOrThrow();
  expect(token).toMatch(/^.{40,}$/);
  const logs = readdirSync(join(world.folder, 'logs')).map((file) =>
    readFileSync(join(world.folder, 'logs', file), 'utf8'),
  );
  expect(logs.join('')).toContain('ready');
  expect(logs.join('')).not.toContain(token);
  expect(JSON.stringify(await world.ctx.db.inbox.findMany())).not.toContain(token);
  expect(await world.ctx.db.inbox.count({ where: { platform: 'discord', status: 'done' } })).toBe(3);
});
