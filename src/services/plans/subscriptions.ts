// Subscriptions of a subscriber and of a creator: listed, and recorded or ended on the chain's word alone.
import { canonicalAddress } from '../../chain/addresses.ts';
import type { Chain } from '../../chain/chain.ts';
import { subscriptionOnChain } from '../../chain/plans.ts';
import { type Ctx, chainOf } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { walletOnFamily } from '../accounts/signing.ts';
import { readCursor, writeCursor } from '../pagination.ts';
import { ANSWER_WITHIN_MS, pollWithin } from '../polling.ts';
import { ownPlanRow } from './plans.ts';
import { applyWhenFinal, mismatch, proveTx } from './proof.ts';
import { addressStart, isOwnOn, ofHandle, placesOfHandle } from './subscriberWallets.ts';
import { type Plan, type Subscription, type SubscriptionView, viewSubscriptions } from './views.ts';

type Patience = { waitMs?: number };
type Paging = { limit: number; cursor?: string | undefined };
export type SubscriptionPage = { subscriptions: SubscriptionView[]; nextCursor: string | null };

/** Of every chain on which a wallet of the caller is its own, the newest first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listOwnSubscriptions(ctx: Ctx, handle: SessionHandle, paging: Paging): Promise<SubscriptionPage> {
  const own = await ofHandle(ctx, handle.id);
  if (own.length === 0) return { subscriptions: [], nextCursor: null };
  return page(ctx, { OR: own }, paging);
}

/** Those of a handle's wallets that stand, the next charge first, and how many there are. */
export async function activeSubscriptions(
  ctx: Ctx,
  handleId: string,
  most: number,
): Promise<{ views: SubscriptionView[]; count: number }> {
  const reached = await ofHandle(ctx, handleId);
  if (reached.length === 0) return { views: [], count: 0 };
  const where = { status: 'active', OR: reached };
  const rows = await ctx.db.subscription.findMany({
    where,
    orderBy: [{ nextChargeAt: 'asc' }, { id: 'asc' }],
    take: most,
  });
  const count = rows.length < most ? rows.length : await ctx.db.subscription.count({ where });
  return { views: await viewSubscriptions(ctx.db, rows), count };
}

export type SubscriberFilter = {
  /** `failing` is `active` with a newest charge that was not made. */
  status?: SubscriptionView['status'] | 'failing' | undefined;
  /** The beginning of an address or a handle. */
  search?: string | undefined;
  mode?: 'test' | 'live' | undefined;
};

/** Those of one plan of the caller's, or of all of them. @throws AppError `resource_missing`, `parameter_invalid` */
export async function listSubscribers(
  ctx: Ctx,
  handle: SessionHandle,
  planId: string | undefined,
  { status, search, mode, ...paging }: Paging & SubscriberFilter,
): Promise<SubscriptionPage> {
  if (planId !== undefined) await ownPlanRow(ctx, handle.id, planId);
  return page(
    ctx,
    {
      plan: {
        handleId: handle.id,
        ...(planId === undefined ? {} : { id: planId }),
        ...(mode === undefined ? {} : { livemode: mode === 'live' }),
      },
      ...(status === 'failing' ? { status: 'active', failure: { not: null } } : status && { status }),
      ...(search === undefined ? {} : { subscriber: { in: await walletsNamed(ctx, search) } }),
    },
    paging,
  );
}

/** Wallets whose address or handle begins with a text. */
async function walletsNamed(ctx: Ctx, search: string): Promise<string[]> {
  const text = search.trim().replace(/^@/, '');
  const subscriber = addressStart(text);
  const rows =
    subscriber === null
      ? []
      : await ctx.db.subscription.findMany({
          where: { subscriber },
          distinct: ['subscriber'],
          select: { subscriber: true },
          take: 100,
        });
  const wallets = await ctx.db.wallet.findMany({
    where: { handle: { slug: { startsWith: text.toLowerCase() } } },
    select: { address: true },
    take: 100,
  });
  return [...rows.map((row) => row.subscriber), ...wallets.map(({ address }) => address)];
}

type Where = NonNullable<Parameters<Ctx['db']['subscription']['findMany']>[0]>['where'];

