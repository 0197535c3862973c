// What the explainers of all contracts read a message by, and how they write what they found.
import { CHAINS } from '../../../../../src/domain/chains.ts';
import { formatUnits } from '../../../../../src/domain/money.ts';
import { ORDER_ROUTERS, type OrderRouter } from '../../../../../src/domain/typedData/orders.ts';
import type { Bytes, TypedData } from '../../../../../src/domain/typedData.ts';
import { isSameAddress } from '../../../../../src/domain/walletFamily.ts';
import type { ContractsView } from '../../../../../src/http/api/configAnswers.ts';
import { exactTime, padAmount } from '../../../app/format.ts';
import { WalletError } from '../../requests.ts';

/** `facts` are what a person compares: recipient, network, until when. `warning` is what must not be overlooked. */
export type Explained = { title: string; text: string; facts: { name: string; value: string }[]; warning?: string };

export type Router = keyof ContractsView['routers'];
export type SignedMessage = Record<string, string>;
type Known = { chain: ContractsView; chains: readonly ContractsView[]; address: string };

/** Null for what is not ours to sign. `again` is the message, written from what was read of it. */
export type Explainer = (
  message: SignedMessage,
  known: Known,
  data: TypedData,
) => { again: TypedData; words: Explained } | null;

const NOT_EXPLAINED =
  'Your passkey signs only what this page can explain, and this isn’t such a message. Nothing was signed.';

export function refused(cause?: unknown): WalletError {
  return new WalletError('failed', NOT_EXPLAINED, { cause, reason: NOT_EXPLAINED });
}

/** More than there is: an allowance that never ends. */
export const LIMITLESS = 2n ** 160n - 1n;

export function text(of: Record<string, unknown>, name: string): string {
  const value = of[name];
  if (typeof value !== 'string') throw refused();
  return value;
}

export const bytes = (message: SignedMessage, name: string): Bytes => text(message, name) as Bytes;

export function number(message: SignedMessage, name: string): bigint {
  const value = text(message, name);
  if (!/^\d{1,78}$/.test(value)) throw refused();
  return BigInt(value);
}

export const seconds = (message: SignedMessage, name: string): number => Number(number(message, name));

export function cap(message: SignedMessage, name: string): string {
  return text(message, name).replace(/ USD$/, '');
}

export const tokenName = (domain: TypedData['domain']) => ({
  name: text(domain, 'name'),
  version: text(domain, 'version'),
});

export function verifier(chain: ContractsView, domain: TypedData['domain']) {
  return { chainId: chain.chain_id, contract: text(domain, 'verifyingContract') };
}

export function authorizationTerms(message: SignedMessage) {
  return {
    from: bytes(message, 'from'),
    to: bytes(message, 'to'),
    value: number(message, 'value'),
    validAfter: number(message, 'validAfter'),
    validBefore: number(message, 'validBefore'),
    nonce: bytes(message, 'nonce'),
  };
}

export function routerAt(chain: ContractsView, address: string | undefined): Router | null {
  const found = Object.entries(chain.routers).find(([, own]) => isSameAddress(own, address ?? ''));
  return found ? (found[0] as Router) : null;
}

export function isAt(chain: ContractsView, router: Router, domain: TypedData['domain']): boolean {
  return isSameAddress(chain.routers[router], text(domain, 'verifyingContract'));
}

export function isUsdc(chain: ContractsView, domain: TypedData['domain']): boolean {
  return isSameAddress(chain.usdc, text(domain, 'verifyingContract'));
}

export function orderRouterAt(chain: ContractsView, domain: TypedData['domain']): OrderRouter | null {
  const router = routerAt(chain, text(domain, 'verifyingContract'));
  return router !== null && router in ORDER_ROUTERS ? (router as OrderRouter) : null;
}

export function assetAt(chain: ContractsView, token: string): { name: string; decimals: number } | null {
  const { usdcDecimals, native, nativeDecimals } = CHAINS[chain.name];
  if (isSameAddress(token, chain.usdc)) return { name: 'USDC', decimals: usdcDecimals };
  return isSameAddress(token, chain.wrapped_native) ? { name: `W${native}`, decimals: nativeDecimals } : null;
}

export const labelOf = ({ name }: ContractsView) => CHAINS[name].label;

export function usdc({ name }: ContractsView, units: bigint): string {
  return `${padAmount(formatUnits(units, CHAINS[name].usdcDecimals))} USDC`;
}

export const on = (chain: ContractsView) => [{ name: 'Network', value: labelOf(chain) }];

export function until(deadline: bigint): { name: string; value: string } {
  return { name: 'Valid until', value: exactTime(Number(deadline) * 1_000) };
}

/** Where a signature that lasts (an allowance, a right) has to be handed in by then. */
export function usableUntil(deadline: bigint): { name: string; value: string } {
  return { name: 'Takes effect until', value: exactTime(Number(deadline) * 1_000) };
}

export const NO_LIMIT =
  'This has no limit: all USDC that this wallet has, now or later, can be taken. Allow an amount instead, unless you mean this.';

const LARGE_USD = 10_000n;

/** A slip of the hand is a digit too many. */
export function warningOf({ name }: ContractsView, units: bigint): { warning?: string } {
  const isLarge = units >= LARGE_USD * 10n ** BigInt(CHAINS[name].usdcDecimals);
  return isLarge ? { warning: 'This is a large amount. Check it digit by digit.' } : {};
}
