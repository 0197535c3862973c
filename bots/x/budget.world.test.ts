// The daily budget of X over the real client: what is set aside and charged, the halt, receipts meanwhile, and the one look after midnight.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { X_BOT } from '../../local/stack/people.ts';
import { untilMidnight, utcDay } from '../../src/domain/xBudget.ts';
import { budgetToday, reserve, settleReservation } from '../../src/services/chat/xBudget.ts';
import { evaluateAlerts } from '../../src/services/operations/alertChecks.ts';
import { readFigures } from '../../src/services/operations/metrics.ts';
import { readOverview } from '../../src/services/operations/overview.ts';
import { listResumes, resumeX } from '../../src/services/operations/xResume.ts';
import { localPerson, startWorld, type World } from '../../test/setup/world.ts';
import { createX } from './adapter.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ x: true });
});
afterAll(() => world.stop());
/** Every test has a day of its own, whose first look has gone well. */
beforeEach(async () => {
  await world.x.clearFaults();
  await world.x.user('credits', { micros: null });
  nextDay();
  await world.ctx.db.xBudgetDay.deleteMany();
  await world.run();
  expect(await world.x.poll()).toBe('nothing');
});

function nextDay(): void {
  world.later(untilMidnight(world.ctx.clock.now()) + 1_000);
}
const today = () => budgetToday(world.ctx);
const spend = (micros: bigint) =>
  world.ctx.db.xBudgetDay.update({ where: { day: utcDay(world.ctx.clock.now()) }, data: { spentMicros: micros } });
const reads = async () => (await world.x.meter()).calls['mentions']?.count ?? 0;
const said = async (conversation: string) => (await world.x.botSaid(conversation)).map((post) => post.visible_text);

describe('the ledger', () => {
  test('says what X charges, to the millionth', async () => {
    const before = await world.x.meter();
    const spent = (await today()).spent;
    await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.x.post('alice', '@ampersat_bot tip');
    await world.run();
    const after = await world.x.meter();
    expect(after.micros - before.micros).toBeGreaterThan(0);
    const { spent: now, reserved } = await today();
    expect(Number(now - spent)).toBe(after.micros - before.micros);
    expect(reserved).toBe(0n);
  });

  test('counts a call that may have happened as if it had', async () => {
    await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.x.fault({ method: 'createPost', status: 0, accept: true });
    const spent = (await today()).spent;
    await world.run();
    world.later(3_000);
    await world.run();
    // The post, its author, and two tries of one answer: the second was refused as a duplicate, which costs nothing.
    expect((await today()).spent - spent).toBe(5_000n + 10_000n + 15_000n);
  });

  test('holds what was set aside by somebody who died with it', async () => {
    expect(await reserve(world.ctx, 'owed', 1_000_000n)).not.toBeNull();
    expect((await today()).reserved).toBe(1_000_000n);
  });

  test('lets two hundred at once set aside what they need, and not one more than fits', async () => {
    await spend(9_000_000n);
    const given = await Promise.all(Array.from({ length: 200 }, () => reserve(world.ctx, 'owed', 15_000n)));
    const got = given.filter((one) => one !== null);
    expect(got).toHaveLength(66);
    for (const one of got) await settleReservation(world.ctx, one, 0n, 'well');
    expect(await today()).toMatchObject({ reserved: 0n, spent: 9_000_000n });
  });
});

