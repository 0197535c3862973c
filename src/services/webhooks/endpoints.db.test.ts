// Endpoints as the services keep them: how many, which, told of what, with secrets that lie sealed and are shown once; and test events.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sealUnbound } from '../../../test/setup/unboundSeal.ts';
import {
  type Desk,
  deliveryOf,
  eventRow,
  HOOK_SECRET,
  receiverForTest,
  startDesk,
} from '../../../test/setup/webhooks.ts';
import { newId } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { EVENT_TYPES } from '../../domain/events.ts';
import { MOST_ENDPOINTS, SECRET_PATTERN } from '../../domain/webhookEndpoint.ts';
import { sampleOf } from '../../http/sampleEvents.ts';
import { createLog } from '../../log.ts';
import { countWebhookUrl } from '../publicRateLimit.ts';
import { createDeliverer } from './dispatcher.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type EndpointChange,
  type EndpointWish,
  getEndpoint,
  listEndpoints,
  readyChange,
  readyEndpoint,
  rollEndpoint,
} from './endpoints.ts';
import { disableEndpoint } from './endpointTransitions.ts';
import { getEvent, listEvents } from './eventViews.ts';
import { bindSecrets, secretsInForce } from './secrets.ts';
import { sendTestEvent } from './testEvents.ts';

const HOUR_MS = 3_600_000;
/** Public addresses, written as such: no name server is asked. */
const URL_A = 'https://93.184.215.14/hook';
const LOCAL = 'http://127.0.0.1:4000/hook';
/** What is not called as its event begins. */
const KINDS: Record<string, string> = { 'subscription.plan_created': 'plan', 'campaign.grant_paid': 'grant' };
let desk: Desk;
let shop: string;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());
beforeEach(async () => {
  shop = await handleRow();
});

/** A workspace of the test's own. */
async function handleRow(): Promise<string> {
  const id = newId(desk.ctx, 'hdl');
  const slug = id.slice(-20);
  const caps = { commandCapMicros: 0n, dayCapMicros: 0n };
  await desk.ctx.db.handle.create({
    data: { id, slug, skeleton: slug, ...caps, createdAt: new Date(desk.clock.now()) },
  });
  return id;
}

const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => desk.ctx.db.$transaction(work);
const reader = (livemode?: boolean) => ({ workspaceId: shop, livemode });

async function make(wish: Partial<EndpointWish> = {}, { livemode = false, workspaceId = shop } = {}) {
  const ready = await readyEndpoint(desk.ctx, { workspaceId, livemode }, { url: URL_A, ...wish });
  return within((tx) => createEndpoint(desk.ctx, tx, { workspaceId, livemode }, ready));
}
async function change(
  id: string,
  wish: EndpointChange,
  who: { workspaceId: string; livemode?: boolean | undefined } = reader(),
) {
  const ready = await readyChange(desk.ctx, who, id, wish);
  return within((tx) => changeEndpoint(desk.ctx, tx, who, id, ready));
}
const roll = (id: string, overlapHours?: number) =>
  within((tx) => rollEndpoint(desk.ctx, tx, reader(), id, { overlapHours }));
const remove = (id: string) => within((tx) => deleteEndpoint(desk.ctx, tx, reader(), id));
const tryOut = (id: string, type?: string) =>
  within((tx) => sendTestEvent(desk.ctx, tx, reader(), id, sampleOf, { type }));
const rowOf = (id: string) => desk.ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
const inForce = async (id: string) => secretsInForce(desk.ctx, await rowOf(id), desk.clock.now());

