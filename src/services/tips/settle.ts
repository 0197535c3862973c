// Settling: takes the legs of a chain that are ready, proves each against the newest block, and hands them to the executor as one transaction.

import type { Chain } from '../../chain/chain.ts';
import { simulateTips, type Tip, type TipCall, type TipTerms, tipTerms } from '../../chain/tips.ts';
import type { Ctx } from '../../context.ts';
import { type Json, type Row, sqlList, type Tx } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { AppError, isAway } from '../../domain/errors.ts';
import { type Refusal, refusalOfRevert } from '../../domain/plan.ts';
import { enqueue } from '../../queues.ts';
import { legsWithoutRight } from '../accounts/connections.ts';
import { leaseTime } from '../leaseTime.ts';
import { lockSenders } from '../locks.ts';
import { workingExecutor } from '../outgoing/keys.ts';
import { submit } from '../outgoing/submit.ts';
import { pausedHandles } from '../spending/pauses.ts';
import { transition, transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import { followLegs } from './escrowTips.ts';
import { bumpIntentReplies } from './intentReplies.ts';
import { findPaid, tipOf } from './legs.ts';
import { noteReceived } from './receivedNotices.ts';
import { closeIntents } from './settlement.ts';
import { tellSlow } from './slowChains.ts';

const LEGS_PER_TRANSACTION = 20;
/** A crash while legs are being proven gives them back after this time. */
const LEASE_MS = 5_000;
/** A leg this close to its deadline is no longer sent: it would fail on-chain. */
const LAST_CALL_MS = 10_000;
const RETRY_MS = 1_000;

/** Asks for a settling run, inside the transaction that made legs ready. Runs of one tenth of a second are one job. */
export async function requestSettle(ctx: Ctx, tx: Tx, chain: string): Promise<void> {
  const now = ctx.clock.now();
  await enqueue(
    tx,
    'settle',
    `settle-${chain}-${Math.floor(now / 100)}-${process.pid}`,
    { chain: chain as ChainName },
    now,
  );
}

/**
 * Sends everything that is ready on a chain, up to twenty legs a transaction. Safe to run anywhere, any number of times.
 * @returns how many legs were signed
 */
export async function settleChain(ctx: Ctx, chainName: string): Promise<number> {
  const chain = ctx.chains[chainName as ChainName];
  if (!chain) return holdRefused(ctx, chainName);
  let signed = 0;
  for (;;) {
    const legs = await claimLegs(ctx, chain);
    if (legs.length === 0) return signed;
    try {
      const terms = await tipTerms(chain);
      for (const pack of await proveLegs(ctx, chain, terms, legs)) {
        await sendLegs(ctx, chain, terms, pack);
        signed += pack.length;
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'state_conflict') {
        await holdLegs(ctx, legs, 0);
        continue;
      }
      ctx.log.warn({ err: error, chain: chain.name, legs: legs.length }, 'legs wait for the chain');
      await holdLegs(ctx, legs, RETRY_MS);
      await tellSlow(ctx, chain, 'does not answer', intentsOf(legs));
      return signed;
    }
  }
}

/** A sender on a chain that is not served gets the notice that the payment is under way; the router is queried for its outcome when it is back. */
async function holdRefused(ctx: Ctx, chain: string): Promise<number> {
  const legs = await ctx.db.tip.findMany({ where: { chain, status: 'ready' }, orderBy: { id: 'asc' }, take: 200 });
  if (legs.length > 0) await sayUnderWay(ctx, legs);
  return 0;
}

/** Takes legs that wait, so that no other process signs for them meanwhile. */
export async function claimLegs(ctx: Ctx, chain: Chain): Promise<Row<'Tip'>[]> {
  const ids = await ctx.db.$queryRaw<{ id: string }[]>`
    update tip set lease_until = ${leaseTime(ctx, LEASE_MS)} where id in (
      select id from tip where chain = ${chain.name} and status = 'ready' and (lease_until is null or lease_until <= ${leaseTime(ctx)})
      order by id limit ${LEGS_PER_TRANSACTION} for update skip locked)
    returning id`;
  if (ids.length === 0) return [];
  return ctx.db.tip.findMany({
    where: { id: { in: ids.map((row) => row.id) }, status: 'ready' },
    orderBy: { id: 'asc' },
  });
}

/** Notifies the sender once: the first version of the reply says that the payment is on its way. */
async function sayUnderWay(ctx: Ctx, legs: Row<'Tip'>[]): Promise<void> {
  const intentIds = intentsOf(legs);
  const told = await ctx.db.reply.findMany({
    where: { key: { in: intentIds.map((id) => `intent:${id}`) } },
    select: { key: true },
  });
  const keys = new Set(told.map((reply) => reply.key));
  const untold = intentIds.filter((id) => !keys.has(`intent:${id}`));
  if (untold.length === 0) return;
  await ctx.db.$transaction((tx) => bumpIntentReplies(ctx, tx, untold));
  await ctx.queues.flush(ctx.db);
}

function intentsOf(legs: Row<'Tip'>[]): string[] {
  return [...new Set(legs.map((leg) => leg.intentId))];
}

async function holdLegs(ctx: Ctx, legs: Row<'Tip'>[], forMs: number): Promise<void> {
  if (forMs > 0) await sayUnderWay(ctx, legs);
  if (legs.length === 0) return;
  await ctx.db.$transaction(async (tx) => {
    await tx.$executeRaw`
      update tip set lease_until = ${leaseTime(ctx, forMs)}
      where id in (${sqlList(legs.map((leg) => leg.id))}) and status = 'ready'`;
    if (forMs > 0) await wake(tx, 'retries');
  });
}

/** A leg with its words of the chain. */
type Proven = Tip & { row: Row<'Tip'> };
/** What a proof needs to know. */
type Prover = { terms: TipTerms; executor: string };

/**
 * Plays the legs before they are signed; those that the router would refuse end here. A leg that gives no clear answer waits by itself.
 * @returns what is sent, a transaction each
 */
async function proveLegs(ctx: Ctx, chain: Chain, terms: TipTerms, legs: Row<'Tip'>[]): Promise<Proven[][]> {
  const prover = { terms, executor: await workingExecutor(ctx, chain) };
  const candidates = await allowedLegs(ctx, chain, terms, legs);
  if (!terms.isAtomic) return terms.pack(await proveEach(ctx, chain, prover, candidates));
  const packs: Proven[][] = [];
  for (const pack of terms.pack(candidates)) {
    const isGood = pack.length > 1 && (await simulateTips(chain, prover.executor, terms.call(pack))) === null;
    // Where one would take the others with it, each goes alone.
    if (isGood) packs.push(pack);
    else for (const leg of await proveEach(ctx, chain, prover, pack)) packs.push([leg]);
  }
  return packs;
}

/** Those that our own rows have nothing against. */
async function allowedLegs(ctx: Ctx, chain: Chain, terms: TipTerms, legs: Row<'Tip'>[]): Promise<Proven[]> {
  const paused = await pausedHandles(
    ctx.db,
    legs.map((leg) => leg.senderHandleId),
    chain.name,
  );
  const withoutRight = await legsWithoutRight(
    ctx.db,
    legs.map((leg) => leg.id),
  );
  const allowed: Proven[] = [];
  for (const row of legs) {
    const refusal = ownRefusal(ctx, row, paused, withoutRight);
    if (refusal) await refuseLeg(ctx, chain, terms, row, refusal);
    else if (encodableCall(ctx, terms, row)) allowed.push({ ...tipOf(row), row });
    else await failLeg(ctx, row, { code: 'plan_failed' });
  }
  return allowed;
}

/** Rows of a restored copy may not know that it was paid: the chain is queried before a leg is reported as not sent. */
async function refuseLeg(ctx: Ctx, chain: Chain, terms: TipTerms, leg: Row<'Tip'>, refusal: Refusal): Promise<void> {
  try {
    const mayBePaid = (await terms.recall(tipOf(leg).messageKey)) !== 'unknown';
    const found = mayBePaid ? await findPaid(ctx, chain, leg) : null;
    if (found === null) await failLeg(ctx, leg, refusal);
    else await adoptLeg(ctx, leg, found);
  } catch (err) {
    await delayLeg(ctx, chain, leg, err);
  }
}

/** Plays each leg alone. @returns those that may be sent */
async function proveEach(ctx: Ctx, chain: Chain, prover: Prover, legs: readonly Proven[]): Promise<Proven[]> {
  const verdicts = await Promise.allSettled(legs.map((leg) => proveLeg(chain, prover, leg)));
  const good: Proven[] = [];
  for (const [index, verdict] of verdicts.entries()) {
    const leg = legs[index];
    if (!leg) continue;
    if (verdict.status === 'rejected') await delayLeg(ctx, chain, leg.row, verdict.reason);
    else if (verdict.value === 'good') good.push(leg);
    else if (verdict.value === 'processed') await adoptProcessed(ctx, chain, prover.terms, leg.row);
    else await failLeg(ctx, leg.row, verdict.value);
  }
  return good;
}

async function proveLeg(
  chain: Chain,
  { terms, executor }: Prover,
  leg: Proven,
): Promise<'good' | 'processed' | Refusal> {
  const reason = await simulateTips(chain, executor, terms.call([leg]));
  if (reason === null) return 'good';
  if (reason.name === 'AlreadyProcessed') return 'processed';
  // That is about our key, not about this leg.
  if (reason.name === 'NotExecutor')
    throw new AppError('provider_unavailable', `an executor key has no role on ${chain.facts.label}`);
  // The chain's clock is behind.
  if (reason.name === 'MessageAhead')
    throw new AppError('provider_unavailable', `the clock of ${chain.facts.label} is behind`);
  return refusalOfRevert(reason, chain.facts.label);
}

/** Null for a leg that no call can carry, today or later: it was never signed, so it ends here. */
function encodableCall(ctx: Ctx, terms: TipTerms, leg: Row<'Tip'>): TipCall | null {
  try {
    return terms.call([tipOf(leg)]);
  } catch (err) {
    ctx.log.error({ err, tip: leg.id, chain: leg.chain }, 'a leg cannot be encoded; it is failed');
    return null;
  }
}

/** The refusal of a leg by our own rows, before its chain is queried. */
function ownRefusal(ctx: Ctx, leg: Row<'Tip'>, paused: Set<string>, withoutRight: Set<string>): Refusal | null {
  if (leg.validUntil.getTime() - LAST_CALL_MS <= ctx.clock.now()) return { code: 'expired' };
  if (paused.has(leg.senderHandleId)) return { code: 'sender_paused' };
  return withoutRight.has(leg.id) ? { code: 'sender_disconnected' } : null;
}

/** Puts a leg off, and says in the chat that it is on its way when nothing was said yet. */
async function delayLeg(ctx: Ctx, chain: Chain, leg: Row<'Tip'>, err: unknown): Promise<void> {
  ctx.log.warn({ err, tip: leg.id, chain: leg.chain }, 'a leg waits');
  await holdLegs(ctx, [leg], RETRY_MS);
  if (isAway(err)) await tellSlow(ctx, chain, 'does not answer', intentsOf([leg]));
}

async function failLeg(ctx: Ctx, leg: Row<'Tip'>, refusal: Refusal): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    if (!(await transitionOne(ctx, tx, 'tip', leg.id, 'fail', { failure: refusal as Json }))) return;
    await followLegs(ctx, tx, [{ id: leg.id, paid: false, txHash: null }]);
    await closeIntents(ctx, tx, [leg.intentId]);
  });
  await ctx.queues.flush(ctx.db);
}

