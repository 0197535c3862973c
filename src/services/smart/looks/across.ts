// Legs over Across: the outcome of a deposit, as both chains have it in final blocks.
import { findDeposit, findFill, findRefunds, readFill } from '../../../chain/bridge/across.ts';
import type { Hash } from '../../../chain/rpc/client.ts';
import { agreedHead, blockTime } from '../../../chain/rpc/finality.ts';
import { evmChainOf } from '../../../context.ts';
import type { Tx } from '../../../db.ts';
import { type AcrossTerms, acrossIds, depositOf, legTerms } from '../../bridges/legTerms.ts';
import { lockKey } from '../../locks.ts';
import {
  CAME_BACK,
  type Found,
  type Leg,
  type Look,
  lookAtSigned,
  lookAtUnsigned,
  NOT_SENT,
  sweepSeen,
  WALLET_LATE_S,
} from './look.ts';

const REDIRECTED = 'Its payer had the bridge deliver it elsewhere.';

export async function lookAtAcross(look: Look, terms: AcrossTerms): Promise<Found> {
  const { ctx, leg, finals } = look;
  const [origin, destination] = [evmChainOf(ctx, leg.chain), evmChainOf(ctx, leg.payment.chain)];
  if (leg.status === 'prepared' && terms.by === 'signature') return lookAtUnsigned(look, terms.signedUntil);
  const { depositId, hash } = acrossIds(origin, terms);
  const final = await finals(destination);
  const fill = await readFill(destination, hash, final);
  if (fill.seen) await sweepSeen(look);
  if (fill.final) {
    const found = await findFill(destination, depositOf(terms), depositId, leg.destinationFrom, final.number);
    // Refunds of the order go to the payer of what this transaction brought: it has to be known.
    if (found === null) return null;
    if (found.isAsDeposited) return { action: 'arrive', patch: { destinationHash: found.hash } };
    return { action: 'refund', patch: { refundHash: found.hash, reason: REDIRECTED } };
  }
  if (final.time > terms.fillDeadline && !fill.seen) return lookAtUnfilled(look, terms, depositId);
  if (terms.by === 'signature' && leg.status === 'sent') return lookAtSigned(look, terms);
  return lookAtOwnDeposit(look, terms, depositId);
}

/** What the wallet sent by itself is found by its id, whether it was reported or not; a reorg takes it back. */
async function lookAtOwnDeposit(look: Look, { depositor }: AcrossTerms, depositId: bigint): Promise<Found> {
  const { ctx, leg } = look;
  const origin = evmChainOf(ctx, leg.chain);
  const originHash = await findDeposit(origin, { depositId, depositor }, leg.originFrom, await agreedHead(origin));
  if (originHash !== null && leg.status !== 'bridging') return { action: 'bridge', patch: { originHash } };
  if (originHash === null && leg.status === 'bridging') return { action: 'unbridge', patch: { originHash: null } };
  return null;
}

/** After the deadline nothing can be filled: a deposit comes back, and one that was not made never will be. */
async function lookAtUnfilled(look: Look, terms: AcrossTerms, depositId: bigint): Promise<Found> {
  const { ctx, leg, finals } = look;
  const origin = evmChainOf(ctx, leg.chain);
  const final = await finals(origin);
  const { depositor, inputToken: token } = depositOf(terms);
  const deposit = await findDeposit(origin, { depositId, depositor }, leg.originFrom, final.number);
  if (deposit === null) {
    const lastAt = { signature: terms.signedUntil, wallet: terms.quotedAt + WALLET_LATE_S, router: terms.fillDeadline }[
      terms.by
    ];
    return final.time > lastAt ? { action: 'fail', patch: { reason: NOT_SENT } } : null;
  }
  const refunds = await findRefunds(origin, { depositor, token }, leg.originFrom, final.number);
  for (const { txHash, amount, block } of refunds) {
    // One before the deadline returned another deposit of this wallet.
    if ((await blockTime(origin, block)) <= terms.fillDeadline) continue;
    const isOurs = (tx: Tx) => isUnclaimed(tx, leg, txHash, amount);
    const isOursStill = async (tx: Tx) => {
      await lockKey(tx, `refunds:${leg.chain}:${leg.payer}`);
      return isOurs(tx);
    };
    if (await isOurs(ctx.db))
      return {
        action: 'refund',
        patch: { originHash: deposit, refundHash: txHash, reason: CAME_BACK },
        within: isOursStill,
      };
  }
  return null;
}

/** One refund returns several deposits of a wallet: each is counted to one leg. */
async function isUnclaimed(tx: Tx, leg: Leg, refundHash: Hash, amount: bigint): Promise<boolean> {
  const others = await tx.smartLeg.findMany({
    where: { refundHash, payer: leg.payer, chain: leg.chain, id: { not: leg.id } },
    select: { terms: true },
  });
  const inputOf = (terms: unknown) => {
    const parsed = legTerms.parse(terms);
    return parsed.via === 'across' ? BigInt(parsed.input) : 0n;
  };
  const claimed = others.reduce((sum, { terms }) => sum + inputOf(terms), 0n);
  return claimed + inputOf(leg.terms) <= amount;
}
