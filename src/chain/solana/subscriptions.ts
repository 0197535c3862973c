// Plans and subscriptions on Solana: their keys and accounts, what the cluster says of one, and the instructions that wallets sign.
import { type Commitment, PublicKey } from '@solana/web3.js';
import {
  PLAN_STATES,
  type PlanState,
  SUBSCRIPTION_STATES,
  type SubscriptionState,
} from '../../domain/typedData/subscriptions.ts';
import { decodePlan, decodeSubscription } from './accounts.ts';
import { planKeyOf, planOf, subscriptionOf, tokenAccount } from './addresses.ts';
import { readingSolana, type SolanaCall, type SolanaChain } from './client.ts';
import { CLOCK_SYSVAR, timeOfClock } from './clock.ts';
import type { Bytes32, SolanaAddress } from './codec.ts';
import { buildInstruction } from './instructions.ts';
import { readAccounts } from './manyAccounts.ts';
import { setAllowance } from './spending.ts';
import { createTokenAccount } from './tips.ts';
import { readTokenAccount } from './tokens.ts';

/** Measured at 5,700, and 22,000 more for the creator's token account; the search for an address takes 1,500 a step. */
const CREATE_UNITS = 60_000;
const ACCOUNT_UNITS = 40_000;
/** Measured at 19,300, and the approval as for changes of spending. */
const SUBSCRIBE_UNITS = 100_000;
/** Measured at 2,100. */
const SET_UNITS = 20_000;

export type SolanaPlan = { creator: SolanaAddress; planIdHash: Bytes32; amount: bigint; period: number };
export type SolanaPair = { planKey: Bytes32; subscriber: SolanaAddress };

export function solanaPlanKey(chain: SolanaChain, plan: SolanaPlan): Bytes32 {
  return planKeyOf(chain.program.id, { ...plan, usdc: chain.usdc });
}

export const planAddress = (chain: SolanaChain, planKey: Bytes32) => planOf(chain.program.id, planKey).address;
export const pairAddress = (chain: SolanaChain, { planKey, subscriber }: SolanaPair) =>
  subscriptionOf(chain.program.id, planKey, subscriber).address;

/** `unknown` for a plan that is not there. @throws AppError `provider_unavailable` */
export async function solanaPlanState(
  chain: SolanaChain,
  planKey: Bytes32,
  commitment: Commitment,
): Promise<PlanState> {
  const key = new PublicKey(planAddress(chain, planKey));
  const account = await readingSolana(chain, (at) => at.getAccountInfo(key, commitment));
  const plan = account?.owner.toBase58() === chain.program.id ? decodePlan(account.data) : null;
  return plan?.state === PLAN_STATES.active ? 'active' : plan?.state === PLAN_STATES.inactive ? 'inactive' : 'unknown';
}

type Subscription = NonNullable<ReturnType<typeof decodeSubscription>>;

/** As the program reads it: what stayed unpaid for three periods counts as halted. @param now Unix seconds of the chain */
export function stateOf({ state, nextChargeAt, period }: Subscription, now: bigint): SubscriptionState {
  const lapsesAt = nextChargeAt + LAPSES_AFTER * BigInt(period);
  if (state === SUBSCRIPTION_STATES.active) return now >= lapsesAt ? 'halted' : 'active';
  return state === SUBSCRIPTION_STATES.cancelled ? 'cancelled' : 'halted';
}

const LAPSES_AFTER = 3n;

export type SolanaSubscription = { state: SubscriptionState; lastChargedAt: bigint; nextChargeAt: bigint };

/** How subscriptions stand, in their order; one without an account was never there, or was closed after its end. @throws AppError `provider_unavailable` */
export async function solanaSubscriptions(
  chain: SolanaChain,
  pairs: readonly SolanaPair[],
): Promise<SolanaSubscription[]> {
  const addresses = pairs.map((pair) => pairAddress(chain, pair));
  const accounts = await readAccounts(chain, [CLOCK_SYSVAR, ...addresses]);
  const now = timeOfClock(accounts.get(CLOCK_SYSVAR));
  return addresses.map((address) => {
    const account = accounts.get(address);
    const found = account?.owner.toBase58() === chain.program.id ? decodeSubscription(account.data) : null;
    if (!found) return { state: 'none', lastChargedAt: 0n, nextChargeAt: 0n };
    const { lastChargedAt, nextChargeAt } = found;
    return { state: stateOf(found, now), lastChargedAt, nextChargeAt };
  });
}

