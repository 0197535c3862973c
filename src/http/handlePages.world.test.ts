// The page of a handle from the outside: what is there, what looks as if nothing were, what strangers and owners can write, and the card.
import { get } from 'node:http';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawnPicture } from '../../test/setup/pictures.ts';
import { shopOf } from '../../test/setup/shop.ts';
import { serveWorld, type Visitor, visitor } from '../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../test/setup/world.ts';
import { forgetUnpaidMessages } from '../services/orders/handlePages/messages.ts';
import { moveOrders } from '../services/orders/transitions.ts';
import { drawCard } from './card/draw.ts';
import { drawable } from './card/fonts.ts';

let world: World;
let base: string;
let alice: Visitor;
let shop: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  stranger = visitor(base);
  [alice, shop] = (await Promise.all(['alice', 'shop'].map(signedIn))) as [Visitor, Visitor];
});
afterAll(() => world.stop());

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}

const change = (who: Visitor, body: object) => who.send('PATCH', '/api/settings/page', body);
const view = (handle: string) => stranger.get(`/api/checkout/handles/${handle}`);
const html = async (path: string) => (await fetch(base + path, { headers: { accept: 'text/html' } })).text();

async function begin(handle: string, body: object): Promise<string> {
  const answer = await stranger.post(`/api/checkout/handles/${handle}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  // Thirty a minute from one address.
  world.later(3_000);
  return answer.body.order.id;
}

async function settle(id: string): Promise<void> {
  await world.ctx.db.$transaction(async (tx) => {
    await moveOrders(world.ctx, tx, [{ id, action: 'submit' }]);
    await moveOrders(world.ctx, tx, [{ id, action: 'settle' }]);
  });
}

const ON = {
  enabled: true,
  chain: 'base',
  currency: 'USDC',
  line: 'Thanks for the coffee',
  suggested_amounts: ['3', '5'],
};

describe('a page', () => {
  test('is off until its owner switches it on, and off again whenever they like', async () => {
    expect((await view('alice')).status).toBe(404);
    const before = (await alice.get('/api/settings/page')).body.page;
    expect(before).toMatchObject({ enabled: false, handle: 'alice', chain: 'base', url: `${base}/@alice` });
    const { status, body } = await change(alice, ON);
    expect([status, body.page]).toEqual([
      200,
      expect.objectContaining({ enabled: true, line: ON.line, suggested_amounts: ['3.00', '5.00'] }),
    ]);
    expect((await view('alice')).body).toEqual({
      page: {
        object: 'checkout.handle_page',
        ...{ handle: 'alice', kind: 'personal', url: `${base}/@alice`, picture: null, line: ON.line, branding: null },
        ...{
          suggested_amounts: ['3.00', '5.00'],
          currency: 'USDC',
          chain: 'base',
          chain_label: 'Base',
          chain_id: 8453,
        },
        ...{ livemode: false, payable: true, show_messages: false, messages: [] },
      },
    });
    await change(alice, { enabled: false });
    expect((await view('alice')).status).toBe(404);
    expect((await stranger.post('/api/checkout/handles/alice', { amount: '5' })).body.error.code).toBe(
      'resource_missing',
    );
    expect((await change(alice, { enabled: true })).body.page.line).toBe(ON.line);
  });

  test.each<[wish: object, code: string, param: string | null, status?: number]>([
    [{ line: 'x'.repeat(161) }, 'parameter_invalid', 'line'],
    [{ line: 'two\nlines' }, 'parameter_invalid', 'line'],
    [{ line: 'a\u202eb' }, 'parameter_invalid', 'line'],
    [{ suggested_amounts: ['1', '2', '3', '4', '5'] }, 'parameter_invalid', 'suggested_amounts'],
    [{ suggested_amounts: ['0.001'] }, 'amount_out_of_range', 'suggested_amounts'],
    [{ suggested_amounts: ['1,5'] }, 'parameter_invalid', 'suggested_amounts'],
    [{ chain: 'mars' }, 'unsupported_chain', 'chain', 422],
    [{ currency: 'DOGE' }, 'unsupported_asset', 'currency', 422],
    [{}, 'parameter_invalid', null],
  ])('takes no %j, and keeps what it had', async (wish, code, param, wanted = 400) => {
    const before = (await alice.get('/api/settings/page')).body;
    const { status, body } = await change(alice, wish);
    expect([status, body.error.code, body.error.param ?? null]).toEqual([wanted, code, param]);
    expect((await alice.get('/api/settings/page')).body).toEqual(before);
  });

  test('cannot be switched on where its handle cannot be paid, so that no press is refused', async () => {
    const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
    const evm = { handleId_family: { handleId, family: 'evm' } };
    const wallet = await world.ctx.db.wallet.findUniqueOrThrow({ where: evm });
    await world.ctx.db.wallet.delete({ where: evm });
    expect((await view('alice')).body.page.payable).toBe(false);
    expect((await change(alice, { enabled: true })).body.error.code).toBe('state_conflict');
    // Whatever is wrong, off is off.
    expect((await change(alice, { enabled: false })).status).toBe(200);
    await world.ctx.db.wallet.create({ data: wallet });
    expect((await change(alice, { enabled: true })).status).toBe(200);
  });

  test('is one person’s: another account changes its own alone', async () => {
    expect((await stranger.send('PATCH', '/api/settings/page', ON)).body.error.code).toBe('session_required');
    await change(shop, { ...ON, line: 'Fresh bread' });
    expect((await alice.get('/api/settings/page')).body.page.line).toBe(ON.line);
    expect((await view('shop')).body.page).toMatchObject({ kind: 'business', line: 'Fresh bread' });
  });
});

describe('an address without a page', () => {
  const NAMES = [
    'nobody_here',
    'carol',
    'admin',
    'A!',
    '%E0%A4%A',
    'x',
    'a'.repeat(31),
    'al1ce',
    'ali%00ce',
    '%F0%9F%98%80',
  ];

  async function shown(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(base + path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });
    const kept = Object.fromEntries(
      [...response.headers].filter(([name]) => !['request-id', 'date', 'etag'].includes(name)),
    );
    return { status: response.status, headers: kept, body: await response.text() };
  }

  test('is answered alike for unknown, switched-off, reserved, malformed and look-alike names', async () => {
    const carol = await signedIn('carol');
    await change(carol, ON);
    expect((await shown('/@carol')).status).toBe(200);
    await change(carol, { enabled: false });
    for (const suffix of ['', '/poster', '/card.png']) {
      const first = await shown(`/@${NAMES[0]}${suffix}`);
      expect(first.status).toBe(404);
      for (const name of NAMES) {
        const { headers, body, status } = await shown(`/@${name}${suffix}`);
        const path = `/@${name}${suffix}`;
        expect([path, { status, headers, body: body.replaceAll(path, `/@${NAMES[0]}${suffix}`) }]).toEqual([
          path,
          first,
        ]);
      }
    }
    const asked = await Promise.all(['nobody_here', 'carol', 'admin', 'al1ce', 'A!'].map(view));
    const words = asked.map(({ status, body }) => ({ status, error: { ...body.error, request_id: null } }));
    for (const one of words) expect(one).toEqual(words[0]);
  });

  test('is the same page in capitals and with an encoded @, and never another site’s', async () => {
    for (const [typed, to] of [
      ['/@Alice', '/@alice'],
      ['/%40alice', '/@alice'],
      ['/@ALICE/poster', '/@alice/poster'],
      ['/@Nobody_Here?a=1', '/@nobody_here?a=1'],
    ] as const) {
      const response = await fetch(base + typed, { redirect: 'manual' });
      expect([typed, response.status, response.headers.get('location')]).toEqual([typed, 308, to]);
    }
    for (const path of ['/@//evil.example', '/@alice//evil.example', '//@evil.example/'])
      expect([path, (await fetch(base + path, { redirect: 'manual' })).headers.get('location')]).toEqual([path, null]);
  });
});

describe('an order of a page', () => {
  test('is begun by a press alone; a personal handle pays no fee, a business 1 %', async () => {
    const count = () => world.ctx.db.order.count();
    const before = await count();
    await view('alice');
    await html('/@alice');
    expect(await count()).toBe(before);
    const [personal, business] = await Promise.all([
      begin('alice', { amount: '7.5' }),
      begin('shop', { amount: '7.5' }),
    ]);
    const orders = shopOf(world);
    const [own, paid] = await Promise.all([orders.row(personal), orders.row(business)]);
    expect([own.router, own.feeUnits.toFixed(0), own.payee]).toEqual(['payment', '0', expect.any(String)]);
    expect([paid.router, paid.feeUnits.toFixed(0)]).toEqual(['business', '75000']);
    expect([own.origin, own.description, own.metadata, own.handleId]).toEqual([
      'page',
      null,
      {},
      await orders.idOf('alice'),
    ]);
    const seen = (await alice.get(`/api/orders/${personal}`)).body;
    expect(seen.timeline.at(-1)).toMatchObject({ kind: 'created', detail: 'On your page.' });
  });

  test.each([
    [{}, 400, 'parameter_missing'],
    [{ amount: '0' }, 400, 'amount_out_of_range'],
    [{ amount: 'five' }, 400, 'parameter_invalid'],
    [{ amount: '5', note: 'x'.repeat(281) }, 400, 'parameter_invalid'],
    [{ amount: '5', note: 'a\u202eb' }, 400, 'parameter_invalid'],
    [{ amount: '5', note: 'a\u200bb' }, 400, 'parameter_invalid'],
    [{ amount: '5', name: '\u2066bob' }, 400, 'parameter_invalid'],
    [{ amount: '5', name: '1000 $' }, 400, 'parameter_invalid'],
    [{ amount: '5', name: 'x'.repeat(41) }, 400, 'parameter_invalid'],
    [{ amount: '5', recipient: '@bob' }, 400, 'parameter_unknown'],
    [{ amount: '5', description: 'Free money' }, 400, 'parameter_unknown'],
  ])('is not begun by %j', async (body, status, code) => {
    const before = await world.ctx.db.order.count();
    const answer = await stranger.post('/api/checkout/handles/alice', body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(await world.ctx.db.order.count()).toBe(before);
    world.later(3_000);
  });

  test('is counted like one of a link: thirty a minute from one address', async () => {
    world.later(120_000);
    const statuses = [];
    for (let press = 0; press < 31; press += 1)
      statuses.push((await stranger.post('/api/checkout/handles/alice', { amount: '5' })).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
    world.later(120_000);
  });
});

describe('what a payer writes', () => {
  const NOTE = `<script>alert(1)</script> "great" & 'kind' https://evil.example`;
  const messages = async () => (await view('alice')).body.page.messages;
  const own = async () => (await alice.get('/api/settings/page/messages')).body.data;

  test('is read by the owner once it is paid, and shown only where both agreed; the owner can hide it', async () => {
    await change(alice, { show_messages: true, show_amounts: false });
    const open = await begin('alice', { amount: '5', name: 'Dora', note: NOTE, may_show: true });
    const secret = await begin('alice', { amount: '6', name: 'Ed', note: 'For you alone' });
    await begin('alice', { amount: '7', note: 'Never paid', may_show: true });
    expect([await messages(), await own()]).toEqual([[], []]);
    await settle(open);
    await settle(secret);
    expect(await messages()).toEqual([
      {
        id: expect.stringMatching(/^pmsg_/),
        name: 'Dora',
        note: NOTE,
        amount: null,
        currency: 'USDC',
        at: expect.any(String),
      },
    ]);
    expect(await own()).toEqual([
      expect.objectContaining({ order: secret, note: 'For you alone', may_show: false, hidden: false }),
      expect.objectContaining({ order: open, note: NOTE, amount: '5.00', may_show: true }),
    ]);
    // The id of an order opens its receipt.
    expect(JSON.stringify((await view('alice')).body)).not.toContain(open);
    await change(alice, { show_amounts: true });
    expect(await messages()).toEqual([expect.objectContaining({ amount: '5.00' })]);
    const [, { id }] = await own();
    const hide = (who: Visitor, hidden: boolean) => who.send('PATCH', `/api/settings/page/messages/${id}`, { hidden });
    expect((await hide(shop, true)).body.error.code).toBe('resource_missing');
    expect((await hide(alice, true)).body.message.hidden).toBe(true);
    expect(await messages()).toEqual([]);
    expect((await hide(alice, false)).body.message.hidden).toBe(false);
    expect(await messages()).toHaveLength(1);
    await change(alice, { show_messages: false });
    expect(await messages()).toEqual([]);
    // Nothing was agreed on a page that shows no notes, also if it shows some later.
    await settle(await begin('alice', { amount: '5', note: 'Written while none are shown', may_show: true }));
    await change(alice, { show_messages: true });
    expect(JSON.stringify(await messages())).not.toContain('Written while none are shown');
    expect(await messages()).toHaveLength(1);
  });

  test('is not shown any more once the money went back, nor where the page takes real money and it was play money', async () => {
    const id = await begin('alice', { amount: '5', note: 'Sent back later', may_show: true });
    await settle(id);
    const notes = async () => (await messages()).map(({ note }: { note: string }) => note);
    expect(await notes()).toContain('Sent back later');
    await world.ctx.db.order.update({ where: { id }, data: { refundedUnits: '4500000' } });
    expect((await messages())[0]).toMatchObject({ note: 'Sent back later', amount: '0.50' });
    await world.ctx.db.order.update({ where: { id }, data: { refundedUnits: '5000000' } });
    expect(await notes()).not.toContain('Sent back later');
    const handleId = await shopOf(world).idOf('alice');
    await world.ctx.db.handlePage.update({ where: { handleId }, data: { livemode: true } });
    expect(await notes()).toEqual([]);
    await world.ctx.db.handlePage.update({ where: { handleId }, data: { livemode: false } });
  });

  test('stands in no title, preview, receipt or event: those are the payee’s', async () => {
    const id = await begin('alice', { amount: '5', name: 'Mallory', note: 'Pay at evil.example', may_show: true });
    const documents = [await html(`/o/${id}`), JSON.stringify((await stranger.get(`/api/checkout/${id}`)).body)];
    await settle(id);
    documents.push(await html(`/o/${id}/receipt`), JSON.stringify((await stranger.get(`/api/checkout/${id}`)).body));
    documents.push(
      JSON.stringify(await shopOf(world).events(id), (_key, value) => (typeof value === 'bigint' ? `${value}` : value)),
    );
    for (const one of documents) expect(one).not.toMatch(/evil\.example|Mallory/);
    const [head = ''] = (await html('/@alice')).split('<script type="application/json"');
    expect(head).not.toMatch(/evil\.example|Mallory/);
  });

  test('is forgotten when its order can no longer be paid', async () => {
    const id = await begin('alice', { amount: '5', note: 'Too late' });
    await world.ctx.db.$transaction((tx) => moveOrders(world.ctx, tx, [{ id, action: 'expire' }]));
    await forgetUnpaidMessages(world.ctx, new Date(world.ctx.clock.now() + 1), 1);
    expect(await world.ctx.db.pageMessage.count({ where: { orderId: id } })).toBe(0);
    // Read one by one: it is not on the first page.
    expect((await own()).length).toBeGreaterThan(1);
  });
});

