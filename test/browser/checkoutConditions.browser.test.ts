// The hosted checkout where things are not as they should be: offline, the service away, another language, on the way back to a link; and its steps.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { merchant } from './merchant.ts';
import { fund, look, newcomer, SOON } from './newcomer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!chromiumPath)(`the hosted checkout under bad conditions (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  let shop: ReturnType<typeof merchant>;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
    shop = merchant(stack, 'shop');
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const isWell = async (page: Page) => {
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  };

  it('says that it is offline or the service away, marks the timer, explains the button, and recovers', async () => {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '5');
    const order = await shop.order({ amount: '5.00' });
    const { page, context, close } = await openPage(browser, order.checkout_url, { ...PHONE, prepare: wallet.attach });
    const pay = page.getByRole('button', { name: 'Switch to Base and pay' });
    await pay.waitFor(SOON);
    expect(await pay.isEnabled()).toBe(true);

    await context.setOffline(true);
    await page.getByText('You’re offline. This page updates as soon as you’re back online.').waitFor(SOON);
    await page.getByText('You can pay as soon as you’re back online.').waitFor(SOON);
    await page.getByText('by your clock').waitFor(SOON);
    expect(await page.getByRole('timer').textContent()).toMatch(/^≈ \d/);
    expect(await pay.isEnabled()).toBe(false);
    await look(page, 'checkout-phone-13-offline');
    await isWell(page);
    await shop.cancel((await shop.order({ amount: '1.00' })).id);
    await context.setOffline(false);
    await page.getByText('by your clock').waitFor({ ...SOON, state: 'detached' });
    expect(await pay.isEnabled()).toBe(true);

    // A proxy that stands before the service answers in its stead.
    await context.route('**/api/**', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }));
    await page.reload();
    await page.getByText('Ampersat isn’t reachable right now. Retrying…').waitFor(SOON);
    await page.getByText('by your clock').waitFor(SOON);
    await context.unroute('**/api/**');
    await page.getByText('by your clock').waitFor({ ...SOON, state: 'detached' });
    await pay.waitFor(SOON);
    await context.route('**/api/**', (route) => route.abort());
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    await page.getByText('You can pay as soon as Ampersat is reachable again.').waitFor(SOON);
    expect(await pay.isEnabled()).toBe(false);
    await page.reload();
    await page.getByText('Ampersat isn’t reachable right now. Retrying…').waitFor(SOON);
    // What happened meanwhile is seen once it answers.
    await shop.cancel(order.id);
    await context.unroute('**/api/**');
    await page.getByRole('heading', { name: '@shop cancelled this order' }).waitFor(SOON);
    expect(await page.getByText('isn’t reachable').count()).toBe(0);
    await close();
  });

  it('explains the button of a link while offline', async () => {
    const link = await shop.link({ label: 'Water', amount: '1.00' });
    const { page, context, close } = await openPage(browser, link.url, PHONE);
    const pay = page.getByRole('button', { name: 'Pay 1.00 USDC' });
    await pay.waitFor(SOON);
    await context.setOffline(true);
    await page.getByText('You can pay as soon as you’re back online.').waitFor(SOON);
    expect(await pay.isEnabled()).toBe(false);
    await isWell(page);
    await context.setOffline(false);
    await page.getByText('You can pay as soon as').waitFor({ ...SOON, state: 'detached' });
    expect(await pay.isEnabled()).toBe(true);
    await close();
  });

  it('leads back to the link that the order was begun with, by its own link and by the browser’s button', async () => {
    const link = await shop.link({ label: 'Tea', amount: '2.00' });
    const { page, close } = await openPage(browser, link.url, PHONE);
    await page.getByRole('button', { name: 'Pay 2.00 USDC' }).tap();
    await page.getByRole('link', { name: 'Back to the payment link' }).tap(SOON);
    await page.waitForURL(link.url);
    await page.getByRole('link', { name: 'Continue' }).tap(SOON);
    await page.waitForURL(/\/o\/ord_/);
    await page.goBack();
    await page.waitForURL(link.url);
    await page.getByText('You started a payment of 2.00 USDC').waitFor(SOON);
    expect(await shop.ordersOf(link.id)).toHaveLength(1);
    await close();
  });

  it('has a link for wallets on the phone that shows the page, and none where there is a mouse', async () => {
    const order = await shop.order({ amount: '3.00' });
    for (const options of [PHONE, {}]) {
      const { page, close } = await openPage(browser, order.checkout_url, options);
      await page.getByRole('button', { name: 'Send from a wallet or exchange' }).click(SOON);
      await page.getByText('Waiting for your payment.').waitFor(SOON);
      const open = page.getByRole('link', { name: 'Open in wallet' });
      expect(await open.count()).toBe(options === PHONE ? 1 : 0);
      if (options === PHONE)
        expect(await open.getAttribute('href')).toMatch(
          /^ethereum:0x[0-9a-fA-F]{40}@8453\/transfer\?address=0x.*&uint256=3000000$/,
        );
      await close();
    }
  });

  it('speaks the browser’s language or the chosen one, with its figures, and remembers it', async () => {
    const order = await shop.order({ amount: '1234.50' });
    const german = await openPage(browser, order.checkout_url, { ...PHONE, locale: 'de-DE' });
    await german.page.getByRole('heading', { name: 'Zahlung an @shop' }).waitFor(SOON);
    await german.page.getByText('1.234,50').waitFor(SOON);
    await german.page.getByText('Verbleibende Zeit').waitFor(SOON);
    expect(await german.page.evaluate('document.documentElement.lang')).toBe('de');
    await german.page.getByRole('button', { name: 'Spiel-Wallets verwenden' }).waitFor(SOON);
    await look(german.page, 'checkout-phone-14-german');
    await isWell(german.page);
    await german.page.getByLabel('Sprache').selectOption('es');
    await german.page.getByText('Tiempo restante').waitFor(SOON);
    await look(german.page, 'checkout-phone-15-spanish');
    await isWell(german.page);
    await german.page.reload();
    await german.page.getByText('Tiempo restante').waitFor(SOON);
    await german.close();
    const french = await openPage(browser, order.checkout_url, { locale: 'fr-FR' });
    await french.page.getByText('Time left').waitFor(SOON);
    await french.close();
  });

  it('shows steps that only go forward', async () => {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '6');
    const shown: string[] = [];
    const record = async (context: BrowserContext) => {
      await wallet.attach(context);
      await context.exposeFunction('noteSteps', (text: string) => void shown.push(text));
      await context.addInitScript({
        content: `addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
          const items = [...document.querySelectorAll('section ol li span:first-of-type')].map((one) => one.textContent);
          if (items.length) noteSteps(items.at(-1));
        }).observe(document, { subtree: true, childList: true, characterData: true }));`,
      });
    };
    for (let round = 0; round < 3; round += 1) {
      const order = await shop.order({ amount: '2.00' });
      const { page, close } = await openPage(browser, order.checkout_url, {
        prepare: record,
        viewport: { width: 1366, height: 480 },
      });
      await page.getByRole('button', { name: /^(Switch to Base and pay|Pay 2\.00 USDC)$/ }).click(SOON);
      const outcome = page.getByRole('heading', { name: 'Paid', exact: true });
      await outcome.waitFor(SOON);
      // The button that was pressed is further down than the outcome.
      await expect.poll(async () => (await outcome.boundingBox())?.y ?? -1, SOON).toBeGreaterThan(0);
      await close();
    }
    const ranks = ['Preparing the payment…', 'Sent. Waiting for the network…', 'Waiting for confirmations'];
    const seen = shown.map((text) => ranks.findIndex((word) => text.startsWith(word))).filter((rank) => rank >= 0);
    expect(seen).toContain(2);
    const falls = seen.filter((rank, index) => index > 0 && rank < (seen[index - 1] ?? 0));
    // Each payment begins anew.
    expect(falls.length).toBeLessThanOrEqual(2);
  });
});
