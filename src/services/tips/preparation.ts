// Accepted intents on their way to legs that may be signed: planned, asked about where there is doubt, capped, frozen. A batch
// at a time.

import { tipKey } from '../../chain/tips.ts';
import type { Ctx } from '../../context.ts';
import { newId } from '../../context.ts';
import type { Json, Row, Tx } from '../../db.ts';
import { sqlRows } from '../../db.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { type AppError, isAway } from '../../domain/errors.ts';
import { CONFIRMATION_TTL_MS, ESCROW_TIP_MS, SPEND_WINDOW_MS, TIP_VALIDITY_MS } from '../../domain/limits.ts';
import { legKey } from '../../domain/messageKey.ts';
import { formatUnits, formatUsd } from '../../domain/money.ts';
import { planFingerprint, planTotalUsd, type Refusal } from '../../domain/plan.ts';
import { enqueue } from '../../queues.ts';
import { spenders } from '../accounts/connections.ts';
import { lockSenders } from '../locks.ts';
import { dropResumedPauses, wantHeldPauses } from '../spending/pauses.ts';
import { type Transition, transition, transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import { type FrozenCrossing, stageCrossings } from './crossings.ts';
import { stageTipEscrows } from './escrowTips.ts';
import { askWithButtons, bumpIntentReply, refuseIntentReplies } from './intentReplies.ts';
import { mustAsk, type Plan, type PlanAnswer, type PlanOutcome, planIntents } from './plan.ts';
import { requestSettle } from './settle.ts';
import { TELL_AFTER_MS } from './slowChains.ts';

/** What an intent's `detail` holds, by status: the shown plan while asking, the refusal when refused, what was left out when routed. */
export type IntentDetail = {
  refusal?: Refusal;
  plan?: ReturnType<typeof describePlan>;
  fingerprint?: string;
  doubts?: string[];
  refused?: Plan['refused'];
  waitingFor?: string;
  /** The chat has read that it takes longer. */
  isLate?: boolean;
};

/**
 * Takes accepted intents one step further, all of them together. Safe to call any number of times, at once or after a crash.
 * @throws the first failure of an intent that failed by itself, when all others are done
 */
export async function prepareIntents(ctx: Ctx, intentIds: string[]): Promise<void> {
  const rows = await ctx.db.intent.findMany({ where: { id: { in: intentIds }, status: 'accepted' } });
  if (rows.length === 0) return;
  // In the order in which they were accepted.
  const place = new Map(intentIds.map((id, index) => [id, index]));
  const intents = rows.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
  const now = ctx.clock.now();
  const late = intents.filter((intent) => now >= intent.validUntil.getTime());
  const expired = late.map((intent): Planned => ({ intent, answer: { refusal: { code: 'expired' } } }));
  const failures = await commitTogether(ctx, expired);
  const fresh = intents.filter((intent) => !late.includes(intent));
  await refreshPauses(ctx, fresh);
  const groups = await planIntents(ctx, fresh);
  const commits = groups.map(async (group) => commitOutcomes(ctx, fresh, await group));
  for (const commit of await Promise.allSettled(commits))
    failures.push(...(commit.status === 'fulfilled' ? commit.value : [commit.reason]));
  await ctx.queues.flush(ctx.db);
  if (failures.length > 0) throw failures[0];
}

/** Planning reads pauses and changes none, so what their wallets took back meanwhile goes first, and what only our rows hold is sent to the chain. */
async function refreshPauses(ctx: Ctx, intents: Row<'Intent'>[]): Promise<void> {
  const senders = intents.map(({ platform, senderId }) => ({ platform, sender: senderId }));
  const paused = await ctx.db.$queryRaw<{ id: string }[]>`
    select distinct p.handle_id as id from jsonb_to_recordset(${sqlRows(senders)}) as s(platform text, sender text)
    join connection c on c.platform = s.platform and c.platform_user_id = s.sender and c.disconnected_at is null
    join pause p on p.handle_id = c.handle_id`;
  if (paused.length === 0) return;
  const handleIds = paused.map(({ id }) => id);
  await ctx.db.$transaction((tx) => wantHeldPauses(ctx, tx, handleIds));
  await dropResumedPauses(ctx, handleIds);
}

/** Commits what was planned together as soon as it is planned. @returns what failed */
async function commitOutcomes(
  ctx: Ctx,
  intents: Row<'Intent'>[],
  outcomes: Map<string, PlanOutcome>,
): Promise<unknown[]> {
  const planned: Planned[] = [];
  const failures: unknown[] = [];
  for (const intent of intents) {
    const outcome = outcomes.get(intent.id);
    if (!outcome) continue;
    if (!('failed' in outcome)) planned.push({ intent, answer: outcome });
    else if (isAway(outcome.failed)) await waitForChain(ctx, intent, outcome.failed);
    else failures.push(outcome.failed);
  }
  failures.push(...(await commitTogether(ctx, planned)));
  await ctx.queues.flush(ctx.db);
  return failures;
}

type Planned = { intent: Row<'Intent'>; answer: PlanAnswer };

/** One transaction for the batch; when it fails, one for each, so that a bad one does not block the others. @returns what failed */
async function commitTogether(ctx: Ctx, planned: Planned[]): Promise<unknown[]> {
  if (planned.length === 0) return [];
  try {
    await ctx.db.$transaction((tx) => commitPlans(ctx, tx, planned));
    return [];
  } catch (err) {
    if (planned.length === 1) return [err];
    ctx.log.warn({ err, intents: planned.length }, 'a batch of intents failed; they are taken one by one');
  }
  const failures: unknown[] = [];
  for (const one of planned) failures.push(...(await commitTogether(ctx, [one])));
  return failures;
}

/** Decides, under the senders' locks, what becomes of each plan: asked about, refused, or frozen into legs. */
async function commitPlans(ctx: Ctx, tx: Tx, planned: Planned[]): Promise<void> {
  const senders = [
    ...new Set(planned.flatMap(({ answer }) => ('plan' in answer ? [answer.plan.sender.handleId] : []))),
  ];
  const refusalOf = senders.length > 0 ? await readRefusals(ctx, tx, senders) : () => null;
  const lapsesAt = new Date(ctx.clock.now() + CONFIRMATION_TTL_MS);
  const moves: Transition<'intent'>[] = [];
  const refused: { intent: Row<'Intent'>; refusal: Refusal }[] = [];
  const asked: Row<'Intent'>[] = [];
  const routed: { intent: Row<'Intent'>; plan: Plan }[] = [];
  for (const { intent, answer } of planned) {
    const refusal = 'refusal' in answer ? answer.refusal : refusalOf(intent, answer.plan);
    if (refusal || !('plan' in answer)) {
      if (!refusal) continue;
      moves.push({ id: intent.id, action: 'refuse', patch: { detail: { refusal } as Json } });
      refused.push({ intent, refusal });
      continue;
    }
    const { plan } = answer;
    const fingerprint = planFingerprint(plan.legs);
    const detail = {
      plan: describePlan(plan),
      fingerprint,
      doubts: [...(intent.doubt === null ? [] : [intent.doubt]), ...plan.doubts],
      refused: plan.refused,
    } as Json;
    if (mustAsk(intent, plan)) {
      moves.push({ id: intent.id, action: 'ask', patch: { detail, nextAttemptAt: lapsesAt } });
      asked.push(intent);
    } else {
      moves.push({ id: intent.id, action: 'route', patch: { detail, senderHandleId: plan.sender.handleId } });
      routed.push({ intent, plan });
    }
  }
  const moved = await transition(ctx, tx, 'intent', moves);
  for (const intent of asked) if (moved.has(intent.id)) await askWithButtons(ctx, tx, intent, lapsesAt);
  await refuseIntentReplies(
    ctx,
    tx,
    refused.filter(({ intent }) => moved.has(intent.id)),
  );
  await freezeLegs(
    ctx,
    tx,
    routed.filter(({ intent }) => moved.has(intent.id)),
  );
}

/**
 * What may have changed since the plans were made: a pause, a disconnect, and what was sent within the day.
 * @returns whether a plan is refused for it; a plan that is not refused counts towards the day of the next ones
 */
async function readRefusals(
  ctx: Ctx,
  tx: Tx,
  senders: string[],
): Promise<(intent: Row<'Intent'>, plan: Plan) => Refusal | null> {
  await lockSenders(tx, senders);
  const pauses = await tx.pause.findMany({ where: { handleId: { in: senders } } });
  const paused = new Set(pauses.map((pause) => `${pause.handleId} ${pause.chain}`));
  const maySpend = await spenders(tx, senders);
  const since = new Date(ctx.clock.now() - SPEND_WINDOW_MS);
  // Everything that a handle sent or is sending in the last 24 hours counts, on every platform and chain.
  const days = await tx.$queryRaw<{ id: string; cap: bigint; used: bigint }[]>`
    select h.id, h.day_cap_micros as cap, coalesce(sum(t.usd_micros), 0)::bigint as used
    from handle h left join tip t on t.sender_handle_id = h.id and t.created_at > ${since} and t.status <> 'failed'
    where h.id = any(${senders}) group by h.id`;
  const dayOf = new Map(days.map(({ id, cap, used }) => [id, { cap, used }]));
  return (intent, plan) => {
    const { handleId } = plan.sender;
    if (plan.legs.some((leg) => paused.has(`${handleId} ${leg.chain}`))) return { code: 'sender_paused' };
    if (!maySpend(intent.platform, intent.senderId, handleId)) return { code: 'sender_disconnected' };
    const day = dayOf.get(handleId);
    if (!day) throw new Error(`no handle ${handleId}`);
    const total = planTotalUsd(plan.legs);
    if (day.used + total > day.cap) {
      const left = day.cap > day.used ? day.cap - day.used : 0n;
      return { code: 'day_cap', cap: formatUsd(day.cap), total: formatUsd(total), left: formatUsd(left) };
    }
    if (!mustAsk(intent, plan)) day.used += total;
    return null;
  };
}

async function freezeLegs(ctx: Ctx, tx: Tx, routed: { intent: Row<'Intent'>; plan: Plan }[]): Promise<void> {
  if (routed.length === 0) return;
  const now = new Date(ctx.clock.now());
  const legs = routed.flatMap(({ intent, plan }) =>
    plan.legs.map((leg) => ({
      id: newId(ctx, 'tip'),
      intent_id: intent.id,
      leg: leg.leg,
      message_key: tipKey(
        CHAINS[leg.chain as ChainName],
        legKey(ctx.env.MESSAGE_EPOCH, intent.inboxKey, leg.leg),
        (intent.sentAt ?? intent.acceptedAt).getTime(),
      ),
      chain: leg.chain,
      sender_handle_id: plan.sender.handleId,
      sender_address: leg.senderAddress,
      recipient_handle_id: leg.recipientHandleId,
      recipient_address: leg.recipientAddress,
      recipient_label: leg.recipientLabel,
      tab_slug: leg.tabSlug,
      tab_deadline: leg.tabSlug === null ? null : BigInt(Math.floor((now.getTime() + ESCROW_TIP_MS) / 1_000)),
      asset: leg.asset,
      token: leg.token,
      decimals: leg.decimals,
      units: leg.units,
      fee_units: leg.feeUnits,
      to_chain: leg.crossing?.chain ?? null,
      to_units: leg.crossing?.units ?? null,
      bridge_units: leg.crossing?.bridgeUnits ?? 0n,
      opens_account: leg.opensAccount,
      usd_micros: planTotalUsd([leg]),
      valid_until: intent.validUntil,
      status: 'ready',
      created_at: now,
    })),
  );
  await tx.$executeRaw`
    insert into tip (id, intent_id, leg, message_key, chain, sender_handle_id, sender_address, recipient_handle_id, recipient_address,
      recipient_label, tab_slug, tab_deadline, asset, token, decimals, units, fee_units, to_chain, to_units, bridge_units, opens_account, usd_micros, valid_until,
      status, created_at)
    select * from jsonb_to_recordset(${sqlRows(legs)}) as l(id text, intent_id text, leg int, message_key text, chain text,
      sender_handle_id text, sender_address text, recipient_handle_id text, recipient_address text, recipient_label text, tab_slug text,
      tab_deadline bigint, asset text, token text, decimals int, units numeric, fee_units numeric, to_chain text, to_units numeric,
      bridge_units numeric, opens_account boolean, usd_micros bigint, valid_until timestamptz, status text,
      created_at timestamptz)`;
  await stageTipEscrows(
    ctx,
    tx,
    legs.map((leg) => leg.id),
  );
  await stageCrossings(ctx, tx, crossingsOf(routed, legs));
  for (const chain of new Set(legs.map((leg) => leg.chain))) await requestSettle(ctx, tx, chain);
}

type FrozenRow = {
  id: string;
  intent_id: string;
  leg: number;
  message_key: string;
  sender_address: string;
  valid_until: Date;
};

function crossingsOf(routed: { intent: Row<'Intent'>; plan: Plan }[], rows: readonly FrozenRow[]): FrozenCrossing[] {
  const legs = new Map(routed.flatMap(({ intent, plan }) => plan.legs.map((leg) => [`${intent.id} ${leg.leg}`, leg])));
  return rows.flatMap((row) => {
    const leg = legs.get(`${row.intent_id} ${row.leg}`);
    if (!leg?.crossing) return [];
    const { id: tipId, message_key: messageKey, sender_address: senderAddress, valid_until: validUntil } = row;
    return [{ tipId, messageKey, senderAddress, validUntil, leg: { ...leg, crossing: leg.crossing } }];
  });
}

/** The plan as it is shown before money moves: figures as decimal strings. */
export function describePlan(plan: Plan) {
  return plan.legs.map((leg) => ({
    label: leg.recipientLabel,
    amount: formatUnits(leg.units, leg.decimals),
    fee: formatUnits(leg.feeUnits, leg.decimals),
    asset: leg.asset,
    chain: leg.chainLabel,
    /** The chain on which it arrives, when that is another one, and what the bridge takes. */
    to: leg.crossing && {
      chain: leg.crossing.chainLabel,
      bridgeFee: formatUnits(leg.crossing.bridgeUnits, leg.decimals),
    },
    /** For how many days it is kept, when its recipient has no account. */
    tabDays: leg.tabSlug === null ? null : ESCROW_TIP_MS / 86_400_000,
  }));
}

const RETRY_MS = [500, 1_000, 2_000, 4_000, 2_500, 8_000, 15_000];

/** The chain is away: the intent stays accepted and is tried again until it expires. */
async function waitForChain(ctx: Ctx, intent: Row<'Intent'>, error: AppError): Promise<void> {
  const attempts = intent.attempts + 1;
  const lateFrom = (intent.confirmedAt ?? intent.acceptedAt).getTime();
  const delay = RETRY_MS[Math.min(intent.attempts, RETRY_MS.length - 1)] ?? 15_000;
  ctx.log.warn({ err: error, intent: intent.id, attempts }, 'a chain does not answer; the intent waits');
  await ctx.db.$transaction(async (tx) => {
    const detail: IntentDetail = {
      ...((intent.detail as IntentDetail | null) ?? {}),
      waitingFor: error.detail ?? 'the chain',
    };
    if (ctx.clock.now() - lateFrom >= TELL_AFTER_MS) detail.isLate = true;
    const nextAttemptAt = new Date(ctx.clock.now() + delay);
    const { count } = await tx.intent.updateMany({
      where: { id: intent.id, status: 'accepted', attempts: intent.attempts },
      data: { attempts, nextAttemptAt, detail: detail as Json },
    });
    const isNews = detail.isLate === true && (intent.detail as IntentDetail | null)?.isLate !== true;
    if (count === 1) await wake(tx, 'retries');
    if (count === 1 && isNews) await bumpIntentReply(ctx, tx, intent.id);
  });
}

/**
 * The sender pressed "Send": the intent is accepted again, with fresh minutes to settle in.
 * @param patch what else is known by now: whose it is, and which plan was shown
 */
export async function confirmIntent(
  ctx: Ctx,
  tx: Tx,
  intentId: string,
  patch: { senderHandleId?: string; detail?: Json } = {},
): Promise<boolean> {
  const now = ctx.clock.now();
  const moved = await transitionOne(ctx, tx, 'intent', intentId, 'confirm', {
    confirmedAt: new Date(now),
    validUntil: new Date(now + TIP_VALIDITY_MS),
    nextAttemptAt: new Date(now),
    ...patch,
  });
  if (moved) {
    await enqueue(tx, 'intents', `intent-${intentId}-${now}`, { intentIds: [intentId] }, now);
    await bumpIntentReply(ctx, tx, intentId);
  }
  return moved;
}

export async function declineIntent(ctx: Ctx, tx: Tx, intentId: string): Promise<boolean> {
  const moved = await transitionOne(ctx, tx, 'intent', intentId, 'decline');
  if (moved) await bumpIntentReply(ctx, tx, intentId);
  return moved;
}

/** Closes questions that were never answered. @returns how many */
export async function lapseIntents(ctx: Ctx): Promise<number> {
  const now = new Date(ctx.clock.now());
  const stale = await ctx.db.intent.findMany({
    where: { status: { in: ['awaiting_confirmation', 'waiting'] }, nextAttemptAt: { lte: now } },
    select: { id: true },
    take: 100,
  });
  for (const { id } of stale) {
    await ctx.db.$transaction(async (tx) => {
      if (await transitionOne(ctx, tx, 'intent', id, 'lapse')) await bumpIntentReply(ctx, tx, id);
    });
  }
  return stale.length;
}
