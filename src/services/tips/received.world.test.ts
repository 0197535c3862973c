// Notices about received money: one a recipient and minute, only for what the chain shows, never twice, and off by one press.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TELEGRAM_BOT } from '../../../local/stack/people.ts';
import { OWN_CHAT } from '../../../test/setup/discord.ts';
import { walletOfPerson } from '../../../test/setup/signer.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, type Shown, startWorld, type World } from '../../../test/setup/world.ts';
import type { Json, Row } from '../../db.ts';
import { shownNote } from '../../domain/received.ts';
import { disconnectAccount } from '../accounts/connections.ts';
import { pressButton } from '../chat/buttons.ts';
import { sweep } from '../operations/sweep.ts';
import { noteReceived, postDailyReceived, postReceived } from './receivedNotices.ts';

const MINUTE = 60_000;
const DAY = 24 * 3_600_000;
const direct = (name: string) => localPerson(name).telegram.id;

let world: World;
let bob: Visitor;
beforeAll(async () => {
  world = await startWorld({ discord: true });
  bob = visitor(await serveWorld(world));
  await bob.signIn(walletOfPerson('bob'));
  // Open direct chats: they wrote there. Dave never did.
  for (const name of ['alice', 'bob', 'carol', 'shop']) await world.say(name, '/help', { chat: direct(name) });
  for (const text of ['/tip @bob 2', '/tip @carol 1']) await world.say('alice', text);
  await world.notify();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.later(3_700_000);
  await world.freshPrices();
  await world.ctx.db.receivedOff.deleteMany();
});

/** What the bot says in a direct chat from here on. */
async function listen(name: string): Promise<() => Promise<Shown[]>> {
  const before = (await world.botSaid(direct(name))).length;
  return async () => (await world.botSaid(direct(name))).slice(before);
}
async function pay(name: string, text: string): Promise<void> {
  await world.say(name, text);
  await world.notify();
}
/** The edits of a notice are some seconds apart. */
async function edits(): Promise<void> {
  world.later(4_000);
  await world.notify();
}
/** A chain that answers late needs another round. */
async function comesTo(said: () => Promise<Shown[]>, texts: string[]): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await world.run();
    await world.run();
    await edits();
    if (textOf(await said()).join() === texts.join()) break;
  }
  expect(textOf(await said())).toEqual(texts);
}
const textOf = (messages: Shown[]) => messages.map((message) => message.text);
const buttons = (message: Shown | undefined) => message?.reply_markup?.inline_keyboard.flat() ?? [];
const switchOf = (message: Shown | undefined) => buttons(message).find((button) => button.callback_data);

