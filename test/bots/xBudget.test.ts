// The daily budget of X over the real client: what is set aside and charged, the halt, receipts meanwhile, and the one look after midnight.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createX } from '../../bots/x.ts';
import { X_BOT } from '../../local/people.ts';
import { untilMidnight, utcDay } from '../../src/domain/xBudget.ts';
import { evaluateAlerts } from '../../src/services/alertChecks.ts';
import { readFigures } from '../../src/services/figures.ts';
import { readOverview } from '../../src/services/operations.ts';
import { budgetToday, reserve, settle } from '../../src/services/xBudget.ts';
import { startWorld, type World } from '../setup/world.ts';

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
    for (const one of got) await settle(world.ctx, one, 0n, 'well');
    expect(await today()).toMatchObject({ reserved: 0n, spent: 9_000_000n });
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
