// How pages reach a browser: small, with what they need next to them, and with nothing in them that a stranger can make into code.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request as rawRequest } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderRow } from '../../test/setup/orders.ts';
import { serveWorld } from '../../test/setup/visitor.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { MISSING_PAGE, PAGES, pageAt } from '../domain/pages.ts';
import { PUBLIC_READS } from '../domain/session.ts';
import { ROOT } from '../root.ts';
import { createPaymentLink } from '../services/orders/links/links.ts';
import { hitMany } from '../services/rateLimit.ts';

const DIST = join(ROOT, 'web/dist');
type Manifest = Record<string, { file: string; imports?: string[] }>;

let world: World;
let origin: string;
beforeAll(async () => {
  world = await startWorld();
  origin = await serveWorld(world);
});
afterAll(() => world.stop());

type Raw = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

/** As it is on the wire: `fetch` would unpack it. */
function wire(path: string, encodings: string, accept = 'text/html'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': encodings, accept };
    rawRequest(`${origin}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

const pageOf = async (path: string) => (await wire(path, 'identity')).body.toString();
const scriptsOf = (html: string) =>
  [...html.matchAll(/(?:modulepreload|type="module")[^>]*(?:href|src)="([^"]+)"/g)].map(([, file]) => file ?? '');

describe('files of the build', () => {
  test('are compressed as the browser likes it best, and say that they differ by that', async () => {
    const [entry = ''] = scriptsOf(await pageOf('/'));
    const plain = await wire(entry, 'identity');
    const brotli = await wire(entry, 'gzip, deflate, br');
    const gzip = await wire(entry, 'gzip');
    expect([plain, gzip, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
    for (const { headers } of [plain, brotli, gzip]) {
      expect(headers['vary']).toContain('Accept-Encoding');
      expect(headers['cache-control']).toBe('public,max-age=31536000,immutable');
      expect(headers['content-type']).toMatch(/^text\/javascript/);
    }
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotli.body.length).toBeLessThan(plain.body.length / 2.5);
  });

  test.each([
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['', undefined],
  ])('are not sent in an encoding that the browser refuses: %j', async (accepted, encoding) => {
    const [entry = ''] = scriptsOf(await pageOf('/'));
    expect((await wire(entry, accepted)).headers['content-encoding']).toBe(encoding);
  });

  test('have no circles, which would run before what they need, and a checkout is small', () => {
    const manifest: Manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));
    const importsOf = (key: string, path: string[] = []): string[] => {
      expect(path).not.toContain(key);
      return [key, ...(manifest[key]?.imports ?? []).flatMap((next) => importsOf(next, [...path, key]))];
    };
    const bytesOf = (source: string) => {
      const keys = ['index.html', `src/${source}.tsx`].flatMap((key) => importsOf(key));
      const files = new Set(keys.map((key) => join(DIST, `${manifest[key]?.file}`)));
      return [...files].reduce((sum, file) => sum + statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size, 0);
    };
    for (const { page } of PAGES) expect(bytesOf(page)).toBeGreaterThan(0);
    for (const page of ['OrderPage', 'LinkPage', 'OrderReceiptPage'])
      expect(bytesOf(`payer/checkout/${page}`)).toBeLessThan(80 * 1_024);
  });

  test('leave the folder for nobody', async () => {
    for (const path of ['/assets/../manifest.json', '/assets/%2e%2e/index.html', '/.vite/manifest.json', '/assets/'])
      expect((await wire(path, 'identity', 'application/json')).status).toBe(404);
  });
});

describe('answers', () => {
  test('of some length are compressed, as JSON and as pages; streams are not', async () => {
    const json = await wire('/v1/openapi.json', 'br', 'application/json');
    expect([json.headers['content-encoding'], json.headers['vary']]).toEqual([
      'br',
      expect.stringContaining('Accept-Encoding'),
    ]);
    expect(JSON.parse(brotliDecompressSync(json.body).toString())).toHaveProperty('openapi');
    expect((await wire('/', 'gzip')).headers['content-encoding']).toBe('gzip');
    const { id } = await orderRow(world, { status: 'cancelled' });
    const stream = await wire(`/api/checkout/${id}/events`, 'br, gzip', 'text/event-stream');
    expect([stream.headers['content-type'], stream.headers['content-encoding']]).toEqual([
      'text/event-stream; charset=utf-8',
      undefined,
    ]);
    expect(stream.body.toString()).toContain('event: order');
  });
});

/** What is in the page before its scripts. */
function frameOf(html: string): string {
  const [, frame = ''] = /<div id="root" inert>(.*)<\/div>\s*(?=<script|<\/body>)/s.exec(html) ?? [];
  return frame;
}

describe('documents', () => {
  test('name every file that their page needs, so that none is found out about late', async () => {
    const manifest: Manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));
    for (const { path, page, title } of PAGES) {
      const html = await pageOf(path.replace(/:\w+/g, 'none'));
      expect(html).toContain(`<title>${title}</title>`);
      const scripts = scriptsOf(html);
      expect(new Set(scripts).size).toBe(scripts.length);
      const chunk = manifest[`src/${page}.tsx`];
      const needed = (chunk?.imports ?? []).map((key) => manifest[key]?.file);
      for (const file of [chunk?.file, ...needed]) expect(scripts).toContain(`/${file}`);
    }
  });

  test('show what their page shows while it knows nothing, before any script runs; nothing can be pressed in it', async () => {
    for (const { path, page } of PAGES) {
      const frame = frameOf(await pageOf(path.replace(/:\w+/g, 'none')));
      expect(frame, page).toContain('Ampersat');
      // The policy refuses styles in the document.
      expect(frame, page).not.toMatch(/ style=|<script|service\.invalid/);
      for (const [, file = ''] of frame.matchAll(/"\/(assets\/[^"]+)"/g))
        expect(existsSync(join(DIST, file)), file).toBe(true);
    }
    expect(frameOf(await pageOf('/docs/quickstart'))).toContain('npm start');
    expect(frameOf(await pageOf('/'))).toContain(`curl ${world.ctx.env.BASE_URL}/v1/orders`);
    const german = await fetch(`${origin}/o/none`, { headers: { accept: 'text/html', 'accept-language': 'de-AT' } });
    const html = await german.text();
    expect(frameOf(html)).toContain('Wird geladen');
    const manifest: Manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));
    expect(scriptsOf(html)).toContain(`/${manifest['src/payer/checkout/words/de.ts']?.file}`);
    expect(scriptsOf(await pageOf('/o/none'))).not.toContain(`/${manifest['src/payer/checkout/words/de.ts']?.file}`);
  });

  test('that moved lead to where they are', async () => {
    const moved = await fetch(`${origin}/waiting`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/tabs']);
  });

  test('of an order bring it with them, and say to whoever shares them what it is', async () => {
    const { id } = await orderRow(world, { units: '12500000' as never, description: 'Two coffees' });
    const html = await pageOf(`/o/${id}`);
    expect(html).toContain('<title>Pay 12.50 USDC to @bob · Ampersat</title>');
    expect(html).toContain('<meta property="og:title" content="Pay 12.50 USDC to @bob">');
    expect(html).toContain('<meta property="og:description" content="Two coffees">');
    expect(html).toContain(`<meta property="og:url" content="${world.ctx.env.BASE_URL}/o/${id}">`);
    expect(html).toContain('<meta name="robots" content="noindex">');
    const [, text = ''] = /<script type="application\/json" id="answer">(.*?)<\/script>/.exec(html) ?? [];
    const told = await (await fetch(`${origin}/api/checkout/${id}`)).json();
    expect(JSON.parse(text)).toEqual({ path: `/checkout/${id}`, at: expect.any(Number), body: told });
  });

  test('of a link bring it with them', async () => {
    const { id } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'bob' } });
    const link = await createPaymentLink(world.ctx, { id }, { label: 'Tickets', chain: 'base', open_amount: true });
    const html = await pageOf(`/l/${link.id}`);
    expect(html).toContain('<title>Pay @bob · Ampersat</title>');
    expect(html).toContain(`"path":"/checkout/links/${link.id}"`);
  });

  test('are not broken out of by what a merchant writes', async () => {
    const description = `</script><script>alert(1)</script>"'><b>&lt;$&$1`;
    const { id } = await orderRow(world, { description });
    const html = await pageOf(`/o/${id}`);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<b>');
    expect(html).toContain(
      'content="&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;b&gt;&amp;lt;$&amp;$1"',
    );
    const [, text = ''] = /id="answer">(.*?)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(text).body.order.description).toBe(description);
  });

  test('of what is not there, or is asked for too often, are pages all the same', async () => {
    const missing = await wire('/o/ord_00000000000000000000000000', 'identity');
    expect(missing.status).toBe(404);
    expect(missing.body.toString()).not.toContain('id="answer"');
    const over = await orderRow(world, { units: '1234500000' as never, status: 'cancelled' });
    expect(await pageOf(`/o/${over.id}`)).toContain('<title>Cancelled: 1,234.50 USDC to @bob · Ampersat</title>');
    const { id } = await orderRow(world);
    const { ctx } = world;
    const limits = [{ key: 'ip-read:checkout:127.0.0.1', window: PUBLIC_READS }];
    const reads = Array.from({ length: PUBLIC_READS.points }, () => ({ id: randomUUID(), limits }));
    await ctx.db.$transaction((tx) => hitMany(ctx, tx, reads, ctx.clock.now()));
    const html = await pageOf(`/o/${id}`);
    expect(html).toContain('<title>Checkout · Ampersat</title>');
    expect(html).not.toContain('id="answer"');
  });
});

