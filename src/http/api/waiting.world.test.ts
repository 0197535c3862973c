// Tips that were typed before their sender was connected: kept once a day, sent by one confirmation, and by nobody else.
import { parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { connectAccount } from '../../services/accounts/connections.ts';

const ALICE = localPerson('alice');
const DAY_MS = 24 * 3_600_000;
const usdc = (amount: string) => parseUnits(amount, 6);

let world: World;
let alice: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  world = await startWorld();
  const base = await serveWorld(world);
  alice = visitor(base);
  await alice.signIn(privateKeyToAccount(ALICE.key));
  stranger = visitor(base);
  await stranger.signIn(privateKeyToAccount(localPerson('bob').key));
});
afterAll(() => world.stop());

/** Alice as she was before she connected: her wallet has money and limits, her account here belongs to nobody. */
beforeEach(async () => {
  world.later(DAY_MS + 60_000);
  await world.freshPrices();
  await world.run();
  await connected(false);
});
async function connected(yes: boolean, canSpend = true): Promise<void> {
  const platformUserId = String(ALICE.telegram.id);
  await world.ctx.db.connection.deleteMany({ where: { platform: 'telegram', platformUserId } });
  if (!yes) return;
  const handle = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
  const account = { platform: 'telegram', platformUserId, username: 'alice', handleId: handle.id, canSpend };
  await world.ctx.db.$transaction((tx) => connectAccount(world.ctx, tx, account));
}
const lastSaid = async () => (await world.botSaid()).at(-1);
async function bobGets(work: () => Promise<unknown>): Promise<bigint> {
  const before = await world.usdc('bob');
  await work();
  return (await world.usdc('bob')) - before;
}
const kept = async () => (await alice.get('/api/waiting')).body.tips;

