// Teams: who can accept an invitation, what a role allows from the next request on, and what the audit log records.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { endpointRow } from '../../../test/setup/webhooks.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { actAs } from '../../acting.ts';
import { newId } from '../../context.ts';
import type { Role } from '../../domain/team.ts';
import { createConnection } from '../../services/accounts/handles.ts';
import { dropOldRows } from '../../services/operations/housekeeping.ts';
import { recordPrepared } from '../../services/orders/refunds.ts';
import { disableEndpoint } from '../../services/webhooks/endpointTransitions.ts';

const DAY_MS = 86_400_000;
let world: World;
let base: string;
let shop: Visitor;
let alice: Visitor;
let bob: Visitor;
let carol: Visitor;
const ids: Record<string, string> = {};
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  [shop, alice, bob, carol] = (await Promise.all(['shop', 'alice', 'bob', 'carol'].map(signedIn))) as [
    Visitor,
    Visitor,
    Visitor,
    Visitor,
  ];
  for (const { id, slug } of await world.ctx.db.handle.findMany()) ids[slug] = id;
});
afterAll(() => world.stop());
beforeEach(async () => {
  const { db } = world.ctx;
  await db.member.deleteMany();
  await db.invitation.deleteMany();
  await db.auditEntry.deleteMany();
  await db.apiKey.deleteMany();
  await db.webhookEndpoint.deleteMany();
  await db.rateEvent.deleteMany();
});

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}

const invite = (name: string, role: Role, platform = 'ampersat', by: Visitor = shop) =>
  by.post('/api/team/invitations', { platform, name, role });
const asked = async (who: Visitor) =>
  (await who.get('/api/teams')).body.invitations as { id: string; workspace: string }[];
const answer = (who: Visitor, id: string, action: 'accept' | 'decline') =>
  who.post(`/api/teams/invitations/${id}`, { action });
const connect = (slug: string, names: { platform: string; platformUserId: string; username: string }) =>
  createConnection(world.ctx, {
    ...names,
    ...{ handleId: ids[slug] as string, canSpend: false },
  } as Parameters<typeof createConnection>[1]);
const team = async () => (await shop.get('/api/team')).body;
const log = async (query = '') => (await shop.get(`/api/audit_log${query}`)).body.data as Record<string, unknown>[];
const actions = async () => (await log()).map(({ action }) => action);
const shopsKey = { label: 'Till', mode: 'test', scopes: ['orders', 'read'] };

async function join(who: Visitor, slug: string, role: Role): Promise<void> {
  const { invitation } = (await invite(slug, role)).body;
  expect((await answer(who, invitation.id, 'accept')).status).toBe(200);
}

