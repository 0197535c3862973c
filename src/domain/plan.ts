// The plan of an intent: its legs with everything that will be signed, and the reasons to ask or to refuse.
import type { ConfirmReason } from './command.ts';
import { feeNeedsConfirmation } from './fees.ts';
import { CONFIRM_ABOVE } from './limits.ts';
import type { MicroUsd } from './money.ts';
import { comparable } from './walletFamily.ts';

export type PlannedLeg = {
  leg: number;
  chain: string;
  chainLabel: string;
  asset: string;
  token: string;
  decimals: number;
  units: bigint;
  feeUnits: bigint;
  usd: MicroUsd;
  feeUsd: MicroUsd;
  /** The wallet of the chain's family that pays. */
  senderAddress: string;
  recipientHandleId: string | null;
  recipientAddress: string;
  recipientLabel: string;
  /** Whom the escrow names that this leg opens ("telegram:id:123"); null when it goes to a wallet. */
  tabSlug: string | null;
  /** Whom a tab would name in the place of the recipient's wallet; null for one that was named by its address. */
  keptFor: string | null;
  /** We open the recipient's account of the token first, at our cost. */
  opensAccount: boolean;
  /** Set when it arrives on another chain than the one that the money leaves. */
  crossing: Crossing | null;
};

/** The way of a leg to another chain, over the bot router's bridge adapter. */
export type Crossing = {
  chain: string;
  chainLabel: string;
  /** What arrives there, in its smallest units. */
  token: string;
  decimals: number;
  units: bigint;
  /** What the bridge takes, in units of the leg: it is paid on top. */
  bridgeUnits: bigint;
  bridgeUsd: MicroUsd;
  adapter: string;
  /** Blocks before which nothing of it can stand. */
  originFrom: bigint;
  destinationFrom: bigint;
};

/** Why an intent or one of its legs cannot be done. Figures are canonical decimal strings. */
export type Refusal =
  | {
      code:
        | 'sender_not_connected'
        | 'sender_receive_only'
        | 'sender_disconnected'
        | 'sender_no_wallet'
        | 'expired'
        | 'price_stale'
        | 'router_paused';
    }
  | {
      code: 'recipient_unknown';
      label: string;
      /** Query of the page on which money can be kept for that name. */
      create?: string;
    }
  | {
      code:
        | 'recipient_bot'
        | 'handle_not_found'
        | 'recipient_no_wallet'
        | 'recipient_contract'
        | 'recipient_twice'
        | 'recipient_self';
      label: string;
    }
  /** A recipient without an account of the token, and the month's budget for opening some is used up; from `least` on it can be a tab. */
  | { code: 'recipient_unopened'; label: string; chain: string }
  | { code: 'recipient_unopened_small'; label: string; chain: string; least: string }
  | { code: 'sender_paused' }
  /** A contract wallet that has not proven itself there; `where` names the chains on which it has. */
  | { code: 'sender_not_on_chain'; chain: string; where: string }
  | { code: 'recipient_not_on_chain'; label: string; chain: string; where: string }
  /** `chains` and `assets` are what this deployment has, `asset_not_served` one that none of its chains has. */
  | { code: 'chain_not_served'; chain: string; chains: string[] }
  | { code: 'asset_not_on_chain'; chain: string; asset: string; assets: string[] }
  | { code: 'asset_not_served'; asset: string; assets: string[] }
  /** An address of another family of chains than every chain it could be paid on. */
  | { code: 'address_other_family'; label: string; chains: string[] }
  /** Planning failed permanently, by a fault of ours. */
  | { code: 'plan_failed' }
  | { code: 'amount_too_small'; least: string; asset: string }
  /** The least amount for a recipient without an account is more than a few cents. */
  | { code: 'tab_too_small'; label: string; least: string }
  /** What the admins of a server allow for one command there. */
  | { code: 'server_cap'; cap: string; total: string }
  | { code: 'command_cap' | 'day_cap'; cap: string; total: string; left?: string }
  | { code: 'balance_low' | 'allowance_low'; have: string; need: string; asset: string; chain: string }
  | { code: 'limit_per_tip' | 'limit_per_day' | 'limit_fee'; limit: string; need: string; asset: string; chain: string }
  /** The money is on another chain, and the bridge from there does not answer, or takes too much; or none leads here. */
  | { code: 'bridge_away' | 'bridge_fee' | 'not_bridged'; from: string; chain: string }
  | { code: 'token_refused'; text: string; chain: string }
  | { code: 'chain_refused'; reason: string; chain: string };

