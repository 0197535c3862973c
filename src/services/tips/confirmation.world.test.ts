// What is asked before money moves, and who may answer.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { localPerson, type Shown, startWorld, type World } from '../../../test/setup/world.ts';

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

const bobHas = () => world.usdc('bob');
async function ask(text = '/tip @bob 60', chat = TELEGRAM_GROUP): Promise<Shown> {
  await world.say('alice', text, { chat });
  const question = (await world.botSaid(chat)).at(-1);
  if (!question) throw new Error('the bot said nothing');
  return question;
}
const token = (question: Shown, label = 'Send') =>
  question.reply_markup?.inline_keyboard.flat().find((button) => button.text === label)?.callback_data ?? '';
const now = async (question: Shown) =>
  (await world.shown()).find((message) => message.message_id === question.message_id);

describe('a tip above 50 USD', () => {
  test('names amount, fee, recipient and chain, moves nothing, and is paid after its sender pressed', async () => {
    const before = await bobHas();
    const question = await ask();
    expect(question.text).toContain('60.00 USDC to @bob (fee $0.10, on Base)');
    expect(question.text).toContain('I always ask above $50');
    expect(await bobHas()).toBe(before);
    await world.press('alice', question, token(question));
    await world.run();
    expect((await bobHas()) - before).toBe(parseUnits('60', 6));
    const shown = await now(question);
    expect(shown?.text).toMatch(/^✅ @alice tipped @bob 60\.00 USDC/);
    expect(shown?.reply_markup?.inline_keyboard ?? []).toEqual([]);
  });

  test('is asked about when only the sum of its legs and fees is above', async () => {
    const question = await ask('/tip @bob @shop 25');
    expect(question.text).toContain('send this?');
    await world.press('alice', question, token(question, 'Cancel'));
    await world.run();
  });

  test('is not paid when somebody else presses', async () => {
    const before = await bobHas();
    const question = await ask();
    await world.press('bob', question, token(question));
    await world.run();
    expect(await bobHas()).toBe(before);
    expect((await now(question))?.text).toContain('send this?');
  });

  test('is not paid when its button is pressed in another message', async () => {
    const before = await bobHas();
    const first = await ask();
    const second = await ask('/tip @bob 55');
    await world.press('alice', second, token(first));
    await world.run();
    expect(await bobHas()).toBe(before);
  });

  test('is not paid by an invented token', async () => {
    const before = await bobHas();
    const question = await ask();
    await world.press('alice', question, 'x'.repeat(24));
    await world.run();
    expect(await bobHas()).toBe(before);
  });

  test('is paid once, however often it is pressed', async () => {
    const before = await bobHas();
    const question = await ask();
    for (let i = 0; i < 3; i++) await world.press('alice', question, token(question));
    await world.run();
    await world.press('alice', question, token(question));
    await world.run();
    expect((await bobHas()) - before).toBe(parseUnits('60', 6));
  });

  test('cannot be sent after it was cancelled', async () => {
    const before = await bobHas();
    const question = await ask();
    await world.press('alice', question, token(question, 'Cancel'));
    await world.press('alice', question, token(question));
    await world.run();
    expect(await bobHas()).toBe(before);
    expect((await now(question))?.text).toBe('Cancelled by @alice.');
  });

  test('closes after ten minutes', async () => {
    const before = await bobHas();
    const question = await ask();
    world.later(10 * 60_000 + 1_000);
    await world.press('alice', question, token(question));
    await world.run();
    expect(await bobHas()).toBe(before);
    expect((await now(question))?.text).toContain('didn’t answer in time');
  });

  test('is asked again when the recipient’s wallet changed in between', async () => {
    const before = await bobHas();
    const question = await ask();
    const bob = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'bob' } });
    await world.ctx.db.wallet.updateMany({
      where: { handleId: bob.id },
      data: { address: '0x00000000000000000000000000000000000000AA' },
    });
    await world.press('alice', question, token(question));
    await world.run();
    expect(await bobHas()).toBe(before);
    expect((await now(question))?.text).toContain('send this?');
    await world.ctx.db.wallet.updateMany({
      where: { handleId: bob.id },
      data: { address: localPerson('bob').address },
    });
  });
});

describe('also asked about', () => {
  test('a fee above a tenth of the tip', async () => {
    const question = await ask('/tip @bob 0.2');
    expect(question.text).toContain('more than a tenth');
  });

  test('a username that belonged to somebody else lately', async () => {
    const group = { chat_id: TELEGRAM_GROUP, text: 'hello' };
    await world.user('messages', { ...group, from: { id: 7_009_001, username: 'shop', first_name: 'Other' } });
    await world.fetchUpdates();
    const question = await ask('/tip @shop 1');
    expect(question.text).toMatch(/not connected Ampersat here|belonged to someone else/);
    world.later(60_000);
    await world.user('messages', { ...group, from: { ...localPerson('shop').telegram, first_name: 'Shop' } });
    await world.fetchUpdates();
    expect((await ask('/tip @shop 1')).text).toContain('belonged to someone else in the last 30 days');
  });
});
