// A merchant's dashboard in a real browser with a real wallet: an order made, seen paid, refunded; links, keys, the workspace. At a desk and on a phone.
import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatId } from '../../src/domain/ids.ts';
import { indexOrders } from '../../src/services/orderIndexer.ts';
import { startOrder } from '../../src/services/paymentLinks.ts';
import { orderRow, payOrder } from '../setup/orders.ts';
import { serveWorld, visitor } from '../setup/visitor.ts';
import { localPerson, startWorld, type World } from '../setup/world.ts';
import { cameBackTo, chromiumPath, HOW_TO_INSTALL, launchBrowser, OMISSIONS, openPage } from './browser.ts';
import { look, SOON } from './newcomer.ts';
import { testWallet } from './wallet.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' as const };
const DAY_MS = 86_400_000;

describe.skipIf(!chromiumPath)(`a merchant's dashboard in a browser (${HOW_TO_INSTALL})`, () => {
  let world: World;
  let base: string;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld(), launchBrowser()]);
    base = await serveWorld(world);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
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
      const { at, target } = await indexOrders(world.ctx, world.evmChain());
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
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
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

  it('makes an order, sees it paid, refunds a part, finds it again: at a desk', async () => {
    const { open, wallet, who } = await merchant('shop');
    const { page, faults, close } = await open('/orders');
    await page.getByText('No orders yet').waitFor(SOON);
    await ready(page);
    await look(page, 'dashboard-desktop-01-no-orders');
    await wholeness(page);
    await page.getByRole('link', { name: 'New order' }).click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('abc');
    await page.getByText('Plain digits, like 25 or 2.50.').waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Make the order' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Amount' }).fill('25');
    await page.getByRole('textbox', { name: 'For what, if you like' }).fill('Two coffees and a cake');
    await page.getByText('24.75 USDC go to your wallet').waitFor(SOON);
    await look(page, 'dashboard-desktop-02-new-order');
    await wholeness(page);
    await page.getByRole('button', { name: 'Make the order' }).click();
    await page.getByRole('heading', { name: 'For the buyer' }).waitFor(SOON);
    const id = idOf(page);
    expect(await page.getByRole('textbox', { name: 'Checkout link' }).inputValue()).toBe(`${base}/o/${id}`);
    await page.getByRole('img', { name: 'The checkout’s address as a QR code' }).waitFor(SOON);
    await page.getByRole('button', { name: 'Copy: Checkout link' }).click();
    await page.getByRole('button', { name: 'Copied: Checkout link' }).waitFor(SOON);
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`${base}/o/${id}`);
    await look(page, 'dashboard-desktop-03-order');
    await wholeness(page);

    const row = await world.ctx.db.order.findUniqueOrThrow({ where: { id } });
    await payOrder(world, row, 'a buyer', 'eip3009');
    await settle();
    // The page asks by itself.
    await page.getByText('25.00 USDC arrived').waitFor(SOON);
    await page.getByRole('button', { name: 'Refund…' }).waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Cancel the order' }).count()).toBe(0);
    await look(page, 'dashboard-desktop-04-paid');
    await wholeness(page);

    await page.getByRole('button', { name: 'Refund…' }).click();
    await page.getByRole('textbox', { name: 'How much goes back' }).fill('26');
    await page.getByText('At most 25.00 USDC can go back.').waitFor(SOON);
    await page.getByRole('textbox', { name: 'How much goes back' }).fill('5');
    await look(page, 'dashboard-desktop-05-refund');
    await wholeness(page);
    await page.getByRole('button', { name: 'Refund 5.00 USDC' }).click();
    await page.getByText('Waiting until it is final…').waitFor(SOON);
    await look(page, 'dashboard-desktop-06-refunding');
    await settle();
    await page.getByText('Paid, part refunded').waitFor(SOON);
    await page.getByText('5.00 USDC refunded').waitFor(SOON);
    await look(page, 'dashboard-desktop-07-refunded');
    expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2);
    expect((await who.get(`/api/orders/${id}`)).body.order).toMatchObject({
      amount_refunded: '5.00',
      refundable: '20.00',
    });

    await trade('shop');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('list', { name: 'Orders' }).waitFor(SOON);
    await ready(page);
    await look(page, 'dashboard-desktop-08-orders');
    await wholeness(page);
    await page.getByRole('searchbox', { name: 'Search' }).fill('cake');
    await page.waitForURL(/q=cake/);
    await page.getByRole('heading', { name: 'Orders that fit' }).waitFor(SOON);
    await page
      .getByRole('list', { name: 'Orders' })
      .getByRole('listitem')
      .nth(1)
      .waitFor({ state: 'detached', ...SOON });
    await page.reload();
    await page.getByRole('link', { name: /Two coffees and a cake/ }).waitFor(SOON);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('cancelled');
    await page.getByText('Nothing fits').waitFor(SOON);
    expect(page.url()).toContain('status=cancelled');
    await page.getByRole('button', { name: 'Show all orders' }).click();
    await page.getByRole('link', { name: /Two coffees and a cake/ }).waitFor(SOON);
    const [file] = await Promise.all([
      page.waitForEvent('download', SOON),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('ampersat-orders.csv');
    expect(faults).toEqual([]);
    await close();
  }, 240_000);

  it('cancels an order after a question, and says what became of one that is not there', async () => {
    const { open } = await merchant('shop');
    const order = await orderRow(world, { merchant: 'shop', description: 'Never mind' });
    const { page, faults, close } = await open(`/orders/${order.id}`);
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await page.getByText('Nobody can pay it then. Cancel it?').waitFor(SOON);
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await page.getByText('It cannot be paid any more.').waitFor(SOON);
    expect(await page.getByRole('heading', { name: 'For the buyer' }).count()).toBe(0);
    expect(faults).toEqual([]);
    await page.goto(`${base}/orders/ord_nothing`);
    await page.getByText('There is no such order').waitFor(SOON);
    await close();
  }, 120_000);

  it('makes a link with its QR code, sees its payments, ends it', async () => {
    const { open } = await merchant('shop');
    const { page, faults, close } = await open('/links');
    await page.getByText('No links yet').waitFor(SOON);
    await page.getByRole('link', { name: 'New link' }).click();
    await page.getByRole('textbox', { name: 'For what' }).fill('The tip jar');
    await page.getByRole('radio', { name: 'The buyer types it' }).check({ force: true });
    await page.getByRole('textbox', { name: 'At least, if you like' }).fill('5');
    await page.getByRole('textbox', { name: 'At most, if you like' }).fill('1');
    await page.getByText('Not less than the least.').waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Make the link' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'At most, if you like' }).fill('50');
    await look(page, 'dashboard-desktop-09-new-link');
    await wholeness(page);
    await page.getByRole('button', { name: 'Make the link' }).click();
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
    await page.getByRole('list', { name: 'Orders' }).getByText('The tip jar').waitFor(SOON);
    await look(page, 'dashboard-desktop-10-link');
    await wholeness(page);
    await page.emulateMedia({ media: 'print' });
    await look(page, 'dashboard-desktop-11-link-on-paper');
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'End the link…' }).click();
    await page.getByRole('button', { name: 'End the link', exact: true }).click();
    await page.getByText('Ended', { exact: true }).waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Download QR' }).count()).toBe(0);
    expect((await world.ctx.db.paymentLink.findUniqueOrThrow({ where: { id } })).active).toBe(false);
    expect(faults).toEqual([]);
    await close();
  }, 180_000);

  it('makes a key that works, shows it once, rolls and revokes it', async () => {
    const { open } = await merchant('shop');
    const { page, faults, close } = await open('/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('textbox', { name: 'What it is for' }).fill('The web shop');
    await look(page, 'dashboard-desktop-12-new-key');
    await wholeness(page);
    await page.getByRole('button', { name: 'Make the key' }).click();
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
    await page.getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.content()).not.toContain(secret);
    await cameBackTo(page, page.getByText('last used').first());
    await look(page, 'dashboard-desktop-14-keys');
    await wholeness(page);
    await page.getByRole('button', { name: 'Roll The web shop' }).click();
    await page.getByRole('combobox', { name: 'This one ends' }).selectOption('1');
    await page.getByRole('button', { name: 'Roll the key' }).click();
    const next = await page.getByRole('textbox', { name: 'Secret key' }).inputValue(SOON);
    expect(next).not.toBe(secret);
    await page.getByText('Ends soon').waitFor(SOON);
    const works = (key: string) =>
      fetch(`${base}/v1/orders`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);
    expect([await works(secret), await works(next)]).toEqual([200, 200]);
    await page.getByRole('button', { name: 'Revoke The web shop' }).last().click();
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await page.getByText('Keys that ended (1)').waitFor(SOON);
    expect([await works(secret), await works(next)]).toEqual([401, 200]);
    expect(faults).toEqual([]);
    await close();
  }, 120_000);

  it('becomes a business by a signature, and allows a recipient by another', async () => {
    const { open, wallet, who } = await merchant('bob');
    const { page, faults, close } = await open('/workspace');
    await page.getByText('There is no fee.').waitFor(SOON);
    await look(page, 'dashboard-desktop-15-personal');
    await wholeness(page);
    await page.getByRole('button', { name: 'Become a business…' }).click();
    wallet.refuseNext('eth_signTypedData_v4');
    await page.getByRole('button', { name: 'Become a business', exact: true }).click();
    await page.getByText('You said no in the wallet, so nothing was signed.').waitFor(SOON);
    expect((await who.get('/api/workspace')).body.workspace.kind).toBe('personal');
    await look(page, 'dashboard-desktop-16-become-a-business');
    await wholeness(page);
    await page.getByRole('button', { name: 'Become a business', exact: true }).click();
    await page.getByRole('heading', { name: 'Payout wallet' }).waitFor(SOON);
    expect((await who.get('/api/workspace')).body.workspace.kind).toBe('business');
    await page.getByRole('textbox', { name: 'Allow a handle' }).fill('@carol');
    await page.getByRole('button', { name: 'Allow @carol' }).click();
    await page.getByRole('list', { name: 'Who may be paid by API' }).getByText('@carol').waitFor(SOON);
    await look(page, 'dashboard-desktop-17-business');
    await wholeness(page);
    await page.getByRole('button', { name: 'Take @carol off the list' }).click();
    await page.getByRole('list', { name: 'Who may be paid by API' }).waitFor({ state: 'detached', ...SOON });
    expect(faults).toEqual([]);
    await close();
  }, 120_000);

  it('fits a phone, in the dark', async () => {
    const { open } = await merchant('shop');
    const stray = await orderRow(world, { merchant: 'shop', description: 'Paid too late', units: '9000000' as never });
    await world.ctx.db.order.update({ where: { id: stray.id }, data: { status: 'cancelled', endedAt: new Date() } });
    await payOrder(world, stray, 'a late buyer', 'eip3009');
    await settle();
    const { page, faults, close } = await open('/account', PHONE);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Business' }).tap();
    await page.getByRole('list', { name: 'Orders' }).waitFor(SOON);
    await ready(page);
    await look(page, 'dashboard-phone-01-orders');
    await wholeness(page);
    await page.getByRole('button', { name: 'Filters' }).tap();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('attention');
    await page.getByRole('link', { name: /Paid too late/ }).waitFor(SOON);
    await page.getByRole('list', { name: 'Orders' }).scrollIntoViewIfNeeded();
    await look(page, 'dashboard-phone-02-to-be-looked-at');
    await page.getByRole('link', { name: /Paid too late/ }).tap();
    await page.getByText('It came when the order could not be paid any more.').first().waitFor(SOON);
    await look(page, 'dashboard-phone-03-does-not-count');
    await wholeness(page);
    await page.getByRole('button', { name: 'Refund it…' }).tap();
    await page.getByRole('button', { name: 'Refund 9.00 USDC' }).tap();
    await page.getByText('Waiting until it is final…').waitFor(SOON);
    await settle();
    await page.getByText('9.00 USDC refunded').waitFor(SOON);
    await page.getByRole('heading', { name: 'Arrived, but does not count' }).waitFor({ state: 'detached', ...SOON });
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
    await page.getByRole('button', { name: 'Make the order' }).tap();
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
