// Connecting a chat account: the link is its owner's secret, and nothing is connected without the owner's press in the chat.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localKey, TELEGRAM_BOT, TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { localPerson, type Shown, startWorld, type World } from '../../../test/setup/world.ts';
import type { ChatButton } from '../../domain/chat.ts';
import { recordNews } from '../chat/inbox.ts';
import { resolveRecipients } from '../tips/recipients.ts';
import { connectAccount } from './connections.ts';
import { linkOfSession, previewLink, redeemLink } from './connectLinks.ts';
import { createConnection, createHandle } from './handles.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.later(3_700_000);
  await world.ctx.db.connection.deleteMany({ where: { platformUserId: String(CAROL) } });
  await world.run();
});

const CAROL = localPerson('carol').telegram.id;
/** Somebody who takes a username that another person has left. */
const HEIR = 7_999_001;
const MINUTE = 60_000;
const handleId = async (slug: string) => (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } })).id;
const as = async (slug: string, sessionId = `session of ${slug}`) => ({ sessionId, handleId: await handleId(slug) });
const last = async (chat: number) => (await world.botSaid(chat)).at(-1) as Shown;
const buttonsOf = (message: Shown) => message.reply_markup?.inline_keyboard.flat() ?? [];
const press = async (name: string, message: Shown, label: string, chat = CAROL) => {
  const token = buttonsOf(message).find((button) => button.text === label)?.callback_data ?? '';
  await world.press(name, message, token, chat);
  await world.run();
};
const connectionOf = (id: number) =>
  world.ctx.db.connection.findFirst({
    where: { platform: 'telegram', platformUserId: String(id), disconnectedAt: null },
    include: { handle: true },
  });
/** Carol asks in her direct chat. @returns the secret of her link */
async function askForLink(): Promise<string> {
  await world.say('carol', '/connect', { chat: CAROL });
  return secretIn(await last(CAROL));
}
function secretIn(message: Shown): string {
  const url = buttonsOf(message).find((button) => button.text === 'Connect')?.url ?? '';
  expect(url.startsWith('http://127.0.0.1:8080/connect#')).toBe(true);
  return url.split('#')[1] ?? '';
}

describe('connect', () => {
  test('in the direct chat leads to a receive-only connection: link, redeem, press', async () => {
    const secret = await askForLink();
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    const link = await previewLink(world.ctx, secret);
    expect(link).toMatchObject({
      status: 'open',
      platform: 'telegram',
      platformUserId: String(CAROL),
      username: 'carol',
      botUsername: 'ampersat_bot',
      handle: null,
    });
    const redeemed = await redeemLink(world.ctx, secret, await as('carol'));
    expect(redeemed).toMatchObject({ id: link.id, status: 'redeemed', handle: 'carol', connectionId: null });
    await world.run();
    const [message, question] = (await world.botSaid(CAROL)).slice(-2) as [Shown, Shown];
    expect(message.text).toBe('That link has been used.');
    expect(buttonsOf(message)).toEqual([]);
    expect(question.text).toContain('Connect @carol to carol@ampersat?');
    expect(await connectionOf(CAROL)).toBeNull();
    await press('carol', question, 'Connect');
    expect(await connectionOf(CAROL)).toMatchObject({ canSpend: false, handle: { slug: 'carol' } });
    const after = await last(CAROL);
    expect(after.message_id).toBe(question.message_id);
    expect(after.text).toContain('✅ Connected to carol@ampersat');
    expect(buttonsOf(after)).toEqual([{ text: 'Set a spending limit', url: 'http://127.0.0.1:8080/spending' }]);
    const done = await linkOfSession(world.ctx, link.id, 'session of carol');
    expect(done).toMatchObject({ status: 'confirmed', connectionId: (await connectionOf(CAROL))?.id });
  });

  test('in a group never shows the secret there', async () => {
    await world.say('carol', '/start', { chat: CAROL });
    const before = (await world.botSaid(CAROL)).length;
    await world.say('carol', '/connect');
    expect((await last(TELEGRAM_GROUP)).text).toContain('I’ve sent you a link in our direct chat');
    expect(await world.botSaid(CAROL)).toHaveLength(before + 1);
    const secret = secretIn(await last(CAROL));
    expect(JSON.stringify(await world.shown())).not.toContain(secret);
    expect(JSON.stringify(await world.shown())).not.toContain('/connect#');
  });

  test('by somebody who never opened the direct chat points there, and shows the link once it is open', async () => {
    await world.say('dave', '/connect');
    const pointer = await last(TELEGRAM_GROUP);
    expect(pointer.text).toContain('I can’t message you yet');
    expect(buttonsOf(pointer)[0]?.url).toContain('t.me/ampersat_bot');
    const dave = localPerson('dave').telegram.id;
    await world.say('dave', '/start', { chat: dave });
    const texts = (await world.botSaid(dave)).map((message) => JSON.stringify(message));
    expect(texts.some((text) => text.includes('/connect#'))).toBe(true);
  });

  test('keeps the secret out of every row, job and transition', async () => {
    const secret = await askForLink();
    const tables = await world.ctx.db.$queryRaw<{ name: string }[]>`
      select table_schema || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema in ('public', 'bullmq')`;
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const rows = await world.ctx.db.$queryRawUnsafe<unknown[]>(
        `select 1 from ${name} t where strpos(t::text, $1) > 0`,
        secret,
      );
      expect(rows, name).toEqual([]);
    }
  });

  test('with a changed key shows a dead link instead of a wrong one', async () => {
    await world.type('carol', '/connect', { chat: CAROL });
    await world.fetchUpdates();
    await world.ingest();
    const key = world.ctx.env.LINK_KEY;
    world.ctx.env.LINK_KEY = 'ab'.repeat(32);
    await world.reply();
    if (key) world.ctx.env.LINK_KEY = key;
    expect((await last(CAROL)).text).toContain('That link has expired');
  });

  test('of a connected account names the handle, in private', async () => {
    const alice = localPerson('alice').telegram.id;
    await world.say('alice', '/start', { chat: alice });
    const inGroup = (await world.botSaid()).length;
    await world.say('alice', '/connect');
    expect((await last(alice)).text).toContain('connected to alice@ampersat');
    expect((await last(alice)).text).toContain('/disconnect');
    expect(await world.botSaid()).toHaveLength(inGroup);
    expect(await world.ctx.db.link.count({ where: { platformUserId: String(alice) } })).toBe(0);
  });

  test('gives five links an hour, then says when', async () => {
    for (let i = 0; i < 6; i++) await world.say('carol', '/connect', { chat: CAROL });
    expect((await last(CAROL)).text).toContain('a lot of links');
    const open = await world.ctx.db.link.findMany({ where: { platformUserId: String(CAROL), status: 'open' } });
    expect(open).toHaveLength(1);
  });
});

