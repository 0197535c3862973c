// The overview in a real browser: figures of a month, other periods and days that make none, the first steps of a new workspace, an order that is opened and
// paid while it is looked at; and test and live apart on each page. At a desk and on a phone, light and dark.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertOrders } from '../../bench/dashboardRows.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { moveOrders } from '../../src/services/orders/transitions.ts';
import { orderRow } from '../setup/orders.ts';
import { serveWorld, visitor } from '../setup/visitor.ts';
import { localPerson, startWorld, type World } from '../setup/world.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const ORDERS = 400;

describe.skipIf(!chromiumPath)(`the overview in a browser (${HOW_TO_INSTALL})`, () => {
  let world: World;
  let base: string;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld(), workersBrowser()]);
    base = await serveWorld(world);
    const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'shop' } });
    await insertOrders(world.ctx.db, { handleId, count: ORDERS, now: world.ctx.clock.now() });
  }, 180_000);
  afterAll(async () => {
    await world?.stop();
  });

  /** @param bothModes as where the service has live networks, too */
  async function open(
    name: string,
    path: string,
    { bothModes = false, ...options }: { bothModes?: boolean } & BrowserContextOptions = {},
  ) {
    const who = visitor(base);
    expect((await who.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
    const cookie = { name: 'service-session', value: who.cookies.get('service-session') ?? '', url: base };
    return openPage(browser, base + path, {
      ...options,
      prepare: async (context) => {
        await context.addCookies([cookie]);
        if (!bothModes) return;
        await context.route('**/api/workspace', async (route) => {
          const { workspace } = (await (await route.fetch()).json()) as { workspace: { chains: object[] } };
          const chains = [...workspace.chains, ...workspace.chains.map((chain) => ({ ...chain, livemode: true }))];
          await route.fulfill({ json: { workspace: { ...workspace, chains, modes: ['test', 'live'] } } });
        });
      },
    });
  }

  const ready = (page: Page) =>
    page
      .locator('.waits')
      .first()
      .waitFor({ state: 'detached', ...SOON });
  const wholeness = async (page: Page) => {
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    expect(await page.locator('main .bg-accent.text-on-accent.font-semibold:visible').count()).toBeLessThan(2);
  };
  const mark = (page: Page) => page.getByRole('status').filter({ hasText: /(Test|Live) mode/ });

  for (const [device, options] of [
    ['desk-light', { colorScheme: 'light' }],
    ['desk-dark', { colorScheme: 'dark' }],
    ['phone-light', { ...PHONE, colorScheme: 'light' }],
    ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
  ] as const)
    it(`shows a month and a year: ${device}`, async () => {
      const { page, faults, close } = await open('shop', '/overview', options);
      await page.getByRole('heading', { name: 'Paid to you' }).waitFor(SOON);
      await ready(page);
      expect(await mark(page).textContent()).toContain('Test mode');
      await look(page, `overview-${device}-01-month`);
      await wholeness(page);
      await page.getByRole('radio', { name: '12 months' }).check({ force: true });
      await page.waitForURL(/period=12m/);
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached', ...SOON });
      await page.getByRole('radio', { name: 'ETH' }).check({ force: true });
      await page.getByText('Gross, ETH').waitFor(SOON);
      await look(page, `overview-${device}-02-year`);
      await wholeness(page);
      expect(faults).toEqual([]);
      await close();
    });

  it('says what is wrong with days that make no period, and keeps the page', async () => {
    const { page, faults, close } = await open('shop', '/overview?period=custom&from=0026-11-01&to=2026-11-02');
    await page.getByText('The first day must be a day since 2020-01-01.').waitFor(SOON);
    await look(page, 'overview-desk-light-03-year-typed-badly');
    const today = new Date(world.ctx.clock.now()).toISOString().slice(0, 10);
    await page.getByLabel('First day').fill('2035-01-01');
    await page.getByText('The first day must not be in the future.').waitFor(SOON);
    await page.getByLabel('First day').fill(today);
    await page.getByLabel('Last day').fill(today);
    await page.getByRole('heading', { name: 'Paid to you' }).waitFor(SOON);
    // What makes no period any more leaves the figures where they are.
    await page.getByLabel('Last day').fill('9999-01-01');
    await page.getByText('The last day must not be in the future.').waitFor(SOON);
    expect(await page.getByRole('heading', { name: 'Paid to you' }).isVisible()).toBe(true);
    for (const query of ['period=week', 'period=custom&from=x&to=y', 'currency=DOGE&period=7d']) {
      await page.goto(`${base}/overview?${query}`);
      await page.getByRole('radio', { name: '7 days' }).waitFor({ state: 'attached', ...SOON });
    }
    expect(faults).toEqual([]);
    await close();
  });

  it('tells a new workspace what to do first; then an order is opened, and paid, without a reload', async () => {
    const { page, faults, close } = await open('bob', '/overview', PHONE);
    await page.getByRole('heading', { name: 'Accept your first payment' }).waitFor(SOON);
    await ready(page);
    await look(page, 'overview-phone-light-04-first-steps');
    await wholeness(page);
    const order = await orderRow(world, { merchant: 'bob' });
    await page.getByRole('heading', { name: 'Orders created' }).waitFor(SOON);
    const buyer = await openPage(browser, `${base}/o/${order.id}`);
    await expect
      .poll(async () => (await world.ctx.db.order.findUniqueOrThrow({ where: { id: order.id } })).openedAt, SOON)
      .not.toBeNull();
    await buyer.close();
    await world.ctx.db.$transaction(async (tx) => {
      await moveOrders(world.ctx, tx, [{ id: order.id, action: 'submit' }]);
      await moveOrders(world.ctx, tx, [{ id: order.id, action: 'settle' }]);
    });
    await page.getByText('100 %').waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  });

  it('keeps test and live apart: the mark on each page, a choice that stays, and a deep link that brings its mode', async () => {
    const live = await orderRow(world, { merchant: 'shop', description: 'A live order', livemode: true });
    const { page, faults, close } = await open('shop', '/overview', { bothModes: true, colorScheme: 'dark' });
    await mark(page).getByText('Live mode').waitFor(SOON);
    await page.getByText('No payments in this period.').waitFor(SOON);
    await page.getByRole('radio', { name: 'Test', exact: true }).check({ force: true });
    await mark(page).getByText('Test mode').waitFor(SOON);
    await page
      .getByText(/^\d+ payments/)
      .first()
      .waitFor(SOON);
    await look(page, 'modes-desk-dark-01-overview');
    for (const path of [
      '/orders',
      '/orders/new',
      '/links',
      '/links/new',
      '/plans',
      '/campaigns',
      '/keys',
      '/webhooks',
      '/webhooks/failed',
      '/events',
      '/logs',
      '/workspace',
    ]) {
      await page.goto(base + path);
      await mark(page).getByText('Test mode').waitFor(SOON);
    }
    await page.goto(`${base}/orders`);
    await page.getByRole('table', { name: 'Orders' }).waitFor(SOON);
    expect(await page.getByText('A live order').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href')).toContain('mode=test');
    // A link from a message leads to the other mode, and says so.
    await page.goto(`${base}/orders/${live.id}`);
    await mark(page).getByText('Live mode').waitFor(SOON);
    await look(page, 'modes-desk-dark-02-live-order');
    await page.getByRole('radio', { name: 'Test', exact: true }).check({ force: true });
    await page.waitForURL(`${base}/orders`);
    await mark(page).getByText('Test mode').waitFor(SOON);
    // The next tab of the account begins where this one is.
    const next = await page.context().newPage();
    await next.goto(`${base}/overview`);
    await mark(next).getByText('Test mode').waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  });
});
