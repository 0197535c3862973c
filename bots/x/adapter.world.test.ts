// From a mention on X to the chain and back, over the real client and a server that speaks X's wire format.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { X_BOT } from '../../local/stack/people.ts';
import { linkSecret, redeemLink } from '../../src/services/accounts/connectLinks.ts';
import { pendingInbox } from '../../src/services/chat/inbox.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { createX } from './adapter.ts';
import { storeMentions } from './store.ts';

const usdc = (amount: string) => parseUnits(amount, 6);
const STRANGER = { id: '777000000000000001', username: 'stranger' };

let world: World;
beforeAll(async () => {
  world = await startWorld({ x: { env: { X_DAILY_BUDGET_USD: '1000' } } });
});
afterAll(() => world.stop());
// Every test begins in an hour of its own, so that limits of one do not reach into the next.
beforeEach(async () => {
  world.later(3_700_000);
  await world.x.clearFaults();
});

async function balances() {
  const who = ['alice', 'bob', 'shop', 'carol', 'treasury'];
  return Object.fromEntries(await Promise.all(who.map(async (name) => [name, await world.usdc(name)] as const)));
}
async function changes(work: () => Promise<unknown>) {
  const before = await balances();
  await work();
  const after = await balances();
  return Object.fromEntries(
    Object.entries(after)
      .map(([who, units]) => [who, units - (before[who] ?? 0n)] as const)
      .filter(([, change]) => change !== 0n),
  );
}
const PAID_ONE = { alice: -usdc('1.05'), bob: usdc('1'), treasury: usdc('0.05') };
const said = async (conversation: string) => (await world.x.botSaid(conversation)).map((post) => post.visible_text);
const cursor = () => world.ctx.db.cursor.findFirst({ where: { feed: 'mentions' } });

