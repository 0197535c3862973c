// What a shop writes on orders and links: read strictly, kept, inherited, shown to whom it concerns; and links that end by themselves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Shop, shopOf } from '../../../test/setup/shop.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { searchWorkspace } from '../operations/workspaceSearch.ts';
import { orderCsv } from './csv.ts';
import {
  createPaymentLink,
  deactivateLink,
  getLink,
  getPublicLink,
  type LinkWish,
  listLinks,
  startOrder,
} from './links/links.ts';
import { cancelOrder, expireOrders, getOrder } from './orders.ts';
import { searchOrders } from './search.ts';
import { moveOrders } from './transitions.ts';
import { orderRow, publicOrder } from './views.ts';

let world: World;
let orders: Shop;
beforeAll(async () => {
  world = await startWorld();
  orders = shopOf(world);
});
afterAll(() => world.stop());

const code = (code: string, param?: string) =>
  expect.objectContaining(param === undefined ? { code } : { code, param });
const reader = async (slug: string) => ({ workspaceId: await orders.idOf(slug) });
const link = async (wish: Partial<LinkWish> = {}) =>
  createPaymentLink(
    world.ctx,
    { id: await orders.idOf('shop') },
    { label: 'Tea', chain: 'base', amount: '5', ...wish },
  );
const asSeen = async (id: string) => publicOrder(world.ctx, await orderRow(world.ctx, id));
const move = (id: string, action: 'submit' | 'settle') =>
  world.ctx.db.$transaction((tx) => moveOrders(world.ctx, tx, [{ id, action }]));

const shopWish = {
  success_url: 'https://shop.example/thanks?order={ORDER_ID}',
  cancel_url: 'https://shop.example/cart/{ORDER_ID}',
  client_reference_id: 'cart-7041',
  line_items: [
    { name: 'Tea', quantity: 2, amount: '10' },
    { name: 'Honey <b>“bio”</b>', quantity: 1, amount: '5.00' },
  ],
};

describe('an order', () => {
  test('keeps what its shop wrote, for the shop, its events and its file; and names itself in the addresses', async () => {
    const { order } = await orders.ask('shop', shopWish);
    const kept = {
      success_url: `https://shop.example/thanks?order=${order.id}`,
      cancel_url: `https://shop.example/cart/${order.id}`,
      client_reference_id: 'cart-7041',
      line_items: [
        { name: 'Tea', quantity: 2, amount: '10.00' },
        { name: 'Honey <b>“bio”</b>', quantity: 1, amount: '5.00' },
      ],
      embed_origins: ['https://shop.example'],
    };
    expect(order).toMatchObject(kept);
    expect(await getOrder(world.ctx, await reader('shop'), order.id)).toEqual(order);
    const [event] = await orders.events(order.id);
    expect(event?.object).toEqual({ order });
    let file = '';
    for await (const part of orderCsv(world.ctx, await orders.idOf('shop'), { q: 'cart-7041' })) file += part;
    const [head, line] = file.trim().split(/\r?\n/);
    expect([head?.split(',').at(-1), line?.endsWith(',cart-7041')]).toEqual(['reference', true]);
    const shop = await orders.idOf('shop');
    expect((await searchOrders(world.ctx, shop, { q: 'cart-70' }, { limit: 5 })).orders.map(({ id }) => id)).toEqual([
      order.id,
    ]);
    expect((await searchWorkspace(world.ctx, shop, { q: 'cart-70' })).map(({ id }) => id)).toContain(order.id);
  });

  test('is shown to strangers without the reference, and says where it leads once paid only when it is being paid', async () => {
    const { order } = await orders.ask('shop', shopWish);
    const waiting = await asSeen(order.id);
    expect(waiting).toMatchObject({ success_url: null, cancel_url: order.cancel_url, line_items: order.line_items });
    expect(JSON.stringify(waiting)).not.toMatch(/cart-7041|thanks/);
    await move(order.id, 'submit');
    expect(await asSeen(order.id)).toMatchObject({ success_url: order.success_url, cancel_url: null });
    await move(order.id, 'settle');
    expect(await asSeen(order.id)).toMatchObject({ success_url: order.success_url, cancel_url: null });
    const { order: other } = await orders.ask('shop', shopWish);
    await cancelOrder(world.ctx, await reader('shop'), other.id);
    expect(await asSeen(other.id)).toMatchObject({ success_url: null, cancel_url: other.cancel_url });
  });

  test.each([
    [{ line_items: [{ name: 'Tea', quantity: 2, amount: '12.49' }] }, 'line_items'],
    [{ line_items: [{ name: '\u202Eaet', quantity: 1, amount: '25' }] }, 'line_items[0][name]'],
    [{ success_url: 'javascript:alert(1)' }, 'success_url'],
    [{ cancel_url: 'https://shop@evil.example/' }, 'cancel_url'],
    [{ success_url: 'http://shop.example/' }, 'success_url'],
    [{ client_reference_id: 'x'.repeat(201) }, 'client_reference_id'],
    [{ client_reference_id: 'a\nb' }, 'client_reference_id'],
    [{ embed_origins: ['*'] }, 'embed_origins[0]'],
    [{ embed_origins: ['https://a.example', 'https://b.example/x'] }, 'embed_origins[1]'],
    [{ embed_origins: Array(6).fill('https://a.example') }, 'embed_origins'],
  ])('%j is refused at %s, and nothing is written', async (wish, param) => {
    const before = await world.ctx.db.order.count();
    await expect(orders.ask('shop', wish)).rejects.toEqual(code('parameter_invalid', param));
    expect(await world.ctx.db.order.count()).toBe(before);
  });

  test('says both sums where its items do not add up', async () => {
    const wish = { line_items: [{ name: 'Tea', quantity: 3, amount: '8.333333' }] };
    await expect(orders.ask('shop', wish)).rejects.toThrow(
      'line_items add up to 24.999999 USDC, but the amount is 25.00 USDC.',
    );
  });

  test('has the origins it names in place of its success_url’s', async () => {
    const made = async (embed_origins: string[]) =>
      (await orders.ask('shop', { ...shopWish, embed_origins })).order.embed_origins;
    expect(await made(['https://a.example', 'https://A.example/', 'http://localhost:3000'])).toEqual([
      'https://a.example',
      'http://localhost:3000',
    ]);
    expect(await made([])).toEqual([]);
  });
});