describe('an invitation', () => {
  test('is seen and accepted by the account of that handle alone', async () => {
    const { status, body } = await invite('@Alice', 'developer');
    expect([status, body.invitation]).toEqual([
      201,
      expect.objectContaining({ name: '@alice', role: 'developer', invited_by: '@shop', platform: 'ampersat' }),
    ]);
    const { id } = body.invitation;
    expect([await asked(alice), await asked(bob)]).toEqual([[expect.objectContaining({ id, workspace: 'shop' })], []]);
    for (const action of ['accept', 'decline'] as const) {
      const stranger = await answer(bob, id, action);
      expect([stranger.status, stranger.body.error.code]).toEqual([404, 'resource_missing']);
    }
    expect((await alice.get('/api/team?workspace=shop')).status).toBe(403);
    expect((await answer(alice, id, 'accept')).body).toEqual({ workspace: 'shop' });
    expect((await alice.get('/api/teams')).body).toEqual({
      places: [
        { handle: 'alice', role: 'owner', is_own: true },
        { handle: 'shop', role: 'developer', is_own: false },
      ],
      invitations: [],
    });
    const again = await answer(alice, id, 'accept');
    expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining('accepted')]);
    expect(await actions()).toEqual(['member.joined', 'invitation.created']);
    expect(await log()).toEqual([
      expect.objectContaining({
        actor: { kind: 'member', id: ids['alice'], name: '@alice' },
        before: null,
        after: { handle: 'alice', role: 'developer' },
      }),
      expect.objectContaining({ actor: { kind: 'member', id: ids['shop'], name: '@shop' } }),
    ]);
  });

  test('that is declined, withdrawn or expired admits no one', async () => {
    const one = (await invite('alice', 'viewer')).body.invitation.id;
    expect((await answer(alice, one, 'decline')).status).toBe(200);
    const two = (await invite('bob', 'viewer')).body.invitation.id;
    expect((await shop.delete(`/api/team/invitations/${two}`)).status).toBe(200);
    // Once more changes nothing.
    expect((await shop.delete(`/api/team/invitations/${two}`)).status).toBe(200);
    const three = (await invite('carol', 'viewer')).body.invitation.id;
    world.later(7 * DAY_MS + 1_000);
    const refusals = await Promise.all([
      answer(alice, one, 'accept'),
      answer(bob, two, 'accept'),
      answer(carol, three, 'accept'),
    ]);
    expect(refusals.map(({ status, body }) => [status, body.error.message])).toEqual([
      [409, expect.stringContaining('declined')],
      [409, expect.stringContaining('withdrawn')],
      [409, expect.stringContaining('expired')],
    ]);
    expect([await asked(carol), (await team()).invitations, (await team()).members.length]).toEqual([[], [], 1]);
    expect(await actions()).toEqual([
      'invitation.created',
      'invitation.withdrawn',
      'invitation.created',
      'invitation.declined',
      'invitation.created',
    ]);
  });

  test('answers alike whether the name has an account, and meets no name that looks alike', async () => {
    const [known, unknown] = [await invite('alice', 'viewer'), await invite('a1ice', 'viewer')];
    const shape = ({ status, body }: typeof known) => [status, Object.keys(body.invitation).sort()];
    expect(shape(known)).toEqual(shape(unknown));
    expect((await asked(alice)).length).toBe(1);
    for (const platform of ['x', 'telegram', 'discord'])
      expect(shape(await invite('alice_elsewhere', 'viewer', platform))).toEqual(shape(known));
  });

  test('of the same name is one, in the role of the latest', async () => {
    const first = (await invite('alice', 'viewer')).body.invitation;
    const same = (await invite('alice', 'viewer')).body.invitation;
    const other = (await invite('@alice', 'support')).body.invitation;
    expect([same.id, other.id, other.role]).toEqual([first.id, first.id, 'support']);
    expect(await actions()).toEqual(['invitation.created', 'invitation.created']);
    const both = await Promise.all([invite('bob', 'viewer'), invite('bob', 'viewer')]);
    expect(new Set(both.map(({ body }) => body.invitation.id)).size).toBe(1);
    expect((await team()).invitations.length).toBe(2);
    expect((await actions()).length).toBe(3);
  });

  test('of a platform waits until that name is connected', async () => {
    const { invitation } = (await invite('Carol_On_X', 'support', 'x')).body;
    expect(await asked(carol)).toEqual([]);
    await connect('carol', { platform: 'x', platformUserId: '991', username: 'carol_on_x' });
    expect((await asked(carol)).map(({ id }) => id)).toEqual([invitation.id]);
    expect((await answer(carol, invitation.id, 'accept')).status).toBe(200);
    expect((await team()).members.map(({ handle, role }: { handle: string; role: string }) => [handle, role])).toEqual([
      ['shop', 'owner'],
      ['carol', 'support'],
    ]);
  });

  test('of a username that was known is for its account, not for one that takes the name later', async () => {
    const { db, clock } = world.ctx;
    const at = new Date(clock.now());
    const seen = { platform: 'x', platformUserId: '555', lastSeenAt: at };
    await db.seenUser.create({ data: { ...seen, username: 'the_dev' } });
    await db.seenUsername.create({ data: { ...seen, username: 'the_dev', firstSeenAt: at } });
    const { invitation } = (await invite('the_dev', 'owner', 'x')).body;
    expect(Object.keys(invitation)).not.toContain('platform_user_id');
    await connect('bob', { platform: 'x', platformUserId: '556', username: 'the_dev' });
    expect(await asked(bob)).toEqual([]);
    expect((await answer(bob, invitation.id, 'accept')).status).toBe(404);
  });

  test.each([
    [{ platform: 'myspace', name: 'alice', role: 'viewer' }, 'parameter_invalid', 'platform'],
    [{ platform: 'ampersat', name: 'Not a handle', role: 'viewer' }, 'parameter_invalid', 'name'],
    [{ platform: 'ampersat', name: 'alice', role: 'king' }, 'parameter_invalid', 'role'],
    [{ platform: 'ampersat', name: 'shop', role: 'viewer' }, 'state_conflict', 'name'],
  ])('%j is refused: %s', async (body, code, param) => {
    const { error } = (await shop.post('/api/team/invitations', body)).body;
    expect([error.code, error.param]).toEqual([code, param]);
  });
});

