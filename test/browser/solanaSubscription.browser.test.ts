// A plan on Solana and a subscription to it, from pages with a wallet of Solana alone: each a signature, and Ampersat sends it. At a desk and on a phone.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';
import { solanaTestWallet } from './solanaWallet.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const DONE = { timeout: 120_000 };

describe.skipIf(!chromiumPath)(`a subscription on Solana (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['solana'] }), workersBrowser()]);
  }, 240_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const open = (path: string, prepare: (context: BrowserContext) => Promise<void>, how: object) =>
    openPage(browser, new URL(path, stack.baseUrl).href, { ...how, prepare });
  async function isWell(page: Page): Promise<void> {
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }

  it.each([
    ['desk', {}, 'alice'],
    ['phone', PHONE, 'bob'],
  ])('from a new plan to its end: %s', { timeout: 420_000 }, async (where, how, name) => {
    const title = `Solana club ${where}`;
    const shop = solanaTestWallet(localSolanaKey('shop'));
    const creator = await open('/plans/new', shop.attach, how);
    const { page } = creator;
    await page.getByRole('button', { name: 'Sign in with Test Solana Wallet' }).click(SOON);
    await page.getByLabel('Name').fill(title, SOON);
    await page.getByLabel('Price').fill('5');
    await page.getByLabel('Network').selectOption('solana');
    await page.getByText('No free trials on Solana').waitFor(SOON);
    await page.getByText('Your wallet signs the plan’s creation, which Ampersat sends.').waitFor(SOON);
    await isWell(page);
    await look(page, `solana-subscription-${where}-01-form`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Create plan' }).click(SOON);
    await page.getByText('Button for your site').waitFor(DONE);
    await isWell(page);
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    const wallet = solanaTestWallet(localSolanaKey(name));
    const hosted = await open(`/p/${id}`, wallet.attach, how);
    await hosted.page.getByRole('button', { name: /Test Solana Wallet/ }).click(SOON);
    await hosted.page.getByText('One signature, no network fee.').waitFor(SOON);
    await isWell(hosted.page);
    await look(hosted.page, `solana-subscription-${where}-02-hosted`);
    wallet.refuseNext('solana_signTransaction');
    await hosted.page.getByRole('button', { name: 'Subscribe for 5.00 USDC' }).click();
    await hosted.page.getByText('You declined the request. You haven’t been charged.').waitFor(SOON);
    await hosted.page.getByRole('button', { name: 'Subscribe for 5.00 USDC' }).click();
    await hosted.page.getByRole('heading', { name: 'You’re subscribed' }).waitFor(DONE);
    await isWell(hosted.page);
    await hosted.page.getByRole('link', { name: 'Manage your subscriptions' }).click();
    await hosted.page.getByRole('button', { name: 'Sign in with Test Solana Wallet' }).click(SOON);
    const card = hosted.page.locator('section').filter({ hasText: title });
    await card.getByRole('button', { name: 'Receipts (1)' }).click(SOON);
    await hosted.page.getByText('and on Solana by tips within your limits').waitFor(SOON);
    await look(hosted.page, `solana-subscription-${where}-03-own`);
    await isWell(hosted.page);
    await card.getByRole('button', { name: 'Cancel subscription' }).click();
    await card.getByRole('button', { name: 'Cancel it now' }).click();
    await card.getByRole('link', { name: 'Subscribe again' }).waitFor(DONE);
    expect(hosted.faults).toEqual([]);
    await hosted.close();

    await page.getByRole('button', { name: 'Deactivate…' }).click();
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByText('This plan is inactive').waitFor(DONE);
    await isWell(page);
    expect(creator.faults).toEqual([]);
    await creator.close();
  });

  it('a faulty probe closes Solana in the form, with the reason', { timeout: 180_000 }, async () => {
    const shop = solanaTestWallet(localSolanaKey('shop'));
    const { page, close, faults } = await open('/plans/new', shop.attach, {});
    await page.getByRole('button', { name: 'Sign in with Test Solana Wallet' }).click(SOON);
    await page.getByLabel('Network').waitFor(SOON);
    await page.route('**/api/diag/solana-subs', async (route) => {
      const answer = await route.fetch();
      const found = (await answer.json()) as { config: object };
      await route.fulfill({ json: { ...found, ok: false, config: { ...found.config, paused: true } } });
    });
    await page.reload();
    await page.getByText('Solana can’t be chosen: new subscriptions are paused there.').waitFor(SOON);
    expect(await page.locator('option[value=solana]').isDisabled()).toBe(true);
    expect(faults).toEqual([]);
    await close();
  });
});