describe('an outage of X', () => {
  /** A look after whatever pause the last one asked for. */
  const lookAgain = async () => {
    world.later(61_000);
    return world.x.poll();
  };

  test.each([
    ['503', { status: 503 }],
    ['cut connections', { status: 0 }],
    ['answers that are lost', { status: 0, accept: true }],
  ])('with %s for 50 looks in a row is booked as one page, and reading goes on', async (_name, fault) => {
    await world.x.post('alice', '@ampersat_bot tip @bob 1');
    const { spent } = await today();
    await world.x.fault({ method: 'mentions', times: 50, ...fault });
    for (let look = 0; look < 50; look++) expect(await lookAgain()).toBe('failed');
    expect((await today()).spent - spent).toBe(100n * 5_000n + 100n * 10_000n);
    expect(await today()).toMatchObject({ state: 'closed', reserved: 0n });
    expect(await lookAgain()).toBe('stored');
    // The page is known now: it was one post, which X charges for once a day; that the lost answers were another charge stays booked.
    expect((await today()).spent - spent).toBe(2n * (5_000n + 10_000n));
  });

  test('that comes and goes costs what there was to read, not a page each time', async () => {
    const { spent } = await today();
    for (let time = 0; time < 20; time++) {
      await world.x.fault({ method: 'mentions', status: 503 });
      expect(await lookAgain()).toBe('failed');
      expect(await lookAgain()).toBe('nothing');
    }
    expect((await today()).spent).toBe(spent);
  });

  test('is booked once, also by processes that come and go', async () => {
    const { spent } = await today();
    await world.x.fault({ method: 'mentions', status: 503, times: 12 });
    for (let time = 0; time < 12; time++) {
      await world.x.restart();
      expect(await world.x.poll()).toBe('failed');
    }
    // Each new process asks who it is.
    expect((await today()).spent - spent).toBe(1_500_000n + 12n * 10_000n);
  });

  test('is asked about less and less, at least once a minute', async () => {
    await world.x.fault({ method: 'mentions', status: 503, times: 200 });
    let looks = 0;
    for (let second = 0; second < 600; second += 5) {
      if ((await world.x.poll()) === 'failed') looks += 1;
      world.later(5_000);
    }
    expect(looks).toBeGreaterThanOrEqual(10);
    expect(looks).toBeLessThanOrEqual(30);
    await world.x.clearFaults();
    expect(await lookAgain()).toBe('nothing');
    await world.x.fault({ method: 'mentions', status: 503 });
    expect(await lookAgain()).toBe('failed');
    world.later(5_000);
    expect(await world.x.poll()).toBe('nothing');
  });

  test('of direct messages alone costs one page of them', async () => {
    const { db } = world.ctx;
    await world.x.post('dave', '@ampersat_bot connect');
    await world.run();
    await db.link.updateMany({ data: { status: 'redeemed', expiresAt: new Date(world.ctx.clock.now() + 9e6) } });
    await world.run();
    const { spent } = await today();
    await world.x.fault({ method: 'dmEvents', status: 503, times: 40 });
    for (let look = 0; look < 40; look++) expect(await lookAgain()).toBe('nothing');
    expect((await today()).spent - spent).toBe(10n * 10_000n);
    // What was read is charged once a day, however often it is looked at.
    for (let look = 0; look < 20; look++) await lookAgain();
    expect((await today()).spent - spent).toBeLessThanOrEqual(10n * 10_000n);
    await db.link.updateMany({ data: { status: 'declined' } });
  });
});

describe('a halt that an operator ends', () => {
  const halted = async (micros = 9_480_000n) => {
    await spend(micros);
    expect(await world.x.poll()).toBe('halted');
  };
  const withBudget = async (usd: number, work: () => Promise<unknown>) => {
    const before = world.ctx.env.X_DAILY_BUDGET_USD;
    world.ctx.env.X_DAILY_BUDGET_USD = usd;
    await work();
    world.ctx.env.X_DAILY_BUDGET_USD = before;
  };

  test('of the budget: refused without room, with the budget that is needed', async () => {
    await halted(9_960_000n);
    await expect(resumeX(world.ctx, 'test')).rejects.toThrow(
      /no room: 9\.96 of 10\.00 USD are spent .* Set X_DAILY_BUDGET_USD of the bots to 10\.65 or more and restart them/,
    );
    expect(await world.x.poll()).toBe('halted');
    await withBudget(10.64, async () => expect(await world.x.poll()).toBe('halted'));
    await withBudget(10.65, async () => expect(await world.x.poll()).toBe('nothing'));
  });

  test('of the budget: a raised one ends it by itself, and both are on record', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await halted();
    await withBudget(20, async () => {
      expect(await world.x.poll()).toBe('stored');
      expect(await today()).toMatchObject({ state: 'closed', halted: null, budget: 20_000_000n });
      await world.run();
    });
    expect((await said(post.conversation_id))[0]).toContain('tipped bob 1.00 USDC');
    expect(await listResumes(world.ctx, 1)).toEqual([
      { at: expect.any(String), by: 'the raised budget', halted: 'budget' },
    ]);
    await evaluateAlerts(world.ctx);
    expect(await world.ctx.db.alert.count({ where: { kind: 'x_halted', resolvedAt: null } })).toBe(0);
  });

  test('of the budget: by a press, where room came back', async () => {
    await halted();
    await spend(1_000_000n);
    expect(await world.x.poll()).toBe('halted');
    await resumeX(world.ctx, 'operator one');
    expect(await world.x.poll()).toBe('nothing');
    expect(await listResumes(world.ctx, 1)).toMatchObject([{ by: 'operator one', halted: 'budget' }]);
    await expect(resumeX(world.ctx, 'operator one')).rejects.toThrow('X is not halted');
  });

  test('of credits: not by a raised budget, at once by a press, and one look goes first', async () => {
    await world.x.user('credits', { micros: 0 });
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    expect(await world.x.poll()).toBe('failed');
    await world.x.user('credits', { micros: null });
    await withBudget(20, async () => expect(await world.x.poll()).toBe('halted'));
    await resumeX(world.ctx, 'test');
    expect((await today()).state).toBe('half_open');
    expect(await world.x.poll()).toBe('stored');
    expect((await today()).state).toBe('closed');
    await world.run();
    expect((await said(post.conversation_id))[0]).toContain('tipped bob 1.00 USDC');
  });

  test('of credits, ended too early, halts again', async () => {
    await world.x.user('credits', { micros: 0 });
    expect(await world.x.poll()).toBe('failed');
    await resumeX(world.ctx, 'test');
    expect(await world.x.poll()).toBe('failed');
    expect(await today()).toMatchObject({ state: 'open', halted: 'credits' });
  });
});

