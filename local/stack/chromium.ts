// The Chromium of this machine, for browser tests and for what measures the pages.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  // The same engine without a window's parts: tests take two thirds of the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Undefined where there is none: browser tests are skipped then, and pages are not measured. */
export const chromiumPath = [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => path && existsSync(path));

export const HOW_TO_INSTALL = 'needs Chromium: apt-get install chromium-headless-shell, or set CHROMIUM_PATH';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath ?? '', args: FLAGS });
}

/** Runs in a page before anything of it: `shift` adds up what moved without the reader having done something, as Chromium counts it. */
export const WATCH_SHIFT = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;
