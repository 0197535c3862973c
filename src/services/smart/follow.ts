// Follows what payers gave to bridges until it arrived or came back. Both chains say so, in final blocks. Of what Relay's API says, only a
// failure ends a leg.
import { findDeposit, findFill, findRefunds, readFill } from '../../chain/bridge/across.ts';
import { findAuthorization, findTransfers } from '../../chain/bridge/direct.ts';
import { type RelayState, relayState } from '../../chain/bridge/relay.ts';
import { receivedBy } from '../../chain/bridge/relayProof.ts';
import { type Address, type EvmChain, type Hash, headBlock, minedNonce } from '../../chain/rpc/client.ts';
import { blockTime, type FinalBlock, finalBlock } from '../../chain/rpc/finality.ts';
import { type Ctx, chainOf } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { BRIDGE_FAILURE, type LegAction } from '../../domain/smartLeg.ts';
import {
  type AcrossTerms,
  acrossIds,
  authorizationOf,
  type DirectTerms,
  depositOf,
  type LegTerms,
  legTerms,
  type RelayTerms,
} from '../bridges/legTerms.ts';
import { relayApi } from '../bridges/prices.ts';
import { lockKey } from '../locks.ts';
import { sweepDelivered } from '../orders/payments/sweeps.ts';
import { moveLeg } from './ending.ts';
import { readLegCall } from './submitting.ts';

/** Legs of one round. */
const PAGE = 200;
/** Between two looks at a leg, by how long ago it was written: at a young one as often as at its chain, at least twice a second. */
const YOUNG = { untilMs: 180_000, pauseMs: 500 };
const GROWN = { untilMs: 2_400_000, pauseMs: 5_000 };
const LONG_PAUSE_MS = 60_000;
/** Relay takes 200 calls a minute from all of us; its webhook makes a look come sooner. */
const RELAY_PAUSE_MS = 5_000;
/** How long a leg that its bridge gave up is looked at, once in LONG_PAUSE_MS. */
const GIVEN_UP_MS = 7 * 24 * 3_600_000;
/** Of a chain that does not answer. */
const AWAY_PAUSE_MS = 5_000;
/** The pool takes a wallet's deposit for so long after its quote. */
const WALLET_LATE_S = 3_600;

type Leg = Row<'SmartLeg'> & { payment: Row<'SmartPayment'> };
/** What a look found; null for nothing new. */
type Found = { action: LegAction; patch?: Parameters<typeof moveLeg>[4]; within?: (tx: Tx) => Promise<boolean> } | null;
type Look = { ctx: Ctx; leg: Leg; origin: EvmChain; destination: EvmChain; finals: Finals };
type Finals = (chain: EvmChain) => Promise<FinalBlock>;

/**
 * One look at every leg whose turn it is.
 * @returns how many are under way, also those whose turn it is not
 */
export async function followLegs(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now();
  const served = { chain: { in: Object.keys(ctx.chains) } };
  const under = { ...served, status: { in: ['prepared', 'sent', 'bridging'] } };
  // What a bridge gave up it may still give back.
  const givenUp = { ...served, status: 'failed', reason: BRIDGE_FAILURE, endedAt: { gt: new Date(now - GIVEN_UP_MS) } };
  const legs = await ctx.db.smartLeg.findMany({
    where: { OR: [under, givenUp], nextLookAt: { lte: new Date(now) } },
    include: { payment: true },
    orderBy: [{ nextLookAt: 'asc' }, { id: 'asc' }],
    take: PAGE,
  });
  const known = new Map<string, Promise<FinalBlock>>();
  const finals: Finals = (chain) => {
    const found = known.get(chain.name) ?? finalBlock(chain);
    known.set(chain.name, found);
    return found;
  };
  await Promise.all(legs.map((leg) => lookAtLeg(ctx, leg, finals)));
  if (legs.length > 0) return legs.length;
  const soon = new Date(now + AWAY_PAUSE_MS);
  return ctx.db.smartLeg.count({ where: { ...under, nextLookAt: { lte: soon } }, take: 1 });
}

