// Subscriptions in a real browser with real wallets against the whole stack: a plan is created and shared, a wallet subscribes without gas, is charged as
// the clock moves, renews its allowance and cancels; a trial; a wallet that can only send by itself; and a campaign. At a desk and on a phone.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createPublicClient, createTestClient, createWalletClient, erc20Abi, type Hex, http, parseEther } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { waitForReceipt } from '../../src/chain/rpc/receipts.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { fund, joinAs, look, newcomer, resident, SOON, usdcOf } from './newcomer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESK = {};
const DAY_MS = 86_400_000;

describe.skipIf(!chromiumPath)(`subscriptions in a browser (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const open = (path: string, prepare: (context: BrowserContext) => Promise<void>, how: object = DESK) =>
    openPage(browser, new URL(path, stack.baseUrl).href, { ...how, prepare });
  const admin = () => createTestClient({ mode: 'anvil', transport: http(stack.local.chains['base']?.rpc_url) });
  const count = (asked: string[], method: string) => asked.filter((one) => one === method).length;

  const chain = () => {
    const { base } = stack.local.chains;
    if (!base) throw new Error('the stack has no Base');
    return { usdc: base.usdc as Hex, bot: base.routers.bot as Hex, transport: http(base.rpc_url) };
  };

  async function approveTips(account: PrivateKeyAccount): Promise<void> {
    const { usdc, bot, transport } = chain();
    const args = [bot, 50_000_000n] as const;
    const wallet = createWalletClient({ account, transport });
    const hash = await wallet.writeContract({
      address: usdc,
      abi: erc20Abi,
      functionName: 'approve',
      args,
      chain: null,
    });
    await waitForReceipt(createPublicClient({ transport, pollingInterval: 100 }), hash);
  }

  function tipsAllowance(owner: Hex): Promise<bigint> {
    const { usdc, bot, transport } = chain();
    const args = [owner, bot] as const;
    return createPublicClient({ transport }).readContract({
      address: usdc,
      abi: erc20Abi,
      functionName: 'allowance',
      args,
    });
  }

  async function isWell(page: Page): Promise<void> {
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }

  /** A plan as its creator makes it on the pages. @returns where it is subscribed to */
  async function createPlan(name: string, { how = DESK, trial = '0' } = {}) {
    const shop = resident(stack, 'shop');
    const opened = await open('/plans/new', shop.wallet.attach, how);
    const { page } = opened;
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Price').fill('5');
    await page.getByLabel('Free trial').selectOption(trial);
    await page.getByText('You get 4.95 USDC of each charge').waitFor(SOON);
    await isWell(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Create plan' }).click(SOON);
    await page.getByText('Button for your site').waitFor(SOON);
    await isWell(page);
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    return { ...opened, path: `/p/${id}` };
  }

  it.each([
    ['at a desk', DESK, 'alice', 'Coffee club'],
    ['on a phone', PHONE, 'bob', 'Tea club'],
  ])('from a new plan to a cancelled subscription: %s', { timeout: 240_000 }, async (where, how, name, title) => {
    const creator = await createPlan(title, { how });
    const { account, wallet } = resident(stack, name);
    await fund(stack, account.address, '50');
    const before = await usdcOf(stack, account.address);
    const hosted = await open(creator.path, wallet.attach, how);
    await hosted.page.getByText(title).first().waitFor(SOON);
    await hosted.page.getByLabel('Your wallet allows').selectOption('3');
    await hosted.page.getByText('Up to 15.00 USDC in all.').waitFor(SOON);
    await hosted.page.getByText('Two signatures, no network fee.').waitFor(SOON);
    await isWell(hosted.page);
    await look(hosted.page, `subscription-${where.replaceAll(' ', '-')}-01-hosted`);
    wallet.refuseNext('eth_signTypedData_v4');
    await hosted.page.getByRole('button', { name: 'Subscribe for 5.00 USDC' }).click();
    await hosted.page.getByText('You declined the request. You haven’t been charged.').waitFor(SOON);
    await hosted.page.getByRole('button', { name: 'Subscribe for 5.00 USDC' }).click();
    await hosted.page.getByRole('heading', { name: 'You’re subscribed' }).waitFor(SOON);
    await isWell(hosted.page);
    expect(count(wallet.asked, 'eth_sendTransaction')).toBe(0);
    expect(before - (await usdcOf(stack, account.address))).toBe(5_000_000n);
    expect([hosted.faults]).toEqual([[]]);
    await hosted.close();

    await stack.later(30 * DAY_MS + 60_000);
    expect(before - (await usdcOf(stack, account.address))).toBe(10_000_000n);
    const own = await open('/subscriptions', wallet.attach, how);
    const card = own.page.locator('section').filter({ hasText: title });
    await card.getByRole('button', { name: 'Receipts (2)' }).click(SOON);
    await own.page.getByText('5.00 USDC left').waitFor(SOON);
    await look(own.page, `subscription-${where.replaceAll(' ', '-')}-02-own`);
    await isWell(own.page);
    await card.getByRole('button', { name: 'Renew allowance' }).click();
    await card.getByLabel('Allow this many charges more').selectOption('6');
    await card.getByRole('button', { name: 'Renew', exact: true }).click();
    await own.page.getByText('35.00 USDC left').waitFor(SOON);
    await card.getByRole('button', { name: 'Cancel subscription' }).click();
    await card.getByRole('button', { name: 'Cancel it now' }).click();
    await card.getByRole('link', { name: 'Subscribe again' }).waitFor(SOON);
    await isWell(own.page);
    expect(count(wallet.asked, 'eth_sendTransaction')).toBe(0);
    expect(own.faults).toEqual([]);
    await own.close();

    await stack.later(30 * DAY_MS + 60_000);
    expect(before - (await usdcOf(stack, account.address))).toBe(10_000_000n);
    await creator.page.reload();
    await creator.page.getByRole('radio', { name: /Cancelled/ }).dispatchEvent('click');
    await creator.page.getByText(`@${name}`).first().waitFor(SOON);
    await isWell(creator.page);
    expect(creator.faults).toEqual([]);
    await creator.close();
  });

  it('a trial charges nothing before its end', { timeout: 180_000 }, async () => {
    const creator = await createPlan('Trial club', { trial: '7' });
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '20');
    const { page, close, faults } = await open(creator.path, wallet.attach, PHONE);
    await page.getByRole('button', { name: 'Start the free trial' }).click(SOON);
    await page.getByRole('heading', { name: 'Your trial has started' }).waitFor(SOON);
    await isWell(page);
    await look(page, 'subscription-on-a-phone-03-trial');
    expect(await usdcOf(stack, account.address)).toBe(20_000_000n);
    await stack.later(6 * DAY_MS);
    expect(await usdcOf(stack, account.address)).toBe(20_000_000n);
    await stack.later(DAY_MS + 60_000);
    await expect.poll(() => usdcOf(stack, account.address), { timeout: 20_000 }).toBe(15_000_000n);
    expect([...faults, ...creator.faults]).toEqual([]);
    await close();
    await creator.close();
  });

  it('a wallet under an older delegation subscribes by its own transactions, and cancels with a signature', {
    timeout: 180_000,
  }, async () => {
    const creator = await createPlan('Own way');
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '20');
    await admin().setBalance({ address: account.address, value: parseEther('1') });
    // Code that answers no ERC-1271 question.
    const code = `0xef0100${stack.local.chains['base']?.routers.payment.slice(2)}` as Hex;
    await admin().setCode({ address: account.address, bytecode: code });
    const { page, close, faults } = await open(creator.path, wallet.attach);
    await page.getByText('This wallet can’t sign for the token, so it sends the transactions itself.').waitFor(SOON);
    await page.getByRole('button', { name: 'Subscribe for 5.00 USDC' }).click();
    await page.getByRole('heading', { name: 'You’re subscribed' }).waitFor(SOON);
    expect(count(wallet.asked, 'eth_sendTransaction')).toBeGreaterThan(0);
    expect(await usdcOf(stack, account.address)).toBe(15_000_000n);
    const sent = count(wallet.asked, 'eth_sendTransaction');
    await page.getByRole('link', { name: 'Manage your subscriptions' }).click();
    await joinAs(page, 'ownway');
    await page.getByRole('button', { name: 'Cancel subscription' }).click(SOON);
    await page.getByRole('button', { name: 'Cancel it now' }).click();
    await page.getByRole('link', { name: 'Subscribe again' }).waitFor(SOON);
    expect(count(wallet.asked, 'eth_sendTransaction')).toBe(sent);
    expect([...faults, ...creator.faults]).toEqual([]);
    await close();
    await creator.close();
  });

  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('a campaign is opened, filled from a file, paid and closed: %s', { timeout: 180_000 }, async (where, how) => {
    const shop = resident(stack, 'shop');
    // What chat tips may draw has a limit, so the budget comes on top of it.
    await approveTips(shop.account);
    const { page, close, faults } = await open('/campaigns/new', shop.wallet.attach, how);
    await page.getByLabel('Name').fill(`Rewards ${where}`);
    await page.getByLabel('Budget').fill('10');
    await page.getByLabel('Most per grant (optional)').fill('2');
    await isWell(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Open campaign' }).click(SOON);
    await page.getByRole('button', { name: 'Close campaign' }).waitFor(SOON);
    const text = 'recipient,amount\n@alice,1.25\n@carol,1\n@alice,9\ntelegram:id:424242,1\n';
    const file = { name: 'rewards.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.getByLabel('CSV file').setInputFiles(file);
    await page.getByText('rewards.csv: 3 grants of 3.25 USDC, and 1 row with problems.').waitFor(SOON);
    await page.getByText('Rows that are left out').click();
    await page.getByText('Line 4:').waitFor(SOON);
    await look(page, `campaign-${where.replaceAll(' ', '-')}-01-preview`);
    await isWell(page);
    const alice = resident(stack, 'alice').account.address;
    const before = await usdcOf(stack, alice);
    await page.getByRole('button', { name: 'Queue 3 grants' }).click();
    await page
      .getByRole('meter', { name: 'Grants paid' })
      .getByText('2 of 3')
      .waitFor({ ...SOON, state: 'attached' });
    expect((await usdcOf(stack, alice)) - before).toBe(1_250_000n);
    await page.getByText('Waiting').first().waitFor(SOON);
    await page.getByLabel('CSV file').setInputFiles(file);
    await page
      .getByText('rewards.csv: nothing to add, 3 in the campaign already, and 1 row with problems.')
      .waitFor(SOON);
    await page.getByRole('button', { name: 'Choose another file' }).click();
    // By hand, the same person is paid as often as the sponsor says so.
    for (const paid of ['3 of 4', '4 of 5']) {
      await page.getByLabel('Or one recipient').fill('@alice');
      await page.getByLabel('Amount').fill('0.25');
      await page.getByRole('button', { name: 'Add grant' }).click();
      await page.getByText('0.25 USDC for @alice: queued.').waitFor(SOON);
      const meter = page.getByRole('meter', { name: 'Grants paid' });
      await meter.getByText(paid).waitFor({ ...SOON, state: 'attached' });
    }
    expect((await usdcOf(stack, alice)) - before).toBe(1_750_000n);
    await look(page, `campaign-${where.replaceAll(' ', '-')}-02-paid`);
    await isWell(page);
    await page.getByRole('button', { name: 'Close campaign' }).click();
    await page.getByRole('button', { name: 'Close it' }).click();
    await page.getByRole('button', { name: 'Lower the allowance' }).click(SOON);
    await page.getByText('Your allowance is lower by what was left of the budget.').waitFor(SOON);
    expect(await tipsAllowance(shop.account.address)).toBe(50_000_000n);
    await isWell(page);
    expect(faults).toEqual([]);
    await close();
  });
});
