// A campaign on Solana from the pages: created, opened by one signature, paid, closed, and the rest of its budget taken back. Once at a desk and once on a
// phone.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';
import { solanaTestWallet } from './solanaWallet.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const FINAL = { timeout: 90_000 };

describe.skipIf(!chromiumPath)(`a campaign on Solana (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['solana'] }), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  it.each([
    ['desk', {}],
    ['phone', PHONE],
  ])(
    'is opened by one signature: %s',
    async (where, device) => {
      const solana = solanaTestWallet(localSolanaKey('shop'));
      const url = `${stack.baseUrl}/campaigns/new`;
      const { page, faults, close } = await openPage(browser, url, { prepare: solana.attach, ...device });
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click(SOON);
      await press('Sign in with Test Solana Wallet');
      await page.getByLabel('Name').fill(`Rewards at a ${where}`);
      await page.getByLabel('Budget').fill('20');
      await page.getByLabel('Network').selectOption('solana');
      await page.getByLabel('Most grants').fill('65537');
      await page.getByText('Enter a number from 1 to 65,536.').waitFor(SOON);
      await page.getByLabel('Most grants').fill('64');
      await look(page, `solana-campaign-${where}-01-form`);
      expect(await page.evaluate(OMISSIONS)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      await press('Continue');
      await page.waitForURL(/\/campaigns\/cgr_/, SOON);
      await page.getByText('Your wallet signs one transaction').waitFor(SOON);
      await look(page, `solana-campaign-${where}-02-open`);
      solana.refuseNext('solana_signTransaction');
      await press('Open campaign');
      await page.getByRole('alert').getByText('declined').waitFor(SOON);
      await press('Open campaign');
      await page.getByText('End it early').waitFor(FINAL);
      const recipient = localSolanaKey('bob').address;
      await page.locator('input[type=file]').setInputFiles({
        name: 'grants.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`recipient,amount\n${recipient},1.50\n0x1926d62427db26BE8760F5EE7078e524119FFA66,1\n`),
      });
      await page.getByText('and 1 row with problems').waitFor(SOON);
      await page.getByRole('button', { name: 'Queue 1 grant' }).click(SOON);
      await page.getByTitle(recipient).first().waitFor(SOON);
      await expect.poll(() => page.getByText('Paid', { exact: true }).count(), FINAL).toBeGreaterThan(1);
      await look(page, `solana-campaign-${where}-03-paid`);
      expect(await page.evaluate(OMISSIONS)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      await press('Close campaign');
      await press('Close it');
      const lower = page.getByRole('button', { name: 'Lower the allowance' });
      const ended = page.getByText('Closed', { exact: true });
      await ended.first().waitFor(FINAL);
      // The seeded business allows without limit: then there is nothing to lower.
      expect(await lower.count()).toBe(0);
      expect(faults).toEqual([]);
      await close();
    },
    240_000,
  );
});
