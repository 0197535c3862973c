// Money in and out in a real browser: the total, the addresses, and Send with a wallet at a desk and with a passkey on a phone, also after a reload.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { giveAuthenticator } from './authenticator.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { fund, look, resident, SOON, usdcOf } from './newcomer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' as const };

describe.skipIf(!chromiumPath)(`money in and out in a browser (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ host: 'localhost' }), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  async function fill(page: Page, to: string, amount: string) {
    await page.getByRole('textbox', { name: 'To' }).fill(to);
    await page.getByRole('textbox', { name: 'Amount' }).fill(amount);
  }

  it('shows the total, an address to copy, and sends to a handle with a wallet: at a desk', async () => {
    const alice = resident(stack, 'alice');
    const bob = stack.local.accounts['bob']?.evm_address as `0x${string}`;
    const [aliceHad, bobHad] = [await usdcOf(stack, alice.account.address), await usdcOf(stack, bob)];
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/account`, {
      prepare: alice.wallet.attach,
    });
    await page.getByText(/^\$[\d,]+\.\d\d$/).waitFor(SOON);
    await look(page, 'money-desktop-01-home');

    await page.getByRole('link', { name: 'Receive' }).click();
    await page
      .getByRole('img', { name: /^Your address on/ })
      .first()
      .waitFor(SOON);
    await page.getByText('Don’t send real money here.').first().waitFor(SOON);
    const address = page.getByRole('textbox', { name: 'Your address (test networks)' }).first();
    expect(await address.inputValue()).toBe(alice.account.address);
    await look(page, 'money-desktop-02-receive');
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);

    await page.getByRole('link', { name: 'Send', exact: true }).click();
    await fill(page, '@nobodyhere', '2');
    await page.getByText('Fee: $0.05. Ampersat pays the network fee.').waitFor(SOON);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('@nobodyhere isn’t on Ampersat.').waitFor(SOON);
    await page.getByRole('link', { name: 'Open a tab' }).waitFor(SOON);
    await fill(page, 'telegram:someone', '2');
    await page.getByText('A tab keeps the money for @someone on Telegram').waitFor(SOON);
    await look(page, 'money-desktop-03-tab-instead');
    await fill(page, '@bob', '99999');
    await page.getByText(/^You have .* USDC on Base\.$/).waitFor(SOON);
    await fill(page, '@bob', '2');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('Confirm your payment').waitFor(SOON);
    await look(page, 'money-desktop-04-summary');
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);

    alice.wallet.refuseNext('eth_signTypedData_v4');
    await page.getByRole('button', { name: 'Send 2.05 USDC' }).click();
    await page.getByText('You declined the request in your wallet. Nothing was signed.').waitFor(SOON);
    await page.reload();
    await page.getByText('2.00 USDC to bob@ampersat waits for your confirmation.').waitFor(SOON);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Send 2.05 USDC' }).click();
    await page
      .getByRole('heading', { name: /On its way|Arriving|Sent/ })
      .first()
      .waitFor(SOON);
    // A page that has lost its state finds it; so does another tab.
    await page.reload();
    await page.getByText('bob@ampersat').or(page.getByText('@bob')).first().waitFor(SOON);
    await page
      .getByText(/Sent on Base/)
      .or(page.getByText('2.00 USDC arrived.'))
      .first()
      .waitFor(SOON);
    await look(page, 'money-desktop-05-sent');
    expect(await usdcOf(stack, bob)).toBe(bobHad + 2_000_000n);
    expect(await usdcOf(stack, alice.account.address)).toBe(aliceHad - 2_050_000n);
    expect(alice.wallet.asked.filter((method) => method === 'eth_sendTransaction')).toEqual([]);
    expect(faults.filter((fault) => !/404|409/.test(fault))).toEqual([]);
    await close();
  }, 240_000);

  it('sends to an address with a passkey, in one press and one fingerprint: on a phone', async () => {
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/send`, PHONE);
    await giveAuthenticator(page);
    await page.getByRole('button', { name: 'Continue with your fingerprint' }).click();
    await page.getByRole('textbox', { name: 'Your handle' }).fill('mona');
    await page.getByText('@mona is available.').waitFor(SOON);
    await page.getByRole('button', { name: 'Claim @mona' }).click();
    await page.getByRole('heading', { name: 'Send USDC' }).waitFor(SOON);
    const mona = await page.evaluate<`0x${string}`>(`JSON.parse(localStorage.getItem('passkey')).address`);
    await fund(stack, mona, '20');
    const to = stack.local.accounts['bob']?.evm_address as `0x${string}`;
    const had = await usdcOf(stack, to);
    await page.goto(`${stack.baseUrl}/send?to=${to}&amount=3`);
    await page.getByText('Base: 20.00 USDC').waitFor({ state: 'attached', ...SOON });
    await look(page, 'money-phone-01-form');
    expect(await overflow(page)).toBe(0);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Send 3.05 USDC' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('Pay 3.05 USDC').first().waitFor(SOON);
    await look(page, 'money-phone-02-sheet');
    expect(await overflow(page)).toBe(0);
    await sheet.getByRole('button', { name: /fingerprint|^Sign/ }).click();
    await page.getByText('3.00 USDC arrived.').waitFor(SOON);
    await look(page, 'money-phone-03-sent');
    expect(await overflow(page)).toBe(0);
    expect(await usdcOf(stack, to)).toBe(had + 3_000_000n);
    expect(await usdcOf(stack, mona)).toBe(16_950_000n);
    await page.goto(`${stack.baseUrl}/receive?amount=10`);
    await page.getByText('Send 10.00 USDC to the address below.').waitFor(SOON);
    await look(page, 'money-phone-04-receive');
    expect(await overflow(page)).toBe(0);
    expect(faults).toEqual([]);
    await close();
  }, 240_000);
});
