// What becomes of updates that cannot be stored: those that never can be are dropped alone, all others are tried again however long it takes.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TELEGRAM_BOT, TELEGRAM_GROUP } from '../../local/stack/people.ts';
import type { Ctx } from '../../src/context.ts';
import { connectDb } from '../../src/db.ts';
import { lockTable, until } from '../../test/setup/processes.ts';
import { localPerson, startWorld, type World } from '../../test/setup/world.ts';
import { storeSurely } from './store.ts';

let world: World;
let said: string[];
let closing: boolean;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(() => {
  said = [];
  closing = false;
});

const ME = { id: String(TELEGRAM_BOT.id), username: TELEGRAM_BOT.username };
let last = 90_000;
function update(username = 'alice') {
  last += 1;
  const from = { ...localPerson('alice').telegram, username, first_name: 'Alice', is_bot: false };
  const chat = { id: TELEGRAM_GROUP, type: 'supergroup', title: 'A group' };
  const date = Math.floor(world.ctx.clock.now() / 1_000);
  return { update_id: last, message: { message_id: last, date, chat, from, text: '/tip @bob 5' } } as never;
}
function ctxWith(db: Pick<Ctx['db'], '$transaction'>): Ctx {
  const log = { ...world.ctx.log, error: (_: object, text: string) => said.push(text) };
  return { ...world.ctx, db, log, shutdown: { ...world.ctx.shutdown, closing: () => closing } } as never;
}
const stored = () => world.ctx.db.inbox.count();
const isTriedAgain = () => until(() => said.some((text) => text.includes('tried again')), 'the failure is told');

test.each([
  ['a NUL character', 'ali\0ce'],
  ['half of a surrogate pair', 'ali\ud800ce'],
])('an update with %s, which PostgreSQL refuses, is dropped, and those around it are kept', async (_, username) => {
  const before = await stored();
  expect(await storeSurely(ctxWith(world.ctx.db), [update(), update(username), update()], ME)).toBe(true);
  expect(await stored()).toBe(before + 2);
  expect(said).toEqual(['an update has data that cannot be stored; it is dropped']);
});

test('a database that is away keeps the update, whatever numbers its error names', async () => {
  const db = connectDb('postgresql://nobody:none@127.0.0.1:22345/none');
  const kept = storeSurely(ctxWith(db), [update()], ME);
  const outcome = kept.then(
    () => 'Telegram may forget it',
    (err: { code?: string }) => err.code,
  );
  await isTriedAgain();
  closing = true;
  expect(await outcome).toBe('P1001');
});

test('a transaction that takes too long keeps the update, and stores it when it can', async () => {
  const before = await stored();
  const $transaction = ((work: never) => world.ctx.db.$transaction(work, { timeout: 200 })) as never;
  const lock = await lockTable(world.databaseUrl, 'seen_user');
  const kept = storeSurely(ctxWith({ $transaction }), [update()], ME);
  await lock.reached();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await lock.release();
  await isTriedAgain();
  expect(await kept).toBe(true);
  expect(await stored()).toBe(before + 1);
});
