// The pages on a phone that is slow and far away: what a page weighs, when something is seen, and how much moves while it loads.
import type { Browser, CDPSession, Page } from 'playwright-core';
import { answerTo, typeMessage, waitForAnswer } from '../local/platforms/chatUser.ts';
import { launchBrowser, WATCH_SHIFT } from '../local/stack/chromium.ts';
import type { LocalFile } from '../local/stack/localFile.ts';
import { type SamplePage, samplePages } from '../local/tour/samplePages.ts';
import type { Row } from './main.ts';

const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const CPU_SLOWDOWN = 4;
const PHONE = { width: 390, height: 844 };
const ROUNDS = 3;
/** What comes after the first paint has arrived by then: an answer of the service takes a round trip. */
const SETTLED_MS = 1_500;
const PAINTED_WITHIN_MS = 30_000;

type Visit = { paintMs: number; scriptBytes: number; bytes: number; shift: number };

/** The median of three visits of each page, with an empty cache. */
export async function measurePages({ local }: { local: LocalFile }): Promise<Row[]> {
  await tipOfAlice(local);
  const samples = await samplePages(local);
  const browser = await launchBrowser();
  try {
    const rows: Row[] = [];
    for (const sample of samples) rows.push(rowOf(sample, await visitOften(browser, local, sample)));
    return rows;
  } finally {
    await browser.close();
  }
}

function rowOf({ route }: SamplePage, { paintMs, scriptBytes, bytes, shift }: Visit): Row {
  const kilobytes = (count: number) => (count / 1_024).toFixed(0);
  const goalMs = route.page.startsWith('payer/checkout/') ? 1_500 : 2_000;
  return {
    name: `first paint of ${route.path}`,
    value: Math.round(paintMs),
    unit: 'ms',
    note: `goal ${goalMs}; scripts ${kilobytes(scriptBytes)} KB, all ${kilobytes(bytes)} KB, shift ${shift.toFixed(3)} (goal 0.02)`,
  };
}

/** The page of a receipt shows it. */
async function tipOfAlice(local: LocalFile): Promise<void> {
  const { alice } = local.accounts;
  if (!alice) throw new Error('the stack has no alice');
  const chatId = local.platforms.telegram.group_chat_id;
  const { message_id } = await typeMessage(local, alice.telegram, chatId, '/tip @bob 1');
  await waitForAnswer(local, chatId, answerTo(message_id));
}

async function visitOften(browser: Browser, local: LocalFile, sample: SamplePage): Promise<Visit> {
  const visits: Visit[] = [];
  for (let round = 0; round < ROUNDS; round++) visits.push(await visit(browser, local, sample));
  return visits.sort((a, b) => a.paintMs - b.paintMs)[Math.floor(ROUNDS / 2)] as Visit;
}

async function visit(browser: Browser, local: LocalFile, { path, as }: SamplePage): Promise<Visit> {
  const context = await browser.newContext({ viewport: PHONE });
  try {
    const session = as && local.accounts[as]?.session;
    if (session) await context.addCookies([{ name: 'service-session', value: session, url: local.base_url }]);
    await context.addInitScript({ content: WATCH_SHIFT });
    const page = await context.newPage();
    const loaded = await slowDown(await context.newCDPSession(page));
    await page.goto(local.base_url + path, { waitUntil: 'commit' });
    const paintMs = await firstPaint(page);
    await page.waitForTimeout(SETTLED_MS);
    const shift = await page.evaluate<number>('shift');
    return { paintMs, shift, ...loaded };
  } finally {
    await context.close();
  }
}

async function firstPaint(page: Page): Promise<number> {
  // A function, not its text: the pages' policy evaluates none.
  const read = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
  const found = await page.waitForFunction(read, null, { timeout: PAINTED_WITHIN_MS });
  return (await found.jsonValue()) ?? PAINTED_WITHIN_MS;
}

/** @returns what has come over the network, counted as it comes */
async function slowDown(devtools: CDPSession): Promise<{ scriptBytes: number; bytes: number }> {
  const loaded = { scriptBytes: 0, bytes: 0 };
  const scripts = new Set<string>();
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType.endsWith('javascript')) scripts.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    loaded.bytes += encodedDataLength;
    if (scripts.has(requestId)) loaded.scriptBytes += encodedDataLength;
  });
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return loaded;
}