describe('secrets of earlier versions', () => {
  const unbound = (secret: string) => sealUnbound(desk.ctx.env.WEBHOOK_KEY ?? '', 'ampersat webhook secret', secret);

  test('are bound to their endpoint once; what is unbound after that signs nothing', async () => {
    await desk.ctx.db.sealingMark.deleteMany();
    const [one, two] = [(await make()).endpoint.id, (await make({ url: `${URL_A}/2` })).endpoint.id];
    const formerUntil = new Date(desk.clock.now() + 3_600_000);
    const data = { secret: unbound(HOOK_SECRET), formerSecret: unbound('whsec_former'), formerUntil };
    await desk.ctx.db.webhookEndpoint.update({ where: { id: one }, data });
    await desk.ctx.db.webhookEndpoint.update({ where: { id: two }, data: { secret: 'sealed under another key' } });
    expect(await inForce(one)).toEqual([]);
    // A key that is wrong by mistake voids nothing: the right one binds them at the next start.
    await bindSecrets({ ...desk.ctx, env: { ...desk.ctx.env, WEBHOOK_KEY: 'cd'.repeat(32) } });
    expect(await desk.ctx.db.sealingMark.count()).toBe(0);
    await Promise.all([bindSecrets(desk.ctx), bindSecrets(desk.ctx)]);
    expect(await inForce(one)).toEqual([HOOK_SECRET, 'whsec_former']);
    expect((await rowOf(two)).secret).toBe('sealed under another key');

    // A writer of the database puts in what it kept of before.
    await desk.ctx.db.webhookEndpoint.update({ where: { id: two }, data: { secret: unbound(HOOK_SECRET) } });
    await bindSecrets(desk.ctx);
    expect(await inForce(two)).toEqual([]);
    await desk.ctx.db.webhookEndpoint.update({ where: { id: two }, data: { secret: (await rowOf(one)).secret } });
    expect(await inForce(two)).toEqual([]);
  });
});

describe('making an endpoint', () => {
  test('draws a secret that lies sealed, opens as it was shown, and stands in no other answer', async () => {
    const { endpoint, secret } = await make({ description: ' The till ', enabled_events: ['order.completed'] });
    expect(secret).toMatch(SECRET_PATTERN);
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^whs_[0-9a-z]{26}$/),
      object: 'webhook_endpoint',
      url: URL_A,
      description: 'The till',
      enabled_events: ['order.completed'],
      api_version: '2026-11-20',
      status: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      livemode: false,
      former_secret_until: null,
      created_at: new Date(desk.clock.now()).toISOString(),
    });
    const row = await rowOf(endpoint.id);
    expect(JSON.stringify(row)).not.toContain(secret.slice(6, 30));
    expect(row.host).toBe('93.184.215.14:443');
    expect(await inForce(endpoint.id)).toEqual([secret]);
    expect(await getEndpoint(desk.ctx, reader(), endpoint.id)).toEqual(endpoint);
    expect((await listEndpoints(desk.ctx, reader())).data).toEqual([endpoint]);
  });

  test('409 for the seventeenth, of both modes together, also when all come at once; a deleted one makes room', async () => {
    const urls = Array.from({ length: MOST_ENDPOINTS + 4 }, (_, i) => `https://93.184.215.14/hook/${i}`);
    const made = await Promise.allSettled(urls.map((url, i) => make({ url }, { livemode: i % 2 === 0 })));
    const there = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.endpoint] : []));
    expect(there).toHaveLength(MOST_ENDPOINTS);
    for (const one of made)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'state_conflict', detail: /at most 16/ });
    await remove(there[0]?.id ?? '');
    await make({ url: 'https://93.184.215.14/another' });
    await expect(make({ url: 'https://93.184.215.14/more' })).rejects.toMatchObject({ code: 'state_conflict' });
  });

  test('409 for a URL that is there already in this mode, however it is written and however many come at once', async () => {
    const twins = await Promise.allSettled([make(), make(), make({ url: 'HTTPS://93.184.215.14:443/./hook#top' })]);
    expect(twins.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of twins)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'state_conflict', param: 'url' });
    const live = await make({}, { livemode: true });
    await make({}, { workspaceId: await handleRow() });
    await remove(live.endpoint.id);
    await make({}, { livemode: true });
  });

  test.each([
    [[], /can’t be empty/],
    [['*', 'order.created'], /can’t be combined/],
    [['order.created', 'order.created'], /can’t contain duplicates/],
    [['order.*'], /order\.created, order\.completed/],
    [['order.shipped'], /escrow\.refunded/],
    [['ORDER.CREATED'], /must be event types/],
    [[''], /must be event types/],
    [['constructor'], /must be event types/],
  ])('400 for being told of %j', async (enabled_events, words) => {
    await expect(make({ enabled_events })).rejects.toMatchObject({
      code: 'parameter_invalid',
      param: 'enabled_events',
      detail: expect.stringMatching(words),
    });
  });

  test('takes every type by name, in the order in which they came; all of them by “*”, which is the default', async () => {
    const names = [...EVENT_TYPES].reverse();
    expect((await make({ enabled_events: names })).endpoint.enabled_events).toEqual(names);
    expect((await make({ url: LOCAL, enabled_events: ['*'] })).endpoint.enabled_events).toEqual(['*']);
    expect((await make({ url: `${LOCAL}/2` })).endpoint.enabled_events).toEqual(['*']);
  });

  test('400 for a description that is too long or hides something; of blanks there is none', async () => {
    for (const description of ['x'.repeat(281), 'a\u202Eb', 'a\0b'])
      await expect(make({ description })).rejects.toMatchObject({ code: 'parameter_invalid', param: 'description' });
    expect((await make({ description: '  ' })).endpoint.description).toBeNull();
    expect((await make({ url: LOCAL, description: 'x'.repeat(280) })).endpoint.description).toHaveLength(280);
  });

  test('422 for an address that is not public, 400 for a URL that is not called; http in test mode alone', async () => {
    for (const url of ['https://10.0.0.1/', 'https://[::ffff:192.168.0.1]/', 'https://printer.local:22/'])
      await expect(make({ url })).rejects.toMatchObject({ code: 'private_address', param: 'url' });
    for (const url of ['https://user@93.184.215.14/', 'https://93.184.215.14:22/', 'ftp://a.com'])
      await expect(make({ url })).rejects.toMatchObject({ code: 'url_not_allowed', param: 'url' });
    await expect(make({ url: 'hook' })).rejects.toMatchObject({ code: 'parameter_invalid', param: 'url' });
    const url = 'http://93.184.215.14/hook';
    await expect(make({ url }, { livemode: true })).rejects.toMatchObject({ code: 'url_not_allowed' });
    expect((await make({ url })).endpoint).toMatchObject({ url, livemode: false });
  });

  test('409 that names the variable where the operator has set no key; nothing is written', async () => {
    const { endpoint } = await make();
    const { WEBHOOK_KEY } = desk.ctx.env;
    desk.ctx.env.WEBHOOK_KEY = undefined;
    try {
      const refusal = { code: 'state_conflict', detail: expect.stringContaining('WEBHOOK_KEY') };
      await expect(make({ url: LOCAL })).rejects.toMatchObject(refusal);
      await expect(roll(endpoint.id)).rejects.toMatchObject(refusal);
      expect((await listEndpoints(desk.ctx, reader())).data).toEqual([endpoint]);
    } finally {
      desk.ctx.env.WEBHOOK_KEY = WEBHOOK_KEY;
    }
  });
});

