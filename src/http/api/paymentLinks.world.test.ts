// A merchant's payment links behind the session: made, listed, read with what they brought in, ended; and never another workspace's.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { newId } from '../../context.ts';
import { startOrder } from '../../services/orders/links/links.ts';
import { moveOrders } from '../../services/orders/transitions.ts';

let world: World;
let base: string;
let shop: Visitor;
let bob: Visitor;
let carol: Visitor;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  [shop, bob, carol] = (await Promise.all(['shop', 'bob', 'carol'].map(signedIn))) as [Visitor, Visitor, Visitor];
});
afterAll(() => world.stop());

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}

async function makeLink(browser: Visitor, wish: object = {}): Promise<string> {
  const answer = await browser.post('/api/payment_links', { label: 'A coffee', chain: 'base', amount: '3.5', ...wish });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.link.id;
}

async function settle(id: string): Promise<void> {
  await world.ctx.db.$transaction(async (tx) => {
    await moveOrders(world.ctx, tx, [{ id, action: 'submit' }]);
    await moveOrders(world.ctx, tx, [{ id, action: 'settle' }]);
  });
}

describe('making a link', () => {
  test('with a fixed price: answers its page’s address, and that nobody used it', async () => {
    const answer = await shop.post('/api/payment_links', { label: ' A coffee ', chain: 'base', amount: '3.5' });
    expect(answer.status).toBe(201);
    expect(answer.body.link).toMatchObject({
      id: expect.stringMatching(/^plk_[0-9a-z]{26}$/),
      active: true,
      label: 'A coffee',
      amount: '3.50',
      open_amount: false,
      chain_label: 'Base',
      recipient: '@shop',
      totals: { orders: 0, paid: 0, paid_amount: '0.00', last_paid_at: null },
    });
    expect(answer.body.link.url).toBe(`${base}/l/${answer.body.link.id}`);
  });

  test('with an open amount between caps', async () => {
    const answer = await shop.post('/api/payment_links', {
      label: 'Tips',
      chain: 'base',
      currency: 'USDC',
      open_amount: true,
      min_amount: '1',
      max_amount: '50',
    });
    expect(answer.body.link).toMatchObject({
      amount: null,
      open_amount: true,
      min_amount: '1.00',
      max_amount: '50.00',
    });
  });

  test.each([
    [{ label: '' }, 400, 'parameter_missing', 'label'],
    [{ label: undefined }, 400, 'parameter_missing', 'label'],
    [{ label: 'x'.repeat(281) }, 400, 'parameter_invalid', 'label'],
    [{ label: 'a\u202eb' }, 400, 'parameter_invalid', 'label'],
    [{ amount: undefined }, 400, 'parameter_missing', 'amount'],
    [{ amount: '0' }, 400, 'amount_out_of_range', 'amount'],
    [{ open_amount: true }, 400, 'parameter_invalid', 'amount'],
    [{ min_amount: '1' }, 400, 'parameter_invalid', 'min_amount'],
    [
      { amount: undefined, open_amount: true, min_amount: '5', max_amount: '4' },
      400,
      'parameter_invalid',
      'min_amount',
    ],
    [{ chain: 'dogechain' }, 422, 'unsupported_chain', 'chain'],
    [{ currency: 'CELO' }, 422, 'unsupported_asset', 'currency'],
    [{ recipient: '@alice' }, 403, 'recipient_not_allowed', 'recipient'],
    [{ url: 'https://evil.example' }, 400, 'parameter_unknown', 'url'],
  ])('%j is refused: %i %s', async (wish, status, code, param) => {
    const answer = await bob.post('/api/payment_links', { label: 'A coffee', chain: 'base', amount: '3.5', ...wish });
    expect([answer.status, answer.body.error?.code, answer.body.error?.param]).toEqual([status, code, param]);
  });
});

