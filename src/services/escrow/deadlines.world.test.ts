// What happens to escrows in time, whatever anybody does: one reminder, one refund at our cost, and no chain that holds up another.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Escrows, escrowsOf } from '../../../test/setup/escrows.ts';
import { walletOfPerson } from '../../../test/setup/signer.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, sendNow, startWorld, type World } from '../../../test/setup/world.ts';
import { evmChains } from '../../context.ts';
import type { EscrowTerms } from '../../domain/typedData/escrow.ts';
import { dropStaged, refundOverdueEscrows, remindOfEscrows } from './deadlines.ts';
import { chatEscrow } from './views.ts';
import { waitingFor } from './waiting.ts';

let world: World;
let escrows: Escrows;
let bob: Visitor;
beforeAll(async () => {
  world = await startWorld();
  escrows = escrowsOf(world);
  bob = visitor(await serveWorld(world));
  await bob.signIn(walletOfPerson('bob'));
  for (const name of ['alice', 'bob']) await world.say(name, '/help', { chat: localPerson(name).telegram.id });
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 500;
  // What earlier tests left open is over, and no budget of theirs counts.
  await escrows.later(26 * 3_600);
  await world.ctx.db.escrow.deleteMany();
});

async function openFor(hours: number, slug = 'bob'): Promise<EscrowTerms> {
  const escrow = await escrows.terms('alice', slug, { deadline: (await escrows.now()) + BigInt(hours * 3_600) });
  await escrows.open('alice', escrow);
  await escrows.settle();
  return escrow;
}
const told = async (kind: string) =>
  (await world.ctx.db.reply.findMany({ where: { kind }, orderBy: { id: 'asc' } })).map((row) => row.chatId).sort();
const chats = () => ['alice', 'bob'].map((name) => String(localPerson(name).telegram.id)).sort();
const sent = () => world.ctx.db.outgoingTx.count({ where: { kind: 'escrow_refund', nonce: { not: null } } });
/** What is overdue is queued and sent, on every chain. */
async function refundOverdue(): Promise<void> {
  await refundOverdueEscrows(world.ctx);
  for (const chain of Object.values(evmChains(world.ctx))) await sendNow(world.ctx, chain);
}

describe('reminders', () => {
  test.each([
    ['a week: the day before', 168, 143.5, 144.5],
    ['three days: the day before', 72, 47.5, 48.5],
    ['thirty hours: half-way', 30, 14.5, 15.5],
    ['two hours: half-way', 2, 0.9, 1.1],
  ])('%s, once, both sides', async (_, hours, before, after) => {
    await world.ctx.db.reply.deleteMany({ where: { kind: 'tab_reminder' } });
    const escrow = await openFor(hours);
    await escrows.later(before * 3_600);
    expect(await remindOfEscrows(world.ctx)).toBe(0);
    await escrows.later((after - before) * 3_600);
    expect(await remindOfEscrows(world.ctx)).toBe(1);
    expect(await remindOfEscrows(world.ctx)).toBe(0);
    expect(await told('tab_reminder')).toEqual(chats());
    expect((await escrows.row(escrow))?.remindedAt).not.toBeNull();
  });

  test('two workers at once remind once', async () => {
    await world.ctx.db.reply.deleteMany({ where: { kind: 'tab_reminder' } });
    await openFor(2);
    await escrows.later(3_700);
    await Promise.all([1, 2, 3].map(() => remindOfEscrows(world.ctx)));
    const rows = await world.ctx.db.reply.findMany({ where: { kind: 'tab_reminder' } });
    expect(rows.map((row) => row.version)).toEqual([1, 1]);
  });

  test('an account that is not connected is told where the bot may write to it', async () => {
    await world.ctx.db.reply.deleteMany({ where: { kind: 'tab_reminder' } });
    const { id } = localPerson('dave').telegram;
    await world.say('dave', '/help', { chat: id });
    const escrow = await openFor(2, `telegram:id:${id}`);
    // As in the row of a tip, which knows whom it is for.
    const place = { chain_tabId: { chain: 'base', tabId: escrows.idOf(escrow) } };
    await world.ctx.db.escrow.update({ where: place, data: { handleSlug: `telegram:id:${id}` } });
    await escrows.later(3_700);
    await remindOfEscrows(world.ctx);
    expect(await told('tab_reminder')).toContain(String(id));
  });

  test('nobody is reminded of what is over', async () => {
    const escrow = await openFor(2);
    await escrows.later(7_300);
    expect(await remindOfEscrows(world.ctx)).toBe(0);
    await escrows.refund('carol', escrow);
    await escrows.settle();
    expect((await escrows.row(escrow))?.status).toBe('refunded');
  });
});