test('a workspace has a hundred URLs looked at in an hour, made or changed, and is nobody else’s matter', async () => {
  const { endpoint } = await make();
  const refused = { code: 'private_address' };
  await expect(make({ url: 'https://10.0.0.1/' })).rejects.toMatchObject(refused);
  for (let before = 2; before < 99; before++) await countWebhookUrl(desk.ctx, shop);
  await expect(change(endpoint.id, { url: 'https://10.0.0.1/' })).rejects.toMatchObject(refused);
  const limited = { code: 'rate_limited' };
  await expect(make({ url: LOCAL })).rejects.toMatchObject(limited);
  await expect(change(endpoint.id, { url: LOCAL })).rejects.toMatchObject(limited);
  expect(await change(endpoint.id, { description: 'asks nobody' })).toMatchObject({ description: 'asks nobody' });
  await make({}, { workspaceId: await handleRow() });
  desk.later(3_600_000);
  expect((await make({ url: LOCAL })).endpoint).toMatchObject({ url: LOCAL });
});

test('a secret is in no line of the log, whatever is done with it and however it goes', async () => {
  const { log } = desk.ctx;
  const lines: string[] = [];
  desk.ctx.log = createLog('test', 'trace', [], { write: (line) => void lines.push(line) });
  try {
    const receiver = await receiverForTest('drop');
    const { endpoint, secret } = await make({ url: receiver.url });
    const { secret: second } = await roll(endpoint.id);
    await expect(make({ url: receiver.url })).rejects.toMatchObject({ code: 'state_conflict' });
    await tryOut(endpoint.id);
    const deliverer = createDeliverer(desk.ctx);
    expect(await deliverer.round()).toBe(1);
    await deliverer.close();
    await change(endpoint.id, { disabled: true });
    await change(endpoint.id, { disabled: false });
    await remove(endpoint.id);
    desk.ctx.log.info({ endpoint: 'the log is heard' });
    expect(lines.join()).toContain('the log is heard');
    for (const one of [secret, second]) expect(lines.join()).not.toContain(one.slice(6, 30));
  } finally {
    desk.ctx.log = log;
  }
});

