// SOL as a token and back, from the settings: one signature each, at our cost; a lost answer wraps nothing twice. Once at a desk and once on a phone.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';
import { solanaTestWallet } from './solanaWallet.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const CONFIRMED = { timeout: 60_000 };

describe.skipIf(!chromiumPath)(`wrapping SOL (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['solana'] }), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  it.each([
    ['desk', {}, 'alice'],
    ['phone', PHONE, 'bob'],
  ])(
    'is one signature: %s',
    async (where, device, name) => {
      const solana = solanaTestWallet(localSolanaKey(name));
      const url = `${stack.baseUrl}/settings`;
      const { page, faults, close } = await openPage(browser, url, { prepare: solana.attach, ...device });
      await page.getByRole('button', { name: 'Sign in with Test Solana Wallet' }).click(SOON);
      const section = page.getByRole('region', { name: 'Wrapped SOL' });
      const press = (button: string) => section.getByRole('button', { name: button, exact: true }).click(SOON);
      const wrapped = () => section.locator('dd').nth(1).textContent();
      await section.waitFor(SOON);
      const before = Number(await wrapped());
      await press('Wrap SOL');
      await section.getByLabel('SOL to wrap').fill('0.0000000001');
      await section.getByText('up to 9 decimals').waitFor(SOON);
      await section.getByLabel('SOL to wrap').fill('0.25');
      await section.evaluate((one: { scrollIntoView(): void }) => one.scrollIntoView());
      await look(page, `solana-wrap-${where}-01-form`);
      expect(await page.evaluate(OMISSIONS)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      // The answer to the signed transaction is lost on its way: pressed again, it is the same wrapping.
      let lost = 0;
      await page.route('**/api/solana/wrap/wrp_*', async (route) => {
        if (route.request().method() !== 'POST' || lost > 0) return route.fallback();
        lost += 1;
        await route.fetch();
        await route.abort();
      });
      await press('Wrap');
      await section.getByRole('alert').waitFor(CONFIRMED);
      await press('Wrap');
      await section.getByRole('button', { name: 'Unwrap', exact: true }).waitFor(CONFIRMED);
      await expect.poll(wrapped, CONFIRMED).toBe((before + 0.25).toFixed(2));
      await press('Unwrap');
      await section.getByLabel('Wrapped SOL to unwrap').fill('0.1');
      await press('Unwrap');
      await expect.poll(wrapped, CONFIRMED).toBe((before + 0.15).toFixed(2));
      await press('Unwrap');
      await press('Unwrap everything');
      await expect.poll(wrapped, CONFIRMED).toBe('0.00');
      await section.evaluate((one: { scrollIntoView(): void }) => one.scrollIntoView());
      await look(page, `solana-wrap-${where}-02-done`);
      expect(lost).toBe(1);
      // The browser notes the answer that was lost.
      expect(faults.filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);
      await close();
    },
    180_000,
  );
});
