// What an operator does in a browser: signs in with the secret, sees that all is well, sees what is wrong and what to do, reads the figures.
import pg from 'pg';
import type { Browser, Locator } from 'playwright-core';
import { createTestClient, http, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeMessage, waitForAnswer } from '../../local/platforms/chatUser.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { ROLES, SOLANA_ROLES } from '../../local/stack/roles.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { cameBackTo, OMISSIONS, openPage, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';

describe.skipIf(!chromiumPath)(`the operations page (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['solana'], watchdog: true }), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const fillExecutors = async (ether: string) => {
    const admin = createTestClient({ mode: 'anvil', transport: http(stack.local.chains['base']?.rpc_url) });
    for (const { address } of ROLES.executors) await admin.setBalance({ address, value: parseEther(ether) });
  };

  /** As if so many keys more had sent. */
  async function sampleBalances(keys: number): Promise<void> {
    const client = new pg.Client({ connectionString: stack.local.database_url });
    await client.connect();
    await client.query(
      `INSERT INTO sample (at, name, subject, value)
       SELECT now(), 'ampersat_executor_balance', 'base 0x' || lpad(to_hex(key), 40, '0'), key FROM generate_series(1, $1) key`,
      [keys],
    );
    await client.end();
  }

  /** As if the watchdog had found a transaction, and its pause held. */
  async function foundForeign(): Promise<void> {
    const client = new pg.Client({ connectionString: stack.local.database_url });
    await client.connect();
    await client.query(
      `INSERT INTO foreign_transaction (chain, hash, executor, block, seen_at, paused_at)
       VALUES ('base', '0x' || repeat('ab', 32), $1, 9, now() - interval '2 minutes', now())`,
      [ROLES.executors[0]?.address.toLowerCase()],
    );
    await client.end();
  }

  async function tip(): Promise<void> {
    const { telegram } = stack.local.platforms;
    const alice = stack.local.accounts['alice']?.telegram;
    if (!alice) throw new Error('alice types in Telegram');
    const { message_id } = await typeMessage(stack.local, alice, telegram.group_chat_id, '/tip @bob 1');
    await waitForAnswer(
      stack.local,
      telegram.group_chat_id,
      ({ text, reply_to_message }) => reply_to_message?.message_id === message_id && text.startsWith('✅'),
      30_000,
    );
  }

  it('lets the secret in and nothing else, shows figures and alerts, and lets out again', async () => {
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/operations`);
    const secret = page.getByLabel('Admin secret');
    await secret.fill('not-the-secret-of-this-deployment');
    await page.getByRole('button', { name: 'Sign in for 12 hours' }).click();
    await page.getByText('Invalid admin secret').waitFor(SOON);
    await look(page, 'operations-01-sign-in');
    await secret.fill(stack.local.admin_secret);
    await page.getByRole('button', { name: 'Sign in for 12 hours' }).click();
    await page.getByText('All systems normal.').waitFor(SOON);

    await tip();
    await cameBackTo(page, page.getByText('100% paid'));
    await cameBackTo(page, page.getByRole('region', { name: 'Over time' }).getByText('1 paid, 0 failed.'));
    await sampleBalances(9);
    const lines = page.getByRole('figure', { name: /^Executor balances/ }).locator('svg:has(line)');
    await cameBackTo(page, lines.nth(8));
    const lookOf = async (line: Locator) =>
      `${await line.getAttribute('class')} ${await line.locator('line').getAttribute('stroke-dasharray')}`;
    const looks = await Promise.all((await lines.all()).map(lookOf));
    expect(new Set(looks).size).toBe(looks.length);
    const networks = page.getByRole('region', { name: 'Networks' });
    await networks.getByText(/^slot \d+ · \d+ ms$/).waitFor(SOON);
    const solanaKey = page
      .getByRole('listitem')
      .filter({ has: page.getByTitle(SOLANA_ROLES.executors[0]?.address ?? '') });
    await solanaKey.getByText('100.00 SOL').waitFor(SOON);
    expect(await solanaKey.getByText('Next nonce').count()).toBe(0);
    const balances = page.getByRole('figure', { name: 'Executor balances' });
    await cameBackTo(page, balances.getByText(/^solana \w{6}…\w{4}$/).first());
    await solanaKey.scrollIntoViewIfNeeded();
    await look(page, 'operations-02-solana');
    await networks.scrollIntoViewIfNeeded();
    await look(page, 'operations-02-networks');
    const watched = page.getByRole('region', { name: 'Watchdog' });
    for (const [label, unit] of [
      ['Base', 'block'],
      ['Solana', 'slot'],
    ]) {
      const one = watched.getByRole('listitem').filter({ hasText: label });
      await cameBackTo(page, one.getByText('Watching'));
      await one.getByText(new RegExp(`^Endpoint 0: read up to ${unit} [\\d,]+$`)).waitFor(SOON);
      await one.getByText('Nothing but our own transactions').waitFor(SOON);
    }
    await watched.scrollIntoViewIfNeeded();
    await look(page, 'operations-02-watchdog');
    await foundForeign();
    await cameBackTo(page, watched.getByText('new work is paused'));
    await watched.scrollIntoViewIfNeeded();
    await look(page, 'operations-02-watchdog-found');
    await page.evaluate('scrollTo(0, 0)');
    await look(page, 'operations-02-all-well');
    expect(await page.evaluate(OMISSIONS)).toEqual([]);

    await fillExecutors('0.000001');
    await page.getByRole('heading', { name: 'An executor key is low on gas' }).first().waitFor(SOON);
    await page.getByText('Send native currency of that chain to the address.').first().waitFor(SOON);
    await look(page, 'operations-03-low-on-gas');
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, 'operations-04-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await solanaKey.scrollIntoViewIfNeeded();
    await look(page, 'operations-04-phone-solana');
    await page.setViewportSize({ width: 1280, height: 800 });
    await fillExecutors('100');
    await cameBackTo(page, page.getByText('All systems normal.'));

    await page.goto(`${stack.baseUrl}/operations/queues/`);
    await page.getByText('intents').first().waitFor(SOON);
    await look(page, 'operations-05-queues');
    await page.goto(`${stack.baseUrl}/operations`);
    await page.getByRole('button', { name: 'Sign out' }).click(SOON);
    await secret.waitFor(SOON);
    expect((await page.goto(`${stack.baseUrl}/operations/queues/`))?.url()).toBe(`${stack.baseUrl}/operations`);
    // The browser itself notes the answer to the wrong secret, and that to the first look without any.
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await close();
  }, 180_000);

  it('finds a complaint with the keyboard, tells its time line, and sends a refused reply again', async () => {
    const { telegram } = stack.local.platforms;
    const alice = stack.local.accounts['alice']?.telegram;
    if (!alice) throw new Error('alice types in Telegram');
    await tip();
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/operations/search?q=alice`);
    await page.getByLabel('Admin secret').fill(stack.local.admin_secret);
    await page.getByRole('button', { name: 'Sign in for 12 hours' }).click();
    await page.getByRole('list', { name: 'Results' }).waitFor(SOON);
    await page.goto(`${stack.baseUrl}/operations`);
    const field = page.getByRole('searchbox', { name: 'Trace a complaint' });
    await field.focus();
    await page.keyboard.type('@alice');
    await page.keyboard.press('Enter');
    const results = page.getByRole('list', { name: 'Results' });
    await results
      .getByRole('link', { name: /^Tip 1 USDC to @bob/ })
      .first()
      .waitFor(SOON);
    expect(await field.inputValue()).toBe('@alice');
    await look(page, 'operations-06-search');
    expect(await page.evaluate(OMISSIONS)).toEqual([]);
    await results
      .getByRole('link', { name: /^Tip 1 USDC to @bob/ })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    const steps = page.getByRole('list', { name: 'Steps' });
    for (const words of ['Received', 'Read as', 'Planned', 'Transaction signed', 'Payment final', 'Reply sent'])
      await cameBackTo(page, steps.getByText(words, { exact: true }).first());
    await look(page, 'operations-07-time-line');
    expect(await page.evaluate(OMISSIONS)).toEqual([]);

    const fault = { method: 'sendMessage', status: 403, times: 1 };
    await fetch(`${telegram.url}/_user/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    });
    const { message_id } = await typeMessage(stack.local, alice, telegram.group_chat_id, '/help');
    await page.goto(`${stack.baseUrl}/operations/dead`);
    const again = page.getByRole('button', { name: 'Try again: Reply (help) on Telegram' });
    await cameBackTo(page, again);
    await look(page, 'operations-08-stuck-work');
    expect(await page.evaluate(OMISSIONS)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, 'operations-09-stuck-work-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await again.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Retried.').waitFor(SOON);
    await waitForAnswer(
      stack.local,
      telegram.group_chat_id,
      ({ reply_to_message }) => reply_to_message?.message_id === message_id,
      30_000,
    );
    await cameBackTo(page, page.getByText('No stuck work'));
    const lists = page.getByRole('navigation', { name: 'Lists' });
    expect(await lists.locator('[aria-current=page]').textContent()).toBe('Stuck work');
    await lists.getByRole('link', { name: 'Failed replies' }).click(SOON);
    await page.getByRole('heading', { name: 'Failed replies' }).waitFor(SOON);
    await page.goto(`${stack.baseUrl}/operations/case`);
    await page.getByText('No ID in this address').waitFor(SOON);

    await page.goto(`${stack.baseUrl}/operations/search?q=${message_id}`);
    await page.getByRole('link', { name: 'Help', exact: true }).first().click(SOON);
    await steps.getByText('Reply sent', { exact: true }).waitFor(SOON);
    await look(page, 'operations-10-time-line-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.goto(`${stack.baseUrl}/operations/search?q=${encodeURIComponent('@nobody_of_that_name')}`);
    await page.getByText('No results').waitFor(SOON);
    await page.goto(`${stack.baseUrl}/operations/search?q=${encodeURIComponent('<?>')}`);
    await page.getByText('Enter a person, a message ID').waitFor(SOON);
    await look(page, 'operations-11-search-phone');
    await page.goto(`${stack.baseUrl}/operations/failed?what=tips`);
    await page.getByText('No tip has failed').waitFor(SOON);
    await page.goto(`${stack.baseUrl}/operations`);
    await page.getByRole('link', { name: /refused, last hour$/ }).click(SOON);
    await page.getByRole('heading', { name: 'Failed replies' }).waitFor(SOON);
    expect(faults.filter((fault) => !/401|400/.test(fault))).toEqual([]);
    await close();
  }, 180_000);
});