/** What the program may draw of wallets, and what they have, of USDC; in their order. @throws AppError `provider_unavailable` */
export async function solanaFunds(
  chain: SolanaChain,
  owners: readonly SolanaAddress[],
): Promise<{ balance: bigint; allowance: bigint }[]> {
  const addresses = owners.map((owner) => tokenAccount(owner, chain.usdc).address);
  const accounts = await readAccounts(chain, addresses);
  return addresses.map((address) => {
    const account = readTokenAccount(accounts.get(address) ?? null);
    const isOurs = account?.delegate === chain.program.fixed.spender;
    return { balance: account?.amount ?? 0n, allowance: isOurs ? account.delegated : 0n };
  });
}

/**
 * What a wallet does with plans and subscriptions: its creator makes a plan and sets its state, a subscriber subscribes and sets what may be drawn of it,
 * either ends a subscription. An allowance is what the program may draw from then on, for all that it draws; null leaves it as it is.
 */
export type SolanaPlanMove =
  | { name: 'create'; plan: SolanaPlan; opensAccount: boolean }
  | { name: 'set_plan'; creator: SolanaAddress; planKey: Bytes32; state: 'active' | 'inactive' }
  | ({
      name: 'subscribe';
      creator: SolanaAddress;
      amount: bigint;
      period: number;
      allowance: bigint | null;
    } & SolanaPair)
  | ({ name: 'cancel'; by: SolanaAddress } & SolanaPair)
  | { name: 'allow'; owner: SolanaAddress; allowance: bigint };

export function planMoveSigner(move: SolanaPlanMove): SolanaAddress {
  switch (move.name) {
    case 'create':
      return move.plan.creator;
    case 'set_plan':
      return move.creator;
    case 'subscribe':
      return move.subscriber;
    case 'cancel':
      return move.by;
    case 'allow':
      return move.owner;
  }
}

/** @param payer pays for accounts that are opened; the rent of the program's own returns to it */
export function solanaPlanCall(
  chain: SolanaChain,
  move: SolanaPlanMove,
  { treasury, payer }: { treasury: SolanaAddress; payer: SolanaAddress },
): SolanaCall {
  const { program, usdc } = chain;
  const place = (wallet: SolanaAddress) => tokenAccount(wallet, usdc).address;
  switch (move.name) {
    case 'create': {
      const { creator, planIdHash, amount, period } = move.plan;
      const create = buildInstruction(program, 'createPlan', {
        args: { planIdHash, amount, period },
        accounts: { payer, creator, plan: planAddress(chain, solanaPlanKey(chain, move.plan)) },
      });
      if (!move.opensAccount) return { units: CREATE_UNITS, instructions: [create] };
      // Without a token account its creator could be paid nothing, and no one could subscribe.
      const open = createTokenAccount(payer, creator, usdc);
      return { units: CREATE_UNITS + ACCOUNT_UNITS, instructions: [open, create] };
    }
    case 'set_plan': {
      const { creator, planKey, state } = move;
      const accounts = { creator, plan: planAddress(chain, planKey) };
      const set = buildInstruction(program, 'setPlan', { args: { state: PLAN_STATES[state] }, accounts });
      return { units: SET_UNITS, instructions: [set] };
    }
    case 'subscribe': {
      const { subscriber, creator, planKey, amount, period, allowance } = move;
      const subscribe = buildInstruction(program, 'subscribe', {
        args: { amount, period },
        accounts: {
          payer,
          subscriber,
          plan: planAddress(chain, planKey),
          subscription: pairAddress(chain, move),
          source: place(subscriber),
          creator: place(creator),
          treasury: place(treasury),
        },
      });
      const approval = allowance === null ? [] : [setAllowance(chain, subscriber, allowance)];
      return { units: SUBSCRIBE_UNITS, instructions: [...approval, subscribe] };
    }
    case 'cancel': {
      const accounts = { signer: move.by, subscription: pairAddress(chain, move) };
      return { units: SET_UNITS, instructions: [buildInstruction(program, 'cancel', { args: {}, accounts })] };
    }
    case 'allow':
      return { units: SET_UNITS, instructions: [setAllowance(chain, move.owner, move.allowance)] };
  }
}
