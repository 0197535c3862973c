// Settling: takes the legs of a chain that are ready, proves each against the newest block, and hands them to the executor as one transaction.
import { encodeTips, findSettled, gasForTips, isProcessed, type RouterTip, simulateTip } from '../chain/botRouter.ts';
import type { Address, EvmChain, Hex } from '../chain/evm.ts';
import type { Ctx } from '../context.ts';
import { chainOf } from '../context.ts';
import type { Json, Row, Tx } from '../db.ts';
import type { ChainName } from '../domain/chains.ts';
import { AppError } from '../domain/errors.ts';
import { type Refusal, refusalOfRevert } from '../domain/plan.ts';
import { enqueue } from '../queues.ts';
import { advanceTip } from './advance.ts';
import { submitCall } from './executor.ts';
import { closeIntent } from './receipts.ts';

const LEGS_PER_TRANSACTION = 20;
/** A crash while legs are being proven gives them back after this time. */
const LEASE_MS = 5_000;
/** A leg this close to its end is not sent any more: it would fail on-chain. */
const LAST_CALL_MS = 10_000;

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
  const chain = chainOf(ctx, chainName);
  let signed = 0;
  for (;;) {
    const legs = await claimLegs(ctx, chain);
    if (legs.length === 0) return signed;
    try {
      const good = await proveLegs(ctx, chain, legs);
      if (good.length > 0) await sendLegs(ctx, chain, good);
      signed += good.length;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'state_conflict') continue;
      ctx.log.warn({ err: error, chain: chain.name, legs: legs.length }, 'legs wait for the chain');
      await holdLegs(ctx, legs, 1_000);
      return signed;
    }
  }
}

async function claimLegs(ctx: Ctx, chain: EvmChain): Promise<Row<'Tip'>[]> {
  const now = new Date(ctx.clock.now());
  const until = new Date(ctx.clock.now() + LEASE_MS);
  const ids = await ctx.db.$queryRaw<{ id: string }[]>`
    update tip set lease_until = ${until} where id in (
      select id from tip where chain = ${chain.name} and status = 'ready' and (lease_until is null or lease_until <= ${now})
      order by id limit ${LEGS_PER_TRANSACTION} for update skip locked)
    returning id`;
  return ctx.db.tip.findMany({
    where: { id: { in: ids.map((row) => row.id) }, status: 'ready' },
    orderBy: { id: 'asc' },
  });
}

async function holdLegs(ctx: Ctx, legs: Row<'Tip'>[], forMs: number): Promise<void> {
  const until = new Date(ctx.clock.now() + forMs);
  await ctx.db.tip.updateMany({
    where: { id: { in: legs.map((leg) => leg.id) }, status: 'ready' },
    data: { leaseUntil: until },
  });
}

/** Plays every leg alone; those that the router would refuse end here, before a nonce is spent on them. */
async function proveLegs(ctx: Ctx, chain: EvmChain, legs: Row<'Tip'>[]): Promise<Row<'Tip'>[]> {
  const executor = ctx.executors[0];
  if (!executor) throw new AppError('provider_unavailable', 'no executor key is configured');
  const now = ctx.clock.now();
  const verdicts = await Promise.all(
    legs.map(async (leg) => {
      if (leg.validUntil.getTime() - LAST_CALL_MS <= now)
        return { leg, refusal: { code: 'expired' } satisfies Refusal };
      const reason = await simulateTip(chain, executor.address, routerTip(leg));
      if (reason === null) return { leg, refusal: null };
      if (reason.name === 'AlreadyProcessed') return { leg, refusal: null, processed: true };
      return { leg, refusal: refusalOfRevert(reason, chain.facts.label) };
    }),
  );
  const good: Row<'Tip'>[] = [];
  for (const { leg, refusal, processed } of verdicts) {
    if (processed) await adoptLeg(ctx, chain, leg);
    else if (refusal) await failLeg(ctx, leg, refusal);
    else good.push(leg);
  }
  return good;
}

async function failLeg(ctx: Ctx, leg: Row<'Tip'>, refusal: Refusal): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    if (await advanceTip(ctx, tx, leg.id, 'fail', { failure: refusal as Json }))
      await closeIntent(ctx, tx, leg.intentId);
  });
  await ctx.queues.flush(ctx.db);
}

/** The router knows this key already, though our rows do not (a restored database): the chain has the last word, so its event is taken over. */
async function adoptLeg(ctx: Ctx, chain: EvmChain, leg: Row<'Tip'>): Promise<void> {
  if (!(await isProcessed(chain, leg.messageKey as Hex))) return;
  const since = Math.max(0, ctx.clock.now() - leg.createdAt.getTime()) + 3_600_000;
  const found = await findSettled(chain, routerTip(leg), BigInt(Math.ceil(since / chain.facts.blockTimeMs)));
  if (!found) {
    ctx.log.error(
      { tip: leg.id, chain: chain.name },
      'a message key is used on-chain by other terms; the leg is failed, look at it',
    );
    return failLeg(ctx, leg, { code: 'chain_refused', reason: 'AlreadyProcessed', chain: chain.facts.label });
  }
  await ctx.db.$transaction(async (tx) => {
    const moved = await advanceTip(ctx, tx, leg.id, 'adopt', { txHash: found, settledAt: new Date(ctx.clock.now()) });
    if (moved) await closeIntent(ctx, tx, leg.intentId);
  });
  await ctx.queues.flush(ctx.db);
}

async function sendLegs(ctx: Ctx, chain: EvmChain, legs: Row<'Tip'>[]): Promise<void> {
  const call = {
    kind: 'tips' as const,
    businessKey: `tips:${legs[0]?.id}`,
    data: encodeTips(legs.map(routerTip)),
    gas: gasForTips(legs.length),
  };
  await submitCall(ctx, chain, call, async (tx, outgoingTxId) => {
    for (const leg of legs) {
      const moved = await advanceTip(ctx, tx, leg.id, 'submit', { outgoingTxId, leaseUntil: null });
      if (!moved) throw new AppError('state_conflict', `leg ${leg.id} was taken by another run`);
    }
  });
}

/** A frozen leg as the router takes it. */
export function routerTip(leg: Row<'Tip'>): RouterTip {
  return {
    messageKey: leg.messageKey as Hex,
    sender: leg.senderAddress as Address,
    recipient: leg.recipientAddress as Address,
    token: leg.token as Address,
    amount: BigInt(leg.units.toFixed(0)),
    fee: BigInt(leg.feeUnits.toFixed(0)),
    validUntil: BigInt(Math.floor(leg.validUntil.getTime() / 1000)),
  };
}
