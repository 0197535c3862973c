// The playground's windows of Discord and X in a real browser against the whole stack: commands, mentions, buttons, threads, and what happened
// beside them. A platform that the stack does not have is not shown.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, say, workersBrowser } from './browser.ts';
import { look, message, SOON, speakAs } from './newcomer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' as const };

describe.skipIf(!chromiumPath)(`windows of the playground (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const open = (options = {}) => openPage(browser, `${stack.baseUrl}/playground`, options);

  /** Goes to a platform's window; false, and no window for it, where the stack has no such platform. */
  async function goTo(page: Page, platform: 'discord' | 'x', label: string): Promise<boolean> {
    await page.getByRole('tab', { name: /Friends/ }).waitFor(SOON);
    const places = stack.local.platforms as Record<string, { url?: string } | undefined>;
    const tab = page.getByRole('tab', { name: label, exact: true });
    if (!places[platform]?.url) {
      expect(await tab.count()).toBe(0);
      return false;
    }
    await tab.click();
    return true;
  }

  it('tips on Discord by a command and by a mention, and shows an answer to its reader alone', async () => {
    const { page, faults, close } = await open();
    if (await goTo(page, 'discord', 'Discord')) {
      await speakAs(page, 'Bob');
      await say(page, 'Good evening!');
      await message(page, 'Good evening!').waitFor(SOON);
      await speakAs(page, 'Alice');
      await say(page, '@Ampersat tip @bob 5');
      await message(page, /Alice.*tipped.*5.00 USDC/i)
        .or(message(page, /✅.*5.00 USDC/))
        .first()
        .waitFor(SOON);
      await panel(page).getByText('Paid, final').waitFor(SOON);
      await look(page, 'desktop-discord-01-mention');
      await page.getByRole('button', { name: '/balance', exact: true }).click();
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('Only you see this').waitFor(SOON);
      await look(page, 'desktop-discord-02-only-you');
      await speakAs(page, 'Bob');
      await page.getByText('Only you see this').waitFor({ state: 'detached', ...SOON });
      expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    }
    expect(faults).toEqual([]);
    await close();
  });

  it('tips on X by a mention and answers in the thread', async () => {
    const { page, faults, close } = await open();
    if (await goTo(page, 'x', 'X')) {
      await speakAs(page, 'Alice');
      await page.getByRole('button', { name: /^@\w+ tip @bob 5$/ }).click();
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page
        .getByRole('log')
        .getByText(/5.00 USDC/)
        .waitFor(SOON);
      await panel(page).getByText('Paid, final').waitFor(SOON);
      await look(page, 'desktop-x-01-thread');
      expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    }
    expect(faults).toEqual([]);
    await close();
  });

  it('fits a phone, one window at a time', async () => {
    const { page, faults, close } = await open(PHONE);
    for (const [platform, label] of [
      ['discord', 'Discord'],
      ['x', 'X'],
    ] as const) {
      if (!(await goTo(page, platform, label))) continue;
      await page.getByRole('textbox', { name: /^Message to/ }).waitFor(SOON);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
      await look(page, `phone-${platform}-01`);
      await page.getByRole('tab', { name: 'Telegram' }).click();
    }
    expect(faults).toEqual([]);
    await close();
  });
});

function panel(page: Page) {
  return page.getByRole('complementary', { name: 'What happened' });
}
