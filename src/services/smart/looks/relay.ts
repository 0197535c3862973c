// Legs over Relay: its API says where to look, and the chains whether it is so. Of what it says by itself, only a failure ends a leg.
import { type RelayState, relayState } from '../../../chain/bridge/relay.ts';
import { receivedBy } from '../../../chain/bridge/relayProof.ts';
import type { Hash } from '../../../chain/rpc/client.ts';
import { evmChainOf } from '../../../context.ts';
import { BRIDGE_FAILURE } from '../../../domain/smartLeg.ts';
import type { RelayTerms } from '../../bridges/legTerms.ts';
import { relayApi } from '../../bridges/prices.ts';
import { readLegCall } from '../submitting.ts';
import {
  CAME_BACK,
  type Found,
  isEnded,
  isReplaced,
  type Leg,
  type Look,
  lookAtWhole,
  NOT_SENT,
  REFUSED,
  REPLACED,
  sweepSeen,
  WALLET_LATE_S,
} from './look.ts';

export async function lookAtRelay(look: Look, terms: RelayTerms): Promise<Found> {
  const { ctx, leg, origin, destination, finals } = look;
  const state = await relayState(relayApi(ctx), terms.requestId);
  if (state.status === 'success') await sweepSeen(look);
  if (state.status === 'success')
    for (const destinationHash of state.outHashes) {
      const what = { account: terms.to, token: terms.outputToken };
      const got = await receivedBy(destination, destinationHash, what, await finals(destination));
      if (got !== null && got >= BigInt(terms.output))
        return { action: 'arrive', patch: { destinationHash, ...originOf(leg, terms, state) } };
    }
  if (state.status === 'refund')
    for (const refundHash of state.outHashes)
      for (const [chain, token] of [
        [origin, terms.inputToken],
        [destination, terms.outputToken],
      ] as const) {
        const got = await receivedBy(chain, refundHash, { account: terms.from, token }, await finals(chain));
        if (got !== null && got > 0n)
          return { action: 'refund', patch: { refundHash, reason: CAME_BACK, ...originOf(leg, terms, state) } };
      }
  if (leg.status === 'failed') return null;
  if (state.status === 'failure')
    return { action: 'fail', patch: { reason: BRIDGE_FAILURE, ...originOf(leg, terms, state) } };
  return terms.by === 'transaction' ? lookAtWhole(look, terms) : lookAtRelayOrigin(look, terms, state);
}

/** Which transaction gave the money, where the wallet that sent it did not say so. */
function originOf({ originHash }: Leg, { by }: RelayTerms, { inHashes: [found] }: RelayState): { originHash?: string } {
  return by === 'wallet' && originHash === null && found !== undefined ? { originHash: found.toLowerCase() } : {};
}

async function lookAtRelayOrigin(
  look: Look,
  terms: Extract<RelayTerms, { by: 'wallet' }>,
  state: RelayState,
): Promise<Found> {
  const { ctx, leg, finals } = look;
  const origin = evmChainOf(ctx, leg.chain);
  const originHash = (leg.originHash ?? state.inHashes[0] ?? null) as Hash | null;
  const found = originHash === null ? null : await readLegCall(origin, leg, terms, originHash);
  if (originHash !== null && found?.state === 'failed' && found.block <= (await finals(origin)).number)
    return (await isEnded(look, terms, originHash, 'failed')) ? { action: 'fail', patch: { reason: REFUSED } } : null;
  if (found?.state === 'mined' && leg.status !== 'bridging') return { action: 'bridge', patch: { originHash } };
  if (found === null && leg.status === 'bridging') return { action: 'unbridge' };
  if (found === null && state.status === 'waiting' && (await isReplaced(look)))
    return { action: 'fail', patch: { reason: REPLACED } };
  const isOver = ctx.clock.now() > leg.deadline.getTime() + WALLET_LATE_S * 1_000;
  return isOver && state.status === 'waiting' && found?.state !== 'mined'
    ? { action: 'fail', patch: { reason: NOT_SENT } }
    : null;
}
