// Trials: a signed subscription that is kept until its end, and sent then. It holds no money, and can be left at any time before.
import { readSubscription } from '../../chain/routers/subscription.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { type Ctx, evmChains, newId } from '../../context.ts';
import { decimalOf, type Row } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { formatUnits } from '../../domain/money.ts';
import { TRIAL_GRACE_MS, type TrialStatus } from '../../domain/subscription.ts';
import { slugsOfHandles } from '../accounts/handles.ts';
import { lockKey } from '../locks.ts';
import { queueCall } from '../outgoing/queue.ts';
import { transition, transitionOne } from '../transitions.ts';
import { buildSubscription, payerOf, type SignedSubscription } from './submitting.ts';
import { offeredTrial } from './subscribing.ts';
import { type Plan, unitsOf } from './views.ts';

const DAY_MS = 86_400_000;
const TRIAL_GAS = 600_000n;
/** Between the moment at which the wallet was shown the end and that at which it signed. */
const SIGNING_MS = 20 * 60_000;
const PAGE = 100;
const WITH_PLAN = { plan: true } as const;

export type TrialView = {
  object: 'trial';
  id: string;
  plan: string;
  plan_name: string;
  /** Null for a creator whose wallet belongs to no handle. */
  creatorHandle: string | null;
  creator: string;
  amount: string;
  currency: string;
  /** Seconds. */
  period: number;
  chain: string;
  subscriber: string;
  status: TrialStatus;
  ends_at: string;
  /** The subscription that was cancelled for this one, where its price changed. */
  switches_from: string | null;
  /** In one sentence, once it has failed. */
  failure: string | null;
  livemode: boolean;
  created_at: string;
};

async function viewTrials(ctx: Ctx, rows: readonly (Row<'Trial'> & { plan: Plan })[]): Promise<TrialView[]> {
  const handles = await slugsOfHandles(
    ctx.db,
    rows.flatMap(({ plan }) => plan.handleId ?? []),
  );
  return rows.map(({ plan, ...row }) => ({
    object: 'trial',
    id: row.id,
    plan: row.planId,
    plan_name: plan.name,
    creatorHandle: handles.get(plan.handleId ?? '') ?? null,
    creator: plan.creator,
    amount: formatUnits(unitsOf(plan.units), plan.decimals),
    currency: 'USDC',
    period: plan.periodS,
    chain: row.chain,
    subscriber: row.subscriber,
    status: row.status as TrialStatus,
    ends_at: row.endsAt.toISOString(),
    switches_from: row.switchesFromId,
    failure: row.failure,
    livemode: plan.livemode,
    created_at: row.createdAt.toISOString(),
  }));
}

/**
 * Keeps a signed subscription until the end of the plan's trial.
 * @throws as `buildSubscription`; AppError `state_conflict` where the wallet or its handle had its trial, `parameter_invalid` for another deadline
 */
export async function startTrial(ctx: Ctx, given: SignedSubscription): Promise<TrialView> {
  const { plan, chain, subscriber, data } = await buildSubscription(ctx, given);
  const endsAt = given.deadline * 1_000 - TRIAL_GRACE_MS;
  const wanted = ctx.clock.now() + plan.trialDays * DAY_MS;
  if (endsAt > wanted || endsAt < wanted - SIGNING_MS)
    throw new AppError('parameter_invalid', 'This request is out of date. Please start again.', { param: 'deadline' });
  const payer = await payerOf(ctx, plan.chain, subscriber);
  const row = await ctx.db.$transaction(async (tx) => {
    await lockKey(tx, `trial:${plan.id}`);
    if (!(await offeredTrial(ctx, plan, subscriber)))
      throw new AppError('state_conflict', 'This trial was already used. Subscribe without it.');
    return tx.trial.create({
      data: {
        id: newId(ctx, 'trl'),
        chain: chain.name,
        planId: plan.id,
        subscriber,
        handleId: payer === subscriber ? null : payer,
        status: 'waiting',
        data,
        nonce: decimalOf(BigInt(given.nonce)),
        endsAt: new Date(endsAt),
        expiresAt: new Date(given.deadline * 1_000),
        tryAt: new Date(endsAt),
        createdAt: new Date(ctx.clock.now()),
      },
    });
  });
  return viewTrialOf(ctx, row.id);
}

