// An accepted intent on its way to legs that may be signed: planned, asked about where there is doubt, capped, frozen.
import type { Ctx } from '../context.ts';
import { newId } from '../context.ts';
import type { Json, Row, Tx } from '../db.ts';
import { AppError } from '../domain/errors.ts';
import { CONFIRMATION_TTL_MS, TIP_VALIDITY_MS } from '../domain/limits.ts';
import { legKey } from '../domain/messageKey.ts';
import { formatUnits, formatUsd } from '../domain/money.ts';
import { planFingerprint, planTotalUsd, type Refusal } from '../domain/plan.ts';
import { enqueue } from '../queues.ts';
import { advanceIntent } from './advance.ts';
import { maySpend } from './connections.ts';
import { lockSender, pausedHandles } from './pauses.ts';
import { type Plan, planIntent } from './plan.ts';
import { askWithButtons, bumpIntentReply, refuseIntentReplies } from './replies.ts';
import { requestSettle } from './settle.ts';
import { spentLast24h } from './spending.ts';

/** What an intent's `detail` holds, by status: the shown plan while asking, the refusal when refused, what was left out when routed. */
export type IntentDetail = {
  refusal?: Refusal;
  plan?: ReturnType<typeof describePlan>;
  fingerprint?: string;
  doubts?: string[];
  refused?: Plan['refused'];
  waitingFor?: string;
};

/**
 * Takes an accepted intent one step further. Safe to call any number of times, at once or after a crash.
 */
export async function prepareIntent(ctx: Ctx, intentId: string): Promise<void> {
  const intent = await ctx.db.intent.findUnique({ where: { id: intentId } });
  if (intent?.status !== 'accepted') return;
  if (ctx.clock.now() >= intent.validUntil.getTime()) return refuse(ctx, intent, { code: 'expired' });
  try {
    const answer = await planIntent(ctx, intent);
    if ('refusal' in answer) return await refuse(ctx, intent, answer.refusal);
    await commitPlan(ctx, intent, answer.plan);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'provider_unavailable')) throw error;
    await waitForChain(ctx, intent, error);
  }
  await ctx.queues.flush(ctx.db);
}

async function commitPlan(ctx: Ctx, intent: Row<'Intent'>, plan: Plan): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockSender(tx, plan.sender.handleId);
    // A pause, or a disconnect, may have come since the plan was made.
    for (const chain of new Set(plan.legs.map((leg) => leg.chain))) {
      const paused = await pausedHandles(tx, [plan.sender.handleId], chain);
      if (paused.size > 0) return refuseInTx(ctx, tx, intent, { code: 'sender_paused' });
    }
    if (!(await maySpend(tx, intent.platform, intent.senderId, plan.sender.handleId)))
      return refuseInTx(ctx, tx, intent, { code: 'sender_disconnected' });
    const overDay = await dayCapRefusal(ctx, tx, plan);
    if (overDay) return refuseInTx(ctx, tx, intent, overDay);
    const fingerprint = planFingerprint(plan.legs);
    const detail: IntentDetail = { plan: describePlan(plan), fingerprint, doubts: plan.doubts, refused: plan.refused };
    const shown = (intent.detail as IntentDetail | null)?.fingerprint;
    const confirmed = intent.confirmedAt !== null && shown === fingerprint;
    if (plan.doubts.length > 0 && !confirmed) {
      const lapsesAt = new Date(ctx.clock.now() + CONFIRMATION_TTL_MS);
      const asked = await advanceIntent(ctx, tx, intent.id, 'ask', { detail: detail as Json, nextAttemptAt: lapsesAt });
      if (asked) await askWithButtons(ctx, tx, intent, lapsesAt);
      return;
    }
    if (
      await advanceIntent(ctx, tx, intent.id, 'route', { detail: detail as Json, senderHandleId: plan.sender.handleId })
    ) {
      await freezeLegs(ctx, tx, intent, plan);
    }
  });
}

async function freezeLegs(ctx: Ctx, tx: Tx, intent: Row<'Intent'>, plan: Plan): Promise<void> {
  const now = new Date(ctx.clock.now());
  await tx.tip.createMany({
    data: plan.legs.map((leg) => ({
      id: newId(ctx, 'tip'),
      intentId: intent.id,
      leg: leg.leg,
      messageKey: legKey(ctx.env.MESSAGE_EPOCH, intent.inboxKey, leg.leg),
      chain: leg.chain,
      senderHandleId: plan.sender.handleId,
      senderAddress: plan.sender.address,
      recipientHandleId: leg.recipientHandleId,
      recipientAddress: leg.recipientAddress,
      recipientLabel: leg.recipientLabel,
      asset: leg.asset,
      token: leg.token,
      decimals: leg.decimals,
      units: leg.units.toString(),
      feeUnits: leg.feeUnits.toString(),
      usdMicros: leg.usd + leg.feeUsd,
      validUntil: intent.validUntil,
      status: 'ready',
      createdAt: now,
    })),
  });
  for (const chain of new Set(plan.legs.map((leg) => leg.chain))) await requestSettle(ctx, tx, chain);
}

