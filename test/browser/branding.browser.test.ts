// The face of a shop in a browser: chosen in the dashboard, shown to buyers in light and dark, at a desk and on a phone, and never instead of the handle.
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { indexChain } from '../../src/services/operations/feed.ts';
import { payOrder } from '../setup/orders.ts';
import { drawnPicture } from '../setup/pictures.ts';
import { serveWorld, type Visitor, visitor } from '../setup/visitor.ts';
import { localPerson, startWorld, type World } from '../setup/world.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';

const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const SCREENS: [name: string, options: BrowserContextOptions][] = [
  ['desk-light', DESK],
  ['desk-dark', { ...DESK, colorScheme: 'dark' }],
  ['phone-light', PHONE],
  ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
];
const YELLOW = { chosen: '#ffd400', light: 'rgb(127, 105, 0)', dark: 'rgb(255, 212, 0)' };
/** Runs in the page before anything else: adds up by how much things moved. */
const WATCH_SHIFTS = `globalThis.shifted = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) globalThis.shifted += value;
}).observe({ type: 'layout-shift', buffered: true });`;

type Styled = { getComputedStyle(one: unknown): { backgroundColor: string } };
const groundOf = (one: Locator) =>
  one.evaluate((node) => (globalThis as unknown as Styled).getComputedStyle(node).backgroundColor);

/** How wide a picture is by itself: 0 until it is there. */
const pixelsOf = (picture: Locator) =>
  picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);

