// The passkey at an origin of its own: a newcomer joins, allows and pays through the wallet's window; foreign sites get no answer; and the pages
// never have the key. The pages are at 127.0.0.1, the wallet at localhost: two hosts of this machine.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hexToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { SIGN_IN_STATEMENT } from '../../src/domain/signInStatement.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { giveAuthenticator, heapOf } from './authenticator.ts';
import { openPage, say, workersBrowser } from './browser.ts';
import { fund, look, message, openedTab, SOON, speakAs, usdcOf } from './newcomer.ts';

const CONTINUE = 'Continue with your fingerprint';

describe.skipIf(!chromiumPath)(`the wallet’s window (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;
  let wallet: string;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ walletHost: 'localhost' }), workersBrowser()]);
    wallet = `http://localhost:${new URL(stack.baseUrl).port}`;
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  /** Chromium gives the passkeys of its authenticator to no other one, and one belongs to a window: so it stays open, and is used again. */
  const keepOpen = async (context: BrowserContext) => {
    await context.addInitScript(`if (location.hostname === 'localhost') window.close = () => {}`);
  };

  it('joins, allows with one press and tips, and the pages have no key', async () => {
    const chatUrl = `${stack.baseUrl}/playground`;
    const { page: chat, context, faults, close } = await openPage(browser, chatUrl, { prepare: keepOpen });
    await speakAs(chat, 'Dave');
    await say(chat, 'hello');
    await message(chat, 'hello').waitFor(SOON);
    await chat.getByRole('tab', { name: /Ampersat/ }).click();
    await say(chat, '/connect');
    const answer = message(chat, 'Open this link to connect').getByRole('link', { name: 'Connect' });
    const link = await openedTab(context, () => answer.click());
    const pages = await context.newCDPSession(link);

    const place = await openedTab(context, () => link.getByRole('button', { name: CONTINUE }).click());
    const authenticator = await giveAuthenticator(place);
    const sheet = place.getByRole('dialog');
    await sheet.getByText('a wallet that is yours alone').waitFor(SOON);
    await look(place, 'wallet-window-01-join');
    await sheet.getByRole('button', { name: CONTINUE }).click();
    await link.getByRole('textbox', { name: 'Your handle' }).fill('dave');
    await link.getByRole('button', { name: 'Claim @dave' }).click();
    await link.getByRole('button', { name: 'Connect to @dave' }).click();
    await message(chat, /^Connect @/)
      .getByRole('button', { name: 'Connect', exact: true })
      .click();
    await link.getByRole('heading', { name: 'Allow tips from this chat' }).waitFor(SOON);
    const address = (await link.evaluate(`JSON.parse(localStorage.getItem('passkey')).address`)) as `0x${string}`;
    await fund(stack, address, '20');

    await link.getByRole('button', { name: 'Allow all 3 with one fingerprint' }).click();
    await sheet.getByText('take up to 500.00 USDC in total').waitFor(SOON);
    await look(place, 'wallet-window-02-allow');
    await sheet.getByRole('button', { name: 'Sign all 3 with your fingerprint' }).click();
    await link.getByText('You’re all set.').waitFor(SOON);
    await chat.getByRole('tab', { name: /Friends/ }).click();
    await speakAs(chat, 'Dave');
    await say(chat, '/tip @bob 3');
    await message(chat, '@dave tipped @bob 3.00 USDC').waitFor(SOON);
    expect(await usdcOf(stack, address)).toBe(16_950_000n);
    expect(await authenticator.count()).toBe(1);

    // The window shows the key, and the pages are searched for it meanwhile.
    await link.goto(`${stack.baseUrl}/settings`);
    await link.getByRole('button', { name: 'Export the private key' }).click();
    await place.getByRole('button', { name: 'Export the private key' }).click();
    await place.getByRole('button', { name: 'Continue', exact: true }).click();
    await place.getByRole('button', { name: 'Show the private key' }).click();
    await place.getByRole('button', { name: 'Hide it' }).waitFor(SOON);
    const key = (await place.getByTitle('Private key').textContent()) as `0x${string}`;
    expect(privateKeyToAccount(key).address).toBe(address);
    const forms = [key.slice(2), BigInt(key).toString(), hexToBytes(key).join(',')];
    const found = (text: string) => forms.filter((form) => text.includes(form));
    // What looks for it would find it, had a page kept it.
    await place.evaluate(`globalThis.kept = document.querySelector('[title="Private key"]').textContent`);
    expect(found(await heapOf(authenticator.cdp))).not.toEqual([]);
    expect(found(await heapOf(pages))).toEqual([]);
    await place.getByRole('button', { name: 'Hide it' }).click();
    expect(found(JSON.stringify(await context.storageState({ indexedDB: true })))).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  }, 300_000);

  it('refuses what it cannot explain, whatever a script of the pages asks', async () => {
    const { page, context, close } = await openPage(browser, `${stack.baseUrl}/account`);
    const address = '0xFD6f7973fDe51A82f7a664Fd6E0a255eF0f11647';
    const spender = '0x0000000000000000000000000000000000000bad';
    const domain = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: spender };
    const foreign = { domain, types: {}, primaryType: 'Permit', message: { owner: address, spender, value: '1' } };
    for (const request of [
      { kind: 'sign', address, all: [foreign] },
      { kind: 'sign_in', address, text: 'I owe you 5 USDC.' },
      { kind: 'sign_in', address, text: `evil.example wants you to sign in with your Ethereum account:\n${address}` },
    ]) {
      const [said] = await askedBy(page, context, wallet, request);
      expect(said).toMatchObject({ wallet: 'refusal', problem: 'failed' });
    }
    await close();
  });

  it('shows what is signed before its button, even in a tiny window, and a key pressed at once signs nothing', async () => {
    const { page, context, close } = await openPage(browser, `${stack.baseUrl}/account`);
    const { host, origin } = new URL(stack.baseUrl);
    const address = '0xFD6f7973fDe51A82f7a664Fd6E0a255eF0f11647';
    const [first, times] = [`${host} wants you to sign in with your Ethereum account:`, '2026-11-29T12:00:00.000Z'];
    const fields = [`URI: ${origin}`, 'Version: 1', 'Chain ID: 8453', 'Nonce: 0123456789abcdef'];
    const until = [`Issued At: ${times}`, `Expiration Time: ${times}`];
    const text = [first, address, '', SIGN_IN_STATEMENT, '', ...fields, ...until].join('\n');
    const request = { kind: 'sign_in', address, text };
    const tiny = { features: 'popup,width=200,height=150' };
    const said = await askedBy(page, context, wallet, request, {
      ...tiny,
      meanwhile: async (place) => {
        const sheet = place.getByRole('dialog');
        await sheet.waitFor(SOON);
        expect(await place.evaluate('document.activeElement.tagName')).toBe('H2');
        expect(await place.evaluate('document.querySelector("dialog").scrollTop')).toBe(0);
        await place.keyboard.press('Enter');
        await place.keyboard.press('Space');
        expect(await sheet.getByRole('button', { name: 'Sign with your fingerprint' }).isEnabled()).toBe(true);
      },
    });
    expect(said).toEqual([]);
    await close();
  });

  it('gives no answer to a foreign site, and loads in no frame', async () => {
    const foreign = createServer((_request, response) =>
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>foreign</title>'),
    );
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
    const address = '0xFD6f7973fDe51A82f7a664Fd6E0a255eF0f11647';
    const meanwhile = async (place: Page) => {
      // Messages are handled in order: by then the window has received it.
      await place.evaluate(`new Promise((resolve) => setTimeout(resolve))`);
      expect(await place.getByRole('button').count()).toBe(0);
    };
    const said = await askedBy(page, context, wallet, { kind: 'export', address }, { meanwhile });
    expect(said).toEqual([]);
    const refused = page.waitForEvent('console', {
      predicate: (line) => line.text().includes('frame-ancestors'),
      ...SOON,
    });
    await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: '${wallet}/' }))`);
    await refused;
    await context.close();
    await new Promise((resolve) => foreign.close(resolve));
  });

  it('says that the window was closed, or blocked', async () => {
    const { page, context, close } = await openPage(browser, `${stack.baseUrl}/account`);
    const place = await openedTab(context, () => page.getByRole('button', { name: CONTINUE }).click());
    await place.close();
    await page.getByRole('alert').getByText('You closed the wallet’s window').waitFor(SOON);
    await page.evaluate('window.open = () => null');
    await page.getByRole('button', { name: CONTINUE }).click();
    await page.getByRole('button', { name: 'Open the wallet' }).click();
    await page.getByRole('alert').getByText('Your browser blocked the wallet’s window').waitFor(SOON);
    await close();
  });
});

/** As a script of a page would: opens the window, hands it a request as soon as it is there, and collects what comes back. */
async function askedBy(
  page: Page,
  context: BrowserContext,
  wallet: string,
  request: object,
  { meanwhile, features = '' }: { meanwhile?: (place: Page) => Promise<void>; features?: string } = {},
): Promise<unknown[]> {
  await page.evaluate(`globalThis.said = [];
    globalThis.onmessage = ({ source, data }) => {
      if (source !== globalThis.place) return;
      if (data.wallet === 'ready') ask(); else said.push(data);
    };
    globalThis.ask = () => place.postMessage(
      { wallet: 'request', id: '0123456789abcdef0123', request: ${JSON.stringify(JSON.stringify(request))} }, '${wallet}');`);
  const place = await openedTab(context, async () => {
    await page.evaluate(`void (globalThis.place = window.open('${wallet}/', '', '${features}'))`);
  });
  if (meanwhile) {
    await place.getByRole('heading', { name: 'Your Ampersat wallet' }).waitFor(SOON);
    await page.evaluate('ask()');
    await meanwhile(place);
  } else await expect.poll(() => page.evaluate('said.length'), SOON).toBe(1);
  const said = (await page.evaluate('said')) as unknown[];
  if (!place.isClosed()) await place.close();
  return said;
}
