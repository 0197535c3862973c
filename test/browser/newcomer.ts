// A new user for the browser tests: a wallet of their own with money in it, and what they do on the pages.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { createPublicClient, createWalletClient, type Hex, http, parseAbi, parseUnits } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type EvmName, evmChainsIn } from '../../local/stack/localFile.ts';
import { waitForReceipt } from '../../src/chain/rpc/receipts.ts';
import { ROOT } from '../../src/root.ts';
import type { TestStack } from '../setup/stack.ts';
import { type TestWallet, testWallet } from './wallet.ts';

/** Our own machine may be busy with other tests. */
export const SOON = { timeout: 60_000 };

const erc20 = parseAbi(['function transfer(address, uint256)', 'function balanceOf(address) view returns (uint256)']);

export type Newcomer = { account: PrivateKeyAccount; wallet: TestWallet };

export function newcomer(stack: TestStack): Newcomer {
  return withWallet(stack, generatePrivateKey());
}

/** A person of the local stack with their own wallet, signed in already. */
export function resident(stack: TestStack, name: string): Newcomer {
  const person = stack.local.accounts[name];
  if (!person?.session) throw new Error(`${name} has no session`);
  const { account, wallet } = withWallet(stack, person.evm_private_key as Hex);
  const cookie = { name: 'service-session', value: person.session, url: stack.baseUrl };
  const attach = async (context: BrowserContext) => {
    await wallet.attach(context);
    await context.addCookies([cookie]);
  };
  return { account, wallet: { ...wallet, attach } };
}

function withWallet(stack: TestStack, key: Hex): Newcomer {
  const account = privateKeyToAccount(key);
  const chains = evmChainsIn(stack.local).map(([, chain]) => ({
    chainId: chain.chain_id,
    rpcUrl: chain.rpc_url,
  }));
  return { account, wallet: testWallet({ account, chains }) };
}

/** Alice sends play money. */
export async function fund(stack: TestStack, address: Hex, usdc: string, name: EvmName = 'base'): Promise<void> {
  const chain = stack.local.chains[name];
  const { alice } = stack.local.accounts;
  if (!chain || !alice) throw new Error(`the stack has no ${name} or no alice`);
  const transport = http(chain.rpc_url, { timeout: 10_000 });
  const from = createWalletClient({ account: privateKeyToAccount(alice.evm_private_key as Hex), transport });
  const hash = await from.writeContract({
    address: chain.usdc as Hex,
    abi: erc20,
    functionName: 'transfer',
    args: [address, parseUnits(usdc, 6)],
    chain: null,
  });
  await waitForReceipt(createPublicClient({ transport, pollingInterval: 100 }), hash);
}

/** In units: millionths of a USDC. */
export function usdcOf(stack: TestStack, address: Hex, name: EvmName = 'base'): Promise<bigint> {
  const chain = stack.local.chains[name];
  const client = createPublicClient({ transport: http(chain?.rpc_url, { timeout: 10_000 }) });
  return client.readContract({
    address: chain?.usdc as Hex,
    abi: erc20,
    functionName: 'balanceOf',
    args: [address],
  });
}

/** From the sign-in button to a handle, wherever a page asks for it. */
export async function joinAs(page: Page, handle: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click();
  await page.getByRole('textbox', { name: 'Your handle' }).fill(handle);
  await page.getByText(`@${handle} is available.`).waitFor(SOON);
  await page.getByRole('button', { name: `Claim @${handle}` }).click();
}

/** The newest message of the chat in the playground that says this. */
export function message(page: Page, text: string | RegExp) {
  return page.getByRole('log').getByRole('listitem').filter({ hasText: text }).last();
}

export async function speakAs(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(name) }).click();
}

/** Follows a link that opens a tab of its own. */
export async function openedTab(context: BrowserContext, click: () => Promise<void>): Promise<Page> {
  const [tab] = await Promise.all([context.waitForEvent('page', SOON), click()]);
  return tab;
}

/** Types /connect in the direct chat of the playground, opens the link in a tab of its own, and agrees there and in the chat. @returns that tab */
export async function connectInChat(
  context: BrowserContext,
  chat: Page,
  name: string,
  signIn: (link: Page) => Promise<void> = async () => {},
): Promise<Page> {
  await speakAs(chat, name);
  await chat.getByRole('tab', { name: /Ampersat/ }).click();
  await chat.getByRole('button', { name: '/connect', exact: true }).click();
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  const answer = message(chat, 'Open this link to connect').getByRole('link', { name: 'Connect' });
  await answer.waitFor(SOON);
  const link = await openedTab(context, () => answer.click());
  await signIn(link);
  await link.getByRole('button', { name: /^Connect to @/ }).click(SOON);
  await message(chat, /^Connect @/)
    .getByRole('button', { name: 'Connect', exact: true })
    .click(SOON);
  await link.getByRole('heading', { name: 'Connected' }).waitFor(SOON);
  return link;
}

const SCREENSHOTS = join(ROOT, 'screenshots');

/** Takes a screenshot, if SCREENSHOTS=1 asks for them. */
export async function look(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] !== '1') return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), animations: 'disabled' });
}