test('a role that an owner gives counts more than an invitation that was open before', async () => {
  await join(bob, 'bob', 'support');
  await connect('bob', { platform: 'discord', platformUserId: '558', username: 'bob_again' });
  const open = (await invite('bob_again', 'owner', 'discord')).body.invitation;
  expect((await shop.send('PATCH', `/api/team/members/${ids['bob']}`, { role: 'viewer' })).status).toBe(200);
  expect((await answer(bob, open.id, 'accept')).status).toBe(404);
  expect((await team()).members).toMatchObject([{ role: 'owner' }, { handle: 'bob', role: 'viewer' }]);
});

test('an invitation can be accepted however many others the account has', async () => {
  const { invitation } = (await invite('carol', 'viewer')).body;
  const now = world.ctx.clock.now();
  const [createdAt, expiresAt] = [new Date(now), new Date(now + DAY_MS)];
  const row = () => ({
    ...{ id: newId(world.ctx, 'inv'), handleId: newId(world.ctx, 'hdl'), platform: 'ampersat', name: 'carol' },
    ...{ role: 'viewer', invitedById: ids['bob'] as string, createdAt, expiresAt },
  });
  await world.ctx.db.invitation.createMany({ data: Array.from({ length: 101 }, row) });
  expect((await answer(carol, invitation.id, 'accept')).body).toEqual({ workspace: 'shop' });
});