export async function viewTrialOf(ctx: Ctx, id: string): Promise<TrialView> {
  const [view] = await viewTrials(ctx, [await ctx.db.trial.findUniqueOrThrow({ where: { id }, include: WITH_PLAN })]);
  if (!view) throw new Error('every row has its view');
  return view;
}

/** Trials of a wallet, the newest first. */
export async function listTrials(ctx: Ctx, subscriber: string): Promise<TrialView[]> {
  const rows = await ctx.db.trial.findMany({
    where: { subscriber },
    include: WITH_PLAN,
    orderBy: { id: 'desc' },
    take: PAGE,
  });
  return viewTrials(ctx, rows);
}

/** Drops the signature. @throws AppError `resource_missing`, `state_conflict` for a trial that is over */
export async function leaveTrial(ctx: Ctx, subscriber: string, id: string): Promise<TrialView> {
  const where = { id, subscriber };
  const row = isId('trl', id) ? await ctx.db.trial.findFirst({ where }) : null;
  if (!row) throw new AppError('resource_missing', 'No such trial.');
  const left = await dropTrial(ctx, id);
  if (!left && row.status !== 'left')
    throw new AppError('state_conflict', 'This trial is over. Cancel the subscription instead.');
  return viewTrialOf(ctx, id);
}

/** @returns whether it was waiting: then what was signed is deleted, so that no one can send it */
export function dropTrial(ctx: Ctx, id: string): Promise<boolean> {
  return ctx.db.$transaction(async (tx) => {
    const moved = await transitionOne(ctx, tx, 'trial', id, 'leave');
    if (moved) await tx.trial.update({ where: { id }, data: { data: '0x' } });
    return moved;
  });
}

/** Queues the subscriptions of trials whose end has come. @returns how many */
export async function startDueTrials(ctx: Ctx): Promise<number> {
  const due = await ctx.db.trial.findMany({
    where: { status: 'waiting', tryAt: { lte: new Date(ctx.clock.now()) }, chain: { in: Object.keys(evmChains(ctx)) } },
    orderBy: { tryAt: 'asc' },
    take: PAGE,
  });
  for (const { id, chain: name, data, switchesFromId } of due) {
    const chain = evmChains(ctx)[name as keyof typeof ctx.chains];
    if (!chain || (await isUnswitched(ctx, chain, id, switchesFromId))) continue;
    await ctx.db.$transaction(async (tx) => {
      if (!(await transition(ctx, tx, 'trial', [{ id, action: 'submit' }])).has(id)) return;
      const call = { to: chain.routers.subscription, data: data as `0x${string}`, gas: TRIAL_GAS };
      await queueCall(ctx, tx, chain.name, { kind: 'trial', subjectId: id, ...call });
    });
  }
  return due.length;
}

/** A final block is in the feed by then. */
const FEED_MS = 60_000;

async function hasEnded(chain: EvmChain, { planKey, subscriber }: Row<'Subscription'>): Promise<boolean> {
  const { state } = await readSubscription(chain, { planKey: planKey as Hex, subscriber: subscriber as Address });
  return state !== 'active';
}

/** @returns whether the old subscription stands, or was charged meanwhile: then the new one does not begin, so that nothing is paid twice */
async function isUnswitched(ctx: Ctx, chain: EvmChain, id: string, switchesFromId: string | null): Promise<boolean> {
  if (switchesFromId === null) return false;
  const old = await ctx.db.subscription.findUniqueOrThrow({ where: { id: switchesFromId } });
  const { status, nextChargeAt } = old;
  const isPaid = nextChargeAt.getTime() > ctx.clock.now();
  if (status !== 'active' && !isPaid) return false;
  if (status === 'active' && (await hasEnded(chain, old))) {
    // The feed will have it: only the chain's word ends a switch.
    await ctx.db.trial.updateMany({
      where: { id, status: 'waiting' },
      data: { tryAt: new Date(ctx.clock.now() + FEED_MS) },
    });
    return true;
  }
  const failure =
    status === 'active'
      ? 'The old subscription wasn’t cancelled, so it goes on at its price.'
      : 'The old subscription was charged before it ended. Subscribe again when that is over.';
  await ctx.db.$transaction((tx) => transitionOne(ctx, tx, 'trial', id, 'fail', { failure }));
  return true;
}
