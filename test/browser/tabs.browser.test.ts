// Tabs in a real browser with real wallets against the whole stack: opened, claimed, taken back, sent back when their time is up. At a desk
// and on a phone.
import type { Browser, Page } from 'playwright-core';
import { createPublicClient, createTestClient, createWalletClient, type Hex, http } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { encodeOpen, escrowOnChainId, handleKey } from '../../src/chain/routers/escrow.ts';
import type { EvmChain } from '../../src/chain/rpc/client.ts';
import { waitForReceipt } from '../../src/chain/rpc/receipts.ts';
import { approveCall } from '../../src/domain/escrowCalls.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { expireSession, OMISSIONS, openPage, workersBrowser } from './browser.ts';
import { fund, joinAs, look, newcomer, resident, SOON, usdcOf } from './newcomer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' as const };
const HOUR_MS = 3_600_000;

describe.skipIf(!chromiumPath)(`tabs in a browser (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  it('opens a tab for a handle, asks again after a no, and is claimed by its recipient alone: at a desk', async () => {
    const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => resident(stack, name)) as [Who, Who, Who];
    const before = await usdcOf(stack, alice.account.address);
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/tabs`, { prepare: alice.wallet.attach });
    await page.getByText('Nothing is waiting for you').waitFor(SOON);
    await page.getByText('No tabs sent yet').waitFor(SOON);
    await look(page, 'desktop-tabs-01-none');
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    await page.getByRole('link', { name: 'New tab' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('nobodyhere');
    await page.getByText('@nobodyhere isn’t on Ampersat.').waitFor(SOON);
    await page.getByRole('textbox', { name: 'Name' }).fill('@carol');
    await page.getByText('@carol is on Ampersat.').waitFor(SOON);
    await page.getByRole('textbox', { name: 'Amount' }).fill('5000');
    await page.getByText('USDC on Base. Add funds, choose another network, or enter a smaller amount.').waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Lock money' }).isDisabled()).toBe(true);
    await look(page, 'desktop-tabs-02-too-much');
    await page.getByRole('textbox', { name: 'Amount' }).fill('5');
    await page.getByRole('radio', { name: '3 days' }).check({ force: true });
    await page.getByRole('textbox', { name: 'Note (optional)' }).fill('For the tickets');
    await page.getByText('5.00 USDC leaves your wallet on Base and is held for @carol.').waitFor(SOON);
    await page.getByText('It is held for 3 days.').waitFor(SOON);
    await page.getByText('You can’t take it back before then').waitFor(SOON);
    await look(page, 'desktop-tabs-03-before-signing');
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);

    alice.wallet.refuseNext('eth_signTypedData_v4');
    await page.getByRole('button', { name: 'Lock 5.00 USDC for @carol' }).click();
    await page.getByText('You declined the request in your wallet. Nothing was signed.').waitFor(SOON);
    await look(page, 'desktop-tabs-04-refused');
    await page.reload();
    await page.getByText('5.00 USDC leaves your wallet').waitFor(SOON);
    expect(await page.getByRole('textbox', { name: 'Note (optional)' }).inputValue()).toBe('For the tickets');
    expect(await usdcOf(stack, alice.account.address)).toBe(before);
    await page.getByRole('button', { name: 'Lock 5.00 USDC for @carol' }).click();
    await page.getByText('Waiting for confirmation…').or(page.getByText('Verifying on-chain…')).waitFor(SOON);
    await look(page, 'desktop-tabs-05-opening');
    await page.getByText('Waiting to be claimed').waitFor(SOON);
    expect(new URL(page.url()).pathname).toMatch(/^\/tabs\/esc_/);
    expect(alice.wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
    expect(await usdcOf(stack, alice.account.address)).toBe(before - 5_000_000n);
    expect(await page.getByRole('button', { name: 'Take it back' }).count()).toBe(0);
    await settled(page);
    await look(page, 'desktop-tabs-06-open');
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);

    await seesNoClaim(bob, page.url());
    await claims(carol, page.url());
    await page.getByText('carol@ampersat claimed it.').waitFor(SOON);
    await look(page, 'desktop-tabs-09-sender-sees-claimed');
    expect(faults).toEqual([]);
    await close();
  }, 180_000);

  type Who = ReturnType<typeof resident>;

  async function seesNoClaim({ wallet }: Who, url: string): Promise<void> {
    const { page, faults, close } = await openPage(browser, url, { prepare: wallet.attach });
    await page.getByText('This is for carol@ampersat').waitFor(SOON);
    expect(await page.getByRole('button', { name: /Claim|Take it back|Return it/ }).count()).toBe(0);
    expect(await page.getByText('For the tickets').count()).toBe(0);
    await look(page, 'desktop-tabs-07-somebody-elses');
    expect(faults).toEqual([]);
    await close();
  }

  async function claims({ wallet, account }: Who, url: string): Promise<void> {
    const before = await usdcOf(stack, account.address);
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/account`, { prepare: wallet.attach });
    await page.getByText('5.00 USDC is waiting for you, from alice@ampersat.').waitFor(SOON);
    await settled(page);
    await look(page, 'desktop-tabs-08-hint');
    await page.getByRole('link', { name: 'Claim' }).click();
    await page.waitForURL(url);
    await page.getByText('For the tickets').waitFor(SOON);
    await page.getByText(`Paid to your wallet`).waitFor(SOON);
    await look(page, 'desktop-tabs-08-claim');
    await page.getByRole('button', { name: 'Claim 5.00 USDC' }).click();
    await page.getByText('The money is in your wallet.').waitFor(SOON);
    await look(page, 'desktop-tabs-08-claimed');
    expect(await usdcOf(stack, account.address)).toBe(before + 5_000_000n);
    expect(faults).toEqual([]);
    await close();
  }

  it('keeps a deep link through sign-in and handle, and takes a tab for a name back: on a phone', async () => {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '20');
    const link = `${stack.baseUrl}/tabs/new?to=x:somebody&amount=3.50&chain=base&note=Thanks`;
    const { page, faults, close } = await openPage(browser, link, { prepare: wallet.attach, ...PHONE });
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor(SOON);
    await look(page, 'phone-tabs-01-sign-in');
    await joinAs(page, 'erin');
    await page.getByText('3.50 USDC leaves your wallet on Base and is held for @somebody on X.').waitFor(SOON);
    await page.getByText('Usernames can change owners').waitFor(SOON);
    expect(await page.getByRole('textbox', { name: 'Note (optional)' }).inputValue()).toBe('Thanks');
    expect(await pageWidth(page)).toBe(390);
    await look(page, 'phone-tabs-02-prefilled');
    // The session ends while the page is open: what stands there is kept.
    const button = page.getByRole('button', { name: 'Lock 3.50 USDC for @somebody on X' });
    await button.scrollIntoViewIfNeeded();
    await look(page, 'phone-tabs-03-before-signing');
    await expireSession(page, () => button.tap());
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).tap(SOON);
    await button.tap(SOON);
    await page.getByText('Your wallet doesn’t have enough of the network’s coin').waitFor(SOON);
    await look(page, 'phone-tabs-03-no-fee');
    await chainAdmin().setBalance({ address: account.address, value: 10n ** 18n });
    await page.getByRole('button', { name: 'Try again' }).tap();
    await page.getByText('Waiting to be claimed').waitFor(SOON);
    expect(await usdcOf(stack, account.address)).toBe(16_500_000n);
    await settled(page);
    await look(page, 'phone-tabs-04-open');

    await page.getByRole('button', { name: 'Take it back' }).tap();
    await page.getByText('The money is back in your wallet.').waitFor(SOON);
    expect(await usdcOf(stack, account.address)).toBe(20_000_000n);
    expect(await pageWidth(page)).toBe(390);
    await look(page, 'phone-tabs-05-back');
    await page.getByRole('navigation').getByRole('link', { name: 'Tabs' }).tap();
    await page.getByText('@somebody on X').waitFor(SOON);
    await page.getByText('Returned').waitFor(SOON);
    await look(page, 'phone-tabs-06-sent');
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await close();
  });

  it('claims everything that waits in one go: on a phone', async () => {
    await openFor('carol', '2.00', 24);
    await openFor('carol', '4.00', 24);
    const { wallet, account } = resident(stack, 'carol');
    const before = await usdcOf(stack, account.address);
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/account`, {
      prepare: wallet.attach,
      ...PHONE,
    });
    await page.getByText('6.00 USDC are waiting for you in 2 tabs.').waitFor(SOON);
    await settled(page);
    await look(page, 'phone-tabs-07-hint');
    await page.getByRole('link', { name: 'Claim' }).tap();
    await page.getByRole('button', { name: 'Claim all 2' }).waitFor(SOON);
    await look(page, 'phone-tabs-08-two-wait');
    await page.getByRole('button', { name: 'Claim all 2' }).tap();
    await expect.poll(() => page.getByText('Claimed', { exact: true }).count(), SOON).toBe(3);
    await look(page, 'phone-tabs-09-all-claimed');
    expect(await usdcOf(stack, account.address)).toBe(before + 6_000_000n);
    expect(faults).toEqual([]);
    await close();
  });

  it('lets anybody send a tab back when its time is up: on a phone', async () => {
    const id = await openFor('carol', '7.00', 2);
    const { alice } = seeded();
    const before = await usdcOf(stack, alice.evm_address as Hex);
    const url = `${stack.baseUrl}/tabs/${id}`;
    const { wallet } = resident(stack, 'bob');
    const { page, faults, close } = await openPage(browser, url, { prepare: wallet.attach, ...PHONE });
    await page.getByText('This is for carol@ampersat').waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Return it' }).count()).toBe(0);
    await chainAdmin().increaseTime({ seconds: 3 * 3_600 });
    // The latest block tells the time to who asks the router.
    await chainAdmin().mine({ blocks: 1 });
    // The page counts by the service's time. The service itself stays behind: it would return the money first.
    await page.route('**/api/**', async (route) => {
      const response = await route.fetch();
      const date = new Date(Date.now() + 3 * HOUR_MS).toUTCString();
      await route.fulfill({ response, headers: { ...response.headers(), date } });
    });
    await page.reload();
    await page.getByText('Not claimed in time.').waitFor(SOON);
    await look(page, 'phone-tabs-10-time-is-up');
    await page.getByRole('button', { name: 'Return it' }).tap();
    await page.getByText('The money was returned to its sender.').waitFor(SOON);
    await look(page, 'phone-tabs-11-went-back');
    expect(await usdcOf(stack, alice.evm_address as Hex)).toBe(before + 7_000_000n);
    expect(faults).toEqual([]);
    await close();
  });

  it('says so when there is no such tab', async () => {
    const { wallet } = resident(stack, 'bob');
    const { page, close } = await openPage(browser, `${stack.baseUrl}/tabs/esc_00000000000000000000000000`, {
      prepare: wallet.attach,
    });
    await page.getByText('Tab not found').waitFor(SOON);
    await close();
  });

  function seeded() {
    const { base } = stack.local.chains;
    const { alice } = stack.local.accounts;
    if (!base || !alice) throw new Error('the stack has no Base or no alice');
    return { base, alice };
  }

  function chainAdmin() {
    return createTestClient({ mode: 'anvil', transport: http(seeded().base.rpc_url) });
  }

  /** Alice opens a tab as a program would: by the API and her own key. @returns its id */
  async function openFor(handleSlug: string, amount: string, dueInHours: number): Promise<string> {
    const { base, alice } = seeded();
    const { account } = resident(stack, 'alice');
    const call = async (path: string, body: object) => {
      const response = await fetch(`${stack.baseUrl}/api/escrow${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          origin: stack.baseUrl,
          cookie: `service-session=${alice.session}`,
        },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as { escrow: { id: string }; onChainArgs: Record<string, string> };
    };
    const { escrow, onChainArgs: args } = await call('', { handleSlug, amount, chain: 'base', dueInHours });
    const tab = {
      sender: account.address,
      token: args['stable'] as Hex,
      handleKey: handleKey(handleSlug),
      amount: BigInt(args['amount'] ?? 0),
      deadline: BigInt(args['deadline'] ?? 0),
      senderNonce: BigInt(args['senderNonce'] ?? 0),
      revocable: false,
    };
    const transport = http(base.rpc_url, { timeout: 10_000 });
    const wallet = createWalletClient({ account, transport });
    const client = createPublicClient({ transport, pollingInterval: 100 });
    const router = args['router'] as Hex;
    await waitForReceipt(
      client,
      await wallet.sendTransaction({ to: tab.token, data: approveCall(router, tab.amount), chain: null }),
    );
    const data = encodeOpen(tab, { way: 'direct' });
    const txHash = await wallet.sendTransaction({ to: router, data, chain: null });
    await waitForReceipt(client, txHash);
    const chain = { facts: { chainId: base.chain_id }, routers: { escrow: router } } as unknown as EvmChain;
    await call(`/${escrow.id}`, {
      action: 'confirm_create',
      txHash,
      onChainId: escrowOnChainId(chain, tab.sender, tab.senderNonce),
    });
    return escrow.id;
  }
});

/** What loads is there. */
async function settled(page: Page): Promise<void> {
  await page
    .locator('main .waits')
    .first()
    .waitFor({ state: 'detached', ...SOON });
}

function pageWidth(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth');
}
