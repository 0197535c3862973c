// Subscriptions of a subscriber and of a creator: listed, recorded, managed without gas, and what may still be taken.
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { type Mode, usualMode } from '../../services/chains.ts';
import { listAllowances } from '../../services/plans/allowances.ts';
import { prepareManage, prepareOwnCall, submitManage, submitManagedWhole } from '../../services/plans/managing.ts';
import { chargesOf } from '../../services/plans/reading.ts';
import {
  confirmCancelled,
  getSubscription,
  listOwnSubscriptions,
  listSubscribers,
  partyRow,
  recordSubscription,
  walletFor,
} from '../../services/plans/subscriptions.ts';
import { prepareSwitch, submitSwitch } from '../../services/plans/switching.ts';
import { countManaged } from '../../services/publicRateLimit.ts';
import { bytes32, hexBytes, modes, searchText, solanaTransaction, transactionName } from '../parse.ts';
import { type Route, route, signatures } from './route.ts';
import {
  allowanceList,
  chargeList,
  manageAnswer,
  oneSubscription,
  subscriptionList,
  switchAnswer,
} from './subscriptionAnswers.ts';
import { chain, digits, listOf, paging, unixSeconds } from './subscriptionFields.ts';

const ONE_SUB = '/api/subscriptions/subs/{sub_id}';

export const subscriberFilter = {
  planId: z.string().max(60).optional(),
  status: z.enum(['active', 'failing', 'cancelled', 'halted']).optional(),
  search: searchText.optional(),
  mode: modes.optional(),
};

/** A plan has a mode of its own. */
export function subscribersMode(ctx: Ctx, planId: string | undefined, mode: Mode | undefined): Mode | undefined {
  return mode ?? (planId === undefined ? usualMode(ctx) : undefined);
}

const listSubs = route({
  method: 'get',
  path: '/api/subscriptions/subs',
  access: 'handle',
  query: z.strictObject({
    ...paging,
    /** Those of the caller's wallet; with a plan, or as its creator, those to the caller's plans. */
    as: z.enum(['subscriber', 'creator']).optional(),
    ...subscriberFilter,
  }),
  answer: subscriptionList,
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { caller: { handle }, query: { as, planId, ...given } }) {
    const isCreator = planId !== undefined || as === 'creator';
    const filter = isCreator ? { ...given, mode: subscribersMode(ctx, planId, given.mode) } : given;
    const { subscriptions, nextCursor } = isCreator
      ? await listSubscribers(ctx, handle, planId, filter)
      : await listOwnSubscriptions(ctx, handle, filter);
    return listOf('subscriptions', subscriptions, nextCursor);
  },
});

const recordSub = route({
  method: 'post',
  path: '/api/subscriptions/subs',
  access: 'handle',
  limit: signatures,
  body: z.strictObject({ planKey: bytes32, txHash: transactionName }),
  answer: oneSubscription,
  status: 201,
  errors: ['resource_missing', 'tx_not_found', 'tx_mismatch', 'state_conflict'],
  run: async (ctx, { caller: { handle }, body }) => ({
    subscription: await recordSubscription(ctx, walletFor(ctx, handle.id), body),
  }),
});

const getSub = route({
  method: 'get',
  path: ONE_SUB,
  access: 'handle',
  answer: oneSubscription,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller: { handle }, id }) => ({ subscription: await getSubscription(ctx, handle, id) }),
});

const actOnSub = route({
  method: 'post',
  path: ONE_SUB,
  access: 'handle',
  limit: signatures,
  body: z.strictObject({ action: z.literal('cancel'), txHash: transactionName.optional() }),
  answer: oneSubscription,
  status: 200,
  errors: ['resource_missing', 'tx_not_found', 'tx_mismatch', 'state_conflict'],
  run: async (ctx, { caller: { handle }, id, body }) => ({
    subscription: await confirmCancelled(ctx, handle, id, body),
  }),
});

