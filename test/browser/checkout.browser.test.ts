// The hosted checkout in a real browser with real wallets against the whole stack: each way to pay and each way not to. At a desk and on a phone.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createTestClient, type Hex, http, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { merchant } from './merchant.ts';
import { fund, look, newcomer, SOON, usdcOf } from './newcomer.ts';
import { scan } from './scan.ts';
import { testWallet } from './wallet.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** A laptop's window below its bars. */
const LAPTOP = { viewport: { width: 1366, height: 657 } };
/** Runs in the page: keeps every time that each step of the progress showed, in the order in which it did. */
const WATCH_TIMES = `globalThis.times = {};
new MutationObserver(() => {
  for (const step of document.querySelectorAll('[data-step]')) {
    const time = parseFloat(step.lastElementChild.textContent);
    const all = (globalThis.times[step.dataset.step] ??= []);
    if (all.at(-1) !== time) all.push(time);
  }
}).observe(document, { subtree: true, childList: true, characterData: true });`;
const DARK = { ...PHONE, colorScheme: 'dark' as const };

describe.skipIf(!chromiumPath)(`the hosted checkout in a browser (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  let shop: ReturnType<typeof merchant>;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
    shop = merchant(stack, 'shop');
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  /** Opens a page that may talk to its own origin only. */
  async function open(path: string, options: Parameters<typeof openPage>[2] = {}) {
    const foreign: string[] = [];
    const watched = (context: BrowserContext) =>
      context.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol !== 'data:' && origin !== stack.baseUrl) foreign.push(request.url());
      });
    const prepare = async (context: BrowserContext) => {
      watched(context);
      await options.prepare?.(context);
    };
    const opened = await openPage(browser, new URL(path, stack.baseUrl).href, { ...options, prepare });
    const close = async () => {
      expect([...foreign, ...opened.faults]).toEqual([]);
      await opened.close();
    };
    return { ...opened, close };
  }

  async function isWell(page: Page): Promise<void> {
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }

  const paid = (page: Page) => page.getByRole('heading', { name: 'Paid', exact: true }).waitFor(SOON);
  const admin = () => createTestClient({ mode: 'anvil', transport: http(stack.local.chains['base']?.rpc_url) });
  const walletOf = (name: string) => stack.local.accounts[name]?.evm_address as Hex;

  it.each(['en', 'de', 'es'])('has the button that pays in sight on a laptop, in %s', async (locale) => {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '20');
    const order = await shop.order({ amount: '12.50', description: 'Two bags of coffee' });
    const { page, close } = await open(order.checkout_url, { ...LAPTOP, locale, prepare: wallet.attach });
    const pay = page.locator('section').getByRole('button', { name: /Base/ });
    await pay.waitFor(SOON);
    const { y = 0, height = 0 } = (await pay.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThan(LAPTOP.viewport.height);
    await isWell(page);
    await close();
  });

  it('is paid by a signature alone, after a no, and every tab sees it at once: at a desk', async () => {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '20');
    const before = await usdcOf(stack, walletOf('shop'));
    const order = await shop.order({ amount: '12.50', description: 'Two bags of coffee' });
    const { page, context, close } = await open(order.checkout_url, { prepare: wallet.attach });
    await page.getByRole('heading', { name: 'Pay @shop · business 12.50 USDC' }).waitFor(SOON);
    expect(await page.title()).toBe('Pay 12.50 USDC to @shop · Ampersat');
    await page.getByText('Two bags of coffee').waitFor();
    await page.getByText('Test mode: play money').waitFor();
    await page.getByText('Pays exactly 12.50 USDC on Base to @shop for this order, once.').waitFor(SOON);
    await page.getByText('Your wallet is on another network.').waitFor(SOON);
    const pay = page.getByRole('button', { name: 'Switch to Base and pay' });
    await pay.waitFor();
    expect(await page.getByRole('timer').textContent()).toMatch(/^(59:\d\d|1:00:00)$/);
    await look(page, 'checkout-desktop-01-awaiting');
    await isWell(page);
    const other = await context.newPage();
    await other.goto(order.checkout_url);

    wallet.refuseNext('wallet_switchEthereumChain');
    await pay.click();
    await page.getByText('You declined the request. You haven’t been charged.').waitFor(SOON);
    wallet.refuseNext('eth_signTypedData_v4');
    await pay.click();
    await page.getByText('You declined the request. You haven’t been charged.').waitFor(SOON);
    // It has switched by now, and the page knows.
    await page.getByRole('button', { name: 'Pay 12.50 USDC' }).waitFor(SOON);
    await look(page, 'checkout-desktop-02-refused');
    expect(await usdcOf(stack, account.address)).toBe(20_000_000n);
    await page.evaluate(WATCH_TIMES);
    await page.getByRole('button', { name: 'Pay 12.50 USDC' }).click();
    await page.getByText('You can close this page').waitFor(SOON);
    await look(page, 'checkout-desktop-03-under-way');
    await Promise.all([paid(page), paid(other)]);
    const times = await page.evaluate<Record<string, number[]>>('globalThis.times');
    expect(times).not.toEqual({});
    for (const [step, shown] of Object.entries(times))
      expect([step, ...shown]).toEqual([step, ...shown.toSorted((a, b) => a - b)]);
    expect(await usdcOf(stack, account.address)).toBe(7_500_000n);
    expect(await usdcOf(stack, walletOf('shop'))).toBe(before + 12_375_000n);
    expect(wallet.asked).not.toContain('eth_sendTransaction');
    await look(page, 'checkout-desktop-04-paid');
    await isWell(page);
    await page.reload();
    await paid(page);

    await page.getByRole('link', { name: 'View receipt' }).click();
    await page.getByText(order.id).waitFor(SOON);
    expect(new URL(page.url()).pathname).toBe(`/o/${order.id}/receipt`);
    await expect.poll(() => page.title(), SOON).toBe('Receipt: 12.50 USDC to @shop · Ampersat');
    const facts = page.getByRole('article', { name: 'Receipt' }).getByRole('definition');
    expect(await facts.allTextContents()).toEqual(expect.arrayContaining(['@shop', '12.50 USDC', 'Base', order.id]));
    expect(await facts.getByRole('time').textContent()).toMatch(/\d:\d\d\s[AP]M\s[A-Z]{3,4}/);
    await look(page, 'checkout-desktop-05-receipt');
    await isWell(page);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button').count()).toBe(0);
    await look(page, 'checkout-desktop-06-receipt-on-paper');
    await close();
  });

  it('is paid with the keyboard alone, by a wallet that does not know the network', async () => {
    const { account } = newcomer(stack);
    await fund(stack, account.address, '3');
    const wallet = testWallet({ account, chains: [] });
    const order = await shop.order({ amount: '3.00' });
    const { page, close } = await open(order.checkout_url, { prepare: wallet.attach });
    await page.getByRole('button', { name: 'Switch to Base and pay' }).waitFor(SOON);
    const focused: string[] = [];
    for (let presses = 0; presses < 12 && focused.at(-1) !== 'Switch to Base and pay'; presses += 1) {
      await page.keyboard.press('Tab');
      focused.push(await page.evaluate<string>('document.activeElement.innerText'));
    }
    expect(focused).toEqual(['@\nAmpersat', 'Change', 'Switch to Base and pay']);
    await page.keyboard.press('Enter');
    await paid(page);
    expect(wallet.added).toMatchObject([{ chainId: '0x2105', chainName: 'Base (local)' }]);
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Paid');
    await page.keyboard.press('Tab');
    await close();
  });

  it('is paid with the native coin by the wallet itself, once there is enough: on a phone', async () => {
    const { account, wallet } = newcomer(stack);
    const order = await shop.order({ amount: '0.004', currency: 'ETH' });
    const { page, close } = await open(order.checkout_url, { prepare: wallet.attach, ...PHONE });
    await page.getByText('It has 0.00 ETH on Base; you need 0.004 ETH.').waitFor(SOON);
    await look(page, 'checkout-phone-01-too-little');
    await isWell(page);
    await admin().setBalance({ address: account.address, value: parseEther('1') });
    await page.getByRole('button', { name: 'Check again' }).tap();
    await page.getByText('Your wallet adds the network fee.').waitFor(SOON);
    await page.getByText('Network fee only').waitFor(SOON);
    expect(await page.getByText('No fee').count()).toBe(0);
    await look(page, 'checkout-phone-02-native');
    wallet.refuseNext('eth_sendTransaction');
    const pay = page.getByRole('button', { name: /^(Switch to Base and pay|Pay 0.004 ETH)$/ });
    await pay.tap();
    await page.getByText('You declined the request. You haven’t been charged.').waitFor(SOON);
    await pay.tap();
    await page
      .getByText(/Sent by your wallet|Sent\. Waiting/)
      .or(page.getByText('Waiting for confirmations'))
      .first()
      .waitFor(SOON);
    // A page that is loaded anew asks for no second payment.
    await page.reload();
    await page
      .getByText(/Sent\. Waiting|Waiting for confirmations/)
      .or(page.getByRole('heading', { name: 'Paid', exact: true }))
      .first()
      .waitFor(SOON);
    expect(await pay.count()).toBe(0);
    await paid(page);
    await look(page, 'checkout-phone-03-paid');
    expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2);
    await close();
  });

  it('is paid by two transactions of a wallet that cannot sign for it', async () => {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '6');
    await admin().setBalance({ address: account.address, value: parseEther('1') });
    // Delegated (EIP-7702) to code that knows no signatures.
    const code = `0xef0100${stack.local.chains['base']?.routers.payment.slice(2)}` as Hex;
    await admin().setCode({ address: account.address, bytecode: code });
    const order = await shop.order({ amount: '6.00' });
    const { page, close } = await open(order.checkout_url, { prepare: wallet.attach, ...PHONE });
    await page.getByText('Your wallet asks you 2 times:').waitFor(SOON);
    await page.getByText('Lets Ampersat’s payment contract take exactly 6.00 USDC').waitFor();
    await look(page, 'checkout-phone-12-two-questions');
    await isWell(page);
    await page.getByRole('button', { name: 'Switch to Base and pay' }).tap();
    await paid(page);
    expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2);
    expect(await usdcOf(stack, account.address)).toBe(0n);
    await close();
  });

  it('begins one order of a link, with an amount within its range, however often it is loaded: on a phone', async () => {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '10');
    const link = await shop.link({ label: 'Support us', open_amount: true, min_amount: '2', max_amount: '50' });
    const { page, close } = await open(link.url, { prepare: wallet.attach, ...DARK });
    const amount = page.getByRole('textbox', { name: 'Amount' });
    await amount.waitFor(SOON);
    expect(await page.title()).toBe('Pay @shop · Ampersat');
    await page.getByRole('button', { name: 'Enter an amount' }).tap();
    await page.getByText('Enter the amount you want to pay.').waitFor();
    await amount.fill('1.99');
    await amount.press('Enter');
    await page.getByText('The minimum is 2.00 USDC.').waitFor();
    await look(page, 'checkout-phone-04-link');
    await isWell(page);
    await amount.fill('50,01');
    await amount.press('Enter');
    await page.getByText('The maximum is 50.00 USDC.').waitFor();
    await amount.fill('4.2');
    await page.reload();
    await page.getByRole('button', { name: 'Pay 4.20 USDC' }).waitFor(SOON);
    expect(await amount.inputValue()).toBe('4.2');
    await page.getByRole('button', { name: 'Pay 4.20 USDC' }).tap();
    await page.waitForURL(/\/o\/ord_/);
    await page.getByRole('heading', { name: /4\.20 USDC/ }).waitFor(SOON);
    const orderUrl = page.url();
    await page.reload();
    await page.getByRole('heading', { name: /4\.20 USDC/ }).waitFor(SOON);
    await page.goto(link.url);
    await page.getByText('You started a payment of 4.20 USDC').waitFor(SOON);
    await look(page, 'checkout-phone-05-go-on');
    expect(await shop.ordersOf(link.id)).toHaveLength(1);
    await shop.deactivate(link.id);
    await page.reload();
    await page.getByText('This link no longer accepts payments').waitFor(SOON);
    await page.getByRole('link', { name: 'Continue' }).tap();
    await page.waitForURL(orderUrl);
    await page.getByRole('button', { name: /^(Switch to Base and pay|Pay 4.20 USDC)$/ }).tap(SOON);
    await paid(page);
    expect(await shop.ordersOf(link.id)).toMatchObject([{ amount: '4.20', status: 'completed' }]);
    await page.goto(link.url);
    await page.getByText('This link no longer accepts payments').waitFor(SOON);
    expect(await page.getByText('You started a payment of 4.20 USDC').count()).toBe(0);
    await look(page, 'checkout-phone-06-link-over');
    await close();
  });

  it('is paid by plain transfers to its own address, in two parts: on a phone', async () => {
    const order = await shop.order({ amount: '9.00', description: 'A book' });
    const { page, context, close } = await open(order.checkout_url, DARK);
    await page.getByText('No wallet found in this browser.').waitFor(SOON);
    await look(page, 'checkout-phone-07-no-wallet');
    await page.getByRole('button', { name: 'Send from a wallet or exchange' }).tap();
    await page.getByRole('heading', { name: 'Send exactly 9.00 USDC on Base' }).waitFor(SOON);
    const address = (await page.getByText(/^0x[0-9a-fA-F]{40}$/).textContent()) as Hex;
    const code = page.getByRole('img', { name: /^QR code for 9\.00 USDC on Base/ });
    const read = await scan(code);
    const token = stack.local.chains['base']?.usdc.toLowerCase();
    expect(read.toLowerCase()).toBe(`ethereum:${token}@8453/transfer?address=${address.toLowerCase()}&uint256=9000000`);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.baseUrl });
    await page.getByRole('button', { name: 'Copy the address' }).tap();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address);
    await look(page, 'checkout-phone-08-address');
    await isWell(page);
    await fund(stack, address, '2.5');
    await page.getByText('2.50 USDC received, 6.50 USDC still due.').waitFor(SOON);
    await page.reload();
    await page.getByText('2.50 USDC received, 6.50 USDC still due.').waitFor(SOON);
    expect(await page.getByText(address).count()).toBe(1);
    // It asks for the rest.
    expect(await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')).toMatch(/&uint256=6500000$/);
    await look(page, 'checkout-phone-09-part-paid');
    await isWell(page);
    await fund(stack, address, '6.5');
    await paid(page);
    await close();
  });

  it('says that it is over: cancelled while somebody looks, or too late', async () => {
    const [one, other] = await Promise.all([
      shop.order({ amount: '1.00' }),
      shop.order({ amount: '2.00', expires_in: 60 }),
    ]);
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '5');
    const { page, context, faults, close } = await open(one.checkout_url, { prepare: wallet.attach, ...PHONE });
    await page.getByRole('button', { name: 'Switch to Base and pay' }).waitFor(SOON);
    await shop.cancel(one.id);
    await page.getByRole('heading', { name: '@shop cancelled this order' }).waitFor(SOON);
    await look(page, 'checkout-phone-10-cancelled');
    await isWell(page);
    // Without a stream the page asks again.
    const third = await shop.order({ amount: '3.00' });
    await context.route('**/events', (route) => route.abort());
    await page.goto(third.checkout_url);
    await page.getByRole('button', { name: 'Switch to Base and pay' }).waitFor(SOON);
    await shop.cancel(third.id);
    await page.getByRole('heading', { name: '@shop cancelled this order' }).waitFor(SOON);
    await context.unroute('**/events');
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes('ERR_FAILED')));
    await page.clock.install();
    await page.goto(other.checkout_url);
    await page.getByRole('button', { name: 'Switch to Base and pay' }).waitFor(SOON);
    await page.getByText('Less than a minute left to pay.').waitFor({ state: 'attached' });
    // The service is as late as the page: else its next answer would set the page's clock right.
    const isAnswer = ({ pathname }: URL) => pathname.startsWith('/api/') && !pathname.endsWith('/events');
    await context.route(isAnswer, async (route) => {
      const response = await route.fetch();
      const date = new Date(Date.now() + 61_000).toUTCString();
      await route.fulfill({ response, headers: { ...response.headers(), date } });
    });
    await page.clock.runFor(61_000);
    await page.getByRole('heading', { name: 'This order has expired' }).waitFor(SOON);
    expect(await page.getByRole('button', { name: /pay/i }).count()).toBe(0);
    await look(page, 'checkout-phone-11-expired');
    await isWell(page);
    expect(wallet.asked).not.toContain('eth_signTypedData_v4');
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await close();
  });

  it('says so when there is nothing, when the service does not answer, and goes on by itself once it does', async () => {
    const { page, context, faults, close } = await open('/o/ord_00000000000000000000000000');
    await page.getByText('Order not found').last().waitFor(SOON);
    await page.goto(`${stack.baseUrl}/l/plk_00000000000000000000000000`);
    await page.getByText('Payment link not found').last().waitFor(SOON);
    await page.goto(`${stack.baseUrl}/o/ord_00000000000000000000000000/receipt`);
    await page.getByText('Receipt not found').last().waitFor(SOON);
    const order = await shop.order({ amount: '1.00' });
    await context.route('**/api/**', (route) => route.abort());
    await page.goto(order.checkout_url);
    // The document brought the order with it.
    await page.getByRole('heading', { name: /1\.00 USDC/ }).waitFor(SOON);
    const away = page.getByText('Ampersat isn’t reachable right now.');
    await away.waitFor(SOON);
    await look(page, 'checkout-desktop-07-unreachable');
    await isWell(page);
    await context.unroute('**/api/**');
    await away.waitFor({ ...SOON, state: 'detached' });
    await page.goto(`${order.checkout_url}/receipt`);
    await page.getByText('this order isn’t paid').waitFor(SOON);
    faults.splice(0, faults.length, ...faults.filter((fault) => !/404|ERR_FAILED/.test(fault)));
    await close();
  });
});