describe('a role', () => {
  test('counts from the next request on, and says who can give another', async () => {
    await join(alice, 'alice', 'viewer');
    const refused = await alice.post('/api/keys?workspace=shop', shopsKey);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'Only developers and owners can create, roll and revoke API keys. An owner can change your role under Team.',
    ]);
    expect((await shop.send('PATCH', `/api/team/members/${ids['alice']}`, { role: 'developer' })).status).toBe(200);
    expect((await log())[0]).toMatchObject({
      action: 'member.role_changed',
      before: { role: 'viewer' },
      after: { member: '@alice', role: 'developer' },
    });
    const made = await alice.post('/api/keys?workspace=shop', shopsKey);
    expect([made.status, made.body.key.made_by]).toEqual([201, '@alice']);
    expect((await shop.get('/api/keys')).body.data[0]).toMatchObject({ id: made.body.key.id, made_by: '@alice' });
    expect((await alice.get('/api/keys')).body.data).toEqual([]);
  });

  test('leads from an error’s `request_log_url` to the workspace whose log has it, and no stranger', async () => {
    await join(alice, 'alice', 'viewer');
    const { secret } = (await shop.post('/api/keys', shopsKey)).body;
    const failed = await fetch(`${base}/v1/orders/ord_1`, { headers: { authorization: `Bearer ${secret}` } });
    const { error } = (await failed.json()) as { error: { request_log_url: string } };
    const id = error.request_log_url.split('/').at(-1);
    const path = `/api/request_logs/${id}`;
    await vi.waitFor(async () => expect((await shop.get(path)).status).toBe(200), 10_000);
    const own = await alice.get(path);
    expect([own.status, own.body.error.code, own.body.error.message]).toEqual([
      409,
      'state_conflict',
      'This request is in the API log of @shop. Switch to that workspace to see it.',
    ]);
    expect((await alice.get(`${path}?workspace=shop`)).body.id).toBe(id);
    const stranger = await bob.get(path);
    expect([stranger.status, stranger.body.error.code]).toEqual([404, 'resource_missing']);
  });

  test('of a developer makes no key that can do more than they', async () => {
    await join(alice, 'alice', 'developer');
    const more = { ...shopsKey, scopes: ['campaigns'] };
    expect((await alice.post('/api/keys?workspace=shop', more)).body.error?.code).toBe('role_required');
    const { key } = (await shop.post('/api/keys', more)).body;
    expect((await alice.post(`/api/keys/${key.id}/roll?workspace=shop`)).body.error?.code).toBe('role_required');
    expect(await world.ctx.db.apiKey.count()).toBe(1);
  });

  test('of the workspace’s own account stays, and two owners who remove each other leave one', async () => {
    await join(alice, 'alice', 'owner');
    await join(bob, 'bob', 'owner');
    const own = await alice.delete(`/api/team/members/${ids['shop']}?workspace=shop`);
    expect([own.status, own.body.error.code]).toEqual([409, 'state_conflict']);
    const lowered = await alice.send('PATCH', `/api/team/members/${ids['shop']}?workspace=shop`, { role: 'viewer' });
    expect(lowered.status).toBe(409);
    const both = await Promise.all([
      alice.delete(`/api/team/members/${ids['bob']}?workspace=shop`),
      bob.delete(`/api/team/members/${ids['alice']}?workspace=shop`),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect((await team()).members.length).toBe(2);
    expect((await actions()).filter((action) => action === 'member.removed').length).toBe(1);
  });

  test('ends for a member who leaves, and so do the invitations they sent', async () => {
    await join(alice, 'alice', 'owner');
    const invited = await alice.post('/api/team/invitations?workspace=shop', {
      platform: 'ampersat',
      name: 'bob',
      role: 'owner',
    });
    expect(invited.body.invitation.invited_by).toBe('@alice');
    expect((await bob.delete('/api/teams/shop')).status).toBe(404);
    expect((await alice.delete('/api/teams/shop')).body.places).toEqual([
      { handle: 'alice', role: 'owner', is_own: true },
    ]);
    expect((await alice.get('/api/orders?workspace=shop')).status).toBe(403);
    expect((await answer(bob, invited.body.invitation.id, 'accept')).status).toBe(409);
    expect((await log())[0]).toMatchObject({
      action: 'member.left',
      actor: { name: '@alice' },
      after: { withdrawn_invitations: [invited.body.invitation.id] },
    });
  });
});