describe('the way back after the deadline', () => {
  test('is ours to go, once, to the sender; not a moment earlier', async () => {
    await escrows.settle();
    const before = await world.usdc('alice');
    const escrow = await openFor(2);
    await refundOverdue();
    const earlier = await sent();
    await escrows.later(7_200);
    await refundOverdue();
    await refundOverdue();
    expect((await sent()) - earlier).toBe(1);
    await escrows.settle();
    expect((await escrows.row(escrow))?.status).toBe('refunded');
    await refundOverdue();
    expect((await sent()) - earlier).toBe(1);
    expect(await world.usdc('alice')).toBe(before);
  });

  test('waits for the chain’s own clock', async () => {
    const escrow = await openFor(2);
    const earlier = await sent();
    world.later(7_300_000);
    await refundOverdue();
    expect([(await sent()) - earlier, (await escrows.row(escrow))?.status]).toEqual([0, 'open']);
    await world.admin().increaseTime({ seconds: 7_300 });
    await world.mine(1);
    await refundOverdue();
    expect((await sent()) - earlier).toBe(1);
    await escrows.settle();
  });

  test('is gone at once when somebody asks, whoever it is', async () => {
    const escrow = await openFor(2);
    const row = await escrows.row(escrow);
    const ask = () => bob.post(`/api/escrow/${row?.id}`, { action: 'refund' });
    expect((await ask()).body.error.code).toBe('refund_before_deadline');
    await escrows.later(7_200);
    const answer = ask();
    let over = false;
    answer.finally(() => {
      over = true;
    });
    while (!over) await refundOverdue();
    expect((await answer).body.escrow.refund).toMatchObject({ tx_hash: expect.stringMatching(/^0x/), failure: null });
    await escrows.settle();
    const after = (await bob.get(`/api/escrow/${row?.id}`)).body.escrow;
    expect(after).toMatchObject({ status: 'refunded', refund: { status: 'final', tx_hash: after.close_tx_hash } });
    expect((await ask()).body.error.code).toBe('state_conflict');
  });

  test('has a budget of the chain and one of the sender', async () => {
    const [one, two] = [await openFor(2), await openFor(2)];
    await escrows.later(7_200);
    const earlier = await sent();
    world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 1;
    await refundOverdue();
    expect((await sent()) - earlier).toBe(1);
    // An hour later it is tried again, and a day later there is room.
    await escrows.later(3_700);
    await refundOverdue();
    expect((await sent()) - earlier).toBe(1);
    await escrows.later(86_400);
    await refundOverdue();
    await escrows.settle();
    expect((await sent()) - earlier).toBe(2);
    expect([(await escrows.row(one))?.status, (await escrows.row(two))?.status]).toEqual(['refunded', 'refunded']);
  });

  test('stops at twenty a day of one sender, and others go on', async () => {
    const [escrow, other] = [await openFor(2), await escrows.terms('bob', 'alice')];
    await escrows.open('bob', other);
    await escrows.settle();
    const row = await escrows.row(escrow);
    const now = new Date(world.ctx.clock.now() + 7_000_000);
    const copies = Array.from({ length: 20 }, (_, i) => ({
      ...row,
      ...{ id: `esc_${i}`, tabId: `0x${i}`, status: 'refunded', refundTriedAt: now, refundTxId: `otx_${i}` },
    }));
    await world.ctx.db.escrow.createMany({ data: copies as never });
    await escrows.later(7_300);
    await refundOverdue();
    await escrows.settle();
    expect([(await escrows.row(escrow))?.status, (await escrows.row(other))?.status]).toEqual(['open', 'refunded']);
  });

  test('of one that was claimed meanwhile is no failure', async () => {
    const escrow = await openFor(2);
    await escrows.later(7_200);
    await escrows.refund('carol', escrow);
    await world.mine(1);
    const earlier = await sent();
    await refundOverdue();
    expect((await sent()) - earlier).toBe(0);
    await escrows.settle();
    expect((await escrows.row(escrow))?.status).toBe('refunded');
  });

  test('on a chain that is away holds up no other', async () => {
    const escrow = await openFor(2);
    await escrows.later(7_200);
    const base = world.evmChain();
    const dead = new Proxy(base.client, {
      get: () => () => {
        throw new TypeError('fetch failed');
      },
    });
    world.ctx.chains = { celo: { ...base, name: 'celo', client: dead }, base };
    const row = await escrows.row(escrow);
    const copy = { ...row, id: 'esc_away', chain: 'celo', tabId: '0xaa' };
    await world.ctx.db.escrow.createMany({ data: [copy] as never });
    await refundOverdue();
    world.ctx.chains = { base };
    await escrows.settle();
    expect((await escrows.row(escrow))?.status).toBe('refunded');
  });
});

test('what was staged is dropped after a day; the tab of a tip is its leg’s business', async () => {
  const escrow = await openFor(100);
  const row = await escrows.row(escrow);
  const copy = { ...row, status: 'pending_create', createdAt: new Date(world.ctx.clock.now()) };
  await world.ctx.db.escrow.createMany({
    data: [
      { ...copy, id: 'esc_page', tabId: '0x01', origin: 'page' },
      { ...copy, id: 'esc_leg', tabId: '0x02', origin: 'tip' },
    ] as never,
  });
  expect(await dropStaged(world.ctx)).toBe(0);
  await escrows.later(86_401);
  expect(await dropStaged(world.ctx)).toBe(1);
  const statuses = await world.ctx.db.escrow.findMany({ orderBy: { id: 'asc' }, select: { status: true } });
  expect(statuses.map(({ status }) => status).sort()).toEqual(['dropped', 'open', 'pending_create']);
});

test('what waits for somebody, in numbers and sums; and a tab as chats tell of it', async () => {
  const [escrow] = [await openFor(48), await openFor(48, `telegram:id:${localPerson('bob').telegram.id}`)];
  await openFor(48, 'carol');
  const { id } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'bob' } });
  expect(await waitingFor(world.ctx.db, id)).toEqual({
    count: 2,
    sums: [{ chain: 'base', chainLabel: 'Base', asset: 'USDC', amount: '2.00', count: 2 }],
  });
  const row = await escrows.row(escrow);
  expect(await chatEscrow(world.ctx, row?.id ?? '')).toMatchObject({
    status: 'open',
    amount: '1.00',
    currency: 'USDC',
    chainLabel: 'Base',
    recipientLabel: 'bob@ampersat',
    senderLabel: 'alice@ampersat',
    deadline: Number(escrow.deadline) * 1_000,
    heldUntil: null,
  });
});
