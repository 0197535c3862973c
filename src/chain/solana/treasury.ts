// The treasury's USDC account: what was sent to it beside our fees, and the transactions by which that leaves it again. The treasury is a sender of tips
// like any other: within its own limits, and each message key once, ever.
import { createHash } from 'node:crypto';
import { senderOf } from '../orderEvents.ts';
import type { SolanaReceipt } from '../receipt.ts';
import { tokenAccount } from './addresses.ts';
import type { SolanaCall, SolanaChain } from './client.ts';
import type { Bytes32, SolanaAddress } from './codec.ts';
import { openDeposit, type SolanaOrder } from './orders.ts';
import { EXECUTOR } from './payload.ts';
import { readTipTerms, type SolanaTip, solanaTipCall } from './tips.ts';

export type TreasuryCredit = { units: bigint; from: SolanaAddress | null };

/** What a transaction brought to the treasury that is no fee of the program's own, in smallest units of USDC; null for nothing. */
export function treasuryCredit(
  chain: SolanaChain,
  treasury: SolanaAddress,
  receipt: SolanaReceipt,
): TreasuryCredit | null {
  const { address } = tokenAccount(treasury, chain.usdc);
  const change = receipt.changes.find(({ account }) => account === address);
  if (!change) return null;
  const known = receipt.events.reduce((sum, event) => {
    const isUsdc = !('asset' in event) || event.asset === 0;
    const fee = 'fee' in event && isUsdc ? event.fee : 0n;
    const moved = event.name === 'tipSettled' && event.sender === treasury ? event.amount : 0n;
    return sum + fee - moved;
  }, 0n);
  const units = change.after - change.before - known;
  return units > 0n ? { units, from: senderOf(receipt, change) } : null;
}

/** The message key of a move. @param at Unix seconds; a key can be used for a day */
export function moveKey(id: string, at: bigint): Bytes32 {
  const hash = createHash('sha256').update(`treasury ${id}`).digest('hex').slice(0, 48);
  return `0x${hash}${at.toString(16).padStart(16, '0')}`;
}

export type TreasuryMove = {
  key: Bytes32;
  treasury: SolanaAddress;
  to: SolanaAddress;
  units: bigint;
  validUntil: bigint;
};

/** A move as the program sees it: a tip of the treasury’s. */
export function treasuryTip(
  chain: SolanaChain,
  { key, treasury, to, units, validUntil }: TreasuryMove,
): SolanaTip & { to: 'wallet' } {
  return {
    to: 'wallet',
    messageKey: key,
    sender: treasury,
    token: chain.usdc,
    amount: units,
    validUntil,
    recipient: to,
    fee: 0n,
    opensAccount: false,
  };
}

/**
 * Moves what was sent to the treasury on: to an order's own address, or to a wallet.
 * @param order whose address it is: its deposit is opened at our cost, and its rent returns
 * @throws AppError `provider_unavailable`
 */
export async function treasuryMoveCall(
  chain: SolanaChain,
  move: TreasuryMove,
  order: SolanaOrder | null,
): Promise<SolanaCall> {
  const tip = solanaTipCall(chain, await readTipTerms(chain), [treasuryTip(chain, move)]);
  if (!order) return tip;
  return { units: tip.units + OPEN_UNITS, instructions: [openDeposit(chain, order, EXECUTOR), ...tip.instructions] };
}

/** Measured at 26,600. */
const OPEN_UNITS = 40_000;
