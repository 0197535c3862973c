// Subscribing a wallet to a plan: what it signs so that an executor sends the call, or the calls that it sends itself. No account is needed.
import { canonicalAddress } from '../../chain/addresses.ts';
import type { TransactionToSign } from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import { type PlanMove, preparePlanMove, signsWhole, subscriberFunds, subscriptionOnChain } from '../../chain/plans.ts';
import { readSubscriberFunds, type SubscriberFunds } from '../../chain/routers/charges.ts';
import { encodeSubscribe, subscriptionNonce } from '../../chain/routers/subscription.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { gaslessWays } from '../../chain/signing/gasless.ts';
import {
  encodeApprove,
  normalSignature,
  permitNonce,
  type TokenDomain,
  tokenDomain,
  UNLIMITED,
} from '../../chain/signing/permits.ts';
import { proveSignature, typedDataHash } from '../../chain/signing/signatures.ts';
import { type Ctx, chainOf, evmChainOf } from '../../context.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { CALL_SIGNATURE_MS } from '../../domain/limits.ts';
import { formatUnits } from '../../domain/money.ts';
import { ALLOWANCE_PERIODS, TRIAL_GRACE_MS } from '../../domain/subscription.ts';
import { subscribeData } from '../../domain/typedData/subscriptions.ts';
import { permit2AllowanceData } from '../../domain/typedData/tokens.ts';
import { permitData, type TypedData } from '../../domain/typedData.ts';
import { checkDeadline } from '../accounts/signing.ts';
import { choosePayer } from '../outgoing/payers.ts';
import { planRow } from './plans.ts';
import type { WalletCall } from './staging.ts';
import {
  ownersOf,
  type Plan,
  type PublicPlan,
  publicPlan,
  type SubscriptionView,
  unitsOf,
  viewPlan,
  viewSubscriptions,
} from './views.ts';
import { raisedAllowance, type WholeUse } from './whole.ts';

/** More than any balance: a wallet that allowed this much needs no permit. */
const PRACTICALLY_UNLIMITED = 2n ** 128n;
const DAY_MS = 86_400_000;

/** Why a plan cannot be subscribed to without a transaction of the wallet’s own. */
export type ClosedWay = 'delegation_legacy' | 'no_erc1271' | 'not_offered' | 'domain_mismatch' | 'allowance_missing';

export type SubscribeInput = { plan: string; subscriber: string; periods?: number | undefined };
/** What the wallet allows: `amount` more than before, for so many periods. Decimal strings. */
export type AllowanceTerms = { periods: number; amount: string; total: string };

export type PreparedSubscription = {
  plan: PublicPlan;
  subscriber: string;
  allowance: AllowanceTerms;
  balance: string;
  /** Whether the balance covers the first charge. */
  funded: boolean;
  /** Null where the wallet has to send calls itself, for the reason in `closed`. */
  gasless: { permit: TypedData | null; subscribe: TypedData; submit: SubmitTerms } | null;
  closed: ClosedWay | null;
  /** What the wallet signs where that is a whole transaction, which Ampersat sends. Null on other chains; then the ways below are. */
  transaction: (TransactionToSign & { submit: WholeUse }) | null;
  /** The wallet’s own way: an approval where one is needed, then the call. */
  own: { approve: WalletCall | null; subscribe: WalletCall } | null;
  /** The same by Permit2, whose approval serves every service that uses it. Null where the chain has none. */
  permit2: { approve: WalletCall | null; sign: TypedData; terms: Permit2Terms } | null;
  /** Null without one, and where it was used. */
  trial: { days: number; ends_at: string } | null;
};
/** Goes back as it came, with the signatures. */
export type SubmitTerms = {
  nonce: string;
  deadline: number;
  permit: { value: string; deadline: number } | null;
  trial: boolean;
};
export type Permit2Terms = { amount: string; expiration: number; nonce: number; deadline: number };

/**
 * Everything that a wallet needs to subscribe. Changes nothing.
 * @throws AppError `resource_missing`; `parameter_invalid`; `state_conflict` for a plan that takes no one, for a wallet that subscribes already or may
 * not again yet; `provider_unavailable`
 */