describe('a tip', () => {
  test('by mention pays exactly once and is answered by one reply to the post', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 5');
    const moved = await changes(() => world.run());
    expect(moved).toEqual({ alice: -usdc('5.1'), bob: usdc('5'), treasury: usdc('0.1') });
    const replies = await world.x.botSaid(post.conversation_id);
    expect(replies).toHaveLength(1);
    expect(replies[0]).toMatchObject({ in_reply_to_post_id: post.id });
    expect(replies[0]?.text).toMatch(/^@alice ✅ @alice tipped bob 5\.00 USDC \(fee \$0\.10\)\.\nReceipt \w{6}$/);
    await world.run();
    expect(await said(post.conversation_id)).toHaveLength(1);
  });

  test('is told at the first block that has it, and not again when it is final', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.x.poll();
    await world.x.ingest();
    await world.prepare();
    await world.reply();
    expect(await said(post.conversation_id)).toEqual([]);
    await world.settle();
    await world.watch();
    await world.reply();
    expect(await said(post.conversation_id)).toHaveLength(1);
    await world.mine(3);
    await world.watch();
    await world.reply();
    expect(await said(post.conversation_id)).toHaveLength(1);
  });

  test('as a reply goes to the author of that post: the names before it are context', async () => {
    const root = await world.x.post('bob', 'look what I made, @shop');
    const reply = await world.x.post('alice', '@ampersat_bot tip 1', { replyTo: root.id });
    expect(await changes(() => world.run())).toEqual(PAID_ONE);
    const [answer] = await world.x.botSaid(reply.conversation_id);
    expect(answer?.in_reply_to_post_id).toBe(reply.id);
    // Nobody but the one who typed it is named with an @, also not by X itself.
    expect(answer?.text.match(/@\w+/g)).toEqual(['@alice', '@alice']);
  });

  test.each([
    ['with a dot before the mention', '.@ampersat_bot tip @bob 1', {}],
    ['under a picture', '@ampersat_bot tip @bob 1', { pictures: 1 }],
  ])('%s pays as it stands', async (_name, text, more) => {
    const post = await world.x.post('alice', text, more);
    expect(await changes(() => world.run())).toEqual(PAID_ONE);
    expect(await said(post.conversation_id)).toHaveLength(1);
  });

  test('in a post that quotes another goes to whom it names, and the quoted author is nobody', async () => {
    const root = await world.x.post('shop', 'look what I made');
    await world.x.post('alice', '@ampersat_bot tip @bob 1', { quotes: root.id });
    expect(await changes(() => world.run())).toEqual(PAID_ONE);
    await world.x.post('carol', '@ampersat_bot tip 1', { quotes: root.id });
    expect(await changes(() => world.run())).toEqual({});
  });

  test('to two people pays both, in one reply with the sum of the fees', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob @shop 2 for lunch');
    const moved = await changes(() => world.run());
    expect(moved).toEqual({ alice: -usdc('4.1'), bob: usdc('2'), shop: usdc('2'), treasury: usdc('0.1') });
    const [answer] = await said(post.conversation_id);
    expect(answer).toMatch(/@alice gave bob, shop 2\.00 USDC each \(fees \$0\.10\)/);
    expect(answer).not.toContain('lunch');
  });

  test('to somebody without an account opens a tab for the account behind the name, and says so once', async () => {
    await world.x.post(STRANGER, 'hello');
    const post = await world.x.post('alice', '@ampersat_bot tip @stranger 2');
    expect(await changes(() => world.run())).toEqual({ alice: -usdc('2') });
    const escrow = await world.ctx.db.escrow.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
    expect(escrow.handleSlug).toBe(`x:id:${STRANGER.id}`);
    const answers = await said(post.conversation_id);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatch(/^🎁 2\.00 USDC for stranger, from @alice\.\nClaim it within 7 days/);
  });

  test('split is told in one reply, each with their part', async () => {
    const post = await world.x.post('alice', '@ampersat_bot split 3 @bob @shop');
    const moved = await changes(() => world.run());
    expect(moved).toEqual({ alice: -usdc('3.1'), bob: usdc('1.5'), shop: usdc('1.5'), treasury: usdc('0.1') });
    expect(await said(post.conversation_id)).toEqual([
      expect.stringMatching(/^✅ @alice gave bob, shop 1\.50 USDC each \(fees \$0\.10\)\.\nReceipt/),
    ]);
  });

  test('sent to an address lands there', async () => {
    const to = '0x52908400098527886E0F7030069857D2E4169EE7';
    const post = await world.x.post('alice', `@ampersat_bot send ${to} 3`);
    expect(await changes(() => world.run())).toEqual({ alice: -usdc('3.05'), treasury: usdc('0.05') });
    expect((await said(post.conversation_id))[0]).toMatch(/@alice sent 0x5290…9EE7 3\.00 USDC/);
  });

  test('in a long post is read whole: what stands behind its visible part counts', async () => {
    const text = `@ampersat_bot tip @bob 1 for ${'a very long note '.repeat(20)}@shop 50`;
    await world.x.post('alice', text);
    const entry = async () => (await pendingInbox(world.ctx, 'x', 10)).at(-1)?.entry;
    await world.x.poll();
    const stored = await entry();
    expect(JSON.stringify(stored)).toContain('@shop 50');
    const moved = await changes(() => world.run());
    expect(moved['shop']).toBeUndefined();
  });

  test('typed more than ten minutes ago asks again and never pays', async () => {
    // An author gets one answer of this kind a day.
    world.later(24 * 3_600_000);
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 5');
    world.later(11 * 60_000);
    expect(await changes(() => world.run())).toEqual({});
    expect((await said(post.conversation_id))[0]).toContain('more than 10 minutes late');
  });

  test('of no concern to the bot is neither stored nor answered', async () => {
    const before = await world.ctx.db.inbox.count();
    const root = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.run();
    await world.x.post('bob', 'thanks!', { replyTo: root.id });
    await world.x.post('bob', 'RT @alice: @ampersat_bot tip @bob 1', { reposts: root.id });
    expect(await changes(() => world.run())).toEqual({});
    expect(await world.ctx.db.inbox.count()).toBe(before + 1);
  });
});