/** Refusals with figures of a person's money: they go to that person alone. */
const PRIVATE_REFUSALS: ReadonlySet<Refusal['code']> = new Set([
  'balance_low',
  'allowance_low',
  'limit_per_tip',
  'limit_per_day',
  'limit_fee',
  'day_cap',
  'command_cap',
  'server_cap',
  'sender_paused',
  'sender_receive_only',
  'sender_no_wallet',
  // They say on which network the money is.
  'bridge_away',
  'bridge_fee',
  'not_bridged',
]);
export function isPrivateRefusal(refusal: Refusal): boolean {
  return PRIVATE_REFUSALS.has(refusal.code);
}

export type RefusedLeg = { label: string; refusal: Refusal };

export type Doubt = 'large_amount' | 'large_fee' | 'username_changed' | 'username_stale' | 'left_out';
/** Why the words of a command ask: the parser's reason, or that they are what a misread command probably meant. */
export type IntentDoubt = ConfirmReason | 'suggestion';

/** Sum in micro-USD of all legs with their fees: what caps and confirmations apply to. */
export function planTotalUsd(legs: readonly PlannedLeg[]): MicroUsd {
  return legs.reduce((sum, leg) => sum + leg.usd + feesUsd(leg), 0n);
}

function feesUsd({ feeUsd, crossing }: PlannedLeg): MicroUsd {
  return feeUsd + (crossing?.bridgeUsd ?? 0n);
}

/** What a leg takes from its sender in all, in its units. */
export function drawnUnits({ units, feeUnits, crossing }: PlannedLeg): bigint {
  return units + feeUnits + (crossing?.bridgeUnits ?? 0n);
}

/** Why the sender must confirm before any money moves; empty when nothing speaks against going on. */
export function planDoubts(legs: readonly PlannedLeg[], fromNames: readonly Doubt[]): Doubt[] {
  const doubts = new Set<Doubt>(fromNames.filter((doubt) => doubt === 'username_changed' || doubt === 'left_out'));
  if (planTotalUsd(legs) > CONFIRM_ABOVE) {
    doubts.add('large_amount');
    if (fromNames.includes('username_stale')) doubts.add('username_stale');
  }
  if (legs.some((leg) => feeNeedsConfirmation(leg.usd, feesUsd(leg)))) doubts.add('large_fee');
  return [...doubts];
}

/** A text that is equal for two plans exactly when they move the same money to the same places: what a confirmation confirms. */
export function planFingerprint(legs: readonly PlannedLeg[]): string {
  return legs
    .map((leg) =>
      [
        ...[leg.leg, leg.chain, leg.token, leg.units, leg.feeUnits],
        leg.tabSlug ?? comparable(leg.recipientAddress),
        ...(leg.crossing ? ['to', leg.crossing.chain, leg.crossing.units, leg.crossing.bridgeUnits] : []),
      ].join(' '),
    )
    .join('\n');
}

/** What a token said, and not the router or the program. */
const OF_TOKENS: ReadonlySet<string> = new Set(['TokenRefused', 'TransferFailed']);

/** A revert of the router or of a token (`text` is the token's own `Error(string)`) in the words of a refusal. */
export function refusalOfRevert(reason: { name: string; text?: string }, chainLabel: string): Refusal {
  if (reason.name === 'Expired' || reason.name === 'MessageTooOld') return { code: 'expired' };
  if (reason.name === 'Paused') return { code: 'router_paused' };
  if (reason.name === 'SenderPaused') return { code: 'sender_paused' };
  if (reason.text !== undefined && OF_TOKENS.has(reason.name))
    return { code: 'token_refused', text: reason.text, chain: chainLabel };
  return { code: 'chain_refused', reason: reason.text ?? reason.name, chain: chainLabel };
}