describe('one author', () => {
  const LOUD = { id: '777000000000000077', username: 'loud' };
  const people = ['alice', 'bob', 'shop', 'carol'];
  const authorRow = () =>
    world.ctx.db.xAuthorDay.findFirstOrThrow({ where: { authorId: LOUD.id }, orderBy: { day: 'desc' } });

  test.each([
    ['help', '@ampersat_bot help', 1],
    ['errors', '@ampersat_bot tip @alice', 1],
    ['chatter', '@ampersat_bot is lovely, thanks', 0],
    ['chatter that names somebody', '@ampersat_bot meet @alice', 0],
    ['tips of a stranger', '@ampersat_bot tip @alice 1', 2],
    ['balances', '@ampersat_bot balance', 1],
  ])(
    'posting 300 times (%s) is answered as the rule says, and others are served all day',
    async (_name, text, most) => {
      const before = await world.x.meter();
      const { spent } = await today();
      const loud: string[] = [];
      const tips: string[] = [];
      for (let hour = 0; hour < 23; hour++) {
        for (let time = 0; time < 13; time++) {
          loud.push((await world.x.post(LOUD, `${text} ${' '.repeat(time)}`)).conversation_id);
          if (time % 4 === 0) await world.x.poll();
        }
        if (hour % 4 === 0) tips.push((await world.x.post('alice', '@ampersat_bot tip @bob 0.5')).conversation_id);
        await world.run();
        world.later(3_600_000 - 30_000);
      }
      expect(loud).toHaveLength(299);
      const toLoud = (await Promise.all(loud.map(said))).flat();
      expect(toLoud.length).toBeLessThanOrEqual(most);
      for (const tip of tips) expect((await said(tip))[0]).toContain('tipped bob 0.50 USDC');
      const { state, halted, spent: now } = await today();
      expect({ state, halted }).toEqual({ state: 'closed', halted: null });
      expect(Number(now - spent)).toBe((await world.x.meter()).micros - before.micros);
    },
    120_000,
  );

  test('over the share: posts are stored as ignored, in one page with the posts of others, which are served', async () => {
    for (let time = 0; time < 60; time++) await world.x.post(LOUD, `@ampersat_bot balance ${' '.repeat(time)}`);
    const tips = [];
    for (const who of people.slice(0, 1))
      tips.push((await world.x.post(who, '@ampersat_bot tip @bob 1')).conversation_id);
    for (let time = 0; time < 60; time++) await world.x.post(LOUD, `@ampersat_bot balance ${' '.repeat(time)}`);
    await world.run();
    for (const tip of tips) expect((await said(tip))[0]).toContain('tipped bob 1.00 USDC');
    const row = await authorRow();
    expect(row.posts).toBe(120);
    expect(row.ignored).toBeGreaterThan(80);
    const ignored = await world.ctx.db.inbox.count({ where: { outcome: 'ignored', status: 'done' } });
    expect(ignored).toBeGreaterThanOrEqual(row.ignored);
  });
});

