// The leaderboard of a chat: only who joined, only what is final, only of this chat and month, and out at once.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { LEADERBOARD_MS, leaderboardOf } from './leaderboard.ts';

const DAY_MS = 24 * 3_600_000;
const idOf = (name: string) => localPerson(name).telegram.id;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(() => world.later(3_700_000));

/** Types, and gets an answer: no chain is needed for it. */
async function ask(name: string, text: string, chat = TELEGRAM_GROUP): Promise<string> {
  await world.type(name, text, { chat });
  await world.fetchUpdates();
  await world.ingest();
  await world.reply();
  return (await world.botSaid(chat)).at(-1)?.text ?? '';
}

describe('in a group', () => {
  test('nobody stands there unasked; who joins is shown with what they gave and received, fees left out', async () => {
    await world.say('alice', '/tip @bob 5');
    await world.say('bob', '/tip @alice 2');
    await world.say('alice', '/tip bob@ampersat 3');
    expect(await ask('alice', '/leaderboard')).toMatch(/^The leaderboard is empty\. \/leaderboard on/);
    expect(await ask('alice', '/leaderboard on')).toMatch(/^You’re on the leaderboard/);
    expect((await ask('bob', '/leaderboard')).split('\n')).toEqual([
      '🏆 Received most here in 30 days',
      '@alice: $2',
      'Gave most here in 30 days',
      '@alice: $8',
    ]);
    await ask('bob', '/leaderboard on');
    // That an Ampersat handle is Bob's is nobody's business, also when he joined.
    await ask('carol', '/leaderboard on');
    expect((await ask('alice', '/leaderboard')).split('\n')).toEqual([
      '🏆 Received most here in 30 days',
      '@bob: $5',
      '@alice: $2',
      'Gave most here in 30 days',
      '@alice: $8',
      '@bob: $2',
    ]);
  });

  test('who leaves is out at once, of this chat or of all', async () => {
    await ask('alice', '/leaderboard on');
    await ask('bob', '/leaderboard on');
    expect(await ask('bob', '/leaderboard off')).toMatch(/^You’re off the leaderboard/);
    expect(await ask('alice', '/leaderboard')).not.toContain('@bob');
    expect(await ask('alice', '/leaderboard off', idOf('alice'))).toMatch(/of all chats/);
    expect(await ask('alice', '/leaderboard')).not.toContain('@alice');
    expect(await world.ctx.db.leaderboardMember.count({ where: { platformUserId: String(idOf('alice')) } })).toBe(0);
  });

  test('words that are not understood change nothing', async () => {
    const before = await world.ctx.db.leaderboardMember.count();
    expect(await ask('shop', '/leaderboard on please')).toMatch(/^Sorry, I didn’t get that/);
    expect(await ask('shop', '/leaderbord on', idOf('shop'))).toMatch(/^Send dollars/);
    expect(await ask('shop', '/leaderboard on', idOf('shop'))).toMatch(/^Each group has its own leaderboard/);
    expect(await world.ctx.db.leaderboardMember.count()).toBe(before);
  });
});

const people = ['501', '502', '503', '504', '505', '506', '507'];
const person = fc.constantFrom(...people);
const legs = fc.array(
  fc.record({
    sender: person,
    recipient: person,
    cents: fc.integer({ min: 1, max: 10_000 }),
    feeCents: fc.constantFrom(0, 5, 10),
    status: fc.constantFrom('settled', 'settled', 'settled', 'mined', 'failed'),
    escrow: fc.constantFrom(null, null, 'open', 'claimed', 'refunded'),
    by: fc.constantFrom('id', 'reply', 'address', 'handle'),
    isOld: fc.boolean(),
    isElsewhere: fc.boolean(),
  }),
  { maxLength: 14 },
);
type Leg = typeof legs extends fc.Arbitrary<(infer One)[]> ? One : never;