const listCharges = route({
  method: 'get',
  path: `${ONE_SUB}/charges`,
  access: 'handle',
  /** `creator` names whose wallet is meant where a team's member asks; both parties see the same. */
  query: z.strictObject({ ...paging, as: z.enum(['creator']).optional() }),
  answer: chargeList,
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { caller: { handle }, id, query: { as: _, ...query } }) {
    const { plan } = await partyRow(ctx, handle, id);
    const { data, nextCursor } = await chargesOf(ctx, id, plan, query);
    return listOf('charges', data, nextCursor);
  },
});

const signedUse = {
  nonce: digits.optional(),
  deadline: unixSeconds.optional(),
  value: digits.optional(),
  signature: hexBytes.optional(),
  /** Instead of a signature, where a whole transaction is signed. */
  solana_transaction: solanaTransaction.optional(),
  /** `wallet` prepares the transaction of a wallet that cannot sign. */
  by: z.enum(['signature', 'wallet']).optional(),
};
const subscriptionId = z.string().max(60);

/** Without a signature what is to be signed; with one, the call. */
const manage = route({
  method: 'post',
  path: '/api/subscriptions/manage',
  access: 'handle',
  limit: (ctx, { handle }) => countManaged(ctx, handle.id),
  body: z.discriminatedUnion('action', [
    z.strictObject({
      action: z.enum(['create', 'deactivate', 'reactivate']),
      planId: z.string().max(60),
      ...signedUse,
    }),
    z.strictObject({ action: z.literal('cancel'), subscriptionId, ...signedUse }),
    z.strictObject({ action: z.literal('renew'), subscriptionId, periods: z.number().optional(), ...signedUse }),
    z.strictObject({ action: z.literal('revoke'), chain, ...signedUse }),
  ]),
  answer: manageAnswer,
  status: 200,
  errors: [
    'resource_missing',
    'signature_invalid',
    'delegation_legacy',
    'call_refused',
    'state_conflict',
    'rate_limited',
  ],
  async run(ctx, { caller: { handle }, body }) {
    const { nonce, deadline, value, signature, solana_transaction: whole, by, ...input } = body;
    if (whole !== undefined) return submitManagedWhole(ctx, handle, input, { value }, whole);
    if (by === 'wallet') return prepareOwnCall(ctx, handle, input);
    if (signature === undefined) return prepareManage(ctx, handle, input);
    if (nonce === undefined) throw new AppError('parameter_missing', undefined, { param: 'nonce' });
    if (deadline === undefined) throw new AppError('parameter_missing', undefined, { param: 'deadline' });
    return submitManage(ctx, handle, input, { nonce, deadline, value }, signature);
  },
});

const allowances = route({
  method: 'get',
  path: '/api/subscriptions/allowances',
  access: 'handle',
  answer: allowanceList,
  status: 200,
  errors: ['state_conflict'],
  run: async (ctx, { caller: { handle } }) => ({
    object: 'list' as const,
    allowances: await listAllowances(ctx, handle),
  }),
});

const switchTerms = {
  nonce: digits,
  cancel_deadline: unixSeconds,
  deadline: unixSeconds,
  permit: z.strictObject({ value: digits, deadline: unixSeconds }).nullable(),
};

/** First what is to be signed; then, with the signatures, the switch. */
const switchSub = route({
  method: 'post',
  path: '/api/subscriptions/switch',
  access: 'handle',
  limit: signatures,
  body: z.union([
    z.strictObject({ subscriptionId: z.string().max(60) }),
    z.strictObject({
      subscriptionId: z.string().max(60),
      ...switchTerms,
      cancel_signature: hexBytes,
      signature: hexBytes,
      permit_signature: hexBytes.optional(),
    }),
  ]),
  answer: switchAnswer,
  status: 200,
  errors: [
    'resource_missing',
    'unsupported_chain',
    'state_conflict',
    'signature_invalid',
    'delegation_legacy',
    'call_refused',
    'rate_limited',
  ],
  run: (ctx, { caller: { handle }, body }) =>
    'signature' in body
      ? submitSwitch(ctx, handle, body.subscriptionId, body, body)
      : prepareSwitch(ctx, handle, body.subscriptionId),
});

export const SUBSCRIPTION_ROUTES: readonly Route[] = [
  switchSub,
  listSubs,
  recordSub,
  getSub,
  actOnSub,
  listCharges,
  manage,
  allowances,
];