describe('changing an endpoint', () => {
  test('changes what is given and leaves the rest', async () => {
    const { endpoint, secret } = await make({ description: 'one', enabled_events: ['order.created'] });
    expect(await change(endpoint.id, {})).toEqual(endpoint);
    expect(await change(endpoint.id, { description: null })).toEqual({ ...endpoint, description: null });
    const url = 'https://93.184.215.14/other';
    const changed = await change(endpoint.id, { url, enabled_events: ['*'], description: 'two' });
    expect(changed).toEqual({ ...endpoint, url, enabled_events: ['*'], description: 'two' });
    expect(await inForce(endpoint.id)).toEqual([secret]);
    expect((await rowOf(endpoint.id)).host).toBe('93.184.215.14:443');
  });

  test('409 for the URL of another endpoint, its own is none; 422 for one that is not public', async () => {
    const { endpoint } = await make();
    await make({ url: LOCAL });
    await expect(change(endpoint.id, { url: LOCAL })).rejects.toMatchObject({ code: 'state_conflict', param: 'url' });
    expect(await change(endpoint.id, { url: URL_A })).toEqual(endpoint);
    await expect(change(endpoint.id, { url: 'https://169.254.169.254/' })).rejects.toMatchObject({
      code: 'private_address',
    });
    const live = (await make({}, { livemode: true })).endpoint;
    await expect(change(live.id, { url: 'http://93.184.215.14/' })).rejects.toMatchObject({ code: 'url_not_allowed' });
    await expect(change(endpoint.id, { enabled_events: ['x'] })).rejects.toMatchObject({ code: 'parameter_invalid' });
  });

  test('disabling gives up what is pending, enabling begins with a clean record; both twice change nothing', async () => {
    const { endpoint } = await make({ url: LOCAL });
    const event = await eventRow(desk.ctx, [endpoint], { handleId: shop });
    const disabled = await change(endpoint.id, { disabled: true });
    const at = new Date(desk.clock.now()).toISOString();
    expect(disabled).toMatchObject({ status: 'disabled', disabled_reason: 'by_owner', disabled_at: at });
    const failed = { status: 'failed', failure: 'endpoint_disabled', nextAttemptAt: null };
    expect(await deliveryOf(desk.ctx, event.id, endpoint.id)).toMatchObject(failed);
    desk.later(1_000);
    expect(await change(endpoint.id, { disabled: true })).toEqual(disabled);
    await desk.ctx.db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { failingSince: new Date() } });
    expect(await change(endpoint.id, { disabled: false })).toEqual(endpoint);
    expect(await change(endpoint.id, { disabled: false })).toEqual(endpoint);
    expect(await deliveryOf(desk.ctx, event.id, endpoint.id)).toMatchObject(failed);
  });

  test('one that we disabled keeps the reason when its owner disables it, and is enabled like any other', async () => {
    const { endpoint } = await make();
    await within((tx) => disableEndpoint(desk.ctx, tx, endpoint.id, 'failing'));
    expect(await change(endpoint.id, { disabled: true })).toMatchObject({ disabled_reason: 'failing' });
    expect(await change(endpoint.id, { disabled: false })).toEqual(endpoint);
  });

  test('a new URL begins its days of failing anew, the same one does not', async () => {
    const { endpoint } = await make();
    const failingSince = new Date(desk.clock.now() - 4 * 24 * HOUR_MS);
    await desk.ctx.db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { failingSince } });
    const kept = { failing_since: failingSince.toISOString() };
    expect(await change(endpoint.id, { url: URL_A, description: 'x' })).toMatchObject(kept);
    expect(await change(endpoint.id, { url: LOCAL })).toMatchObject({ failing_since: null });
  });
});