describe('a notice', () => {
  test('goes to the direct chat of a recipient, in their language, with a way to the receipt', async () => {
    const said = await listen('bob');
    await pay('alice', '/tip @bob 5 usdc lunch on me');
    const [notice, ...more] = await said();
    expect(more).toEqual([]);
    expect(notice?.text).toBe('You received 5.00 USDC from @alice.\n“lunch on me”');
    const tip = await world.ctx.db.tip.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(buttons(notice)).toMatchObject([
      { text: 'See it', url: expect.stringContaining(`/r/${tip.id}`) },
      { text: 'Turn off' },
    ]);
    await bob.send('PATCH', '/api/settings', { language: 'de' });
    world.later(2 * MINUTE);
    await pay('alice', '/tip @bob 1');
    expect((await said()).at(-1)?.text).toBe('Du hast 1,00 USDC von @alice bekommen.');
    await bob.send('PATCH', '/api/settings', { language: null });
  });

  test('collects for a minute, then a new one begins', async () => {
    const said = await listen('bob');
    await pay('alice', '/tip @bob 5');
    await pay('alice', '/tip @bob 1');
    await pay('shop', '/tip @bob 6');
    await edits();
    expect(textOf(await said())).toEqual(['You received 12.00 USDC from 2 people.']);
    world.later(MINUTE);
    await pay('alice', '/tip @bob 2');
    expect(textOf(await said())).toEqual([
      'You received 12.00 USDC from 2 people.',
      'You received 2.00 USDC from @alice.',
    ]);
  });

  test('adds up what one person sent several times', async () => {
    const said = await listen('bob');
    await pay('alice', '/tip @bob 5');
    await pay('alice', '/tip @bob 1');
    await edits();
    expect(textOf(await said())).toEqual(['You received 6.00 USDC from @alice (2 payments).']);
  });

  test('says confirming from the first block, then final, by edits of one message', async () => {
    const said = await listen('bob');
    await world.type('alice', '/tip @bob 3');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    await world.settle();
    await world.notify();
    expect(await said()).toEqual([]);
    await world.watch();
    await world.notify();
    expect(textOf(await said())).toEqual(['You received 3.00 USDC from @alice. · confirming on Base…']);
    await world.run();
    await edits();
    expect(textOf(await said())).toEqual(['You received 3.00 USDC from @alice.']);
  });

  test('is taken back by an edit when a reorg takes the block, and is right again afterwards', async () => {
    const said = await listen('bob');
    await world.type('alice', '/tip @bob 3');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    const checkpoint = await world.admin().snapshot();
    await world.settle();
    await world.watch();
    await world.notify();
    await world.admin().revert({ id: checkpoint });
    await world.watch();
    await edits();
    expect(textOf(await said())).toEqual([
      '⏳ 3.00 USDC from @alice: the network took it back. It’s on its way again.',
    ]);
    await comesTo(said, ['You received 3.00 USDC from @alice.']);
  });

  test.each([
    ['sent', true],
    ['addressed', false],
  ])('that a reorg takes back before it was %s comes when it is paid again', async (_, isAddressed) => {
    const said = await listen('bob');
    await world.type('alice', '/tip @bob 3');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    const checkpoint = await world.admin().snapshot();
    await world.settle();
    await world.watch();
    if (isAddressed) await postReceived(world.ctx);
    await world.admin().revert({ id: checkpoint });
    await world.watch();
    await world.notify();
    expect(await said()).toEqual([]);
    await comesTo(said, ['You received 3.00 USDC from @alice.']);
  });

  test('is not sent for a payment that failed, nor for one to oneself', async () => {
    const said = await listen('bob');
    await world.type('alice', '/tip @bob 4');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    world.later(16 * MINUTE);
    await world.run();
    await world.notify();
    const own = await tipOf('bob', 'bob', { usd: 5_000_000n });
    await world.ctx.db.$transaction((tx) => noteReceived(world.ctx, tx, [own]));
    await world.notify();
    expect(await said()).toEqual([]);
  });

  test('is found by rows: a process that dies after the status, with queues emptied, loses nothing and doubles nothing', async () => {
    const said = await listen('bob');
    await world.say('alice', '/tip @bob 5');
    // Nothing but the row of the leg: as after a kill right behind the commit.
    await Promise.all([postReceived(world.ctx), postReceived(world.ctx), postReceived(world.ctx)]);
    await world.ctx.db.outbox.deleteMany();
    world.later(4_000);
    await sweep(world.ctx);
    await world.notify();
    await world.notify();
    expect(textOf(await said())).toEqual(['You received 5.00 USDC from @alice.']);
  });

  test('is silent for an account that was disconnected meanwhile', async () => {
    const said = await listen('bob');
    await world.say('alice', '/tip @bob 5');
    await postReceived(world.ctx);
    const account = { platform: 'telegram', platformUserId: String(direct('bob')) };
    const row = await world.ctx.db.connection.findFirstOrThrow({ where: account });
    await world.ctx.db.$transaction((tx) => disconnectAccount(world.ctx, tx, row.id, row.handleId));
    await world.notify();
    await pay('alice', '/tip @bob 5');
    expect(textOf(await said()).filter((text) => text.includes('USDC'))).toEqual([]);
    await world.ctx.db.connection.update({ where: { id: row.id }, data: { disconnectedAt: null } });
  });

  test('shows a note as text that no app turns into a link', async () => {
    const said = await listen('bob');
    const memo = 'look at https://evil.com and t.me/evil @mallory';
    const id = await tipOf('alice', 'bob', { usd: 5_000_000n, memo });
    await world.ctx.db.$transaction((tx) => noteReceived(world.ctx, tx, [id]));
    await world.notify();
    const [notice] = (await said()) as (Shown & { entities?: { type: string; length: number }[] })[];
    expect(notice?.text).toContain('look at https');
    // The sender's own name is the only thing that can be pressed.
    expect(notice?.entities).toMatchObject([{ type: 'mention', length: '@alice'.length }]);
    expect(shownNote('see evil.com or https://t.me/x @mallory /start #tag')).toBe(
      'see evil.\u2060com or https:\u2060/\u2060/\u2060t.\u2060me/\u2060x @\u2060mallory /\u2060start #\u2060tag',
    );
    expect(shownNote(`a\nb ${'x'.repeat(200)}`)).toMatch(/^a b x{95}…$/);
  });
});

