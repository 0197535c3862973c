// Escrows that name a username: whoever claims one has to hold the name now and a day later, by the platform's own word.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answerNameChecks, type NameReader } from '../../../bots/usernames.ts';
import { type Escrows, escrowsOf } from '../../../test/setup/escrows.ts';
import { walletOfPerson } from '../../../test/setup/signer.ts';
import { serveWorld, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import type { EscrowTerms } from '../../domain/typedData/escrow.ts';
import { findSession, type SessionHandle } from '../accounts/sessions.ts';
import { claimEscrow } from './claimRequests.ts';
import { claimOf } from './claims.ts';
import { refundOverdueEscrows } from './deadlines.ts';
import { holdNames } from './usernameHolds.ts';

let world: World;
let escrows: Escrows;
const handles = new Map<string, SessionHandle>();
beforeAll(async () => {
  world = await startWorld();
  escrows = escrowsOf(world);
  const base = await serveWorld(world);
  for (const name of ['alice', 'bob', 'shop']) {
    const browser = visitor(base);
    await browser.signIn(walletOfPerson(name));
    const found = await findSession(world.ctx, browser.cookies.get('service-session') ?? '');
    if (found?.session.handle) handles.set(name, found.session.handle);
  }
  await world.say('alice', '/help', { chat: localPerson('alice').telegram.id });
});
afterAll(() => world.stop());

/** What X would say: names by account id, and what else it may do. */
const names = new Map<string, string | null>();
let mood: 'well' | 'down' | 'silent' = 'well';
const reader: NameReader = {
  currentUsername: async (id) => {
    if (mood === 'down') throw new Error('503');
    if (mood === 'silent') return new Promise(() => {});
    return names.get(id) ?? null;
  },
};
const readers = new Map([['x', reader]]);
const bobsX = () => localPerson('bob').x.id;
beforeEach(async () => {
  mood = 'well';
  for (const name of ['alice', 'bob', 'shop']) {
    const { id, username } = localPerson(name).x;
    names.set(id, username);
    const where = { platform_platformUserId: { platform: 'x', platformUserId: id } };
    await world.ctx.db.seenUser.updateMany({ where: { platform: 'x', platformUserId: id }, data: { username } });
    await world.ctx.db.connection.update({ where, data: { disconnectedAt: null, createdAt: new Date(0) } });
  }
  await world.ctx.db.claim.updateMany({ where: { status: 'asked' }, data: { status: 'failed' } });
});

const handleOf = (name: string) => handles.get(name) as SessionHandle;
async function openEscrow(slug = 'x:bob'): Promise<{ terms: EscrowTerms; id: string }> {
  const deadline = (await escrows.now()) + 20n * 86_400n;
  const terms = await escrows.terms('alice', slug, { revocable: true, deadline });
  await escrows.open('alice', terms);
  await escrows.settle();
  return { terms, id: (await escrows.row(terms))?.id ?? '' };
}
async function claim(id: string, who = 'bob') {
  const { escrow } = await claimEscrow(world.ctx, handleOf(who), id, { waitMs: 0 });
  return escrow.claim?.id ?? '';
}
const look = () => answerNameChecks(world.ctx, readers, 200);
/** Bots and workers for a few seconds. */
async function work(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await holdNames(world.ctx);
    await look();
    world.later(1_100);
  }
  await holdNames(world.ctx);
}
const DAY = 86_400;
const rowOf = (id: string) => world.ctx.db.claim.findUniqueOrThrow({ where: { id } });

