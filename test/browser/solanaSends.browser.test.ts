// USDC from one's own Solana wallet, on a phone with the play wallet: one signature, also after a reload and a lost answer.
import { randomBytes } from 'node:crypto';
import { Connection, PublicKey } from '@solana/web3.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keypairOf, localSolanaKey } from '../../local/solana/keys.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { tokenAccount } from '../../src/chain/solana/addresses.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const FINAL = { timeout: 120_000 };

describe.skipIf(!chromiumPath)(`sending on Solana (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['solana'] }), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  async function usdcOf(owner: string): Promise<bigint> {
    const { solana } = stack.local.chains;
    if (!solana) throw new Error('the stack has no Solana');
    const account = new PublicKey(tokenAccount(owner, solana.usdc).address);
    return BigInt((await new Connection(solana.rpc_url, 'confirmed').getTokenAccountBalance(account)).value.amount);
  }
  const fill = async (page: Page, to: string, amount: string) => {
    await page.getByRole('textbox', { name: 'To' }).fill(to);
    await page.getByRole('textbox', { name: 'Amount' }).fill(amount);
  };
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click(SOON);
  async function isWhole(page: Page, name: string) {
    await look(page, `solana-send-phone-${name}`);
    expect(await page.evaluate(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }

  it('to a handle, and to an address without a USDC account', async () => {
    const [alice, bob] = [localSolanaKey('alice').address, localSolanaKey('bob').address];
    const had = { alice: await usdcOf(alice), bob: await usdcOf(bob) };
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/send`, PHONE);
    await press(page, 'Use play wallets');
    await press(page, 'Sign in with alice’s Solana wallet');
    await page.getByRole('heading', { name: 'Send USDC' }).waitFor(SOON);
    await fill(page, tokenAccount(bob, stack.local.chains.solana?.usdc ?? '').address, '2');
    // An address of Solana leaves no other network to choose.
    expect(await page.getByLabel('Network').locator('option').count()).toBe(1);
    await press(page, 'Review');
    await page.getByText('This is a token account, not a wallet.').waitFor(SOON);
    await fill(page, '@bob', '2');
    await page.getByLabel('Network').selectOption('solana');
    await page.getByText('Fee: $0.05. Ampersat pays the network fee.').waitFor(SOON);
    await isWhole(page, '01-form');
    await press(page, 'Review');
    await page.getByText('Confirm your payment').waitFor(SOON);
    await isWhole(page, '02-summary');
    await page.reload();
    await page.getByText('2.00 USDC to bob@ampersat waits for your confirmation.').waitFor(SOON);
    await press(page, 'Continue');
    // The answer to the signed transaction is lost on its way: the page finds the payment all the same.
    let lost = 0;
    await page.route('**/api/sends/snd_*', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.fallback();
      lost += 1;
      await route.fetch();
      await route.abort();
    });
    await press(page, 'Send 2.05 USDC');
    await page.getByText('2.00 USDC arrived.').waitFor(FINAL);
    await isWhole(page, '03-sent');
    expect([lost, (await usdcOf(bob)) - had.bob, had.alice - (await usdcOf(alice))]).toEqual([
      1,
      2_000_000n,
      2_050_000n,
    ]);

    await press(page, 'Send another payment');
    const { address } = keypairOf(randomBytes(32));
    await fill(page, address, '1.5');
    await press(page, 'Review');
    await page.getByText('Opened with it, paid by Ampersat').waitFor(SOON);
    await isWhole(page, '04-opening');
    await press(page, 'Send 1.55 USDC');
    await page.getByText('1.50 USDC arrived.').waitFor(FINAL);
    expect(await usdcOf(address)).toBe(1_500_000n);
    // The browser notes the refusal, and the answer that was lost.
    expect(faults.filter((fault) => !/400|ERR_FAILED/.test(fault))).toEqual([]);
    await close();
  }, 300_000);
});