describe('which chat', () => {
  test('the platform of the payment, one notice for a person with several accounts', async () => {
    const said = await listen('bob');
    const before = (await world.discord.botSaid(OWN_CHAT, 'bob')).length;
    await world.discord.type('alice', `${world.discord.at('bot')} tip ${world.discord.at('bob')} 2`);
    await world.run();
    await world.notify();
    expect(await said()).toEqual([]);
    const onDiscord = (await world.discord.botSaid(OWN_CHAT, 'bob')).slice(before);
    expect(onDiscord.map((message) => message.content)).toEqual(['You received 2.00 USDC from @alice.']);
  });

  test('a direct message that Discord refuses is remembered: the next notice goes elsewhere and none is tried again', async () => {
    world.later(2 * MINUTE);
    await world.discord.fail({ method: 'create_message', status: 403, code: 50_007, times: 1 });
    const note = async () => {
      const id = await tipOf('alice', 'shop', { usd: 5_000_000n, platform: 'discord' });
      await world.ctx.db.$transaction((tx) => noteReceived(world.ctx, tx, [id]));
      await world.notify();
      world.later(2 * MINUTE);
    };
    const said = await listen('shop');
    await note();
    const chatId = `user:${localPerson('shop').discord.id}`;
    const refused = () => world.ctx.db.reply.findMany({ where: { kind: 'received', chatId } });
    expect(await refused()).toMatchObject([{ open: false, failure: expect.any(String) }]);
    expect(await said()).toEqual([]);
    await note();
    await note();
    expect(await refused()).toHaveLength(1);
    expect(await said()).toHaveLength(2);
    await world.discord.user('faults', undefined, 'DELETE');
  });

  test('nobody who never wrote to the bot on Telegram, and nobody on X', async () => {
    const id = await tipOf('alice', null, { usd: 5_000_000n, slug: `telegram:id:${direct('dave')}` });
    const onX = await tipOf('alice', null, {
      usd: 5_000_000n,
      slug: `x:id:${localPerson('carol').x.id}`,
      platform: 'x',
    });
    const before = await world.ctx.db.reply.count();
    await world.ctx.db.$transaction((tx) => noteReceived(world.ctx, tx, [id, onX]));
    await postReceived(world.ctx);
    expect(await world.ctx.db.reply.count()).toBe(before);
    expect(await world.ctx.db.receivedLeg.count({ where: { dueAt: { not: null } } })).toBe(0);
    // Nor later, when somebody who could not be written to opens the chat and the block becomes final.
    await world.say('dave', '/help', { chat: direct('dave') });
    const said = await listen('dave');
    await world.ctx.db.$transaction((tx) => noteReceived(world.ctx, tx, [id]));
    await world.notify();
    expect(await said()).toEqual([]);
  });
});