describe('a budget that is nearly used', () => {
  test('is warm from 80 %: tips go on, errors are not answered', async () => {
    await spend(8_000_000n);
    expect((await today()).state).toBe('warm');
    const wrong = await world.x.post('bob', '@ampersat_bot tip @alice');
    const right = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.run();
    expect(await said(wrong.conversation_id)).toEqual([]);
    expect((await said(right.conversation_id))[0]).toContain('tipped bob 1.00 USDC');
  });

  test('drops the one address that a post may have', async () => {
    await spend(8_000_000n);
    const post = await world.x.post('alice', '@ampersat_bot tip @nobody_here 1');
    await world.run();
    const [answer] = await said(post.conversation_id);
    expect(answer).toContain('nobody_here');
    expect(answer).not.toMatch(/https?:/);
  });

  test('halts reading before it is used up, while what was taken in is still paid and answered', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.x.poll();
    await spend(9_480_000n);
    await world.x.post('alice', '@ampersat_bot tip @bob 2');
    expect(await world.x.poll()).toBe('halted');
    const looks = await reads();
    await world.run();
    expect((await said(post.conversation_id))[0]).toContain('tipped bob 1.00 USDC');
    expect(await reads()).toBe(looks);
    expect(await today()).toMatchObject({ state: 'open', halted: 'budget' });
    // Also when room comes back that day: what was said to be halted stays so until midnight.
    await spend(0n);
    expect(await world.x.poll()).toBe('halted');
  });

  test('halts when X has no credit, and takes up after midnight with exactly one look', async () => {
    const alice = await world.usdc('alice');
    await world.x.user('credits', { micros: 0 });
    const late = await world.x.post('alice', '@ampersat_bot tip @bob 5');
    expect(await world.x.poll()).toBe('failed');
    expect(await today()).toMatchObject({ state: 'open', halted: 'credits' });
    await world.x.user('credits', { micros: null });
    const looks = await reads();
    for (let hour = 0; hour < 3; hour++) {
      world.later(3_600_000);
      expect(await world.x.poll()).toBe('halted');
    }
    expect(await reads()).toBe(looks);

    nextDay();
    const others = await Promise.all([1, 2].map(() => createX(world.ctx, X_BOT.refreshToken, () => {})));
    await world.x.fault({ method: 'mentions', status: 503, delay_ms: 300 });
    const results = await Promise.all([world.x.poll(), ...others.map((other) => other.poll())]);
    expect(results.sort()).toEqual(['failed', 'waits', 'waits']);
    expect((await today()).state).toBe('half_open');
    world.later(6_000);
    const again = await Promise.all([world.x.poll(), ...others.map((other) => other.poll())]);
    expect(again.filter((result) => result === 'stored')).toHaveLength(1);
    expect((await today()).state).toBe('closed');

    // What was typed before the halt asks again and never pays.
    await world.run();
    expect(await world.usdc('alice')).toBe(alice);
    expect((await said(late.conversation_id))[0]).toContain('more than 10 minutes late');
  });

  test('halts anew when the look after midnight finds no credit either', async () => {
    await world.x.fault({ method: 'mentions', status: 403, description: 'SpendCapReached' });
    expect(await world.x.poll()).toBe('failed');
    expect((await today()).halted).toBe('credits');
    nextDay();
    await world.x.fault({ method: 'mentions', status: 402 });
    expect(await world.x.poll()).toBe('failed');
    expect(await today()).toMatchObject({ state: 'open', halted: 'credits' });
    world.later(31 * 60_000);
    expect(await world.x.poll()).toBe('halted');
  });

  test('is seen by operators: an alert that ends by itself, figures, and a chart of days', async () => {
    await spend(9_600_000n);
    expect(await world.x.poll()).toBe('halted');
    await evaluateAlerts(world.ctx);
    const open = () => world.ctx.db.alert.findMany({ where: { kind: 'x_halted', resolvedAt: null } });
    expect((await open())[0]?.detail).toMatchObject({
      message: expect.stringMatching(/^9\.60 of 10\.00 USD were spent on \d{4}-\d\d-\d\d\.$/),
    });
    const figures = await readFigures(world.ctx);
    const figureOf = (name: string) => figures.find((one) => one.name === name);
    expect(figureOf('ampersat_x_spent_usd')?.value).toBe(9.6);
    expect(figureOf('ampersat_x_budget_usd')?.value).toBe(10);
    expect(figureOf('ampersat_x_state')?.labels).toEqual({ state: 'open' });
    const { x } = await readOverview(world.ctx);
    expect(x).toMatchObject({ state: 'open', halted: 'budget', spent_usd: 9.6, budget_usd: 10 });
    expect(x?.days.at(-1)).toMatchObject({ halted: true, spent_usd: 9.6 });
    nextDay();
    expect(await world.x.poll()).toBe('nothing');
    await evaluateAlerts(world.ctx);
    expect(await open()).toEqual([]);
  });

  test('posts receipts again when there is credit again, without another payment', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.x.poll();
    await world.x.user('credits', { micros: 0 });
    const before = await world.usdc('bob');
    await world.run();
    expect((await world.usdc('bob')) - before).toBe(1_000_000n);
    expect(await said(post.conversation_id)).toEqual([]);
    await world.x.user('credits', { micros: null });
    world.later(31 * 60_000);
    await world.run();
    expect(await said(post.conversation_id)).toHaveLength(1);
    expect((await world.usdc('bob')) - before).toBe(1_000_000n);
  });
});

