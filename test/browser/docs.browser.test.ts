// The documentation in a browser, on a desk and on a phone: every endpoint, code and event, guides with examples in the reader's language, search, a form
// that really sends, and pages that hold still while they load.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { ERRORS } from '../../src/domain/errors.ts';
import { ENDPOINTS } from '../../src/http/v1/endpoints.ts';
import { EVENT_SCHEMAS } from '../../src/http/v1/eventSchemas.ts';
import { DOCS } from '../../web/src/docs/places.ts';
import { keyOf } from '../setup/api.ts';
import { serveWorld } from '../setup/visitor.ts';
import { startWorld, type World } from '../setup/world.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look } from './newcomer.ts';

const SIZES = [
  { name: 'desktop', viewport: { width: 1280, height: 800 } },
  { name: 'phone', viewport: { width: 375, height: 700 } },
];
const PHONE = { width: 390, height: 844 };
const MOST_SHIFT = 0.02;
/** As it crosses the network: at 1.6 Mbit/s a third of a second. */
const MOST_SCRIPT_BYTES = 70_000;
/** Runs in the page before anything of it: adds up what moved without the reader having done something. */
const WATCH_SHIFT = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

describe.skipIf(!chromiumPath)(`the documentation (${HOW_TO_INSTALL})`, () => {
  let world: World;
  let browser: Browser;
  let base: string;
  beforeAll(async () => {
    world = await startWorld({ chains: ['base', 'base-sepolia'] });
    base = await serveWorld(world);
    browser = await workersBrowser();
  });
  afterAll(async () => {
    await world.stop();
  });

  const fits = async (page: Page) => {
    expect(await overflow(page)).toBe(0);
    expect(await page.evaluate(OMISSIONS)).toEqual([]);
  };
  const isInView = (page: Page, id: string) =>
    page.evaluate(`(() => {
      const { top } = document.getElementById(${JSON.stringify(id)}).getBoundingClientRect();
      return top >= 0 && top < innerHeight;
    })()`);

  test.each(SIZES)('has every endpoint with calls to copy, on a $name', async ({ name, viewport }) => {
    const { page, faults, close } = await openPage(browser, `${base}/docs/api#refundOrder`, { viewport });
    for (const { operationId, summary } of ENDPOINTS) {
      const section = page.locator(`#${operationId}`);
      await section.getByRole('heading', { name: summary, exact: true }).waitFor();
      expect(await section.getByRole('figure').first().textContent()).toContain(`curl`);
    }
    await expect.poll(() => isInView(page, 'refundOrder')).toBe(true);
    const call = await page.locator('#createOrder').getByRole('figure').first().textContent();
    expect(call).toContain(`${base}/v1/orders`);
    expect(call).toContain('"amount": "25.00"');
    expect(call).toContain('"chain": "base-sepolia"');
    await fits(page);
    await page.evaluate('document.getElementById("createOrder").scrollIntoView()');
    await look(page, `${name}-docs-02-create`);
    expect(faults).toEqual([]);
    await close();
  });

  test('leads from addresses of the reference as it was to where it is', async () => {
    const { page, close } = await openPage(browser, `${base}/docs#cancelOrder`);
    await page.waitForURL(`${base}/docs/api#cancelOrder`);
    await page.locator('#cancelOrder').waitFor();
    await expect.poll(() => isInView(page, 'cancelOrder')).toBe(true);
    await close();
  });

  test.each(SIZES)('has every code where doc_url leads, on a $name', async ({ name, viewport }) => {
    const answer = (await (await fetch(`${base}/v1/orders`)).json()) as { error: { doc_url: string } };
    const { page, faults, close } = await openPage(browser, answer.error.doc_url, { viewport });
    await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor();
    for (const code of Object.keys(ERRORS)) expect(await page.locator(`#${code}`).count(), code).toBe(1);
    await expect.poll(() => isInView(page, 'api_key_invalid')).toBe(true);
    expect(await page.locator('#rate_limited').textContent()).toContain('Retryable');
    await fits(page);
    await look(page, `${name}-docs-03-errors`);
    expect(faults).toEqual([]);
    await close();
  });

  test.each(SIZES)('leads from page to page in their order, on a $name', async ({ viewport }) => {
    const { page, faults, close } = await openPage(browser, `${base}/docs`, { viewport });
    await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor();
    await fits(page);
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Quickstart/ })
      .click();
    for (const [index, { href }] of DOCS.entries()) {
      await page.waitForURL(base + href);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await fits(page);
      const next = DOCS[index + 1];
      if (next) await page.getByRole('link', { name: `Next ${next.title} →` }).click();
    }
    await page.getByRole('link', { name: 'Previous ← Command line' }).click();
    await page.waitForURL(`${base}/docs/cli`);
    expect(faults).toEqual([]);
    await close();
  });

  test('has no link that leads nowhere', async () => {
    const { page, close } = await openPage(browser, `${base}/docs`);
    const led: string[] = [];
    const ids = new Map<string, string[]>();
    for (const { href } of DOCS) {
      await page.goto(base + href, { waitUntil: 'networkidle' });
      ids.set(href, await page.evaluate(`[...document.querySelectorAll('[id]')].map(({ id }) => id)`));
      const links = await page.evaluate<string[]>(`[...document.querySelectorAll('a')].map(({ href }) => href)`);
      led.push(...links.filter((link) => link.startsWith(base)).map((link) => link.slice(base.length)));
    }
    for (const link of new Set(led)) {
      const [path = '', id] = link.split('#');
      if (id !== undefined) expect(ids.get(path), link).toContain(decodeURIComponent(id));
      else expect((await fetch(base + path, { headers: { accept: 'text/html' } })).status, link).toBe(200);
    }
    await close();
  });

  test('shows a guide with its picture, its file and headings that can be linked to', async () => {
    const { page, faults, close } = await openPage(browser, `${base}/docs/quickstart#3-listen-for-events`, {
      viewport: PHONE,
    });
    await expect.poll(() => isInView(page, '3-listen-for-events')).toBe(true);
    const picture = page.getByRole('img', { name: 'The checkout before the payment' });
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth > 0))
      .toBe(true);
    const file = await page.getByRole('link', { name: 'The receiver' }).getAttribute('href');
    expect(await (await fetch(base + file)).text()).toContain('createServer');
    await page.getByText('Contents', { exact: true }).click();
    await page.getByRole('link', { name: '1. Start Ampersat' }).first().click();
    expect(new URL(page.url()).hash).toBe('#1-start-ampersat');
    expect(faults).toEqual([]);
    await close();
  });

  test('keeps the language that was chosen, on every page and after a reload', async () => {
    const { page, close } = await openPage(browser, `${base}/docs/quickstart`);
    await page.getByRole('button', { name: 'Python' }).first().click();
    await page.getByText('from urllib.request import').first().waitFor();
    // Examples call the service that shows them.
    await page.getByText(`"${base}/v1/orders"`).waitFor();
    expect(await page.getByText('127.0.0.1:8080').count()).toBe(0);
    await page.goto(`${base}/docs/api`);
    await page.locator('#listOrders').getByText('from urllib.request import').waitFor();
    await page.locator('#listOrders').getByRole('button', { name: 'PHP' }).click();
    await page.locator('#createOrder').getByText('curl_setopt_array').waitFor();
    await page.goto(`${base}/docs/errors`);
    await page.getByText("curl_init('http").waitFor();
    await close();
  });

  test('has an example payload of every event', async () => {
    const { page, faults, close } = await openPage(browser, `${base}/docs/webhooks#order.completed`, {
      viewport: PHONE,
    });
    await page.getByRole('heading', { name: 'order.completed' }).waitFor();
    await expect.poll(() => isInView(page, 'order.completed')).toBe(true);
    for (const type of Object.keys(EVENT_SCHEMAS)) {
      const section = page.getByRole('region', { name: type, exact: true });
      await section.getByText('Example payload').click();
      const payload = JSON.parse((await section.locator('pre').textContent()) ?? '');
      expect(payload).toMatchObject({ object: 'event', type });
    }
    await fits(page);
    expect(faults).toEqual([]);
    await close();
  });

  test('finds guides, endpoints, errors and events by the keyboard alone', async () => {
    const { page, faults, close } = await openPage(browser, `${base}/docs`);
    await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor();
    const field = page.getByRole('combobox', { name: 'Search the documentation' });
    const cases = [
      ['rolling a secret', 'Guide', '/docs/webhooks#rolling-a-secret'],
      ['refund an order', 'Endpoint', '/docs/api#refundOrder'],
      ['rate_limited', 'Error', '/docs/errors#rate_limited'],
      ['order.exp', 'Event', '/docs/webhooks#order.expired'],
    ] as const;
    for (const [typed, kind, href] of cases) {
      await page.keyboard.press('/');
      await page.keyboard.type(typed);
      await expect.poll(() => field.inputValue()).toBe(typed);
      await page.getByRole('option', { name: kind }).first().waitFor();
      // Down and up again is where it was.
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.waitForURL(base + href);
      const id = href.split('#')[1] ?? '';
      await page.locator(`[id="${id}"]`).waitFor();
      await expect.poll(() => isInView(page, id)).toBe(true);
    }
    await page.keyboard.press('/');
    await page.keyboard.type('zzzz');
    await page.getByText('No results.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No results.').waitFor({ state: 'hidden' });
    expect(faults).toEqual([]);
    await close();
  });

  test('sends a call with a test key, and neither takes a live one nor keeps any', async () => {
    const key = await keyOf(world, 'shop');
    const live = await keyOf(world, 'shop', { mode: 'live' });
    const { page, context, close } = await openPage(browser, `${base}/docs/api`, { viewport: PHONE });
    const calls: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/v1/orders')) calls.push(request.method());
    });
    const section = page.locator('#createOrder');
    await section.getByText('Try it', { exact: true }).click();
    const field = section.getByLabel('Test key');
    const button = section.getByRole('button', { name: 'Send request' });
    await field.fill(live);
    await section.getByText('This is a live key.').waitFor();
    expect(await button.isDisabled()).toBe(true);
    await field.fill(key);
    await section.getByLabel('amount', { exact: true }).fill('7.50');
    await button.click();
    const answer = section.getByRole('status', { name: 'Response' });
    await answer.getByText('201', { exact: true }).waitFor();
    await answer.getByText('Request-Id').waitFor();
    const order = JSON.parse((await answer.locator('pre').textContent()) ?? '');
    expect(order).toMatchObject({ object: 'order', amount: '7.50', chain: 'base-sepolia', livemode: false });
    expect(await world.ctx.db.order.count({ where: { id: order.id } })).toBe(1);

    // The key is there for the next call, whose error is shown as it is.
    const next = page.locator('#getOrder');
    await next.getByText('Try it', { exact: true }).click();
    expect(await next.getByLabel('Test key').inputValue()).toBe(key);
    await next.getByLabel('order_id').fill('ord_missing');
    await next.getByRole('button', { name: 'Send request' }).click();
    await next.getByRole('status', { name: 'Response' }).getByText('404', { exact: true }).waitFor();
    expect(calls).toEqual(['POST', 'GET']);

    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    );
    expect(kept).not.toContain('sk_');
    expect(JSON.stringify(await context.storageState())).not.toContain('sk_');
    await page.reload();
    await section.getByText('Try it', { exact: true }).click();
    expect(await field.inputValue()).toBe('');
    await close();
  });

  test.each(['/', '/docs', ...DOCS.map(({ href }) => href)])(
    '%s is light, and holds still while it loads on a phone',
    async (path) => {
      const scripts: Promise<number>[] = [];
      const prepare = async (context: BrowserContext) => {
        await context.addInitScript({ content: WATCH_SHIFT });
        context.on('requestfinished', (request) => {
          if (request.resourceType() === 'script')
            scripts.push(request.sizes().then((sizes) => sizes.responseBodySize));
        });
      };
      const { page, close } = await openPage(browser, base + path, { viewport: PHONE, prepare });
      await page.waitForLoadState('networkidle');
      await page.evaluate('document.fonts.ready');
      expect(await page.evaluate('shift')).toBeLessThanOrEqual(MOST_SHIFT);
      const bytes = (await Promise.all(scripts)).reduce((sum, one) => sum + one, 0);
      expect(bytes).toBeGreaterThan(10_000);
      expect(bytes).toBeLessThanOrEqual(MOST_SCRIPT_BYTES);
      await close();
    },
  );
});