describe.skipIf(!chromiumPath)(`the face of a shop in a browser (${HOW_TO_INSTALL})`, () => {
  let world: World;
  let base: string;
  let browser: Browser;
  let shop: Visitor;
  let order: string;
  let paid: string;
  let link: string;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld(), workersBrowser()]);
    base = await serveWorld(world);
    shop = visitor(base);
    expect((await shop.signIn(privateKeyToAccount(localPerson('shop').key))).status).toBe(200);
    const made = await shop.post('/api/orders', { amount: '12.50', chain: 'base', description: 'Two bags of coffee' });
    order = made.body.order.id;
    link = (await shop.post('/api/payment_links', { label: 'Tea', amount: '4', chain: 'base' })).body.link.id;
    paid = (await shop.post('/api/orders', { amount: '3.00', chain: 'base' })).body.order.id;
    await payOrder(world, await world.ctx.db.order.findUniqueOrThrow({ where: { id: paid } }), 'a fan', 'direct');
    await world.mine(3);
    for (;;) {
      const { at, target } = await indexChain(world.ctx, world.evmChain());
      if (at.block >= target) break;
    }
  }, 180_000);
  afterAll(async () => {
    await world?.stop();
  });

  async function open(path: string, options: BrowserContextOptions, asOwner = false) {
    const value = shop.cookies.get('service-session') ?? '';
    return openPage(browser, base + path, {
      ...options,
      prepare: async (context) => {
        await context.addInitScript({ content: WATCH_SHIFTS });
        if (asOwner) await context.addCookies([{ name: 'service-session', value, url: base }]);
      },
    });
  }

  async function isWell(page: Page): Promise<void> {
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }

  it('is chosen by its owner, who sees at once what buyers will see', async () => {
    const { page, faults, close } = await open('/workspace', DESK, true);
    await page.getByRole('link', { name: 'Edit branding' }).click();
    await page.getByRole('heading', { name: 'Branding', level: 1 }).waitFor(SOON);
    const preview = page.getByRole('figure', { name: 'Preview, light' });
    await preview.getByText('@shop').waitFor(SOON);

    await page.getByLabel('Name', { exact: true }).fill('@coinbase');
    await page.getByText('A name can’t contain @').waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByLabel('Name', { exact: true }).fill('Blue Bottle Coffee');
    await preview.getByText('Blue Bottle Coffee').waitFor(SOON);
    await preview.getByText('@shop').waitFor(SOON);

    const accent = page.getByLabel('Accent color', { exact: true });
    await accent.fill('#ffd400;}body{display:none');
    await page.getByText('Enter a color like #0b5d3b.').waitFor(SOON);
    await accent.fill(YELLOW.chosen);
    await page
      .getByText('On light pages we made your color darker so that text on it can be read: #7f6900.')
      .waitFor(SOON);
    for (const scheme of ['light', 'dark'] as const)
      expect(await groundOf(page.getByRole('figure', { name: `Preview, ${scheme}` }).locator('.bg-accent'))).toBe(
        YELLOW[scheme],
      );

    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });
    const chooser = page.getByLabel('Logo file');
    await chooser.setInputFiles(file('logo.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')));
    await page.getByText('Choose a PNG, JPEG or WebP picture.').waitFor(SOON);
    await chooser.setInputFiles(file('logo.png', await drawnPicture('png', { width: 300, height: 200 })));
    await preview.locator('img').waitFor(SOON);

    await page.getByLabel('Support address').fill('javascript:alert(1)');
    await page.getByText('Enter an e-mail address, or a URL that begins with https://.').waitFor(SOON);
    await page.getByLabel('Support address').fill('help@bluebottle.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor(SOON);
    await isWell(page);
    await look(page, 'branding-settings-desk');
    expect(faults).toEqual([]);
    await close();
    expect((await shop.get('/api/branding')).body.branding).toMatchObject({
      name: 'Blue Bottle Coffee',
      accent: { chosen: YELLOW.chosen, light: '#7f6900', dark: '#ffd400' },
      support: 'help@bluebottle.example',
    });
  });

  it('can be chosen on a phone in the dark', async () => {
    const { page, faults, close } = await open('/workspace/branding', { ...PHONE, colorScheme: 'dark' }, true);
    await page.getByRole('figure', { name: 'Preview, dark' }).getByText('Blue Bottle Coffee').waitFor(SOON);
    await isWell(page);
    await look(page, 'branding-settings-phone');
    expect(faults).toEqual([]);
    await close();
  });

  it.each(SCREENS)('stands beside the handle on every page of a buyer: %s', async (name, options) => {
    const scheme = options.colorScheme === 'dark' ? 'dark' : 'light';
    const { page, faults, close } = await open(`/l/${link}`, options);
    await page.getByRole('heading', { name: 'Pay Blue Bottle Coffee Recipient @shop · business' }).waitFor(SOON);
    const pay = page.getByRole('button', { name: 'Pay 4.00 USDC' });
    await pay.waitFor(SOON);
    expect(await groundOf(pay)).toBe(YELLOW[scheme]);
    expect(await page.getByRole('link', { name: 'help@bluebottle.example' }).getAttribute('href')).toBe(
      'mailto:help@bluebottle.example',
    );
    await isWell(page);
    await look(page, `branding-link-${name}`);

    await page.goto(`${base}/o/${order}`);
    const heading = page.getByRole('heading', { name: 'Pay Blue Bottle Coffee Recipient @shop · business 12.50 USDC' });
    await heading.waitFor(SOON);
    await expect.poll(() => pixelsOf(page.locator('h1 img')), SOON).toBe(512);
    await isWell(page);
    await look(page, `branding-order-${name}`);

    await page.goto(`${base}/o/${paid}/receipt`);
    const receipt = page.getByRole('article', { name: 'Receipt' });
    await receipt.getByText('Blue Bottle Coffee').waitFor(SOON);
    await receipt.getByRole('definition').getByText('@shop').waitFor(SOON);
    await receipt.getByRole('link', { name: 'help@bluebottle.example' }).waitFor(SOON);
    await isWell(page);
    await look(page, `branding-receipt-${name}`);
    if (name === 'desk-light') {
      await page.emulateMedia({ media: 'print' });
      await look(page, 'branding-receipt-print');
    }
    expect(faults).toEqual([]);
    await close();
  });

  it('moves nothing when a slow logo comes', async () => {
    const { page, close } = await open('/', DESK);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/pictures/*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${base}/l/${link}`, { waitUntil: 'commit' });
    const button = page.getByRole('button', { name: 'Pay 4.00 USDC' });
    await button.waitFor(SOON);
    const logo = page.locator('h1 img');
    expect(await pixelsOf(logo)).toBe(0);
    const places = async () => [await page.locator('h1').boundingBox(), await button.boundingBox()];
    const before = await places();
    const shiftedBefore = await page.evaluate<number>('globalThis.shifted');
    release();
    await expect.poll(() => pixelsOf(logo), SOON).toBe(512);
    expect(await places()).toEqual(before);
    expect(await page.evaluate<number>('globalThis.shifted')).toBe(shiftedBefore);
    await close();
  });

  it('cannot hide who is paid, however long its name is, nor bring script or style of its own', async () => {
    const name = `<img src=x onerror=alert(1)>${'W'.repeat(32)}`;
    expect((await shop.send('PATCH', '/api/branding', { name })).status).toBe(200);
    const { page, faults, close } = await open(`/o/${order}`, PHONE);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.getByText(name).waitFor(SOON);
    const handle = heading.getByText('@shop');
    expect(await handle.isVisible()).toBe(true);
    const box = await handle.boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= PHONE.viewport.width).toBe(true);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await page.locator('main [style*="url"]').count()).toBe(0);
    await isWell(page);
    await look(page, 'branding-long-name-phone');
    expect(faults).toEqual([]);
    await close();
    await shop.send('PATCH', '/api/branding', { name: 'Blue Bottle Coffee' });
  });
});
