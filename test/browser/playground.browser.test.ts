// The playground in a real browser against the whole stack: what a newcomer does first has to work and to be seen.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { openPage, say, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';

describe.skipIf(!chromiumPath)(`playground in a browser (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['solana'] }), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const open = (options = {}) => openPage(browser, `${stack.baseUrl}/playground`, options);

  it('lets a newcomer greet, tip, confirm, be refused, pause and resume', async () => {
    const { page, faults, close } = await open();
    await page.getByRole('button', { name: 'Have everyone say hello' }).click();
    await message(page, 'Hi all!').waitFor(SOON);
    expect(await page.getByRole('radio', { name: /Alice/ }).getAttribute('aria-checked')).toBe('true');

    await page.getByRole('button', { name: '/tip @bob 5 usdc' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const receipt = message(page, '✅ @alice tipped @bob 5.00 USDC (fee $0.10). View');
    await receipt.waitFor(SOON);
    expect(await balanceRow(page, 'Alice')).toEqual(['1000.00', '994.90', '−5.10']);
    expect(await balanceRow(page, 'Bob')).toEqual(['1000.00', '1005.00', '+5.00']);
    expect(await balanceRow(page, 'Treasury')).toEqual(['0.00', '0.10', '+0.10']);
    await panel(page).getByText('Paid, final').waitFor(SOON);
    await panel(page).getByText('Tip @bob 5.00 USDC.').waitFor(SOON);
    await panel(page).getByText('1,005.00 USDC').waitFor(SOON);
    await receipt.getByRole('button', { name: /^View 0x/ }).click();
    const transaction = panel(page).getByRole('region', { name: 'Transaction' });
    const link = await receipt.getByRole('button', { name: /^View 0x/ }).textContent();
    await transaction.getByText(link?.replace('View ', '') ?? '', { exact: true }).waitFor(SOON);
    expect((await transaction.boundingBox())?.y).toBeLessThan(400);

    await say(page, '/tip @bob 60');
    const question = message(page, 'send this?');
    await question.waitFor(SOON);
    await panel(page).getByText('Needs an answer').waitFor(SOON);
    await speakAs(page, 'Carol');
    await question.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Only the person who typed this can answer.').waitFor(SOON);
    await speakAs(page, 'Alice');
    await question.getByRole('button', { name: 'Send', exact: true }).click();
    await message(page, '✅ @alice tipped @bob 60.00 USDC (fee $0.10). View').waitFor(SOON);
    expect(await balanceRow(page, 'Bob')).toEqual(['1005.00', '1065.00', '+60.00']);
    await panel(page).getByText('Paid, final').waitFor(SOON);

    await speakAs(page, 'Dave');
    await say(page, '/tip @bob 1');
    await message(page, 'saved for 24 hours').waitFor(SOON);

    await page.getByRole('tab', { name: /Ampersat/ }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor(SOON);
    await look(page, 'playground-direct');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await message(page, '/start').waitFor(SOON);
    await speakAs(page, 'Bob');
    await say(page, '/pause');
    await message(page, '⏸ All spending is off').waitFor(SOON);
    await page.getByRole('button', { name: 'Resume as Bob' }).click();
    await page.getByText('Bob’s wallet has resumed spending.').waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Resume as Bob' }).count()).toBe(0);
    await say(page, '/balance');
    await message(page, '1,065.00 USDC').waitFor(SOON);

    expect(faults).toEqual([]);
    await close();
  }, 180_000);

  it('shows balances on Solana beside the others, with addresses, and what happened there', async () => {
    const { page, faults, close } = await open();
    const now = panel(page).getByRole('region', { name: 'Balances now' });
    await now.getByRole('radio', { name: 'Solana' }).click(SOON);
    const alice = now.getByRole('listitem').filter({ hasText: 'Alice' });
    await alice.getByText('1,000.00 USDC').waitFor(SOON);
    await alice.getByText('10.00 SOL').waitFor(SOON);
    await alice.getByTitle(stack.local.accounts['alice']?.solana_address ?? '').waitFor(SOON);
    await now.getByText(/^Slot [\d,]+, /).waitFor(SOON);
    const newest = panel(page).getByRole('region', { name: 'Newest on Solana' });
    await newest.getByText(/^Shop set limits: /).waitFor(SOON);
    await newest.scrollIntoViewIfNeeded();
    await look(page, 'playground-solana');
    await page.setViewportSize({ width: 390, height: 844 });
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /happened/ })
      .click(SOON);
    await now.scrollIntoViewIfNeeded();
    await look(page, 'playground-solana-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(faults).toEqual([]);
    await close();
  }, 120_000);

  it('shows a shop how to ask for money, and opens the link', async () => {
    const { page, faults, close } = await open();
    await speakAs(page, 'Shop');
    await page.getByRole('button', { name: '/order 25 for coffee' }).first().click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const order = message(page, 'shop@ampersat requests 25.00 USDC on Base.');
    await order.waitFor(SOON);
    await panel(page).getByText('Ask for 25.00 USDC, for “coffee”.').waitFor(SOON);
    const link = order.getByRole('link', { name: /\/o\/ord_/ });
    const url = (await link.getAttribute('href')) ?? '';
    expect(url).toMatch(new RegExp(`^${stack.local.checkout_base}/o/ord_\\w+$`));
    expect(await order.getByRole('link', { name: 'Pay 25.00 USDC' }).getAttribute('href')).toBe(url);
    const [checkout] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await checkout.getByText('25.00').first().waitFor(SOON);
    expect(checkout.url()).toBe(url);
    await checkout.close();
    await order.getByRole('button', { name: 'Cancel order' }).click();
    await message(page, 'shop@ampersat cancelled this request for 25.00 USDC').waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  });

  it('answers a message with the keyboard alone', async () => {
    const { page, faults, close } = await open();
    await speakAs(page, 'Bob');
    await say(page, 'the next round is on me');
    await message(page, 'the next round').waitFor(SOON);
    await speakAs(page, 'Shop');
    await page.getByRole('textbox', { name: /^Message to/ }).focus();
    await page.keyboard.press('ArrowUp');
    await page.getByText('Replying to Bob').waitFor(SOON);
    await page.keyboard.press('Escape');
    await page.getByText('Replying to Bob').waitFor({ state: 'detached', ...SOON });
    await message(page, 'the next round')
      .getByRole('button', { name: /^Reply to Bob/ })
      .focus();
    await page.keyboard.press('Enter');
    // The keys go where the focus is, which moves once the answer has begun.
    await page.locator('textarea:focus, input:focus').waitFor(SOON);
    await page.keyboard.type('/tip 3');
    await page.keyboard.press('Enter');
    await message(page, '✅ @shop tipped @bob 3.00 USDC (fee $0.05). View').waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  });

  it('keeps an answer that came before a slower look at the chat', async () => {
    const { url, group_chat_id: chat_id } = stack.local.platforms.telegram;
    const type = (body: string) =>
      fetch(`${url}/_user/messages`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await type(JSON.stringify({ chat_id, from: { id: 7000001, first_name: 'Alice' }, text: 'good morning' }));
    const before = await (await fetch(`${url}/_user/messages?chat_id=${chat_id}`)).text();
    const { page, faults, close } = await open();
    await message(page, 'good morning').waitFor(SOON);
    const answer = message(page, 'How much?');
    let typed = '';
    // The server has the message once the page's look is under way: the answer cannot come before it.
    await page.route('**/_user/messages', (route) => {
      typed = route.request().postData() ?? '';
      return route.fulfill({ json: { message_id: 0 } });
    });
    let looks = 0;
    let slowLook: Promise<void> | undefined;
    await page.route('**/_user/messages?*', (route) => {
      if (typed === '') return route.continue();
      looks += 1;
      if (looks > 1) return route.continue();
      slowLook = type(typed)
        .then(() => answer.waitFor(SOON))
        .then(() => route.fulfill({ json: JSON.parse(before) }));
      return slowLook;
    });
    await say(page, '/tip @bob');
    await answer.waitFor(SOON);
    await slowLook;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await answer.count()).toBe(1);
    expect(looks).toBeGreaterThan(1);
    expect(faults).toEqual([]);
    await close();
  });

  it('keeps what was typed when the chat cannot take it, and sends it at the next try', async () => {
    const { page, close } = await open();
    await page.route('**/_user/messages', (route) => route.abort());
    await say(page, 'good evening');
    await page.getByText('Your message is saved.').waitFor(SOON);
    expect(await page.getByRole('textbox', { name: /^Message to/ }).inputValue()).toBe('good evening');
    await page.unroute('**/_user/messages');
    await page.getByRole('button', { name: 'Try again' }).click();
    await message(page, 'good evening').waitFor(SOON);
    expect(await page.getByRole('textbox', { name: /^Message to/ }).inputValue()).toBe('');
    await close();
  });

  it('fits a phone, light and dark, with both views', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, faults, close } = await open({
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        colorScheme,
      });
      await page.getByRole('tab', { name: /Friends/ }).waitFor(SOON);
      expect(await pageWidth(page)).toBe(390);
      await page
        .getByRole('navigation')
        .getByRole('button', { name: /happened/ })
        .tap();
      await panel(page).getByText('Balances now').waitFor(SOON);
      expect(await pageWidth(page)).toBe(390);
      expect(await page.getByRole('log').isVisible()).toBe(false);
      expect(faults).toEqual([]);
      await close();
    }
  });

  it('leads from the front page to the playground', async () => {
    const { page, faults, close } = await openPage(browser, stack.baseUrl);
    await page.getByRole('link', { name: 'Open the playground' }).click();
    await page.getByRole('tab', { name: /Friends/ }).waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  });
});

/** The newest message that says this. */
function message(page: Page, text: string) {
  return page.getByRole('log').getByRole('listitem').filter({ hasText: text }).last();
}

function panel(page: Page) {
  return page.getByRole('complementary', { name: 'What happened' });
}

async function speakAs(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(name) }).click();
}

/** Before, after and the change of one person's balance by the message that is looked into. */
async function balanceRow(page: Page, name: string): Promise<string[]> {
  const row = panel(page).getByRole('row', { name: new RegExp(name) });
  await row.waitFor(SOON);
  const cells = await row.getByRole('cell').allInnerTexts();
  return cells.map((cell) => cell.replace('→', '').trim());
}

function pageWidth(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth');
}
