// A bot that is summoned in a chat where it is no member: it pays once, answers once, and tells what is private elsewhere.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TELEGRAM_BOT } from '../../local/stack/people.ts';
import { localPerson, type Shown, startWorld, type World } from '../../test/setup/world.ts';
import { storeUpdates } from './store.ts';

const usdc = (amount: string) => parseUnits(amount, 6);
const ALICE = localPerson('alice').telegram;
const ME = { id: String(TELEGRAM_BOT.id), username: TELEGRAM_BOT.username };
/** Friends without the bot, and two people's own chat. */
const FRIENDS = -1_009_001;
const COUPLE = 909_002;

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await world.say('alice', 'hi', { chat: ALICE.id });
});
afterAll(() => world.stop());
beforeEach(() => world.later(25 * 3_600_000));

async function summon(name: string, text: string, chat = FRIENDS, more: object = {}) {
  const from = { ...localPerson(name).telegram, first_name: name };
  return world.user<{ message_id: number }>('messages', { chat_id: chat, from, text, guest: true, ...more });
}
/** Everybody has been seen lately, so that no name is in doubt; prices are of now. */
async function everybodyIsHere() {
  for (const name of ['alice', 'bob']) await world.type(name, 'hello');
  await world.fetchUpdates();
}
const answers = async (chat = FRIENDS) =>
  (await world.user<Shown[]>(`messages?chat_id=${chat}&guest=true`)).filter(({ from }) => from.id === TELEGRAM_BOT.id);
const told = async () => (await world.botSaid(ALICE.id)).at(-1);
const fail = (method: string, status: number, more: object = {}) =>
  world.user('faults', { method, status, times: 1, ...more });

describe('a tip by a summons', () => {
  test('pays once and is answered in that chat, at once and then by edits', async () => {
    await everybodyIsHere();
    const before = (await answers()).length;
    const bob = await world.usdc('bob');
    const { message_id } = await summon('alice', `@${TELEGRAM_BOT.username} tip @bob 5`);
    await world.fetchUpdates();
    await world.ingest();
    await world.reply();
    expect((await answers()).at(-1)?.text).toBe('⏳ @alice, on its way…');
    await world.run();
    expect((await world.usdc('bob')) - bob).toBe(usdc('5'));
    const said = await answers();
    expect(said).toHaveLength(before + 1);
    expect(said.at(-1)?.text).toMatch(/^✅ @alice tipped @bob 5\.00 USDC \(fee \$0\.10\)\. View 0x/);
    expect(said.at(-1)?.reply_to_message?.message_id).toBe(message_id);
  });

  test('goes to the author of the message that was answered', async () => {
    await everybodyIsHere();
    const bob = await world.usdc('bob');
    const from = { ...localPerson('bob').telegram, first_name: 'bob' };
    const said = await world.user<{ message_id: number }>('messages', {
      ...{ chat_id: FRIENDS, from, text: 'lunch is ready', guest: true, extra: { forward_origin: { type: 'user' } } },
    });
    await summon('alice', 'tip 2', FRIENDS, { reply_to_message_id: said.message_id });
    await world.run();
    expect((await world.usdc('bob')) - bob).toBe(usdc('2'));
  });

  test('delivered again and again pays once and answers once', async () => {
    await everybodyIsHere();
    const [before, bob] = [(await answers()).length, await world.usdc('bob')];
    await summon('alice', '/tip @bob 1');
    const updates = await world.fetchUpdates();
    for (let round = 0; round < 2; round += 1) {
      for (const update of [...updates, ...updates]) await storeUpdates(world.ctx, [update], ME);
      await world.run();
    }
    expect((await world.usdc('bob')) - bob).toBe(usdc('1'));
    expect(await answers()).toHaveLength(before + 1);
    const { inboxKey } = await world.ctx.db.intent.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(inboxKey).toMatch(new RegExp(`^tg:g:${TELEGRAM_BOT.id}:\\d+$`));
  });

  test('that needs an answer first is asked in the direct chat, and the button there sends it', async () => {
    await everybodyIsHere();
    const bob = await world.usdc('bob');
    await summon('alice', 'tip @bob 60', COUPLE);
    await world.run();
    expect((await answers(COUPLE)).at(-1)?.text).toMatch(
      /^@alice, one question first\. I’ve asked it in our direct chat/,
    );
    const question = await told();
    expect(question?.text).toContain('60.00 USDC to @bob');
    const send = question?.reply_markup?.inline_keyboard[0]?.[0]?.callback_data ?? '';
    // Pressed by somebody else it is nothing.
    const { message_id } = question as Shown;
    const message = { message_id, date: 1, chat: { id: ALICE.id, type: 'private', first_name: 'alice' } };
    const stolen = {
      id: '1',
      from: { ...localPerson('bob').telegram, first_name: 'bob', is_bot: false },
      message,
      data: send,
    };
    await storeUpdates(world.ctx, [{ update_id: 7_000_001, callback_query: stolen } as never], ME);
    await world.run();
    expect(await world.usdc('bob')).toBe(bob);
    await world.press('alice', question as Shown, send, ALICE.id);
    await world.run();
    expect((await world.usdc('bob')) - bob).toBe(usdc('60'));
    for (const shown of [await told(), (await answers(COUPLE)).at(-1)])
      expect(shown?.text).toMatch(/^✅ @alice tipped @bob 60\.00 USDC/);
  });

  test('that the sender cannot pay says why in the direct chat alone', async () => {
    await everybodyIsHere();
    await summon('alice', 'tip @bob 100', COUPLE);
    await world.run();
    expect((await answers(COUPLE)).at(-1)?.text).not.toMatch(/100\.10|cap/);
    expect((await told())?.text).toMatch(/This is \$100\.10 with the fee/);
  });

  test('by somebody without an account is kept, and the answer leads to connecting', async () => {
    await everybodyIsHere();
    await summon('dave', 'tip @bob 5');
    await world.run();
    const answer = (await answers()).at(-1);
    expect(answer?.text).toMatch(/^@dave, saved for 24 hours\. Connect/);
    expect(answer?.reply_markup?.inline_keyboard[0]?.[0]?.url).toContain('start=connect');
    expect(await world.ctx.db.intent.findFirst({ orderBy: { id: 'desc' } })).toMatchObject({ status: 'waiting' });
  });
});