export async function prepareSubscription(ctx: Ctx, input: SubscribeInput): Promise<PreparedSubscription> {
  const open = await openPlan(ctx, input);
  if (signsWhole(open.chain)) return prepareTransaction(ctx, open, periodsOf(input.periods));
  const { plan, chain, subscriber } = onEvm(ctx, open);
  const periods = periodsOf(input.periods);
  const units = unitsOf(plan.units);
  const [funds, ways, domain, nonce, tokenNonce] = await Promise.all([
    readSubscriberFunds(chain, subscriber),
    gaslessWays(chain, subscriber, { router: 'subscription', amount: units }),
    tokenDomain(chain),
    subscriptionNonce(chain, subscriber),
    chain.facts.permits.includes('eip2612') ? permitNonce(chain, subscriber) : 0n,
    requireFree(ctx, chain, plan, subscriber),
    requireNoTrial(ctx, plan, subscriber),
  ]);
  const trial = await offeredTrial(ctx, plan, subscriber);
  const total = totalAllowance(funds, units, periods);
  const endsAt = trial ? ctx.clock.now() + trial.days * DAY_MS : null;
  const deadline = Math.floor(
    (endsAt === null ? ctx.clock.now() + CALL_SIGNATURE_MS : endsAt + TRIAL_GRACE_MS) / 1_000,
  );
  const isUnlimited = funds.allowance >= PRACTICALLY_UNLIMITED;
  const way = ways.ways.find((one) => one.way === 'eip2612' || (one.way === 'allowance' && isUnlimited));
  const permit = way?.way === 'eip2612' && !isUnlimited ? { value: String(total), deadline } : null;
  const submit: SubmitTerms = { nonce: String(nonce), deadline, permit, trial: trial !== null };
  const closed = ways.closed.eip2612?.why as ClosedWay | undefined;
  const money = (value: bigint) => formatUnits(value, plan.decimals);
  return {
    plan: publicPlan(await viewPlan(ctx, ctx.db, plan)),
    subscriber,
    allowance: { periods, amount: money(units * BigInt(periods)), total: money(isUnlimited ? funds.allowance : total) },
    balance: money(funds.balance),
    funded: funds.balance >= units,
    gasless: way
      ? {
          permit: permit && permitTyped(chain, domain, subscriber, permit, tokenNonce),
          subscribe: subscribeTyped(chain, plan, subscriber, submit),
          submit,
        }
      : null,
    closed: way ? null : (closed ?? 'allowance_missing'),
    transaction: null,
    own: {
      approve:
        funds.allowance >= units * BigInt(periods) ? null : approveCall(chain, chain.routers.subscription, total),
      subscribe: ownCall(chain, encodeSubscribe(termsOf(plan, subscriber), { way: 'direct' })),
    },
    permit2: await permit2Way(chain, subscriber, funds, units * BigInt(periods), plan, periods, ctx.clock.now()),
    trial: trial && endsAt !== null ? { days: trial.days, ends_at: new Date(endsAt).toISOString() } : null,
  };
}

async function prepareTransaction(
  ctx: Ctx,
  { plan, chain, subscriber }: OpenPlan,
  periods: number,
): Promise<PreparedSubscription> {
  const units = unitsOf(plan.units);
  const [funds, payer] = await Promise.all([
    subscriberFunds(chain, subscriber),
    choosePayer(ctx, chain, 0),
    requireFree(ctx, chain, plan, subscriber),
  ]);
  const raised = await raisedAllowance(chain, subscriber, units * BigInt(periods));
  const prepared = await preparePlanMove(chain, subscribeMove(plan, subscriber, raised), payer);
  if (!prepared) throw new Error('wallets of this chain sign something else');
  const money = (value: bigint) => formatUnits(value, plan.decimals);
  return {
    plan: publicPlan(await viewPlan(ctx, ctx.db, plan)),
    subscriber,
    allowance: { periods, amount: money(units * BigInt(periods)), total: money(raised ?? funds.allowance) },
    balance: money(funds.balance),
    funded: funds.balance >= units,
    transaction: { ...prepared, submit: raised === null ? {} : { value: String(raised) } },
    gasless: null,
    closed: null,
    own: null,
    permit2: null,
    trial: null,
  };
}

/** @param allowance what may be drawn of the wallet from then on, in smallest units; null to leave it */
export function subscribeMove(plan: Plan, subscriber: string, allowance: bigint | null): PlanMove {
  const { creator, planKey, periodS: period } = plan;
  return { name: 'subscribe', creator, planKey, subscriber, amount: unitsOf(plan.units), period, allowance };
}

/** The allowance is one for all subscriptions of a wallet, so what is left of it stays. */
function totalAllowance({ allowance }: SubscriberFunds, units: bigint, periods: number): bigint {
  const sum = allowance + units * BigInt(periods);
  return sum > UNLIMITED ? UNLIMITED : sum;
}

