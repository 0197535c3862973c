// What waits for somebody, in a real browser against the whole stack: a tip that was typed before connecting, and money kept for somebody new.
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { expireSession, OMISSIONS, openPage, say, workersBrowser } from './browser.ts';
import { connectInChat, joinAs, look, message, newcomer, resident, SOON, speakAs, usdcOf } from './newcomer.ts';

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

describe.skipIf(!chromiumPath)(`what waits for somebody (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  it('sends what was typed before connecting, after one yes, once', async () => {
    const alice = resident(stack, 'alice');
    const bob = resident(stack, 'bob').account.address;
    const [aliceHad, bobHad] = [await usdcOf(stack, alice.account.address), await usdcOf(stack, bob)];
    const { page, context, faults, close } = await openPage(browser, `${stack.baseUrl}/settings`, {
      prepare: alice.wallet.attach,
    });
    await disconnectAll(page);
    await page.getByRole('link', { name: 'Tabs' }).first().click();
    await page.getByText('Nothing is waiting for you').waitFor(SOON);
    await lookAtBoth(page, '01-nothing');
    // The service does not answer, not at the second try either; then it does again.
    await page.route('**/api/waiting', (route) => route.abort(), { times: 2 });
    await showAgain(page, '/api/waiting');
    await page.getByRole('alert').getByText('Can’t reach Ampersat.').waitFor(SOON);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached', ...SOON });

    const chat = await context.newPage();
    await chat.goto(`${stack.baseUrl}/playground`);
    await speakAs(chat, 'Alice');
    await chat.getByRole('tab', { name: /Friends/ }).click();
    await say(chat, '/tip @bob 5');
    await message(chat, 'saved for 24 hours').waitFor(SOON);
    await (await connectInChat(context, chat, 'Alice')).close();

    // The page was open all the while. It asks again when it is shown again, and leads to the right to spend and back.
    await showAgain(page, '/api/waiting');
    await page.getByText('can receive but not spend yet').waitFor(SOON);
    await page.getByRole('link', { name: 'Tabs 1' }).first().waitFor(SOON);
    await lookAtBoth(page, '02-no-right-yet');
    expect(await page.evaluate(OMISSIONS)).toEqual([]);
    await page.getByRole('link', { name: 'Set spending limits' }).click();
    await page.getByText('is saved. Set a spending limit').waitFor(SOON);
    await signAll(page);
    await lookAtBoth(page, '03-right-signed');
    await page.getByRole('link', { name: 'Review and send' }).click();
    await page.getByRole('button', { name: 'Send 5.00 USDC' }).waitFor(SOON);
    for (const shown of ['@bob', '0.10 USDC', 'Base', '5.10 USDC', 'This can’t be undone', 'Expires'])
      await page.getByText(shown).first().waitFor(SOON);
    await lookAtBoth(page, '04-to-confirm');
    expect(await page.evaluate(OMISSIONS)).toEqual([]);

    // The session ends meanwhile: a press asks for a new one, and the tip stays where it is.
    await expireSession(page, () => page.getByRole('button', { name: 'Send 5.00 USDC' }).click());
    expect(await page.getByText('5.10 USDC').isVisible()).toBe(false);
    await lookAtBoth(page, '05-sign-in-again');
    expect(await usdcOf(stack, bob)).toBe(bobHad);
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click();
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached', ...SOON });

    // What is asked before the yes and answered after it must not bring the tip back.
    const late = await holdBack(page, '**/api/waiting');
    const posts = countPosts(page, '/api/waiting/');
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    await late.asked;
    await page.getByRole('button', { name: 'Send 5.00 USDC' }).dblclick();
    await page.getByText('is being sent.').waitFor(SOON);
    await late.arrive();
    expect(await page.getByRole('button', { name: /^Send/ }).count()).toBe(0);
    await page.getByText('is being sent.').waitFor(SOON);
    await lookAtBoth(page, '06-on-its-way');
    expect(posts()).toBe(1);

    await chat.getByRole('tab', { name: /Friends/ }).click();
    await message(chat, '✅ @alice tipped @bob 5.00 USDC (fee $0.10).').waitFor(SOON);
    expect(await usdcOf(stack, bob)).toBe(bobHad + 5_000_000n);
    expect(await usdcOf(stack, alice.account.address)).toBe(aliceHad - 5_100_000n);
    await page.getByRole('link', { name: 'View history' }).click();
    await page.getByText('To @bob').waitFor(SOON);
    // A browser notes by itself what was cut off, and what the session that was over was refused.
    expect(faults.filter((fault) => !/401|ERR_FAILED/.test(fault))).toEqual([]);
    await close();
  }, 240_000);

  it('gives somebody new all that was kept for them, with one press, once', async () => {
    const { account, wallet } = newcomer(stack);
    const { page, context, faults, close } = await openPage(browser, `${stack.baseUrl}/playground`, {
      prepare: wallet.attach,
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    });
    await speakAs(page, 'Carol');
    await say(page, 'hello from the train');
    await message(page, 'hello from the train').waitFor(SOON);
    await speakAs(page, 'Bob');
    for (const amount of ['5', '2.5']) {
      await say(page, `/tip @carol ${amount}`);
      await message(page, `🎁 ${Number(amount).toFixed(2)} USDC for @carol`).waitFor(SOON);
    }

    const waiting = await context.newPage();
    await waiting.goto(`${stack.baseUrl}/tabs`);
    await joinAs(waiting, 'caroline');
    await waiting.getByText('Nothing is waiting for you').waitFor(SOON);
    await lookAtBoth(waiting, '11-nothing');
    await (await connectInChat(context, page, 'Carol')).close();
    await showAgain(waiting, '/api/escrow');
    await waiting.getByRole('button', { name: 'Claim all 2' }).waitFor(SOON);
    await waiting.getByText('7.50 USDC').waitFor(SOON);
    await waiting.getByText(shortOf(account.address)).first().waitFor(SOON);
    await waiting.getByRole('link', { name: 'Tabs 2' }).first().waitFor(SOON);
    await lookAtBoth(waiting, '12-to-claim');
    expect(await waiting.evaluate(OMISSIONS)).toEqual([]);

    const posts = countPosts(waiting, '/api/escrow');
    await waiting.getByRole('button', { name: 'Claim all 2' }).dblclick();
    await waiting.getByRole('button', { name: 'Claiming…' }).waitFor(SOON);
    await look(waiting, 'waiting-phone-13-claiming');
    await waiting.getByText('In your wallet').waitFor(SOON);
    await waiting.getByText('7.50 USDC').waitFor(SOON);
    expect(await usdcOf(stack, account.address)).toBe(7_500_000n);
    expect(posts()).toBe(1);
    await lookAtBoth(waiting, '14-claimed');
    expect(await waiting.evaluate(OMISSIONS)).toEqual([]);
    await waiting.getByRole('link', { name: 'Tabs', exact: true }).first().waitFor(SOON);

    expect(faults).toEqual([]);
    await close();
  }, 240_000);

  /** The page as it stands, at a desk and on a phone; nothing may stick out. */
  async function lookAtBoth(page: Page, name: string): Promise<void> {
    const before = page.viewportSize() ?? DESK;
    for (const [where, size] of [
      ['desktop', DESK],
      ['phone', PHONE],
    ] as const) {
      await page.setViewportSize(size);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(size.width);
      await look(page, `waiting-${where}-${name}`);
    }
    await page.setViewportSize(before);
  }
});

/** What a browser does when its window comes to the front. */
async function showAgain(page: Page, path: string): Promise<void> {
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname === path, SOON);
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
  await asked;
}

/** From every platform, so that no other chat of theirs may spend. */
async function disconnectAll(page: Page): Promise<void> {
  const rows = page.getByRole('listitem').filter({ hasText: /Can spend|Receive only/ });
  await rows.first().waitFor(SOON);
  for (let left = await rows.count(); left > 0; left -= 1) {
    await rows.first().getByRole('button', { name: 'Disconnect alice' }).click(SOON);
    await rows.first().getByRole('button', { name: 'Disconnect', exact: true }).click(SOON);
    // Its button has gone before the row has: only the row tells that it is done.
    await rows.nth(left - 1).waitFor({ state: 'detached', ...SOON });
  }
  await page.getByText('No chat is connected').waitFor(SOON);
}

/** Signs whatever of the right to spend is not signed yet. */
async function signAll(page: Page): Promise<void> {
  const next = page.getByRole('button', { name: /^Sign \d of 3$/ });
  const done = page.getByText('You’re all set.');
  for (;;) {
    await next.or(done).first().waitFor(SOON);
    if (await done.isVisible()) return;
    const name = (await next.textContent()) ?? '';
    await next.click();
    await page.getByRole('button', { name, exact: true }).waitFor({ state: 'detached', ...SOON });
  }
}

/** The next read of an address is answered by the service at once, and arrives at the page when the test says so. */
async function holdBack(page: Page, url: string): Promise<{ asked: Promise<void>; arrive(): Promise<void> }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let heard = () => {};
  const asked = new Promise<void>((resolve) => {
    heard = resolve;
  });
  let arrived: Promise<void> | undefined;
  await page.route(
    url,
    async (route) => {
      const work = async () => {
        const response = await route.fetch();
        heard();
        await released;
        // The page may have given up on it by now.
        await route.fulfill({ response }).catch(() => undefined);
      };
      arrived = work();
      await arrived;
    },
    { times: 1 },
  );
  return {
    asked,
    async arrive() {
      release();
      await arrived;
    },
  };
}

function countPosts(page: Page, path: string): () => number {
  let count = 0;
  page.on('request', (request: Request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname.startsWith(path)) count += 1;
  });
  return () => count;
}

function shortOf(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