describe('what stands in the way is told once, and nothing is taken', () => {
  // An author gets one such answer a day.
  beforeEach(() => world.later(24 * 3_600_000));

  const refusals: [string, string, RegExp][] = [
    ['no amount', '@ampersat_bot tip @bob', /How much\?/],
    ['an amount that reads in two ways', '@ampersat_bot tip @bob 1,000', /wasn’t sure about/],
    ['a handle that does not exist', '@ampersat_bot tip ghost@ampersat 5', /There’s no ghost@ampersat/],
    ['oneself', '@ampersat_bot tip @alice 5', /can’t tip yourself/],
    ['a wish for help', '@ampersat_bot help', /^Reply to a post with my name and “tip 5”\..*\nRef \w{6}$/s],
  ];
  test.each(refusals)('%s', async (_name, text, answer) => {
    const post = await world.x.post('alice', text);
    expect(await changes(() => world.run())).toEqual({});
    const answers = await said(post.conversation_id);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatch(answer);
  });

  test('figures go to the direct messages only', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 100');
    expect(await changes(() => world.run())).toEqual({});
    expect((await said(post.conversation_id))[0]).toContain('I’ve messaged you why');
    expect((await world.x.dms('alice')).at(-1)?.text).toContain('Your limit per command is $100');
  });

  test('a sender without an account is told where to connect, without a link', async () => {
    const post = await world.x.post(STRANGER, '@ampersat_bot tip @bob 5');
    expect(await changes(() => world.run())).toEqual({});
    const [answer] = await said(post.conversation_id);
    expect(answer).toMatch(/^Saved for 24 hours\. Connect X on the page in my profile/);
    expect(answer).not.toMatch(/https?:/);
    const balance = await world.x.post(STRANGER, '@ampersat_bot balance');
    await world.run();
    expect((await said(balance.conversation_id))[0]).toMatch(/^Connect your wallet first/);
  });

  test('somebody whom X does not know can be kept money for, on the one page that a post links', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @nobody_here 5');
    expect(await changes(() => world.run())).toEqual({});
    const [answer] = await said(post.conversation_id);
    expect(answer).toMatch(/nobody_here/);
    expect(answer).toMatch(/\nhttp:\/\/\S+\/tabs\/new\?\S+$/);
  });

  test('a post that was edited before it was first read', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.x.post('alice', '@ampersat_bot tip @bob 9', { edit: post.id });
    expect(await changes(() => world.run())).toEqual({});
    expect((await said(post.conversation_id))[0]).toContain('You edited that post before I read it');
  });
});

describe('the same post', () => {
  test('in polls that overlap pays once and is answered once', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    const other = await createX(world.ctx, X_BOT.refreshToken, () => {});
    const moved = await changes(async () => {
      await Promise.all([world.x.poll(), other.poll()]);
      await world.run();
      await world.ctx.db.cursor.deleteMany();
      await Promise.all([world.x.poll(), other.poll()]);
      await world.run();
    });
    expect(moved).toEqual(PAID_ONE);
    expect(await said(post.conversation_id)).toHaveLength(1);
  });

  test('edited after it was read changes nothing', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    const moved = await changes(async () => {
      await world.run();
      await world.x.post('alice', '@ampersat_bot tip @bob 50', { edit: post.id });
      await world.run();
    });
    expect(moved).toEqual(PAID_ONE);
    expect(await said(post.conversation_id)).toHaveLength(1);
  });

  test('stored before a kill, with the place in the feed not moved, is neither lost nor repeated', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    const before = await cursor();
    const shown = {
      id: post.id,
      text: '@ampersat_bot tip @bob 1',
      author_id: '120000000000000001',
      conversation_id: post.conversation_id,
      edit_history_tweet_ids: [post.id],
      display_text_range: [0, 24] as [number, number],
      entities: {
        mentions: [
          { start: 0, end: 13, username: 'ampersat_bot', id: X_BOT.id },
          { start: 18, end: 22, username: 'bob', id: '120000000000000002' },
        ],
      },
    };
    const users = [{ id: '120000000000000001', username: 'alice', name: 'alice' }];
    await storeMentions(world.ctx, { posts: [shown as never], users }, X_BOT);
    await world.ctx.db.cursor.updateMany({ data: { value: before?.value ?? '1' } });
    await world.x.restart();
    expect(await changes(() => world.run())).toEqual(PAID_ONE);
    expect(await said(post.conversation_id)).toHaveLength(1);
    expect((await cursor())?.value).toBe(post.id);
  });
});