describe('turned off', () => {
  test('by one press of its recipient, who can turn it on again in the same place', async () => {
    const said = await listen('bob');
    await pay('alice', '/tip @bob 1');
    const notice = async () => (await said())[0] as Shown;
    const off = switchOf(await notice())?.callback_data ?? '';
    const press = {
      platform: 'telegram',
      botId: String(TELEGRAM_BOT.id),
      chatId: String(direct('bob')),
      username: 'alice',
    };
    const byAlice = { ...press, userId: String(direct('alice')), messageId: String((await notice()).message_id) };
    await world.ctx.db.inbox.create({
      data: { key: 'foreign', platform: 'telegram', kind: 'button', payload: {}, receivedAt: new Date() },
    });
    expect(await pressButton(world.ctx, 'foreign', { ...byAlice, token: off, callbackId: '1' })).toBe('not_yours');
    expect(await world.ctx.db.receivedOff.count()).toBe(0);
    await world.press('bob', await notice(), off, direct('bob'));
    await world.press('bob', await notice(), off, direct('bob'));
    await world.run();
    await edits();
    expect((await notice()).text).toContain('Notices like this are off.');
    expect(await world.ctx.db.receivedOff.count()).toBe(1);
    expect((await bob.get('/api/settings')).body).toMatchObject({ notices: false });
    world.later(2 * MINUTE);
    await pay('alice', '/tip @bob 1');
    expect(await said()).toHaveLength(1);
    const on = switchOf(await notice());
    expect(on?.text).toBe('Turn on');
    await world.press('bob', await notice(), on?.callback_data ?? '', direct('bob'));
    await world.run();
    await edits();
    expect(switchOf(await notice())?.text).toBe('Turn off');
    expect(switchOf(await notice())?.callback_data).not.toBe(off);
    await pay('alice', '/tip @bob 1');
    expect(await said()).toHaveLength(2);
  });

  test('on the settings page', async () => {
    const said = await listen('bob');
    expect((await bob.send('PATCH', '/api/settings', { notices: false })).body).toEqual({
      language: null,
      notices: false,
      charges: false,
    });
    await pay('alice', '/tip @bob 1');
    expect(await said()).toEqual([]);
    expect((await bob.send('PATCH', '/api/settings', { notices: true })).body).toMatchObject({ notices: true });
    world.later(2 * MINUTE);
    await pay('alice', '/tip @bob 1');
    expect(await said()).toHaveLength(1);
  });

  test('by somebody without an account, for their account', async () => {
    const said = await listen('carol');
    await pay('alice', '/tip @carol 5');
    const [notice] = await said();
    expect(notice?.text).toMatch(/^🎁 5\.00 USDC from @alice for you\. Claim it by /);
    await world.press('carol', notice as Shown, switchOf(notice)?.callback_data ?? '', direct('carol'));
    await world.run();
    world.later(2 * MINUTE);
    await pay('alice', '/tip @carol 5');
    expect(await said()).toHaveLength(1);
  });
});

describe('small escrows of strangers', () => {
  test('are one message a day with their number and sum; one of a dollar, and one of somebody known, is told at once', async () => {
    const said = await listen('carol');
    await pay('shop', '/tip @carol 0.50');
    await pay('shop', '/tip @carol 0.75');
    expect(await said()).toEqual([]);
    world.later(DAY - 3_700_000);
    await world.notify();
    expect(await said()).toEqual([]);
    world.later(3_700_000);
    await Promise.all([postDailyReceived(world.ctx), postDailyReceived(world.ctx)]);
    await world.notify();
    expect(textOf(await said())).toEqual([
      expect.stringMatching(/^🎁 2 small gifts today: 1\.25 USDC\. Claim them by /),
    ]);
    await world.freshPrices();
    await pay('shop', '/tip @carol 0.50');
    expect(await said()).toHaveLength(1);
    await pay('shop', '/tip @carol 1');
    expect(await said()).toHaveLength(2);
    world.later(2 * MINUTE);
    await pay('shop', '/tip @carol 0.60');
    expect((await said()).at(-1)?.text).toMatch(/^🎁 0\.60 USDC from @shop for you\./);
    world.later(DAY);
    await world.notify();
    expect((await said()).at(-1)?.text).toMatch(/^🎁 One small gift today: 0\.50 USDC\./);
  });

  test('of strangers no note is shown', async () => {
    const said = await listen('carol');
    const id = await tipOf('bob', null, {
      usd: 5_000_000n,
      slug: `telegram:id:${direct('carol')}`,
      memo: 'visit evil.com',
    });
    await world.ctx.db.$transaction((tx) => noteReceived(world.ctx, tx, [id]));
    await world.notify();
    expect((await said())[0]?.text).toMatch(/from @bob for you/);
    expect((await said())[0]?.text).not.toContain('visit');
  });
});