describe('a link', () => {
  test('hands on what its shop wrote, with each order’s own ID', async () => {
    const items = [{ name: 'Tea', quantity: 1, amount: '5' }];
    const made = await link({ ...shopWish, line_items: items });
    expect(made).toMatchObject({
      success_url: shopWish.success_url,
      after_completion: { type: 'url', url: shopWish.success_url },
    });
    const seen = await getPublicLink(world.ctx, made.id);
    expect(seen).toMatchObject({ state: 'active', cancel_url: null, embed_origins: ['https://shop.example'] });
    expect(JSON.stringify(seen)).not.toMatch(/cart-7041|thanks/);
    const { order } = await startOrder(world.ctx, made.id);
    expect(order).toMatchObject({
      success_url: `https://shop.example/thanks?order=${order.id}`,
      cancel_url: `https://shop.example/cart/${order.id}`,
      client_reference_id: 'cart-7041',
      line_items: [{ name: 'Tea', quantity: 1, amount: '5.00' }],
      embed_origins: ['https://shop.example'],
    });
  });

  test('says its message once it is paid, and not before', async () => {
    const made = await link({ after_completion: { type: 'message', message: 'Your tea is on its way.' } });
    expect(made.after_completion).toEqual({ type: 'message', message: 'Your tea is on its way.' });
    const { order } = await startOrder(world.ctx, made.id);
    expect((await asSeen(order.id)).completion_message).toBeNull();
    await move(order.id, 'submit');
    await move(order.id, 'settle');
    expect((await asSeen(order.id)).completion_message).toBe('Your tea is on its way.');
  });

  test('leads on by after_completion as by success_url', async () => {
    const made = await link({ after_completion: { type: 'url', url: 'https://shop.example/t/{ORDER_ID}' } });
    expect(made).toMatchObject({
      success_url: 'https://shop.example/t/{ORDER_ID}',
      embed_origins: ['https://shop.example'],
    });
    const { order } = await startOrder(world.ctx, made.id);
    expect(order.success_url).toBe(`https://shop.example/t/${order.id}`);
  });

  test.each([
    [{ after_completion: { type: 'url', url: 'data:text/html,x' } }, 'after_completion[url]'],
    [{ after_completion: { type: 'url', url: '' } }, 'after_completion[url]'],
    [{ after_completion: { type: 'message', message: ' ' } }, 'after_completion[message]'],
    [
      { after_completion: { type: 'message', message: 'Hi' }, success_url: 'https://shop.example/' },
      'after_completion',
    ],
    [{ max_uses: 0 }, 'max_uses'],
    [{ max_uses: 1.5 }, 'max_uses'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ expires_at: '2026-99-01T00:00:00Z' }, 'expires_at'],
    [{ line_items: [{ name: 'Tea', quantity: 1, amount: '4' }] }, 'line_items'],
    [{ amount: undefined, open_amount: true, line_items: [{ name: 'Tea', quantity: 1, amount: '5' }] }, 'line_items'],
  ] as [Partial<LinkWish>, string][])('%j is refused at %s', async (wish, param) => {
    await expect(link(wish)).rejects.toEqual(code('parameter_invalid', param));
  });

  test('begins no more orders than it may, however many start at once; one that ends unpaid frees its use', async () => {
    const { id } = await link({ max_uses: 3 });
    const many = await Promise.allSettled(Array.from({ length: 12 }, () => startOrder(world.ctx, id)));
    const begun = many.flatMap((one) => (one.status === 'fulfilled' ? [one.value.order] : []));
    expect(begun).toHaveLength(3);
    for (const one of many) if (one.status === 'rejected') expect(one.reason).toEqual(code('link_used_up'));
    expect(await world.ctx.db.order.count({ where: { linkId: id } })).toBe(3);
    for (const order of begun) expect((await orders.events(order.id))[0]?.object).toEqual({ order });
    const full = await getLink(world.ctx, await reader('shop'), id);
    expect(full).toMatchObject({ active: false, state: 'used_up', uses: 3, max_uses: 3, deactivated_at: null });
    expect(await getPublicLink(world.ctx, id)).toMatchObject({ active: false, state: 'used_up' });

    const [first, second, third] = begun.map(({ id: order }) => order) as [string, string, string];
    await cancelOrder(world.ctx, await reader('shop'), first);
    expect(await getLink(world.ctx, await reader('shop'), id)).toMatchObject({ active: true, uses: 2 });
    await startOrder(world.ctx, id);
    await expect(startOrder(world.ctx, id)).rejects.toEqual(code('link_used_up'));

    // One that is paid is used, whatever is refunded later; one that expires is not.
    await move(second, 'submit');
    await move(second, 'settle');
    // A press holds a use for a quarter of an hour, so that those who leave don't use the link up.
    const held = Date.parse(begun[2]?.expires_at ?? '') - Date.parse(begun[2]?.created_at ?? '');
    expect(held > 840_000 && held <= 900_000, String(held)).toBe(true);
    world.later(901_000);
    const { deadline } = await orders.row(third);
    await expireOrders(world.ctx, world.ctx.chains['base'] as never, deadline + 10n);
    expect(await getLink(world.ctx, await reader('shop'), id)).toMatchObject({ state: 'active', uses: 1 });
  });

  test('takes none once it is deactivated, while others start', async () => {
    const { id } = await link({ max_uses: 50 });
    const [, ...many] = await Promise.allSettled([
      deactivateLink(world.ctx, await reader('shop'), id),
      ...Array.from({ length: 4 }, () => startOrder(world.ctx, id)),
    ]);
    for (const one of many) if (one?.status === 'rejected') expect(one.reason).toEqual(code('link_inactive'));
    await expect(startOrder(world.ctx, id)).rejects.toEqual(code('link_inactive'));
  });

  test('expires when it says, and what it began can still be paid', async () => {
    const at = new Date(world.ctx.clock.now() + 600_000).toISOString();
    const { id } = await link({ expires_at: at });
    const { order } = await startOrder(world.ctx, id);
    world.later(600_000);
    await expect(startOrder(world.ctx, id)).rejects.toEqual(code('link_expired'));
    expect(await getPublicLink(world.ctx, id)).toMatchObject({ active: false, state: 'expired' });
    expect(await getLink(world.ctx, await reader('shop'), id)).toMatchObject({ state: 'expired', expires_at: at });
    expect((await asSeen(order.id)).status).toBe('awaiting_payment');
  });

  test('is listed and found by what it is now', async () => {
    const expiring = await link({
      label: 'Bounded',
      expires_at: new Date(world.ctx.clock.now() + 70_000).toISOString(),
    });
    const usedUp = await link({ label: 'Bounded', max_uses: 1 });
    const open = await link({ label: 'Bounded', max_uses: 2 });
    for (const { id } of [usedUp, open]) await startOrder(world.ctx, id);
    world.later(70_000);
    const listed = async (active: boolean) =>
      (await listLinks(world.ctx, await reader('shop'), { active, limit: 100 })).data.map(({ id }) => id);
    const mine = [expiring, usedUp, open].map(({ id }) => id);
    expect((await listed(true)).filter((id) => mine.includes(id))).toEqual([open.id]);
    expect((await listed(false)).filter((id) => mine.includes(id)).sort()).toEqual([expiring.id, usedUp.id].sort());
    const found = await searchWorkspace(world.ctx, await orders.idOf('shop'), { q: 'Bounded' });
    expect(Object.fromEntries(found.map(({ id, status }) => [id, status]))).toMatchObject({
      [expiring.id]: 'inactive',
      [usedUp.id]: 'inactive',
      [open.id]: 'active',
    });
  });
});
