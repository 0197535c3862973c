// A merchant's webhooks in a real browser against real receivers: made, tried, watched as events arrive, failing, replayed, rolled, deleted. At a desk and on a phone.
import { createHmac } from 'node:crypto';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { RETRY_SCHEDULE_S } from '../../src/domain/delivery.ts';
import { SECRET_PATTERN } from '../../src/domain/webhookEndpoint.ts';
import { createDeliverer, type Deliverer } from '../../src/services/webhooks/dispatcher.ts';
import { serveWorld, visitor } from '../setup/visitor.ts';
import { type Received, receiverForTest } from '../setup/webhooks.ts';
import { localPerson, startWorld, type World } from '../setup/world.ts';
import { arrives, OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';

/** What the stream tells is there by then; without it the page would still rest. */
const LIVE = { timeout: 15_000 };
const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true, colorScheme: 'dark' as const };

describe.skipIf(!chromiumPath)(`a merchant's webhooks in a browser (${HOW_TO_INSTALL})`, () => {
  let world: World;
  let base: string;
  let browser: Browser;
  let deliverer: Deliverer;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld(), workersBrowser()]);
    base = await serveWorld(world);
    deliverer = createDeliverer(world.ctx, { jitter: () => 0 });
  }, 180_000);
  afterAll(async () => {
    await deliverer?.close();
    await world?.stop();
  });

  /** Somebody of the world, signed in already, and what they do by API. */
  async function merchant(name: string) {
    const who = visitor(base);
    expect((await who.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
    const cookie = { name: 'service-session', value: who.cookies.get('service-session') ?? '', url: base };
    const open = (path: string, options: Parameters<typeof openPage>[2] = {}) =>
      openPage(browser, base + path, {
        ...options,
        prepare: async (context) => {
          await context.addCookies([cookie]);
          await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
          await options.prepare?.(context);
        },
      });
    return {
      who,
      open,
      async order(): Promise<string> {
        const answer = await who.post('/api/orders', { amount: '12.50', currency: 'USDC', chain: 'base' });
        expect(answer.status).toBe(201);
        return answer.body.order.id;
      },
      async endpoint(url: string, wish: object = {}): Promise<string> {
        const answer = await who.post('/api/webhooks', { url, mode: 'test', ...wish });
        expect(answer.status).toBe(201);
        return answer.body.endpoint.id;
      },
    };
  }

  /** Keeps what a page looks like once it has all that it asked for, and checks what every page owes. */
  const seen = async (page: Page, name?: string) => {
    await page
      .locator('.waits, [aria-busy="true"]')
      .first()
      .waitFor({ state: 'detached', ...SOON });
    if (name) await look(page, name);
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    expect(await page.locator('main .bg-accent.text-on-accent.font-semibold:visible').count()).toBeLessThan(2);
  };
  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });
  const deliveries = (page: Page) => page.getByRole('table', { name: 'Deliveries' });
  /** A delivery, whole: its button opens it. */
  const row = (page: Page, text: RegExp) => deliveries(page).getByRole('row', { name: text });

  /** Has the heading the focus, so that it is read out? */
  const isFocused = (page: Page, name: string | RegExp) =>
    page.locator('h2:focus').and(page.getByRole('heading', { name })).waitFor(SOON);
  const heightOf = async (locator: Locator) => (await locator.boundingBox())?.height ?? 0;

  /** Is this what a receiver with the secret would take for ours? */
  function isSigned({ headers, body }: Received, secret: string): boolean {
    const parts = String(headers['service-signature']).split(',');
    const time = parts.find((part) => part.startsWith('t='))?.slice(2);
    return parts.includes(`v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`);
  }

  it('adds an endpoint whose secret is shown once, tries it, and sees an order arrive as it happens: at a desk', async () => {
    const receiver = await receiverForTest({ status: 200, body: 'thank you' });
    const { open, order } = await merchant('shop');
    const { page, faults, close } = await open('/webhooks');
    await page.getByText('No endpoints yet').waitFor(SOON);
    await seen(page, 'webhooks-desktop-01-none');
    await button(page, 'Add endpoint').press('Enter');
    // What was asked for stands above the button: the keyboard is there, not behind it.
    await isFocused(page, 'New endpoint');
    await page.keyboard.press('Tab');
    await page.keyboard.type('my server');
    await page.getByText('Enter a full URL, like https://shop.example/webhooks.').waitFor(SOON);
    expect(await button(page, 'Save endpoint').isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Endpoint URL' }).fill(receiver.url);
    await page.getByRole('textbox', { name: 'Description (optional)' }).fill('The web shop');
    await page.getByRole('radio', { name: 'Selected events' }).check({ force: true });
    expect(await button(page, 'Save endpoint').isDisabled()).toBe(true);
    await button(page, 'All of Orders').click();
    await seen(page, 'webhooks-desktop-02-new');
    await button(page, 'Save endpoint').click();
    const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue(SOON);
    expect(secret).toMatch(SECRET_PATTERN);
    await isFocused(page, /^Signing secret for/);
    await button(page, 'Copy: Signing secret').click();
    await button(page, 'Copied: Signing secret').waitFor(SOON);
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret);
    await seen(page, 'webhooks-desktop-03-secret');
    await button(page, 'Done').click();
    expect(await page.content()).not.toContain(secret);

    await page
      .getByRole('list', { name: 'Endpoints' })
      .getByRole('link', { name: new RegExp(receiver.host) })
      .click();
    await page.getByText('No deliveries yet').waitFor(SOON);
    await button(page, 'Send test event…').click();
    await page.getByRole('combobox', { name: 'Event type' }).selectOption('order.refunded');
    await button(page, 'Send').click();
    await row(page, /order\.refunded.*test.*Pending/).waitFor(SOON);
    await deliverer.round();
    // Nobody loads the page again from here on, and by itself it would not ask for half a minute.
    await row(page, /order\.refunded.*test.*Delivered/).waitFor(LIVE);
    expect(receiver.requests.map((one) => isSigned(one, secret))).toEqual([true]);
    const id = await order();
    await arrives(page, row(page, /order\.created.*Pending/), LIVE);
    await deliverer.round();
    await row(page, /order\.created.*Delivered/).waitFor(LIVE);
    expect(JSON.parse(receiver.requests[1]?.body ?? '')).toMatchObject({ type: 'order.created', livemode: false });
    await row(page, /order\.created/).click();
    await page.getByText('thank you').waitFor(SOON);
    await button(page, 'Copy: Payload').click();
    const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'));
    expect(copied.data.object.order.id).toBe(id);
    await seen(page, 'webhooks-desktop-04-delivered');

    await page.getByRole('link', { name: 'View event' }).click();
    await page.getByRole('heading', { name: 'order.created' }).waitFor(SOON);
    await seen(page, 'webhooks-desktop-05-event');
    await button(page, 'Resend').click();
    await page.getByText('Event queued.').waitFor(SOON);
    await deliverer.round();
    await row(page, /Delivered.*2 attempts/).waitFor(SOON);
    expect(receiver.requests).toHaveLength(3);
    expect(receiver.requests[2]?.headers['webhook-id']).toBe(receiver.requests[1]?.headers['webhook-id']);
    await page.getByRole('link', { name: /^Order ord_/ }).click();
    await page
      .getByRole('table', { name: 'Events' })
      .getByRole('row', { name: /order\.created.*Delivered/ })
      .waitFor(SOON);
    await look(page, 'webhooks-desktop-06-order');
    await page.getByRole('link', { name: 'View all' }).click();
    await page
      .getByRole('table', { name: 'Events', exact: true })
      .getByRole('link', { name: /order\.created/ })
      .waitFor(SOON);
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe(id);
    await page.getByRole('combobox', { name: 'Type' }).selectOption('order.completed');
    await page.getByText('No results').waitFor(SOON);
    await button(page, 'Clear filters').click();
    // Test events stand in no list.
    const events = page.getByRole('table', { name: 'Events', exact: true }).getByRole('link');
    await events.first().waitFor(SOON);
    expect(await events.count()).toBe(1);
    await seen(page, 'webhooks-desktop-07-events');
    await page.getByRole('radio', { name: 'Failed' }).check({ force: true });
    await page.getByText('No results').waitFor(SOON);
    expect(page.url()).toContain('delivery=failed');
    await page.getByRole('radio', { name: 'All', exact: true }).check({ force: true });
    await page.setViewportSize({ width: 1366, height: 657 });
    const created = page
      .getByRole('table', { name: 'Events', exact: true })
      .getByRole('row', { name: /order\.created/ });
    expect((await created.boundingBox())?.y ?? 999).toBeLessThan(657 - 60);
    await button(page, 'Actions').click();
    await page.getByRole('menuitem', { name: 'Copy resource ID' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(id);
    expect(faults).toEqual([]);
    await close();
  });

  it('shows what a receiver answered that fails, when the next try is, and replays what failed for good', async () => {
    const receiver = await receiverForTest({ status: 500, body: '{"error": "the database is locked"}' });
    const { open, order, endpoint } = await merchant('bob');
    const id = await endpoint(receiver.url);
    await order();
    await deliverer.round();
    const { page, faults, close } = await open('/webhooks');
    const inList = page.getByRole('list', { name: 'Endpoints' }).getByRole('listitem');
    await inList.getByText('Failing since').waitFor(SOON);
    const failingHeight = await heightOf(inList);
    await page.goto(`${base}/webhooks/${id}`);
    await row(page, /order\.created.*Retrying.*next try in/).click();
    await page.getByText('the database is locked').waitFor(SOON);
    await page.getByText('Failing', { exact: true }).waitFor(SOON);
    await page.getByRole('radio', { name: 'Pending' }).check({ force: true });
    await row(page, /order\.created/).waitFor(SOON);
    await seen(page, 'webhooks-desktop-08-failing');
    await row(page, /order\.created/)
      .getByRole('button', { name: 'Actions' })
      .click();
    await page.getByRole('menuitem', { name: 'View event' }).click();
    await page.getByRole('heading', { name: 'order.created' }).waitFor(SOON);
    await page.goto(`${base}/events?delivery=retrying`);
    await page.getByRole('row', { name: /order\.created.*Retrying/ }).waitFor(SOON);
    await page.goto(`${base}/webhooks/${id}?show=pending`);
    await row(page, /order\.created/).waitFor(SOON);
    // On a laptop it is in sight.
    await page.setViewportSize({ width: 1366, height: 657 });
    expect((await row(page, /order\.created/).boundingBox())?.y ?? 999).toBeLessThan(657 - 60);
    await page.setViewportSize({ width: 1280, height: 800 });

    // What was typed stays while the page learns news.
    await button(page, 'Edit…').click();
    await page.getByRole('textbox', { name: 'Description (optional)' }).fill('Half a sen');
    let before = 0;
    for (const rung of RETRY_SCHEDULE_S) {
      world.later((rung - before) * 1_000 + 1_000);
      before = rung;
      await deliverer.round();
    }
    await page.getByText('No pending deliveries').waitFor(SOON);
    expect(await page.getByRole('textbox', { name: 'Description (optional)' }).inputValue()).toBe('Half a sen');
    await page.getByRole('textbox', { name: 'Description (optional)' }).fill('The kitchen');
    await button(page, 'Save').click();
    await page.getByText('The kitchen').waitFor(SOON);
    await page.getByRole('radio', { name: 'Failed' }).check({ force: true });
    await row(page, /order\.created.*Failed.*7 attempts/).waitFor(SOON);
    await button(page, 'Resend failed…').click();
    await page.getByText('1 failed delivery since then.').waitFor(SOON);
    await page.getByRole('combobox', { name: 'Failed since' }).selectOption('0');
    await page.getByRole('textbox', { name: 'Since' }).fill('2200-01-01T00:00');
    await page.getByText('Nothing failed since then.').waitFor(SOON);
    expect(await button(page, 'Resend').isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Failed since' }).selectOption('1');
    await seen(page, 'webhooks-desktop-09-replay');
    receiver.behave([{ status: 503 }, { status: 200 }]);
    await button(page, 'Resend').click();
    await page.getByText('1 delivery queued.').waitFor(SOON);
    await deliverer.round();
    world.later((RETRY_SCHEDULE_S[0] + 1) * 1_000);
    await deliverer.round();
    await page.getByText('No failed deliveries', { exact: true }).waitFor(SOON);
    await page.getByRole('radio', { name: 'All' }).check({ force: true });
    await row(page, /order\.created.*Delivered.*9 attempts/).waitFor(SOON);
    expect(receiver.requests).toHaveLength(9);
    await page.goto(`${base}/webhooks`);
    await inList.getByText('Enabled').waitFor(SOON);
    // What stands below stays where it is.
    expect(await heightOf(inList)).toBe(failingHeight);
    expect(faults).toEqual([]);
    await close();
  });

  it('says on every page that we disabled one, lists what failed by that, rolls, disables and deletes', async () => {
    const receiver = await receiverForTest({ status: 410 });
    const { open, order, endpoint } = await merchant('alice');
    const id = await endpoint(receiver.url);
    await order();
    await deliverer.round();
    const { page, faults, close } = await open('/account');
    await page.getByText('was disabled because it returned 410').waitFor(SOON);
    await look(page, 'webhooks-desktop-10-gone');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('1 failed delivery').waitFor(SOON);
    await page.getByText('Disabled: gone').waitFor(SOON);
    await seen(page, 'webhooks-desktop-11-failed-hint');
    await page.getByRole('link', { name: 'View failed' }).click();
    await page.getByRole('heading', { level: 1, name: 'Failed deliveries' }).waitFor(SOON);
    await row(page, /order\.created.*Failed/).click();
    await page.getByText('The endpoint returned 410 Gone.').waitFor(SOON);
    await seen(page, 'webhooks-desktop-12-failed');
    await page.getByRole('link', { name: 'View endpoint' }).click();
    await page.getByText('Disabled because it returned 410 Gone.').waitFor(SOON);
    receiver.behave({ status: 200 });
    await button(page, 'Enable').click();
    await page.getByText('Enabled', { exact: true }).waitFor(SOON);
    expect(await page.getByText('was disabled because it returned 410').count()).toBe(0);
    await page.goto(`${base}/webhooks/failed`);
    await button(page, 'Resend all…').click();
    await button(page, 'Resend').click();
    await page.getByText('No failed deliveries', { exact: true }).waitFor(SOON);
    await deliverer.round();
    expect(receiver.requests).toHaveLength(2);

    await page.goto(`${base}/webhooks/${id}`);
    await button(page, 'Roll secret…').click();
    await page.getByRole('combobox', { name: 'Current secret expires' }).selectOption('1');
    await button(page, 'Roll secret').click();
    const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue(SOON);
    await page.getByText(/events are also signed with the previous secret/).waitFor(SOON);
    await isFocused(page, /^Signing secret for/);
    await seen(page, 'webhooks-desktop-13-rolled');
    await button(page, 'Done').click();
    await page.getByText('The previous signing secret is valid until').waitFor(SOON);
    await order();
    await deliverer.round();
    const last = receiver.requests.at(-1);
    expect(last && isSigned(last, secret)).toBe(true);
    expect(String(last?.headers['service-signature']).match(/v1=/g)).toHaveLength(2);

    await button(page, 'Disable…').click();
    await page.getByText('Disable this endpoint? Pending deliveries fail; you can resend them later.').waitFor(SOON);
    await button(page, 'Disable endpoint').click();
    await page.getByText('It receives no events until you enable it.').waitFor(SOON);
    await order();
    await deliverer.round();
    expect(receiver.requests).toHaveLength(3);
    await button(page, 'Delete…').click();
    await button(page, 'No').click();
    await button(page, 'Delete…').click();
    await button(page, 'Delete endpoint').click();
    await page.getByText('No endpoints yet').waitFor(SOON);
    await page.goto(`${base}/webhooks/${id}`);
    await page.getByText('Endpoint not found').waitFor(SOON);
    expect(await world.ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'deleted',
    });
    // The browser itself notes that the deleted one was asked for.
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
    await close();
  });

  it('keeps saying what is wrong while it asks again, until there is an answer', async () => {
    const { open } = await merchant('alice');
    const noStream = async (context: BrowserContext) => {
      await context.route('**/api/webhooks/stream', (route) => route.fulfill({ status: 204 }));
    };
    const { page, close } = await open('/account', { prepare: noStream });
    for (const [path, asked] of [
      ['/webhooks', '**/api/webhooks?*'],
      ['/events', '**/api/events?*'],
    ] as const) {
      await page.route(asked, (route) => route.abort());
      await page.goto(base + path);
      const note = page.getByRole('alert').filter({ hasText: 'Can’t reach Ampersat' });
      await note.waitFor(SOON);
      let answer = () => {};
      const asking = new Promise<void>((resolve) => {
        const answered = new Promise<void>((go) => {
          answer = go;
        });
        void page.unroute(asked).then(() =>
          page.route(asked, async (route) => {
            resolve();
            await answered;
            await route.continue();
          }),
        );
      });
      await asking;
      // Two frames, so that whatever follows from asking is drawn.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      expect(await note.count()).toBe(1);
      answer();
      await note.waitFor({ state: 'detached', ...SOON });
      await seen(page);
      await page.unroute(asked);
    }
    await close();
  });

  it('fits a phone, in the dark, and asks by itself where no stream gets through', async () => {
    const [good, bad] = [await receiverForTest(), await receiverForTest({ status: 500, body: 'x'.repeat(3_000) })];
    const { open, order, endpoint } = await merchant('carol');
    await endpoint(good.url, { description: 'The web shop', enabled_events: ['order.created', 'order.completed'] });
    const failing = await endpoint(`${bad.url}/${'a-long-way/'.repeat(80)}`);
    await order();
    await deliverer.round();
    const noStream = async (context: BrowserContext) => {
      await context.route('**/api/webhooks/stream', (route) => route.fulfill({ status: 204 }));
    };
    const { page, faults, close } = await open('/account', { ...PHONE, prepare: noStream });
    await button(page, 'More').tap();
    await look(page, 'webhooks-phone-01-more');
    await page.getByRole('dialog').getByRole('link', { name: 'Webhooks' }).tap();
    await page.getByRole('list', { name: 'Endpoints' }).waitFor(SOON);
    await seen(page, 'webhooks-phone-02-list');
    expect(await heightOf(page.getByRole('listitem').filter({ hasText: 'a-long-way' }))).toBeLessThan(200);
    await button(page, 'Add endpoint').tap();
    const selected = page.getByRole('radio', { name: 'Selected events' });
    // Not below the bar at the bottom.
    await selected.evaluate((radio: { scrollIntoView(to: object): void }) => radio.scrollIntoView({ block: 'center' }));
    await selected.check({ force: true });
    await seen(page, 'webhooks-phone-03-new');
    await page
      .getByRole('list', { name: 'Endpoints' })
      .getByRole('link', { name: /a-long-way/ })
      .tap();
    await row(page, /order\.created.*next try in/).tap();
    await page.getByText('500', { exact: true }).waitFor(SOON);
    expect(await heightOf(page.getByRole('heading', { name: /a-long-way/ }))).toBeLessThan(120);
    await seen(page);
    await order();
    await arrives(page, deliveries(page).getByRole('row').nth(2));
    await page.getByRole('heading', { name: 'Deliveries' }).scrollIntoViewIfNeeded();
    await look(page, 'webhooks-phone-04-failing');
    await deliverer.round();
    await page.getByRole('navigation', { name: 'Business' }).getByRole('link', { name: 'Events' }).tap();
    const events = page.getByRole('table', { name: 'Events', exact: true });
    await events.getByRole('link').first().waitFor(SOON);
    await seen(page, 'webhooks-phone-05-events');
    await events.getByRole('link').first().tap();
    await row(page, /a-long-way.*next try in/).waitFor(SOON);
    await seen(page, 'webhooks-phone-06-event');
    await page.goto(`${base}/webhooks/${failing}?show=failed`);
    await page.getByText('No failed deliveries', { exact: true }).waitFor(SOON);
    await button(page, 'Resend failed…').tap();
    await seen(page);
    expect(faults).toEqual([]);
    await close();
  });
});
