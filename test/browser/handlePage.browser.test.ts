// The page of a handle in a real browser: its owner switches it on and shapes it, strangers pay it in three ways, and it says what both sides allow.
import type { Browser, Page } from 'playwright-core';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { drawnPicture } from '../setup/pictures.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { fund, look, newcomer, resident, SOON, usdcOf } from './newcomer.ts';
import { scan } from './scan.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DARK = { ...PHONE, colorScheme: 'dark' as const };
const NOTE = 'Your talk in Lisbon was great <3';

describe.skipIf(!chromiumPath)(`the page of a handle in a browser (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['celo'] }), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const open = (path: string, options: Parameters<typeof openPage>[2] = {}) =>
    openPage(browser, new URL(path, stack.baseUrl).href, options);
  const paid = (page: Page) => page.getByRole('heading', { name: 'Paid', exact: true }).waitFor(SOON);
  async function isWell(page: Page): Promise<void> {
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }

  it('is switched on and shaped by its owner, and keeps what was typed when it could not be saved', async () => {
    const before = await open('/@alice');
    await before.page.getByText('There’s no page here').first().waitFor(SOON);
    await isWell(before.page);
    await look(before.page, 'handle-desktop-00-none');
    await before.context.close();

    const { wallet } = resident(stack, 'alice');
    const { page, context } = await open('/settings/page', { prepare: wallet.attach });
    await page.getByRole('button', { name: 'Switch on' }).waitFor(SOON);
    await look(page, 'handle-desktop-01-off');
    await page.getByLabel('A line about you').fill('I write about open money. Thanks for the coffee!');
    for (const [index, amount] of ['3', '5', '10', '25'].entries())
      await page.getByLabel(`Amount ${index + 1}`).fill(amount);
    await page.getByLabel('Show supporters’ messages').check();
    await page.getByLabel('Show amounts beside messages').check();
    await context.route('**/api/settings/page', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 503, json: {} }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').first().waitFor(SOON);
    expect(await page.getByLabel('A line about you').inputValue()).toContain('open money');
    expect(await page.getByLabel('Amount 4').inputValue()).toBe('25');
    await context.unroute('**/api/settings/page');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor(SOON);
    const picture = await drawnPicture('png', { width: 400, height: 300, left: '#0b5d3b', right: '#f0bd6a' });
    await page.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture });
    await page.getByRole('button', { name: 'Remove' }).waitFor(SOON);
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('link', { name: 'Open your page' }).waitFor(SOON);
    await page.reload();
    await page.getByRole('link', { name: 'Open your page' }).waitFor(SOON);
    expect(await page.getByLabel('Amount 2').inputValue()).toBe('5.00');
    await isWell(page);
    await look(page, 'handle-desktop-02-on');
    await page.setViewportSize(PHONE.viewport);
    await isWell(page);
    await look(page, 'handle-phone-01-settings');
    await context.close();
  });

  it('is paid by a signature, by a plain transfer and from another network; a message shows once both agreed', async () => {
    const alice = stack.local.accounts['alice']?.evm_address as Hex;
    const first = newcomer(stack);
    await fund(stack, first.account.address, '20');
    const before = await usdcOf(stack, alice);
    const signing = await open('/@alice', { prepare: first.wallet.attach });
    const { page } = signing;
    await page.getByRole('heading', { name: '@alice' }).waitFor(SOON);
    expect(await page.title()).toBe('Pay @alice · Ampersat');
    await isWell(page);
    await look(page, 'handle-desktop-03-page');
    await page.getByRole('button', { name: 'Enter an amount' }).click();
    await page.getByText('Enter the amount you want to pay.').waitFor();
    await page.getByRole('button', { name: '5.00', exact: true }).click();
    await page.getByText('Add a note').click();
    await page.getByLabel('Your name (optional)').fill('Dora');
    await page.getByLabel('Note (optional)').fill(NOTE);
    await page.getByLabel('Show my name and note on this page once I’ve paid').check();
    await page.reload();
    expect(await page.getByLabel('Note (optional)').inputValue()).toBe(NOTE);
    await look(page, 'handle-desktop-04-note');
    await isWell(page);
    await page.getByRole('button', { name: 'Pay 5.00 USDC' }).click();
    await page.waitForURL(/\/o\/ord_/);
    await page.getByRole('link', { name: 'Back to @alice' }).click(SOON);
    await page.getByText('You started a payment of 5.00 USDC here.').waitFor(SOON);
    await look(page, 'handle-desktop-05-begun');
    expect(await page.getByText(NOTE).count()).toBe(0);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('button', { name: /^(Switch to Base and pay|Pay 5.00 USDC)$/ }).click(SOON);
    await paid(page);
    expect(first.wallet.asked).not.toContain('eth_sendTransaction');
    expect(await page.getByText(NOTE).count()).toBe(0);
    const back = page.getByRole('link', { name: 'Back to @alice' });
    expect(await back.getAttribute('href')).toBe('/@alice');
    await page.getByRole('link', { name: 'View receipt' }).click();
    await page.getByRole('article', { name: 'Receipt' }).waitFor(SOON);
    expect(await page.getByText(NOTE).count()).toBe(0);
    await look(page, 'handle-desktop-06-receipt');
    await signing.close();

    const sending = await open('/@alice', DARK);
    await sending.page.getByText(NOTE).waitFor(SOON);
    await sending.page.getByLabel('Amount').fill('2');
    await look(sending.page, 'handle-phone-02-page-dark');
    await isWell(sending.page);
    await sending.page.getByRole('button', { name: 'Pay 2.00 USDC' }).tap();
    await sending.page.getByRole('button', { name: 'Send from a wallet or exchange' }).tap(SOON);
    const address = (await sending.page.getByText(/^0x[0-9a-fA-F]{40}$/).textContent(SOON)) as Hex;
    await fund(stack, address, '2');
    await paid(sending.page);
    await sending.close();

    const other = newcomer(stack);
    await fund(stack, other.account.address, '40', 'celo');
    const bridging = await open('/@alice', { ...PHONE, prepare: other.wallet.attach });
    await bridging.page.getByRole('button', { name: '25.00', exact: true }).tap(SOON);
    await look(bridging.page, 'handle-phone-03-chosen');
    await bridging.page.getByRole('button', { name: 'Pay 25.00 USDC' }).tap();
    await bridging.page.waitForURL(/\/o\/ord_/);
    const way = bridging.page.locator('[data-way]');
    await way.waitFor(SOON);
    expect(await way.textContent()).toMatch(/USDC on Celo/);
    await bridging.page.getByRole('button', { name: 'Pay 25.00 USDC' }).tap(SOON);
    await paid(bridging.page);
    await bridging.close();
    // Alice gave the money herself, and got it: no fee was taken.
    expect(await usdcOf(stack, alice)).toBe(before + 5_000_000n - 2_000_000n + 2_000_000n + 25_000_000n);
  });

  it('shows no message that its owner hid', async () => {
    const { wallet } = resident(stack, 'alice');
    const { page, close } = await open('/settings/page', { prepare: wallet.attach });
    await page.getByText(NOTE).waitFor(SOON);
    await page.getByText('Dora').waitFor();
    await page.getByRole('button', { name: 'Hide from my page' }).click();
    await page.getByRole('button', { name: 'Show on my page' }).waitFor(SOON);
    await look(page, 'handle-desktop-07-messages');
    const visitor = await open('/@alice', { locale: 'de' });
    await visitor.page.getByRole('button', { name: 'Betrag eingeben' }).waitFor(SOON);
    expect(await visitor.page.getByText(NOTE).count()).toBe(0);
    await look(visitor.page, 'handle-desktop-08-german');
    await visitor.close();
    await close();
  });

  it('has a poster to print, whose code leads to it', async () => {
    const { page, close } = await open('/@alice/poster');
    const code = page.getByRole('img', { name: /^QR code of/ });
    await code.waitFor(SOON);
    expect(await scan(code)).toBe(`${stack.baseUrl}/@alice`);
    await isWell(page);
    await look(page, 'handle-desktop-09-poster');
    for (const [size, width, height] of [
      ['A4', 595, 842],
      ['A6', 298, 420],
    ] as const) {
      await page.getByText(size, { exact: true }).click();
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
      const [, right, top] = /\/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)/.exec(pdf) ?? [];
      expect([Math.round(Number(right)), Math.round(Number(top))]).toEqual([width, height]);
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize(size === 'A4' ? { width: 794, height: 1123 } : { width: 397, height: 559 });
      await look(page, `handle-paper-${size}`);
      await page.emulateMedia({ media: null });
      await page.setViewportSize({ width: 1280, height: 900 });
    }
    await close();
  });
});
