// Connecting accounts by logging in at their platforms, in a real browser: from our page to the platform's and back, at a desk and on a phone.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { clearSession, OMISSIONS, openPage, workersBrowser } from './browser.ts';
import { joinAs, look, newcomer, resident, SOON } from './newcomer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;

describe.skipIf(!chromiumPath)(`logging in at a platform (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const accounts = (page: Page, platform: string) => page.getByRole('list', { name: `${platform} accounts` });
  const connect = (page: Page, platform: string) =>
    page.getByRole('button', { name: `Connect ${platform}`, exact: true }).click(SOON);
  /** On the platform's own page. */
  const choose = async (page: Page, platform: string, button: string) => {
    await page.getByRole('heading', { name: platform, exact: true, level: 1 }).waitFor(SOON);
    expect(new URL(page.url()).origin).toBe(stack.local.oauth_url);
    await page.getByText(`the local stack’s ${platform}`).waitFor(SOON);
    await page.getByRole('button', { name: button }).click();
  };
  const question = (page: Page) => page.getByRole('region', { name: 'Connect this account?' });

  it('connects Discord, X and Telegram from the page and back, and disconnects one: at a desk', async () => {
    const { wallet } = resident(stack, 'carol');
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/account`, { prepare: wallet.attach });
    const shot = (name: string) => look(page, `linking-desktop-${name}`);
    await page.getByRole('link', { name: 'Connect a chat' }).click(SOON);
    await page.getByText('No Discord account is connected.').waitFor(SOON);
    await shot('01-chats');

    for (const [index, [platform, id]] of Object.entries(idsOf(stack, 'carol')).entries()) {
      await connect(page, platform);
      if (index === 0) {
        await page.getByRole('button', { name: 'Continue as carol' }).waitFor(SOON);
        await shot('02-at-discord');
      }
      await choose(page, platform, 'Continue as carol');
      await question(page).getByText(`ID ${id}`).waitFor(SOON);
      // What came back in the address, and worked once, is gone from it.
      expect(page.url()).toMatch(/\/connections\?login=lgn_[0-9a-z]{26}$/);
      expect(await accounts(page, platform).getByText('@carol').count()).toBe(0);
      if (index === 0) await shot('03-question');
      await question(page).getByRole('button', { name: 'Connect to @carol' }).click();
      await page.getByText(`Tips to @carol on ${platform} now go to @carol.`).waitFor(SOON);
      await accounts(page, platform).getByText('Receive only').waitFor(SOON);
      if (index === 0) await shot('04-connected');
      await page.getByRole('button', { name: 'Done' }).click();
      expect(page.url()).toBe(`${stack.baseUrl}/connections`);
    }
    await shot('05-all-three');

    await accounts(page, 'X').getByRole('button', { name: 'Disconnect carol' }).click();
    await page.getByText('It can no longer spend or be paid.').waitFor(SOON);
    await shot('06-disconnect');
    await accounts(page, 'X').getByRole('button', { name: 'Disconnect', exact: true }).click();
    await page.getByText('No X account is connected.').waitFor(SOON);
    await page.reload();
    await page.getByText('No X account is connected.').waitFor(SOON);
    await accounts(page, 'Discord').getByText('@carol').waitFor(SOON);
    await accounts(page, 'Telegram').getByText('@carol').waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  });

  it('connects all three on a phone, after a no at each, in words that say what happened', async () => {
    const { wallet } = newcomer(stack);
    const url = `${stack.baseUrl}/connections`;
    const { page, faults, close } = await openPage(browser, url, { prepare: wallet.attach, ...PHONE });
    const shot = (name: string) => look(page, `linking-phone-${name}`);
    await joinAs(page, 'davina');
    await page.getByText('No Telegram account is connected.').waitFor(SOON);
    expect(await page.evaluate(OMISSIONS)).toEqual([]);
    await shot('01-chats');
    for (const platform of ['Telegram', 'Discord', 'X']) {
      await connect(page, platform);
      await choose(page, platform, 'Cancel');
      await page.getByRole('status').getByText('Nothing was connected.').waitFor(SOON);
      expect(page.url()).toBe(url);
      if (platform === 'Discord') await shot('02-cancelled');
    }
    // The refusal of Telegram's answer is an answer of our API, which browsers note.
    expect(faults.filter((fault) => !fault.includes('409'))).toEqual([]);
    faults.length = 0;

    for (const [platform, id] of Object.entries(idsOf(stack, 'dave'))) {
      await connect(page, platform);
      await page.getByRole('button', { name: 'Continue as dave' }).waitFor(SOON);
      if (platform === 'X') await shot('03-at-x');
      await choose(page, platform, 'Continue as dave');
      await question(page).getByText(`ID ${id}`).waitFor(SOON);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
      expect(await page.evaluate(OMISSIONS)).toEqual([]);
      if (platform === 'X') await shot('04-question');
      await question(page).getByRole('button', { name: 'Connect to @davina' }).tap();
      await page.getByRole('region', { name: 'Connected' }).waitFor(SOON);
      if (platform === 'X') await shot('05-connected');
      await page.getByRole('button', { name: 'Done' }).tap();
    }
    await accounts(page, 'X').getByText('@dave').waitFor(SOON);
    await shot('06-all-three');
    await accounts(page, 'Telegram').getByRole('button', { name: 'Disconnect dave' }).tap();
    await accounts(page, 'Telegram').getByRole('button', { name: 'Disconnect', exact: true }).tap();
    await page.getByText('No Telegram account is connected.').waitFor(SOON);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    expect(faults).toEqual([]);
    await close();
  });

  it('says what is wrong: connected elsewhere, platform away, taken back to the page and again, not this one', async () => {
    const { wallet } = resident(stack, 'bob');
    const { page, close } = await openPage(browser, `${stack.baseUrl}/connections`, { prepare: wallet.attach });
    const again = () => page.getByRole('button', { name: 'Connect another Discord account' }).click(SOON);
    await again();
    await choose(page, 'Discord', 'Continue as alice');
    await page.getByRole('alert').getByText('That account is already connected.').waitFor(SOON);
    await look(page, 'linking-desktop-07-taken');

    const fault = JSON.stringify({ method: 'discord.token', status: 503 });
    await fetch(`${stack.local.oauth_url}/_user/faults`, { method: 'POST', body: fault });
    await again();
    await choose(page, 'Discord', 'Continue as dave');
    await page.getByRole('alert').getByText('Discord isn’t responding.').waitFor(SOON);
    await look(page, 'linking-desktop-08-away');

    await again();
    await page.getByRole('button', { name: 'Cancel' }).waitFor(SOON);
    await page.goBack();
    await again();
    await page.getByRole('button', { name: 'Cancel' }).waitFor(SOON);

    // A login that waits for its press survives a reload, and saying no leaves nothing behind.
    await page.goto(`${stack.baseUrl}/connections`);
    await page.getByRole('button', { name: 'Connect another Telegram account' }).click(SOON);
    await choose(page, 'Telegram', 'Continue as shop');
    await page.getByRole('alert').getByText('This account is already connected.').waitFor(SOON);
    await page.getByRole('button', { name: 'OK' }).click();
    expect(await page.getByRole('alert').count()).toBe(0);
    await close();
  });

  it('loses no answer of Telegram to a session that is over meanwhile, and connects nothing by it', async () => {
    const { wallet } = resident(stack, 'alice');
    const { page, close } = await openPage(browser, `${stack.baseUrl}/connections`, {
      prepare: wallet.attach,
    });
    await page.getByRole('button', { name: 'Connect another Telegram account' }).click(SOON);
    await page.getByRole('button', { name: 'Continue as alice' }).waitFor(SOON);
    await (await clearSession(page))();
    await choose(page, 'Telegram', 'Continue as alice');
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor(SOON);
    expect(page.url()).toBe(`${stack.baseUrl}/connections`);
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click();
    await page.getByRole('alert').getByText('This login link has expired or was already used.').waitFor(SOON);
    await close();
  });
});

/** In the order in which they are connected: X last, as it stands last on the page. */
function idsOf(stack: TestStack, name: string): Record<string, string> {
  const person = stack.local.accounts[name];
  return {
    Discord: person?.discord.id ?? '',
    X: person?.x.id ?? '',
    Telegram: String(person?.telegram.id ?? ''),
  };
}
