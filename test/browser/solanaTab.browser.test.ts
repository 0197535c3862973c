// A tab that a wallet of Solana opens from the page: one signature, and Ampersat sends it. Once at a desk and once on a phone.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';
import { solanaTestWallet } from './solanaWallet.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const OPENED = { timeout: 120_000 };

/** Open tabs of the reader for one recipient. */
function openTabsFor(page: Page, to: string): Promise<number> {
  return page.evaluate(
    `fetch('/api/escrow').then((answer) => answer.json()).then(({ escrows }) =>
      escrows.filter(({ status, handleSlug }) => status === 'open' && handleSlug === ${JSON.stringify(to)}).length)`,
  );
}

describe.skipIf(!chromiumPath)(`a tab on Solana (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['solana'] }), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  it.each([
    ['desk', {}, 'bob'],
    ['phone', PHONE, 'x:someone_new'],
  ])(
    'is opened by one signature: %s',
    async (where, device, to) => {
      const solana = solanaTestWallet(localSolanaKey('alice'));
      const { page, faults, close } = await openPage(
        browser,
        `${stack.baseUrl}/tabs/new?to=${to}&amount=5&chain=solana&note=For%20lunch`,
        { prepare: solana.attach, ...device },
      );
      await page.getByRole('button', { name: 'Sign in with Test Solana Wallet' }).click(SOON);
      await page.getByText('Your wallet asks once, for a signature.').waitFor(SOON);
      await page.getByText('There is no fee.').waitFor(SOON);
      expect(await page.getByLabel('Network').inputValue()).toBe('solana');
      expect(await page.evaluate(OMISSIONS)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      await look(page, `solana-tab-${where}-01-form`);
      solana.refuseNext('solana_signTransaction');
      const lock = page.getByRole('button', { name: /^Lock 5\.00 USDC for / });
      await lock.click(SOON);
      await page.getByRole('alert').getByText('declined').waitFor(SOON);
      // The answer to the signed transaction is lost on its way: pressed again, it is the same tab.
      let lost = 0;
      await page.route('**/api/escrow/esc_*', async (route) => {
        if (route.request().method() !== 'POST' || lost > 0) return route.fallback();
        lost += 1;
        await route.fetch();
        await route.abort();
      });
      await lock.click(SOON);
      await page.getByRole('alert').waitFor(SOON);
      await expect.poll(() => openTabsFor(page, to), OPENED).toBe(1);
      await lock.click(SOON);
      await page.waitForURL(/\/tabs\/esc_/, OPENED);
      await page.getByText('Waiting to be claimed').first().waitFor(SOON);
      expect([lost, await openTabsFor(page, to)]).toEqual([1, 1]);

      await page.goto(`${stack.baseUrl}/tabs/new?to=${to}&amount=5&chain=solana&note=For%20lunch`);
      await lock.click(SOON);
      await page.getByText('Waiting for confirmation…').or(page.getByText('In a block')).first().waitFor(SOON);
      await look(page, `solana-tab-${where}-02-sending`);
      await page.waitForURL(/\/tabs\/esc_/, OPENED);
      expect(await openTabsFor(page, to)).toBe(2);
      await page.getByText('For lunch').first().waitFor(SOON);
      await page.getByText('Waiting to be claimed').first().waitFor(SOON);
      await look(page, `solana-tab-${where}-03-open`);
      expect(await page.evaluate(OMISSIONS)).toEqual([]);
      // The browser notes the answer that was lost.
      expect(faults.filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);
      await close();
    },
    180_000,
  );
});
