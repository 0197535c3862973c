// Plans, subscriptions and charges under /v1: for reading. Creating and cancelling are the wallets’ own, on the pages.
import { z } from 'zod';
import {
  readCharges,
  readPlanOf,
  readPlans,
  readSubscriptionOf,
  readSubscriptions,
} from '../../services/plans/reading.ts';
import { pageOf } from '../list.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { readerOf } from './orders.ts';
import { charge, PLAN_STATUSES, plan, SUBSCRIPTION_STATUSES, subscription } from './planSchemas.ts';
import { ask, listOf } from './schemas.ts';

const listPlans = endpoint({
  method: 'get',
  path: '/v1/plans',
  operationId: 'listPlans',
  tag: 'Subscriptions',
  summary: 'List plans',
  description: 'Returns the workspace’s plans in the key’s mode, newest first.',
  scopes: ['read'],
  query: z.strictObject({
    status: z.enum(PLAN_STATUSES).optional().meta({ description: 'Filter by status.' }),
    chain: ask.onChain,
    limit: ask.limit,
    cursor: ask.cursor,
  }),
  answer: listOf(plan, 'PlanList'),
  status: 200,
  errors: [],
  async run(ctx, { caller, query }) {
    const { data, nextCursor } = await readPlans(ctx, readerOf(caller), query);
    return { answer: pageOf(data, nextCursor) };
  },
});

const getPlan = endpoint({
  method: 'get',
  path: '/v1/plans/{plan_id}',
  operationId: 'getPlan',
  tag: 'Subscriptions',
  summary: 'Retrieve a plan',
  description: 'Returns a plan.',
  scopes: ['read'],
  answer: plan,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller, id }) => ({ answer: await readPlanOf(ctx, readerOf(caller), id) }),
});

const listSubscriptions = endpoint({
  method: 'get',
  path: '/v1/subscriptions',
  operationId: 'listSubscriptions',
  tag: 'Subscriptions',
  summary: 'List subscriptions',
  description: 'Returns subscriptions to the workspace’s plans in the key’s mode, newest first.',
  scopes: ['read'],
  query: z.strictObject({
    plan: z.string().max(60).optional().meta({ description: 'Filter by plan ID.' }),
    status: z.enum(SUBSCRIPTION_STATUSES).optional().meta({ description: 'Filter by status.' }),
    subscriber: z
      .string()
      .max(60)
      .optional()
      .meta({ description: 'Filter by wallet address or handle.', example: '@alice' }),
    limit: ask.limit,
    cursor: ask.cursor,
  }),
  answer: listOf(subscription, 'SubscriptionList'),
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { caller, query }) {
    const { data, nextCursor } = await readSubscriptions(ctx, readerOf(caller), query);
    return { answer: pageOf(data, nextCursor) };
  },
});

const getSubscription = endpoint({
  method: 'get',
  path: '/v1/subscriptions/{subscription_id}',
  operationId: 'getSubscription',
  tag: 'Subscriptions',
  summary: 'Retrieve a subscription',
  description: 'Returns a subscription.',
  scopes: ['read'],
  answer: subscription,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller, id }) => ({ answer: await readSubscriptionOf(ctx, readerOf(caller), id) }),
});

const listCharges = endpoint({
  method: 'get',
  path: '/v1/subscriptions/{subscription_id}/charges',
  operationId: 'listSubscriptionCharges',
  tag: 'Subscriptions',
  summary: 'List the charges of a subscription',
  description: 'Returns the charges of a subscription, newest first.',
  scopes: ['read'],
  query: z.strictObject({ limit: ask.limit, cursor: ask.cursor }),
  answer: listOf(charge, 'ChargeList'),
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { caller, id, query }) {
    const { data, nextCursor } = await readCharges(ctx, readerOf(caller), id, query);
    return { answer: pageOf(data, nextCursor) };
  },
});

export const PLAN_ENDPOINTS: Endpoint[] = [listPlans, getPlan, listSubscriptions, getSubscription, listCharges];