describe('the playground of a local stack', () => {
  test('is no page of a deployment', async () => {
    expect(PAGES.filter((page) => JSON.stringify(page).match(/playground|local/i))).toEqual([]);
    expect(pageAt('/playground')).toBe(MISSING_PAGE);
    for (const accept of ['text/html', 'application/json']) {
      const [asked, unknown] = await Promise.all([wire('/playground', '', accept), wire('/unknown', '', accept)]);
      const withoutId = ({ body }: Raw) => body.toString().replace(/req_\w+/, '');
      expect([asked.status, asked.headers['content-type']]).toEqual([404, unknown.headers['content-type']]);
      expect(withoutId(asked)).toBe(withoutId(unknown));
    }
  });

  test('is in no file of a deployment', () => {
    const manifest: Manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));
    expect(Object.keys(manifest).filter((source) => /playground|local\//i.test(source))).toEqual([]);
    const files = ['index.html', 'frames.json', ...readdirSync(join(DIST, 'assets')).map((name) => `assets/${name}`)];
    // Guides may name it: they describe `npm start`.
    const traces = /\/playground|playgroundpage|hasplayground|local\/(stack|trace|balances)|look-(telegram|discord|x)/i;
    const readable = files.filter((file) => /\.(js|css|html|json)$/.test(file));
    expect(readable.filter((file) => traces.test(readFileSync(join(DIST, file), 'utf8')))).toEqual([]);
    expect(readFileSync(join(ROOT, 'dist/api.mjs'), 'utf8')).not.toMatch(/playground/i);
  });
});