async function lookAtLeg(ctx: Ctx, leg: Leg, finals: Finals): Promise<void> {
  let pauseMs = pauseOf(ctx, leg);
  try {
    const look: Look = {
      ctx,
      leg,
      origin: chainOf(ctx, leg.chain),
      destination: chainOf(ctx, leg.payment.chain),
      finals,
    };
    const terms = legTerms.parse(leg.terms);
    const found = await lookVia(look, terms);
    if (found)
      await ctx.db.$transaction(async (tx) => {
        if (found.within && !(await found.within(tx))) return;
        await moveLeg(ctx, tx, leg, found.action, found.patch);
      });
  } catch (err) {
    ctx.log.warn({ err, leg: leg.id, chain: leg.chain }, 'a leg could not be looked at; it is tried again');
    pauseMs = Math.max(pauseMs, AWAY_PAUSE_MS);
  }
  const nextLookAt = new Date(ctx.clock.now() + pauseMs);
  await ctx.db.smartLeg.updateMany({ where: { id: leg.id }, data: { nextLookAt } });
}

function pauseOf(ctx: Ctx, { status, via, createdAt, payment }: Leg): number {
  const ageMs = ctx.clock.now() - createdAt.getTime();
  if (status === 'failed' || ageMs >= GROWN.untilMs) return LONG_PAUSE_MS;
  if (ageMs >= YOUNG.untilMs) return GROWN.pauseMs;
  if (via === 'relay') return RELAY_PAUSE_MS;
  return Math.min(YOUNG.pauseMs, ctx.chains[payment.chain as ChainName]?.pollMs ?? YOUNG.pauseMs);
}

const NOT_SENT = 'It was not paid in time. Nothing left your wallet.';
const CAME_BACK = 'No one delivered it in time, so the bridge sent it back to your wallet.';
const REDIRECTED = 'Its payer had the bridge deliver it elsewhere.';
const REPLACED = 'Your wallet cancelled this transaction, or replaced it by another one.';
const REFUSED = 'The network rejected your wallet’s transaction.';

