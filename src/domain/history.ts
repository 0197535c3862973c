// A tip in a history: one of four words for its status, and a sentence for why it failed.
import type { EscrowStatus } from './escrow.ts';
import type { Refusal } from './plan.ts';
import type { SmartStatus } from './smartLeg.ts';
import type { TipStatus } from './tip.ts';

/** `paid` is in a block, `final` can no longer vanish. What went into an escrow is `waiting` until it is claimed, or `returned`;
 * what goes to another chain is `crossing` until it arrived, or `returned`. */
export type PublicStatus = 'pending' | 'paid' | 'final' | 'failed' | 'waiting' | 'crossing' | 'returned';

/**
 * @param refusedInBlock the leg is in a block, which refused it: until that is final it may still be paid
 * @param escrow the escrow that it opened, if it did; @param crossing its way to another chain, if it goes there
 */
export function publicStatus(
  status: TipStatus,
  refusedInBlock: boolean,
  escrow: EscrowStatus | null,
  crossing: SmartStatus | null,
): PublicStatus {
  const isPaid = status === 'settled' || (status === 'mined' && !refusedInBlock);
  if (isPaid && crossing === 'refunded') return 'returned';
  if (isPaid && crossing !== null && crossing !== 'succeeded') return 'crossing';
  switch (status) {
    case 'settled':
      if (escrow === 'refunded') return 'returned';
      return escrow === null || escrow === 'claimed' ? 'final' : 'waiting';
    case 'failed':
      return 'failed';
    case 'mined':
      return refusedInBlock ? 'pending' : 'paid';
    default:
      return 'pending';
  }
}

/** Why a tip failed, for the owner of the money. No money moved in any of these. */
export function failureSentence(failure: Refusal | null): string {
  switch (failure?.code) {
    case 'expired':
      return 'It could not be placed within 15 minutes, so it was not sent.';
    case 'router_paused':
      return 'Payments were paused for everybody at that moment.';
    case 'sender_paused':
      return 'Your spending was paused.';
    case 'token_refused':
      return `The token on ${failure.chain} refused the transfer (“${failure.text}”).`;
    case 'chain_refused':
      return `The payment was refused on ${failure.chain} (${failure.reason}).`;
    case 'balance_low':
      return `Your balance on ${failure.chain} was ${failure.have} ${failure.asset}; it needed ${failure.need} with the fee.`;
    case 'allowance_low':
      return `Your wallet allowed ${failure.have} ${failure.asset} more on ${failure.chain}; it needed ${failure.need} with the fee.`;
    case 'limit_per_tip':
    case 'limit_per_day':
    case 'limit_fee':
      return `A limit that your wallet set on ${failure.chain} was in the way: ${failure.limit} ${failure.asset}; it needed ${failure.need}.`;
    default:
      return 'It could not be sent.';
  }
}
