// The frame of the dashboard and its Home in a real browser: what is always in sight, what a business sees first, and whose money is summed.
import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { formatId } from '../../src/domain/ids.ts';
import { giveUsdc, orderRow } from '../setup/orders.ts';
import { serveWorld, visitor } from '../setup/visitor.ts';
import { endpointRow } from '../setup/webhooks.ts';
import { localPerson, startWorld, type World } from '../setup/world.ts';
import { expireSession, openPage, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';
import { testWallet } from './wallet.ts';

const HOUR_MS = 3_600_000;

describe.skipIf(!chromiumPath)(`the dashboard's frame and Home (${HOW_TO_INSTALL})`, () => {
  let world: World;
  let base: string;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld({ chains: ['base', 'celo'] }), workersBrowser()]);
    base = await serveWorld(world);
  }, 180_000);
  afterAll(async () => {
    await world?.stop();
  });

  async function openAs(name: string, path: string, options: object = {}) {
    const account = privateKeyToAccount(localPerson(name).key);
    const who = visitor(base);
    expect((await who.signIn(account)).status).toBe(200);
    const cookie = { name: 'service-session', value: who.cookies.get('service-session') ?? '', url: base };
    const { chainId } = world.evmChain().facts;
    const wallet = testWallet({ account, chains: [{ chainId, rpcUrl: world.anvilOf().rpcUrl }] });
    const opened = await openPage(browser, base + path, {
      ...options,
      prepare: async (context) => {
        await wallet.attach(context);
        await context.addCookies([cookie]);
      },
    });
    return { ...opened, who };
  }

  /** Whole on the screen, and what a pointer there would hit. */
  async function isInSight(page: Page, name: string, role: 'link' | 'button'): Promise<boolean> {
    const box = await page.getByRole(role, { name, exact: true }).boundingBox();
    const screen = page.viewportSize();
    if (!box || !screen) return false;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const hit = await page.evaluate<string>(
      `document.elementFromPoint(${x}, ${y})?.closest('a, button')?.textContent ?? ''`,
    );
    const isWhole =
      box.x >= 0 && box.y >= 0 && box.x + box.width <= screen.width && box.y + box.height <= screen.height;
    return isWhole && hit.trim() === name;
  }

  it.each([
    [1280, 800],
    [1366, 657],
    [1024, 480],
  ])('shows Settings and Sign out without scrolling, and reaches every page: %i × %i', async (width, height) => {
    const { page, faults, close } = await openAs('shop', '/orders', { viewport: { width, height } });
    await page.getByRole('link', { name: 'Settings' }).waitFor(SOON);
    expect(await isInSight(page, 'Settings', 'link')).toBe(true);
    expect(await isInSight(page, 'Sign out', 'button')).toBe(true);
    // A laptop has room for all of them.
    if (height > 600) expect(await isInSight(page, 'Workspace', 'link')).toBe(true);
    const last = page.getByRole('navigation', { name: 'Pages' }).first().getByRole('link').last();
    await last.scrollIntoViewIfNeeded();
    expect(await isInSight(page, ((await last.textContent()) ?? '').trim(), 'link')).toBe(true);
    expect(faults).toEqual([]);
    await close();
  });

  it.each(['/account', '/docs/quickstart', '/operations'])(
    'begins with a link past the navigation: %s',
    async (path) => {
      if (path === '/operations') Object.assign(world.ctx.env, { ADMIN_SECRET: 'only for this test, long enough' });
      const { page, who, close } = await openAs('alice', path);
      if (path === '/operations') {
        await page.getByLabel('Admin secret').fill('only for this test, long enough');
        await page.getByRole('button', { name: 'Sign in' }).click();
        // The sign-in has the same heading.
        await page.getByRole('button', { name: 'Sign out' }).waitFor(SOON);
        await page.reload();
      }
      expect(who.cookies.size).toBeGreaterThan(0);
      const skip = page.getByRole('link', { name: 'Skip to content' });
      await skip.waitFor({ state: 'attached', ...SOON });
      await page.keyboard.press('Tab');
      expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to content');
      expect((await skip.boundingBox())?.width).toBeGreaterThan(50);
      await page.keyboard.press('Enter');
      expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('MAIN');
      expect(new URL(page.url()).hash).toBe('');
      await close();
    },
  );

  it('replaces the page by the sign-in when the session expires, and brings it back as it was', async () => {
    const { page, close } = await openAs('shop', '/orders/new');
    await page.getByRole('textbox', { name: 'Amount' }).fill('17.5');
    await expireSession(page, () => page.getByRole('button', { name: 'Create order' }).click());
    await page.getByText('Your session expired. Sign in to continue where you left off.').waitFor(SOON);
    expect(await page.getByLabel('Amount').isVisible()).toBe(false);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await look(page, 'home-01-sign-in-again');
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click();
    await page.getByRole('textbox', { name: 'Amount' }).waitFor(SOON);
    expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('17.5');
    await close();
  });

  it('requests nothing for the page once its user signs out, and forgets it', async () => {
    const { page, faults, close } = await openAs('alice', '/settings');
    await page.clock.install();
    await page.reload();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor(SOON);
    let release = () => {};
    const isHeld = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/session', async (route) => {
      if (route.request().method() === 'DELETE') await isHeld;
      await route.continue();
    });
    await page.clock.fastForward(14_000);
    await page.waitForLoadState('networkidle');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click(SOON);
    await expect.poll(() => requests, SOON).toContain('DELETE /api/session');
    // Every refresh of the page is due by then; the call itself has a second left.
    await page.clock.fastForward(14_000);
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(requests).toEqual(['DELETE /api/session']);
    release();
    await page.waitForURL(`${base}/`, SOON);
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor(SOON);
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor(SOON);
    expect(await page.getByRole('heading', { name: 'Sessions' }).count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  it('stays signed in when signing out fails', async () => {
    const { page, close } = await openAs('alice', '/settings');
    await page.getByRole('heading', { name: 'Sessions' }).waitFor(SOON);
    await page.route('**/api/session', (route) => route.fulfill({ status: 503, body: '' }));
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click(SOON);
    await page.getByText('Can’t reach Ampersat.').first().waitFor(SOON);
    await page.unroute('**/api/session');
    await page.getByRole('link', { name: 'History', exact: true }).first().click();
    await page.getByRole('heading', { name: 'History' }).waitFor(SOON);
    await page
      .locator('.waits')
      .first()
      .waitFor({ state: 'detached', ...SOON });
    await close();
  });

  it('shows a business what it earned, what needs attention and its recent orders instead of tips', async () => {
    const { page, faults, close } = await openAs('shop', '/account');
    await page.getByText('No orders yet').waitFor(SOON);
    await page.getByText('Nothing needs your attention.').waitFor(SOON);
    await page.getByText('Paid orders from the last 30 days appear here.').waitFor(SOON);
    expect(await page.getByText('Recent tips').count()).toBe(0);
    await look(page, 'home-02-business-empty');

    const paid = (ago: number, units: bigint, more: object = {}) => {
      const at = new Date(world.ctx.clock.now() - ago);
      return orderRow(world, {
        id: formatId('ord', at.getTime(), randomBytes(10)),
        merchant: 'shop',
        units: String(units) as never,
        receivedUnits: String(units) as never,
        status: 'completed',
        payer: localPerson('alice').address,
        txHash: `0x${randomBytes(32).toString('hex')}`,
        createdAt: at,
        endedAt: at,
        ...more,
      });
    };
    await paid(1_000, 2_500_000_000n, { description: 'A large order' });
    await paid(20 * 24 * HOUR_MS, 100_000_000n, { description: 'An old order' });
    const { id } = await orderRow(world, { merchant: 'shop', description: 'Paid too late', status: 'expired' });
    await world.ctx.db.orderLog.create({
      data: {
        chain: 'base',
        txHash: `0x${randomBytes(32).toString('hex')}`,
        logIndex: 0,
        block: 1n,
        blockHash: `0x${'0'.repeat(64)}`,
        blockTime: new Date(world.ctx.clock.now()),
        kind: 'settled',
        outcome: 'not_payable',
        orderId: id,
        router: 'business',
        key: id,
        token: world.evmChain().usdc,
        units: '1000000',
        fromAddress: localPerson('alice').address,
        toAddress: localPerson('shop').address,
      },
    });
    await endpointRow(world.ctx, 'https://shop.example/hook', {
      handleId: (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'shop' } })).id,
      failingSince: new Date(world.ctx.clock.now()),
    });
    await page.reload();
    await page.getByRole('link', { name: 'Deliveries are failing: shop.example/hook' }).waitFor(SOON);
    // 1 % of each payment is the fee of a business.
    await page.getByText('2,475.00 USDC').waitFor(SOON);
    await page.getByText('2,574.00 USDC').waitFor(SOON);
    await page.getByRole('link', { name: 'A large order' }).waitFor(SOON);
    await page.getByRole('link', { name: 'Unmatched payment: Paid too late' }).click();
    await page.waitForURL(`**/orders/${id}`, SOON);
    await page.goBack();
    await page.getByText('2,475.00 USDC').waitFor(SOON);
    await look(page, 'home-03-business');
    expect(faults).toEqual([]);
    await close();
  });

  it('sums the networks of the mode that is looked at, and keeps test money apart', async () => {
    const celo = world.evmChain('celo');
    await giveUsdc(world, localPerson('bob').address, 7_000_000n, 'celo');
    const both = await openAs('bob', '/account');
    const total = both.page.getByText(/^\$[\d,]+\.\d\d$/).first();
    await total.waitFor(SOON);
    const before = Number((await total.textContent())?.replace(/[^\d.]/g, ''));
    await both.close();
    Object.assign(celo, { local: false });
    try {
      const { page, close } = await openAs('bob', '/account');
      const test = page.getByText(/^Test networks: \$[\d,.]+, not real money$/);
      await test.waitFor(SOON);
      const live = Number(
        (
          await page
            .getByText(/^\$[\d,]+\.\d\d$/)
            .first()
            .textContent()
        )?.replace(/[^\d.]/g, ''),
      );
      const apart = Number((await test.textContent())?.replace(/[^\d.]/g, ''));
      expect(live).toBeGreaterThanOrEqual(7);
      // Each is cut off to cents.
      expect(Math.abs(live + apart - before)).toBeLessThan(0.015);
      expect(apart).toBeGreaterThan(0);
      await look(page, 'home-04-modes');
      await close();
    } finally {
      Object.assign(celo, { local: true });
    }
  });
});
