// What a chat may spend of a Solana wallet, on the pages: allowed by one signature that we pay for, changed, paused and resumed. Once at a desk and once
// on a phone.
import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Keypair, keypairOf } from '../../local/solana/keys.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { joinAs, look, newcomer, SOON } from './newcomer.ts';
import { solanaTestWallet } from './solanaWallet.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

describe.skipIf(!chromiumPath)(`spending of a Solana wallet (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['solana'] }), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).click(SOON);
  const isWhole = async (page: Page) => {
    expect(await page.evaluate(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  };
  const chain = async (method: string, ...params: unknown[]) => {
    const response = await fetch(stack.local.chains.solana?.rpc_url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as { result: { value: unknown } }).result;
  };
  const lamportsOf = async ({ address }: Keypair) => (await chain('getBalance', address)).value;
  /** A chat account of Discord, by logging in there. */
  const connect = async (page: Page, name: string) => {
    await page.goto(`${stack.baseUrl}/connections`);
    await press(page, 'Connect Discord');
    await press(page, `Continue as ${name}`);
    await press(page, /^Connect to @/);
    await page.getByText('Receive only').first().waitFor(SOON);
  };
  /** The card of a network, in view. */
  const card = async (page: Page, name: string) => {
    const heading = page.getByRole('heading', { name, exact: true });
    await heading.waitFor(SOON);
    await heading.evaluate((one: { scrollIntoView(): void }) => one.scrollIntoView());
  };

  it('is allowed by one signature of a wallet without SOL, with a text for the chat: at a desk', async () => {
    const key = keypairOf(randomBytes(32));
    const solana = solanaTestWallet(key);
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/account`, {
      prepare: solana.attach,
    });
    await press(page, 'Sign in with Test Solana Wallet');
    await page.getByRole('textbox', { name: 'Your handle' }).fill('sunny_side');
    await page.getByText('@sunny_side is available.').waitFor(SOON);
    await press(page, 'Claim @sunny_side');
    await page.getByRole('heading', { name: 'Home' }).waitFor(SOON);
    await connect(page, 'carol');

    await page.goto(`${stack.baseUrl}/spending`);
    await page.getByText('0 of 2 signed').waitFor(SOON);
    await look(page, 'solana-spending-desktop-01-start');
    await isWhole(page);
    solana.refuseNext('solana_signTransaction');
    await press(page, 'Sign 1 of 2');
    await page.getByRole('alert').getByText('You declined the request in your wallet').waitFor(SOON);
    await look(page, 'solana-spending-desktop-02-declined');
    // The owner reads for so long that the block hash is over: one press signs again.
    let reads = 0;
    solana.before('solana_signTransaction', async () => {
      reads += 1;
      if (reads === 1) await expireHashes();
    });
    await press(page, 'Try again');
    await page.getByRole('alert').getByText('Sign it again.').waitFor(SOON);
    await look(page, 'solana-spending-desktop-03-expired');
    await press(page, 'Sign again');
    await page.getByText('1 of 2 signed').waitFor(SOON);
    await look(page, 'solana-spending-desktop-04-right');
    await press(page, 'Sign 2 of 2');
    await page.getByRole('heading', { name: 'Ready to tip' }).waitFor(SOON);
    expect(reads).toBe(2);
    expect(await lamportsOf(key)).toBe(0);
    await page.goto(`${stack.baseUrl}/spending`);
    await card(page, 'Solana');
    await page.getByText('Allowed', { exact: true }).waitFor(SOON);
    await page.getByText('500.00 USDC').first().waitFor(SOON);
    await page.getByText('Can spend').waitFor(SOON);
    await page.getByText('You have no EVM wallet yet.').waitFor(SOON);
    await look(page, 'solana-spending-desktop-05-allowed');
    await isWhole(page);

    await press(page, 'Change limits');
    await page.getByLabel('Limit per tip').fill('90');
    await press(page, 'Sign the limits');
    await page.getByText('90.00 USDC').first().waitFor(SOON);
    await press(page, 'Change allowance');
    await page.getByLabel('Total allowance').fill('0');
    await page.getByText('Stops Ampersat’s program').waitFor(SOON);
    await press(page, 'Sign the allowance');
    await page.getByText('Not allowed').first().waitFor(SOON);
    // The browser says so of the request that was out of date.
    expect(faults).toEqual([expect.stringContaining('status of 402')]);
    await close();
  }, 300_000);

  it('follows an EVM wallet’s handle that adds a Solana wallet, and is paused and resumed there: on a phone', async () => {
    const { wallet } = newcomer(stack);
    const solana = solanaTestWallet(keypairOf(randomBytes(32)));
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/settings`, {
      prepare: async (one) => {
        await wallet.attach(one);
        await solana.attach(one);
      },
      ...PHONE,
    });
    await joinAs(page, 'both_kinds');
    await page.getByRole('heading', { name: 'Solana wallet' }).waitFor(SOON);
    await connect(page, 'dave');
    await page.goto(`${stack.baseUrl}/spending`);
    await page.getByText('You have no Solana wallet yet.').waitFor(SOON);
    await card(page, 'Solana');
    await look(page, 'solana-spending-phone-01-no-wallet');
    await isWhole(page);
    await page.getByRole('link', { name: 'Add a Solana wallet' }).click(SOON);
    await press(page, 'Add Test Solana Wallet');
    await press(page, 'Sign with the current wallet too');
    await page.getByRole('button', { name: 'Change Solana wallet' }).waitFor(SOON);

    await page.goto(`${stack.baseUrl}/spending`);
    await page.getByLabel('Network').selectOption('solana');
    await page.getByText('0 of 2 signed').waitFor(SOON);
    await look(page, 'solana-spending-phone-02-allow');
    await isWhole(page);
    await press(page, 'Sign 1 of 2');
    await press(page, 'Sign 2 of 2');
    await page.getByRole('heading', { name: 'Ready to tip' }).waitFor(SOON);
    await page.goto(`${stack.baseUrl}/spending`);
    await card(page, 'Solana');
    await look(page, 'solana-spending-phone-03-allowed');
    await isWhole(page);
    await press(page, 'Pause all spending');
    await press(page, 'Pause now');
    await page.getByRole('heading', { name: 'Resume on Solana' }).waitFor(SOON);
    await page.waitForTimeout(1_500);
    await card(page, 'Resume on Solana');
    await look(page, 'solana-spending-phone-04-paused');
    await isWhole(page);
    await page
      .getByRole('heading', { name: 'Resume on Solana' })
      .locator('xpath=ancestor::section[1]')
      .getByRole('button', { name: 'Sign to resume' })
      .click(SOON);
    await page.getByRole('heading', { name: 'Resume on Solana' }).waitFor({ state: 'detached', ...SOON });
    expect(faults).toEqual([]);
    await close();
  }, 300_000);

  async function expireHashes(): Promise<void> {
    const url = stack.local.chains.solana?.rpc_url ?? '';
    const response = await fetch(`${url}/_user/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'expire' }),
    });
    expect(response.status).toBeLessThan(300);
  }
});
