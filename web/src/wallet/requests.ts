// What the pages ask of a wallet (EIP-1193), and its refusals in words for people.

import { isSameAddress } from '../../../src/domain/walletFamily.ts';
import type { TypedData } from '../app/api.ts';
import { shortHex } from '../app/format.ts';

export type WalletProvider = {
  request(args: { method: string; params?: unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): unknown;
  removeListener?(event: string, listener: (value: unknown) => void): unknown;
  /** Of a wallet that signs several messages at one agreement. */
  signAll?(address: string, all: readonly TypedData[]): Promise<string[]>;
};

export type WalletProblem = 'refused' | 'unknown_chain' | 'wrong_account' | 'busy' | 'silent' | 'no_gas' | 'failed';

export class WalletError extends Error {
  readonly problem: WalletProblem;
  /** In the wallet's own words; empty where it gave none. */
  readonly reason: string;

  constructor(problem: WalletProblem, message: string, options: { cause?: unknown; reason?: string } = {}) {
    super(message, options);
    this.reason = options.reason ?? '';
    this.name = 'WalletError';
    this.problem = problem;
  }
}

/** As long as people may take to read; a wallet that says nothing by then has lost the question. */
const PATIENCE_MS = 5 * 60_000;
const MAX_REASON = 160;

const REFUSED = 4001;
const UNKNOWN_CHAIN = 4902;
const UNAUTHORISED = 4100;
const ALREADY_OPEN = -32002;
/** Wallets of Solana say it without a code. */
const DECLINED = /^(the )?(user|request)( was)? (rejected|denied|declined|cancell?ed)/i;
/** Nodes and wallets say it in their own words, none of them by a code. */
const NO_GAS = /insufficient funds|exceeds the balance of the account/i;

/** Asks the wallet which accounts this page may see; the wallet may ask its owner. */
export async function askAccounts(provider: WalletProvider): Promise<string[]> {
  const accounts = (await ask(provider, 'eth_requestAccounts')) as string[];
  if (!accounts?.length)
    throw new WalletError('refused', 'Your wallet didn’t share an account. Unlock it and try again.');
  return accounts;
}

/** Has the wallet ask its owner which account this page may see. One that cannot, or whose owner says no, stays as it is. */
export async function askOtherAccount(provider: WalletProvider): Promise<void> {
  await ask(provider, 'wallet_requestPermissions', [{ eth_accounts: {} }]).catch(() => undefined);
}

/** The accounts that the wallet already shares, the one in use first. Opens no prompt. */
export async function readAccounts(provider: WalletProvider): Promise<string[]> {
  return ((await ask(provider, 'eth_accounts')) as string[] | null) ?? [];
}

export async function readChainId(provider: WalletProvider): Promise<number> {
  return Number(await ask(provider, 'eth_chainId'));
}

/** @returns the signature over the text (EIP-191) */
export async function signText(provider: WalletProvider, address: string, text: string): Promise<string> {
  const bytes = [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0'));
  return (await ask(provider, 'personal_sign', [`0x${bytes.join('')}`, address])) as string;
}

/** @returns the signature over typed data (EIP-712), made with `address` on the chain that the data names */
export async function signTyped(
  provider: WalletProvider,
  address: string,
  data: TypedData,
  chainLabel = 'this network',
): Promise<string> {
  await requireAccount(provider, address);
  if (data.domain.chainId !== undefined) await switchChain(provider, Number(data.domain.chainId), chainLabel);
  return (await ask(provider, 'eth_signTypedData_v4', [address, JSON.stringify(data)])) as string;
}

/** The same for several messages, in their order: at one agreement where the wallet can, else one after the other. */
export async function signAllTyped(
  provider: WalletProvider,
  address: string,
  all: readonly TypedData[],
  chainLabel?: string,
): Promise<string[]> {
  const { signAll } = provider;
  if (signAll && all.length > 1) return answerOf(() => signAll(address, all));
  const signatures: string[] = [];
  for (const data of all) signatures.push(await signTyped(provider, address, data, chainLabel));
  return signatures;
}

export type TransactionRequest = { to: string; data: string; value: string; chainId: number | string };

/**
 * Waits for as long as its owner takes: a page that gave up would ask again for what the wallet still sends.
 * @returns the transaction's hash
 */
export async function sendTransaction(
  provider: WalletProvider,
  address: string,
  { to, data, value, chainId }: TransactionRequest,
  chainLabel: string,
): Promise<string> {
  await requireAccount(provider, address);
  await switchChain(provider, Number(chainId), chainLabel);
  return (await ask(provider, 'eth_sendTransaction', [{ from: address, to, data, value }], null)) as string;
}

/** The receipt of a transaction once it is in a block; `status` is `0x0` when it failed. */
export async function readReceipt(provider: WalletProvider, hash: string): Promise<{ status?: string } | null> {
  return (await ask(provider, 'eth_getTransactionReceipt', [hash])) as { status?: string } | null;
}

async function requireAccount(provider: WalletProvider, address: string): Promise<void> {
  const accounts = await askAccounts(provider);
  if (accounts.some((account) => isSameAddress(account, address))) return;
  throw new WalletError('wrong_account', `Choose the account ${shortHex(address)} in your wallet, then try again.`);
}

/** The description of a network that a wallet does not know (EIP-3085). */
export type NetworkToAdd = { chainId: string; chainName: string; rpcUrls: string[]; [fact: string]: unknown };

/** Puts the wallet on a network, which it may ask its owner about; one that it does not know is added first, where `add` describes it. */
export async function switchChain(
  provider: WalletProvider,
  chainId: number,
  label: string,
  add: NetworkToAdd | null = null,
): Promise<void> {
  if ((await readChainId(provider)) === chainId) return;
  const change = () => ask(provider, 'wallet_switchEthereumChain', [{ chainId: `0x${chainId.toString(16)}` }]);
  try {
    await change();
  } catch (error) {
    if (!(error instanceof WalletError) || error.problem !== 'unknown_chain') throw error;
    if (!add?.rpcUrls.length) throw unknownChain(chainId, label, error);
    await ask(provider, 'wallet_addEthereumChain', [add]).catch((cause: unknown) => {
      throw cause instanceof WalletError && cause.problem === 'refused' ? cause : unknownChain(chainId, label, cause);
    });
    // Some wallets add a network without going to it.
    if ((await readChainId(provider)) !== chainId) await change();
  }
}

function unknownChain(chainId: number, label: string, cause: unknown): WalletError {
  const message = `Your wallet doesn’t know ${label} (network ${chainId}). Add it there, then try again.`;
  return new WalletError('unknown_chain', message, { cause });
}

function ask(
  provider: WalletProvider,
  method: string,
  params: unknown[] = [],
  patience: number | null = PATIENCE_MS,
): Promise<unknown> {
  return answerOf(() => provider.request({ method, params }), patience);
}

/** What a wallet answers, in time where `patience` has a limit in milliseconds. @throws WalletError with a sentence for people */
export async function answerOf<T>(request: () => Promise<T>, patience: number | null = PATIENCE_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    if (patience === null) return;
    timer = setTimeout(
      () => reject(new WalletError('silent', 'Your wallet didn’t respond. Open it and try again.')),
      patience,
    );
  });
  try {
    return await Promise.race([request(), silence]);
  } catch (error) {
    throw error instanceof WalletError ? error : inWords(error);
  } finally {
    clearTimeout(timer);
  }
}