describe('whoever holds the name now and a day later', () => {
  test('is paid after that day, and the sender was told at once', async () => {
    const { terms, id } = await openEscrow();
    const before = await world.usdc('bob');
    const claimId = await claim(id);
    await work();
    await escrows.pay();
    const held = await rowOf(claimId);
    expect([held.status, held.signature]).toEqual(['asked', null]);
    expect((held.heldUntil?.getTime() ?? 0) - world.ctx.clock.now()).toBeGreaterThan((DAY - 60) * 1_000);
    expect((await claimOf(world.ctx, claimId)).held_until).toBe(held.heldUntil?.toISOString());
    const told = await world.ctx.db.reply.findMany({ where: { kind: 'tab_name_hold' } });
    expect(told.map((row) => [row.data, row.version])).toEqual([[{ escrowId: id }, 1]]);
    await escrows.later(DAY - 60);
    await work();
    await escrows.pay();
    expect((await rowOf(claimId)).status).toBe('asked');
    await escrows.later(70);
    await work();
    await escrows.pay();
    await escrows.pay();
    expect((await claimOf(world.ctx, claimId)).status).toBe('final');
    expect((await world.usdc('bob')) - before).toBe(1_000_000n);
    expect((await escrows.row(terms))?.status).toBe('claimed');
    expect(await world.ctx.db.reply.count({ where: { kind: 'tab_name_hold' } })).toBe(1);
  });

  test('with capitals, too', async () => {
    names.set(bobsX(), 'BoB');
    const claimId = await claim((await openEscrow()).id);
    await work();
    await escrows.later(DAY);
    await work();
    await escrows.pay();
    expect((await rowOf(claimId)).status).toBe('paid');
  });

  test('an answer of more than ten minutes ago is asked for again before anything is attested', async () => {
    const claimId = await claim((await openEscrow()).id);
    await work();
    await escrows.later(DAY);
    await work();
    expect((await rowOf(claimId)).heldUntil).toBeNull();
    await escrows.later(601);
    await escrows.attest();
    expect(await rowOf(claimId)).toMatchObject({ status: 'asked', signature: null, heldUntil: expect.any(Date) });
    await work();
    await escrows.pay();
    expect((await rowOf(claimId)).status).toBe('paid');
  });

  test('also when the deadline passes meanwhile: what is being claimed is not sent back by ourselves', async () => {
    const deadline = (await escrows.now()) + 7_200n;
    const terms = await escrows.terms('alice', 'x:bob', { revocable: true, deadline });
    await escrows.open('alice', terms);
    await escrows.settle();
    const claimId = await claim((await escrows.row(terms))?.id ?? '');
    await work();
    await escrows.later(DAY);
    await refundOverdueEscrows(world.ctx);
    await escrows.settle();
    await work();
    await escrows.pay();
    expect([(await rowOf(claimId)).status, (await escrows.row(terms))?.status]).toEqual(['paid', 'claimed']);
  });

  test('the sender takes it back meanwhile', async () => {
    const { terms, id } = await openEscrow();
    const claimId = await claim(id);
    await work();
    await escrows.refund('alice', terms);
    await escrows.settle();
    await escrows.later(DAY);
    await work();
    expect(await claimOf(world.ctx, claimId)).toMatchObject({
      status: 'failed',
      failure: 'This tab was already returned.',
    });
  });
});

describe('whoever does not', () => {
  test('gets nothing when the platform says another name at once', async () => {
    names.set(bobsX(), 'bob_the_second');
    const { id } = await openEscrow();
    const claimId = await claim(id);
    await work();
    expect((await claimOf(world.ctx, claimId)).failure).toBe('None of your connected accounts is called @bob on X.');
    const told = await world.ctx.db.reply.findMany({ where: { kind: 'tab_name_hold' } });
    expect(told.map((row) => row.data)).not.toContainEqual({ escrowId: id });
  });

  test('gets nothing when the name has moved to another account by the end of the day', async () => {
    const { terms, id } = await openEscrow();
    const claimId = await claim(id);
    await work();
    await escrows.later(DAY);
    names.set(bobsX(), 'bob_old');
    names.set(localPerson('shop').x.id, 'bob');
    await work();
    await escrows.pay();
    expect((await rowOf(claimId)).status).toBe('failed');
    expect((await escrows.row(terms))?.status).toBe('open');
    // The new holder starts a day of their own, once we have seen the name there.
    await expect(claim(id, 'shop')).rejects.toMatchObject({ code: 'not_reserved_handle' });
    await look();
    const next = await claim(id, 'shop');
    await work();
    await escrows.pay();
    expect((await rowOf(next)).status).toBe('asked');
    expect((await rowOf(next)).heldUntil?.getTime()).toBeGreaterThan(world.ctx.clock.now() + (DAY - 60) * 1_000);
  });

  test('gets nothing for a name of another platform, or without an account there', async () => {
    const { id } = await openEscrow('discord:somebody');
    await expect(claim(id)).rejects.toMatchObject({ code: 'not_reserved_handle' });
    const other = await openEscrow('x:alice');
    await expect(claim(other.id)).rejects.toMatchObject({ code: 'not_reserved_handle' });
  });

  test('gets nothing after disconnecting, also when the account came back meanwhile', async () => {
    const where = { platform_platformUserId: { platform: 'x', platformUserId: bobsX() } };
    const claimId = await claim((await openEscrow()).id);
    await work();
    await escrows.later(DAY);
    await world.ctx.db.connection.update({ where, data: { createdAt: new Date(world.ctx.clock.now()) } });
    await work();
    await escrows.pay();
    expect((await rowOf(claimId)).status).toBe('failed');
  });
});

