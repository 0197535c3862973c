// Charges of subscriptions on a chain of any family: what each would do now, the transactions that make many, and what a block says of each.
import type { Hex } from 'viem';
import type { ChargeFailure } from '../domain/subscription.ts';
import { SUBSCRIPTION_STATES, type SubscriptionState } from '../domain/typedData/subscriptions.ts';
import { type ChainCall, simulateQueued } from './calls.ts';
import type { Chain } from './chain.ts';
import { readPlanReceipt } from './logs/subscriptions.ts';
import type { Pair } from './plans.ts';
import type { Receipt } from './receipt.ts';
import type { RentReturn } from './rent.ts';
import {
  type DueCharge as EvmCharge,
  failureOf,
  gasForCharges,
  readStates,
  simulateCharges,
  type Verdict,
} from './routers/charges.ts';
import type { RevertReason } from './routers/reverts.ts';
import { encodeChargeBatch, encodeHalt } from './routers/subscription.ts';
import { blockGas } from './rpc/client.ts';
import {
  closableSubscriptions,
  failedCharge,
  judgeSolanaCharges,
  packSolanaCharges,
  solanaChargeCall,
  solanaHaltCall,
  verdictOfError,
} from './solana/charges.ts';
import type { SolanaCall, SolanaChain } from './solana/client.ts';
import { treasuryOf } from './solana/orders.ts';
import { encodeInstructions } from './solana/payload.ts';
import { solanaSubscriptions } from './solana/subscriptions.ts';

export type { Verdict };
/** A charge that may be due. One that is doubtful has failed before. */
export type DueCharge = Pair & { creator: string; amount: bigint; isDoubtful: boolean };

/** Measured at 40,000. */
const HALT_GAS = 150_000n;

const evmOf = (charges: readonly DueCharge[]) => charges as readonly (DueCharge & EvmCharge)[];
const solanaOf = <Charge extends Pair>(charges: readonly Charge[]) => charges as readonly (Charge & { planKey: Hex })[];

/**
 * What each charge would do now, in the same order: those before it count, so that hardly any balance is promised twice.
 * @throws AppError `provider_unavailable`
 */
export function judgeCharges(chain: Chain, charges: readonly DueCharge[]): Promise<Verdict[]> {
  return chain.family === 'solana'
    ? judgeSolanaCharges(chain, solanaOf(charges))
    : simulateCharges(chain, evmOf(charges));
}

/** How charges become transactions: as many in one as there is room for. */
export type ChargePlan<Charge> = { packs: Charge[][]; callOf(pack: readonly Charge[]): ChainCall };

/** @param sizeFor how many go into one where each is undone alone, by the gas of a block. @throws AppError `provider_unavailable` */
export async function planCharges<Charge extends DueCharge>(
  chain: Chain,
  charges: readonly Charge[],
  sizeFor: (blockGas: bigint, gasFor: (count: number) => bigint) => number,
): Promise<ChargePlan<Charge>> {
  if (chain.family === 'solana') {
    const treasury = await treasuryOf(chain);
    return {
      packs: packSolanaCharges(chain, solanaOf(charges), treasury),
      callOf: (pack) => storedCall(chain, solanaChargeCall(chain, solanaOf(pack), treasury)),
    };
  }
  const size = sizeFor(await blockGas(chain), gasForCharges);
  const packs: Charge[][] = [];
  for (let at = 0; at < charges.length; at += size) packs.push(charges.slice(at, at + size));
  const to = chain.routers.subscription;
  return {
    packs,
    callOf: (pack) => ({ to, data: encodeChargeBatch(evmOf(pack)), gas: gasForCharges(pack.length) }),
  };
}

function storedCall(chain: SolanaChain, { instructions, units }: SolanaCall): ChainCall {
  return { to: chain.program.id, data: encodeInstructions(instructions), gas: BigInt(units) };
}

/** `undone`: another charge of its transaction failed, and took it along. */
export type ChargeOutcome = 'charged' | 'early' | 'undone' | ChargeFailure;

/**
 * Why a queued call would make none of its charges now, where one that fails takes the others along; null to send it.
 * @throws AppError `provider_unavailable`
 */
export async function refusedOutcomes(
  chain: Chain,
  charges: readonly DueCharge[],
  call: ChainCall,
): Promise<ChargeOutcome[] | null> {
  if (chain.family === 'evm') return null;
  const reason = await simulateQueued(chain, call, undefined);
  return reason && outcomesOfFailure(chain, charges, call.data, reason);
}

/**
 * What a block says of each charge of a transaction, in their order.
 * @param payload reads what was stored of the call
 * @throws AppError `provider_unavailable`
 */
