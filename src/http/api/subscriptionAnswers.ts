// Answers about plans and subscriptions. Amounts are canonical decimal strings of USDC; times ISO 8601 in UTC, but for the interface's two in milliseconds.
import { z } from 'zod';
import { transactionToSign, typedData, walletCall } from './signingAnswers.ts';
import { callView } from './spendingAnswers.ts';

const failureCode = z.enum([
  'insufficient_balance',
  'insufficient_allowance',
  'plan_inactive',
  'token_refused',
  'not_mined',
]);
const time = z.iso.datetime();

const publicFields = {
  id: z.string(),
  object: z.literal('plan'),
  planKey: z.string(),
  name: z.string(),
  description: z.string(),
  amount: z.string(),
  currency: z.string(),
  chain: z.string(),
  /** Seconds. */
  period: z.number().int(),
  status: z.enum(['pending_create', 'active', 'inactive']),
  fee: z.string(),
  you_get: z.string(),
  trial_days: z.number().int(),
  image_url: z.string().nullable(),
  return_url: z.string().nullable(),
  url: z.string(),
  creatorHandle: z.string().nullable(),
  creator: z.string(),
  replaced_by: z.string().nullable(),
  livemode: z.boolean(),
  created_at: time,
  confirmed_at: time.nullable(),
};
export const publicPlan = z.strictObject(publicFields);
export const planView = z.strictObject({ ...publicFields, metadata: z.record(z.string(), z.string()) });
export type PlanView = z.infer<typeof planView>;

/** What the creator's wallet sends to the router, or on Solana signs for the program. Smallest units, seconds; `chainId` is null there. */
const onChainArgs = z.strictObject({
  router: z.string(),
  planId: z.string(),
  planIdHash: z.string(),
  token: z.string(),
  amount: z.string(),
  period: z.number().int(),
  chainId: z.number().int().nullable(),
});
/** `transaction` is null where an executor sends what the wallet signs: `manage` with `create` gives that. */
export const stagedPlan = z.strictObject({ plan: planView, onChainArgs, transaction: walletCall.nullable() });
export type StagedPlan = z.infer<typeof stagedPlan>;
export const onePlan = z.strictObject({ plan: planView });
/** With the call while the plan waits to be created. */
export const planDetail = z.union([stagedPlan, onePlan]);
export type PlanDetail = z.infer<typeof planDetail>;

const paging = { object: z.literal('list'), has_more: z.boolean(), next_cursor: z.string().nullable() };
/** Of the caller; of anyone, for a key, without metadata. */
export const planList = z.strictObject({ ...paging, plans: z.array(z.union([planView, publicPlan])) });
export type PlanList = z.infer<typeof planList>;

export const subscriptionView = z.strictObject({
  id: z.string(),
  object: z.literal('subscription'),
  plan: z.string(),
  planKey: z.string(),
  plan_name: z.string(),
  subscriberHandle: z.string().nullable(),
  subscriber: z.string(),
  creatorHandle: z.string().nullable(),
  creator: z.string(),
  status: z.enum(['active', 'cancelled', 'halted']),
  amount: z.string(),
  currency: z.string(),
  chain: z.string(),
  period: z.number().int(),
  /** Unix milliseconds. */
  startedAt: z.number().int(),
  lastChargedAt: z.number().int(),
  chargesPaid: z.number().int(),
  next_charge_at: time.nullable(),
  total_paid: z.string(),
  failing: z.strictObject({ code: failureCode, since: time.nullable() }).nullable(),
  ended_at: time.nullable(),
  cancelled_by: z.enum(['subscriber', 'creator']).nullable(),
  reason: z.enum(['unpaid', 'lapsed']).nullable(),
  replaced_by: z.string().nullable(),
  txHash: z.string(),
  livemode: z.boolean(),
});
export type SubscriptionView = z.infer<typeof subscriptionView>;
export const oneSubscription = z.strictObject({ subscription: subscriptionView });
export const subscriptionList = z.strictObject({ ...paging, subscriptions: z.array(subscriptionView) });
export type SubscriptionList = z.infer<typeof subscriptionList>;

export const chargeView = z.strictObject({
  object: z.literal('charge'),
  subscription: z.string(),
  number: z.number().int(),
  amount: z.string(),
  fee: z.string(),
  currency: z.string(),
  txHash: z.string(),
  explorer_url: z.string().nullable(),
  charged_at: time,
  period_start: time,
  period_end: time,
});
export type ChargeView = z.infer<typeof chargeView>;
export const chargeList = z.strictObject({ ...paging, charges: z.array(chargeView) });
export type ChargeList = z.infer<typeof chargeList>;

const manageUse = z.strictObject({ nonce: z.string(), deadline: z.number().int(), value: z.string().optional() });
export const preparedManage = z.strictObject({ typed_data: typedData, submit: manageUse, transaction: walletCall });
export type PreparedManage = z.infer<typeof preparedManage>;
/** A whole transaction to sign, where an executor sends that; `submit` goes back with it. `value` is an allowance in smallest units. */
export const preparedTransaction = transactionToSign.extend({
  submit: z.strictObject({ value: z.string().optional() }),
});
export type PreparedTransaction = z.infer<typeof preparedTransaction>;
export const managed = z.strictObject({
  request: callView,
  txHash: z.string().nullable(),
  tx_hash: z.string().nullable(),
});
export type Managed = z.infer<typeof managed>;
export const walletTransaction = z.strictObject({ transaction: walletCall });
export type WalletTransaction = z.infer<typeof walletTransaction>;
/** What is to be signed; with a signature, how far its call is; for a wallet that cannot sign, its transaction. */
export const manageAnswer = z.union([preparedManage, preparedTransaction, managed, walletTransaction]);

