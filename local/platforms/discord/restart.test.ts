// A local Discord that was killed goes on where it was.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { timeOf } from '../../../bots/discord/message.ts';
import { nextId, openStore } from './store.ts';
import { BOT, COMMANDS, startWorld, type World } from './world.ts';

let folder: string;
let dataFile: string;
let world: World;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ampersat-discord-'));
  dataFile = join(folder, 'data', 'discord.jsonl');
  world = await startWorld({ dataFile });
});
afterEach(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('messages, edits, direct chats and commands are there again, and half a line at the end spoils nothing', async () => {
  await world.bot('PUT', `/applications/${BOT.id}/commands`, COMMANDS);
  const { message_id } = await world.type('one');
  await world.type('two', { edit_message_id: message_id });
  const direct = await world.type('psst', { channel_id: '@me' });
  await world.stop();
  appendFileSync(dataFile, '{"kind":"message","key":"1","val');
  world = await startWorld({ dataFile });
  expect(await world.shown()).toMatchObject([{ id: message_id, content: 'two', edited: true }]);
  expect(await world.shown(direct.channel_id)).toMatchObject([{ content: 'psst' }]);
  expect((await world.bot('GET', `/applications/${BOT.id}/commands`)).body).toHaveLength(2);
  const next = await world.type('three');
  expect(BigInt(next.message_id)).toBeGreaterThan(BigInt(message_id));
});

test('ids tell the time of their own server, whatever the clock of another one in the same process says', () => {
  const now = Date.now();
  expect(timeOf(nextId(openStore(undefined, () => now + 24 * 3_600_000)))).toBe(now + 24 * 3_600_000);
  const store = openStore(undefined, () => now);
  const first = nextId(store);
  expect(timeOf(first)).toBe(now);
  expect(BigInt(nextId(store))).toBeGreaterThan(BigInt(first));
});