describe('other summonses', () => {
  test('an error is answered in that chat', async () => {
    await summon('alice', 'tip @bob');
    await world.run();
    expect((await answers()).at(-1)?.text).toMatch(/^How much\?/);
  });

  test('figures of one’s own go to the direct chat, also when two people’s own chat is asked', async () => {
    await summon('alice', '/balance', COUPLE);
    await world.run();
    expect((await answers(COUPLE)).at(-1)?.text).toBe('That’s for you only. I’ve answered in our direct chat.');
    expect((await told())?.text).toMatch(/^Your balance, alice@ampersat/);
  });

  test('without a query, or with one that fits into no key, is nothing', async () => {
    await summon('alice', 'tip @bob 1');
    const [update] = await world.fetchUpdates();
    await world.run();
    const before = await world.ctx.db.inbox.count();
    for (const guest_query_id of [undefined, '', '1:2', 'x'.repeat(65)]) {
      const odd = { ...update, guest_message: { ...update?.guest_message, guest_query_id } };
      expect(await storeUpdates(world.ctx, [odd as never], ME)).toBe(0);
    }
    expect(await world.ctx.db.inbox.count()).toBe(before);
  });
});

describe('an answer that cannot be given in that chat', () => {
  test('because its time is over goes to the direct chat, receipt and all, and is paid once', async () => {
    await everybodyIsHere();
    const [before, bob] = [(await answers()).length, await world.usdc('bob')];
    await summon('alice', 'tip @bob 1');
    await world.fetchUpdates();
    await world.ingest();
    world.later(120_000);
    await world.reply();
    await world.run();
    expect(await answers()).toHaveLength(before);
    expect((await told())?.text).toMatch(/^✅ @alice tipped @bob 1\.00 USDC/);
    expect((await world.usdc('bob')) - bob).toBe(usdc('1'));
  });

  test('any more, because somebody deleted it, goes on in the direct chat', async () => {
    await everybodyIsHere();
    const before = (await answers()).length;
    await summon('alice', 'tip @bob 1');
    await world.fetchUpdates();
    await world.ingest();
    await world.reply();
    await fail('editMessageText', 400, { description: 'Bad Request: message to edit not found' });
    await world.run();
    expect(await answers()).toHaveLength(before + 1);
    expect((await told())?.text).toMatch(/^✅ @alice tipped @bob 1\.00 USDC/);
  });

  test('because the call was cut off after it took effect is not given twice', async () => {
    await everybodyIsHere();
    const before = (await answers()).length;
    await summon('alice', 'tip @bob 1');
    await fail('answerGuestQuery', 0, { accept: true });
    await world.run();
    world.later(5_000);
    await world.run();
    await world.run();
    expect(await answers()).toHaveLength(before + 1);
    expect((await told())?.text).toMatch(/^✅ @alice tipped @bob 1\.00 USDC/);
  });

  test('when Telegram asks to wait is given later', async () => {
    await everybodyIsHere();
    const before = (await answers()).length;
    await summon('alice', 'tip @bob 1');
    await fail('answerGuestQuery', 429, { retry_after: 3 });
    await world.run();
    expect(await answers()).toHaveLength(before);
    world.later(4_000);
    await world.run();
    expect((await answers()).at(-1)?.text).toMatch(/^✅/);
  });
});
