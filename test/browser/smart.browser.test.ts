// An order on Base paid from other chains in a real browser, at a desk and on a phone: from one, from several at once, with a part that comes back.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createTestClient, http, parseEther, publicActions } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { withMempool } from './mempool.ts';
import { merchant } from './merchant.ts';
import { fund, look, newcomer, SOON, usdcOf } from './newcomer.ts';
import { solanaTestWallet } from './solanaWallet.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LAPTOP = { viewport: { width: 1366, height: 900 } };

describe.skipIf(!chromiumPath)(`smart payments in a browser (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  let shop: ReturnType<typeof merchant>;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['celo', 'ink', 'solana'] }), workersBrowser()]);
    shop = merchant(stack, 'shop');
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
  const faultsUrl = () => `${stack.local.bridges_url}/_user/faults`;
  async function faults(body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(faultsUrl(), { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
  }
  afterEach(async () => {
    await fetch(faultsUrl(), { method: 'DELETE' });
  });

  it.each([
    ['laptop', LAPTOP],
    ['phone', PHONE],
  ])('from Celo with one signature and no gas, on a %s', async (name, screen) => {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '40', 'celo');
    const order = await shop.order({ amount: '25', description: 'A chair' });
    const { page, faults: pageFaults, close } = await open(order.checkout_url, { ...screen, prepare: wallet.attach });
    const way = page.locator('[data-way]');
    await way.waitFor(SOON);
    expect(await way.count()).toBe(1);
    expect(await way.textContent()).toMatch(
      /USDC on Celo.*in fees.*You have 40\.00 USDC · about \d+ s · your wallet asks once/,
    );
    await isWell(page);
    await look(page, `smart-${name}-01-ways`);
    await page.getByRole('button', { name: 'Pay 25.00 USDC' }).click();
    await page.locator('[data-step="waiting_for_confirmation"]').waitFor(SOON);
    await isWell(page);
    await look(page, `smart-${name}-02-under-way`);
    await paid(page);
    await look(page, `smart-${name}-03-paid`);
    expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1);
    expect(wallet.asked).not.toContain('eth_sendTransaction');
    expect(await usdcOf(stack, account.address, 'celo')).toBeLessThan(15_000_000n);
    expect(pageFaults).toEqual([]);
    await close();
  });

  it('from two chains at once, each on its own network; a part that was declined is given later', async () => {
    const { account, wallet } = newcomer(stack);
    await Promise.all([fund(stack, account.address, '12', 'celo'), fund(stack, account.address, '11', 'base')]);
    const order = await shop.order({ amount: '20', description: 'Two chairs' });
    const { page, close } = await open(order.checkout_url, { ...PHONE, prepare: wallet.attach });
    const way = page.locator('[data-way^="multi"]');
    await way.waitFor(SOON);
    expect(await way.textContent()).toMatch(/USDC on Base \+ USDC on Celo/);
    await isWell(page);
    await look(page, 'smart-phone-04-pack');
    let signed = 0;
    const decline = () => {
      signed += 1;
      if (signed === 1) wallet.refuseNext('wallet_switchEthereumChain');
    };
    page.on('response', (response) => {
      if (/\/legs\/1$/.test(response.url())) decline();
    });
    await page.getByRole('button', { name: 'Pay 20.00 USDC' }).click();
    await page.getByText('You declined a part.').waitFor(SOON);
    await look(page, 'smart-phone-05-half-given');
    await page.reload();
    await page.getByRole('button', { name: 'Continue in your wallet' }).click(SOON);
    await paid(page);
    expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(2);
    await close();
  });

  it('from Celo and Solana at once: each wallet signs its part', async () => {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '30', 'celo');
    // Alice has 1,000 USDC there.
    const solana = solanaTestWallet(localSolanaKey('alice'));
    const order = await shop.order({ amount: '1010', description: 'A sofa' });
    const prepare = async (context: BrowserContext) => {
      await wallet.attach(context);
      await solana.attach(context);
    };
    const { page, faults: pageFaults, close } = await open(order.checkout_url, { ...LAPTOP, prepare });
    await page.getByRole('button', { name: 'Also use Test Solana Wallet' }).click(SOON);
    const way = page.locator('[data-way^="multi"]');
    await way.waitFor(SOON);
    expect(await way.textContent()).toMatch(/USDC on Solana/);
    expect(await way.textContent()).toMatch(/USDC on Celo/);
    await isWell(page);
    await look(page, 'smart-laptop-07-celo-and-solana');
    await page.getByRole('button', { name: 'Pay 1,010.00 USDC' }).click();
    await paid(page);
    await look(page, 'smart-laptop-08-both-paid');
    expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1);
    expect(pageFaults).toEqual([]);
    await close();
  });

  it('one part comes back, and the rest is paid later', async () => {
    const { account, wallet } = newcomer(stack);
    await Promise.all([fund(stack, account.address, '12', 'celo'), fund(stack, account.address, '11', 'base')]);
    const order = await shop.order({ amount: '20', description: 'Three chairs', expires_in: 7_200 });
    await faults({ bridge: 'across', kind: 'never_filled' });
    const { page, close } = await open(order.checkout_url, { ...LAPTOP, prepare: wallet.attach });
    await page.locator('[data-way^="multi"]').waitFor(SOON);
    await page.getByRole('button', { name: 'Pay 20.00 USDC' }).click();
    // Both are on their way at once, until one has arrived.
    await page.locator('[data-leg="arrived"]').waitFor(SOON);
    await page.locator('[data-leg="bridging"]').waitFor(SOON);
    await stack.later(31 * 60_000);
    await page.getByText('A part of the payment arrived').waitFor(SOON);
    await page.getByText('the bridge sent it back to your wallet').waitFor(SOON);
    await isWell(page);
    await look(page, 'smart-laptop-06-partly');
    await page.reload();
    await page.getByRole('button', { name: 'Pay the rest' }).click(SOON);
    await page.getByRole('button', { name: 'Pay 9.00 USDC' }).click(SOON);
    await paid(page);
    expect(await usdcOf(stack, account.address, 'base')).toBe(0n);
    await close();
  });

  it('while the bridges are away it says so, what the wallet has elsewhere, and offers them again once they answer', async () => {
    const { account, wallet } = newcomer(stack);
    await Promise.all([fund(stack, account.address, '40', 'celo'), fund(stack, account.address, '2', 'base')]);
    const order = await shop.order({ amount: '25', description: 'A lamp' });
    for (const bridge of ['across', 'relay']) await faults({ bridge, kind: 'away', times: 1_000 });
    const { page, close } = await open(order.checkout_url, { ...PHONE, prepare: wallet.attach });
    await page.getByText('Across and Relay aren’t answering right now').waitFor(SOON);
    await page.getByText('2.00 USDC').first().waitFor(SOON);
    expect(await page.locator('[data-way]').count()).toBe(0);
    await isWell(page);
    await look(page, 'smart-phone-09-away');
    await fetch(faultsUrl(), { method: 'DELETE' });
    await page.locator('[data-way]').first().waitFor(SOON);
    await page.getByRole('button', { name: 'Pay 25.00 USDC' }).click();
    await paid(page);
    await close();
  });

  it('what its bridge gave up is named beside the next payment, until it is back', async () => {
    const { account, wallet } = newcomer(stack);
    const { rpc_url: url = '' } = stack.local.chains['celo'] ?? {};
    const admin = createTestClient({ mode: 'anvil', transport: http(url) }).extend(publicActions);
    await admin.setBalance({ address: account.address, value: parseEther('100') });
    const order = await shop.order({ amount: '9', description: 'A shelf', expires_in: 7_200 });
    await faults({ bridge: 'relay', kind: 'failed', ms: 3_600_000 });
    const { page, close } = await open(order.checkout_url, { ...PHONE, prepare: wallet.attach });
    await page.locator('[data-way]').first().waitFor(SOON);
    await page.getByRole('button', { name: 'Pay 9.00 USDC' }).click();
    await page.getByText('The payment didn’t go through.').waitFor(SOON);
    await page.getByText('Relay couldn’t deliver it and still has the money.').waitFor(SOON);
    await isWell(page);
    await look(page, 'smart-phone-10-given-up');
    await page.getByRole('button', { name: 'Choose again' }).click();
    const earlier = page.getByRole('heading', { name: 'Your earlier payment' });
    await earlier.waitFor(SOON);
    await page.locator('[data-way]').first().waitFor(SOON);
    await isWell(page);
    await look(page, 'smart-phone-11-earlier');
    await page.reload();
    await earlier.waitFor(SOON);
    await stack.later(61 * 60_000);
    await expect
      .poll(() => admin.getBalance({ address: account.address }), { timeout: 60_000 })
      .toBeGreaterThan(parseEther('99'));
    // What was given up is looked at once in a minute.
    await stack.later(61_000);
    await earlier.waitFor({ ...SOON, state: 'detached' });
    expect(await page.locator('[data-way]').count()).toBeGreaterThan(0);
    await close();
  });

  it('an order that ends while its money is on its way says so, and when the money is back', async () => {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '40', 'celo');
    const order = await shop.order({ amount: '25', description: 'A bench', expires_in: 960 });
    await faults({ bridge: 'across', kind: 'never_filled' });
    const { page, close } = await open(order.checkout_url, { ...PHONE, prepare: wallet.attach });
    await page.locator('[data-way]').waitFor(SOON);
    await page.getByRole('button', { name: 'Pay 25.00 USDC' }).click();
    await page.locator('[data-step="bridge_processing"]').waitFor(SOON);
    // Once its own deadline and the order's are over, and before the bridge has sent it back.
    await stack.later(17 * 60_000);
    await page.getByText('This order has expired').waitFor(SOON);
    await page.getByText('The money is back in your wallet').waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Choose again' }).count()).toBe(0);
    await isWell(page);
    await look(page, 'smart-phone-08-expired');
    await page.reload();
    await page.getByText('The money is back in your wallet').waitFor(SOON);
    await close();
  });

  it('from the native asset of another chain, through Relay; a reload right after the wallet sent it pays once', async () => {
    const { account, wallet } = newcomer(stack);
    const { rpc_url: url = '' } = stack.local.chains['celo'] ?? {};
    const admin = createTestClient({ mode: 'anvil', transport: http(url) }).extend(publicActions);
    await admin.setBalance({ address: account.address, value: parseEther('100') });
    const order = await shop.order({ amount: '9', description: 'A stool' });
    const { page, close } = await open(order.checkout_url, { ...PHONE, prepare: wallet.attach });
    const way = page.locator('[data-way]');
    await way.first().waitFor(SOON);
    expect(await way.first().textContent()).toMatch(/CELO on Celo.*in fees/);
    await isWell(page);
    await look(page, 'smart-phone-07-native');
    // The service does not hear of it: the page is gone in that very moment.
    await page.route('**/legs/1', (route) => route.abort());
    await page.getByRole('button', { name: 'Pay 9.00 USDC' }).click();
    await expect.poll(() => wallet.asked.includes('eth_sendTransaction'), { timeout: 30_000 }).toBe(true);
    await expect
      .poll(() => page.evaluate<string>('JSON.stringify(localStorage)'), { timeout: 30_000 })
      .toMatch(/sent[^}]*0x[0-9a-f]{64}/);
    await page.unroute('**/legs/1');
    await page.reload();
    await paid(page);
    expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
    expect(await admin.getBalance({ address: account.address })).toBeLessThan(parseEther('90'));
    await close();
  });

  const NOT_SEEN = 'Your wallet sent it, and the network doesn’t show it yet.';

  it('what the wallet sent and no node shows is paid once: nothing else can be paid meanwhile, in any tab', async () => {
    const { wallet, publish, close: closeMempool } = await withMempool(stack);
    const order = await shop.order({ amount: '9', description: 'A mirror' });
    const { page, close } = await open(order.checkout_url, { ...PHONE, prepare: wallet.attach });
    const pay = (tab: Page) => tab.getByRole('button', { name: 'Pay 9.00 USDC' });
    await page.locator('[data-way]').first().waitFor(SOON);
    const release = wallet.holdNext();
    await pay(page).click();
    await expect.poll(() => wallet.asked.includes('eth_sendTransaction'), { timeout: 30_000 }).toBe(true);
    // While one tab’s wallet is open, another one asks for nothing.
    const other = await page.context().newPage();
    await other.goto(page.url());
    await pay(other).click(SOON);
    await other.getByText('This payment is open in another tab.').waitFor(SOON);
    await isWell(other);
    await look(other, 'smart-phone-12-other-tab');
    release();
    await page.getByText('Sent. Waiting for the network…').waitFor(SOON);
    await other.reload();
    await other.getByText(NOT_SEEN).waitFor(SOON);
    await page.reload();
    await page.getByRole('button', { name: 'Check status' }).click(SOON);
    for (const tab of [page, other]) expect(await tab.locator('[data-way]').or(pay(tab)).count()).toBe(0);
    await isWell(page);
    await look(page, 'smart-phone-13-not-seen');
    await publish();
    await Promise.all([paid(page), paid(other)]);
    expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
    await Promise.all([close(), closeMempool()]);
  });

  it('a tab that was open before another one paid shows that payment, and asks for no other', async () => {
    const { wallet, publish, close: closeMempool } = await withMempool(stack);
    const order = await shop.order({ amount: '9', description: 'A tray' });
    const { page, close } = await open(order.checkout_url, { ...PHONE, prepare: wallet.attach });
    const pay = (tab: Page) => tab.getByRole('button', { name: 'Pay 9.00 USDC' });
    await pay(page).waitFor(SOON);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await pay(other).waitFor(SOON);
    await pay(page).click();
    await page.getByText('Sent. Waiting for the network…').waitFor(SOON);
    // Its tab goes, as the browser of a phone ends those in the background.
    await page.close();
    await pay(other).click();
    await other.getByText(NOT_SEEN).waitFor(SOON);
    await publish();
    await paid(other);
    expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
    await Promise.all([close(), closeMempool()]);
  });

  it('what its owner saw dropped can be paid again', async () => {
    const { wallet, drop, close: closeMempool } = await withMempool(stack);
    const order = await shop.order({ amount: '9', description: 'A frame' });
    const { page, close } = await open(order.checkout_url, { ...PHONE, prepare: wallet.attach });
    await page.getByRole('button', { name: 'Pay 9.00 USDC' }).click(SOON);
    await page.getByText('Sent. Waiting for the network…').waitFor(SOON);
    drop();
    // A page says it after a minute and a half: the wallet sent it two minutes ago.
    await page.evaluate(`for (const [key, value] of Object.entries(localStorage))
      if (key.startsWith('smart-sent:'))
        localStorage.setItem(key, value.replace(/"at":(\\d+)/, (_, at) => '"at":' + (at - 120000)))`);
    await page.reload();
    const again = page.getByRole('button', { name: 'It was dropped: pay again' });
    await again.waitFor(SOON);
    await isWell(page);
    await look(page, 'smart-phone-14-dropped');
    await again.click();
    await page.getByRole('button', { name: 'Pay 9.00 USDC' }).click(SOON);
    await paid(page);
    expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2);
    await Promise.all([close(), closeMempool()]);
  });

  it('what is kept of a payment that the service doesn’t have keeps nobody from paying', async () => {
    const { wallet, drop, close: closeMempool } = await withMempool(stack);
    drop();
    const order = await shop.order({ amount: '9', description: 'A vase' });
    const { page, close } = await open(order.checkout_url, { ...PHONE, prepare: wallet.attach });
    const pay = page.getByRole('button', { name: 'Pay 9.00 USDC' });
    await pay.waitFor(SOON);
    const kept = { id: `pay_${'0'.repeat(26)}`, candidateId: 'gone', payer: `0x${'11'.repeat(20)}` };
    const sent = { kept, sent: { 0: { hash: `0x${'ab'.repeat(32)}`, at: 1 } } };
    await page.evaluate(`localStorage.setItem('smart:${order.id}', '${JSON.stringify(kept)}');
      localStorage.setItem('smart-sent:${order.id}:${kept.id}', '${JSON.stringify(sent)}')`);
    await page.reload();
    await expect.poll(() => page.evaluate('JSON.stringify(localStorage)'), SOON).not.toContain(kept.id);
    await pay.click(SOON);
    await paid(page);
    await Promise.all([close(), closeMempool()]);
  });
});