describe('a link', () => {
  test('redeemed by somebody else names the foreign handle, and connects nothing without a press', async () => {
    const secret = await askForLink();
    await redeemLink(world.ctx, secret, await as('bob'));
    await world.run();
    const question = await last(CAROL);
    expect(question.text).toContain('bob@ampersat');
    expect(await connectionOf(CAROL)).toBeNull();
    await press('carol', question, 'No');
    expect(await connectionOf(CAROL)).toBeNull();
    expect((await last(CAROL)).text).toContain('Not connected');
    // The thief cannot try again with the same link.
    await expect(redeemLink(world.ctx, secret, await as('bob'))).rejects.toMatchObject({ code: 'link_inactive' });
  });

  test('works once, also for two browsers at the same moment', async () => {
    const secret = await askForLink();
    const both = await Promise.allSettled([
      redeemLink(world.ctx, secret, await as('carol', 'one')),
      redeemLink(world.ctx, secret, await as('bob', 'two')),
    ]);
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = both.find((one) => one.status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ code: 'link_inactive' });
    await expect(redeemLink(world.ctx, secret, await as('carol'))).rejects.toMatchObject({ code: 'link_inactive' });
  });

  test('is over after 15 minutes, which the chat is told', async () => {
    const secret = await askForLink();
    world.later(15 * MINUTE);
    expect((await previewLink(world.ctx, secret)).status).toBe('expired');
    await expect(redeemLink(world.ctx, secret, await as('carol'))).rejects.toMatchObject({ code: 'link_inactive' });
    await world.run();
    expect((await last(CAROL)).text).toContain('That link has expired');
    expect(buttonsOf(await last(CAROL))).toEqual([]);
  });

  test('is voided by the next one, redeemed or not', async () => {
    const first = await askForLink();
    const second = await askForLink();
    await expect(redeemLink(world.ctx, first, await as('carol'))).rejects.toMatchObject({ code: 'link_inactive' });
    await redeemLink(world.ctx, second, await as('bob'));
    await world.run();
    const question = await last(CAROL);
    await askForLink();
    await press('carol', question, 'Connect');
    expect(await connectionOf(CAROL)).toBeNull();
  });

  test('that nobody gave out is missing', async () => {
    await expect(previewLink(world.ctx, 'A'.repeat(43))).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(redeemLink(world.ctx, '', await as('carol'))).rejects.toMatchObject({ code: 'resource_missing' });
  });

  test('is followed by the session that redeemed it, and by no other', async () => {
    const secret = await askForLink();
    const { id } = await redeemLink(world.ctx, secret, await as('carol'));
    expect((await linkOfSession(world.ctx, id, 'session of carol')).status).toBe('redeemed');
    await expect(linkOfSession(world.ctx, id, 'session of bob')).rejects.toMatchObject({ code: 'resource_missing' });
  });

  test('of an account that is connected meanwhile is refused', async () => {
    const secret = await askForLink();
    await createConnection(world.ctx, {
      platform: 'telegram',
      platformUserId: String(CAROL),
      username: 'carol',
      handleId: await handleId('carol'),
      canSpend: false,
    });
    await expect(redeemLink(world.ctx, secret, await as('bob'))).rejects.toMatchObject({ code: 'state_conflict' });
  });
});