describe('a member who is removed', () => {
  /** Waits until a statement waits for an advisory lock. */
  const untilWaiting = () =>
    vi.waitFor(async () => {
      const [row] = await world.ctx.db.$queryRaw<{ count: bigint }[]>`
        select count(*) from pg_locks where locktype = 'advisory' and not granted`;
      if (!row || row.count === 0n) throw new Error('nothing waits');
    }, 15_000);
  const lockTeam = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';

  test.each([
    ['a key', () => alice.post('/api/keys?workspace=shop', shopsKey), () => world.ctx.db.apiKey.count()],
    [
      'an order',
      () => alice.post('/api/orders?workspace=shop', { amount: '1', chain: 'base' }),
      () => world.ctx.db.order.count(),
    ],
    [
      'the branding',
      () => alice.send('PATCH', '/api/branding?workspace=shop', { name: 'Mine' }),
      () => world.ctx.db.branding.count({ where: { name: 'Mine' } }),
    ],
    [
      'a payment link',
      () => alice.post('/api/payment_links?workspace=shop', { label: 'Mine', amount: '1', chain: 'base' }),
      () => world.ctx.db.paymentLink.count(),
    ],
  ])('has their write in flight refused: %s', async (_what, write, count) => {
    await join(alice, 'alice', 'developer');
    const before = await count();
    let writing: ReturnType<typeof write> | undefined;
    // As a removal does: under the team’s lock, to the end of its transaction.
    await world.ctx.db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(lockTeam, `team:${ids['shop']}`);
      await tx.member.deleteMany({ where: { accountId: ids['alice'] as string } });
      writing = write();
      await untilWaiting();
    });
    const answer = await writing;
    expect([answer?.status, answer?.body.error?.code]).toEqual([403, 'role_required']);
    expect(await count()).toBe(before);
  });

  test('is removed only after their write in flight: the audit entry names the key it created', async () => {
    await join(alice, 'alice', 'developer');
    const [making, removing] = await world.ctx.db
      .$transaction(async (tx) => {
        await tx.$executeRawUnsafe(lockTeam, `api keys:${ids['shop']}`);
        const one = alice.post('/api/keys?workspace=shop', shopsKey);
        await untilWaiting();
        return [one, shop.delete(`/api/team/members/${ids['alice']}`)] as const;
      })
      .then((pair) => Promise.all(pair));
    expect([making.status, removing.status]).toEqual([201, 200]);
    expect((await log())[0]).toMatchObject({ action: 'member.removed', after: { known_keys: [making.body.key.id] } });
  });

  test('loses the event stream that they have open within seconds, and the members who stay keep theirs', async () => {
    await Promise.all([join(alice, 'alice', 'viewer'), join(bob, 'bob', 'viewer')]);
    const open = (who: Visitor) => watchStream(`${base}/api/webhooks/stream?workspace=shop`, who);
    const [removed, kept] = await Promise.all([open(alice), open(bob)]);
    await vi.waitFor(() => expect([removed.text, kept.text]).toEqual(Array(2).fill(expect.stringMatching(/stamp/))));
    expect((await shop.delete(`/api/team/members/${ids['alice']}`)).status).toBe(200);
    await vi.waitFor(() => expect(removed.hasEnded).toBe(true), 10_000);
    expect(kept.hasEnded).toBe(false);
    kept.close();
    expect((await alice.get('/api/webhooks/stream?workspace=shop')).status).toBe(403);
  });

  test('can’t come back by another invitation that was open', async () => {
    await join(alice, 'alice', 'viewer');
    await connect('alice', { platform: 'x', platformUserId: '557', username: 'alice_again' });
    const open = (await invite('alice_again', 'owner', 'x')).body.invitation;
    expect(await asked(alice)).toMatchObject([{ id: open.id }]);
    expect((await shop.delete(`/api/team/members/${ids['alice']}`)).status).toBe(200);
    expect((await log())[0]).toMatchObject({ after: { withdrawn_invitations: [open.id] } });
    expect((await answer(alice, open.id, 'accept')).status).toBe(404);
    expect((await team()).members.length).toBe(1);
  });

  test('leaves secrets that the page names until they are rolled', async () => {
    await join(alice, 'alice', 'developer');
    const { key, secret } = (await alice.post('/api/keys?workspace=shop', shopsKey)).body;
    const url = 'https://hooks.example.com/in?token=very-secret';
    const made = await alice.post('/api/webhooks?workspace=shop', { url, mode: 'test' });
    const endpoint = made.body.endpoint?.id ?? (await endpointOf());
    expect((await team()).known_secrets).toEqual([]);
    await shop.send('PATCH', `/api/team/members/${ids['alice']}`, { role: 'support' });
    const named = (await team()).known_secrets.map(({ id, known_by }: { id: string; known_by: string }) => [
      id,
      known_by,
    ]);
    expect(named).toEqual([
      [key.id, '@alice'],
      [endpoint, '@alice'],
    ]);
    await shop.delete(`/api/team/members/${ids['alice']}`);
    await shop.post(`/api/keys/${key.id}/roll`, { overlap_hours: 0 });
    await shop.post(`/api/webhooks/${endpoint}/roll`, { overlap_hours: 1 });
    expect((await team()).known_secrets).toEqual([
      expect.objectContaining({ object: 'webhook_endpoint', id: endpoint, until: expect.any(String) }),
    ]);
    world.later(3_600_000 + 1_000);
    expect((await team()).known_secrets).toEqual([]);
    const everything = JSON.stringify(await world.ctx.db.auditEntry.findMany());
    for (const hidden of [secret, made.body.secret ?? secret, 'very-secret']) expect(everything).not.toContain(hidden);
  });

  async function endpointOf(): Promise<string> {
    const row = await endpointRow(world.ctx, 'https://hooks.example.com/in', { handleId: ids['shop'] as string });
    await world.ctx.db.webhookEndpoint.update({ where: { id: row.id }, data: { secretById: ids['alice'] as string } });
    return row.id;
  }
});