test('a thousand payments to one person within a minute are one message, edited a bounded number of times', async () => {
  const said = await listen('bob');
  const ids: string[] = [];
  for (let i = 0; i < 1_000; i++) ids.push(await tipOf(i % 2 ? 'alice' : 'shop', 'bob', { usd: 1_000_000n }));
  const versions: number[] = [];
  const began = world.ctx.clock.now();
  // Real time counts as well: what is left of the minute is for a slow machine.
  for (let from = 0; from < ids.length; from += 50) {
    await world.ctx.db.$transaction((tx) => noteReceived(world.ctx, tx, ids.slice(from, from + 50)));
    await world.notify();
    const row = await world.ctx.db.reply.findFirstOrThrow({ where: { kind: 'received' }, orderBy: { id: 'desc' } });
    versions.push(row.sentVersion);
    world.later(1_000);
  }
  const seconds = (world.ctx.clock.now() - began) / 1_000;
  await edits();
  expect(textOf(await said())).toEqual(['You received 1,000.00 USDC from 2 people.']);
  expect(new Set(versions).size).toBeLessThanOrEqual(seconds / 3 + 1);
});

let made = 0;
type Made = { usd: bigint; slug?: string; platform?: string; memo?: string };
/** The rows of a payment that is final. @returns its leg's id */
async function tipOf(sender: string, recipient: string | null, { usd, slug, platform = 'telegram', memo }: Made) {
  made += 1;
  const { db, clock } = world.ctx;
  const handles = await db.handle.findMany({ where: { slug: { in: [sender, recipient ?? ''] } } });
  const idOf = (name: string) => handles.find((handle) => handle.slug === name)?.id ?? '';
  const at = new Date(clock.now());
  const person = localPerson(sender);
  const accounts = { telegram: person.telegram, discord: person.discord, x: person.x };
  const account = accounts[platform as keyof typeof accounts];
  const template = await db.tip.findFirstOrThrow({ include: { intent: true } });
  const { intent, ...tip } = template;
  const json = <T>(row: T) =>
    row as T & { [Field in keyof T]: T[Field] extends Row<'Intent'>['detail'] ? Json : T[Field] };
  const id = `tip_made${String(made).padStart(6, '0')}`;
  await db.intent.create({
    data: {
      ...json(intent),
      id: `int_made${made}`,
      inboxKey: `made:${made}`,
      platform,
      senderId: String(account.id),
      senderUsername: account.username,
      senderHandleId: idOf(sender),
      command: { kind: 'tip', ...(memo ? { memo } : {}) },
      detail: {},
      status: 'completed',
    },
  });
  await db.tip.create({
    data: {
      ...tip,
      id,
      intentId: `int_made${made}`,
      messageKey: `0xmade${made}`,
      senderHandleId: idOf(sender),
      recipientHandleId: recipient === null ? null : idOf(recipient),
      tabSlug: slug ?? null,
      tabDeadline: slug ? BigInt(Math.floor(clock.now() / 1_000) + 600_000) : null,
      units: String(usd),
      usdMicros: usd,
      status: 'settled',
      failure: undefined,
      outgoingTxId: null,
      createdAt: at,
      settledAt: at,
    } as never,
  });
  if (slug)
    await db.escrow.create({
      data: {
        ...((await db.escrow.findFirst()) ?? {}),
        id: `esc_made${made}`,
        chain: 'base',
        tabId: `0xmade${made}`,
        tipId: id,
        status: 'open',
        handleSlug: slug,
        deadline: BigInt(Math.floor(clock.now() / 1_000) + 600_000),
      } as never,
    });
  return id;
}
