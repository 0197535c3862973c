// Wallets of Solana on the pages: signing in with one, adding an EVM wallet to it, and adding one to a handle of an EVM wallet. Once at a desk and once
// on a phone.
import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keypairOf, localSolanaKey } from '../../local/solana/keys.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { joinAs, look, newcomer, SOON } from './newcomer.ts';
import { solanaTestWallet } from './solanaWallet.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

describe.skipIf(!chromiumPath)(`wallets of Solana (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click(SOON);
  const signOut = async (page: Page) => {
    await page.goto(`${stack.baseUrl}/settings`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click(SOON);
    await page.waitForURL(`${stack.baseUrl}/`, SOON);
  };
  /** The card of the Solana wallet, from its heading. */
  const lookAtCard = async (page: Page, name: string) => {
    await page
      .getByRole('heading', { name: 'Solana wallet' })
      .evaluate((heading: { scrollIntoView(): void }) => heading.scrollIntoView());
    await look(page, name);
  };
  const isWhole = async (page: Page) => {
    expect(await page.evaluate(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  };

  it('signs in with one, chooses a handle, adds an EVM wallet, and signs in with either: at a desk', async () => {
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/account`);
    const dave = localSolanaKey('dave').address;
    await press(page, 'Use play wallets');
    await page.getByRole('button', { name: 'Sign in with dave’s play wallet' }).waitFor(SOON);
    await look(page, 'solana-desktop-01-sign-in');
    await press(page, 'Sign in with dave’s Solana wallet');
    await page.getByRole('textbox', { name: 'Your handle' }).fill('moonbeam');
    await page.getByText('@moonbeam is available.').waitFor(SOON);
    await look(page, 'solana-desktop-02-handle');
    await press(page, 'Claim @moonbeam');
    await page.getByRole('heading', { name: 'Home' }).waitFor(SOON);
    await page.getByTitle(dave).first().waitFor(SOON);
    await page.getByText('No EVM wallet yet').waitFor(SOON);
    await look(page, 'solana-desktop-03-home');
    await isWhole(page);
    for (const place of ['spending', 'tabs/new', 'history', 'subscriptions', 'connections', 'workspace']) {
      await page.goto(`${stack.baseUrl}/${place}`);
      await page.getByRole('heading', { level: 1 }).waitFor(SOON);
      await page
        .locator('.waits')
        .first()
        .waitFor({ state: 'detached', ...SOON });
      await look(page, `solana-desktop-03-${place.replace('/', '-')}`);
      await isWhole(page);
    }

    await page.goto(`${stack.baseUrl}/settings`);
    await page.getByTitle(dave).first().waitFor(SOON);
    await page.getByText('Add an EVM wallet to be paid and to tip').first().waitFor(SOON);
    await look(page, 'solana-desktop-04-settings');
    await isWhole(page);
    await press(page, 'Add an EVM wallet');
    await press(page, 'Use dave’s play wallet');
    await press(page, 'Use an account from dave’s play wallet');
    await press(page, 'Sign with the new wallet');
    await page.getByText('has signed').waitFor(SOON);
    await look(page, 'solana-desktop-05-agree');
    await press(page, 'Sign with the current wallet too');
    await page.getByRole('button', { name: 'Change wallet', exact: true }).waitFor(SOON);
    const evm = stack.local.accounts['dave']?.evm_address ?? '';
    await page.getByTitle(evm).first().waitFor(SOON);
    await look(page, 'solana-desktop-06-both');

    await signOut(page);
    await page.goto(`${stack.baseUrl}/account`);
    await press(page, 'Sign in with dave’s play wallet');
    await page.getByRole('heading', { name: '@moonbeam' }).waitFor(SOON);
    await signOut(page);
    await page.goto(`${stack.baseUrl}/account`);
    await press(page, 'Sign in with dave’s Solana wallet');
    await page.getByRole('heading', { name: '@moonbeam' }).waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  }, 240_000);

  it('says what to do where there is none, and lends those of the local people: on a phone', async () => {
    const { wallet } = newcomer(stack);
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/settings`, {
      prepare: wallet.attach,
      ...PHONE,
    });
    await joinAs(page, 'cloudy');
    await page.getByText('No Solana wallet found in this browser.').waitFor(SOON);
    await lookAtCard(page, 'solana-phone-01-none');
    await isWhole(page);
    await press(page, 'Use play wallets');
    await page.getByRole('button', { name: 'Add carol’s Solana wallet' }).waitFor(SOON);
    await lookAtCard(page, 'solana-phone-02-choose');
    await isWhole(page);
    expect(faults).toEqual([]);
    await close();
  }, 240_000);

  it('adds one to a handle of an EVM wallet, after a delay or at once, and changes it: on a phone', async () => {
    const { wallet } = newcomer(stack);
    const [first, next] = [keypairOf(randomBytes(32)), keypairOf(randomBytes(32))];
    const solana = solanaTestWallet(first);
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/settings`, {
      prepare: async (context) => {
        await wallet.attach(context);
        await solana.attach(context);
      },
      colorScheme: 'dark',
      ...PHONE,
    });
    await joinAs(page, 'sunbather');
    await press(page, 'Add Test Solana Wallet');
    await page.getByText('has signed').waitFor(SOON);
    await press(page, 'Add after 72 hours');
    await page.getByText('The wallet will be added in 72 hours').waitFor(SOON);
    await lookAtCard(page, 'solana-phone-03-waits');
    await isWhole(page);
    await press(page, 'Don’t add it');

    await press(page, 'Add Test Solana Wallet');
    await page.getByText('has signed').waitFor(SOON);
    await lookAtCard(page, 'solana-phone-04-agree');
    await isWhole(page);
    wallet.refuseNext('eth_signTypedData_v4');
    await press(page, 'Sign with the current wallet too');
    await page.getByText('You declined the request in your wallet').waitFor(SOON);
    await press(page, 'Sign with the current wallet too');
    await page.getByRole('button', { name: 'Change Solana wallet' }).waitFor(SOON);
    await page.getByTitle(first.address).first().waitFor(SOON);
    await lookAtCard(page, 'solana-phone-05-added');
    await isWhole(page);

    // The same account is no change; another is one, which the old account agrees to.
    await press(page, 'Change Solana wallet');
    await press(page, 'Use Test Solana Wallet');
    await page.getByText('Your wallet is on your current account.').waitFor(SOON);
    solana.select(next);
    await press(page, 'Use Test Solana Wallet');
    await page.getByText('your chats can only receive until').waitFor(SOON);
    await press(page, 'Sign with the old wallet too');
    await page.getByText(/^Choose the account /).waitFor(SOON);
    await lookAtCard(page, 'solana-phone-06-other-account');
    await isWhole(page);
    solana.select(first);
    await press(page, 'Sign with the old wallet too');
    await page.getByTitle(next.address).first().waitFor(SOON);

    await signOut(page);
    await page.goto(`${stack.baseUrl}/account`);
    await page.getByRole('button', { name: 'Sign in with Test Solana Wallet' }).waitFor(SOON);
    await look(page, 'solana-phone-07-sign-in');
    await isWhole(page);
    solana.select(next);
    await press(page, 'Sign in with Test Solana Wallet');
    await page.getByRole('heading', { name: '@sunbather' }).waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  }, 240_000);
});