const submitTerms = z.strictObject({
  nonce: z.string(),
  deadline: z.number().int(),
  permit: z.strictObject({ value: z.string(), deadline: z.number().int() }).nullable(),
  trial: z.boolean(),
});
const permit2Terms = z.strictObject({
  amount: z.string(),
  expiration: z.number().int(),
  nonce: z.number().int(),
  deadline: z.number().int(),
});
export const preparedSubscription = z.strictObject({
  plan: publicPlan,
  subscriber: z.string(),
  allowance: z.strictObject({ periods: z.number().int(), amount: z.string(), total: z.string() }),
  balance: z.string(),
  funded: z.boolean(),
  gasless: z.strictObject({ permit: typedData.nullable(), subscribe: typedData, submit: submitTerms }).nullable(),
  closed: z.enum(['delegation_legacy', 'no_erc1271', 'not_offered', 'domain_mismatch', 'allowance_missing']).nullable(),
  /** On Solana, where the fields behind it are null. */
  transaction: preparedTransaction.nullable(),
  own: z.strictObject({ approve: walletCall.nullable(), subscribe: walletCall }).nullable(),
  permit2: z.strictObject({ approve: walletCall.nullable(), sign: typedData, terms: permit2Terms }).nullable(),
  trial: z.strictObject({ days: z.number().int(), ends_at: time }).nullable(),
});
export type PreparedSubscription = z.infer<typeof preparedSubscription>;

export const preparedSwitch = z.strictObject({
  plan: publicPlan,
  starts_at: time,
  cancel: typedData,
  subscribe: typedData,
  permit: typedData.nullable(),
  submit: z.strictObject({
    nonce: z.string(),
    cancel_deadline: z.number().int(),
    deadline: z.number().int(),
    permit: z.strictObject({ value: z.string(), deadline: z.number().int() }).nullable(),
  }),
});
export type PreparedSwitch = z.infer<typeof preparedSwitch>;

export const trialView = z.strictObject({
  object: z.literal('trial'),
  id: z.string(),
  plan: z.string(),
  plan_name: z.string(),
  creatorHandle: z.string().nullable(),
  creator: z.string(),
  amount: z.string(),
  currency: z.string(),
  period: z.number().int(),
  chain: z.string(),
  subscriber: z.string(),
  status: z.enum(['waiting', 'submitted', 'started', 'left', 'failed']),
  ends_at: time,
  switches_from: z.string().nullable(),
  failure: z.string().nullable(),
  livemode: z.boolean(),
  created_at: time,
});
export type TrialView = z.infer<typeof trialView>;
export const oneTrial = z.strictObject({ trial: trialView });
export const switched = z.strictObject({ trial: trialView, request: callView });
export type Switched = z.infer<typeof switched>;
/** What is to be signed; with the signatures, what follows. */
export const switchAnswer = z.union([preparedSwitch, switched]);
export const trialList = z.strictObject({ object: z.literal('list'), trials: z.array(trialView) });
export type TrialList = z.infer<typeof trialList>;

/** A call that was signed, or a trial that was kept. */
export const subscribed = z.union([z.strictObject({ request: callView }), oneTrial]);
export type Subscribed = z.infer<typeof subscribed>;
/** How far the call is; the subscription once it is final. */
export const subscribing = z.strictObject({ request: callView, subscription: subscriptionView.nullable() });
export type Subscribing = z.infer<typeof subscribing>;

export const hostedPlan = z.strictObject({
  plan: publicPlan,
  chain_label: z.string(),
  chain_id: z.number().int().nullable(),
  creator_kind: z.enum(['personal', 'business']).nullable(),
  /** The newest of the wallet that was named. */
  subscription: subscriptionView.nullable(),
});
export type HostedPlan = z.infer<typeof hostedPlan>;

export const allowanceList = z.strictObject({
  object: z.literal('list'),
  allowances: z.array(
    z.strictObject({
      chain: z.string(),
      label: z.string(),
      livemode: z.boolean(),
      unreachable: z.boolean(),
      allowance: z.string().nullable(),
      balance: z.string(),
      per_period: z.string(),
      subscriptions: z.number().int(),
      permit: z.boolean(),
      shared: z.boolean(),
    }),
  ),
});
export type AllowanceList = z.infer<typeof allowanceList>;

const money = { amount: z.string(), fees: z.string(), net: z.string() };
export const planFigures = z.strictObject({
  currency: z.literal('USDC'),
  active: z.number().int(),
  failing: z.number().int(),
  trials: z.number().int(),
  mrr: z.string(),
  started: z.number().int(),
  ended: z.number().int(),
  churn: z.number().nullable(),
  charged: z.strictObject({ count: z.number().int(), ...money }),
  days: z.array(
    z.strictObject({
      date: z.string(),
      mrr: z.string(),
      active: z.number().int(),
      started: z.number().int(),
      ended: z.number().int(),
      charged: z.string(),
    }),
  ),
  upcoming: z.strictObject({
    count: z.number().int(),
    amount: z.string(),
    days: z.array(z.strictObject({ date: z.string(), count: z.number().int(), amount: z.string() })),
  }),
});
export type PlanFigures = z.infer<typeof planFigures>;
