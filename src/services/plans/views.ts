// Plans, subscriptions and charges as they are shown: to creators and subscribers, to programs and in events. Amounts are canonical decimal strings,
// times ISO 8601 in UTC but for the two of the interface, which are Unix milliseconds.
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { formatUnits } from '../../domain/money.ts';
import type { ChargeFailure, PlanStatus, SubscriptionStatus } from '../../domain/subscription.ts';
import type { HaltReason } from '../../domain/subscriptionLog.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';
import { reaches } from '../../domain/walletReach.ts';
import { slugsOfHandles } from '../accounts/handles.ts';
import { transactionUrl } from '../chains.ts';

export type PlanView = {
  id: string;
  object: 'plan';
  planKey: string;
  name: string;
  description: string;
  amount: string;
  currency: string;
  chain: string;
  /** Seconds. */
  period: number;
  status: Exclude<PlanStatus, 'dropped'>;
  /** The part of the amount that goes to the treasury, and what the creator gets. */
  fee: string;
  you_get: string;
  trial_days: number;
  image_url: string | null;
  return_url: string | null;
  metadata: Record<string, string>;
  /** Page to share with subscribers. */
  url: string;
  /** Null for a creator whose wallet belongs to no handle. */
  creatorHandle: string | null;
  creator: string;
  replaced_by: string | null;
  livemode: boolean;
  created_at: string;
  confirmed_at: string | null;
};

/** What anyone may see of a plan. */
export type PublicPlan = Omit<PlanView, 'metadata'>;

/** One charge of a subscription. */
export type ChargeView = {
  object: 'charge';
  subscription: string;
  /** From 1. */
  number: number;
  amount: string;
  fee: string;
  currency: string;
  txHash: string;
  explorer_url: string | null;
  charged_at: string;
  period_start: string;
  period_end: string;
};

export type SubscriptionView = {
  id: string;
  object: 'subscription';
  plan: string;
  planKey: string;
  plan_name: string;
  subscriberHandle: string | null;
  subscriber: string;
  creatorHandle: string | null;
  creator: string;
  status: Exclude<SubscriptionStatus, 'reverted'>;
  amount: string;
  currency: string;
  chain: string;
  period: number;
  startedAt: number;
  lastChargedAt: number;
  chargesPaid: number;
  /** Null once it has ended. */
  next_charge_at: string | null;
  total_paid: string;
  /** While its newest charge was not made. */
  failing: { code: ChargeFailure; since: string | null } | null;
  ended_at: string | null;
  cancelled_by: 'subscriber' | 'creator' | null;
  reason: HaltReason | null;
  /** The plan that replaced its own at another price. */
  replaced_by: string | null;
  txHash: string;
  livemode: boolean;
};

export type Plan = Row<'Plan'>;
export type Subscription = Row<'Subscription'>;

export function unitsOf(value: { toFixed(places: number): string }): bigint {
  return BigInt(value.toFixed(0));
}

/** @param handles slugs of creators by the ids of their handles */
export function planViewOf(ctx: Ctx, row: Plan, handles: ReadonlyMap<string, string>): PlanView {
  const units = unitsOf(row.units);
  const money = (value: bigint) => formatUnits(value, row.decimals);
  return {
    id: row.id,
    object: 'plan',
    planKey: row.planKey,
    name: row.name,
    description: row.description,
    amount: money(units),
    currency: 'USDC',
    chain: row.chain,
    period: row.periodS,
    status: row.status as PlanView['status'],
    fee: money(unitsOf(row.feeUnits)),
    you_get: money(units - unitsOf(row.feeUnits)),
    trial_days: row.trialDays,
    image_url: row.imageUrl,
    return_url: row.returnUrl,
    metadata: row.metadata as Record<string, string>,
    url: planUrl(ctx, row.id),
    creatorHandle: handles.get(row.handleId ?? '') ?? null,
    creator: row.creator,
    replaced_by: row.replacedById,
    livemode: row.livemode,
    created_at: row.createdAt.toISOString(),
    confirmed_at: row.confirmedAt?.toISOString() ?? null,
  };
}

export function planUrl(ctx: Ctx, id: string): string {
  return `${(ctx.env.CHECKOUT_BASE ?? ctx.env.BASE_URL).replace(/\/+$/, '')}/p/${id}`;
}

/** Many at once, in their order. */
export async function viewPlans(ctx: Ctx, tx: Tx, rows: Plan[]): Promise<PlanView[]> {
  const handles = await slugsOfHandles(
    tx,
    rows.flatMap(({ handleId }) => handleId ?? []),
  );
  return rows.map((row) => planViewOf(ctx, row, handles));
}

export async function viewPlan(ctx: Ctx, tx: Tx, row: Plan): Promise<PlanView> {
  const [view] = await viewPlans(ctx, tx, [row]);
  if (!view) throw new Error('every row has its view');
  return view;
}