/** An event stream as a page of that visitor would read it. */
async function watchStream(url: string, { cookies }: Visitor) {
  const closing = new AbortController();
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(url, { headers: { cookie }, signal: closing.signal });
  const stream = { text: '', hasEnded: false, close: () => closing.abort() };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) stream.text += decoder.decode(chunk as Uint8Array);
    stream.hasEnded = true;
  };
  void read().catch(() => {});
  return stream;
}

describe('the audit log', () => {
  test('has what a key did under the key’s name, and what the shop did under its own', async () => {
    const { key, secret } = (await shop.post('/api/keys', { ...shopsKey, scopes: ['payment_links'] })).body;
    const response = await fetch(`${base}/v1/payment_links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ label: 'By key', amount: '5', chain: 'base' }),
    });
    expect(response.status).toBe(201);
    expect(await log()).toEqual([
      expect.objectContaining({
        action: 'payment_link.created',
        livemode: false,
        actor: { kind: 'api_key', id: key.id, name: 'Till' },
      }),
      expect.objectContaining({ action: 'api_key.created', actor: { kind: 'member', id: ids['shop'], name: '@shop' } }),
    ]);
    expect((await log(`?actor=${key.id}`)).length).toBe(1);
    expect((await log('?kind=api_key')).length).toBe(1);
    expect((await log(`?object=${key.id}`)).length).toBe(1);
    expect((await log('?actor=service')).length).toBe(0);
    const file = (await shop.get('/api/audit_log.csv')).body as string;
    expect(file.split('\r\n').filter(Boolean).length).toBe(3);
    expect(file).not.toContain(secret);
  });

  test.each<[string, () => Promise<unknown>, number]>([
    ['branding', () => shop.send('PATCH', '/api/branding', { name: 'Shop', accent: '#0b5d3b' }), 1],
    ['handle page', () => shop.send('PATCH', '/api/settings/page', { line: 'Bread and cake' }), 1],
  ])('records a change once, also for two equal requests at the same time: %s', async (_what, change, count) => {
    await Promise.all([change(), change()]);
    await change();
    expect((await actions()).length).toBe(count);
  });

  test('records once that a key was revoked, a link deactivated, an order cancelled', async () => {
    const { key } = (await shop.post('/api/keys', shopsKey)).body;
    const { link } = (await shop.post('/api/payment_links', { label: 'One', amount: '1', chain: 'base' })).body;
    const { order } = (await shop.post('/api/orders', { amount: '1', chain: 'base' })).body;
    const made = (await actions()).length;
    for (const path of [
      `/api/keys/${key.id}/revoke`,
      `/api/payment_links/${link.id}/deactivate`,
      `/api/orders/${order.id}/cancel`,
    ]) {
      await Promise.all([shop.post(path), shop.post(path)]);
      await shop.post(path);
    }
    expect((await actions()).slice(0, -made)).toEqual([
      'order.cancelled',
      'payment_link.deactivated',
      'api_key.revoked',
    ]);
  });

  test('has what the service does by itself as Ampersat’s, also within a member’s request', async () => {
    const { ctx } = world;
    const handleId = ids['shop'] as string;
    const { id } = await endpointRow(ctx, 'https://hooks.example.com/gone', { handleId });
    const actor = { kind: 'member' as const, id: handleId, name: '@shop' };
    const disable = () => ctx.db.$transaction((tx) => disableEndpoint(ctx, tx, id, 'gone'));
    await actAs({ workspaceId: handleId, actor, needs: null }, disable);
    await disable();
    expect(await log('?actor=service')).toEqual([
      expect.objectContaining({
        action: 'webhook_endpoint.disabled',
        actor: { kind: 'service', id: null, name: 'Ampersat' },
        after: { reason: 'gone' },
      }),
    ]);
  });

  test('records each change of an endpoint once, and no token of its URL', async () => {
    const { id } = await endpointRow(world.ctx, 'https://hooks.example.com/in?token=first', {
      handleId: ids['shop'] as string,
    });
    const change = (body: object) => shop.send('PATCH', `/api/webhooks/${id}`, body);
    await change({ enabled_events: ['order.completed', 'order.expired'] });
    // The same types in another order are the same.
    await change({ enabled_events: ['order.expired', 'order.completed'] });
    await Promise.all([change({ disabled: true }), change({ disabled: true })]);
    await shop.delete(`/api/webhooks/${id}`);
    expect(await actions()).toEqual([
      'webhook_endpoint.deleted',
      'webhook_endpoint.disabled',
      'webhook_endpoint.changed',
    ]);
    expect(JSON.stringify(await log())).not.toContain('first');
  });

  test('has a preparation of the same refund once an hour', async () => {
    const { order } = (await shop.post('/api/orders', { amount: '1', chain: 'base' })).body;
    const row = await world.ctx.db.order.findUniqueOrThrow({ where: { id: order.id } });
    const after = { amount: '1.00', currency: 'USDC', to: '0xabc' };
    const prepare = (amount = after.amount) => recordPrepared(world.ctx, row, 'refund.prepared', { ...after, amount });
    await Promise.all([prepare(), prepare()]);
    await prepare();
    expect((await actions()).length).toBe(1);
    await prepare('0.50');
    expect((await actions()).length).toBe(2);
    world.later(3_600_000);
    await prepare();
    expect((await actions()).length).toBe(3);
  });

  test('shows each difference, and is never changed', async () => {
    await shop.send('PATCH', '/api/branding', { name: 'One', support: 'help@shop.example' });
    await shop.send('PATCH', '/api/branding', { name: 'Two', support: 'help@shop.example' });
    const [latest] = await log();
    expect([latest?.['before'], latest?.['after']]).toEqual([{ name: 'One' }, { name: 'Two' }]);
    await expect(world.ctx.db.auditEntry.updateMany({ data: { actorName: '@forged' } })).rejects.toThrow(
      'never changed',
    );
  });

  test('is kept for a year', async () => {
    await shop.post('/api/keys', shopsKey);
    world.later(360 * DAY_MS);
    await dropOldRows(world.ctx);
    expect(await world.ctx.db.auditEntry.count()).toBe(1);
    world.later(7 * DAY_MS);
    await dropOldRows(world.ctx);
    expect(await world.ctx.db.auditEntry.count()).toBe(0);
  });
});
