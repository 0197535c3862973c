// What an operator does in a browser: signs in with the secret, sees that all is well, sees what is wrong and what to do, reads the figures.
import type { Browser } from 'playwright-core';
import { createTestClient, http, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeMessage, waitForAnswer } from '../../local/chatUser.ts';
import { ROLES } from '../../local/roles.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { cameBackTo, chromiumPath, HOW_TO_INSTALL, launchBrowser, OMISSIONS, openPage } from './browser.ts';
import { look, SOON } from './newcomer.ts';

describe.skipIf(!chromiumPath)(`the operations page (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), launchBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const fillExecutors = async (ether: string) => {
    const admin = createTestClient({ mode: 'anvil', transport: http(stack.local.chains['base']?.rpc_url) });
    for (const { address } of ROLES.executors) await admin.setBalance({ address, value: parseEther(ether) });
  };

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
    await page.getByText('That is not the admin secret').waitFor(SOON);
    await look(page, 'operations-01-sign-in');
    await secret.fill(stack.local.admin_secret);
    await page.getByRole('button', { name: 'Sign in for 12 hours' }).click();
    await page.getByText('All is well.').waitFor(SOON);

    await tip();
    await cameBackTo(page, page.getByText('100 % paid'));
    await cameBackTo(page, page.getByRole('region', { name: 'Over time' }).getByText('1 paid, 0 failed.'));
    await look(page, 'operations-02-all-well');
    expect(await page.evaluate(OMISSIONS)).toEqual([]);

    await fillExecutors('0.000001');
    await page.getByRole('heading', { name: 'An executor key is low on gas' }).first().waitFor(SOON);
    await page.getByText('Send native currency of that chain to the address.').first().waitFor(SOON);
    await look(page, 'operations-03-low-on-gas');
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, 'operations-04-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1280, height: 800 });
    await fillExecutors('100');
    await cameBackTo(page, page.getByText('All is well.'));

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
});