describe('pages', () => {
  test('are read to the end and taken in oldest first', async () => {
    const posts = [];
    for (let index = 0; index < 12; index++) {
      const someone = { id: `77700000000000010${index}`, username: `someone_${index}` };
      posts.push(await world.x.post(someone, `@ampersat_bot help ${index}`));
    }
    const small = await world.ctx.db.xBudgetDay.count();
    expect(small).toBeGreaterThan(0);
    // The budget has room for pages of five only.
    const { X_DAILY_BUDGET_USD } = world.ctx.env;
    const spent = (await world.ctx.db.xBudgetDay.findMany({ orderBy: { day: 'desc' }, take: 1 }))[0]?.spentMicros ?? 0n;
    world.ctx.env.X_DAILY_BUDGET_USD = (Number(spent) / 1_000_000 + 0.6) / 0.95;
    await world.x.poll();
    world.ctx.env.X_DAILY_BUDGET_USD = X_DAILY_BUDGET_USD;
    await world.x.poll();
    const entries = await pendingInbox(world.ctx, 'x', 100);
    expect(entries.map(({ key }) => key.split(':').at(-1))).toEqual(posts.map(({ id }) => id));
    expect((await cursor())?.value).toBe(posts.at(-1)?.id);
    await world.run();
  });

  test('that fail in the middle are gone on with, and nothing is skipped', async () => {
    const before = await world.x.meter();
    const posts = [];
    for (let index = 0; index < 102; index++) posts.push(await world.x.post(STRANGER, `@ampersat_bot help ${index}`));
    await world.x.fault({ method: 'mentions', status: 200, times: 1 });
    await world.x.fault({ method: 'mentions', status: 503, times: 1 });
    expect(await world.x.poll()).toBe('failed');
    expect(await world.ctx.db.inbox.count({ where: { status: 'received' } })).toBe(0);
    world.later(10_000);
    expect(await world.x.poll()).toBe('stored');
    expect(await world.ctx.db.inbox.count({ where: { status: 'received' } })).toBe(102);
    // The first page was paid for once.
    const after = await world.x.meter();
    expect((after.calls['mentions']?.micros ?? 0) - (before.calls['mentions']?.micros ?? 0)).toBe(
      102 * 5_000 + 2 * 10_000,
    );
    await world.run();
  });
});

describe('a question', () => {
  test('above 50 USD is asked in words, and a yes of the same person pays once', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 60');
    expect(await changes(() => world.run())).toEqual({});
    const [question] = await world.x.botSaid(post.conversation_id);
    expect(question?.visible_text).toMatch(/^Send 60\.00 USDC to bob \(fee \$0\.10, on Base\)\?/);
    expect(question?.visible_text.split('\n').at(-1)).toMatch(/^Reply yes or no within 10 minutes/);
    const moved = await changes(async () => {
      await world.x.post('alice', 'Yes!', { replyTo: question?.id ?? '' });
      await world.run();
      await world.x.post('alice', 'yes', { replyTo: question?.id ?? '' });
      await world.run();
    });
    expect(moved).toEqual({ alice: -usdc('60.1'), bob: usdc('60'), treasury: usdc('0.1') });
    const answers = await world.x.botSaid(post.conversation_id);
    expect(answers).toHaveLength(2);
    expect(answers[1]).toMatchObject({ in_reply_to_post_id: post.id });
    expect(answers[1]?.visible_text).toContain('@alice tipped bob 60.00 USDC');
  });

  test('is not answered by somebody else, by other words, or by a late yes', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 60');
    await world.run();
    const question = (await world.x.botSaid(post.conversation_id))[0]?.id ?? '';
    const moved = await changes(async () => {
      await world.x.post('bob', 'yes', { replyTo: question });
      await world.x.post('alice', 'yes but less', { replyTo: question });
      await world.x.post('alice', 'yes', { replyTo: post.id });
      await world.run();
      world.later(11 * 60_000);
      await world.x.post('alice', 'yes', { replyTo: question });
      await world.run();
    });
    expect(moved).toEqual({});
    expect(await said(post.conversation_id)).toHaveLength(1);
  });

  test('answered with no is cancelled', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 60');
    await world.run();
    const question = (await world.x.botSaid(post.conversation_id))[0]?.id ?? '';
    await world.x.post('alice', 'no', { replyTo: question });
    expect(await changes(() => world.run())).toEqual({});
    expect((await said(post.conversation_id)).at(-1)).toMatch(/^Cancelled\.\nRef \w{6}$/);
  });

  test('whose posting was answered by nobody is asked again in other words, and can be answered', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 60');
    await world.x.fault({ method: 'createPost', status: 0, accept: true });
    await world.run();
    world.later(5_000);
    await world.run();
    const questions = await world.x.botSaid(post.conversation_id);
    expect(questions).toHaveLength(2);
    await world.x.post('alice', 'yes', { replyTo: questions[1]?.id ?? '' });
    expect(await changes(() => world.run())).toEqual({
      alice: -usdc('60.1'),
      bob: usdc('60'),
      treasury: usdc('0.1'),
    });
  });
});