describe('the document', () => {
  test('says what it is where it is shared, with nothing that breaks out of it', async () => {
    const line = `</title><script>alert(1)</script>"'><b>&$&$1`;
    await change(alice, { line });
    const text = await html('/@alice');
    expect(text).toContain('<title>Pay @alice · Ampersat</title>');
    expect(text).toContain('<meta property="og:title" content="Pay @alice">');
    expect(text).toContain(
      '<meta property="og:description" content="&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;b&gt;&amp;$&amp;$1">',
    );
    expect(text).toContain(`<meta property="og:url" content="${base}/@alice">`);
    expect(text).toContain('<meta name="twitter:card" content="summary_large_image">');
    expect(text).toContain('<meta property="og:image:width" content="1200">');
    expect(text).not.toContain('noindex');
    expect(text).not.toMatch(/<script>alert|<b>/);
    const [, answer = ''] = /id="answer">(.*?)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(answer)).toMatchObject({ path: '/checkout/handles/alice', body: { page: { line } } });
    const none = await html('/@nobody_here');
    expect(none).toContain('noindex');
    expect(none).not.toContain('og:image');
    await change(alice, { line: ON.line });
  });
});

test('a brand stands beside the handle, never instead of it, and its name breaks nothing', async () => {
  const name = `Bread & "Co" <b>`;
  expect((await shop.send('PATCH', '/api/branding', { name })).status).toBe(200);
  expect((await view('shop')).body.page.branding.name).toBe(name);
  const text = await html('/@shop');
  expect(text).toContain('content="Pay Bread &amp; &quot;Co&quot; &lt;b&gt; (@shop)"');
  expect(text).not.toContain('<b>');
});

