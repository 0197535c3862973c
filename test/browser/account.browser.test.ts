// The whole way of somebody new, in a real browser with a real wallet against the whole stack: from the front page to the first tip
// received and sent, and to the end of it. Once at a desk and once on a phone.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { openPage, say, workersBrowser } from './browser.ts';
import { fund, joinAs, look, message, newcomer, openedTab, SOON, speakAs, usdcOf } from './newcomer.ts';

describe.skipIf(!chromiumPath)(`somebody new (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  it('signs in first, connects, allows, is tipped, tips, and disconnects: at a desk', async () => {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '20');
    const { page, context, faults, close } = await openPage(browser, stack.baseUrl, { prepare: wallet.attach });
    const shot = (where: Page, name: string) => look(where, `desktop-${name}`);

    await page.getByRole('link', { name: 'Sign in' }).first().waitFor(SOON);
    await shot(page, '01-front-page');
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor(SOON);
    await shot(page, '02-sign-in');
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click();
    await page.getByRole('textbox', { name: 'Your handle' }).fill('b0b');
    await page.getByText('looks like').or(page.getByText('taken')).first().waitFor(SOON);
    await page.getByRole('textbox', { name: 'Your handle' }).fill('dave');
    await page.getByText('@dave is available.').waitFor(SOON);
    await shot(page, '03-handle');
    await page.getByRole('button', { name: 'Claim @dave' }).click();
    await page.getByRole('link', { name: 'Connect a chat' }).waitFor(SOON);
    await page.getByText('20.00').first().waitFor(SOON);
    await shot(page, '04-home-to-do');
    expect(wallet.texts[0]).toContain(`${new URL(stack.baseUrl).host} wants you to sign in`);
    expect(wallet.texts[0]).toContain(account.address);

    const chat = await context.newPage();
    await chat.goto(`${stack.baseUrl}/playground`);
    await chat.getByRole('button', { name: 'Have everyone say hello' }).click();
    await message(chat, 'Hi all!').waitFor(SOON);
    const link = await openConnectLink(context, chat, 'Dave', (page) => shot(page, '05-link-in-the-chat'));
    await link.getByRole('button', { name: 'Connect to @dave' }).waitFor(SOON);
    expect(link.url()).toBe(`${stack.baseUrl}/connect`);
    await link.getByText('ID 7000004').waitFor(SOON);
    await shot(link, '06-connect');
    await link.getByRole('button', { name: 'Connect to @dave' }).click();
    await link.getByRole('heading', { name: 'Now press Connect in the chat' }).waitFor(SOON);
    await shot(link, '07-press-in-the-chat');
    await message(chat, 'Connect @dave to').waitFor(SOON);
    await shot(chat, '08-question-in-the-chat');
    await message(chat, 'Connect @dave to').getByRole('button', { name: 'Connect', exact: true }).click();
    await link.getByRole('heading', { name: 'Connected' }).waitFor(SOON);
    await shot(link, '09-connected');

    await link.getByRole('link', { name: 'Set spending limits' }).click();
    await link.getByRole('button', { name: 'Sign 1 of 3' }).waitFor(SOON);
    await shot(link, '10-allow');
    await allow(link, (name) => shot(link, name));
    await shot(link, '13-allowed');
    expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(3);
    expect(wallet.asked).not.toContain('eth_sendTransaction');

    await chat.getByRole('tab', { name: /Friends/ }).click();
    await tipTo(chat, 'Alice', '/tip @dave 5', '✅ @alice tipped @dave 5.00 USDC (fee $0.10).');
    expect(await usdcOf(stack, account.address)).toBe(25_000_000n);
    await tipTo(chat, 'Dave', '/tip @bob 3', '✅ @dave tipped @bob 3.00 USDC (fee $0.05).');
    expect(await usdcOf(stack, account.address)).toBe(21_950_000n);
    await shot(chat, '14-tips');

    await link.getByRole('link', { name: 'Home' }).first().click();
    await link.getByText('21.95').first().waitFor(SOON);
    await link.getByText('To @bob').waitFor(SOON);
    await link.getByText('From alice@ampersat').waitFor(SOON);
    await shot(link, '15-home');
    await link.getByRole('link', { name: 'Spending' }).first().click();
    await link.getByText('3.05 of 500.00 USDC').first().waitFor(SOON);
    await shot(link, '16-spending');
    await link.getByRole('link', { name: 'History' }).first().click();
    await link.getByText('From alice@ampersat').waitFor(SOON);
    await link.getByLabel('Direction').selectOption('sent');
    await link.getByText('From alice@ampersat').waitFor({ state: 'detached', ...SOON });
    expect(new URL(link.url()).search).toBe('?direction=sent');
    await link
      .locator('.waits')
      .first()
      .waitFor({ state: 'detached', ...SOON });
    await shot(link, '17-history');
    await link.getByRole('link', { name: /To @bob/ }).click();
    await link.getByRole('heading', { name: '3.00 USDC' }).waitFor(SOON);
    await shot(link, '18-receipt');
    await readSignedOut(link.url());

    await link.goto(`${stack.baseUrl}/settings`);
    await link.getByRole('button', { name: 'Disconnect dave' }).waitFor(SOON);
    await shot(link, '19-settings');
    await link.getByRole('button', { name: 'Disconnect dave' }).click();
    await link.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await link.getByText('No chat is connected').waitFor(SOON);
    await tipTo(chat, 'Dave', '/tip @bob 2', 'saved for 24 hours');
    await shot(chat, '20-stopped');
    expect(await usdcOf(stack, account.address)).toBe(21_950_000n);

    expect(faults).toEqual([]);
    await close();
  }, 300_000);

  it('opens the link first and signs in there, connects, allows, is tipped, tips, and disconnects: on a phone', async () => {
    const { account, wallet } = newcomer(stack);
    await fund(stack, account.address, '20');
    const { page, context, faults, close } = await openPage(browser, `${stack.baseUrl}/playground`, {
      prepare: wallet.attach,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    });
    const shot = (where: Page, name: string) => look(where, `phone-${name}`);
    await speakAs(page, 'Carol');
    await say(page, 'hello from the train');
    await message(page, 'hello from the train').waitFor(SOON);
    const link = await openConnectLink(context, page, 'Carol', (chat) => shot(chat, '01-link-in-the-chat'));
    await link.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor(SOON);
    await shot(link, '02-connect-sign-in');
    await joinAs(link, 'caroline');
    await link.getByRole('button', { name: 'Connect to @caroline' }).waitFor(SOON);
    await shot(link, '03-connect');
    await link.getByRole('button', { name: 'Connect to @caroline' }).click();
    await link.getByRole('heading', { name: 'Now press Connect in the chat' }).waitFor(SOON);
    await shot(link, '04-press-in-the-chat');
    await message(page, 'Connect @carol to').getByRole('button', { name: 'Connect', exact: true }).click();
    await link.getByRole('heading', { name: 'Connected' }).waitFor(SOON);
    await shot(link, '05-connected');

    await link.getByRole('link', { name: 'Set spending limits' }).click();
    await link.getByLabel('Limit per tip').fill('10');
    await link.getByLabel('Limit in 24 hours').fill('15');
    await link.getByLabel('Total allowance').fill('15');
    await link.getByRole('button', { name: 'Sign 1 of 3' }).waitFor(SOON);
    await shot(link, '06-allow');
    await allow(link, (name) => shot(link, name));
    await shot(link, '09-allowed');

    await page.getByRole('tab', { name: /Friends/ }).click();
    await tipTo(page, 'Bob', '/tip @carol 5', '✅ @bob tipped @carol 5.00 USDC (fee $0.10).');
    await tipTo(page, 'Carol', '/tip @bob 4', '✅ @carol tipped @bob 4.00 USDC (fee $0.05).');
    expect(await usdcOf(stack, account.address)).toBe(20_950_000n);
    // The limits are the ones that this wallet signed, not ours.
    await tipTo(page, 'Carol', '/tip @bob 10.50', 'that didn’t go through and you weren’t charged');
    await shot(page, '10-tips');
    expect(await usdcOf(stack, account.address)).toBe(20_950_000n);

    for (const [name, file] of [
      ['Home', '11-home'],
      ['Tabs', '12-tabs'],
      ['Spending', '12-spending'],
      ['History', '13-history'],
      ['Settings', '14-settings'],
    ] as const) {
      if (name === 'Spending' || name === 'Settings') {
        await link.getByRole('button', { name: 'More' }).tap();
        await link.getByRole('dialog').getByRole('link', { name }).tap();
      } else await link.getByRole('navigation').getByRole('link', { name }).last().tap();
      await link.getByRole('heading', { name, level: 1 }).waitFor(SOON);
      await link
        .locator('.waits')
        .first()
        .waitFor({ state: 'detached', ...SOON });
      expect(await link.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
      await shot(link, file);
    }
    await link.getByRole('button', { name: 'Disconnect carol' }).tap();
    await link.getByRole('button', { name: 'Disconnect', exact: true }).tap();
    await link.getByText('No chat is connected').waitFor(SOON);
    await tipTo(page, 'Carol', '/tip @bob 1', 'saved for 24 hours');
    expect(await usdcOf(stack, account.address)).toBe(20_950_000n);

    expect(faults).toEqual([]);
    await close();
  }, 300_000);

  /** Types /connect in the direct chat and opens the link of the answer in a tab of its own. */
  async function openConnectLink(
    context: BrowserContext,
    chat: Page,
    name: string,
    seen: (chat: Page) => Promise<void>,
  ): Promise<Page> {
    await speakAs(chat, name);
    await chat.getByRole('tab', { name: /Ampersat/ }).click();
    await chat.getByRole('button', { name: '/connect', exact: true }).click();
    await chat.getByRole('button', { name: 'Send', exact: true }).click();
    const link = message(chat, 'Open this link to connect').getByRole('link', { name: 'Connect' });
    await link.waitFor(SOON);
    await seen(chat);
    return openedTab(context, () => link.click());
  }

  /** The three signatures, one after the other, each of them on the chain before the next is asked for. */
  async function allow(page: Page, seen: (name: string) => Promise<void>): Promise<void> {
    const number = page.viewportSize()?.width === 390 ? ['07', '08'] : ['11', '12'];
    await page.getByRole('button', { name: 'Sign 1 of 3' }).click();
    await page.getByText('Waiting for confirmation…').waitFor(SOON);
    await seen(`${number[0]}-allow-waiting`);
    await page.getByRole('button', { name: 'Sign 2 of 3' }).click(SOON);
    await page.getByRole('button', { name: 'Sign 3 of 3' }).waitFor(SOON);
    await seen(`${number[1]}-allow-last`);
    await page.getByRole('button', { name: 'Sign 3 of 3' }).click();
    await page.getByText('You’re all set.').waitFor(SOON);
  }

  async function tipTo(chat: Page, name: string, text: string, answer: string | RegExp): Promise<void> {
    await speakAs(chat, name);
    await say(chat, text);
    await message(chat, answer).waitFor(SOON);
  }

  async function readSignedOut(url: string): Promise<void> {
    const { page, faults, close } = await openPage(browser, url);
    await page.getByRole('heading', { name: '3.00 USDC' }).waitFor(SOON);
    const facts = page.getByRole('article', { name: 'Receipt' }).getByRole('definition');
    expect(await facts.getByText(/USDC/).allTextContents()).toEqual(['3.00 USDC', '0.05 USDC', '3.05 USDC']);
    await page.getByText('Test mode: play money').waitFor(SOON);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    await look(page, 'desktop-18-receipt-on-paper');
    expect(faults).toEqual([]);
    await close();
  }
});
