// The treasury's account on a chain of any family where payers may send to it: what came there, and how it leaves again.
import type { ChainCall } from './calls.ts';
import type { Chain } from './chain.ts';
import type { OrderAt } from './orders.ts';
import type { Receipt } from './receipt.ts';
import { tokenAccount } from './solana/addresses.ts';
import { chainTime } from './solana/clock.ts';
import type { Bytes32 } from './solana/codec.ts';
import { treasuryOf } from './solana/orders.ts';
import { encodeInstructions } from './solana/payload.ts';
import { findPaidOnSolana, messageTimeOf, readTipTerms, recallOnSolana } from './solana/tips.ts';
import { moveKey, type TreasuryCredit, treasuryCredit, treasuryMoveCall, treasuryTip } from './solana/treasury.ts';

export type { TreasuryCredit };

/** Seconds for which a key can be used: a day, less what a transaction takes. */
const KEY_SECONDS = 23n * 3_600n;
const VALID_SECONDS = 600n;

/**
 * The treasury to which payers may send, by a reference or a memo, and its account of USDC; null on chains where none may.
 * @throws AppError `provider_unavailable`
 */
export async function payableTreasury(chain: Chain): Promise<{ treasury: string; account: string } | null> {
  if (chain.family !== 'solana') return null;
  const treasury = await treasuryOf(chain);
  return { treasury, account: tokenAccount(treasury, chain.usdc).address };
}

/** What a transaction brought there beside our fees. */
export function creditOf(chain: Chain, treasury: string, receipt: Receipt): TreasuryCredit | null {
  return chain.family === 'solana' && receipt.family === 'solana' ? treasuryCredit(chain, treasury, receipt) : null;
}

/** The key under which a move is made: the one before as long as that can still be used, so that only one of two can land. @throws AppError `provider_unavailable` */
export async function keyOfMove(chain: Chain, id: string, before: string | null): Promise<string> {
  if (chain.family !== 'solana') throw new Error(`nothing leaves a treasury on ${chain.name}`);
  const now = await chainTime(chain);
  if (before !== null && now - messageTimeOf(before as Bytes32) < KEY_SECONDS) return before;
  return moveKey(id, now);
}

export type TreasuryMove = { key: string; treasury: string; to: string; units: bigint };

/**
 * Whether a move has landed: the program remembers its key, in final slots. It may forget one after a day; the treasury’s transactions since then still
 * say it.
 * @throws AppError `provider_unavailable`
 */
export async function hasMoved(chain: Chain, move: TreasuryMove): Promise<boolean> {
  if (chain.family !== 'solana') return false;
  const key = move.key as Bytes32;
  const recall = await recallOnSolana(chain, await readTipTerms(chain), key, 'finalized');
  if (recall !== 'forgotten') return recall === 'processed';
  return (
    (await findPaidOnSolana(chain, treasuryTip(chain, { ...move, key, validUntil: 0n }), messageTimeOf(key))) !== null
  );
}

/** @param order whose address `to` is, where it is one. @throws AppError `provider_unavailable` */
export async function moveCall(chain: Chain, move: TreasuryMove, order: OrderAt | null): Promise<ChainCall> {
  if (chain.family !== 'solana') throw new Error(`nothing leaves a treasury on ${chain.name}`);
  const validUntil = (await chainTime(chain)) + VALID_SECONDS;
  const { units, instructions } = await treasuryMoveCall(
    chain,
    { ...move, key: move.key as Bytes32, validUntil },
    order,
  );
  return { to: chain.program.id, data: encodeInstructions(instructions), gas: BigInt(units) };
}