export function publicPlan({ metadata: _, ...plan }: PlanView): PublicPlan {
  return plan;
}

export function subscriptionViewOf(
  row: Subscription,
  plan: Plan,
  names: { creators: ReadonlyMap<string, string>; subscribers: ReadonlyMap<string, WalletOwner> },
): SubscriptionView {
  const isActive = row.status === 'active';
  const byCreator = row.endedBy !== null && isSameAddress(row.endedBy, plan.creator);
  return {
    id: row.id,
    object: 'subscription',
    plan: plan.id,
    planKey: row.planKey,
    plan_name: plan.name,
    subscriberHandle: names.subscribers.get(`${row.chain} ${row.subscriber}`)?.slug ?? null,
    subscriber: row.subscriber,
    creatorHandle: names.creators.get(plan.handleId ?? '') ?? null,
    creator: plan.creator,
    status: row.status as SubscriptionView['status'],
    amount: formatUnits(unitsOf(plan.units), plan.decimals),
    currency: 'USDC',
    chain: row.chain,
    period: plan.periodS,
    startedAt: row.startedAt.getTime(),
    lastChargedAt: row.lastChargedAt.getTime(),
    chargesPaid: row.chargesPaid,
    next_charge_at: isActive ? row.nextChargeAt.toISOString() : null,
    total_paid: formatUnits(unitsOf(row.paidUnits), plan.decimals),
    failing:
      isActive && row.failure !== null
        ? { code: row.failure as ChargeFailure, since: row.failingSince?.toISOString() ?? null }
        : null,
    ended_at: row.endedAt?.toISOString() ?? null,
    cancelled_by: row.status === 'cancelled' ? (byCreator ? 'creator' : 'subscriber') : null,
    reason: row.status === 'halted' ? (row.haltReason as HaltReason | null) : null,
    replaced_by: plan.replacedById,
    txHash: row.startTxHash,
    livemode: plan.livemode,
  };
}

/** Many at once, in their order. */
export async function viewSubscriptions(tx: Tx, rows: Subscription[]): Promise<SubscriptionView[]> {
  const plans = await plansOf(
    tx,
    rows.map(({ planId }) => planId),
  );
  const names = await namesOf(tx, rows, [...plans.values()]);
  return rows.flatMap((row) => {
    const plan = plans.get(row.planId);
    return plan ? subscriptionViewOf(row, plan, names) : [];
  });
}

export async function plansOf(tx: Tx, ids: string[]): Promise<Map<string, Plan>> {
  const rows = await tx.plan.findMany({ where: { id: { in: [...new Set(ids)] } } });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Who is behind the wallets of subscriptions, and the handles of the creators. */
export async function namesOf(tx: Tx, rows: Pick<Subscription, 'chain' | 'subscriber'>[], plans: Plan[]) {
  const [creators, subscribers] = [
    await slugsOfHandles(
      tx,
      plans.flatMap(({ handleId }) => handleId ?? []),
    ),
    await ownersOf(tx, rows),
  ];
  return { creators, subscribers };
}

export type WalletOwner = { id: string; slug: string };

/** The handles of wallets by chain and address: a contract's only where it has proven itself. */
export async function ownersOf(
  tx: Tx,
  rows: Pick<Subscription, 'chain' | 'subscriber'>[],
): Promise<Map<string, WalletOwner>> {
  const addresses = [...new Set(rows.map(({ subscriber }) => subscriber))];
  const wallets = await tx.wallet.findMany({
    where: { address: { in: addresses } },
    include: { handle: { select: { id: true, slug: true } } },
  });
  const byAddress = new Map(wallets.map((wallet) => [wallet.address, wallet]));
  const owners = new Map<string, WalletOwner>();
  for (const { chain, subscriber } of rows) {
    const wallet = byAddress.get(subscriber);
    if (wallet && reaches(wallet, chain)) owners.set(`${chain} ${subscriber}`, wallet.handle);
  }
  return owners;
}

/** @param log of a charge, with its number */
export function chargeViewOf(
  ctx: Ctx,
  log: Pick<
    Row<'SubscriptionLog'>,
    'subscriptionId' | 'number' | 'units' | 'feeUnits' | 'txHash' | 'chain' | 'at' | 'nextChargeAt'
  >,
  { decimals }: Pick<Plan, 'decimals'>,
): ChargeView {
  return {
    object: 'charge',
    subscription: log.subscriptionId ?? '',
    number: log.number ?? 0,
    amount: formatUnits(unitsOf(log.units), decimals),
    fee: formatUnits(unitsOf(log.feeUnits), decimals),
    currency: 'USDC',
    txHash: log.txHash,
    explorer_url: transactionUrl(ctx, log.chain, log.txHash),
    charged_at: log.at.toISOString(),
    period_start: log.at.toISOString(),
    period_end: (log.nextChargeAt ?? log.at).toISOString(),
  };
}