function inWords(cause: unknown): WalletError {
  const { code, message, data } = (cause ?? {}) as {
    code?: number;
    message?: string;
    data?: { originalError?: { code?: number } };
  };
  switch (data?.originalError?.code ?? code) {
    case REFUSED:
      return new WalletError('refused', 'You declined the request in your wallet. Nothing was signed.', { cause });
    case UNKNOWN_CHAIN:
      return new WalletError('unknown_chain', 'Your wallet doesn’t know this network. Add it there first.', { cause });
    case UNAUTHORISED:
      return new WalletError('wrong_account', 'Choose the right account in your wallet, then try again.', { cause });
    case ALREADY_OPEN:
      return new WalletError('busy', 'Your wallet already has an open request. Open your wallet.', { cause });
    default: {
      if (DECLINED.test(message ?? ''))
        return new WalletError('refused', 'You declined the request in your wallet. Nothing was signed.', { cause });
      if (NO_GAS.test(message ?? ''))
        return new WalletError(
          'no_gas',
          'Your wallet doesn’t have enough of the network’s coin (such as ETH) for the network fee. Top it up and try again.',
          { cause },
        );
      const reason = (message ?? '').slice(0, MAX_REASON);
      return new WalletError('failed', `Your wallet couldn’t do this${reason && `: ${reason}`}`, { cause, reason });
    }
  }
}
