// The account's pages where something is refused, missing, over or changed, and what every page owes to whoever reads it.
import type { Browser } from 'playwright-core';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { startTestStack, type TestStack } from '../setup/stack.ts';
import { clearSession, expireSession, OMISSIONS, openPage, workersBrowser } from './browser.ts';
import { fund, joinAs, look, newcomer, resident, SOON, usdcOf } from './newcomer.ts';
import { testWallet } from './wallet.ts';

const stranger = privateKeyToAccount(generatePrivateKey());

describe.skipIf(!chromiumPath)(`the account’s pages (${HOW_TO_INSTALL})`, () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), workersBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  });

  const open = (path: string, options: Parameters<typeof openPage>[2] = {}) =>
    openPage(browser, stack.baseUrl + path, options);
  const openAs = (name: string, path: string) => {
    const { wallet, account } = resident(stack, name);
    return open(path, { prepare: wallet.attach }).then((opened) => ({ ...opened, wallet, account }));
  };

  it('says what to do where there is no wallet', async () => {
    const { page, faults, close } = await open('/account');
    await page.getByText('No wallet found in this browser.').waitFor(SOON);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No wallet found in this browser.').waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  });

  it('lends the wallets of the local people to whoever has none', async () => {
    const { page, faults, close } = await open('/account', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Use play wallets' }).click(SOON);
    await page.getByRole('button', { name: 'Sign in with dave’s play wallet' }).waitFor(SOON);
    await look(page, 'phone-15-play-wallets');
    await page.getByRole('button', { name: 'Sign in with alice’s play wallet' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor(SOON);
    // A page that is loaded anew has them still, and what alice signs counts.
    await page.goto(`${stack.baseUrl}/spending`);
    await page.getByRole('button', { name: 'Change limits', exact: true }).click(SOON);
    await page.getByLabel('Limit per tip').fill('90');
    await page.getByRole('button', { name: 'Sign the limits' }).click();
    await page.getByText('90.00 USDC').first().waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  });

  it('takes a no of the wallet as a no, at each question, and lets one try again', async () => {
    const { wallet } = newcomer(stack);
    const { page, faults, close } = await open('/account', { prepare: wallet.attach });
    const signIn = page.getByRole('button', { name: 'Sign in with Test Wallet' });
    for (const question of ['eth_requestAccounts', 'personal_sign'] as const) {
      wallet.refuseNext(question);
      await signIn.click(SOON);
      await page.getByRole('alert').getByText('You declined the request in your wallet').waitFor(SOON);
    }
    await joinAs(page, 'refuser');
    await page.getByRole('heading', { name: 'Home' }).waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  });

  it('refuses to sign with another account than the one that is signed in', async () => {
    const { page, wallet, account, faults, close } = await openAs('alice', '/spending');
    await page.getByRole('button', { name: 'Change limits', exact: true }).click(SOON);
    await page.getByLabel('Limit per tip').fill('90');
    await wallet.select(page, stranger);
    await page.getByText('Your wallet is on a different account').waitFor(SOON);
    await page.getByRole('button', { name: 'Sign the limits' }).click();
    await page.getByRole('alert').getByText('Choose the account').waitFor(SOON);
    expect(wallet.asked).not.toContain('eth_signTypedData_v4');

    await wallet.select(page, account);
    await page.getByText('Your wallet is on a different account').waitFor({ state: 'detached', ...SOON });
    wallet.refuseNext('eth_signTypedData_v4');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText('You declined the request in your wallet').waitFor(SOON);
    expect(await page.getByLabel('Limit per tip').inputValue()).toBe('90');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('90.00 USDC', { exact: true }).waitFor(SOON);
    expect(faults).toEqual([]);
    await close();
  });

  it('says which network a wallet does not know', async () => {
    const { wallet } = resident(stack, 'alice');
    const ignorant = testWallet({
      account: privateKeyToAccount(stack.local.accounts['alice']?.evm_private_key as Hex),
      chains: [],
    });
    const { page, close } = await open('/spending', { prepare: ignorant.attach });
    await page.context().addCookies([cookieOf('alice')]);
    await page.reload();
    await page.getByRole('button', { name: 'Change allowance' }).click(SOON);
    await page.getByRole('button', { name: 'Sign the allowance' }).click();
    await page.getByRole('alert').getByText('Your wallet doesn’t know Base (network 8453)').waitFor(SOON);
    expect(wallet.asked).toEqual([]);
    await close();
  });

  it('keeps what was typed when the session ends meanwhile', async () => {
    const { wallet, account } = newcomer(stack);
    await fund(stack, account.address, '5');
    const { page, close } = await open('/account', { prepare: wallet.attach });
    await joinAs(page, 'returner');
    await page.getByRole('link', { name: 'Spending' }).first().click(SOON);
    // Said before anything is signed, as the third step needs one.
    await page.getByText('No chat is connected yet.').waitFor(SOON);
    await page.getByLabel('Limit per tip').fill('42');
    await expireSession(page, () => page.getByRole('button', { name: 'Sign 1 of 3' }).click());
    expect(await page.getByLabel('Limit per tip').inputValue()).toBe('42');
    const loaded = page.waitForResponse((response) => response.url().endsWith('/api/spending') && response.ok(), SOON);
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click();
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached', ...SOON });
    await loaded;
    expect(await page.getByLabel('Limit per tip').inputValue()).toBe('42');
    await page.getByRole('button', { name: 'Sign 1 of 3' }).click();
    await page.getByRole('button', { name: 'Sign 2 of 3' }).waitFor(SOON);
    await close();
  });

  it('lets no late answer from before a sign-in end the session', async () => {
    const { page, close } = await openAs('alice', '/spending');
    await page.getByRole('heading', { name: 'All chats together' }).waitFor(SOON);
    await (await clearSession(page))();
    // What the page asks when it comes back into view is answered without a session, and arrives after the next sign-in.
    let arrive = () => {};
    const signedIn = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const arrived = new Promise<void>((resolve) => {
      void page.route('**/api/session', async (route) => {
        const response = await route.fetch();
        await signedIn;
        await route.fulfill({ response }).catch(() => undefined);
        resolve();
      });
    });
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click(SOON);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached', ...SOON });
    arrive();
    await arrived;
    await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
    expect(await page.getByRole('heading', { name: 'Sign in again' }).count()).toBe(0);
    await close();
  });

  it('says that a link has expired, and keeps its secret nowhere', async () => {
    const { page, close } = await open(`/connect#${'x'.repeat(43)}`);
    await page.getByRole('heading', { name: 'This link has expired' }).waitFor(SOON);
    expect(page.url()).toBe(`${stack.baseUrl}/connect`);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain('xxx');
    await close();
  });

  it('pauses at once and resumes by a signature', async () => {
    const { page, faults, close } = await openAs('bob', '/spending');
    await page.getByRole('button', { name: 'Pause all spending' }).click(SOON);
    await page.getByRole('button', { name: 'Pause now' }).click();
    await page.getByRole('region', { name: 'Spending is paused' }).waitFor(SOON);
    expect(await pausedAt('bob')).not.toBeNull();
    // The chain hears of the pause from an executor; until then there is nothing to resume there.
    await expect.poll(() => canResume('bob'), { timeout: 30_000 }).toBe(true);
    await page.getByRole('button', { name: 'Sign to resume' }).click();
    await page.getByRole('button', { name: 'Pause all spending' }).waitFor(SOON);
    expect(await pausedAt('bob')).toBeNull();
    expect(faults).toEqual([]);
    await close();
  });

  it('takes an allowance back by a signature and gives it by a transaction of the wallet', async () => {
    const { page, wallet, account, faults, close } = await openAs('shop', '/spending');
    await page.getByRole('button', { name: 'Change allowance' }).click(SOON);
    await page.getByLabel('Total allowance').fill('0');
    await page.getByText('Stops Ampersat’s contract from taking money').waitFor(SOON);
    await page.getByRole('button', { name: 'Sign the allowance' }).click();
    await page.getByText('Not allowed').waitFor(SOON);
    expect(wallet.asked).not.toContain('eth_sendTransaction');

    await page.getByLabel('Total allowance').fill('77');
    await page.getByRole('button', { name: 'Approve in your wallet instead' }).click(SOON);
    await page.getByText('Not allowed').waitFor({ state: 'detached', ...SOON });
    await page.getByRole('button', { name: 'Change allowance' }).click(SOON);
    expect(await page.getByLabel('Total allowance').inputValue()).toBe('77.00');
    expect(wallet.asked).toContain('eth_sendTransaction');
    expect(await usdcOf(stack, account.address)).toBe(1_000_000_000n);
    expect(faults).toEqual([]);
    await close();
  });

  it('changes the payout wallet after a delay, cancels that, and changes it at once with both signatures', async () => {
    const { page, wallet, account, close } = await openAs('carol', '/settings');
    const next = privateKeyToAccount(generatePrivateKey());
    const askFor = async () => {
      await page.getByRole('button', { name: 'Change wallet' }).click(SOON);
      await page.getByLabel('The new wallet’s address').fill(next.address);
      await wallet.select(page, next);
      await page.getByRole('button', { name: 'Sign with the new wallet' }).click();
      await page.getByText('has signed').waitFor(SOON);
    };
    await askFor();
    await page.getByRole('button', { name: 'Change after 72 hours' }).click();
    await page.getByText('The wallet will change in 72 hours').waitFor(SOON);
    await page.getByRole('button', { name: 'Cancel the change' }).click();
    await page.getByRole('button', { name: 'Change wallet' }).waitFor(SOON);

    await askFor();
    await wallet.select(page, account);
    await page.getByRole('button', { name: 'Sign with the old wallet too' }).click();
    await page.getByRole('button', { name: 'Change wallet' }).waitFor(SOON);
    await page.getByTitle(next.address).first().waitFor(SOON);
    // This session is the new wallet's now, and says so as long as the browser's wallet is set to the old one.
    await page.getByText('Your wallet is on a different account').waitFor(SOON);
    await wallet.select(page, next);
    await page.getByText('Your wallet is on a different account').waitFor({ state: 'detached', ...SOON });
    await close();
  });

  it('keeps the language in which the bots are to answer', async () => {
    const { page, faults, close } = await openAs('carol', '/settings');
    const language = page.getByLabel('Bot language');
    await language.waitFor(SOON);
    expect(await language.inputValue()).toBe('');
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/settings') && answer.ok(), SOON);
    await language.selectOption('Deutsch');
    await saved;
    await page.reload();
    await language.waitFor(SOON);
    expect(await language.inputValue()).toBe('de');
    expect(faults).toEqual([]);
    await close();
  });

  it('signs out here and everywhere', async () => {
    const { wallet } = newcomer(stack);
    const first = await open('/account', { prepare: wallet.attach });
    await joinAs(first.page, 'leaver');
    await first.page.getByRole('heading', { name: 'Home' }).waitFor(SOON);
    const second = await open('/account', { prepare: wallet.attach });
    await second.page.getByRole('button', { name: 'Sign in with Test Wallet' }).click();
    await second.page.getByRole('link', { name: 'Settings' }).first().click(SOON);
    await second.page.getByText('This browser', { exact: true }).waitFor(SOON);
    await second.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await second.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await second.page.getByRole('heading', { name: 'Pay any @handle' }).waitFor(SOON);
    // The page may ask for something by itself before the link is pressed.
    const signIn = first.page.getByRole('heading', { name: 'Sign in again' });
    const history = first.page.getByRole('link', { name: 'History' }).first();
    await Promise.any([signIn.waitFor(SOON), history.click(SOON)]);
    await signIn.waitFor(SOON);
    await first.close();
    await second.close();
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('names everything on every page, %s', async (colorScheme, width) => {
    const { wallet } = resident(stack, 'alice');
    const { page, faults, close } = await open('/', {
      prepare: wallet.attach,
      colorScheme,
      viewport: { width, height: 844 },
    });
    for (const path of ['/', '/account', '/connect', '/connections', '/spending', '/history', '/settings']) {
      await page.goto(stack.baseUrl + path);
      await page.getByRole('heading', { level: 1 }).waitFor(SOON);
      await page
        .locator('.waits')
        .first()
        .waitFor({ state: 'detached', ...SOON });
      expect([path, await page.evaluate(OMISSIONS)]).toEqual([path, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const ground = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
      expect(ground).toBe(colorScheme === 'light' ? 'rgb(247, 245, 239)' : 'rgb(17, 20, 17)');
    }
    expect(faults).toEqual([]);
    await close();
  });

  function cookieOf(name: string) {
    return { name: 'service-session', value: stack.local.accounts[name]?.session ?? '', url: stack.baseUrl };
  }
  function ask(name: string, path: string, body?: unknown): Promise<Response> {
    const headers = { cookie: `service-session=${cookieOf(name).value}`, origin: stack.baseUrl };
    const options = body
      ? { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : { headers };
    return fetch(`${stack.baseUrl}/api${path}`, options);
  }
  async function pausedAt(name: string): Promise<string | null> {
    const spending = (await (await ask(name, '/spending')).json()) as { paused_at: string | null };
    return spending.paused_at;
  }
  /** The chain shows the pause, so that there is something to resume. */
  async function canResume(name: string): Promise<boolean> {
    return (await ask(name, '/spending/prepare', { kind: 'resume', chain: 'base' })).ok;
  }
});