describe('the signer believes no row that asks', () => {
  test('a claim whose hold was taken away is not attested before the day is over', async () => {
    const claimId = await claim((await openEscrow()).id);
    await work();
    await world.ctx.db.claim.update({ where: { id: claimId }, data: { heldUntil: null } });
    await escrows.attest();
    expect(await rowOf(claimId)).toMatchObject({ status: 'asked', signature: null });
  });

  test('nor one that calls a username an id’s, or names a name that is not the tab’s', async () => {
    const claimId = await claim((await openEscrow()).id);
    await world.ctx.db.claim.update({ where: { id: claimId }, data: { usernameSlug: null, heldUntil: null } });
    await escrows.attest();
    expect((await claimOf(world.ctx, claimId)).failure).toBe('This tab is for someone else.');

    const other = await openEscrow('x:carol_the_rich');
    const { chain, tabId, ...rest } = await rowOf(claimId);
    const stolen = await escrows.row(other.terms);
    const asked = new Date(world.ctx.clock.now() - 2 * DAY * 1_000);
    await world.ctx.db.claim.create({
      data: {
        ...rest,
        id: 'clm_forged',
        chain,
        tabId: stolen?.tabId ?? tabId,
        handleKey: other.terms.handleKey,
        deadline: other.terms.deadline,
        senderNonce: String(other.terms.senderNonce),
        status: 'asked',
        failure: null,
        usernameSlug: 'x:bob',
        createdAt: asked,
      },
    });
    for (const at of [asked, new Date(world.ctx.clock.now())])
      await world.ctx.db.nameCheck.create({
        data: {
          id: `nck_${at.getTime()}`,
          platform: 'x',
          platformUserId: bobsX(),
          claimId: 'clm_forged',
          wantedAt: at,
          nextAttemptAt: at,
          checkedAt: at,
          username: 'bob',
        },
      });
    await escrows.attest();
    expect((await claimOf(world.ctx, 'clm_forged')).failure).toBe('This tab is for someone else.');
  });
});

describe('a platform that does not answer', () => {
  test.each(['down', 'silent'] as const)('%s: it is asked again, and the claim goes on', async (how) => {
    const claimId = await claim((await openEscrow()).id);
    mood = how;
    await work();
    expect(await rowOf(claimId)).toMatchObject({ status: 'asked', heldUntil: expect.any(Date) });
    mood = 'well';
    world.later(60_000);
    await work();
    expect((await rowOf(claimId)).heldUntil?.getTime()).toBeGreaterThan(world.ctx.clock.now() + 3_600_000);
  });

  test('for long: the claim ends with a sentence, and may be made again', async () => {
    const { id } = await openEscrow();
    const claimId = await claim(id);
    mood = 'down';
    world.later(601_000);
    await work();
    expect((await claimOf(world.ctx, claimId)).failure).toBe('X did not tell us who @bob is. Try again later.');
    mood = 'well';
    expect(await claim(id)).not.toBe(claimId);
  });

  test('a claim that waits for a name holds up no other', async () => {
    const waiting = await claim((await openEscrow()).id);
    const { id } = await openEscrow(`telegram:id:${localPerson('bob').telegram.id}`);
    const other = await claim(id);
    await escrows.pay();
    expect([(await rowOf(waiting)).status, (await rowOf(other)).status]).toEqual(['asked', 'paid']);
  });
});