export type OpenPlan = { plan: Plan; chain: Chain; subscriber: string };

/** @throws AppError `resource_missing`, `parameter_invalid`, `state_conflict` for a plan that takes no one */
export async function openPlan(ctx: Ctx, input: Pick<SubscribeInput, 'plan' | 'subscriber'>): Promise<OpenPlan> {
  const plan = await planRow(ctx, input.plan);
  if (plan.status === 'pending_create') throw new AppError('state_conflict', 'This plan isn’t active yet.');
  if (plan.status !== 'active') throw new AppError('state_conflict', 'This plan doesn’t accept new subscribers.');
  const chain = chainOf(ctx, plan.chain);
  const subscriber = canonicalAddress(chain.family, input.subscriber);
  if (!subscriber)
    throw new AppError('parameter_invalid', 'Invalid address. Check it and try again.', { param: 'subscriber' });
  return { plan, chain, subscriber };
}

/** The same for what is signed for contracts of EVM. @throws AppError `parameter_missing` where a wallet signs a whole transaction */
export function onEvm(ctx: Ctx, { plan, chain, subscriber }: OpenPlan) {
  if (signsWhole(chain)) throw new AppError('parameter_missing', undefined, { param: 'solana_transaction' });
  return { plan, chain: evmChainOf(ctx, chain.name), subscriber: subscriber as Address };
}

/** @throws AppError `state_conflict` */
async function requireFree(ctx: Ctx, chain: Chain, plan: Plan, subscriber: string): Promise<void> {
  const record = await subscriptionOnChain(chain, { planKey: plan.planKey, subscriber });
  if (record.state === 'active') throw new AppError('state_conflict', 'This wallet is already subscribed.');
  const earliest = (Number(record.lastChargedAt) + Math.ceil(plan.periodS / 2)) * 1_000;
  if (record.lastChargedAt > 0n && earliest > ctx.clock.now()) {
    const words = `This wallet was charged for this plan less than half a period ago. It can subscribe again from ${new Date(earliest).toISOString()}.`;
    throw new AppError('state_conflict', words);
  }
}

/** A wallet in its trial is charged at its end, not before. @throws AppError `state_conflict` */
export async function requireNoTrial(ctx: Ctx, plan: Plan, subscriber: Address): Promise<void> {
  const where = { planId: plan.id, subscriber, status: { in: ['waiting', 'submitted'] } };
  const trial = await ctx.db.trial.findFirst({ where, select: { endsAt: true } });
  if (!trial) return;
  const day = trial.endsAt.toISOString().slice(0, 10);
  throw new AppError(
    'state_conflict',
    `This wallet has this plan from ${day} on, and is charged then. To subscribe now, leave that on the subscriptions page first.`,
  );
}

/** One trial per wallet or handle and plan, and none after a subscription. */
export async function offeredTrial(ctx: Ctx, plan: Plan, subscriber: string): Promise<{ days: number } | null> {
  if (plan.trialDays === 0) return null;
  const owner = (await ownersOf(ctx.db, [{ chain: plan.chain, subscriber }])).get(`${plan.chain} ${subscriber}`);
  const own = owner ? [{ handleId: owner.id }] : [];
  const [trials, subscriptions] = await Promise.all([
    ctx.db.trial.count({ where: { planId: plan.id, OR: [{ subscriber }, ...own] } }),
    ctx.db.subscription.count({ where: { planId: plan.id, subscriber, status: { not: 'reverted' } } }),
  ]);
  return trials + subscriptions === 0 ? { days: plan.trialDays } : null;
}

/** @throws AppError `parameter_invalid` */
export function periodsOf(given: number | undefined): number {
  const { least, most, usual } = ALLOWANCE_PERIODS;
  const periods = given ?? usual;
  if (Number.isInteger(periods) && periods >= least && periods <= most) return periods;
  throw new AppError('parameter_invalid', `periods must be a whole number from ${least} to ${most}.`, {
    param: 'periods',
  });
}

export function termsOf(plan: Plan, subscriber: Address) {
  return { planKey: plan.planKey as Hex, subscriber, amount: unitsOf(plan.units), period: plan.periodS };
}

export function subscribeTyped(chain: EvmChain, plan: Plan, subscriber: Address, submit: SubmitTerms): TypedData {
  const at = { chainId: chain.facts.chainId, contract: chain.routers.subscription };
  const use = { nonce: BigInt(submit.nonce), deadline: BigInt(submit.deadline) };
  return subscribeData(at, { ...termsOf(plan, subscriber), ...use });
}

