// Commands in doubt: what is shown, that nothing moves before the press, and that what paid nothing uses up nothing.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { handleEntries } from '../../../bots/ingest.ts';
import { TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { localPerson, type Shown, startWorld, type World } from '../../../test/setup/world.ts';
import { pendingInbox } from '../chat/inbox.ts';
import { commandsLeft } from '../spending/commandQuota.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.later(25 * 3_600_000);
  await world.admin().increaseTime({ seconds: 25 * 3_600 });
  await world.mine(1);
  await world.freshPrices();
});

const ALICE = localPerson('alice');
const bobHas = () => world.usdc('bob');
async function ask(text: string, chat: number = TELEGRAM_GROUP): Promise<Shown> {
  await world.say('alice', text, { chat });
  const question = (await world.botSaid(chat)).at(-1);
  if (!question) throw new Error('the bot said nothing');
  return question;
}
const token = (question: Shown, label = 'Send') =>
  question.reply_markup?.inline_keyboard.flat().find((button) => button.text === label)?.callback_data ?? '';
async function answer(question: Shown, label: 'Send' | 'Cancel'): Promise<string> {
  await world.press('alice', question, token(question, label));
  await world.run();
  return (await world.shown()).find((message) => message.message_id === question.message_id)?.text ?? '';
}
/** A question that is answered with a yes after something changed pays nothing, and takes its buttons away. */
async function refusedAfter(change: () => Promise<unknown>): Promise<void> {
  const before = await bobHas();
  const question = await ask('/tip @bob 2 kr');
  await change();
  await answer(question, 'Send');
  expect(await bobHas()).toBe(before);
  const shown = (await world.shown()).find((message) => message.message_id === question.message_id) as Shown;
  expect(shown.text).not.toMatch(/✅|2\.00 USDC to @bob/);
  expect(token(shown)).toBe('');
  const { status } = await world.ctx.db.intent.findFirstOrThrow({ orderBy: { id: 'desc' } });
  expect(status).toBe('refused');
}
const left = () =>
  commandsLeft(world.ctx, { platform: 'telegram', userId: String(ALICE.telegram.id) }, world.ctx.clock.now());

describe('a doubt', () => {
  test.each([
    ['/tip @bob 2 kr', '2.00 USDC to @bob', 'kr', 'note'],
    ['/tip @bob 2 usdc only if he wins', '2.00 USDC to @bob', 'only if he wins', 'condition'],
    ['/tip @bob 2 make that 50', '2.00 USDC to @bob', 'make that 50', 'another amount'],
    ['/tip @bob 2 i mean @carol', '2.00 USDC to @bob', 'i mean @carol', 'someone else'],
    ['@ampersat_bot can you tip @bob 2?', '2.00 USDC to @bob', null, 'sentence'],
    ['/tip @bob - 2', '2.00 USDC to @bob', null, 'sign'],
  ])('%s shows %s, the note and why, and pays that after the press', async (text, shown, note, why) => {
    const before = await bobHas();
    const question = await ask(text.replace('@ampersat_bot', `@${world.adapter.botUsername}`));
    expect(question.text).toContain(shown);
    expect(question.text).toContain(why);
    if (note !== null) expect(question.text).toContain(`“${note}”`);
    expect(await bobHas()).toBe(before);
    expect(await answer(question, 'Send')).toMatch(/^✅ /);
    expect((await bobHas()) - before).toBe(parseUnits('2', 6));
  });

  test('that is cancelled pays nothing, and is over', async () => {
    const before = await bobHas();
    const question = await ask('/tip @bob 2 kr');
    await answer(question, 'Cancel');
    await answer(question, 'Send');
    expect(await bobHas()).toBe(before);
  });

  test('is answered by its sender alone, once, within ten minutes', async () => {
    const before = await bobHas();
    const question = await ask('/tip @bob 2 kr');
    await world.press('bob', question, token(question));
    await world.run();
    expect(await bobHas()).toBe(before);
    for (let i = 0; i < 3; i++) await answer(question, 'Send');
    expect((await bobHas()) - before).toBe(parseUnits('2', 6));
    const late = await ask('/tip @bob 2 kr');
    world.later(10 * 60_000 + 1_000);
    await answer(late, 'Send');
    expect((await bobHas()) - before).toBe(parseUnits('2', 6));
  });

  test('to which Send and Cancel come at once is paid once or not at all', async () => {
    const before = await bobHas();
    const question = await ask('/tip @bob 2 kr');
    for (const label of ['Send', 'Cancel', 'Send', 'Cancel'])
      await world.press('alice', question, token(question, label));
    await world.fetchUpdates();
    const pending = await pendingInbox(world.ctx, 'telegram', 10);
    await Promise.all(pending.map((one) => handleEntries(world.ctx, world.adapter, [one])));
    await world.run();
    const { status } = await world.ctx.db.intent.findFirstOrThrow({ orderBy: { acceptedAt: 'desc' } });
    expect(['routed', 'completed', 'declined']).toContain(status);
    expect((await bobHas()) - before).toBe(status === 'declined' ? 0n : parseUnits('2', 6));
  });

  test('what a misspelt command probably meant is offered, and sent by the press only', async () => {
    const before = await bobHas();
    const question = await ask('/tpi @bob 2', ALICE.telegram.id);
    expect(question.text).toContain('Did you mean');
    expect(await bobHas()).toBe(before);
    await world.press('alice', question, token(question), ALICE.telegram.id);
    await world.run();
    expect((await bobHas()) - before).toBe(parseUnits('2', 6));
  });

  test('that cannot be paid is refused, not asked about', async () => {
    const question = await ask('/tip @nobody_here 2 kr');
    expect(token(question)).toBe('');
    expect(question.text).toContain('@nobody_here');
  });

  test('of somebody who is not connected is kept like any other', async () => {
    await world.say('dave', '/tip @bob 2 kr');
    const intent = await world.ctx.db.intent.findFirstOrThrow({ orderBy: { acceptedAt: 'desc' } });
    expect(intent).toMatchObject({ status: 'waiting', doubt: 'note_unclear' });
  });
});