describe('the card', () => {
  const cardUrl = async () => /property="og:image" content="([^"]+)"/.exec(await html('/@alice'))?.[1] ?? '';

  test('is a PNG of 1200 × 630, named anew when what it says changes, and not sent twice', async () => {
    const url = await cardUrl();
    const response = await fetch(url);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1_200, 630]);
    const etag = response.headers.get('etag') ?? '';
    expect(await statusOf(url, { 'if-none-match': etag })).toBe(304);
    await change(alice, { line: 'Another line' });
    const next = await cardUrl();
    expect(next).not.toBe(url);
    expect(Buffer.from(await (await fetch(next)).arrayBuffer()).equals(bytes)).toBe(false);
  });

  test('has the picture of the page', async () => {
    const before = await cardUrl();
    const put = await alice.send('GET', '/api/settings/page');
    expect(put.body.page.picture).toBeNull();
    const upload = await fetch(`${base}/api/pictures/page`, {
      method: 'PUT',
      headers: { origin: base, 'content-type': 'image/png', cookie: cookieOf(alice) },
      body: Uint8Array.from(await drawnPicture('png', { width: 300, height: 300, left: '#ff0000', right: '#ff0000' })),
    });
    const { url: path } = (await upload.json()) as { url: string };
    expect((await view('alice')).body.page.picture).toBe(path);
    const url = await cardUrl();
    expect(url).not.toBe(before);
    const pixel = await pixelAt(Buffer.from(await (await fetch(url)).arrayBuffer()), 200, 236);
    expect(pixel[0]).toBeGreaterThan(200);
    expect(pixel[1]).toBeLessThan(60);
  });

  test.each([
    'Zażółć gęślą jaźń, Привет, Ελλάδα, tiếng Việt',
    '日本語のページへようこそ',
    'مرحبا بالعالم שלום',
    '👩‍👩‍👧‍👦🏳️‍🌈 🇩🇪 e\u0301\u0301\u0301\u0301 \ud800 \u202e\u0000\uffff',
    `${'W'.repeat(160)}`,
    `${'ﷺ'.repeat(160)}`,
    '',
  ])('can be drawn with the line %j', async (line) => {
    for (const name of [null, line]) {
      const png = await drawCard(
        { handle: 'a'.repeat(30), name, line, pays: 'USDC on Base', testWords: null, picture: null },
        null,
      );
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630]);
    }
  });

  test('leaves out what its letters cannot say rather than drawing boxes', () => {
    expect(drawable('Coffee ☕️ and code 👩‍💻')).toBe('Coffee and code');
    expect(drawable('日本語 ok')).toBeNull();
    expect(drawable('Grüße, Łódź')).toBe('Grüße, Łódź');
  });

  test('is drawn without a picture that cannot be read', async () => {
    const card = { handle: 'alice', name: null, line: null, pays: 'USDC on Base', testWords: null, picture: 'x' };
    expect((await drawCard(card, new Uint8Array([1, 2, 3]))).readUInt32BE(16)).toBe(1_200);
  });
});

/** As a browser asks: `fetch` would ask past every cache. */
function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject);
  });
}

const cookieOf = ({ cookies }: Visitor) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

async function pixelAt(png: Buffer, x: number, y: number): Promise<Uint8ClampedArray> {
  const image = await loadImage(png);
  const pen = createCanvas(image.width, image.height).getContext('2d');
  pen.drawImage(image, 0, 0);
  return pen.getImageData(x, y, 1, 1).data;
}
