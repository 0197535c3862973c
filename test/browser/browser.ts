// Pages of a Chromium for the tests, which note whatever a page must not do: errors, breaches of its policy, calls to other machines.
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Request, Route } from 'playwright-core';
import { expect, onTestFailed } from 'vitest';
import { launchBrowser } from '../../local/stack/chromium.ts';
import { SOON } from './newcomer.ts';

let launched: Browser | undefined;

/**
 * The Chromium of this worker: each start takes as long as some tests, and every page has a profile of its own. It ends with the worker, whose
 * files run one after the other.
 */
export async function workersBrowser(): Promise<Browser> {
  if (!launched?.isConnected()) launched = await launchBrowser();
  return launched;
}

/** Runs in the page. */
const REPORT_BREACHES = `document.addEventListener('securitypolicyviolation', (event) => {
  console.error('policy breached: ' + event.violatedDirective + ' by ' + event.blockedURI);
});`;

const OWN_HOSTS = new Set(['127.0.0.1', 'localhost']);

export type WatchedPage = { page: Page; context: BrowserContext; faults: string[]; close(): Promise<void> };

/**
 * Opens a page in a fresh profile. `faults` collects, in words, what no page of the profile may do.
 * @param prepare is called before anything is loaded
 */
export async function openPage(
  browser: Browser,
  url: string,
  { prepare, ...options }: BrowserContextOptions & { prepare?: (context: BrowserContext) => Promise<void> } = {},
): Promise<WatchedPage> {
  // Without animations: each of their frames is painted by a processor here.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(SOON.timeout);
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(`uncaught: ${error.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
  });
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol !== 'data:' && !OWN_HOSTS.has(hostname)) faults.push(`request to ${request.url()}`);
  });
  const asking = new Set<Request>();
  openRequests.set(context, asking);
  context.on('request', (request) => asking.add(request));
  context.on('requestfinished', (request) => asking.delete(request));
  context.on('requestfailed', (request) => asking.delete(request));
  await context.addInitScript({ content: REPORT_BREACHES });
  await prepare?.(context);
  const page = await context.newPage();
  tellOnFailure(page, faults);
  goOnceLive(page);
  await page.goto(url);
  return { page, context, faults, close: () => context.close() };
}

/** A row of a list that is open: it arrives behind a button, so that nothing moves under the reader's eyes. */
export async function arrives(page: Page, row: Locator, within = SOON): Promise<void> {
  const more = page.getByRole('button', { name: /^\d+ new / });
  await row.or(more).first().waitFor(within);
  if (!(await row.isVisible())) await more.click();
  await row.waitFor(within);
}

/** What each profile asked and has no answer to yet. */
const openRequests = new WeakMap<BrowserContext, Set<Request>>();

/** The session ends while the page is open, and `press` is the first call that learns it: what the page reads by itself waits meanwhile. */
export async function expireSession(page: Page, press: () => Promise<void>): Promise<void> {
  const release = await clearSession(page);
  await press();
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor(SOON);
  await release();
}

/**
 * Takes the cookie of the session away once no answer is under way, as one renews it each minute.
 * @returns lets go on what the page began to read meanwhile
 */
export async function clearSession(page: Page): Promise<() => Promise<void>> {
  const context = page.context();
  const held = new Set<Request>();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = async (route: Route) => {
    if (route.request().method() === 'GET') {
      held.add(route.request());
      await released;
    }
    await route.continue().catch(() => undefined);
  };
  await context.route('**/api/**', hold);
  // A stream does not end, and what a page that was closed had asked is not said to have ended.
  const isAnswered = (one: Request) =>
    held.has(one) || one.resourceType() === 'eventsource' || one.frame().page() !== page;
  await expect
    .poll(() => [...(openRequests.get(context) ?? [])].filter((one) => !isAnswered(one)).map((one) => one.url()))
    .toEqual([]);
  await context.clearCookies({ name: 'service-session' });
  return async () => {
    release();
    await context.unroute('**/api/**', hold);
  };
}

/** A document that was loaded shows its first frame, in which nothing can be pressed or typed: a test goes on once its page has taken over. */
function goOnceLive(page: Page): void {
  const live = () => page.locator('#root[inert]').waitFor({ state: 'detached' });
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (...asked) => {
    const response = await goto(...asked);
    await live();
    return response;
  };
  page.reload = async (...asked) => {
    const response = await reload(...asked);
    await live();
    return response;
  };
}

const CALLS_TOLD = 25;

/** A test that waited in vain says in its error what stood on the page meanwhile, and what the service had answered it. */
function tellOnFailure(page: Page, faults: string[]): void {
  const calls: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/api/')) calls.push(`${response.status()} ${response.request().method()} ${pathname}`);
  });
  onTestFailed(async ({ task }) => {
    const text = await page.evaluate<string>('document.body.innerText').catch(() => '(it is closed)');
    const [error] = task.result?.errors ?? [];
    if (error) error.message += ['', page.url(), ...calls.slice(-CALLS_TOLD), ...faults, text].join('\n');
    // It did not come to closing it, and the browser goes on for the tests that follow.
    await page.context().close();
  });
}

const LOOK_AGAIN_MS = 400;

/**
 * Waits for something that a page learns when it asks again, and has it ask as it does when a visitor comes back to it: by itself it asks only
 * every few seconds. Each page keeps waits that show that it does so by itself.
 */
export async function cameBackTo(page: Page, wanted: Locator, withinMs = SOON.timeout): Promise<void> {
  const end = Date.now() + withinMs;
  for (;;) {
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    const left = Math.max(1, end - Date.now());
    try {
      return await wanted.waitFor({ timeout: Math.min(LOOK_AGAIN_MS, left) });
    } catch (error) {
      if (left <= LOOK_AGAIN_MS) throw error;
    }
  }
}

/** Pixels by which a page is wider than its screen. On a phone `innerWidth` grows with the page: only the screen counts. */
export async function overflow(page: Page): Promise<number> {
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  return Math.max(0, wide - (page.viewportSize()?.width ?? 0));
}

/** Types into the chat and sends it with the keyboard. */
export async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: /^Message to/ });
  await field.fill(text);
  await field.press('Enter');
}

/** Runs in the page: what has no name, what there must be one of, ids that are taken twice, amounts that are cut off or covered. */
export const OMISSIONS = `(() => {
  const nameOf = (one) =>
    [one.getAttribute('aria-label'), one.title, one.textContent, one.alt,
      ...[...(one.labels ?? [])].map((label) => label.textContent),
      ...[...one.querySelectorAll('[aria-label]')].map((inner) => inner.getAttribute('aria-label')),
      document.getElementById(one.getAttribute('aria-labelledby') ?? '')?.textContent]
      .find((text) => text?.trim());
  const shown = (one) => one.getClientRects().length > 0;
  const nameless = [...document.querySelectorAll('button, a[href], input, select, textarea, nav, section, meter, [role=group]')]
    .filter((one) => shown(one) && !nameOf(one))
    .map((one) => 'no name: ' + one.outerHTML.slice(0, 120));
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => 'id twice: ' + id);
  const counts = ['main', 'h1'].filter((tag) => document.querySelectorAll(tag).length !== 1).map((tag) => 'not one ' + tag);
  const pictures = [...document.images].filter((image) => !image.hasAttribute('alt')).map((image) => 'no alt: ' + image.src);
  const rectOf = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect();
  };
  // Without what its boxes hide of it.
  const seenOf = (one) =>
    boxesOf(one).filter((box) => getComputedStyle(box).overflowX !== 'visible').reduce((seen, box) => {
      const { left, right, top, bottom } = box.getBoundingClientRect();
      return { left: Math.max(left, seen.left), right: Math.min(right, seen.right), top: Math.max(top, seen.top), bottom: Math.min(bottom, seen.bottom) };
    }, rectOf(one));
  const clips = (box, { left, right }) => {
    const { width, left: from, right: to } = box.getBoundingClientRect();
    // What only screen readers read is one pixel wide.
    return width > 1 && ['hidden', 'clip'].includes(getComputedStyle(box).overflowX) && (right > to + 1 || left < from - 1);
  };
  const overlaps = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6;
  const hasText = (one) => [...one.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim());
  const boxesOf = (one) => (one && one !== document.body ? [one, ...boxesOf(one.parentElement)] : []);
  const amounts = [...document.querySelectorAll('.amount')].filter((one) => shown(one) && rectOf(one).width > 1);
  const cut = amounts.filter((one) => boxesOf(one).some((box) => clips(box, rectOf(one)))).map((one) => 'cut: ' + one.outerHTML.slice(0, 120));
  const covered = amounts.flatMap((one) =>
    [...(one.closest('li, tr, a')?.querySelectorAll('*') ?? [])]
      .filter((other) => hasText(other) && shown(other) && !one.contains(other) && !other.contains(one) && overlaps(seenOf(one), seenOf(other)))
      .map((other) => 'covered: ' + one.textContent + ' by ' + other.textContent.slice(0, 60)));
  return [...nameless, ...twice, ...counts, ...pictures, ...cut, ...covered];
})()`;