describe('one question asks about everything', () => {
  test('a doubt about a large amount is one question with both reasons, and one press pays', async () => {
    const before = await bobHas();
    const question = await ask('/tip @bob 60 kr');
    expect(question.text).toMatch(/60\.00 USDC to @bob[\s\S]*“kr”[\s\S]*note/);
    expect(await answer(question, 'Send')).toMatch(/^✅ /);
    expect((await bobHas()) - before).toBe(parseUnits('60', 6));
  });

  test('a doubt in a split with somebody unknown names the note and who gets nothing', async () => {
    const before = await bobHas();
    const question = await ask('/split 9 @bob @nobody_here @shop kr');
    expect(question.text).toContain('3.00 USDC to @bob');
    expect(question.text).toContain('“kr”');
    expect(question.text).toContain('@nobody_here');
    await answer(question, 'Send');
    expect((await bobHas()) - before).toBe(parseUnits('3', 6));
  });

  test('a message that is edited stays the question that it was', async () => {
    const before = await bobHas();
    const { message_id } = await world.say('alice', '/tip @bob 2 kr');
    const question = (await world.botSaid()).at(-1) as Shown;
    const count = (await world.botSaid()).length;
    await world.type('alice', '/tip @bob 20 usdc', { edit: message_id });
    await world.run();
    expect([(await world.botSaid()).length, await bobHas()]).toEqual([count, before]);
    await answer(question, 'Send');
    expect((await bobHas()) - before).toBe(parseUnits('2', 6));
  });
});

describe('what changes between the question and the press', () => {
  test('a lower limit refuses it, and the question says why', async () => {
    const limit = (commandCapMicros: bigint) =>
      world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { commandCapMicros } });
    await refusedAfter(() => limit(1_000_000n));
    await limit(100_000_000n);
  });

  test('somebody unknown who is met meanwhile is asked about again, before anything is paid', async () => {
    const before = await bobHas();
    const question = await ask('/split 9 @bob @newly_met @shop');
    await world.user('messages', {
      chat_id: TELEGRAM_GROUP,
      from: { id: 7_009_123, username: 'newly_met', first_name: 'New' },
      text: 'hello',
    });
    await world.run();
    const again = await answer(question, 'Send');
    expect(again).toContain('3.00 USDC to @bob');
    expect(again).toMatch(/newly_met/);
    expect(await bobHas()).toBe(before);
    const shown = (await world.shown()).find((message) => message.message_id === question.message_id) as Shown;
    await answer(shown, 'Send');
    expect((await bobHas()) - before).toBe(parseUnits('3', 6));
  });
});

describe('a split with somebody unknown', () => {
  test('asks before the others are paid', async () => {
    const before = await bobHas();
    const question = await ask('/split 9 @bob @nobody_here @shop');
    expect(question.text).toContain('3.00 USDC to @bob');
    expect(question.text).toContain('@nobody_here');
    expect(await bobHas()).toBe(before);
    await answer(question, 'Send');
    expect((await bobHas()) - before).toBe(parseUnits('3', 6));
  });
});

describe('what paid nothing uses up nothing', () => {
  test('five that were refused, cancelled or never answered leave all five', async () => {
    await answer(await ask('/tip @bob 1 kr'), 'Cancel');
    await ask('/tip @nobody_here 1');
    await ask('/tip @bob 99');
    const open = await ask('/tip @bob 1 kr');
    await ask('/tip @bob 1 kr');
    expect(await left()).toBe(2);
    world.later(10 * 60_000 + 1_000);
    await world.run();
    expect((await answer(open, 'Send')).includes('✅')).toBe(false);
    expect(await left()).toBe(5);
    const before = await bobHas();
    for (let i = 0; i < 5; i++) expect((await ask('/tip @bob 0.5')).text).toMatch(/✅/);
    expect(await left()).toBe(0);
    expect((await ask('/tip @bob 0.5')).text).not.toMatch(/✅/);
    expect((await bobHas()) - before).toBe(parseUnits('2.5', 6));
  });

  test('a burst never gets more than five paid, however many were refused before', async () => {
    for (let i = 0; i < 5; i++) await ask('/tip @nobody_here 1');
    const before = await bobHas();
    for (let i = 0; i < 9; i++) await world.type('alice', '/tip @bob 0.5');
    await world.run();
    expect((await bobHas()) - before).toBe(parseUnits('2.5', 6));
  });
});

// The router keeps a pause until its wallet resumes, so nothing is paid behind this.
describe('a pause', () => {
  test('between the question and the press refuses it, and the question says so', () =>
    refusedAfter(() => world.say('alice', '/pause', { chat: ALICE.telegram.id })));

  test('refuses a doubt without asking', async () => {
    expect(token(await ask('/tip @bob 2 kr'))).toBe('');
  });
});
