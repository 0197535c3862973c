// SOL for USDC that a handle has on another chain, from the settings: one amount and one confirmation, through Relay. Once at a desk and once on a phone.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look, resident, SOON, usdcOf } from './newcomer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const DESK = { viewport: { width: 1366, height: 900 } } as const;
const ARRIVED = { timeout: 90_000 };
const CHAINS = ['base', 'celo'] as const;
const ASKS = (method: string) => method === 'eth_signTypedData_v4' || method === 'eth_sendTransaction';
/** How the wallet pays: Relay takes USDC by a transaction. */
const SENDS = 'eth_sendTransaction';

describe.skipIf(!chromiumPath)(`topping up SOL (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['celo', 'solana'] }), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });
  const faultsUrl = () => `${stack.local.bridges_url}/_user/faults`;
  afterEach(async () => {
    await fetch(faultsUrl(), { method: 'DELETE' });
  });

  async function bridge(fault: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ bridge: 'relay', ...fault });
    expect((await fetch(faultsUrl(), { method: 'POST', headers, body })).status).toBe(200);
  }

  async function lamportsOf(name: string): Promise<bigint> {
    const headers = { 'content-type': 'application/json' };
    const params = [localSolanaKey(name).address, { commitment: 'confirmed' }];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params });
    const response = await fetch(stack.local.chains.solana?.rpc_url ?? '', { method: 'POST', headers, body });
    const { result } = (await response.json()) as { result: { value: number } };
    return BigInt(result.value);
  }

  /** The settings of a person who has both wallets. */
  async function settings(name: string, device: object) {
    const { account, wallet } = resident(stack, name);
    const prepare = (context: BrowserContext) => wallet.attach(context);
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/settings`, { ...device, prepare });
    const form = page.getByRole('region', { name: 'Get SOL' });
    await form.waitFor(SOON);
    const usdc = async () => {
      const held = await Promise.all(CHAINS.map((chain) => usdcOf(stack, account.address, chain)));
      return held.reduce((sum, one) => sum + one, 0n);
    };
    const field = form.getByLabel('SOL to get');
    return {
      ...{ page, faults, close, form, wallet, usdc, field },
      get: () => form.getByRole('button', { name: 'Get SOL' }).click(SOON),
      /** As the page shows it, beside the wrapped one. */
      sol: async () =>
        Number(await page.getByRole('region', { name: 'Wrapped SOL' }).locator('dd').first().textContent()),
      show: () => form.evaluate((one: { scrollIntoView(): void }) => one.scrollIntoView()),
    };
  }

  async function isWell(page: Page): Promise<void> {
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }

  it.each([
    ['desk', DESK, 'alice'],
    ['phone', PHONE, 'bob'],
  ])(
    'shows what it costs and that it is on its way, until the wallet has more SOL: %s',
    async (where, device, name) => {
      const { page, faults, close, form, wallet, usdc, field, get, sol, show } = await settings(name, device);
      const [had, paid] = [await lamportsOf(name), await usdc()];
      const shown = await sol();
      await field.fill('0.0000000001');
      await form.getByText('up to 9 decimals').waitFor(SOON);
      expect(await form.getByRole('button', { name: 'Get SOL' }).isDisabled()).toBe(true);
      await field.fill('0.03');
      await show();
      await look(page, `solana-top-up-${where}-01-form`);
      await isWell(page);
      await get();
      const progress = form.locator('[data-top-up=pending]');
      await progress.waitFor(SOON);
      expect(await progress.textContent()).toMatch(/^0\.03 SOL for 4\.\d+ USDC on (Base|Celo) is on its way\./);
      await show();
      await look(page, `solana-top-up-${where}-02-under-way`);
      await isWell(page);
      await form.getByText('0.03 SOL has arrived in your Solana wallet.').waitFor(ARRIVED);
      await expect.poll(sol, SOON).toBeCloseTo(shown + 0.03, 6);
      expect((await lamportsOf(name)) - had).toBe(30_000_000n);
      const cost = paid - (await usdc());
      expect([cost > 4_500_000n, cost < 4_700_000n]).toEqual([true, true]);
      expect(wallet.asked.filter(ASKS)).toHaveLength(1);
      await show();
      await look(page, `solana-top-up-${where}-03-arrived`);
      await isWell(page);
      expect(faults).toEqual([]);
      await close();
    },
    180_000,
  );

  it('above the day’s limit it is refused with how much that is and what is left, and the wallet is not asked', async () => {
    const { page, close, form, wallet, field, get, show } = await settings('alice', PHONE);
    await field.fill('0.4');
    await get();
    const refusal = form.getByRole('alert');
    await refusal.waitFor(SOON);
    expect(await refusal.textContent()).toMatch(
      /^That is about 60\.00 USD\. You can top up 50\.00 USD a day\. \d+\.\d\d USD are left\.$/,
    );
    expect(wallet.asked.filter(ASKS)).toEqual([]);
    expect(await form.locator('[data-top-up]').count()).toBe(0);
    await show();
    await look(page, 'solana-top-up-phone-04-refused');
    await isWell(page);
    await close();
  });

  it('declined, and then confirmed: it is the same payment; a reload on the way goes on with it', async () => {
    const { page, close, form, wallet, usdc, field, get, show } = await settings('bob', DESK);
    const [had, paid] = [await lamportsOf('bob'), await usdc()];
    let begun = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/solana/top-up')) begun += 1;
    });
    await bridge({ kind: 'delayed', ms: 8_000 });
    wallet.refuseNext(SENDS);
    await field.fill('0.02');
    await get();
    await form.getByRole('alert').waitFor(SOON);
    await show();
    await look(page, 'solana-top-up-desk-04-declined');
    expect(await usdc()).toBe(paid);
    await get();
    await form.locator('[data-top-up=pending]').waitFor(SOON);
    await page.reload();
    await form.locator('[data-top-up=pending]').waitFor(SOON);
    expect(await form.getByRole('button', { name: 'Get SOL' }).isDisabled()).toBe(true);
    await form.getByText('0.02 SOL has arrived in your Solana wallet.').waitFor(ARRIVED);
    expect((await lamportsOf('bob')) - had).toBe(20_000_000n);
    expect([begun, wallet.asked.filter(ASKS).length]).toEqual([1, 2]);
    await close();
  });

  it('what cannot be delivered comes back, and the page says so', async () => {
    const { page, close, form, usdc, field, get, show } = await settings('alice', PHONE);
    const [had, paid] = [await lamportsOf('alice'), await usdc()];
    await bridge({ kind: 'refunded' });
    await field.fill('0.02');
    await get();
    await form.getByText('Your USDC is back in your wallet').waitFor(ARRIVED);
    await show();
    await look(page, 'solana-top-up-phone-05-came-back');
    await isWell(page);
    expect(await lamportsOf('alice')).toBe(had);
    expect(paid - (await usdc()) < 100_000n).toBe(true);
    await close();
  });
});
