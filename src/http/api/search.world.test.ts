// The search of a workspace: by ids, transactions, descriptions and metadata; test and live apart; never another account's rows, whatever is typed.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderRow } from '../../../test/setup/orders.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { newId } from '../../context.ts';
import { API_VERSION } from '../../domain/events.ts';
import { MOST_OF_A_KIND, NEWEST } from '../../services/operations/workspaceSearch.ts';

const HASH = `0x${'ef'.repeat(32)}`;
let world: World;
let base: string;
const who = {} as Record<'shop' | 'bob', Visitor>;
const ids = {} as Record<'coffee' | 'live' | 'link' | 'event', string>;

beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  for (const name of ['shop', 'bob'] as const) {
    who[name] = visitor(base);
    expect((await who[name].signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
    // Both have the same, so that whatever finds one's finds the other's if it may.
    const wish = {
      merchant: name,
      description: "100% Coffee_beans, it's “new”",
      metadata: { invoice: 'R-2026/77' },
      txHash: HASH,
    };
    const order = await orderRow(world, wish);
    const live = await orderRow(world, { ...wish, livemode: true });
    const link = (
      await who[name].post('/api/payment_links', {
        label: 'Coffee jar',
        chain: 'base',
        amount: '3.5',
        metadata: { shelf: 'R-2026/77' },
      })
    ).body.link;
    const event = newId(world.ctx, 'evt');
    await world.ctx.db.event.create({
      data: {
        id: event,
        handleId: order.handleId,
        livemode: false,
        type: 'order.created',
        apiVersion: API_VERSION,
        resourceId: order.id,
        uniqueKey: event,
        object: { order: { id: order.id } },
        createdAt: new Date(world.ctx.clock.now()),
      },
    });
    if (name === 'shop') Object.assign(ids, { coffee: order.id, live: live.id, link: link.id, event });
  }
});
afterAll(() => world.stop());