async function page(ctx: Ctx, where: Where, { limit, cursor }: Paging): Promise<SubscriptionPage> {
  const below = cursor === undefined ? {} : { id: { lt: readCursor('sub', cursor) } };
  const rows = await ctx.db.subscription.findMany({
    where: { AND: [where ?? {}, { status: { not: 'reverted' } }, below] },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    subscriptions: await viewSubscriptions(ctx.db, shown),
    nextCursor: rows.length > limit && last ? writeCursor(last.id) : null,
  };
}

/** The wallet of a handle on a plan's chain. @throws AppError `state_conflict` without one */
export function walletFor(ctx: Ctx, handleId: string): (chain: Chain) => Promise<string> {
  return async ({ facts }) => (await walletOnFamily(ctx.db, handleId, facts.family)).address;
}

/**
 * The caller says which transaction subscribed a wallet. The same one again answers the same row.
 * @param subscriber by the plan's chain
 * @throws AppError `resource_missing` for a key of no plan; `tx_not_found`, also while it is not final; `tx_mismatch` for a transaction that
 * subscribed another wallet, to another plan or at another router; `provider_unavailable`
 */
export async function recordSubscription(
  ctx: Ctx,
  subscriber: (chain: Chain) => Promise<string>,
  given: { planKey: string; txHash: string },
  { waitMs = ANSWER_WITHIN_MS }: Patience = {},
): Promise<SubscriptionView> {
  const plan = await ctx.db.plan.findFirst({
    where: { planKey: given.planKey.toLowerCase(), status: { not: 'dropped' } },
  });
  if (!plan) throw new AppError('resource_missing', 'No such plan. Check planKey.', { param: 'planKey' });
  const chain = chainOf(ctx, plan.chain);
  const wallet = canonicalAddress(chain.family, await subscriber(chain)) ?? '';
  const where = {
    chain: plan.chain,
    planKey: plan.planKey,
    subscriber: wallet,
    startTxHash: given.txHash,
  };
  const find = () => ctx.db.subscription.findFirst({ where: { ...where, status: { not: 'reverted' } } });
  const before = await find();
  if (before) return one(ctx, before);
  const tx = await proveTx(chain, given.txHash, 'nothing was subscribed');
  const isMine = tx.entries.some(
    (entry) => entry.kind === 'subscribed' && entry.planKey === plan.planKey && entry.subscriber === wallet,
  );
  if (!isMine) throw mismatch('This transaction didn’t subscribe this wallet to this plan.');
  await applyWhenFinal(ctx, chain, tx, waitMs);
  const row = await find();
  if (row) return one(ctx, row);
  const words = 'The transaction isn’t final yet. Try again in a few seconds; it is recorded in any case.';
  throw new AppError('tx_not_found', words, { param: 'txHash' });
}

async function one(ctx: Ctx, row: Subscription): Promise<SubscriptionView> {
  const [view] = await viewSubscriptions(ctx.db, [row]);
  if (!view) throw new Error('every row has its view');
  return view;
}

export type Party = 'subscriber' | 'creator';
export type OfParty = { row: Subscription; plan: Plan; party: Party };

/** A subscription of which the caller is the subscriber or the creator. @throws AppError `resource_missing` */
export async function partyRow(ctx: Ctx, handle: SessionHandle, id: string): Promise<OfParty> {
  const found = isId('sub', id)
    ? await ctx.db.subscription.findUnique({ where: { id }, include: { plan: true } })
    : null;
  const missing = () => new AppError('resource_missing', 'No such subscription. Check the ID.');
  if (!found || found.status === 'reverted') throw missing();
  const { plan, ...row } = found;
  if (isOwnOn(await placesOfHandle(ctx.db, handle.id), row.chain, row.subscriber))
    return { row, plan, party: 'subscriber' };
  if (plan.handleId === handle.id) return { row, plan, party: 'creator' };
  throw missing();
}

/** One of the caller's, as subscriber or creator. @throws AppError `resource_missing` */
export async function getSubscription(ctx: Ctx, handle: SessionHandle, id: string): Promise<SubscriptionView> {
  return one(ctx, (await partyRow(ctx, handle, id)).row);
}

/**
 * Subscriber or creator say that the subscription was cancelled on-chain.
 * @throws AppError `resource_missing`; `tx_not_found`; `tx_mismatch` for a transaction that did not cancel it; `state_conflict` when it is not
 * cancelled; `provider_unavailable`
 */
export async function confirmCancelled(
  ctx: Ctx,
  handle: SessionHandle,
  id: string,
  { txHash }: { txHash?: string | undefined },
  { waitMs = ANSWER_WITHIN_MS }: Patience = {},
): Promise<SubscriptionView> {
  const { row } = await partyRow(ctx, handle, id);
  const isSame = txHash === undefined || txHash === row.endTxHash;
  if (row.status === 'cancelled' && isSame) return one(ctx, row);
  const chain = chainOf(ctx, row.chain);
  if (txHash !== undefined) {
    const tx = await proveTx(chain, txHash, 'nothing was cancelled');
    const cancels = tx.entries.some(
      (entry) => entry.kind === 'cancelled' && entry.planKey === row.planKey && entry.subscriber === row.subscriber,
    );
    if (!cancels) throw mismatch('This transaction didn’t cancel this subscription.');
    await applyWhenFinal(ctx, chain, tx, waitMs);
  } else {
    const { state } = await subscriptionOnChain(chain, row);
    if (state !== 'cancelled') {
      const words = `On the chain this subscription is ${state}. Send cancel from your wallet first.`;
      throw new AppError('state_conflict', words);
    }
    // Who cancelled it stands in the event, which the feed reads.
    await pollWithin(ctx, waitMs, async () => {
      const now = await ctx.db.subscription.findUniqueOrThrow({ where: { id }, select: { status: true } });
      return now.status === 'cancelled' ? true : null;
    });
  }
  return one(ctx, await ctx.db.subscription.findUniqueOrThrow({ where: { id } }));
}