/** EIP-2612 for the subscription router. */
export function permitTyped(
  chain: EvmChain,
  domain: TokenDomain | null,
  owner: Address,
  { value, deadline }: { value: string; deadline: number },
  nonce: bigint,
): TypedData {
  if (!domain) throw new AppError('state_conflict', 'USDC doesn’t support signed approvals on this network.');
  const { chainId } = chain.facts;
  const spender = chain.routers.subscription;
  return permitData({
    chainId,
    token: chain.usdc,
    tokenDomain: domain,
    owner,
    spender,
    value: BigInt(value),
    nonce,
    deadline,
  });
}

function ownCall(chain: EvmChain, data: Hex, to: Address = chain.routers.subscription): WalletCall {
  return { to, data, value: '0x0', chainId: chain.facts.chainId };
}

function approveCall(chain: EvmChain, spender: Address, value: bigint): WalletCall {
  return ownCall(chain, encodeApprove(spender, value), chain.usdc);
}

/** Permit2 counts an amount below 2^160 down, until a time. */
const PERMIT2_MOST = 2n ** 160n - 1n;

async function permit2Way(
  chain: EvmChain,
  subscriber: Address,
  { permit2 }: SubscriberFunds,
  sum: bigint,
  { periodS }: Plan,
  periods: number,
  nowMs: number,
): Promise<PreparedSubscription['permit2']> {
  if (!chain.facts.permits.includes('permit2') || sum > PERMIT2_MOST) return null;
  const ways = await gaslessWays(chain, subscriber, { router: 'subscription', amount: sum });
  const why = ways.closed.permit2?.why;
  if (why !== undefined && why !== 'allowance_missing') return null;
  const now = Math.floor(nowMs / 1_000);
  const isOver = permit2.expiration < now;
  const left = isOver ? 0n : permit2.amount;
  const amount = left + sum > PERMIT2_MOST ? PERMIT2_MOST : left + sum;
  // Half a period of reserve for a charge that comes late.
  const expiration = Math.max(isOver ? 0 : permit2.expiration, now + Math.ceil(periodS * (periods + 0.5)));
  const deadline = now + CALL_SIGNATURE_MS / 1_000;
  const terms = { amount: String(amount), expiration, nonce: permit2.nonce, deadline };
  return {
    approve: why === 'allowance_missing' ? approveCall(chain, chain.permit2, UNLIMITED) : null,
    sign: permit2Typed(chain, terms),
    terms,
  };
}

function permit2Typed(chain: EvmChain, { amount, expiration, nonce, deadline }: Permit2Terms): TypedData {
  const at = { chainId: chain.facts.chainId, contract: chain.permit2 };
  const spender = chain.routers.subscription;
  const terms = { token: chain.usdc, amount: BigInt(amount), expiration, nonce, spender, deadline: BigInt(deadline) };
  return permit2AllowanceData(at, terms);
}

/** The wallet’s own call with a Permit2 signature. @throws AppError `resource_missing`, `parameter_invalid`, `state_conflict`, `signature_invalid` */
export async function permit2Call(
  ctx: Ctx,
  input: SubscribeInput & { terms: Permit2Terms; signature: Hex },
): Promise<{ transaction: WalletCall }> {
  const { plan, chain, subscriber } = onEvm(ctx, await openPlan(ctx, input));
  const signature = normalSignature(input.signature);
  const { terms } = input;
  checkDeadline(ctx, terms.deadline, CALL_SIGNATURE_MS);
  const hash = typedDataHash(permit2Typed(chain, terms));
  if (!(await proveSignature(chain, { address: subscriber, hash, signature }))) throw new AppError('signature_invalid');
  const { amount, expiration, nonce, deadline } = terms;
  const permit = { amount: BigInt(amount), expiration, nonce, deadline: BigInt(deadline), signature };
  return { transaction: ownCall(chain, encodeSubscribe(termsOf(plan, subscriber), { way: 'permit2', permit })) };
}

/** The newest subscription of a wallet to a plan, as final blocks have it. */
export async function subscriptionOf(ctx: Ctx, planId: string, subscriber: string): Promise<SubscriptionView | null> {
  const { chain } = await planRow(ctx, planId);
  const address = canonicalAddress(CHAINS[chain as ChainName].family, subscriber);
  const row = await ctx.db.subscription.findFirst({
    where: { planId, subscriber: address ?? '', status: { not: 'reverted' } },
    orderBy: { startedAt: 'desc' },
  });
  const [view] = row ? await viewSubscriptions(ctx.db, [row]) : [];
  return view ?? null;
}
