// The front page in a browser: it speaks to people in chats, merchants and developers, leads to where each goes on, and fits every screen.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_STACK } from '../../local/playground/page.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { examplesOf } from '../../web/src/docs/callExamples.ts';
import { CREATE_ORDER } from '../../web/src/docs/landing/createOrder.ts';
import { keyOf } from '../setup/api.ts';
import { RUNNABLE, startExamples } from '../setup/examples.ts';
import { serveWorld } from '../setup/visitor.ts';
import { startWorld, type World } from '../setup/world.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';

const SCREENS = [
  { width: 1280, height: 800 },
  { width: 1366, height: 657 },
  { width: 390, height: 844 },
];

describe.skipIf(!chromiumPath)(`the front page (${HOW_TO_INSTALL})`, () => {
  let world: World;
  let browser: Browser;
  let base: string;
  beforeAll(async () => {
    world = await startWorld({ chains: ['base', 'base-sepolia'] });
    base = await serveWorld(world, { headHtml: LOCAL_STACK });
    browser = await workersBrowser();
  });
  afterAll(async () => {
    await world.stop();
  });

  test.each(['/', '/docs/webhooks', '/account', '/o/none'])(
    'paints before its scripts have arrived, and takes over in place: %s',
    async (path) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const { page, faults, close } = await openPage(browser, 'about:blank', {
        prepare: async (context) => {
          await context.route(/\/assets\/.*\.js$/, (route) => held.then(() => route.continue()));
        },
      });
      const opened = page.goto(base + path);
      await page.locator('#root[inert]').locator('a', { hasText: 'Ampersat' }).first().waitFor();
      release();
      await opened;
      await page.locator('#root:not([inert])').locator('a', { hasText: 'Ampersat' }).first().waitFor();
      expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
      await close();
    },
  );

  test('speaks to each of its readers, and leads them on', async () => {
    const { page, faults, close } = await openPage(browser, base);
    for (const name of ['Pay people in a chat', 'Accept payments', 'Fees and networks', 'How your money stays safe'])
      await page.getByRole('heading', { name, exact: true }).waitFor();
    const text = await page.getByRole('main').textContent();
    for (const words of [
      'as a reply, tips the author',
      'The recipient gets the full amount',
      'No fee',
      '1%',
      'Celo (USDC, CELO)',
    ])
      expect(text).toContain(words);
    expect(text).not.toMatch(/whoever|the other side/i);
    await page.getByRole('figure', { name: /^The checkout/ }).waitFor();
    const example = page.getByRole('region', { name: 'Accept payments' }).getByRole('figure').first();
    expect(await example.locator('pre').textContent()).toContain(`curl ${base}/v1/orders`);
    await example.getByRole('button', { name: 'Node.js' }).click();
    expect(await example.locator('pre').textContent()).toContain('ampersat.orders.create({');

    const all = await page.getByRole('link').all();
    const links = await Promise.all(all.map(async (one) => (await one.getAttribute('href')) ?? ''));
    for (const href of ['/account', '/docs', '/docs/quickstart', '/docs/api', '/docs/webhooks', '/playground'])
      expect(links).toContain(href);
    for (const href of new Set(links.filter((one) => one !== '/playground')))
      expect((await fetch(base + href, { headers: { accept: 'text/html' } })).status, href).toBe(200);
    await page.getByRole('link', { name: 'Start the quickstart' }).click();
    await page.getByRole('heading', { name: 'Quickstart: accept your first payment', level: 1 }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('its example creates the order that its checkout shows, in every language', async () => {
    const examples = await startExamples(base);
    const key = await keyOf(world, 'shop');
    for (const { language, text } of examplesOf({
      ...CREATE_ORDER,
      origin: examples.origin,
      key,
      idempotencyKey: 'cart-1',
    })) {
      if (!RUNNABLE.includes(language)) continue;
      const ran = await examples.run(language, text.replace('cart-1', `cart-${language}`));
      expect(ran.asked[0], ran.out).toMatchObject({ status: 201, body: CREATE_ORDER.body });
    }
    examples.stop();
    expect(CREATE_ORDER.body).toEqual({ amount: '25.00', chain: 'base-sepolia', description: 'Two bags of coffee' });
  });

  test.each(
    SCREENS.flatMap((viewport) => (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme }))),
  )('fits $viewport.width × $viewport.height, $colorScheme', async (how) => {
    const { page, faults, close } = await openPage(browser, base, how);
    // What it is, and both ways on, without scrolling.
    for (const name of ['Get started', 'Accept payments']) {
      const box = await page.getByRole('link', { name, exact: true }).boundingBox();
      expect((box?.y ?? Number.NaN) + (box?.height ?? 0), name).toBeLessThanOrEqual(how.viewport.height);
    }
    expect(await overflow(page)).toBe(0);
    expect(await page.evaluate(OMISSIONS)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });
});
