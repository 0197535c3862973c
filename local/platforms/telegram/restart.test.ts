import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ALICE, BOT, GROUP, startWorld, type World, worldAt } from './world.ts';

const MAIN = join(import.meta.dirname, './main.ts');
let directory: string;
let dataFile: string;
let children: ChildProcess[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ampersat-telegram-test-'));
  dataFile = join(directory, 'data', 'telegram.jsonl');
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(directory, { recursive: true, force: true });
});

async function spawnServer(): Promise<{ world: World; child: ChildProcess }> {
  const options = JSON.stringify({ dataFile, bots: [BOT] });
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, options], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  children.push(child);
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const { url, port } = JSON.parse(line.toString());
  return { world: worldAt({ url, port, close: async () => {} }), child };
}

async function end(child: ChildProcess, how: () => void): Promise<number | null> {
  const ended = once(child, 'exit');
  how();
  return (await ended)[0];
}

test('a server that was killed goes on where it was', async () => {
  const { world, child } = await spawnServer();
  const start = await world.write({ text: '/start' });
  const told = await world.write({ text: '/tip @bob 5', chat_id: GROUP });
  await world.call('getUpdates', { offset: told.update_id });
  const reply = await world.call('sendMessage', { chat_id: GROUP, text: 'pending' });
  await world.call('editMessageText', { chat_id: GROUP, message_id: reply.result.message_id, text: 'paid' });
  await world.call('setMyCommands', { commands: [{ command: 'tip', description: 'Tip' }] });
  await end(child, () => child.kill('SIGKILL'));

  const again = (await spawnServer()).world;
  expect((await again.call('getUpdates')).result).toMatchObject([{ update_id: told.update_id }]);
  expect((await again.shown(GROUP)).map(({ text, edited }) => [text, edited])).toEqual([
    ['/tip @bob 5', false],
    ['paid', true],
  ]);
  expect((await again.call('getMyCommands')).result).toHaveLength(1);
  const next = await again.write({ text: 'next', chat_id: GROUP });
  expect(next).toEqual({ message_id: reply.result.message_id + 1, update_id: told.update_id + 1 });
  expect((await again.call('sendMessage', { chat_id: ALICE.id, text: 'still allowed' })).ok).toBe(true);
  expect(start.update_id).toBeLessThan(told.update_id);
});

test('update ids rise also when everything was confirmed before the restart', async () => {
  const first = await startWorld({ dataFile });
  const { update_id } = await first.write({ text: 'one' });
  await first.call('getUpdates', { offset: update_id + 1 });
  await first.server.close();
  // The second start reads what the first start's end left; the third what the second wrote down anew.
  await (await startWorld({ dataFile })).server.close();
  const third = await startWorld({ dataFile });
  expect((await third.write({ text: 'two' })).update_id).toBe(update_id + 1);
  await third.server.close();
});

test('a journal whose last line was cut off is read up to there', async () => {
  const first = await startWorld({ dataFile });
  await first.write({ text: 'whole' });
  await first.server.close();
  writeFileSync(dataFile, '{"type":"message","key":"7100:11","mess', { flag: 'a' });
  const second = await startWorld({ dataFile });
  expect((await second.shown(ALICE.id)).map(({ text }) => text)).toEqual(['whole']);
  expect(readFileSync(dataFile, 'utf8')).not.toContain('"mess\n');
  expect(existsSync(`${dataFile}.draft`)).toBe(false);
  await second.server.close();
});

test('a webhook set before the restart is delivered to after it', async () => {
  const first = await startWorld({ dataFile });
  await first.call('setWebhook', { url: 'http://127.0.0.1:1/closed', secret_token: 's' });
  await first.server.close();
  const second = await startWorld({ dataFile });
  expect((await second.call('getWebhookInfo')).result.url).toBe('http://127.0.0.1:1/closed');
  await second.server.close();
});

test('the process ends with its parent, and on SIGTERM', async () => {
  const first = await spawnServer();
  expect(await end(first.child, () => first.child.disconnect())).toBe(0);
  const second = await spawnServer();
  expect(await end(second.child, () => second.child.kill('SIGTERM'))).toBe(0);
});

test('says which port is taken', async () => {
  const first = await startWorld();
  await expect(startWorld({ port: first.server.port })).rejects.toThrow(`port ${first.server.port} is taken`);
  await first.server.close();
});