async function lookAtAcross(look: Look, terms: AcrossTerms): Promise<Found> {
  const { leg, origin, destination, finals } = look;
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

/** What was delivered to an order's address is swept at once: its turn among all addresses comes later. */
async function sweepSeen({ ctx, leg }: Look): Promise<void> {
  if (leg.payment.orderId !== null) await sweepDelivered(ctx, leg.payment.orderId);
}

function lookVia(look: Look, terms: LegTerms): Promise<Found> {
  if (terms.via === 'direct') return lookAtDirect(look, terms);
  return terms.via === 'relay' ? lookAtRelay(look, terms) : lookAtAcross(look, terms);
}

/** Relay says where to look, and the chains whether it is so. */
async function lookAtRelay(look: Look, terms: RelayTerms): Promise<Found> {
  const { ctx, leg, origin, destination, finals } = look;
  const state = await relayState(relayApi(ctx), terms.requestId);
  if (state.status === 'success') await sweepSeen(look);
  if (state.status === 'success')
    for (const destinationHash of state.outHashes) {
      const what = { account: terms.to, token: terms.outputToken };
      const got = await receivedBy(destination, destinationHash, what, await finals(destination));
      if (got !== null && got >= BigInt(terms.output)) return arrived(leg, destinationHash, state);
    }
  if (state.status === 'refund')
    for (const refundHash of state.outHashes)
      for (const [chain, token] of [
        [origin, terms.inputToken],
        [destination, terms.outputToken],
      ] as const) {
        const got = await receivedBy(chain, refundHash, { account: terms.from, token }, await finals(chain));
        if (got !== null && got > 0n)
          return { action: 'refund', patch: { refundHash, reason: CAME_BACK, ...originOf(leg, state) } };
      }
  if (leg.status === 'failed') return null;
  if (state.status === 'failure') return { action: 'fail', patch: { reason: BRIDGE_FAILURE, ...originOf(leg, state) } };
  return lookAtRelayOrigin(look, terms, state);
}

function arrived(leg: Leg, destinationHash: Hash, state: RelayState): Found {
  return { action: 'arrive', patch: { destinationHash, ...originOf(leg, state) } };
}

function originOf({ originHash }: Leg, { inHashes: [found] }: RelayState): { originHash?: string } {
  return originHash === null && found !== undefined ? { originHash: found.toLowerCase() } : {};
}

async function lookAtRelayOrigin(look: Look, terms: RelayTerms, state: RelayState): Promise<Found> {
  const { ctx, leg, origin, finals } = look;
  const originHash = (leg.originHash ?? state.inHashes[0] ?? null) as Hash | null;
  const found = originHash === null ? null : await readLegCall(origin, leg, terms, originHash);
  if (found?.state === 'failed' && found.block <= (await finals(origin)).number)
    return { action: 'fail', patch: { reason: REFUSED } };
  if (found?.state === 'mined' && leg.status !== 'bridging') return { action: 'bridge', patch: { originHash } };
  if (found === null && leg.status === 'bridging') return { action: 'unbridge' };
  if (found === null && state.status === 'waiting' && (await isReplaced(look)))
    return { action: 'fail', patch: { reason: REPLACED } };
  const isOver = ctx.clock.now() > leg.deadline.getTime() + WALLET_LATE_S * 1_000;
  return isOver && state.status === 'waiting' && found?.state !== 'mined'
    ? { action: 'fail', patch: { reason: NOT_SENT } }
    : null;
}

/** Only the payer has the signature, and it was not given. */
async function lookAtUnsigned({ ctx }: Look, signedUntil: number): Promise<Found> {
  return ctx.clock.now() > signedUntil * 1_000 ? { action: 'fail', patch: { reason: NOT_SENT } } : null;
}

/** What the wallet sent by itself is found by its id, whether it was reported or not; a reorg takes it back. */
async function lookAtOwnDeposit(look: Look, { depositor }: AcrossTerms, depositId: bigint): Promise<Found> {
  const { leg, origin } = look;
  const originHash = await findDeposit(origin, { depositId, depositor }, leg.originFrom, await headBlock(origin));
  if (originHash !== null && leg.status !== 'bridging') return { action: 'bridge', patch: { originHash } };
  if (originHash === null && leg.status === 'bridging') return { action: 'unbridge', patch: { originHash: null } };
  return null;
}

/** After the deadline nothing can be filled: a deposit comes back, and one that was not made never will be. */
async function lookAtUnfilled(look: Look, terms: AcrossTerms, depositId: bigint): Promise<Found> {
  const { leg, origin, finals } = look;
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
    if (await isOurs(look.ctx.db))
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

/**
 * What was signed is sent by an executor, and its transaction moves the leg (see legKind). Once the signature has expired, the token tells whether it was
 * used, also by a transaction of another sender.
 */
async function lookAtSigned({ ctx, leg, origin, finals }: Look, terms: AcrossTerms | DirectTerms): Promise<Found> {
  const isDirect = terms.via === 'direct';
  if (ctx.clock.now() < terms.signedUntil * 1_000 && !(isDirect && leg.status === 'bridging')) return null;
  const { number, time } = await finals(origin);
  const used = await findAuthorization(origin, authorizationOf(origin, terms), leg.originFrom, number);
  if (used === null) return time > terms.signedUntil ? { action: 'fail', patch: { reason: NOT_SENT } } : null;
  if (isDirect) return { action: 'arrive', patch: { originHash: used, destinationHash: used } };
  return { action: 'bridge', patch: { originHash: used } };
}

/** The chain has used the nonce of the wallet's transaction, final, for another one. */
async function isReplaced({ leg, origin, finals }: Look): Promise<boolean> {
  if (leg.originNonce === null) return false;
  return (await minedNonce(origin, leg.payer as Address, (await finals(origin)).number)) > leg.originNonce;
}

/** A wallet that sped its transfer up sent the same one again: it is found by what it did. */
async function lookAtReplaced({ ctx, leg, origin, finals }: Look, terms: DirectTerms): Promise<Found> {
  for (const originHash of await findTransfers(origin, terms, leg.originFrom, (await finals(origin)).number)) {
    const isFree = async (tx: Tx) =>
      (await tx.smartLeg.count({ where: { chain: leg.chain, originHash, id: { not: leg.id } } })) === 0;
    // Two equal transfers are each counted to one leg.
    const isFreeStill = async (tx: Tx) => {
      await lockKey(tx, `transfers:${leg.chain}:${leg.payer}`);
      return isFree(tx);
    };
    if (await isFree(ctx.db))
      return { action: 'arrive', patch: { originHash, destinationHash: originHash }, within: isFreeStill };
  }
  return { action: 'fail', patch: { reason: REPLACED } };
}

/** A wallet's own transfer is followed by its hash. */
async function lookAtDirect(look: Look, terms: DirectTerms): Promise<Found> {
  const { ctx, leg, origin, finals } = look;
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
  const isFinal = found.block <= (await finals(origin)).number;
  if (isFinal && found.state === 'failed') return { action: 'fail', patch: { reason: REFUSED } };
  if (isFinal) return { action: 'arrive', patch: { destinationHash: originHash } };
  return found.state === 'mined' && leg.status === 'sent' ? { action: 'bridge' } : null;
}
