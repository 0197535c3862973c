// One browser, two accounts: what a tab shows, holds and signs is its account's, regardless of who signed in last.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { clearSession, openPage, workersBrowser } from './browser.ts';
import { resident, SOON } from './newcomer.ts';
import type { TestWallet } from './wallet.ts';

/** A browser whose tabs receive no messages from each other: each knows only what its own calls return. */
const DEAF = `globalThis.BroadcastChannel = class extends EventTarget { postMessage() {} };`;

describe.skipIf(!chromiumPath)(`another account in the same browser (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  it('a tab reloads when another account signs in elsewhere, after its own session has ended', async () => {
    const { page, context, wallet, close } = await aliceTyping();
    await (await clearSession(page))();
    const other = await context.newPage();
    await other.goto(`${stack.baseUrl}/account`);
    await signInAs('bob', other, wallet);
    await page.getByText('@bob').first().waitFor(SOON);
    await expectNothingTyped(page);
    await close();
  });

  it('what one account signed is refused under the session of another, and the tab reloads', async () => {
    const { page, context, wallet, close } = await aliceTyping(DEAF);
    const statuses: number[] = [];
    await page.route('**/api/spending/submit', async (route) => {
      await context.addCookies([cookieOf('bob')]);
      await route.continue();
    });
    page.on('response', (response) => {
      if (response.url().endsWith('/api/spending/submit')) statuses.push(response.status());
    });
    await page.getByRole('button', { name: 'Sign the limits' }).click();
    await page.getByText('@bob').first().waitFor(SOON);
    expect(wallet.asked).toContain('eth_signTypedData_v4');
    expect(statuses).toEqual([409]);
    await expectNothingTyped(page);
    await close();
  });

  it('a tab that received no message reloads at the first answer that names another account', async () => {
    const { page, context, close } = await aliceTyping(DEAF);
    await context.addCookies([cookieOf('bob')]);
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    await page.getByText('@bob').first().waitFor(SOON);
    await expectNothingTyped(page);
    await close();
  });

  it('a draft that outlives its document is shown to its own account only', async () => {
    const { page, wallet, close } = await openAs('alice', '/tabs/new');
    const note = page.getByLabel(/Note/);
    await note.fill('for the two of us', SOON);
    await page.reload();
    await note.waitFor(SOON);
    expect(await note.inputValue()).toBe('for the two of us');
    await (await clearSession(page))();
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor(SOON);
    await signInAs('bob', page, wallet);
    await page.getByText('@bob').first().waitFor(SOON);
    await note.waitFor(SOON);
    expect(await note.inputValue()).toBe('');
    await close();
  });

  it('a tab reloads when another one signs out, and again as the account that signs in there', async () => {
    const { page, context, wallet, close } = await aliceTyping();
    const other = await context.newPage();
    await other.goto(`${stack.baseUrl}/account`);
    await other.getByRole('button', { name: 'Sign out' }).click(SOON);
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor(SOON);
    expect(await page.content()).not.toContain('alice');

    await other.goto(`${stack.baseUrl}/account`);
    await signInAs('bob', other, wallet);
    await page.getByText('@bob').first().waitFor(SOON);
    await expectNothingTyped(page);
    await close();
  });

  /** Alice’s limits, half typed. */
  async function aliceTyping(script = '') {
    const opened = await openAs('alice', '/spending', script);
    await opened.page.getByRole('button', { name: 'Change limits', exact: true }).click(SOON);
    await opened.page.getByLabel('Limit per tip').fill('42');
    return opened;
  }

  /** The page is in a document of its own, which shows its own limits. */
  async function expectNothingTyped(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Change limits', exact: true }).waitFor(SOON);
    expect(await page.getByLabel('Limit per tip').count()).toBe(0);
    expect(await page.evaluate(`performance.getEntriesByType('navigation')[0].type`)).toBe('reload');
  }

  async function openAs(name: string, path: string, script = '') {
    const { wallet } = resident(stack, name);
    const prepare = async (context: BrowserContext) => {
      await wallet.attach(context);
      await context.addInitScript({ content: script });
    };
    return { ...(await openPage(browser, stack.baseUrl + path, { prepare })), wallet };
  }

  async function signInAs(name: string, page: Page, wallet: TestWallet): Promise<void> {
    await wallet.select(page, privateKeyToAccount(stack.local.accounts[name]?.evm_private_key as Hex));
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click(SOON);
  }

  function cookieOf(name: string) {
    return { name: 'service-session', value: stack.local.accounts[name]?.session ?? '', url: stack.baseUrl };
  }
});