async function found(q: string, query = '', name: 'shop' | 'bob' = 'shop'): Promise<string[]> {
  const answer = await who[name].get(`/api/search?q=${encodeURIComponent(q)}${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data.map(({ id }: { id: string }) => id);
}

test('finds orders, links and events by what is in them, in the mode that is asked for', async () => {
  expect(await found('coffee', '&mode=test')).toEqual([ids.coffee, ids.link]);
  expect(await found('coffee', '&mode=live')).toEqual([ids.live]);
  expect(await found('coffee')).toEqual([ids.coffee, ids.link]);
  expect(await found('r-2026/77', '&mode=test')).toEqual([ids.coffee, ids.link]);
  for (const q of [HASH, HASH.slice(0, 20)]) expect(await found(q, '&mode=test'), q).toEqual([ids.coffee]);
  expect(await found(ids.coffee, '&mode=test')).toEqual([ids.coffee, ids.event]);
  expect(await found(ids.coffee.slice(-6), '&mode=test')).toContain(ids.coffee);
  expect(await found(ids.link)).toEqual([ids.link]);
  expect(await found(ids.event)).toEqual([ids.event]);
  expect(await found('order.created')).toContain(ids.event);
});

test('finds an order and a link by the shop’s own reference, and a link by its ID however old it is', async () => {
  const wish = { chain: 'base', amount: '3.5', client_reference_id: 'cart-4711' };
  const { link } = (await who.shop.post('/api/payment_links', { ...wish, label: 'Jar' })).body;
  const { order } = (await who.shop.post('/api/orders', wish)).body;
  expect(await found('cart-47')).toEqual([order.id, link.id]);
  expect(await found('cart-47', '', 'bob')).toEqual([]);
  const { db, clock } = world.ctx;
  const row = await db.paymentLink.findUniqueOrThrow({ where: { id: ids.link } });
  const [lineItems, metadata] = [row.lineItems ?? [], row.metadata ?? {}];
  const newer = Array.from({ length: NEWEST.others }, () => {
    const id = newId(world.ctx, 'plk');
    return { ...row, id, label: 'Newer', lineItems, metadata, createdAt: new Date(clock.now()) };
  });
  await db.paymentLink.createMany({ data: newer });
  const all = await found(ids.link);
  await db.paymentLink.deleteMany({ where: { label: 'Newer' } });
  expect(all).toEqual([ids.link]);
});

test('never finds what is another account’s', async () => {
  const own = new Set(Object.values(ids));
  for (const q of ['coffee', 'R-2026/77', HASH, ...own, 'order.created', '%%', '__'])
    for (const id of await found(q, '', 'bob')) expect(own.has(id), `${q} found ${id}`).toBe(false);
  expect(await found(ids.coffee, '', 'bob')).toEqual([]);
  expect(await found('coffee', '', 'bob')).toHaveLength(2);
});

test('finds an order by a transaction of which only the chain tells, and a tab by its note', async () => {
  const [paid, closed] = [`0x${'a1'.repeat(32)}`, `0x${'b2'.repeat(32)}`];
  const { db, clock } = world.ctx;
  const order = await db.order.findUniqueOrThrow({ where: { id: ids.coffee } });
  const [at, usdc] = [new Date(clock.now()), world.evmChain().usdc];
  const { address } = localPerson('shop');
  await db.orderLog.create({
    data: {
      chain: 'base',
      txHash: paid,
      logIndex: 0,
      block: 1n,
      blockHash: HASH,
      blockTime: at,
      kind: 'deposit',
      outcome: 'credited',
      orderId: order.id,
      router: 'business',
      key: order.id,
      token: usdc,
      units: '1000000',
      fromAddress: address,
      toAddress: address,
    },
  });
  const escrow = newId(world.ctx, 'esc');
  await db.escrow.create({
    data: {
      id: escrow,
      chain: 'base',
      tabId: HASH,
      origin: 'page',
      senderHandleId: order.handleId,
      senderAddress: address,
      handleSlug: 'bob',
      handleKey: HASH,
      recipientLabel: 'bob@ampersat',
      asset: 'USDC',
      token: usdc,
      decimals: 6,
      units: '1000000',
      deadline: 1n,
      senderNonce: '1',
      revocable: true,
      note: 'for the concert',
      status: 'claimed',
      closeTxHash: closed,
      createdAt: at,
    },
  });
  expect(await found(paid, '&mode=test')).toEqual([ids.coffee]);
  for (const q of ['the concert', closed, 'bob@amp', escrow]) expect(await found(q, '&mode=test'), q).toEqual([escrow]);
  for (const q of [paid, 'the concert', closed, escrow]) expect(await found(q, '', 'bob'), q).toEqual([]);
});

test('takes percent signs, underscores and quotes as themselves', async () => {
  expect(await found('100%', '&mode=test')).toEqual([ids.coffee]);
  expect(await found('coffee_b', '&mode=test')).toEqual([ids.coffee]);
  expect(await found("it's “new”", '&mode=test')).toEqual([ids.coffee]);
  for (const q of ['%%', '%offee', 'c_ffee', '\\\\', "' or 1=1 --", '"; drop table event; --', '{}'])
    expect(await found(q), q).toEqual([]);
});

test('answers a page of each kind, the newest first', async () => {
  const made: string[] = [];
  for (let i = 0; i < MOST_OF_A_KIND + 2; i++)
    made.push((await orderRow(world, { merchant: 'shop', description: 'Many of them' })).id);
  expect(await found('many of')).toEqual(made.toSorted().reverse().slice(0, MOST_OF_A_KIND));
});

test('400 for less than two characters, for too many and for control characters; 401 without a session', async () => {
  for (const q of ['', 'a', ' a ', 'a'.repeat(101), 'a\u0000b']) {
    const answer = await who.shop.get(`/api/search?q=${encodeURIComponent(q)}`);
    expect([answer.status, answer.body.error?.param], q).toEqual([400, 'q']);
  }
  expect((await who.shop.get('/api/search?q=a')).body.error?.message).toBe('q must be at least 2 characters.');
  expect((await visitor(base).get('/api/search?q=coffee')).status).toBe(401);
});
