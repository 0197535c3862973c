// The model's books: who holds what, who may draw on whom, what time it is. A refusal is a list of all reasons that hold, because the
// interfaces do not say which of several is named; none means that the operation goes through.
import type { BotBooks } from './bot.ts';
import type { EscrowBooks } from './escrow.ts';
import type { PaymentBooks } from './payments.ts';
import type { SubscriptionBooks } from './subscriptions.ts';

export type Token = 'usdc' | 'wrapped' | 'native';
export type Router = 'bot' | 'escrow' | 'payment' | 'business' | 'subscription';
/** Names of people, of roles, of contracts (`router:bot`, `permit2`) and of deposit addresses: the model knows no addresses. */
export type Party = string;
/** Names of errors. */
export type Reasons = string[];

export type Model = {
  /** Unix seconds of the block that is made next. */
  now: bigint;
  balances: Map<string, bigint>;
  allowances: Map<string, bigint>;
  blacklist: Set<Party>;
  paused: Set<Router>;
  /** Numbers of signatures: per router and signer, per token owner, per Permit2 owner. */
  nonces: Map<string, bigint>;
  /** EIP-3009 authorizations that were used: the token keeps one set for all routers. */
  authorizations: Set<string>;
  permit2: Map<Party, { amount: bigint; expiration: bigint }>;
  payments: PaymentBooks;
  escrow: EscrowBooks;
  subscriptions: SubscriptionBooks;
  bot: BotBooks;
};

/** What takes native assets only by force. */
export const REFUSER = 'vault';
export const FEE_TO = 'treasury';
export const EXECUTOR = 'executor';

export function balanceOf(m: Model, token: Token, party: Party): bigint {
  return m.balances.get(`${token} ${party}`) ?? 0n;
}

export function allowanceOf(m: Model, token: Token, owner: Party, spender: Party): bigint {
  return m.allowances.get(`${token} ${owner} ${spender}`) ?? 0n;
}

export function nonceOf(m: Model, at: string, signer: Party): bigint {
  return m.nonces.get(`${at} ${signer}`) ?? 0n;
}

export function takeNonce(m: Model, at: string, signer: Party): void {
  m.nonces.set(`${at} ${signer}`, nonceOf(m, at, signer) + 1n);
}

/** Moves what a party holds. @returns whether it could */
export function move(m: Model, token: Token, from: Party, to: Party, amount: bigint, by: Party = from): boolean {
  if (token === 'usdc' && [from, to, by].some((party) => m.blacklist.has(party))) return false;
  if (balanceOf(m, token, from) < amount) return false;
  if (token === 'native' && to === REFUSER) return false;
  m.balances.set(`${token} ${from}`, balanceOf(m, token, from) - amount);
  m.balances.set(`${token} ${to}`, balanceOf(m, token, to) + amount);
  return true;
}

/** Draws on an allowance, which counts down. @returns whether it could */
export function pull(m: Model, token: Token, by: Party, from: Party, to: Party, amount: bigint): boolean {
  const allowance = allowanceOf(m, token, from, by);
  if (allowance < amount || !move(m, token, from, to, amount, by)) return false;
  m.allowances.set(`${token} ${from} ${by}`, allowance - amount);
  return true;
}

/** Hands out wrapped native assets that a router holds: as native ones, or wrapped to whom refuses those. */
export function deliver(m: Model, router: Party, to: Party, amount: bigint): void {
  if (to === REFUSER) {
    move(m, 'wrapped', router, to, amount);
    return;
  }
  m.balances.set(`wrapped ${router}`, balanceOf(m, 'wrapped', router) - amount);
  m.balances.set(`native ${to}`, balanceOf(m, 'native', to) + amount);
}

/**
 * Does all of it, or nothing where there is a reason against it. A reason with a question mark may hold or not: the interface leaves it
 * open, so what the chain did decides.
 * @param actual the name of the error that the chain gave, null when it went through
 */
export function attempt(m: Model, actual: string | null, operation: (draft: Model) => Reasons): Reasons {
  const draft = structuredClone(m);
  const reasons = operation(draft);
  if (actual === null && agrees(reasons, actual)) Object.assign(m, draft);
  return reasons;
}

export function agrees(reasons: Reasons, actual: string | null): boolean {
  if (actual === null) return reasons.every((name) => name.endsWith('?'));
  return reasons.includes(actual) || reasons.includes(`${actual}?`);
}

/** The names of the reasons that hold. */
export function holding(reasons: Record<string, boolean>): Reasons {
  return Object.entries(reasons).flatMap(([name, holds]) => (holds ? [name] : []));
}

/** The reasons, and the failure where the effect cannot be. */
export function unless(reasons: Reasons, effect: () => boolean, failure: string): Reasons {
  return effect() ? reasons : [...reasons, failure];
}
