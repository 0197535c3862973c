// Legs on the due chain itself: a transfer, by a signature or by the wallet.
import { findTransfers } from '../../../chain/bridge/direct.ts';
import type { Hash } from '../../../chain/rpc/client.ts';
import { evmChainOf } from '../../../context.ts';
import type { DirectTerms } from '../../bridges/legTerms.ts';
import { isFree, readLegCall } from '../submitting.ts';
import {
  type Found,
  isEnded,
  isReplaced,
  type Look,
  lookAtSigned,
  lookAtUnsigned,
  NOT_SENT,
  REFUSED,
  REPLACED,
  sweepSeen,
  WALLET_LATE_S,
} from './look.ts';

/** A wallet that sped its transfer up sent the same one again: it is found by what it did. */
async function lookAtReplaced({ ctx, leg, finals }: Look, terms: DirectTerms): Promise<Found> {
  const origin = evmChainOf(ctx, leg.chain);
  for (const originHash of await findTransfers(origin, terms, leg.originFrom, (await finals(origin)).number)) {
    const others = { chain: leg.chain, originHash, id: { not: leg.id } };
    if ((await ctx.db.smartLeg.count({ where: others })) > 0) continue;
    return {
      action: 'arrive',
      patch: { originHash, destinationHash: originHash },
      within: (tx) => isFree(tx, leg, originHash),
    };
  }
  return { action: 'fail', patch: { reason: REPLACED } };
}

/** A wallet's own transfer is followed by its hash. */
export async function lookAtDirect(look: Look, terms: DirectTerms): Promise<Found> {
  const { ctx, leg, finals } = look;
  const origin = evmChainOf(ctx, leg.chain);
  if (leg.status === 'prepared') {
    if (terms.by === 'signature') return lookAtUnsigned(look, terms.signedUntil);
    return ctx.clock.now() > leg.deadline.getTime() ? { action: 'fail', patch: { reason: NOT_SENT } } : null;
  }
  if (terms.by === 'signature') return lookAtSigned(look, terms);
  if (leg.originHash === null) return null;
  const originHash = leg.originHash as Hash;
  const found = await readLegCall(origin, leg, terms, originHash);
  if (found?.state !== 'mined' && found?.state !== 'failed') {
    if (leg.status === 'bridging') return { action: 'unbridge' };
    if (await isReplaced(look)) return lookAtReplaced(look, terms);
    return ctx.clock.now() > leg.deadline.getTime() + WALLET_LATE_S * 1_000
      ? { action: 'fail', patch: { reason: NOT_SENT } }
      : null;
  }
  if (found.state === 'mined') await sweepSeen(look);
  const isFinal = found.block <= (await finals(origin)).number && (await isEnded(look, terms, originHash, found.state));
  if (isFinal && found.state === 'failed') return { action: 'fail', patch: { reason: REFUSED } };
  if (isFinal) return { action: 'arrive', patch: { destinationHash: originHash } };
  return found.state === 'mined' && leg.status === 'sent' ? { action: 'bridge' } : null;
}