export async function outcomesOf(
  chain: Chain,
  charges: readonly DueCharge[],
  receipt: Receipt,
  payload: () => Promise<string>,
): Promise<ChargeOutcome[]> {
  const keyOf = ({ planKey, subscriber }: Pair) => `${planKey} ${subscriber}`;
  if (chain.family === 'solana') {
    if (receipt.family !== 'solana') throw new Error('this receipt is not one of Solana');
    if (!receipt.succeeded) {
      const data = await payload();
      return outcomesOfFailure(chain, charges, data, receipt.reason ?? { name: 'NoReason' });
    }
    const made = new Set(receipt.events.flatMap((event) => (event.name === 'charged' ? [keyOf(event)] : [])));
    return charges.map((charge) => (made.has(keyOf(charge)) ? 'charged' : 'not_mined'));
  }
  if (receipt.family !== 'evm') throw new Error('this receipt is not one of EVM');
  if (!receipt.succeeded) return charges.map(() => 'not_mined');
  const { entries, failed } = readPlanReceipt(chain, receipt.raw);
  const made = new Set(entries.flatMap((entry) => (entry.kind === 'charged' ? [keyOf(entry)] : [])));
  const reasons = new Map(failed.map(({ reason, ...pair }) => [keyOf(pair), reason]));
  const outcomes: ChargeOutcome[] = [];
  for (const charge of evmOf(charges)) {
    const reason = reasons.get(keyOf(charge));
    if (made.has(keyOf(charge))) outcomes.push('charged');
    else outcomes.push(reason ? outcomeOf(await failureOf(chain, charge, reason)) : 'not_mined');
  }
  return outcomes;
}

function outcomeOf(verdict: Verdict): ChargeOutcome {
  if (verdict.kind === 'failed') return verdict.code;
  return verdict.kind === 'early' ? 'early' : 'not_mined';
}

/** A failure that is of no one of them, and of no pause, is held against all: each is tried alone then. */
function outcomesOfFailure(
  chain: SolanaChain,
  charges: readonly DueCharge[],
  data: string,
  reason: RevertReason,
): ChargeOutcome[] {
  const verdict = verdictOfError(reason);
  if (verdict === null) return charges.map(() => 'undone');
  const culprit = failedCharge(chain, solanaOf(charges), data, reason);
  if (!culprit) return charges.map(() => 'not_mined');
  return charges.map((charge) => (charge === culprit ? outcomeOf(verdict) : 'undone'));
}

export type ChargeState = {
  state: SubscriptionState;
  /** Unix seconds. */
  nextChargeAt: bigint;
  viaPermit2: boolean;
};

/**
 * How the chain reads subscriptions now that have begun, in their order: what stayed unpaid for three periods is halted, and so is what was closed since.
 * @throws AppError `provider_unavailable`
 */
export async function chargeStates(chain: Chain, pairs: readonly Pair[]): Promise<ChargeState[]> {
  if (chain.family === 'solana') {
    const found = await solanaSubscriptions(chain, solanaOf(pairs));
    return found.map(({ state, nextChargeAt }) => ({
      state: state === 'none' ? 'halted' : state,
      nextChargeAt,
      viaPermit2: false,
    }));
  }
  const states = await readStates(chain, pairs as readonly (Pair & EvmCharge)[]);
  return states.map(({ state, nextChargeAt, viaPermit2 }) => ({ state: nameOf(state), nextChargeAt, viaPermit2 }));
}

function nameOf(number: number): SubscriptionState {
  const names = Object.keys(SUBSCRIPTION_STATES) as SubscriptionState[];
  return names.find((name) => SUBSCRIPTION_STATES[name] === number) ?? 'none';
}

/** The call with which an executor halts a subscription that stayed unpaid. */
export function haltCall(chain: Chain, pair: Pair): ChainCall {
  if (chain.family === 'solana') {
    const [onSolana] = solanaOf([pair]);
    if (!onSolana) throw new Error('there is one');
    return storedCall(chain, solanaHaltCall(chain, onSolana));
  }
  const data = encodeHalt({ planKey: pair.planKey as Hex, subscriber: pair.subscriber as Hex });
  return { to: chain.routers.subscription, data, gas: HALT_GAS };
}

/** Whether accounts of subscriptions cost rent, which comes back when they have ended. */
export function hasSubscriptionRent(chain: Chain): boolean {
  return chain.family === 'solana';
}

/** Of ended subscriptions: the call that closes its account, or that it is closed already, or cannot be closed yet. @throws AppError `provider_unavailable` */
export function subscriptionRent(chain: Chain, pairs: readonly Pair[]): Promise<(RentReturn | 'closed' | 'open')[]> {
  return chain.family === 'solana' ? closableSubscriptions(chain, solanaOf(pairs)) : Promise.resolve([]);
}