describe('rolling a secret', () => {
  test('leaves the former one in force for 24 hours, and not a moment longer', async () => {
    const { endpoint, secret: first } = await make();
    const { endpoint: rolled, secret: second } = await roll(endpoint.id);
    expect(second).toMatch(SECRET_PATTERN);
    expect(rolled).toEqual({
      ...endpoint,
      former_secret_until: new Date(desk.clock.now() + 24 * HOUR_MS).toISOString(),
    });
    expect(await inForce(endpoint.id)).toEqual([second, first]);
    desk.later(24 * HOUR_MS - 1);
    expect(await inForce(endpoint.id)).toEqual([second, first]);
    desk.later(1);
    expect(await inForce(endpoint.id)).toEqual([second]);
    expect(await getEndpoint(desk.ctx, reader(), endpoint.id)).toEqual(endpoint);
  });

  test('within the overlap again: two are in force, the oldest is not', async () => {
    const { endpoint, secret: first } = await make();
    const { secret: second } = await roll(endpoint.id, 24);
    const { endpoint: rolled, secret: third } = await roll(endpoint.id, 1);
    expect(await inForce(endpoint.id)).toEqual([third, second]);
    expect(await inForce(endpoint.id)).not.toContain(first);
    expect(rolled.former_secret_until).toBe(new Date(desk.clock.now() + HOUR_MS).toISOString());
    const { endpoint: atOnce, secret: fourth } = await roll(endpoint.id, 0);
    expect([await inForce(endpoint.id), atOnce.former_secret_until]).toEqual([[fourth], null]);
    const row = await rowOf(endpoint.id);
    for (const secret of [first, second, third, fourth]) expect(JSON.stringify(row)).not.toContain(secret.slice(6, 30));
  });

  test('gives a new one where the key was changed and none can be read any more', async () => {
    const { endpoint } = await make();
    const { WEBHOOK_KEY } = desk.ctx.env;
    desk.ctx.env.WEBHOOK_KEY = 'ab'.repeat(32);
    try {
      expect(await inForce(endpoint.id)).toEqual([]);
      const { secret } = await roll(endpoint.id);
      expect(await inForce(endpoint.id)).toEqual([secret]);
    } finally {
      desk.ctx.env.WEBHOOK_KEY = WEBHOOK_KEY;
    }
  });

  test.each([[-1], [25], [1.5], [Number.NaN]])('400 for an overlap of %d hours', async (overlapHours) => {
    const { endpoint, secret } = await make();
    const refusal = { code: 'parameter_invalid', param: 'overlap_hours' };
    await expect(roll(endpoint.id, overlapHours)).rejects.toMatchObject(refusal);
    expect(await inForce(endpoint.id)).toEqual([secret]);
  });
});

test('deleting gives up what is pending and forgets the secrets; what was told stays', async () => {
  const { endpoint } = await make({ url: LOCAL });
  await roll(endpoint.id);
  const event = await eventRow(desk.ctx, [endpoint], { handleId: shop });
  expect(await remove(endpoint.id)).toEqual({ id: endpoint.id, object: 'webhook_endpoint', deleted: true });
  expect(await deliveryOf(desk.ctx, event.id, endpoint.id)).toMatchObject({
    status: 'failed',
    failure: 'endpoint_deleted',
    nextAttemptAt: null,
  });
  expect(await rowOf(endpoint.id)).toMatchObject({
    status: 'deleted',
    secret: '',
    formerSecret: null,
    formerUntil: null,
  });
  expect((await getEvent(desk.ctx, reader(), event.id)).id).toBe(event.id);
  expect((await listEndpoints(desk.ctx, reader())).data).toEqual([]);
  const missing = { code: 'resource_missing' };
  await expect(getEndpoint(desk.ctx, reader(), endpoint.id)).rejects.toMatchObject(missing);
  await expect(change(endpoint.id, { disabled: false })).rejects.toMatchObject(missing);
  await expect(roll(endpoint.id)).rejects.toMatchObject(missing);
  await expect(tryOut(endpoint.id)).rejects.toMatchObject(missing);
  await expect(remove(endpoint.id)).rejects.toMatchObject(missing);
});

test('another workspace and the other mode see nothing and change nothing', async () => {
  const { endpoint, secret } = await make();
  const stranger = { workspaceId: await handleRow() };
  const missing = { code: 'resource_missing' };
  for (const who of [stranger, { ...stranger, livemode: false }, reader(true)]) {
    await expect(getEndpoint(desk.ctx, who, endpoint.id)).rejects.toMatchObject(missing);
    await expect(change(endpoint.id, { disabled: true }, who)).rejects.toMatchObject(missing);
    await expect(within((tx) => rollEndpoint(desk.ctx, tx, who, endpoint.id))).rejects.toMatchObject(missing);
    await expect(within((tx) => sendTestEvent(desk.ctx, tx, who, endpoint.id, sampleOf))).rejects.toMatchObject(
      missing,
    );
    await expect(within((tx) => deleteEndpoint(desk.ctx, tx, who, endpoint.id))).rejects.toMatchObject(missing);
    expect((await listEndpoints(desk.ctx, who)).data).toEqual([]);
  }
  for (const id of ['', 'whs_', newId(desk.ctx, 'whs'), endpoint.id.replace('whs', 'evt')])
    await expect(getEndpoint(desk.ctx, reader(), id)).rejects.toMatchObject(missing);
  expect(await getEndpoint(desk.ctx, reader(false), endpoint.id)).toEqual(endpoint);
  expect(await inForce(endpoint.id)).toEqual([secret]);
});

