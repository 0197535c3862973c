// A tip goes to the person that was meant, or to nobody.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeUpdates } from '../../../bots/telegram/store.ts';
import { TELEGRAM_BOT, TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { readEnv } from '../../env.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(() => world.later(3_700_000));

const bobHas = () => world.usdc('bob');
const lastAnswer = async () => (await world.botSaid(TELEGRAM_GROUP)).at(-1)?.text ?? '';
const seenAs = async (id: number, username: string | undefined) => {
  const from = { id, first_name: 'somebody', ...(username ? { username } : {}) };
  await world.user('messages', { chat_id: TELEGRAM_GROUP, from, text: 'hello' });
  await world.fetchUpdates();
  world.later(2_000);
};

describe('a username', () => {
  test('that its owner has left pays nobody', async () => {
    const { id } = localPerson('bob').telegram;
    const before = await bobHas();
    await seenAs(id, 'bobby_new');
    await world.say('alice', '/tip @bob 1');
    expect(await bobHas()).toBe(before);
    expect(await lastAnswer()).toContain('haven’t met @bob yet');
    await world.say('alice', '/tip @bobby_new 1');
    expect((await bobHas()) - before).toBe(1_000_000n);
    await seenAs(id, 'bob');
  });

  test('that its owner gave up without taking another pays nobody', async () => {
    const { id } = localPerson('bob').telegram;
    const before = await bobHas();
    await seenAs(id, undefined);
    await world.say('alice', '/tip @bob 1');
    expect(await bobHas()).toBe(before);
    await seenAs(id, 'bob');
  });

  test('is matched whatever its case', async () => {
    const before = await bobHas();
    await world.say('alice', '/tip @BoB 1');
    expect((await bobHas()) - before).toBe(1_000_000n);
  });
});

describe('one person under two names', () => {
  test('is paid once, and the chat is told', async () => {
    const before = await bobHas();
    await world.say('alice', '/tip @bob bob@ampersat 1');
    expect((await bobHas()) - before).toBe(1_000_000n);
    expect(await lastAnswer()).toContain('You named');
  });
});

describe('a message', () => {
  test('is paid once, also when the epoch was raised in between', async () => {
    await world.type('alice', '/tip @bob 1');
    const before = await bobHas();
    const updates = await world.fetchUpdates();
    await world.run();
    const raised = { ...world.ctx, env: { ...readEnv(world.processEnv), MESSAGE_EPOCH: 2 } };
    for (const update of updates)
      await storeUpdates(raised, [update], { id: String(TELEGRAM_BOT.id), username: TELEGRAM_BOT.username });
    await world.run();
    expect((await bobHas()) - before).toBe(1_000_000n);
  });

  test('with characters that the database refuses holds nobody up', async () => {
    const before = await bobHas();
    await world.user('messages', {
      chat_id: TELEGRAM_GROUP,
      from: { ...localPerson('alice').telegram, first_name: 'a\u0000b' },
      text: '/tip @bob 1 for \u0000 and \ud800',
    });
    await world.user('callbacks', {
      message_id: (await world.shown())[0]?.message_id ?? 1,
      chat_id: TELEGRAM_GROUP,
      from: localPerson('alice').telegram,
      data: 'x\u0000y',
    });
    await world.say('shop', '/tip @bob 1');
    expect((await bobHas()) - before).toBeGreaterThanOrEqual(1_000_000n);
    expect(await world.ctx.db.inbox.count({ where: { status: 'received' } })).toBe(0);
  });
});
