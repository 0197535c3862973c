// From a handle without a Solana wallet to the first tip on Solana, and a tab that waited there, on a slow cluster: four presses, and less than six
// minutes. Once at a desk and once on a phone.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keypairOf } from '../../local/solana/keys.ts';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { discordChat } from '../../local/tour/discordChat.ts';
import { named } from '../../local/tour/orders.ts';
import { until } from '../../local/tour/tour.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { joinAs, look, newcomer, SOON } from './newcomer.ts';
import { solanaTestWallet } from './solanaWallet.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const BUDGET = { ms: 6 * 60_000, presses: 4 };
/** Clusters make slots in 400 ms. */
const SLOW_SLOT_MS = 1_000;
const SLOWLY = { timeout: 180_000 };

describe.skipIf(!chromiumPath)(`the first tip on Solana (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ more: ['solana'] }), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  it.each([
    ['at a desk', {}, 'dave', 'slow_desk'],
    ['on a phone', PHONE, 'carol', 'slow_phone'],
  ])(
    '%s',
    async (_where, device, name, handle) => {
      const chat = discordChat(stack.local);
      const [who, alice] = [named(name), named('alice')];
      const answered = async (from: typeof who, text: string, sign: string) => {
        const said = await chat.write(from, chat.command(text));
        return until(`the answer to ${text}`, async () =>
          (await chat.answers(said)).find((one) => one.text.includes(sign) && !one.text.includes('confirming')),
        );
      };
      await answered(alice, `tip ${chat.at(who)} 5 on solana`, '🎁');

      const { wallet } = newcomer(stack);
      const solana = solanaTestWallet(keypairOf(randomBytes(32)));
      const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/connections`, {
        prepare: async (one) => {
          await wallet.attach(one);
          await solana.attach(one);
        },
        ...device,
      });
      const click = (text: string | RegExp) =>
        page.getByRole('button', typeof text === 'string' ? { name: text, exact: true } : { name: text }).click(SLOWLY);
      await joinAs(page, handle);
      await click('Connect Discord');
      await click(`Continue as ${name}`);
      await click(/^Connect to @/);
      await page.getByText('Receive only').first().waitFor(SOON);
      await letSpend(handle);

      await slowSlots();
      const started = Date.now();
      let presses = 0;
      const press = (text: string | RegExp) => {
        presses += 1;
        return click(text);
      };
      await page.goto(`${stack.baseUrl}/settings`);
      await press('Add Test Solana Wallet');
      await press('Sign with the current wallet too');
      await page.getByText('Allow spending on Solana').waitFor(SOON);
      await seen(page, `solana-first-${handle}-01-steps`);
      await press('Allow on Solana');
      await page.getByText('Ready to tip on Solana').waitFor(SLOWLY);
      await seen(page, `solana-first-${handle}-02-ready`);
      // Where the chat's button leads.
      await page.goto(`${stack.baseUrl}/tabs/${await tabOf(handle)}`);
      await press('Claim 5.00 USDC');
      await page.getByText('The money is in your wallet.').waitFor(SLOWLY);
      await seen(page, `solana-first-${handle}-03-claimed`);
      await answered(who, `tip ${chat.at(alice)} 1 on solana`, '✅');
      expect(presses).toBeLessThanOrEqual(BUDGET.presses);
      expect(Date.now() - started).toBeLessThan(BUDGET.ms);
      expect(faults).toEqual([]);
      await close();
    },
    600_000,
  );

  async function seen(page: Page, name: string): Promise<void> {
    await look(page, name);
    expect(await page.evaluate(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }

  async function ask<Row extends pg.QueryResultRow>(text: string, handle: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: stack.local.database_url });
    await client.connect();
    const { rows } = await client.query<Row>(text, [handle]);
    await client.end();
    return rows;
  }

  async function tabOf(handle: string): Promise<string> {
    const [row] = await ask<{ id: string }>(
      `select e.id from escrow e join connection c on e.handle_slug = c.platform || ':id:' || c.platform_user_id
       join handle h on h.id = c.handle_id where h.slug = $1 and e.status = 'open'`,
      handle,
    );
    return row?.id ?? '';
  }

  /** The right that the account's EVM wallet gives it elsewhere. */
  async function letSpend(handle: string): Promise<void> {
    const own = 'handle_id = (select id from handle where slug = $1)';
    await ask(`update connection set can_spend = true where ${own}`, handle);
  }

  async function slowSlots(): Promise<void> {
    const response = await fetch(`${stack.local.chains.solana?.rpc_url}/_user/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'slow_slots', ms: SLOW_SLOT_MS, times: 1_000_000 }),
    });
    expect(response.status).toBeLessThan(300);
  }
});