describe('a test event', () => {
  test('of a live endpoint is none of live mode, about nothing that there is, in no list, and tried once', async () => {
    const { endpoint } = await make({ url: URL_A }, { livemode: true });
    const event = await tryOut(endpoint.id, 'order.completed');
    expect(event).toMatchObject({ type: 'order.completed', livemode: false, pending_webhooks: 1 });
    expect(event.data.object).toMatchObject({
      order: { id: `ord_${'0'.repeat(26)}`, status: 'completed', livemode: false, txHash: `0x${'0'.repeat(64)}` },
    });
    expect(event.data.previous_attributes).toEqual({ status: 'processing' });
    expect(await deliveryOf(desk.ctx, event.id, endpoint.id)).toMatchObject({ status: 'pending', isTest: true });
    const filters = { limit: 100 };
    for (const livemode of [undefined, true, false])
      expect((await listEvents(desk.ctx, reader(livemode), filters)).data).toEqual([]);
    expect((await getEvent(desk.ctx, reader(true), event.id)).id).toBe(event.id);
  });

  test('is sent, signed, to that endpoint alone, and not again when it fails', async () => {
    const receiver = await receiverForTest({ status: 500 });
    const { endpoint } = await make({ url: receiver.url });
    await make({ url: `${receiver.url}/other` });
    const deliverer = createDeliverer(desk.ctx, { jitter: () => 0 });
    const event = await tryOut(endpoint.id);
    await deliverer.round();
    expect(receiver.requests.map(({ path }) => path)).toEqual([new URL(receiver.url).pathname]);
    expect(receiver.requests[0]?.headers['webhook-id']).toBe(event.id);
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toMatchObject({ id: event.id, type: 'order.created' });
    expect(await deliveryOf(desk.ctx, event.id, endpoint.id)).toMatchObject({ status: 'failed', attempts: 1 });
    desk.later(25 * HOUR_MS);
    await deliverer.round();
    expect(receiver.requests).toHaveLength(1);
    await deliverer.close();
  });

  test('is of the first type that the endpoint takes, or of any that is asked for', async () => {
    const { endpoint } = await make({ enabled_events: ['escrow.claimed', 'order.created'] });
    expect((await tryOut(endpoint.id)).type).toBe('escrow.claimed');
    for (const type of EVENT_TYPES) {
      desk.later(60_000);
      const event = await tryOut(endpoint.id, type);
      const kind = KINDS[type] ?? type.slice(0, type.indexOf('.'));
      expect([event.type, Object.keys(event.data.object)]).toEqual([type, [kind]]);
      expect(event.data.object[kind]).toMatchObject({ id: expect.stringMatching(/_0{26}$/), livemode: false });
    }
    for (const type of ['invoice.paid', 'order', '', '__proto__'])
      await expect(tryOut(endpoint.id, type)).rejects.toMatchObject({ code: 'parameter_invalid', param: 'type' });
    const { endpoint: later } = await make({ url: LOCAL });
    // As a version that knew other types left it.
    await desk.ctx.db.webhookEndpoint.update({
      where: { id: later.id },
      data: { eventTypes: ['invoice.paid'] },
    });
    await expect(tryOut(later.id)).rejects.toMatchObject({ code: 'parameter_missing', param: 'type' });
  });

  test('429 for the eleventh within a minute of one endpoint, 409 for a disabled one', async () => {
    const [one, other] = [(await make()).endpoint, (await make({ url: LOCAL })).endpoint];
    const sent = await Promise.allSettled(Array.from({ length: 13 }, () => tryOut(one.id)));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const answer of sent)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'rate_limited' });
    await tryOut(other.id);
    desk.later(60_001);
    await tryOut(one.id);
    await change(one.id, { disabled: true });
    await expect(tryOut(one.id)).rejects.toMatchObject({ code: 'state_conflict' });
    expect(await desk.ctx.db.event.count({ where: { handleId: shop } })).toBe(12);
  });
});