describe('the button', () => {
  async function question(): Promise<Shown> {
    const secret = await askForLink();
    await redeemLink(world.ctx, secret, await as('carol'));
    await world.run();
    return last(CAROL);
  }

  /** A press as no client of Telegram could make it, straight into the inbox. */
  async function forge(token: string, change: Partial<ChatButton>): Promise<void> {
    const asked = await last(CAROL);
    const button = {
      platform: 'telegram',
      botId: String(TELEGRAM_BOT.id),
      chatId: String(CAROL),
      messageId: String(asked.message_id),
      userId: String(CAROL),
      username: 'carol',
      token,
      callbackId: '1',
      ...change,
    };
    const key = `tg:e:forged:${Math.random()}`;
    const content = { kind: 'button' as const, button };
    await recordNews(world.ctx, 'telegram', [{ entry: { key, content }, seen: [], seenAt: world.ctx.clock.now() }]);
    await world.run();
  }

  test('pressed by another user, in another chat, under another message or at another bot does nothing', async () => {
    const asked = await question();
    const token = buttonsOf(asked).find((button) => button.text === 'Connect')?.callback_data ?? '';
    const bob = String(localPerson('bob').telegram.id);
    const changes = [
      { userId: bob },
      { chatId: String(TELEGRAM_GROUP) },
      { chatId: bob, userId: bob },
      { messageId: '1' },
      { botId: '42' },
      { platform: 'discord' },
    ];
    for (const change of changes) {
      await forge(token, change);
      expect(await connectionOf(CAROL), JSON.stringify(change)).toBeNull();
    }
    await forge(token, {});
    expect((await connectionOf(CAROL))?.handle.slug).toBe('carol');
  });

  test('works once, and a No after a Yes changes nothing', async () => {
    const asked = await question();
    await press('carol', asked, 'Connect');
    const { id } = (await connectionOf(CAROL)) ?? { id: '' };
    await press('carol', asked, 'Connect');
    await press('carol', asked, 'No');
    expect((await connectionOf(CAROL))?.id).toBe(id);
  });

  test('pressed more than ten minutes after the link was redeemed does nothing', async () => {
    const asked = await question();
    world.later(10 * MINUTE);
    await press('carol', asked, 'Connect');
    expect(await connectionOf(CAROL)).toBeNull();
    expect((await last(CAROL)).text).toContain('the question has expired');
  });

  test('of somebody who is called otherwise by now does not take the name back from its new owner', async () => {
    const asked = await question();
    const seenAs = (id: number, username: string) =>
      world.user('messages', { chat_id: TELEGRAM_GROUP, from: { id, first_name: 'x', username }, text: 'hello' });
    // The clock decides whose name it is.
    world.later(1_000);
    await seenAs(CAROL, 'carol_two');
    await seenAs(HEIR, 'carol');
    await world.run();
    const heir = await handleId('bob');
    const account = { platform: 'telegram', platformUserId: String(HEIR), username: 'carol' };
    await world.ctx.db.$transaction((tx) =>
      connectAccount(world.ctx, tx, { ...account, handleId: heir, canSpend: false }),
    );
    const token = buttonsOf(asked).find((button) => button.text === 'Connect')?.callback_data;
    const from = { id: CAROL, first_name: 'x', username: 'carol_two' };
    await world.user('callbacks', { message_id: asked.message_id, chat_id: CAROL, from, data: token });
    await world.run();
    expect((await connectionOf(CAROL))?.handle.slug).toBe('carol');
    const [named] = await resolveRecipients(world.ctx, 'telegram', [{ by: 'handle', value: 'carol' }]);
    expect(named).toMatchObject({ payee: { slug: 'bob' } });
    const seen = await world.ctx.db.seenUser.findFirstOrThrow({ where: { platformUserId: String(CAROL) } });
    expect(seen.username).toBe('carol_two');
    await seenAs(HEIR, 'heir');
    await seenAs(CAROL, 'carol');
    await world.run();
  });

  test('of an account that got connected meanwhile moves nothing', async () => {
    const asked = await question();
    const other = await createHandle(world.ctx, {
      slug: `other${Date.now()}`,
      kind: 'personal',
      evmAddress: localKey(`other ${Date.now()}`).address,
    });
    await createConnection(world.ctx, {
      platform: 'telegram',
      platformUserId: String(CAROL),
      username: 'carol',
      handleId: other,
      canSpend: false,
    });
    await press('carol', asked, 'Connect');
    expect((await connectionOf(CAROL))?.handleId).toBe(other);
  });
});
