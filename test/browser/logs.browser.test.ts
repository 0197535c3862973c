// The API log in a real browser: requests arrive without moving what is read, are filtered and opened, and repeat as a command. At a desk and on a phone.
import type { Browser, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { keyOf, program } from '../setup/api.ts';
import { serveWorld, visitor } from '../setup/visitor.ts';
import { localPerson, startWorld, type World } from '../setup/world.ts';
import { arrives, OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';

const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true, colorScheme: 'dark' as const };

describe.skipIf(!chromiumPath)(`the API log in a browser (${HOW_TO_INSTALL})`, () => {
  let world: World;
  let base: string;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld(), workersBrowser()]);
    base = await serveWorld(world);
  }, 180_000);
  afterAll(() => world?.stop());

  async function opener(name: string) {
    const who = visitor(base);
    expect((await who.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
    const cookie = { name: 'service-session', value: who.cookies.get('service-session') ?? '', url: base };
    return (path: string, options: Parameters<typeof openPage>[2] = {}) =>
      openPage(browser, base + path, {
        ...options,
        prepare: async (context) => {
          await context.addCookies([cookie]);
          await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
        },
      });
  }

  const seen = async (page: Page, name: string) => {
    await page
      .locator('.waits, [aria-busy="true"]')
      .first()
      .waitFor({ state: 'detached', ...SOON });
    await look(page, name);
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  };
  const rowOf = (page: Page, text: RegExp) =>
    page.getByRole('table', { name: 'Requests' }).getByRole('row', { name: text });

  it('shows requests as they come without moving what is read, filters them, and repeats one: at a desk', async () => {
    const open = await opener('shop');
    const api = program(base, await keyOf(world, 'shop'));
    const { page, faults, close } = await open('/logs');
    await page.getByText('No requests yet').waitFor(SOON);
    await seen(page, 'logs-desktop-01-none');
    const made = await api.post(
      '/v1/orders',
      { amount: '5', chain: 'base', description: "It's tea" },
      { 'idempotency-key': 'tea-1' },
    );
    expect(made.status).toBe(201);
    await rowOf(page, /POST \/v1\/orders.*201/).waitFor(SOON);
    const before = await rowOf(page, /201/).boundingBox();
    const failed = await api.get('/v1/orders/ord_1');
    await api.get('/v1/orders?status=completed');
    await page.getByRole('button', { name: '2 new requests' }).waitFor(SOON);
    expect(await rowOf(page, /201/).boundingBox()).toEqual(before);
    expect(await rowOf(page, /404/).count()).toBe(0);
    await seen(page, 'logs-desktop-02-new');
    await page.getByRole('button', { name: '2 new requests' }).click();
    await rowOf(page, /GET \/v1\/orders\/ord_1.*resource_missing.*404/).waitFor(SOON);
    await seen(page, 'logs-desktop-03-list');

    await page.getByRole('radio', { name: 'Client errors' }).check({ force: true });
    await rowOf(page, /201/).waitFor({ state: 'detached', ...SOON });
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByRole('combobox', { name: 'Route' }).selectOption('/v1/orders/{order_id}');
    await page.getByRole('combobox', { name: 'Error code' }).selectOption('resource_missing');
    await rowOf(page, /404/).waitFor(SOON);
    expect(page.url()).toContain('status=4xx');
    await seen(page, 'logs-desktop-04-filtered');
    await page.getByRole('combobox', { name: 'Method' }).selectOption('DELETE');
    await page.getByText('No results').waitFor(SOON);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await arrives(page, rowOf(page, /201/));

    await rowOf(page, /201/).getByRole('link').click();
    await page.getByRole('heading', { name: 'POST /v1/orders' }).waitFor(SOON);
    await page.getByText('"description": "It\'s tea"').first().waitFor(SOON);
    await page.getByRole('button', { name: 'Copy as curl: the request as a command' }).click();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toContain(`curl --globoff -X POST '${base}/v1/orders'`);
    expect(command).toContain('-H "Authorization: Bearer $AMPERSAT_KEY"');
    expect(command).toContain("It'\\''s tea");
    await seen(page, 'logs-desktop-05-request');

    // An error names its page.
    await page.goto(failed.body.error.request_log_url);
    await page.getByRole('heading', { name: 'GET /v1/orders/ord_1' }).waitFor(SOON);
    await page.getByRole('link', { name: 'resource_missing' }).waitFor(SOON);
    await seen(page, 'logs-desktop-06-error');
    expect(faults).toEqual([]);
    await close();
  });

  it('is read on a phone, in the dark, and says what is not there', async () => {
    const open = await opener('bob');
    const api = program(base, await keyOf(world, 'bob'));
    await api.post('/v1/payment_links', {
      label: 'Coffee',
      amount: '5',
      chain: 'base',
      metadata: { password: 'hunter22' },
    });
    await api.post('/v1/orders', {
      amount: '5',
      chain: 'base',
      metadata: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'x'.repeat(400)])),
    });
    const { page, close } = await open('/logs', PHONE);
    await rowOf(page, /payment_links/).waitFor(SOON);
    await seen(page, 'logs-phone-01-list');
    await rowOf(page, /orders/)
      .getByRole('link')
      .click();
    await page.getByText('Cut: the log stores the first 4 KB of a body.').first().waitFor(SOON);
    await seen(page, 'logs-phone-02-cut');
    await page.goto(`${base}/logs`);
    await rowOf(page, /payment_links/)
      .getByRole('link')
      .click();
    await page.getByText('"password": "[redacted]"').first().waitFor(SOON);
    await page.getByText('This is not the whole request').waitFor(SOON);
    await page.goto(`${base}/logs/req_00000000000000000000000000`);
    await page.getByText('Request not found').waitFor(SOON);
    await seen(page, 'logs-phone-03-missing');
    await page.route('**/api/request_logs?*', (route) => route.abort());
    await page.goto(`${base}/logs`);
    await page.getByRole('alert').first().waitFor(SOON);
    await look(page, 'logs-phone-04-error');
    await close();
  });
});
