// What tables shorten, and what commands make of it: short IDs and local times.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { keyOf } from '../../test/setup/api.ts';
import { type CommandLine, commandLine } from '../../test/setup/cli.ts';
import { serveWorld } from '../../test/setup/visitor.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { wholeId } from './shortIds.ts';
import { localTime, shortId } from './tables.ts';

const ids = ['ord_01m85n8e7wk8f8xgqcxgr244ph', 'ord_01m85mh4qt92ba3643zav33ybv'];
const listed = ids.map((id) => ({ id }));

test('a short ID is the kind and the last eight characters, and leads back to the one that it stands for', async () => {
  expect(ids.map(shortId)).toEqual(['ord_xgr244ph', 'ord_zav33ybv']);
  expect(shortId('ord_nothing')).toBe('ord_nothing');
  expect(await wholeId('ord_xgr244ph', () => listed)).toBe(ids[0]);
  // What is no short ID is not looked up.
  for (const text of [ids[1] ?? '', 'ord_nothing', 'xgr244ph'])
    expect(await wholeId(text, () => expect.unreachable())).toBe(text);
  await expect(wholeId('evt_xgr244ph', () => listed)).rejects.toThrow('evt_xgr244ph not found among the newest 2.');
  const twins = [...listed, { id: 'ord_01m85mh4qt92ba3643xgr244ph' }];
  await expect(wholeId('ord_xgr244ph', () => twins)).rejects.toThrow(
    /ambiguous: ord_\w{26}, ord_\w{26}\. Use the full ID/,
  );
});

test('times are on the reader’s own clock', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(localTime('2026-11-24T03:04:05.678Z')).toBe('2026-11-23 22:04:05');
  vi.stubEnv('TZ', 'Europe/Berlin');
  expect(localTime('2026-07-01T22:30:00Z')).toBe('2026-07-02 00:30:00');
  vi.unstubAllEnvs();
});

let world: World;
let run: CommandLine;
beforeAll(async () => {
  world = await startWorld();
  run = commandLine({ AMPERSAT_BASE_URL: await serveWorld(world), AMPERSAT_API_KEY: await keyOf(world, 'alice') });
});
afterAll(() => world.stop());

test('what a table shows is what the next command takes; --wide and --json have it in full', async () => {
  const made = [];
  for (let count = 0; count < 3; count++)
    made.push((await run('orders create --amount 2 --chain base --json'.split(' '))).json[0]);
  const [order] = made;
  const table = (await run(['orders', 'list'])).out;
  const [row] = table.split('\n').filter((line) => line.startsWith(shortId(order.id)));
  expect(row).toContain(localTime(order.created_at));
  expect(table).not.toContain(order.id);
  const [shown = ''] = row?.split(' ') ?? [];
  expect((await run(['orders', 'get', shown, '--json'])).json).toEqual([order]);
  expect((await run(['orders', 'list', '--wide'])).out).toContain(order.id);
  const { json } = await run(['orders', 'list', '--json']);
  expect(json).toContainEqual(order);

  const events = (await run(['events', 'list', '--resource', shown])).out.trimEnd().split('\n');
  expect(events).toHaveLength(2);
  const [event = ''] = events[1]?.split(' ') ?? [];
  const whole = (await run(['events', 'list', '--resource', order.id, '--json'])).json;
  expect(JSON.parse((await run(['events', 'get', event])).out)).toEqual(whole[0]);

  expect((await run(['orders', 'cancel', shown])).out).toMatch(/^status +cancelled$/m);
  const others = await run('orders list --status awaiting_payment --json'.split(' '));
  expect(others.json.map(({ id }) => id)).toEqual([made[2].id, made[1].id]);
  expect(await run(['orders', 'cancel', 'ord_zzzzzzzz'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/not found/),
  });
});