/** The plan as it is shown before money moves: figures as decimal strings. */
function describePlan(plan: Plan) {
  return plan.legs.map((leg) => ({
    label: leg.recipientLabel,
    amount: formatUnits(leg.units, leg.decimals),
    fee: formatUnits(leg.feeUnits, leg.decimals),
    asset: leg.asset,
    chain: leg.chainLabel,
  }));
}

async function dayCapRefusal(ctx: Ctx, tx: Tx, plan: Plan): Promise<Refusal | null> {
  const handle = await tx.handle.findUniqueOrThrow({ where: { id: plan.sender.handleId } });
  const used = await spentLast24h(tx, handle.id, ctx.clock.now());
  const total = planTotalUsd(plan.legs);
  if (used + total <= handle.dayCapMicros) return null;
  const left = handle.dayCapMicros > used ? handle.dayCapMicros - used : 0n;
  return {
    code: 'day_cap',
    cap: formatUsd(handle.dayCapMicros),
    total: formatUsd(total),
    left: formatUsd(left),
  };
}

async function refuse(ctx: Ctx, intent: Row<'Intent'>, refusal: Refusal): Promise<void> {
  await ctx.db.$transaction((tx) => refuseInTx(ctx, tx, intent, refusal));
  await ctx.queues.flush(ctx.db);
}

async function refuseInTx(ctx: Ctx, tx: Tx, intent: Row<'Intent'>, refusal: Refusal): Promise<void> {
  const detail: IntentDetail = { refusal };
  if (await advanceIntent(ctx, tx, intent.id, 'refuse', { detail: detail as Json }))
    await refuseIntentReplies(ctx, tx, [{ intent, refusal }]);
}

const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** From this attempt on the chat is told that it takes longer: a short hiccup is nobody's news. */
const TELL_FROM_ATTEMPT = 3;

/** The chain is away: the intent stays accepted and is tried again until it expires. */
async function waitForChain(ctx: Ctx, intent: Row<'Intent'>, error: AppError): Promise<void> {
  const attempts = intent.attempts + 1;
  const delay = RETRY_MS[Math.min(intent.attempts, RETRY_MS.length - 1)] ?? 15_000;
  ctx.log.warn({ err: error, intent: intent.id, attempts }, 'a chain does not answer; the intent waits');
  await ctx.db.$transaction(async (tx) => {
    const detail: IntentDetail = {
      ...((intent.detail as IntentDetail | null) ?? {}),
      waitingFor: error.detail ?? 'the chain',
    };
    const nextAttemptAt = new Date(ctx.clock.now() + delay);
    const { count } = await tx.intent.updateMany({
      where: { id: intent.id, status: 'accepted', attempts: intent.attempts },
      data: { attempts, nextAttemptAt, detail: detail as Json },
    });
    if (count === 1 && attempts === TELL_FROM_ATTEMPT) await bumpIntentReply(ctx, tx, intent.id);
  });
}

/** The sender pressed "Send": the intent is accepted anew, with fresh minutes to settle in. */
export async function confirmIntent(ctx: Ctx, tx: Tx, intentId: string): Promise<boolean> {
  const now = ctx.clock.now();
  const moved = await advanceIntent(ctx, tx, intentId, 'confirm', {
    confirmedAt: new Date(now),
    validUntil: new Date(now + TIP_VALIDITY_MS),
    nextAttemptAt: new Date(now),
  });
  if (moved) {
    await enqueue(tx, 'intents', `intent-${intentId}-${now}`, { intentIds: [intentId] }, now);
    await bumpIntentReply(ctx, tx, intentId);
  }
  return moved;
}

export async function declineIntent(ctx: Ctx, tx: Tx, intentId: string): Promise<boolean> {
  const moved = await advanceIntent(ctx, tx, intentId, 'decline');
  if (moved) await bumpIntentReply(ctx, tx, intentId);
  return moved;
}

/** Closes what was asked and never answered. @returns how many */
export async function lapseIntents(ctx: Ctx): Promise<number> {
  const now = new Date(ctx.clock.now());
  const stale = await ctx.db.intent.findMany({
    where: { status: 'awaiting_confirmation', nextAttemptAt: { lte: now } },
    select: { id: true },
    take: 100,
  });
  for (const { id } of stale) {
    await ctx.db.$transaction(async (tx) => {
      if (await advanceIntent(ctx, tx, id, 'lapse')) await bumpIntentReply(ctx, tx, id);
    });
  }
  return stale.length;
}