test('any history adds up: exactly the final payments of this chat and month, of members, the most first', async () => {
  let run = 0;
  const unit = 10_000;
  await fc.assert(
    fc.asyncProperty(legs, fc.subarray(people), async (history, members) => {
      run += 1;
      const chatId = `-77${run}`;
      await store(history, chatId, run);
      const { db } = world.ctx;
      const joined = members.map((platformUserId) => ({ platform: 'telegram', chatId, platformUserId }));
      await db.leaderboardMember.createMany({ data: joined.map((one) => ({ ...one, joinedAt: new Date() })) });
      const counted = history.filter((leg) => leg.status === 'settled' && !leg.isOld && !leg.isElsewhere);
      const gave = counted.filter(({ escrow }) => escrow !== 'refunded');
      const received = counted.filter(
        ({ escrow, by }) => (escrow === null || escrow === 'claimed') && by !== 'address' && by !== 'handle',
      );
      const board = await leaderboardOf(world.ctx, 'telegram', chatId);
      expect(board.members).toBe(members.length);
      const shown = (lines: typeof board.gave) => lines.map(({ userId, usd }) => [userId, usd]);
      expect(shown(board.gave)).toEqual(
        top(
          members,
          gave.map((leg) => [leg.sender, leg.cents]),
        ),
      );
      expect(shown(board.received)).toEqual(
        top(
          members,
          received.map((leg) => [leg.recipient, leg.cents]),
        ),
      );
    }),
    { numRuns: 25 },
  );

  function top(members: string[], sums: [string, number][]): [string, string][] {
    const total = new Map<string, number>();
    for (const [who, cents] of sums) if (members.includes(who)) total.set(who, (total.get(who) ?? 0) + cents);
    return [...total]
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .slice(0, 4)
      .map(([who, cents]) => [who, (cents / 100).toFixed(2)]);
  }

  async function store(history: Leg[], chatId: string, mark: number): Promise<void> {
    const { db, clock } = world.ctx;
    const at = (leg: Leg) => new Date(clock.now() - (leg.isOld ? LEADERBOARD_MS + DAY_MS : DAY_MS));
    const name = (index: number) => `${mark}_${index}`;
    await db.intent.createMany({
      data: history.map((leg, index) => ({
        ...{ id: `int_${name(index)}`, inboxKey: `key:${name(index)}`, platform: 'telegram', botId: '1' },
        ...{ chatId: leg.isElsewhere ? '-1' : chatId, chatKind: 'group', messageId: '1', senderId: leg.sender },
        command: {
          kind: 'tip',
          recipients: [{ by: leg.by, value: leg.by === 'handle' ? 'x@ampersat' : leg.recipient }],
        },
        ...{ status: 'completed', acceptedAt: at(leg), validUntil: at(leg), nextAttemptAt: at(leg) },
      })),
    });
    await db.tip.createMany({
      data: history.map((leg, index) => ({
        ...{ id: `tip_${name(index)}`, intentId: `int_${name(index)}`, leg: 0, messageKey: `0x${name(index)}` },
        ...{ chain: 'base', senderHandleId: 'h', senderAddress: '0x1', recipientAddress: '0x2', recipientLabel: 'x' },
        ...{ tabSlug: leg.escrow && `telegram:id:${leg.recipient}`, asset: 'USDC', token: '0x3', decimals: 6 },
        ...{ units: leg.cents * unit, feeUnits: leg.feeCents * unit, status: leg.status },
        ...{ usdMicros: BigInt((leg.cents + leg.feeCents) * unit), validUntil: at(leg), createdAt: at(leg) },
      })),
    });
    await db.escrow.createMany({
      data: history.flatMap((leg, index) =>
        leg.escrow === null
          ? []
          : [
              {
                ...{
                  id: `esc_${name(index)}`,
                  chain: 'base',
                  tabId: `0x${name(index)}`,
                  origin: 'tip',
                  senderAddress: '0x1',
                },
                ...{ handleKey: '0x4', recipientLabel: 'x', asset: 'USDC', token: '0x3', decimals: 6 },
                ...{ units: leg.cents * unit, deadline: 1n, senderNonce: index, revocable: true },
                ...{ status: leg.escrow, tipId: `tip_${name(index)}`, createdAt: at(leg) },
              },
            ],
      ),
    });
  }
});
