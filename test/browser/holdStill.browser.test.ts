// Pages on a phone hold still while they load, also when what is asked for last is answered first: what stands is not moved by what comes.
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerTo, typeMessage, waitForAnswer } from '../../local/platforms/chatUser.ts';
import { chromiumPath, HOW_TO_INSTALL, WATCH_SHIFT } from '../../local/stack/chromium.ts';
import { type SamplePage, samplePages } from '../../local/tour/samplePages.ts';
import { PAGES } from '../../src/domain/pages.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { openPage, workersBrowser } from './browser.ts';

const PHONE = { width: 390, height: 844 };
const MOST_SHIFT = 0.02;
const QUIET_FRAMES = 5;
/** The first frame is all there is yet, or a skeleton stands for what is to come. */
const IS_LOADING = `document.querySelector('#root[inert]') !== null || document.body.innerText.trim() === '' || document.querySelector('.waits') !== null`;

describe.skipIf(!chromiumPath)(`pages on a phone (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  let samples: SamplePage[];
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
    const { alice } = stack.local.accounts;
    if (!alice) throw new Error('the stack has no alice');
    const chatId = stack.local.platforms.telegram.group_chat_id;
    const { message_id } = await typeMessage(stack.local, alice.telegram, chatId, '/tip @bob 1');
    await waitForAnswer(stack.local, chatId, answerTo(message_id));
    samples = await samplePages(stack.local);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const routes = PAGES.map(({ path }) => path);
  test.each(routes)('%s holds still, the last question answered first', async (path) => {
    const sample = samples.find(({ route }) => route.path === path);
    if (!sample) throw new Error(`${path} has no sample`);
    await holdsStill(sample.path, sample.as);
  });

  // Carol has no chat connected: her Home has the steps to the first tip.
  test('Home of a newcomer holds still', () => holdsStill('/account', 'carol'));

  async function holdsStill(path: string, as: string | null): Promise<void> {
    const session = as && stack.local.accounts[as]?.session;
    const held: Route[] = [];
    const { page, close } = await openPage(browser, stack.baseUrl + path, {
      viewport: PHONE,
      reducedMotion: 'no-preference',
      prepare: async (context) => {
        if (session) await context.addCookies([{ name: 'service-session', value: session, url: stack.baseUrl }]);
        await context.addInitScript({ content: WATCH_SHIFT });
        await context.route(/\/(api|v1)\//, (route) =>
          /\/(stream|events)$/.test(new URL(route.request().url()).pathname) ? route.continue() : void held.push(route),
        );
      },
    });
    for (let quiet = 0; quiet < QUIET_FRAMES; ) {
      await nextFrame(page);
      const route = held.pop();
      await route?.fulfill({ response: await route.fetch() });
      quiet = route || (await page.evaluate(IS_LOADING)) ? 0 : quiet + 1;
    }
    expect(await page.evaluate('shift')).toBeLessThanOrEqual(MOST_SHIFT);
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
    await close();
  }
});

/** What has come is drawn, and what it makes the page ask for is asked for. */
async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
}
