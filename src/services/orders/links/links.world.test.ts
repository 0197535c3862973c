// Payment links: what they may ask for, the orders that begin with them, and their end.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Shop, shopOf } from '../../../../test/setup/shop.ts';
import { localPerson, startWorld, type World } from '../../../../test/setup/world.ts';
import { listOrders } from '../orders.ts';
import { moveOrders } from '../transitions.ts';
import {
  createPaymentLink,
  deactivateLink,
  getLink,
  getPublicLink,
  type LinkWish,
  listLinkOrders,
  listLinks,
  startOrder,
} from './links.ts';

let world: World;
let orders: Shop;
beforeAll(async () => {
  world = await startWorld();
  orders = shopOf(world);
});
afterAll(() => world.stop());

const code = (code: string, param?: string) =>
  expect.objectContaining(param === undefined ? { code } : { code, param });
const reader = async (slug: string, livemode?: boolean) => ({ workspaceId: await orders.idOf(slug), livemode });
async function link(slug: string, wish: Partial<LinkWish> = {}) {
  return createPaymentLink(world.ctx, { id: await orders.idOf(slug) }, { label: 'Tea', chain: 'base', ...wish });
}

describe('a link', () => {
  test('with a fixed amount is shown to its merchant, and to a buyer without what is the merchant’s', async () => {
    const made = await link('shop', { amount: '4.5', metadata: { secret: 'margin' } });
    expect(made).toEqual({
      id: expect.stringMatching(/^plk_[0-9a-z]{26}$/),
      object: 'payment_link',
      url: `${world.ctx.env.BASE_URL}/l/${made.id}`,
      active: true,
      label: 'Tea',
      amount: '4.50',
      currency: 'USDC',
      chain: 'base',
      recipient: '@shop',
      open_amount: false,
      min_amount: null,
      max_amount: null,
      metadata: { secret: 'margin' },
      livemode: false,
      created_at: expect.stringMatching(/Z$/),
      deactivated_at: null,
      state: 'active',
      after_completion: null,
      max_uses: null,
      uses: null,
      expires_at: null,
      success_url: null,
      cancel_url: null,
      client_reference_id: null,
      line_items: [],
      embed_origins: [],
    });
    expect(await getLink(world.ctx, await reader('shop'), made.id)).toEqual(made);
    expect(await getPublicLink(world.ctx, made.id)).toEqual({
      id: made.id,
      object: 'checkout.payment_link',
      active: true,
      state: 'active',
      line_items: [],
      cancel_url: null,
      embed_origins: [],
      label: 'Tea',
      amount: '4.50',
      currency: 'USDC',
      chain: 'base',
      chain_label: 'Base',
      chain_id: 8453,
      merchant: { handle: 'shop', kind: 'business' },
      branding: null,
      open_amount: false,
      min_amount: null,
      max_amount: null,
      livemode: false,
    });
  });

  test.each([
    [{}, 'parameter_missing', 'amount'],
    [{ open_amount: false }, 'parameter_missing', 'amount'],
    [{ open_amount: true, amount: '5' }, 'parameter_invalid', 'amount'],
    [{ amount: '5', min_amount: '1' }, 'parameter_invalid', 'min_amount'],
    [{ amount: '5', max_amount: '9' }, 'parameter_invalid', 'max_amount'],
    [{ open_amount: true, min_amount: '9', max_amount: '8.99' }, 'parameter_invalid', 'min_amount'],
    [{ open_amount: true, min_amount: '0.001' }, 'amount_out_of_range', 'min_amount'],
    [{ open_amount: true, max_amount: '1000001' }, 'amount_out_of_range', 'max_amount'],
    [{ open_amount: true, max_amount: '1,5' }, 'parameter_invalid', 'max_amount'],
    [{ amount: '0' }, 'amount_out_of_range', 'amount'],
    [{ amount: '5', label: ' ' }, 'parameter_missing', 'label'],
    [{ amount: '5', label: 'x'.repeat(281) }, 'parameter_invalid', 'label'],
    [{ amount: '5', chain: 'solana' }, 'unsupported_chain', 'chain'],
    [{ amount: '5', currency: 'CELO' }, 'unsupported_asset', 'currency'],
    [{ amount: '5', recipient: '@nobody_here' }, 'handle_not_found', 'recipient'],
    [{ amount: '5', recipient: '@bob' }, 'recipient_not_allowed', 'recipient'],
    [{ amount: '5', metadata: { a: 1 } }, 'parameter_invalid', 'metadata[a]'],
  ])('%j is refused: %s', async (wish, name, param) => {
    const before = await world.ctx.db.paymentLink.count();
    await expect(link('alice', wish)).rejects.toEqual(code(name, param));
    expect(await world.ctx.db.paymentLink.count()).toBe(before);
  });

  test('is its workspace’s, in its mode', async () => {
    const { id } = await link('alice', { amount: '5' });
    for (const other of [await reader('bob'), await reader('alice', true)]) {
      await expect(getLink(world.ctx, other, id)).rejects.toEqual(code('resource_missing'));
      await expect(deactivateLink(world.ctx, other, id)).rejects.toEqual(code('resource_missing'));
      await expect(listLinkOrders(world.ctx, other, id, { limit: 1 })).rejects.toEqual(code('resource_missing'));
    }
    await expect(getLink(world.ctx, await reader('alice'), 'plk_x')).rejects.toEqual(code('resource_missing'));
    const live = createPaymentLink(
      world.ctx,
      { id: await orders.idOf('alice') },
      { label: 'Tea', chain: 'base', amount: '5' },
      { livemode: true },
    );
    await expect(live).rejects.toEqual(code('mode_mismatch'));
    expect((await getLink(world.ctx, await reader('alice', false), id)).active).toBe(true);
  });

  test('is listed page by page, the newest first', async () => {
    const made: string[] = [];
    for (let n = 0; n < 3; n++) {
      world.later(1);
      made.unshift((await link('carol', { amount: '5', label: `Tea ${n}` })).id);
    }
    const list = async (more: object) => listLinks(world.ctx, await reader('carol'), { limit: 2, ...more });
    const first = await list({});
    const second = await list({ cursor: first.nextCursor });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made);
    expect(second.nextCursor).toBeNull();
    await deactivateLink(world.ctx, await reader('carol'), made[0] ?? '');
    expect((await list({ active: true })).data.map(({ id }) => id)).toEqual(made.slice(1));
    await expect(list({ cursor: 'x' })).rejects.toEqual(code('parameter_invalid', 'cursor'));
  });
});

