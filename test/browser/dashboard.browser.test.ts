// A merchant's dashboard in a real browser with a real wallet: an order made, seen paid, refunded; links, keys, the workspace. At a desk and on a phone.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { formatId } from '../../src/domain/ids.ts';
import { indexChain } from '../../src/services/operations/feed.ts';
import { startOrder } from '../../src/services/orders/links/links.ts';
import { orderRow, payOrder } from '../setup/orders.ts';
import { serveWorld, visitor } from '../setup/visitor.ts';
import { localPerson, startWorld, type World } from '../setup/world.ts';
import { cameBackTo, OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';
import { testWallet } from './wallet.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' as const };
const DAY_MS = 86_400_000;

describe.skipIf(!chromiumPath)(`a merchant's dashboard in a browser (${HOW_TO_INSTALL})`, () => {
  let world: World;
  let base: string;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld(), workersBrowser()]);
    base = await serveWorld(world);
  }, 180_000);
  afterAll(async () => {
    await world?.stop();
  });

  /** Somebody of the world with their wallet, signed in already. */
  async function merchant(name: string) {
    const account = privateKeyToAccount(localPerson(name).key);
    const who = visitor(base);
    expect((await who.signIn(account)).status).toBe(200);
    const { chainId } = world.evmChain().facts;
    const wallet = testWallet({ account, chains: [{ chainId, rpcUrl: world.anvilOf().rpcUrl }] });
    const cookie = { name: 'service-session', value: who.cookies.get('service-session') ?? '', url: base };
    const open = (path: string, options: object = {}) =>
      openPage(browser, base + path, {
        ...options,
        prepare: async (context) => {
          await wallet.attach(context);
          await context.addCookies([cookie]);
          await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
        },
      });
    return { who, wallet, open, account };
  }

  /** Blocks enough for what is mined to be final, and our rows see it. */
  async function settle(): Promise<void> {
    await world.mine(3);
    for (;;) {
      const { at, target } = await indexChain(world.ctx, world.evmChain());
      if (at.block >= target) return;
    }
  }

  const ready = (page: Page) =>
    page
      .locator('.waits')
      .first()
      .waitFor({ state: 'detached', ...SOON });
  const idOf = (page: Page) => new URL(page.url()).pathname.split('/')[2] ?? '';
  const wholeness = async (page: Page) => {
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    expect(await page.locator('main .bg-accent.text-on-accent.font-semibold:visible').count()).toBeLessThan(2);
  };

  /** A month of trade, so that the chart has something to show. */
  async function trade(name: string): Promise<void> {
    for (let day = 0; day < 34; day++) {
      for (let i = 0; i <= (day * 7) % 3; i++) {
        const at = new Date(world.ctx.clock.now() - day * DAY_MS - i * 3_600_000 - 60_000);
        const units = String(4_000_000 + ((day * 37 + i * 91) % 60) * 1_000_000) as never;
        const isPaid = (day + i) % 6 !== 5;
        await orderRow(world, {
          id: formatId('ord', at.getTime(), randomBytes(10)),
          merchant: name,
          units,
          description: ['Two coffees', 'A bag of beans', 'Breakfast for two', null][(day + i) % 4] ?? null,
          status: isPaid ? 'completed' : 'expired',
          createdAt: at,
          endedAt: at,
          ...(isPaid
            ? { receivedUnits: units, payer: localPerson('alice').address, txHash: `0x${'1'.repeat(64)}` }
            : {}),
        });
      }
    }
  }

  it('creates an order, sees it paid, refunds a part, finds it again: at a desk', async () => {
    const { open, wallet, who, account } = await merchant('shop');
    const { page, faults, close } = await open('/orders');
    await page.getByText('No orders yet').waitFor(SOON);
    await ready(page);
    await look(page, 'dashboard-desktop-01-no-orders');
    await wholeness(page);
    await page.getByRole('link', { name: 'New order' }).click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('abc');
    await page.getByText('Enter an amount like 25 or 2.50.').waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Create order' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Amount' }).fill('25');
    await page.getByRole('textbox', { name: 'Description (optional)' }).fill('Two coffees and a cake');
    await page.getByText('You receive 24.75 USDC in your wallet').waitFor(SOON);
    await look(page, 'dashboard-desktop-02-new-order');
    await wholeness(page);
    await page.getByRole('button', { name: 'Create order' }).click();
    await page.getByRole('heading', { name: 'For the buyer' }).waitFor(SOON);
    const id = idOf(page);
    expect(await page.getByRole('textbox', { name: 'Checkout link' }).inputValue()).toBe(`${base}/o/${id}`);
    await page.getByRole('img', { name: 'QR code of the checkout link' }).waitFor(SOON);
    await page.getByRole('button', { name: 'Copy: Checkout link' }).click();
    await page.getByRole('button', { name: 'Copied: Checkout link' }).waitFor(SOON);
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`${base}/o/${id}`);
    expect(await page.getByRole('link', { name: 'Back to Orders' }).getAttribute('href')).toBe('/orders');
    await look(page, 'dashboard-desktop-03-order');
    await wholeness(page);

    const row = await world.ctx.db.order.findUniqueOrThrow({ where: { id } });
    await payOrder(world, row, 'a buyer', 'eip3009');
    await settle();
    // The page asks by itself.
    await page.getByText('25.00 USDC received').waitFor(SOON);
    await page.getByRole('button', { name: 'Refund…' }).waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Cancel order…' }).count()).toBe(0);
    await look(page, 'dashboard-desktop-04-paid');
    await wholeness(page);

    await page.getByRole('button', { name: 'Refund…' }).click();
    await page.getByRole('textbox', { name: 'Refund amount' }).fill('26');
    await page.getByText('You can refund up to 25.00 USDC.').waitFor(SOON);
    await page.getByRole('textbox', { name: 'Refund amount' }).fill('5');
    await look(page, 'dashboard-desktop-05-refund');
    await wholeness(page);
    // Only the wallet that was paid can refund.
    await wallet.select(page, privateKeyToAccount(localPerson('alice').key));
    const refund = page.getByRole('button', { name: 'Refund 5.00 USDC' });
    await page.getByText(/which received the payment, can do this/).waitFor(SOON);
    expect(await refund.isDisabled()).toBe(true);
    await look(page, 'dashboard-desktop-05-refund-other-wallet');
    await page.getByRole('button', { name: 'Change wallet' }).click();
    await expect.poll(() => wallet.asked.includes('wallet_requestPermissions'), SOON).toBe(true);
    await wallet.select(page, account);
    await page.getByRole('button', { name: 'Change wallet' }).waitFor({ state: 'detached', ...SOON });
    await refund.click();
    await page.getByText('Waiting for confirmations…').waitFor(SOON);
    await look(page, 'dashboard-desktop-06-refunding');
    await settle();
    await page.getByText('Partially refunded').waitFor(SOON);
    await page.getByText('5.00 USDC refunded').waitFor(SOON);
    const [refunds, amounts] = [page.getByRole('list', { name: 'Refunds' }), page.getByRole('definition')];
    expect(await refunds.textContent()).toContain('5.00 USDC');
    for (const figure of ['25.00 USDC', '−0.25 USDC', '−5.00 USDC', '19.75 USDC'])
      expect(await amounts.filter({ hasText: figure }).count(), figure).toBe(1);
    await look(page, 'dashboard-desktop-07-refunded');
    const buyer = await openPage(browser, `${base}/o/${id}`);
    for (const path of [`/o/${id}`, `/o/${id}/receipt`]) {
      await buyer.page.goto(base + path);
      await buyer.page.getByText('Partly refunded').waitFor(SOON);
      await buyer.page.getByText('−5.00 USDC').waitFor();
      await buyer.page.getByText('20.00 USDC').waitFor();
    }
    await look(buyer.page, 'checkout-desktop-08-receipt-refunded');
    const sentBack = await world.ctx.db.orderLog.findFirstOrThrow({ where: { orderId: id, kind: 'refunded' } });
    await buyer.page.locator(`time[datetime="${sentBack.blockTime.toISOString()}"]`).waitFor(SOON);
    await buyer.page.locator(`code[title="${sentBack.txHash}"]`).waitFor(SOON);
    await buyer.close();
    expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2);
    expect((await who.get(`/api/orders/${id}`)).body.order).toMatchObject({
      amount_refunded: '5.00',
      refundable: '20.00',
    });
    // A checkout that stays open hears of the rest by itself.
    const watcher = await openPage(browser, `${base}/o/${id}`, { prepare: (context) => context.clock.install() });
    await watcher.page.getByText('Partly refunded').waitFor(SOON);
    await page.getByRole('button', { name: 'Refund…' }).click();
    await page.getByRole('button', { name: 'Refund 20.00 USDC' }).click();
    await page.getByText('Waiting for confirmations…').waitFor(SOON);
    await settle();
    await page.getByText('20.00 USDC refunded').waitFor(SOON);
    await watcher.page.clock.fastForward(21_000);
    await watcher.page.getByText('Refunded', { exact: true }).waitFor(SOON);
    for (const figure of ['−5.00 USDC', '−20.00 USDC', '0.00 USDC'])
      await watcher.page.getByText(figure, { exact: true }).waitFor(SOON);
    await watcher.close();

    await trade('shop');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Orders' }).click();
    const table = page.getByRole('table', { name: 'Orders' });
    await table.waitFor(SOON);
    await ready(page);
    await look(page, 'dashboard-desktop-08-orders');
    await wholeness(page);
    const figures = await page.locator('main dl').first().getByRole('definition').allTextContents();
    const [gross = 0, fees = 0, refunded = 0, net = 0] = figures.map((text) =>
      Math.round(Number(text.replace(/[^\d.]/g, '')) * 1e6),
    );
    expect(refunded).toBe(25e6);
    expect(fees).toBeGreaterThan(0);
    expect(gross - fees - refunded).toBe(net);
    // On a laptop there are rows to see without scrolling.
    await page.setViewportSize({ width: 1366, height: 657 });
    expect((await table.getByRole('row').nth(3).boundingBox())?.y ?? 999).toBeLessThan(657 - 40);
    await look(page, 'dashboard-laptop-08-orders');
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const header of ['Description', 'Status', 'Network', 'Created', 'Amount'])
      expect(await table.getByRole('columnheader', { name: header }).count(), header).toBe(1);
    const counted = await world.ctx.db.order.count({ where: { status: 'expired' } });
    await page.getByRole('radio', { name: `Expired ${counted}` }).check({ force: true });
    await page.waitForURL(/status=expired/);
    await page.getByRole('radio', { name: 'All', exact: true }).check({ force: true });
    await page.getByRole('button', { name: 'Actions' }).first().click();
    await page.getByRole('menuitem', { name: 'Copy order ID' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^ord_/);
    await page.getByRole('searchbox', { name: 'Search' }).fill('cake');
    await page.waitForURL(/q=cake/);
    await page.getByRole('region', { name: 'Filtered orders' }).waitFor(SOON);
    await table
      .getByRole('row')
      .nth(2)
      .waitFor({ state: 'detached', ...SOON });
    await page.reload();
    await page.getByRole('link', { name: /Two coffees and a cake/ }).waitFor(SOON);
    await page.getByRole('radio', { name: 'Cancelled' }).check({ force: true });
    await page.getByText('No results').waitFor(SOON);
    expect(page.url()).toContain('status=cancelled');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: /Two coffees and a cake/ }).waitFor(SOON);
    // From any page, by the keyboard alone.
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search', exact: true });
    await search.waitFor(SOON);
    await page.keyboard.type('a cake');
    await page.getByRole('option', { name: /Two coffees and a cake/, selected: true }).waitFor(SOON);
    await look(page, 'dashboard-desktop-08-search');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/orders/${id}`);
    await search.waitFor({ state: 'detached', ...SOON });
    await page.getByRole('button', { name: 'Search', exact: true }).first().click();
    await search.fill('100% nothing_');
    await page.getByText('No results for “100% nothing_”.').waitFor(SOON);
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'detached', ...SOON });
    await page.goto(`${base}/orders`);
    await table.waitFor(SOON);
    const [file] = await Promise.all([
      page.waitForEvent('download', SOON),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('ampersat-orders-shop-test.csv');
    expect(faults).toEqual([]);
    await close();
  }, 240_000);

  it('cancels an order after a question, and says what became of one that is not there', async () => {
    const { open } = await merchant('shop');
    const order = await orderRow(world, { merchant: 'shop', description: 'Never mind' });
    const { page, faults, close } = await open(`/orders/${order.id}`);
    await page.getByRole('button', { name: 'Cancel order…' }).click();
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel order…' }).click();
    await page.getByText('Cancel this order? Buyers won’t be able to pay it.').waitFor(SOON);
    await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
    await page.getByText('It can no longer be paid.').waitFor(SOON);
    expect(await page.getByRole('heading', { name: 'For the buyer' }).count()).toBe(0);
    expect(faults).toEqual([]);
    await page.goto(`${base}/orders/ord_nothing`);
    await page.getByText('Order not found').waitFor(SOON);
    await close();
  });

  it('creates a link with its QR code, sees its payments, deactivates it', async () => {
    const { open } = await merchant('shop');
    const { page, faults, close } = await open('/links');
    await page.getByText('No payment links yet').waitFor(SOON);
    await page.getByRole('link', { name: 'New link' }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill('The tip jar');
    await page.getByRole('radio', { name: 'Customer chooses' }).check({ force: true });
    await page.getByRole('textbox', { name: 'Minimum (optional)' }).fill('5');
    await page.getByRole('textbox', { name: 'Maximum (optional)' }).fill('1');
    await page.getByText('Must be at least the minimum.').waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Create link' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Maximum (optional)' }).fill('50');
    await look(page, 'dashboard-desktop-09-new-link');
    await wholeness(page);
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('5.00 to 50.00 USDC').first().waitFor(SOON);
    const id = idOf(page);
    expect(await page.getByRole('textbox', { name: 'Payment link' }).inputValue()).toBe(`${base}/l/${id}`);
    const [file] = await Promise.all([
      page.waitForEvent('download', SOON),
      page.getByRole('button', { name: 'Download QR' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`${id}.svg`);
    const { order } = await startOrder(world.ctx, id, { amount: '12' });
    await payOrder(world, await world.ctx.db.order.findUniqueOrThrow({ where: { id: order.id } }), 'a fan', 'direct');
    await settle();
    await cameBackTo(page, page.getByText('12.00 USDC').first());
    await page.getByRole('table', { name: 'Orders' }).getByText('The tip jar').waitFor(SOON);
    await look(page, 'dashboard-desktop-10-link');
    await wholeness(page);
    await page.emulateMedia({ media: 'print' });
    await look(page, 'dashboard-desktop-11-link-on-paper');
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Deactivate…' }).click();
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByText('Inactive', { exact: true }).waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Download QR' }).count()).toBe(0);
    expect((await world.ctx.db.paymentLink.findUniqueOrThrow({ where: { id } })).active).toBe(false);
    await page.setViewportSize({ width: 1366, height: 657 });
    await page.goto(`${base}/links`);
    const table = page.getByRole('table', { name: 'Payment links' });
    const shown = table.getByRole('row', { name: /The tip jar.*12\.00/ });
    await shown.waitFor(SOON);
    expect((await shown.boundingBox())?.y ?? 999).toBeLessThan(657 - 60);
    await shown.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Copy link', exact: true }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`${base}/l/${id}`);
    await page.getByRole('radio', { name: 'Active', exact: true }).check({ force: true });
    await shown.waitFor({ state: 'detached', ...SOON });
    await page.getByRole('radio', { name: 'Inactive' }).check({ force: true });
    await shown.waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  }, 180_000);

  it('creates a key that works, shows it once, rolls and revokes it', async () => {
    const { open } = await merchant('shop');
    const { page, faults, close } = await open('/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('The web shop');
    await look(page, 'dashboard-desktop-12-new-key');
    await wholeness(page);
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = await page.getByRole('textbox', { name: 'Secret key' }).inputValue(SOON);
    expect(secret).toMatch(/^sk_test_/);
    await look(page, 'dashboard-desktop-13-secret');
    await wholeness(page);
    const answer = await fetch(`${base}/v1/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: '7', currency: 'USDC', chain: 'base' }),
    });
    expect(answer.status).toBe(201);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(secret);
    await cameBackTo(page, page.getByText('last used').first());
    // What it shows to try runs in any shell: nothing in it asks for another program.
    const example = (await page.getByText(/^curl http/).textContent()) ?? '';
    expect(example).toMatch(/Idempotency-Key: try-[0-9a-f]{24}"/);
    const ran = await promisify(execFile)('sh', ['-c', `${example} -sS`], {
      env: { PATH: process.env['PATH'] ?? '', AMPERSAT_API_KEY: secret },
    });
    expect([JSON.parse(ran.stdout).object, ran.stderr]).toEqual(['order', '']);
    await look(page, 'dashboard-desktop-14-keys');
    await wholeness(page);
    await page.getByRole('button', { name: 'Roll The web shop' }).click();
    await page.getByRole('combobox', { name: 'Current secret expires' }).selectOption('1');
    await page.getByRole('button', { name: 'Roll key' }).click();
    const next = await page.getByRole('textbox', { name: 'Secret key' }).inputValue(SOON);
    expect(next).not.toBe(secret);
    await page.getByText('Expiring soon').waitFor(SOON);
    const works = (key: string) =>
      fetch(`${base}/v1/orders`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);
    expect([await works(secret), await works(next)]).toEqual([200, 200]);
    await page.getByRole('button', { name: 'Revoke The web shop' }).last().click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Revoked keys (1)').waitFor(SOON);
    expect([await works(secret), await works(next)]).toEqual([401, 200]);
    expect(faults).toEqual([]);
    await close();
  });

  it('becomes a business by a signature, and allows a recipient by another', async () => {
    const { open, wallet, who } = await merchant('bob');
    const { page, faults, close } = await open('/workspace');
    await page.getByText('No fee.').waitFor(SOON);
    await look(page, 'dashboard-desktop-15-personal');
    await wholeness(page);
    await page.getByRole('button', { name: 'Become a business…' }).click();
    wallet.refuseNext('eth_signTypedData_v4');
    await page.getByRole('button', { name: 'Become a business', exact: true }).click();
    await page.getByText('You declined the request in your wallet. Nothing was signed.').waitFor(SOON);
    expect((await who.get('/api/workspace')).body.workspace.kind).toBe('personal');
    await look(page, 'dashboard-desktop-16-become-a-business');
    await wholeness(page);
    await page.getByRole('button', { name: 'Become a business', exact: true }).click();
    await page.getByRole('heading', { name: 'Payout wallet' }).waitFor(SOON);
    expect((await who.get('/api/workspace')).body.workspace.kind).toBe('business');
    await page.getByRole('textbox', { name: 'Allow a handle' }).fill('@carol');
    await page.getByRole('button', { name: 'Allow @carol' }).click();
    await page.getByRole('list', { name: 'Allow list' }).getByText('@carol').waitFor(SOON);
    await look(page, 'dashboard-desktop-17-business');
    await wholeness(page);
    await page.getByRole('button', { name: 'Remove @carol' }).click();
    await page.getByRole('list', { name: 'Allow list' }).waitFor({ state: 'detached', ...SOON });
    expect(faults).toEqual([]);
    await close();
  });

  it('fits a phone, in the dark', async () => {
    const { open } = await merchant('shop');
    const stray = await orderRow(world, { merchant: 'shop', description: 'Paid too late', units: '9000000' as never });
    await world.ctx.db.order.update({ where: { id: stray.id }, data: { status: 'cancelled', endedAt: new Date() } });
    await payOrder(world, stray, 'a late buyer', 'eip3009');
    await settle();
    const { page, faults, close } = await open('/account', PHONE);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Business' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor(SOON);
    await page.getByRole('navigation', { name: 'Business' }).getByRole('link', { name: 'Orders' }).tap();
    await page.getByRole('table', { name: 'Orders' }).waitFor(SOON);
    await ready(page);
    await look(page, 'dashboard-phone-01-orders');
    await wholeness(page);
    await page.getByRole('radio', { name: 'Needs attention' }).check({ force: true });
    await page.getByRole('link', { name: /Paid too late/ }).waitFor(SOON);
    await page.getByRole('table', { name: 'Orders' }).scrollIntoViewIfNeeded();
    await look(page, 'dashboard-phone-02-needs-attention');
    await page.getByRole('link', { name: /Paid too late/ }).tap();
    await page.getByText('It arrived after the order could no longer be paid.').first().waitFor(SOON);
    await look(page, 'dashboard-phone-03-does-not-count');
    await wholeness(page);
    await page.getByRole('button', { name: 'Refund…' }).tap();
    await page.getByRole('button', { name: 'Refund 9.00 USDC' }).tap();
    await page.getByText('Waiting for confirmations…').waitFor(SOON);
    await settle();
    await page.getByText('9.00 USDC refunded').waitFor(SOON);
    await page.getByRole('heading', { name: 'Unmatched payment' }).waitFor({ state: 'detached', ...SOON });
    for (const [name, file] of [
      ['Links', '04-links'],
      ['API keys', '05-keys'],
      ['Workspace', '06-workspace'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Business' }).getByRole('link', { name }).tap();
      await page.getByRole('heading', { level: 1, name: name === 'Links' ? 'Payment links' : name }).waitFor(SOON);
      await ready(page);
      await look(page, `dashboard-phone-${file}`);
      await wholeness(page);
    }
    await page.goto(`${base}/orders/new`);
    await page.getByRole('textbox', { name: 'Amount' }).fill('3.5');
    await ready(page);
    await look(page, 'dashboard-phone-07-new-order');
    await wholeness(page);
    await page.getByRole('button', { name: 'Create order' }).tap();
    await page.getByRole('heading', { name: 'For the buyer' }).waitFor(SOON);
    await look(page, 'dashboard-phone-08-order');
    await wholeness(page);
    await page.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('dialog', { name: 'More pages' }).waitFor(SOON);
    await look(page, 'dashboard-phone-09-more');
    await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  }, 240_000);
});