describe('beyond the share', () => {
  const spendShare = () =>
    world.ctx.db.xAuthorDay.updateMany({
      where: { authorId: localPerson('alice').x.id },
      data: { spentMicros: 500_000n },
    });
  const toBob = async (work: () => Promise<unknown>) => {
    const before = await world.usdc('bob');
    await work();
    return (await world.usdc('bob')) - before;
  };

  test('an accepted tip is paid and gets its receipt, a new one is ignored until the next day', async () => {
    const early = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.x.poll();
    await spendShare();
    const late = await world.x.post('alice', '@ampersat_bot tip @bob 2');
    expect(await toBob(() => world.run())).toBe(1_000_000n);
    expect((await said(early.conversation_id))[0]).toContain('tipped bob 1.00 USDC');
    expect(await said(late.conversation_id)).toEqual([]);
    nextDay();
    const again = await world.x.post('alice', '@ampersat_bot tip @bob 3');
    expect(await toBob(() => world.run())).toBe(3_000_000n);
    expect(await said(again.conversation_id)).toHaveLength(1);
  });

  test('the answer to an earlier question counts, and its receipt is posted', async () => {
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 60');
    await world.run();
    const [question] = await world.x.botSaid(post.conversation_id);
    await spendShare();
    await world.x.post('alice', 'yes', { replyTo: question?.id ?? '' });
    expect(await toBob(() => world.run())).toBe(60_000_000n);
    expect((await said(post.conversation_id)).at(-1)).toContain('tipped bob 60.00 USDC');
  });

  test('a raised budget raises the share at once', async () => {
    await world.x.post('alice', '@ampersat_bot help');
    await world.run();
    await spendShare();
    const before = world.ctx.env.X_DAILY_BUDGET_USD;
    world.ctx.env.X_DAILY_BUDGET_USD = 20;
    await world.x.post('alice', '@ampersat_bot tip @bob 1');
    expect(await toBob(() => world.run())).toBe(1_000_000n);
    world.ctx.env.X_DAILY_BUDGET_USD = before;
  });

  test('what others send to somebody uses nothing of theirs', async () => {
    const liked = { id: '777000000000000055', username: 'liked' };
    await world.x.post(liked, 'hello');
    for (const who of ['alice', 'shop']) await world.x.post(who, '@ampersat_bot tip @liked 1');
    await world.run();
    expect(await world.ctx.db.escrow.count({ where: { handleSlug: `x:id:${liked.id}` } })).toBe(2);
    expect(await world.ctx.db.xAuthorDay.count({ where: { authorId: liked.id } })).toBe(0);
  });

  // The last one: spending stays paused.
  test('a pause stops all spending, without an answer', async () => {
    await world.x.post('alice', '@ampersat_bot tip @bob 1');
    expect(await toBob(() => world.run())).toBe(1_000_000n);
    await spendShare();
    const pause = await world.x.post('alice', '@ampersat_bot pause');
    await world.run();
    expect(await said(pause.conversation_id)).toEqual([]);
    nextDay();
    await world.x.post('alice', '@ampersat_bot tip @bob 1');
    expect(await toBob(() => world.run())).toBe(0n);
  });
});
