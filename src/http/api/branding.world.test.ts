// The face of a workspace: what its owner may choose, what is refused, and where buyers see it.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawnPicture } from '../../../test/setup/pictures.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { contrastIn, LEAST_CONTRAST } from '../../domain/accent.ts';

let world: World;
let base: string;
let shop: Visitor;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  shop = await signedIn('shop');
});
afterAll(() => world.stop());

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}

const change = (body: object, who = shop) => who.send('PATCH', '/api/branding', body);
const brandingOf = async (who = shop) => (await who.get('/api/branding')).body.branding;
const nothing = { name: null, logo_url: null, accent: null, support: null };

async function upload(who: Visitor): Promise<string> {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { origin: base, cookie, 'content-type': 'image/png' };
  const response = await fetch(`${base}/api/pictures/logo`, {
    method: 'PUT',
    headers,
    body: await drawnPicture('png', { left: '#00aa55' }),
  });
  return ((await response.json()) as { url: string }).url;
}

async function newOrder(who = shop) {
  const { body } = await who.post('/api/orders', { amount: '1.00', chain: 'base' });
  return body.order.id as string;
}
const publicOrder = async (id: string) => (await visitor(base).get(`/api/checkout/${id}`)).body.order;

test('without one, pages show the handle alone', async () => {
  expect(await brandingOf()).toEqual(nothing);
  expect((await publicOrder(await newOrder())).branding).toBeNull();
});

test('is shown on orders from before, on links, and goes when it is removed', async () => {
  const id = await newOrder();
  const { body: made } = await shop.post('/api/payment_links', { label: 'Tea', amount: '2', chain: 'base' });
  const logo = await upload(shop);
  const changed = await change({ name: ' Blue  Bottle ', accent: '#FFD400', support: 'help@shop.example' });
  expect(changed.status).toBe(200);
  const { light, dark } = changed.body.branding.accent;
  expect(changed.body.branding).toEqual({
    name: 'Blue Bottle',
    logo_url: logo,
    accent: { chosen: '#ffd400', light, dark: '#ffd400' },
    support: 'help@shop.example',
  });
  expect(light).not.toBe('#ffd400');
  expect(contrastIn('light', light)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  expect(contrastIn('dark', dark)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  expect(await brandingOf()).toEqual(changed.body.branding);

  const shown = { name: 'Blue Bottle', logo_url: logo, accent: { light, dark }, support: 'help@shop.example' };
  const order = await publicOrder(id);
  expect(order).toMatchObject({ branding: shown, merchant: { handle: 'shop', kind: 'business' }, amount: '1.00' });
  const link = (await visitor(base).get(`/api/checkout/links/${made.link.id}`)).body.link;
  expect(link).toMatchObject({ branding: shown, merchant: { handle: 'shop', kind: 'business' } });
  expect((await publicOrder(await newOrder(await signedIn('bob')))).branding).toBeNull();

  // What is not named stays.
  expect((await change({ accent: null })).body.branding).toEqual({ ...changed.body.branding, accent: null });
  expect((await change({ name: '', support: null })).body.branding).toEqual({ ...nothing, logo_url: logo });
  expect((await shop.delete('/api/pictures/logo')).status).toBe(200);
  expect(await brandingOf()).toEqual(nothing);
  expect((await publicOrder(id)).branding).toBeNull();
});

test('never changes what an order pays, nor to whom', async () => {
  const id = await newOrder();
  const before = await world.ctx.db.order.findUniqueOrThrow({ where: { id } });
  await change({ name: 'Coinbase' });
  expect(await world.ctx.db.order.findUniqueOrThrow({ where: { id } })).toEqual(before);
  expect(await publicOrder(id)).toMatchObject({ merchant: { handle: 'shop' }, branding: { name: 'Coinbase' } });
  await change({ name: null });
});

describe('refused', () => {
  test.each([
    ['accent', 'red'],
    ['accent', '#fff'],
    ['accent', '#0b5d3b;}body{display:none'],
    ['accent', '#0b5d3b}*{background:url(https://evil.example/?x)}'],
    ['accent', 'url(https://evil.example/x)'],
    ['accent', 'var(--x)'],
    ['accent', '</style><script>alert(1)</script>'],
    ['accent', '#0b5d3b\n'],
    ['name', 'x'.repeat(61)],
    ['name', 'Blue\u202eelttoB'],
    ['name', 'Blue\nBottle'],
    ['name', 'Blue\u0000'],
    ['name', '@coinbase'],
    ['name', 'Pay ＠coinbase'],
    ['support', 'javascript:alert(1)'],
    ['support', 'http://shop.example'],
    ['support', 'https://user@shop.example'],
    ['support', 'help@shop.example?bcc=all@evil.example'],
    ['support', 'https://shop.example/\u202e'],
  ])('%s %j, and nothing changes', async (param, value) => {
    const before = await brandingOf();
    const answer = await change({ [param]: value });
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([400, 'parameter_invalid', param]);
    expect(await brandingOf()).toEqual(before);
  });

  test('what is empty, unknown, or no text', async () => {
    expect((await change({})).status).toBe(400);
    expect((await change({ logo_url: '/x' })).body.error.code).toBe('parameter_unknown');
    for (const value of [1, {}, ['#0b5d3b'], true])
      expect((await change({ accent: value })).body.error.code).toBe('parameter_invalid');
  });

  test('visitors, and pages of others', async () => {
    expect((await change({ name: 'Evil' }, visitor(base))).status).toBe(401);
    const foreign = await shop.send('PATCH', '/api/branding', { name: 'Evil' }, { origin: 'https://evil.example' });
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 'origin_not_allowed']);
  });
});

test('script in a name is text, also in the first answer of a page', async () => {
  const name = '</script><script>alert(1)</script>';
  expect((await change({ name })).body.branding.name).toBe(name);
  const page = await visitor(base).get(`/o/${await newOrder()}`, { accept: 'text/html' });
  expect(page.status).toBe(200);
  expect(String(page.body)).toContain('Ampersat');
  expect(String(page.body)).not.toContain('<script>alert(1)');
  await change({ name: null });
});