describe('a tip of somebody who is not connected', () => {
  test('is kept, takes nothing, and goes out once after connecting and one confirmation', async () => {
    expect(await bobGets(() => world.say('alice', '/tip @bob 5'))).toBe(0n);
    const said = await lastSaid();
    expect(said?.text).toBe(
      '@alice, saved for 24 hours. Connect and confirm, and it goes out. You haven’t been charged.',
    );
    expect(said?.reply_markup?.inline_keyboard[0]?.[0]?.url).toContain('start=connect');
    expect(await kept()).toEqual([]);
    await connected(true);
    const [tip] = await kept();
    expect(tip).toMatchObject({
      platform: 'telegram',
      kind: 'tip',
      refusal: null,
      legs: [
        {
          label: '@bob',
          amount: '5.00',
          fee: '0.10',
          asset: 'USDC',
          chain: 'Base',
          tab_days: null,
          to_chain: null,
          bridge_fee: null,
        },
      ],
    });
    const answer = { action: 'confirm', fingerprint: tip.fingerprint };
    const got = await bobGets(async () => {
      const answers = await Promise.all([1, 2, 3].map(() => alice.post(`/api/waiting/${tip.id}`, answer)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      await world.run();
      await world.run();
    });
    expect(got).toBe(usdc('5'));
    expect((await lastSaid())?.text).toMatch(/^✅ @alice tipped @bob 5\.00 USDC/);
    expect(await kept()).toEqual([]);
  });

  test('in doubt shows why and its note, so that a yes is a yes to that', async () => {
    world.later(25 * 3_600_000);
    await world.say('alice', '/tip @bob 5 only if he wins');
    await connected(true);
    expect(await kept()).toMatchObject([{ doubt: 'conditional', note: 'only if he wins' }]);
  });

  test('is one in 24 hours; the next one is told so', async () => {
    await world.say('alice', '/tip @bob 5');
    world.later(11 * 60_000);
    await world.say('alice', '/tip @bob 7');
    expect((await lastSaid())?.text).toMatch(/^I can save one tip a day until you connect\..* in 24 hours/);
    await connected(true);
    expect((await kept()).map((tip: { legs: { amount: string }[] }) => tip.legs[0]?.amount)).toEqual(['5.00']);
  });

  test('is over after a day, and says so', async () => {
    await world.say('alice', '/tip @bob 5');
    const intent = await world.ctx.db.intent.findFirstOrThrow({ orderBy: { id: 'desc' } });
    world.later(DAY_MS);
    await world.run();
    await connected(true);
    expect(await kept()).toEqual([]);
    expect((await lastSaid())?.text).toMatch(/didn’t answer in time, so this wasn’t sent/);
    const late = await alice.post(`/api/waiting/${intent.id}`, { action: 'confirm', fingerprint: 'x' });
    expect({ status: late.status, code: late.body.error.code }).toEqual({ status: 409, code: 'state_conflict' });
  });

  test('409 while the account may only receive', async () => {
    await world.say('alice', '/tip @bob 5');
    await connected(true, false);
    const [tip] = await kept();
    expect(tip).toMatchObject({ refusal: 'sender_receive_only', fingerprint: null, legs: [] });
    const answer = await alice.post(`/api/waiting/${tip.id}`, { action: 'confirm', fingerprint: 'x' });
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 409, code: 'state_conflict' });
  });

  test('404 for every other handle', async () => {
    await world.say('alice', '/tip @bob 5');
    await connected(true);
    const [tip] = await kept();
    expect((await stranger.get('/api/waiting')).body.tips).toEqual([]);
    for (const body of [{ action: 'confirm', fingerprint: tip.fingerprint }, { action: 'decline' }])
      expect((await stranger.post(`/api/waiting/${tip.id}`, body)).status).toBe(404);
    expect(await bobGets(() => world.run())).toBe(0n);
  });

  test('declined on the page is cancelled in the chat', async () => {
    await world.say('alice', '/tip @bob 5');
    await connected(true);
    const [tip] = await kept();
    expect((await alice.post(`/api/waiting/${tip.id}`, { action: 'decline' })).body.tips).toEqual([]);
    expect(await bobGets(() => world.run())).toBe(0n);
    expect((await lastSaid())?.text).toBe('Cancelled by @alice.');
  });

  test('that would do something else by then asks again instead of sending it', async () => {
    await world.say('alice', '/tip @bob 5');
    await connected(true);
    const [tip] = await kept();
    // Enough for a doubt of its own, so that what was confirmed matters.
    await world.ctx.db.intent.update({
      where: { id: tip.id },
      data: {
        command: {
          kind: 'tip',
          recipients: [{ by: 'handle', value: 'bob' }],
          amount: '60',
          unit: 'USDC',
          mode: 'each',
        },
      },
    });
    expect(
      await bobGets(async () => {
        await alice.post(`/api/waiting/${tip.id}`, { action: 'confirm', fingerprint: tip.fingerprint });
        await world.run();
      }),
    ).toBe(0n);
    expect((await lastSaid())?.text).toContain('send this?');
  });

  test('of which the recipient has another wallet by then asks again, however small it is', async () => {
    await world.say('alice', '/tip @bob 5');
    await connected(true);
    const [tip] = await kept();
    const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'bob' } });
    const where = { handleId_family: { handleId, family: 'evm' } };
    const { address } = await world.ctx.db.wallet.findUniqueOrThrow({ where });
    await world.ctx.db.wallet.update({ where, data: { address: localPerson('dave').address } });
    const answer = { action: 'confirm', fingerprint: tip.fingerprint };
    const got = await bobGets(async () => {
      await alice.post(`/api/waiting/${tip.id}`, answer);
      await world.run();
    });
    const given = await world.usdc('dave');
    await world.ctx.db.wallet.update({ where, data: { address } });
    expect([got, given]).toEqual([0n, 0n]);
    expect((await lastSaid())?.text).toContain('send this?');
  });

  test('400 for an answer that is none, 401 without a session', async () => {
    expect((await alice.post('/api/waiting/int_x', { action: 'send' })).status).toBe(400);
    expect((await alice.post('/api/waiting/int_x', { action: 'decline', more: 1 })).status).toBe(400);
    expect((await alice.post('/api/waiting/int_x', { action: 'decline' })).status).toBe(404);
    const nobody = visitor(new URL(world.ctx.env.BASE_URL).origin);
    expect((await nobody.get('/api/waiting')).status).toBe(401);
  });
});
