// The reference of the API and the error catalogue in a browser, on a desk and on a phone: whole, named, within their policy, and nothing wider than the screen.
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '../../src/domain/errors.ts';
import { ENDPOINTS } from '../../src/http/v1/endpoints.ts';
import { serveWorld } from '../setup/visitor.ts';
import { startWorld, type World } from '../setup/world.ts';
import { chromiumPath, HOW_TO_INSTALL, launchBrowser, OMISSIONS, openPage } from './browser.ts';

const SCREENSHOTS = process.env['SCREENSHOTS'];
const SIZES = [
  { name: 'desktop', viewport: { width: 1280, height: 800 } },
  { name: 'phone', viewport: { width: 375, height: 700 } },
];

describe.skipIf(!chromiumPath)(`the documentation (${HOW_TO_INSTALL})`, () => {
  let world: World;
  let browser: Browser;
  let base: string;
  beforeAll(async () => {
    world = await startWorld();
    base = await serveWorld(world);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  test.each(SIZES)('has every endpoint with a call to copy, on a $name', async ({ name, viewport }) => {
    const { page, faults, close } = await openPage(browser, `${base}/docs#refundOrder`, { viewport });
    for (const { operationId, summary } of ENDPOINTS) {
      const section = page.locator(`#${operationId}`);
      await section.getByRole('heading', { name: summary, exact: true }).waitFor();
      expect(await section.getByRole('figure').first().textContent()).toContain(`curl`);
    }
    await page.locator('#refundOrder').getByRole('heading', { name: 'Refund an order' }).waitFor({ state: 'visible' });
    const call = await page.locator('#createOrder').getByRole('figure').first().textContent();
    expect(call).toContain(`${base}/v1/orders`);
    expect(call).toContain('"amount": "25.00"');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(
      await page.evaluate('Math.abs(document.getElementById("refundOrder").getBoundingClientRect().top) < innerHeight'),
    ).toBe(true);
    if (SCREENSHOTS) {
      await page.locator('#createOrder').scrollIntoViewIfNeeded();
      await page.evaluate('document.getElementById("createOrder").scrollIntoView()');
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-docs-02-create.png`) });
      await page.evaluate('scrollTo(0, 0)');
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-docs-01.png`) });
    }
    expect(await page.evaluate(OMISSIONS)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  test.each(SIZES)('has every code where doc_url leads, on a $name', async ({ name, viewport }) => {
    const answer = (await (await fetch(`${base}/v1/orders`)).json()) as { error: { doc_url: string } };
    const { page, faults, close } = await openPage(browser, answer.error.doc_url, { viewport });
    await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor();
    for (const code of Object.keys(ERRORS)) expect(await page.locator(`#${code}`).count(), code).toBe(1);
    expect(await page.locator('#api_key_invalid').isVisible()).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}-docs-03-errors.png`) });
    expect(await page.evaluate(OMISSIONS)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });
});