describe('an order from a link', () => {
  test('asks for what the link says, each press for one of its own', async () => {
    const made = await link('shop', { amount: '4.5', metadata: { sku: '1' } });
    const [one, two] = [await startOrder(world.ctx, made.id), await startOrder(world.ctx, made.id)];
    expect(one.order).toMatchObject({
      status: 'awaiting_payment',
      amount: '4.50',
      description: 'Tea',
      payment_link: made.id,
      recipient: '@shop',
      metadata: { sku: '1' },
      livemode: false,
    });
    expect(one.order.id).not.toBe(two.order.id);
    expect(await orders.row(one.order.id)).toMatchObject({
      origin: 'link',
      router: 'business',
      handleId: await orders.idOf('shop'),
    });
    expect(await orders.typesOf(one.order.id)).toEqual(['order.created']);
    const { data } = await listLinkOrders(world.ctx, await reader('shop'), made.id, { limit: 10 });
    expect(data.map(({ id }) => id).sort()).toEqual([one.order.id, two.order.id].sort());
    await expect(startOrder(world.ctx, made.id, { amount: '1' })).rejects.toEqual(code('parameter_invalid', 'amount'));
  });

  test('opening a link makes none', async () => {
    const { id } = await link('shop', { amount: '4.5' });
    await getPublicLink(world.ctx, id);
    expect((await listOrders(world.ctx, await orders.idOf('shop'), { link: id, limit: 1 })).data).toEqual([]);
  });

  test('with an open amount keeps to its caps, and says them', async () => {
    const { id } = await link('alice', { open_amount: true, min_amount: '2', max_amount: '10' });
    expect((await startOrder(world.ctx, id, { amount: '2' })).order.amount).toBe('2.00');
    expect((await startOrder(world.ctx, id, { amount: '10.0' })).order.amount).toBe('10.00');
    for (const amount of ['1.999999', '10.000001', '0', '999999999'])
      await expect(startOrder(world.ctx, id, { amount })).rejects.toEqual(code('amount_out_of_range', 'amount'));
    const words = 'The amount must be at least 2.00 USDC and at most 10.00 USDC.';
    await expect(startOrder(world.ctx, id, { amount: '1' })).rejects.toThrow(words);
    await expect(startOrder(world.ctx, id)).rejects.toEqual(code('parameter_missing', 'amount'));
    await expect(startOrder(world.ctx, id, { amount: '-3' })).rejects.toEqual(code('parameter_invalid', 'amount'));
    const free = await link('alice', { open_amount: true, currency: 'ETH' });
    expect((await startOrder(world.ctx, free.id, { amount: '0.01' })).order).toMatchObject({
      amount: '0.01',
      currency: 'ETH',
    });
    await expect(startOrder(world.ctx, free.id, { amount: '1000' })).rejects.toEqual(code('amount_out_of_range'));
  });

  test('of a link whose recipient was disallowed since is none, and the buyer learns no more', async () => {
    const [handleId, recipientId] = [await orders.idOf('alice'), await orders.idOf('shop')];
    await world.ctx.db.recipientAllowance.create({ data: { handleId, recipientId, createdAt: new Date() } });
    const { id } = await link('alice', { amount: '5', recipient: 'shop' });
    expect((await startOrder(world.ctx, id)).order.recipient_address).toBe(localPerson('shop').address);
    await world.ctx.db.recipientAllowance.deleteMany();
    await expect(startOrder(world.ctx, id)).rejects.toEqual(code('link_inactive'));
  });
});

describe('the table of links', () => {
  test('active: starts orders, can be deactivated; inactive: starts none, and being deactivated again is the same', async () => {
    const { id } = await link('alice', { amount: '5' });
    await startOrder(world.ctx, id);
    const ended = await deactivateLink(world.ctx, await reader('alice'), id);
    expect(ended).toMatchObject({ active: false, deactivated_at: expect.stringMatching(/Z$/) });
    world.later(1_000);
    expect(await deactivateLink(world.ctx, await reader('alice'), id)).toEqual(ended);
    await expect(startOrder(world.ctx, id)).rejects.toEqual(code('link_inactive'));
    expect((await getPublicLink(world.ctx, id)).active).toBe(false);
    await expect(startOrder(world.ctx, id.replace(/.$/, '_'))).rejects.toEqual(code('resource_missing'));
  });

  test('an order that was started before goes on and can be paid', async () => {
    const { id } = await link('alice', { amount: '5' });
    const { order } = await startOrder(world.ctx, id);
    await deactivateLink(world.ctx, await reader('alice'), id);
    expect((await orders.row(order.id)).status).toBe('awaiting_payment');
    for (const action of ['submit', 'settle'] as const)
      await world.ctx.db.$transaction((tx) => moveOrders(world.ctx, tx, [{ id: order.id, action }]));
    expect(await orders.typesOf(order.id)).toEqual(['order.created', 'order.completed']);
  });
});
