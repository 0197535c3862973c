// Subscriptions of a subscriber and of a creator: listed, and recorded or ended on the chain's word alone.
import { readSubscription } from '../../chain/routers/subscription.ts';
import type { Address, Hex } from '../../chain/rpc/client.ts';
import { checkedAddress } from '../../chain/signing/signatures.ts';
import { type Ctx, evmChainOf, evmChains } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { reaches } from '../../domain/walletReach.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { readCursor, writeCursor } from '../pagination.ts';
import { ANSWER_WITHIN_MS, pollWithin } from '../polling.ts';
import { ownPlanRow } from './plans.ts';
import { applyWhenFinal, mismatch, proveTx } from './proof.ts';
import { type Plan, type Subscription, type SubscriptionView, viewSubscriptions } from './views.ts';

type Patience = { waitMs?: number };
type Paging = { limit: number; cursor?: string | undefined };
export type SubscriptionPage = { subscriptions: SubscriptionView[]; nextCursor: string | null };

/** Of every chain on which the caller's wallet is its own, the newest first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listOwnSubscriptions(ctx: Ctx, handle: SessionHandle, paging: Paging): Promise<SubscriptionPage> {
  const { wallet } = handle;
  if (!wallet) return { subscriptions: [], nextCursor: null };
  const chain = { in: Object.keys(evmChains(ctx)).filter((name) => reaches(wallet, name)) };
  return page(ctx, { subscriber: wallet.address, chain }, paging);
}

/** Those of a handle's wallet that stand, the next charge first, and how many there are. */
export async function activeSubscriptions(
  ctx: Ctx,
  handleId: string,
  most: number,
): Promise<{ views: SubscriptionView[]; count: number }> {
  const wallets = await ctx.db.wallet.findMany({ where: { handleId, family: 'evm' } });
  const reached = wallets.map((wallet) => ({
    subscriber: wallet.address,
    chain: { in: Object.keys(evmChains(ctx)).filter((name) => reaches(wallet, name)) },
  }));
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
  if (/^0x[0-9a-f]{2,40}$/i.test(text)) {
    const rows = await ctx.db.subscription.findMany({
      where: { subscriber: { startsWith: text, mode: 'insensitive' } },
      distinct: ['subscriber'],
      select: { subscriber: true },
      take: 100,
    });
    return rows.map(({ subscriber }) => subscriber);
  }
  const wallets = await ctx.db.wallet.findMany({
    where: { family: 'evm', handle: { slug: { startsWith: text.toLowerCase() } } },
    select: { address: true },
    take: 100,
  });
  return wallets.map(({ address }) => address);
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

/**
 * The caller says which transaction subscribed a wallet. The same one again answers the same row.
 * @throws AppError `resource_missing` for a key of no plan; `tx_not_found`, also while it is not final; `tx_mismatch` for a transaction that
 * subscribed another wallet, to another plan or at another router; `provider_unavailable`
 */
export async function recordSubscription(
  ctx: Ctx,
  subscriber: string,
  given: { planKey: string; txHash: string },
  { waitMs = ANSWER_WITHIN_MS }: Patience = {},
): Promise<SubscriptionView> {
  const plan = await ctx.db.plan.findFirst({
    where: { planKey: given.planKey.toLowerCase(), status: { not: 'dropped' } },
  });
  if (!plan) throw new AppError('resource_missing', 'No such plan. Check planKey.', { param: 'planKey' });
  const wallet = checkedAddress(subscriber) ?? '';
  const chain = evmChainOf(ctx, plan.chain);
  const where = {
    chain: plan.chain,
    planKey: plan.planKey,
    subscriber: wallet,
    startTxHash: given.txHash.toLowerCase(),
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
  const { wallet } = handle;
  if (wallet && wallet.address === row.subscriber && reaches(wallet, row.chain))
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
  const isSame = txHash === undefined || txHash.toLowerCase() === row.endTxHash;
  if (row.status === 'cancelled' && isSame) return one(ctx, row);
  const chain = evmChainOf(ctx, row.chain);
  if (txHash !== undefined) {
    const tx = await proveTx(chain, txHash, 'nothing was cancelled');
    const cancels = tx.entries.some(
      (entry) => entry.kind === 'cancelled' && entry.planKey === row.planKey && entry.subscriber === row.subscriber,
    );
    if (!cancels) throw mismatch('This transaction didn’t cancel this subscription.');
    await applyWhenFinal(ctx, chain, tx, waitMs);
  } else {
    const at = { planKey: row.planKey as Hex, subscriber: row.subscriber as Address };
    const { state } = await readSubscription(chain, at);
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
