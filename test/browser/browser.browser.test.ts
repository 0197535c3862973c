// What the browser tests check on every page finds what it is there for.
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { OMISSIONS, overflow, workersBrowser } from './browser.ts';

const ROW = (cell: string, more = '') => `<ul><li style="position:relative;width:200px">${cell}${more}</li></ul>`;

describe.skipIf(!chromiumPath)(`the checks of every page (${HOW_TO_INSTALL})`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await workersBrowser();
  });

  it.each([
    ['nothing where all is well', ROW('<b class="amount">1,234.50</b> <i>Paid</i>'), []],
    [
      'an amount that its box cuts off',
      ROW('<div style="width:20px;overflow:hidden;white-space:nowrap"><b class="amount">1,234,567.50</b></div>'),
      [/^cut: .*1,234,567\.50/],
    ],
    [
      'an amount that something covers',
      ROW('<b class="amount">1,234.50</b>', '<i style="position:absolute;left:0;top:0">Paid</i>'),
      [/^covered: 1,234\.50 by Paid/],
    ],
    [
      'no cover by what is cut off before it',
      ROW(
        '<div style="display:flex"><div style="width:90px;overflow:hidden;white-space:nowrap"><i>a very long text that ends behind its box</i></div><b class="amount">1,234.50</b></div>',
      ),
      [],
    ],
    ['a button without a name', '<button></button>', [/^no name: <button>/]],
  ])('%s', async (_what, body, found) => {
    const page = await browser.newPage();
    await page.setContent(`<main><h1>A page</h1>${body}</main>`);
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual(found.map((pattern) => expect.stringMatching(pattern)));
    await page.close();
  });

  it('a page that is wider than its phone', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, isMobile: true });
    await page.setContent(
      '<meta name="viewport" content="width=device-width"><body style="margin:0"><div style="width:420px">wide</div>',
    );
    expect(await overflow(page)).toBe(30);
    await page.close();
  });
});
