// Orders on Solana in a browser: paid by its wallet, by a code that a second wallet scans, and by hand; refunded by the merchant's wallet. At a desk and
// on a phone.
import { Connection, Keypair, PublicKey, Transaction, VersionedTransaction } from '@solana/web3.js';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { SOLANA_ROLES } from '../../local/stack/roles.ts';
import { tokenAccount } from '../../src/chain/solana/addresses.ts';
import { usdcTransfer } from '../setup/solanaTransfers.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { cameBackTo, OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { merchant } from './merchant.ts';
import { look, SOON } from './newcomer.ts';
import { scan } from './scan.ts';
import { solanaTestWallet } from './solanaWallet.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const LATER = { timeout: 120_000 };

describe.skipIf(!chromiumPath)(`an order on Solana (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  let shop: ReturnType<typeof merchant>;
  let node: Connection;
  let usdc: string;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['solana'] }), workersBrowser()]);
    shop = merchant(stack, 'shop');
    const chain = stack.local.chains.solana;
    if (!chain) throw new Error('the stack runs Solana');
    node = new Connection(chain.rpc_url, 'confirmed');
    usdc = chain.usdc;
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const bob = localSolanaKey('bob');
  const own = () => solanaTestWallet(localSolanaKey('alice'));
  const usdcOf = async (name: string) => {
    const { address } = tokenAccount(localSolanaKey(name).address, usdc);
    return BigInt((await node.getTokenAccountBalance(new PublicKey(address))).value.amount);
  };
  const paid = (page: Page) => page.getByRole('heading', { name: 'Paid', exact: true }).waitFor(LATER);
  async function isWell(page: Page): Promise<void> {
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }
  /** A transfer that bob's wallet makes by itself. */
  async function transfer(to: string, units: bigint, memo?: string): Promise<void> {
    const { secretKey, publicKey } = Keypair.fromSecretKey(bob.secretBytes);
    const transaction = new Transaction({ feePayer: publicKey, ...(await node.getLatestBlockhash()) });
    transaction.add(...usdcTransfer(usdc, bob, to, units, memo === undefined ? {} : { memo }));
    transaction.sign({ secretKey, publicKey });
    await node.sendRawTransaction(transaction.serialize());
  }

  it('is paid by one signature of a wallet, and refunded by one of the merchant’s', async () => {
    const wallet = own();
    const had = { alice: await usdcOf('alice'), shop: await usdcOf('shop') };
    const order = await shop.order({ chain: 'solana', amount: '12.50', description: 'Two bags of coffee' });
    const { page, faults, close } = await openPage(browser, order.checkout_url, { prepare: wallet.attach });
    await page.getByRole('button', { name: 'Pay with Test Solana Wallet' }).click(SOON);
    await page.getByText('Your wallet asks for one signature:').waitFor(SOON);
    await page.getByText('Pays exactly 12.50 USDC on Solana to @shop for this order, once.').waitFor(SOON);
    await page.getByText('You pay no network fee.').waitFor(SOON);
    await look(page, 'solana-order-desk-01-wallet');
    await isWell(page);
    wallet.refuseNext('solana_signTransaction');
    const pay = page.getByRole('button', { name: 'Pay 12.50 USDC' });
    await pay.click(SOON);
    await page.getByText('You declined the request. You haven’t been charged.').waitFor(SOON);
    await pay.click(SOON);
    await page.getByText('You can close this page').waitFor(SOON);
    await look(page, 'solana-order-desk-02-under-way');
    await paid(page);
    await look(page, 'solana-order-desk-03-paid');
    await isWell(page);
    expect([had.alice - (await usdcOf('alice')), (await usdcOf('shop')) - had.shop]).toEqual([
      12_500_000n,
      12_375_000n,
    ]);

    const till = solanaTestWallet(localSolanaKey('shop'));
    const session = stack.local.accounts['shop']?.session ?? '';
    const prepare = async (context: BrowserContext) => {
      await till.attach(context);
      await context.addCookies([{ name: 'service-session', value: session, url: stack.baseUrl }]);
    };
    const desk = await openPage(browser, `${stack.baseUrl}/orders/${order.id}`, { prepare });
    await desk.page.getByRole('button', { name: 'Refund…' }).click(LATER);
    await desk.page.getByRole('textbox', { name: 'Refund amount' }).fill('2.5');
    await desk.page.getByText('Your wallet signs it; Ampersat pays the network fee.').waitFor(SOON);
    await look(desk.page, 'solana-order-desk-04-refund');
    await isWell(desk.page);
    await desk.page.getByRole('button', { name: 'Refund 2.50 USDC' }).click(SOON);
    await desk.page.getByText('2.50 USDC refunded').or(desk.page.getByText('Refunded')).first().waitFor(LATER);
    await expect.poll(() => usdcOf('alice'), LATER).toBe(had.alice - 10_000_000n);
    await look(desk.page, 'solana-order-desk-05-refunded');
    expect([...faults, ...desk.faults]).toEqual([]);
    await desk.close();
    await close();
  }, 240_000);

  it('is paid by a code that a second wallet scans: on a phone', async () => {
    const had = await usdcOf('bob');
    const order = await shop.order({ chain: 'solana', amount: '7.00' });
    const { page, faults, close } = await openPage(browser, order.checkout_url, PHONE);
    await page.getByRole('button', { name: 'Scan a code, or send from elsewhere' }).tap(SOON);
    const code = page.getByRole('img', { name: /^QR code for 7\.00 USDC on Solana/ });
    await code.waitFor(SOON);
    await look(page, 'solana-order-phone-01-code');
    await isWell(page);
    const link = (await scan(code)).slice('solana:'.length);
    expect(await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')).toBe(`solana:${link}`);
    const label = (await (await fetch(link)).json()) as { icon: string };
    expect(label).toMatchObject({ label: '@shop · Ampersat' });
    const icon = await fetch(label.icon);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    const answer = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account: bob.address }),
    });
    const { transaction } = (await answer.json()) as { transaction: string };
    const whole = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
    whole.sign([Keypair.fromSecretKey(bob.secretBytes)]);
    await node.sendRawTransaction(whole.serialize());
    await paid(page);
    await look(page, 'solana-order-phone-02-paid');
    expect(had - (await usdcOf('bob'))).toBe(7_000_000n);
    expect(faults).toEqual([]);
    await close();
  }, 240_000);

  it('is paid by hand: a part to its address, and the rest to the treasury with the memo', async () => {
    const order = await shop.order({ chain: 'solana', amount: '9.00' });
    const { page, faults, close } = await openPage(browser, order.checkout_url, PHONE);
    await page.getByRole('button', { name: 'Scan a code, or send from elsewhere' }).tap(SOON);
    const address = page.getByText(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    await transfer((await address.first().textContent(SOON)) ?? '', 4_000_000n);
    await page.getByText('4.00 USDC received, 5.00 USDC still due.').waitFor(LATER);
    await page.getByText('Your wallet or exchange doesn’t take this address?').tap(SOON);
    await page.getByText('Address, only with the memo').waitFor(SOON);
    await look(page, 'solana-order-phone-03-memo');
    await isWell(page);
    await transfer((await address.last().textContent(SOON)) ?? '', 5_000_000n, order.id);
    await paid(page);
    expect(faults).toEqual([]);
    await close();
  }, 240_000);

  it('shows operators what named no order, and returns it to its sender at a press, once', async () => {
    const had = await usdcOf('bob');
    await transfer(SOLANA_ROLES.treasury.address, 6_000_000n, 'for the blue one');
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/operations/transfers`, PHONE);
    await page.getByLabel('Admin secret').fill(stack.local.admin_secret);
    await page.getByRole('button', { name: 'Sign in for 12 hours' }).tap(SOON);
    const back = page.getByRole('button', { name: `Return 6.00 USDC to ${bob.address}` });
    await cameBackTo(page, back, LATER.timeout);
    await page.getByText('Named no order').waitFor(SOON);
    await look(page, 'solana-transfers-phone-01-waiting');
    await isWell(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await look(page, 'solana-transfers-desk-01-waiting');
    await back.tap(SOON);
    await page.getByText('On its way back.', { exact: true }).waitFor(SOON);
    await page.getByRole('link', { name: 'All', exact: true }).tap(SOON);
    await cameBackTo(page, page.getByText('Returned', { exact: true }), LATER.timeout);
    await look(page, 'solana-transfers-desk-02-returned');
    expect(await usdcOf('bob')).toBe(had);
    await isWell(page);
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await close();
  }, 240_000);
});
