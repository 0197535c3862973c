// A shop’s round trip in a real browser: the example page, the checkout, and back, by a redirect and in a window; paid, cancelled, and attacked.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { freePort } from '../../local/stack/ports.ts';
import { ROOT } from '../../src/root.ts';
import { shellEnv } from '../setup/processes.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { merchant } from './merchant.ts';
import { fund, look, newcomer, SOON } from './newcomer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DARK_PHONE = { ...PHONE, colorScheme: 'dark' as const };

describe.skipIf(!chromiumPath)(`a shop and its checkout in a browser (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  let shop: ReturnType<typeof merchant>;
  let example: ChildProcess;
  let shopUrl: string;
  let foreign: Server;
  let foreignUrl: string;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
    shop = merchant(stack, 'shop');
    foreign = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(foreignPage);
    });
    const port = await freePort();
    shopUrl = `http://127.0.0.1:${port}`;
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
    const key = stack.local.accounts['shop']?.api_key;
    const env = {
      ...shellEnv(),
      AMPERSAT_URL: stack.baseUrl,
      AMPERSAT_KEY: key ?? '',
      CHAIN: 'base',
      PORT: String(port),
    };
    example = spawn(process.execPath, [join(ROOT, 'docs/examples/shop.mjs')], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => example.stdout?.once('data', resolve));
  }, 180_000);
  afterAll(async () => {
    example?.kill();
    foreign?.close();
    await stack?.stop();
  });

  /** What a page says that opens a shop’s link without being that shop. */
  let foreignPage = '';

  const isWell = async (page: Page) => {
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  };

  async function buyer() {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '20');
    return wallet.attach;
  }

  async function pay(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^(Switch to Base and pay|Pay 8.00 USDC)$/ }).click(SOON);
  }

  it('comes back without paying, then paid, by itself; the paid page stays when it is looked at again', async () => {
    const { page, close, faults } = await openPage(browser, shopUrl, { prepare: await buyer() });
    await page.getByRole('button', { name: 'Pay on the checkout page' }).click();
    await page.getByRole('list', { name: 'Items' }).getByText('Green tea').waitFor(SOON);
    expect(await page.getByRole('list', { name: 'Items' }).textContent()).toMatch(
      /2 × 3\.50[\s\S]*7\.00[\s\S]*Shipping[\s\S]*1\.00/,
    );
    expect(await page.content()).not.toMatch(/cart-\d|\/thanks/);
    await page
      .getByRole('button', { name: /pay|Pay/ })
      .first()
      .waitFor(SOON);
    await look(page, 'shop-desktop-01-checkout');
    await isWell(page);
    await page.getByRole('link', { name: `Back to ${new URL(shopUrl).host}` }).click();
    await page.getByText('Nothing was paid. Your cart is still here.').waitFor(SOON);

    await page.getByRole('button', { name: 'Pay on the checkout page' }).click();
    await pay(page);
    await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor(SOON);
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor(SOON);
    const id = new URL(page.url()).searchParams.get('order') ?? '';
    expect(id).toMatch(/^ord_/);

    await page.goto(`${stack.baseUrl}/o/${id}`);
    await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor(SOON);
    expect(await page.getByText('Going back in').count()).toBe(0);
    expect(await page.getByRole('link', { name: `Back to ${new URL(shopUrl).host}` }).getAttribute('href')).toBe(
      `${shopUrl}/thanks?order=${id}`,
    );
    await isWell(page);
    await page.goto(`${stack.baseUrl}/o/${id}/receipt`);
    await page.getByRole('list', { name: 'Items' }).getByText('Green tea').waitFor(SOON);
    expect(await page.content()).not.toMatch(/cart-\d/);
    await look(page, 'shop-desktop-03-receipt');
    expect(faults).toEqual([]);
    await close();
  });

  it('leads to cancel_url only while nothing was signed or sent', async () => {
    const order = await shop.order({ amount: '8.00', cancel_url: `${shopUrl}/?cancelled` });
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '20');
    const { page, context, close } = await openPage(browser, order.checkout_url, { prepare: wallet.attach });
    const back = page.getByRole('link', { name: `Back to ${new URL(shopUrl).host}` });
    await back.waitFor(SOON);
    wallet.refuseNext('eth_signTypedData_v4');
    await pay(page);
    await page.getByRole('alert').waitFor(SOON);
    await back.waitFor(SOON);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route('**/submit', async (route) => {
      await held;
      await route.continue();
    });
    const submitted = page.waitForRequest('**/submit', SOON);
    await pay(page);
    await submitted;
    expect(await back.count()).toBe(0);
    release();
    await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor(SOON);
    expect(await back.count()).toBe(0);
    await close();
  });

  it('stays on the paid page for a buyer who says so', async () => {
    const order = await shop.order({ amount: '8.00', success_url: `${shopUrl}/thanks?order={ORDER_ID}` });
    const attach = await buyer();
    // Seconds are long here, so that a slow machine has time to press.
    const prepare = async (context: BrowserContext) => {
      await context.addInitScript(
        `{ const real = setTimeout; globalThis.setTimeout = (run, ms, ...more) => real(run, ms === 1000 ? 60000 : ms, ...more); }`,
      );
      await attach(context);
    };
    const { page, close } = await openPage(browser, order.checkout_url, { ...DARK_PHONE, prepare });
    await pay(page);
    await page.getByText('Going back in').waitFor(SOON);
    await look(page, 'shop-phone-04-paid-dark');
    await page.getByRole('button', { name: 'Stay here' }).tap(SOON);
    await page.getByText('Going back in').waitFor({ ...SOON, state: 'detached' });
    await look(page, 'shop-phone-04-stays-dark');
    await isWell(page);
    await page.getByRole('link', { name: 'View receipt' }).tap();
    await page.waitForURL(/\/receipt$/);
    await close();
  });

  it('opens the checkout in a window, hears of it, closed unpaid and paid, and goes on', async () => {
    const { page, context, close, faults } = await openPage(browser, shopUrl, { prepare: await buyer() });
    const opened = async () => {
      const [popup] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('link', { name: 'Pay with Ampersat' }).click(),
      ]);
      return popup;
    };
    const said = page.getByRole('status');
    const unpaid = await opened();
    await unpaid.getByRole('button', { name: 'Pay 8.00 USDC' }).click(SOON);
    await page.getByText('The checkout says: awaiting_payment').waitFor(SOON);
    const begun = new URL(unpaid.url()).pathname.split('/').at(-1) ?? '';
    expect(begun).toMatch(/^ord_/);
    // Others cannot speak for it.
    await page.evaluate(`postMessage({ type: 'ampersat.order', order: 'ord_forged', status: 'completed' }, '*')`);
    await unpaid.getByRole('button', { name: 'Back to @shop' }).click(SOON);
    await page.getByText('The checkout was closed.').waitFor(SOON);
    expect(await said.textContent()).toMatch(/^The checkout was closed\./);

    // The order that was begun goes on: a second press makes no second one.
    const paying = await opened();
    await paying.waitForURL(new RegExp(`/o/${begun}$`));
    await pay(paying);
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor(SOON);
    expect(paying.isClosed()).toBe(true);
    expect(faults).toEqual([]);
    await close();
  });

  it('tells a page of another origin nothing, though that page opened the window', async () => {
    const link = await shop.link({ label: 'Tea', amount: '8.00', success_url: `${shopUrl}/thanks` });
    foreignPage = `<!doctype html><title>Elsewhere</title><a id="go" href="${link.url}" data-ampersat>Pay</a>
      <script>var heard = []; addEventListener('message', (event) => heard.push(event.data));
      addEventListener('ampersat:order', () => heard.push('told'));</script>
      <script src="${stack.baseUrl}/embed.js"></script>`;
    const attach = await buyer();
    // Notes to whom the checkout speaks, and lets it.
    const prepare = async (context: BrowserContext) => {
      await attach(context);
      await context.addInitScript(`if (opener) {
        const real = opener;
        globalThis.addressed = [];
        opener = { postMessage: (message, origin) => { addressed.push(origin); real.postMessage(message, origin); } };
      }`);
    };
    const { page, context, close } = await openPage(browser, foreignUrl, { prepare });
    const [popup] = await Promise.all([context.waitForEvent('page'), page.locator('#go').click()]);
    await popup.getByRole('button', { name: 'Pay 8.00 USDC' }).click(SOON);
    await popup.waitForURL(/\/o\/ord_/);
    await expect.poll(() => popup.evaluate<string[]>('addressed'), SOON).toContain(shopUrl);
    expect(new Set(await popup.evaluate<string[]>('addressed'))).toEqual(new Set([shopUrl]));
    // A message that was sent before this answer has arrived by now.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 0))');
    expect(await page.evaluate('heard')).toEqual([]);
    // No page hears it, so the window itself goes back to the shop.
    await pay(popup);
    await popup.waitForURL(`${shopUrl}/thanks`, SOON);
    expect(await page.evaluate('heard')).toEqual([]);
    await close();
  });

  it('says what has become of a link: used up, expired; and shows names as they are written', async () => {
    const name = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
    const link = await shop.link({
      label: name,
      amount: '8.00',
      max_uses: 1,
      cancel_url: `${shopUrl}/?cancelled`,
      line_items: [{ name, quantity: 1, amount: '8.00' }],
    });
    const first = await openPage(browser, link.url, PHONE);
    const other = await openPage(browser, link.url, DARK_PHONE);
    await other.page.getByRole('button', { name: 'Pay 8.00 USDC' }).waitFor(SOON);
    await first.page.getByRole('list', { name: 'Items' }).getByText(name).waitFor(SOON);
    await first.page.getByRole('button', { name: 'Pay 8.00 USDC' }).tap();
    await first.page.waitForURL(/\/o\/ord_/);
    await first.page.getByRole('list', { name: 'Items' }).getByText(name).waitFor(SOON);
    await look(first.page, 'shop-phone-05-items');
    await isWell(first.page);
    expect(first.faults).toEqual([]);

    await other.page.getByRole('button', { name: 'Pay 8.00 USDC' }).tap();
    await other.page.getByText('This link has been used up').waitFor(SOON);
    await look(other.page, 'shop-phone-06-used-up-dark');
    await isWell(other.page);
    expect(await other.page.getByRole('link', { name: `Back to ${new URL(shopUrl).host}` }).getAttribute('href')).toBe(
      `${shopUrl}/?cancelled`,
    );
    for (const one of [first, other]) await one.close();
  });

  it('is offered by the dashboard behind “More options”, and shown there', async () => {
    const prepare = async (context: BrowserContext) => {
      const session = stack.local.accounts['shop']?.session ?? '';
      await context.addCookies([{ name: 'service-session', value: session, url: stack.baseUrl }]);
    };
    const { page, close, faults } = await openPage(browser, `${stack.baseUrl}/orders/new`, { prepare });
    await page.getByRole('textbox', { name: 'Amount' }).fill('8', SOON);
    await page.getByText('More options').click();
    await page.getByLabel('Return address (optional)').fill('javascript:alert(1)');
    await page.getByText('It must be a URL that begins with https://.').waitFor();
    await page.getByLabel('Return address (optional)').fill('https://shop.example/thanks?order={ORDER_ID}');
    await page.getByLabel('Cancel address (optional)').fill('https://shop.example/cart');
    await page.getByLabel('Reference (optional)').fill('cart-7041');
    await page.getByRole('button', { name: 'Add item' }).click();
    await page.getByRole('textbox', { name: 'Item 1' }).fill('Green tea');
    await page.getByLabel('Quantity').fill('2');
    await page.getByLabel('Price of one').fill('3.50');
    await page.getByText('The items add up to 7.00 USDC, not to 8.00.').waitFor();
    expect(await page.getByRole('button', { name: 'Create order' }).isEnabled()).toBe(false);
    await page.getByLabel('Price of one').fill('4');
    await look(page, 'shop-desktop-07-new-order');
    await isWell(page);
    await page.getByRole('button', { name: 'Create order' }).click();
    await page.waitForURL(/\/orders\/ord_/);
    await page.getByText('cart-7041').waitFor(SOON);
    await page.getByText('2 × Green tea').waitFor();
    await look(page, 'shop-desktop-08-order');
    await isWell(page);

    await page.goto(`${stack.baseUrl}/links/new`);
    await page.getByLabel('Description').fill('Tea', SOON);
    await page.getByRole('textbox', { name: 'Price' }).fill('8');
    await page.getByText('More options').click();
    await page.getByLabel('Message after payment (optional)').fill('Your tea is on its way.');
    await page.getByLabel('Maximum payments (optional)').fill('3');
    await page.getByLabel('Expires (optional)').fill('2099-12-31T12:00');
    await look(page, 'shop-desktop-09-new-link');
    await isWell(page);
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.waitForURL(/\/links\/plk_/);
    await page.getByText('0 of 3').waitFor(SOON);
    await page.getByText('Your tea is on its way.').waitFor();
    await look(page, 'shop-desktop-10-link');
    await isWell(page);
    expect(faults).toEqual([]);
    await close();
  });

  it('keeps a window for its opener only where the merchant named an origin; the script and the button are for other sites', async () => {
    const policyOf = async (url: string) => (await fetch(url)).headers.get('cross-origin-opener-policy');
    expect(await policyOf((await shop.order({ amount: '8.00' })).checkout_url)).toBe('same-origin');
    const named = await shop.order({ amount: '8.00', success_url: `${shopUrl}/thanks` });
    expect(await policyOf(named.checkout_url)).toBe('unsafe-none');
    expect(await policyOf(`${stack.baseUrl}/account`)).toBe('same-origin');
    for (const [file, type] of [
      ['embed.js', /javascript/],
      ['button.svg', /svg/],
    ] as const) {
      const { status, headers } = await fetch(`${stack.baseUrl}/${file}`);
      expect([status, headers.get('cross-origin-resource-policy')]).toEqual([200, 'cross-origin']);
      expect(headers.get('content-type')).toMatch(type);
      expect(headers.get('cache-control')).toMatch(/max-age=(3600|86400)/);
    }
  });
});