/** The chain knows this key already, though our rows do not (a restored database): it has the last word, so its event is taken over. */
async function adoptProcessed(ctx: Ctx, chain: Chain, terms: TipTerms, leg: Row<'Tip'>): Promise<void> {
  if ((await terms.recall(tipOf(leg).messageKey)) !== 'processed') return;
  const found = await findPaid(ctx, chain, leg);
  if (found) return adoptLeg(ctx, leg, found);
  ctx.log.error(
    { tip: leg.id, chain: chain.name },
    'a message key is used on-chain by other terms; the leg is failed, look at it',
  );
  return failLeg(ctx, leg, { code: 'chain_refused', reason: 'AlreadyProcessed', chain: chain.facts.label });
}

async function adoptLeg(ctx: Ctx, leg: Row<'Tip'>, found: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    const moved = await transitionOne(ctx, tx, 'tip', leg.id, 'adopt', {
      txHash: found,
      settledAt: new Date(ctx.clock.now()),
    });
    if (!moved) return;
    await followLegs(ctx, tx, [{ id: leg.id, paid: true, txHash: found }]);
    await closeIntents(ctx, tx, [leg.intentId]);
    await noteReceived(ctx, tx, [leg.id]);
  });
  await ctx.queues.flush(ctx.db);
}

async function sendLegs(ctx: Ctx, chain: Chain, terms: TipTerms, pack: Proven[]): Promise<void> {
  const legs = pack.map(({ row }) => row);
  const call = { subjectId: legs[0]?.id ?? '', ...terms.call(pack) };
  const senders = [...new Set(legs.map((leg) => leg.senderHandleId))];
  await submit(ctx, chain, call, async (tx, outgoingTxId) => {
    // A pause, or a disconnect, either waits for us here or is seen: nothing is signed after it was said.
    await lockSenders(tx, senders);
    if ((await pausedHandles(tx, senders, chain.name)).size > 0)
      throw new AppError('state_conflict', 'a sender paused meanwhile');
    const ids = legs.map((leg) => leg.id);
    if ((await legsWithoutRight(tx, ids)).size > 0)
      throw new AppError('state_conflict', 'a sender disconnected meanwhile');
    const moved = await transition(
      ctx,
      tx,
      'tip',
      ids.map((id) => ({ id, action: 'submit', patch: { outgoingTxId, leaseUntil: null } })),
    );
    if (moved.size < legs.length) throw new AppError('state_conflict', 'a leg was taken by another run');
  });
}
