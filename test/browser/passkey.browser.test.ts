// Somebody without a wallet, in a real browser with an authenticator: from the bot's link to the first tip with a passkey, at a desk and on a phone; on
// another device; with the key exported; and where it cannot be. What could sign is searched for wherever it must not be.
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { hexToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { addressOf, evmKeyOf } from '../../web/src/wallet/passkey/derive.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { type Authenticator, bytesOf, giveAuthenticator, heapOf } from './authenticator.ts';
import { openPage, overflow, say, workersBrowser } from './browser.ts';
import { fund, look, message, openedTab, SOON, speakAs, usdcOf } from './newcomer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;
const CONTINUE = 'Continue with your fingerprint';

describe.skipIf(!chromiumPath)(`a passkey as the wallet (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack({ host: 'localhost' }), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  it('from the bot’s link to the first tip, on another device, and out into another wallet: at a desk', async ({
    annotate,
  }) => {
    const { page: chat, context, faults, close } = await openPage(browser, `${stack.baseUrl}/playground`);
    const sent = recordTraffic(context);
    const shot = (page: Page, name: string) => look(page, `passkey-desktop-${name}`);
    const { link, authenticator, address, presses, seconds } = await join(chat, context, 'Dave', 'dave', shot);
    await annotate(`at a desk: ${presses} presses, ${seconds.toFixed(1)} s from the link to a chat that may spend`);
    expect(presses).toBeLessThanOrEqual(6);
    await chat.getByRole('tab', { name: /Friends/ }).click();
    await speakAs(chat, 'Dave');
    await say(chat, '/tip @bob 3');
    await message(chat, '@dave tipped @bob 3.00 USDC').waitFor(SOON);
    expect(await usdcOf(stack, address)).toBe(16_950_000n);

    // Nothing of the key is left after signing, and what was is looked for once it is known.
    const heap = await heapOf(authenticator.cdp);
    const bytes = await bytesOf(link, authenticator.cdp);
    expect(bytes.filter((hex) => hex.length === 64 && isSecretOf(hex, address))).toEqual([]);

    await link.goto(`${stack.baseUrl}/settings`);
    await link.getByRole('button', { name: 'Export the private key' }).click();
    await link.getByText('opens this wallet in any wallet app').waitFor(SOON);
    await link.getByRole('button', { name: 'Continue', exact: true }).click();
    await link.getByText('take all of the money').waitFor(SOON);
    await shot(link, '08-export-asked');
    await closeNextPrompt(link, 'get');
    await link.getByRole('button', { name: 'Show the private key' }).click();
    await link.getByRole('alert').getByText('You cancelled').waitFor(SOON);
    expect(await link.getByTitle('Private key').textContent()).toBe('');
    await link.getByRole('button', { name: 'Show the private key' }).click();
    await link.getByRole('button', { name: 'Hide it' }).waitFor(SOON);
    const key = (await link.getByTitle('Private key').textContent()) as `0x${string}`;
    expect(privateKeyToAccount(key).address).toBe(address);
    const forms = formsOf(key);
    // What looks for it would find it, had a page kept it.
    await link.evaluate(`globalThis.kept = document.querySelector('[title="Private key"]').textContent`);
    expect(found(await heapOf(authenticator.cdp), forms)).not.toEqual([]);
    await link.evaluate(`delete globalThis.kept`);
    await link.getByRole('button', { name: 'Hide it' }).click();
    await link.getByRole('button', { name: 'Export the private key' }).waitFor(SOON);
    expect(await link.getByTitle('Private key').textContent()).toBe('');
    expect(found(await heapOf(authenticator.cdp), forms)).toEqual([]);
    expect(found(heap, forms)).toEqual([]);
    expect((await bytesOf(link, authenticator.cdp)).filter((hex) => hex.includes(key.slice(2)))).toEqual([]);
    expect(found(JSON.stringify(await context.storageState({ indexedDB: true })), forms)).toEqual([]);
    expect(sent.join('\n')).toContain('/api/auth/siwe');
    expect(found(sent.join('\n'), forms)).toEqual([]);

    // Shown again, it is hidden when the window is left.
    await link.getByRole('button', { name: 'Export the private key' }).click();
    await link.getByRole('button', { name: 'Continue', exact: true }).click();
    await link.getByRole('button', { name: 'Show the private key' }).click();
    await link.getByRole('button', { name: 'Hide it' }).waitFor(SOON);
    await link.evaluate(`dispatchEvent(new Event('blur'))`);
    await link.getByRole('button', { name: 'Export the private key' }).waitFor(SOON);
    expect(await link.getByTitle('Private key').textContent()).toBe('');

    // Another device, with the passkey that was copied to it: nothing else of this one is there. Chromium's authenticator gives its secrets to no other one,
    // so it is the same, and the browser forgets everything.
    await context.clearCookies();
    await link.evaluate('localStorage.clear()');
    await link.goto(`${stack.baseUrl}/account`);
    await link.getByRole('button', { name: CONTINUE }).waitFor(SOON);
    await shot(link, '09-another-device');
    await link.getByRole('button', { name: 'I already have a passkey for Ampersat' }).click();
    await link.getByRole('heading', { name: '@dave' }).waitFor(SOON);
    expect(await rememberedAddress(link)).toBe(address);
    expect(await authenticator.count()).toBe(1);
    expect(faults).toEqual([]);
    await close();
  }, 300_000);

  it('does the same on a phone, and says that a passkey of one device is lost with it', async ({ annotate }) => {
    const url = `${stack.baseUrl}/playground`;
    const { page: chat, context, faults, close } = await openPage(browser, url, PHONE);
    const shot = (page: Page, name: string) => look(page, `passkey-phone-${name}`);
    const { link, address, presses, seconds } = await join(chat, context, 'Carol', 'caroline', shot, {
      isSynced: false,
    });
    await annotate(`on a phone: ${presses} presses, ${seconds.toFixed(1)} s from the link to a chat that may spend`);
    expect(presses).toBeLessThanOrEqual(6);
    await chat.getByRole('tab', { name: /Friends/ }).click();
    await speakAs(chat, 'Carol');
    await say(chat, '/tip @bob 2');
    await message(chat, '@carol tipped @bob 2.00 USDC').waitFor(SOON);
    expect(await usdcOf(stack, address)).toBe(17_950_000n);
    await link.goto(`${stack.baseUrl}/settings`);
    await link.getByText('This passkey exists on this device only.').waitFor(SOON);
    await shot(link, '08-settings');
    expect(await overflow(link)).toBe(0);
    expect(faults).toEqual([]);
    await close();
  }, 300_000);

  it('says that there is no wallet in a passkey without PRF, and signs nobody in', async () => {
    const { page, context, close } = await openPage(browser, `${stack.baseUrl}/account`);
    const sent = recordTraffic(context);
    await giveAuthenticator(page, { hasPrf: false });
    await page.getByRole('button', { name: CONTINUE }).click();
    await page
      .getByRole('alert')
      .getByText('has no PRF extension. Nothing was registered with Ampersat.')
      .waitFor(SOON);
    await look(page, 'passkey-desktop-10-no-prf');
    expect(sent.filter((one) => one.includes('/api/auth/siwe'))).toEqual([]);
    expect(await page.evaluate(`localStorage.getItem('passkey')`)).toBeNull();
    await close();
  });

  it('says it before anything is made where the browser knows that it cannot', async () => {
    const prepare = async (context: BrowserContext) => {
      await context.addInitScript(
        `if (globalThis.PublicKeyCredential) PublicKeyCredential.getClientCapabilities = async () => ({ 'extension:prf': false })`,
      );
    };
    const { page, faults, close } = await openPage(browser, `${stack.baseUrl}/account`, { prepare });
    await page.getByText('it lacks the PRF extension').waitFor(SOON);
    expect(await page.getByRole('button', { name: CONTINUE }).count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  it('makes one passkey when the first prompt was closed', async () => {
    const { page, close } = await openPage(browser, `${stack.baseUrl}/account`);
    const authenticator = await giveAuthenticator(page);
    await closeNextPrompt(page, 'create');
    await page.getByRole('button', { name: CONTINUE }).click();
    await page.getByRole('alert').getByText('You cancelled').waitFor(SOON);
    await page.getByRole('button', { name: CONTINUE }).click();
    await page.getByRole('textbox', { name: 'Your handle' }).waitFor(SOON);
    expect(await authenticator.count()).toBe(1);
    await close();
  });

  it('goes on where a prompt was closed, and asks a new passkey twice before it signs in', async () => {
    const { page, context, close } = await openPage(browser, `${stack.baseUrl}/account`);
    const authenticator = await giveAuthenticator(page);
    const sent = recordTraffic(context);
    const asked = await watchPrompts(page);
    await closeNextPrompt(page, 'get', 1);
    await page.getByRole('button', { name: CONTINUE }).click();
    await page.getByRole('alert').getByText('You cancelled').waitFor(SOON);
    expect(sent.filter((one) => one.includes('/api/auth/siwe'))).toEqual([]);
    await page.getByRole('button', { name: CONTINUE }).click();
    await page.getByRole('textbox', { name: 'Your handle' }).waitFor(SOON);
    // The prompt that was closed is not among them: what the first one gave is kept, and the third confirms it.
    expect([await authenticator.count(), await asked()]).toEqual([1, ['create', 'get', 'get']]);
    await close();
  });

  it('makes no wallet of a passkey whose secret changes, and says so before anybody is signed in', async () => {
    const { page, context, close } = await openPage(browser, `${stack.baseUrl}/account`);
    const authenticator = await giveAuthenticator(page);
    const sent = recordTraffic(context);
    await changeSecrets(page, 'get');
    await page.getByRole('button', { name: CONTINUE }).click();
    await page.getByRole('alert').getByText('gave two different secrets for it').waitFor(SOON);
    await look(page, 'passkey-desktop-11-two-secrets');
    expect(sent.filter((one) => one.includes('/api/auth/siwe'))).toEqual([]);
    expect(await page.evaluate('({ ...localStorage })')).not.toHaveProperty('passkey');
    expect(await authenticator.count()).toBe(0);
    await close();
  });

  it('takes the key from what a passkey gives ever after, not from what it gave when it was made', async () => {
    const { page, close } = await openPage(browser, `${stack.baseUrl}/account`);
    await giveAuthenticator(page);
    await changeSecrets(page, 'create');
    await page.getByRole('button', { name: CONTINUE }).click();
    await page.getByRole('textbox', { name: 'Your handle' }).waitFor(SOON);
    const address = await rememberedAddress(page);
    await page.context().clearCookies();
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await page.getByRole('button', { name: 'I already have a passkey for Ampersat' }).click();
    await page.getByRole('textbox', { name: 'Your handle' }).waitFor(SOON);
    expect(await rememberedAddress(page)).toBe(address);
    await close();
  });

  it('signs in with no other account than the one that this browser knows, whatever the passkey gives', async () => {
    const { page, context, close } = await openPage(browser, `${stack.baseUrl}/account`);
    await giveAuthenticator(page);
    await page.getByRole('button', { name: CONTINUE }).click();
    await page.getByRole('textbox', { name: 'Your handle' }).waitFor(SOON);
    await context.clearCookies();
    await page.reload();
    const sent = recordTraffic(context);
    await changeSecrets(page, 'get');
    await page.getByRole('button', { name: CONTINUE }).click();
    await page.getByRole('alert').getByText('gave two different secrets for it').waitFor(SOON);
    expect(sent.filter((one) => one.includes('/api/auth/siwe'))).toEqual([]);
    await close();
  });

  it('makes another passkey beside the one that this browser knows, behind a warning', async () => {
    const { page, context, faults, close } = await openPage(browser, `${stack.baseUrl}/account`, PHONE);
    const authenticator = await giveAuthenticator(page);
    await page.getByRole('button', { name: CONTINUE }).click();
    await page.getByRole('textbox', { name: 'Your handle' }).waitFor(SOON);
    const first = await rememberedAddress(page);
    await context.clearCookies();
    await page.reload();
    await page.getByRole('button', { name: 'Use another passkey' }).click();
    await page.getByText('another account, with another handle and other money').waitFor(SOON);
    await look(page, 'passkey-phone-12-another');
    expect(await overflow(page)).toBe(0);
    await page.getByRole('button', { name: 'Make a new one' }).click();
    await page.getByRole('textbox', { name: 'Your handle' }).waitFor(SOON);
    expect(await rememberedAddress(page)).not.toBe(first);
    expect(await authenticator.count()).toBe(2);
    expect(faults).toEqual([]);
    await close();
  });

  it('waits for nothing between the press and the prompt', async () => {
    const prepare = async (context: BrowserContext) => {
      await context.addInitScript(
        `if (globalThis.PublicKeyCredential) PublicKeyCredential.getClientCapabilities = () => new Promise(() => {})`,
      );
    };
    const { page, close } = await openPage(browser, 'about:blank', { prepare });
    await giveAuthenticator(page);
    await page.goto(`${stack.baseUrl}/account`);
    // The service answers nothing until the passkey has.
    const asked = await watchPrompts(page);
    await page.route('**/api/**', async (route) => {
      await expect.poll(asked, SOON).toEqual(['create', 'get', 'get']);
      await route.continue();
    });
    await page.getByRole('button', { name: CONTINUE }).click();
    await page.getByRole('textbox', { name: 'Your handle' }).waitFor(SOON);
    await close();
  });

  async function join(
    chat: Page,
    context: BrowserContext,
    name: string,
    handle: string,
    shot: (page: Page, name: string) => Promise<void>,
    device: { isSynced?: boolean } = {},
  ): Promise<{ link: Page; authenticator: Authenticator; address: `0x${string}`; presses: number; seconds: number }> {
    let presses = 0;
    const press = async (button: Locator) => {
      await button.click(SOON);
      presses += 1;
    };
    await speakAs(chat, name);
    await say(chat, 'hello');
    await message(chat, 'hello').waitFor(SOON);
    await chat.getByRole('tab', { name: /Ampersat/ }).click();
    await say(chat, '/connect');
    const answer = message(chat, 'Open this link to connect').getByRole('link', { name: 'Connect' });
    await answer.waitFor(SOON);
    const from = performance.now();
    const link = await openedTab(context, () => answer.click());
    const authenticator = await giveAuthenticator(link, device);
    await link.getByRole('button', { name: CONTINUE }).waitFor(SOON);
    await shot(link, '01-connect');
    await press(link.getByRole('button', { name: CONTINUE }));
    await link.getByRole('textbox', { name: 'Your handle' }).fill(handle);
    await link.getByText(`@${handle} is available.`).waitFor(SOON);
    await shot(link, '02-handle');
    await press(link.getByRole('button', { name: `Claim @${handle}` }));
    await press(link.getByRole('button', { name: `Connect to @${handle}` }));
    await press(message(chat, /^Connect @/).getByRole('button', { name: 'Connect', exact: true }));
    await link.getByRole('heading', { name: 'Allow tips from this chat' }).waitFor(SOON);
    const one = link.getByText('This passkey exists on this device only.');
    expect(await one.count()).toBe(device.isSynced === false ? 1 : 0);
    await shot(link, '03-allow');
    const address = await rememberedAddress(link);
    await fund(stack, address, '20');
    await press(link.getByRole('button', { name: 'Allow all 3 with one fingerprint' }));
    const sheet = link.getByRole('dialog');
    await sheet.getByText('take up to 500.00 USDC in total').waitFor(SOON);
    await sheet.getByText('100.00 USDC each and 500.00 USDC in 24 hours').waitFor(SOON);
    await sheet.getByText(`spend for @${handle}: up to $100.00 per command`).waitFor(SOON);
    await shot(link, '04-sheet');
    expect(await overflow(link)).toBe(0);
    await press(sheet.getByRole('button', { name: 'Sign all 3 with your fingerprint' }));
    await link.getByText('You’re all set.').waitFor(SOON);
    const seconds = (performance.now() - from) / 1_000;
    await shot(link, '05-ready');
    return { link, authenticator, address, presses, seconds };
  }
});

async function rememberedAddress(page: Page): Promise<`0x${string}`> {
  return await page.evaluate(`JSON.parse(localStorage.getItem('passkey')).address`);
}

/**
 * As a browser says it when the person closes its prompt. A virtual authenticator that fails once is locked.
 * @param after how many prompts of the kind are answered before
 */
async function closeNextPrompt(page: Page, kind: 'create' | 'get', after = 0): Promise<void> {
  await page.evaluate(`(() => {
    const before = navigator.credentials.${kind};
    let left = ${after};
    navigator.credentials.${kind} = function (options) {
      if (left-- > 0) return before.call(this, options);
      navigator.credentials.${kind} = before;
      return Promise.reject(new DOMException('The operation was closed.', 'NotAllowedError'));
    };
  })()`);
}

/** @returns which prompts the page has asked for since */
async function watchPrompts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`globalThis.prompts = [];
    for (const kind of ['create', 'get']) {
      const before = navigator.credentials[kind];
      navigator.credentials[kind] = function (options) {
        prompts.push(kind);
        return before.call(this, options);
      };
    }`);
  return () => page.evaluate('prompts');
}

/** As some browsers do: each answer of this kind has a secret of its own. Chromium’s authenticator gives one and the same. */
async function changeSecrets(page: Page, kind: 'create' | 'get'): Promise<void> {
  await page.evaluate(`(() => {
    const before = navigator.credentials.${kind};
    navigator.credentials.${kind} = async function (options) {
      const credential = await before.call(this, options);
      const results = credential.getClientExtensionResults();
      const first = crypto.getRandomValues(new Uint8Array(32)).buffer;
      credential.getClientExtensionResults = () => ({ ...results, prf: { ...results.prf, results: { first } } });
      return credential;
    };
  })()`);
}

/** Whatever the pages send, and whatever they log. */
function recordTraffic(context: BrowserContext): string[] {
  const sent: string[] = [];
  context.on('request', (request) => {
    sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
  });
  context.on('console', (line) => sent.push(line.text()));
  return sent;
}

function formsOf(key: `0x${string}`): string[] {
  const bytes = hexToBytes(key);
  const base64 = Buffer.from(bytes).toString('base64');
  return [
    key.slice(2),
    key.slice(2).toUpperCase(),
    BigInt(key).toString(),
    base64.replace(/=+$/, ''),
    Buffer.from(bytes).toString('base64url'),
    bytes.join(','),
  ];
}

const found = (text: string, forms: readonly string[]) => forms.filter((form) => text.includes(form));

/** The key itself, or the secret that it comes from. */
function isSecretOf(hex: string, address: string): boolean {
  const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
  const isKey = (key: Uint8Array) => {
    try {
      return addressOf(key) === address;
    } catch {
      return false;
    }
  };
  return isKey(bytes) || isKey(evmKeyOf(bytes));
}