describe('a link and its orders', () => {
  test('are counted as they are begun and paid, and only the link’s own are listed', async () => {
    const [id, other] = [await makeLink(shop), await makeLink(shop, { label: 'Tea' })];
    const orders = await Promise.all([
      startOrder(world.ctx, id),
      startOrder(world.ctx, id),
      startOrder(world.ctx, other),
    ]);
    await settle(orders[0].order.id);
    const { link } = (await shop.get(`/api/payment_links/${id}`)).body;
    expect(link.totals).toMatchObject({ orders: 2, paid: 1, paid_amount: '3.50' });
    expect(Date.parse(link.totals.last_paid_at)).toBeGreaterThan(0);
    const listed = (await shop.get(`/api/payment_links/${id}/orders`)).body;
    expect(listed.data.map((order: { id: string }) => order.id).sort()).toEqual(
      orders
        .slice(0, 2)
        .map(({ order }) => order.id)
        .sort(),
    );
    expect(listed.data[0]).toMatchObject({ origin: 'link', link_label: 'A coffee', description: 'A coffee' });
    const found = (await shop.get('/api/orders?q=tea')).body.data;
    expect(found.map((order: { id: string }) => order.id)).toEqual([orders[2].order.id]);
    const first = (await shop.get(`/api/payment_links/${id}/orders?limit=1`)).body;
    const second = (await shop.get(`/api/payment_links/${id}/orders?limit=1&cursor=${first.next_cursor}`)).body;
    expect([first.has_more, second.has_more]).toEqual([true, false]);
    expect(second.data[0].id).not.toBe(first.data[0].id);
  });

  test('is ended once for good, starts nothing more, and what was begun goes on', async () => {
    const id = await makeLink(shop);
    const { order } = await startOrder(world.ctx, id);
    const ended = await shop.post(`/api/payment_links/${id}/deactivate`);
    expect(ended.body.link).toMatchObject({ active: false, totals: { orders: 1 } });
    expect((await shop.post(`/api/payment_links/${id}/deactivate`)).body.link.deactivated_at).toBe(
      ended.body.link.deactivated_at,
    );
    await expect(startOrder(world.ctx, id)).rejects.toMatchObject({ code: 'link_inactive' });
    expect((await shop.get(`/api/orders/${order.id}`)).body.order.status).toBe('awaiting_payment');
  });
});

describe('the list', () => {
  test('is one’s own, newest first, in pages that stay whole while links are made', async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.unshift(await makeLink(carol, { label: `No ${i}` }));
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = (await carol.get(`/api/payment_links?limit=2${cursor && `&cursor=${cursor}`}`)).body;
      seen.push(...page.data.map(({ id }: { id: string }) => id));
      cursor = page.next_cursor;
      await makeLink(carol, { label: 'made meanwhile' });
    } while (cursor);
    expect(seen).toEqual(made);
  });

  test('by mode and by whether they are open', async () => {
    const id = await makeLink(bob);
    await bob.post(`/api/payment_links/${id}/deactivate`);
    const idsOf = async (query: string) =>
      (await bob.get(`/api/payment_links${query}`)).body.data.map((one: { id: string }) => one.id);
    expect(await idsOf('?active=false')).toEqual([id]);
    expect(await idsOf('?active=true')).not.toContain(id);
    expect(await idsOf('?mode=test')).toContain(id);
    expect(await idsOf('?mode=live')).toEqual([]);
  });

  test.each(['limit=0', 'limit=101', 'cursor=bm9wZQ', 'mode=play', 'active=yes', 'x=1'])(
    '400 for ?%s',
    async (query) => {
      expect((await shop.get(`/api/payment_links?${query}`)).status).toBe(400);
    },
  );
});

test('404 for another workspace’s, for none, and for what is no id; 401 without a session', async () => {
  const id = await makeLink(shop);
  for (const one of [id, newId(world.ctx, 'plk'), 'plk_x', "'--"]) {
    expect((await bob.get(`/api/payment_links/${one}`)).body.error?.code, one).toBe('resource_missing');
    expect((await bob.get(`/api/payment_links/${one}/orders`)).body.error?.code, one).toBe('resource_missing');
    expect((await bob.post(`/api/payment_links/${one}/deactivate`)).body.error?.code, one).toBe('resource_missing');
  }
  expect((await shop.get(`/api/payment_links/${id}`)).body.link.active).toBe(true);
  for (const path of ['', `/${id}`, `/${id}/orders`])
    expect((await visitor(base).get(`/api/payment_links${path}`)).status, path).toBe(401);
});