describe('connecting', () => {
  test('gives the link in a direct message, asks there, and a yes there connects', async () => {
    const post = await world.x.post('dave', '@ampersat_bot connect');
    await world.run();
    world.later(3_000);
    await world.run();
    const [pointer] = await said(post.conversation_id);
    expect(pointer).toMatch(/I’ve sent you a link in a direct message/);
    const link = await world.ctx.db.link.findFirstOrThrow({ where: { platform: 'x' }, orderBy: { createdAt: 'desc' } });
    const secret = linkSecret(world.ctx, link.id);
    expect((await world.x.dms('dave')).at(-1)?.text).toContain(`/connect#${secret}`);
    expect(JSON.stringify(await world.x.posts(post.conversation_id))).not.toContain(secret);
    const reads = (await world.x.meter()).calls['dmEvents']?.count ?? 0;
    expect(reads).toBe(0);

    const carol = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'carol' } });
    await redeemLink(world.ctx, secret, { sessionId: 'session', handleId: carol.id });
    await world.run();
    const question = (await world.x.dms('dave')).at(-1)?.text ?? '';
    expect(question).toContain('carol@ampersat');
    expect(question).toContain('Answer yes or no here');
    await world.x.dm('dave', 'yes');
    await world.run();
    const connection = await world.ctx.db.connection.findFirst({ where: { platform: 'x', handleId: carol.id } });
    expect(connection).toMatchObject({ platformUserId: '120000000000000004', canSpend: false });
    expect((await world.x.dms('dave')).at(-1)?.text).toMatch(/^✅ Connected to carol@ampersat/);
    const after = (await world.x.meter()).calls['dmEvents']?.count ?? 0;
    await world.run();
    expect((await world.x.meter()).calls['dmEvents']?.count ?? 0).toBe(after);
  });

  test('of somebody who cannot be written to points to the profile, once', async () => {
    const closed = { id: '777000000000000002', username: 'closed_one' };
    await world.x.user('posts', { author: closed, text: 'hello' });
    await world.x.user('closed', { user_id: closed.id });
    const post = await world.x.post(closed, '@ampersat_bot connect');
    await world.run();
    world.later(3_000);
    await world.run();
    const answers = await said(post.conversation_id);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatch(/Open the page in my profile/);
  });
});

describe('when X', () => {
  test('limits us, it is waited for as long as it says, and the tip is told once', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.x.fault({ method: 'createPost', status: 429, retry_after: 600 });
    expect(await changes(() => world.run())).toEqual(PAID_ONE);
    expect(await said(post.conversation_id)).toEqual([]);
    world.later(590_000);
    await world.run();
    expect(await said(post.conversation_id)).toEqual([]);
    world.later(20_000);
    expect(await changes(() => world.run())).toEqual({});
    expect(await said(post.conversation_id)).toHaveLength(1);
  });

  test('limits reading, nothing is asked before the time that it names', async () => {
    await world.x.fault({ method: 'mentions', status: 429, retry_after: 300 });
    expect(await world.x.poll()).toBe('failed');
    const reads = (await world.x.meter()).requests;
    expect(await world.x.poll()).toBe('waits');
    expect((await world.x.meter()).requests).toBe(reads);
    world.later(310_000);
    expect(await world.x.poll()).toBe('nothing');
  });

  test.each([
    ['answers 503', { status: 503 }],
    ['cuts the connection', { status: 0 }],
    ['takes the post and loses the answer', { status: 0, accept: true }],
    ['takes the post and says 500', { status: 500, accept: true }],
  ])('%s to a reply, it stands there once', async (_name, fault) => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.x.fault({ method: 'createPost', ...fault });
    expect(await changes(() => world.run())).toEqual(PAID_ONE);
    world.later(5_000);
    expect(await changes(() => world.run())).toEqual({});
    expect(await said(post.conversation_id)).toHaveLength(1);
  });

  test('hangs, nobody waits for ever', async () => {
    const timeout = AbortSignal.timeout;
    AbortSignal.timeout = () => timeout.call(AbortSignal, 300);
    try {
      await world.x.fault({ method: 'mentions', status: 200, delay_ms: 5_000 });
      const started = Date.now();
      expect(await world.x.poll()).toBe('failed');
      expect(Date.now() - started).toBeLessThan(4_000);
    } finally {
      AbortSignal.timeout = timeout;
    }
  });

  test('refuses a reply for good, the tip stays paid', async () => {
    await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.x.fault({ method: 'createPost', status: 403, description: 'You are not permitted to reply here.' });
    expect(await changes(() => world.run())).toEqual(PAID_ONE);
    expect(await changes(() => world.run())).toEqual({});
  });
});
