// Subscribing on the hosted page, which needs no account; and the trials of the wallet that signed in.
import { z } from 'zod';
import type { Session } from '../../services/accounts/sessions.ts';
import { getHostedPlan } from '../../services/plans/plans.ts';
import { submitSubscription, submitWholeSubscription } from '../../services/plans/submitting.ts';
import { permit2Call, prepareSubscription, subscriptionOf } from '../../services/plans/subscribing.ts';
import { recordSubscription } from '../../services/plans/subscriptions.ts';
import { leaveTrial, listTrials, startTrial } from '../../services/plans/trials.ts';
import { countPublicCall, countPublicRead } from '../../services/publicRateLimit.ts';
import { findCall } from '../../services/spending/sponsoredCalls.ts';
import { bytes32, hexBytes, solanaTransaction, transactionName } from '../parse.ts';
import { type Route, route } from './route.ts';
import {
  hostedPlan,
  oneSubscription,
  oneTrial,
  preparedSubscription,
  subscribed,
  subscribing,
  trialList,
  walletTransaction,
} from './subscriptionAnswers.ts';
import { address, digits, unixSeconds } from './subscriptionFields.ts';

/** The hosted page's. */
const getHosted = route({
  method: 'get',
  path: '/api/subscriptions/hosted/{plan_id}',
  access: 'visitor',
  limit: (ctx, from) => countPublicRead(ctx, 'plan', from),
  query: z.strictObject({ subscriber: address.optional() }),
  answer: hostedPlan,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { id, query: { subscriber } }) => ({
    ...(await getHostedPlan(ctx, id)),
    subscription: subscriber === undefined ? null : await subscriptionOf(ctx, id, subscriber),
  }),
});

const who = { plan: z.string().max(60), subscriber: address, periods: z.number().optional() };

const prepareSubscribe = route({
  method: 'post',
  path: '/api/subscriptions/subscribe/prepare',
  access: 'visitor',
  limit: (ctx, from) => countPublicCall(ctx, 'subscribe', from),
  body: z.strictObject(who),
  answer: preparedSubscription,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  run: (ctx, { body }) => prepareSubscription(ctx, body),
});

/** The wallet's own call, with what it signed for Permit2. */
const permit2Transaction = route({
  method: 'post',
  path: '/api/subscriptions/subscribe/permit2',
  access: 'visitor',
  limit: (ctx, from) => countPublicCall(ctx, 'subscribe', from),
  body: z.strictObject({
    ...who,
    terms: z.strictObject({
      amount: digits,
      expiration: z.number().int().min(0).max(281_474_976_710_655),
      nonce: z.number().int().min(0).max(281_474_976_710_655),
      deadline: unixSeconds,
    }),
    signature: hexBytes,
  }),
  answer: walletTransaction,
  status: 200,
  errors: ['resource_missing', 'state_conflict', 'signature_invalid'],
  run: (ctx, { body }) => permit2Call(ctx, body),
});

const subscribe = route({
  method: 'post',
  path: '/api/subscriptions/subscribe',
  access: 'visitor',
  limit: (ctx, from) => countPublicCall(ctx, 'subscribe', from),
  body: z.union([
    z.strictObject({
      ...who,
      nonce: digits,
      deadline: unixSeconds,
      permit: z.strictObject({ value: digits, deadline: unixSeconds }).nullable(),
      trial: z.boolean(),
      signature: hexBytes,
      permit_signature: hexBytes.optional(),
    }),
    /** The whole transaction, signed, where the plan's chain takes that. */
    z.strictObject({ ...who, value: digits.optional(), solana_transaction: solanaTransaction }),
  ]),
  answer: subscribed,
  status: 201,
  errors: [
    'resource_missing',
    'state_conflict',
    'signature_invalid',
    'delegation_legacy',
    'call_refused',
    'rate_limited',
  ],
  run: async (ctx, { body }) => {
    if ('solana_transaction' in body) return { request: await submitWholeSubscription(ctx, body) };
    return body.trial ? { trial: await startTrial(ctx, body) } : { request: await submitSubscription(ctx, body) };
  },
});

/** The wallet sent its own transaction: recorded on the chain's word alone, so anyone may say it. */
const sent = route({
  method: 'post',
  path: '/api/subscriptions/subscribe/sent',
  access: 'visitor',
  limit: (ctx, from) => countPublicCall(ctx, 'subscribe', from),
  body: z.strictObject({ planKey: bytes32, subscriber: address, txHash: transactionName }),
  answer: oneSubscription,
  status: 201,
  errors: ['resource_missing', 'tx_not_found', 'tx_mismatch'],
  run: async (ctx, { body: { subscriber, ...given } }) => ({
    subscription: await recordSubscription(ctx, async () => subscriber, given),
  }),
});

const getSubscribing = route({
  method: 'get',
  path: '/api/subscriptions/subscribe/{call_id}',
  access: 'visitor',
  limit: (ctx, from) => countPublicRead(ctx, 'plan', from),
  query: z.strictObject({ plan: z.string().max(60), subscriber: address }),
  answer: subscribing,
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { id, query: { plan, subscriber } }) {
    const request = await findCall(ctx, { id, kind: 'subscribe' });
    const isFinal = request.status === 'mined' || request.status === 'final';
    return { request, subscription: isFinal ? await subscriptionOf(ctx, plan, subscriber) : null };
  },
});

/** A trial is of the wallet that signed in, with or without a handle; of a handle's EVM wallet where another one signed in. */
const subscriberOf = ({ address, handle }: Session) => handle?.wallet?.address ?? address;

const trials = route({
  method: 'get',
  path: '/api/subscriptions/trials',
  access: 'session',
  answer: trialList,
  status: 200,
  errors: [],
  run: async (ctx, { caller }) => ({ object: 'list' as const, trials: await listTrials(ctx, subscriberOf(caller)) }),
});

const leave = route({
  method: 'post',
  path: '/api/subscriptions/trials/{trial_id}',
  access: 'session',
  body: z.strictObject({ action: z.literal('leave') }),
  answer: oneTrial,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  run: async (ctx, { caller, id }) => ({ trial: await leaveTrial(ctx, subscriberOf(caller), id) }),
});

export const SUBSCRIBING_ROUTES: readonly Route[] = [
  getHosted,
  prepareSubscribe,
  permit2Transaction,
  subscribe,
  sent,
  getSubscribing,
  trials,
  leave,
];
