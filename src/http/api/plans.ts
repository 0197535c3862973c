// A creator's plans: staged, confirmed by the chain, changed, and in figures; and the look-up of a plan by its key, for anyone.
import { z } from 'zod';
import { isTimeZone } from '../../domain/days.ts';
import { AppError } from '../../domain/errors.ts';
import { usualMode } from '../../services/chains.ts';
import { readFigures } from '../../services/plans/figures.ts';
import {
  confirmPlanCreated,
  confirmPlanState,
  findPlansByKey,
  getOwnPlan,
  listOwnPlans,
  updatePlan,
} from '../../services/plans/plans.ts';
import { stagePlan } from '../../services/plans/staging.ts';
import { countPublicRead } from '../../services/publicRateLimit.ts';
import { amountText, bytes32, countOf, modes, transactionName } from '../parse.ts';
import { type Route, route, signatures } from './route.ts';
import { onePlan, planDetail, planFigures, planList, stagedPlan } from './subscriptionAnswers.ts';
import { chain, listOf, paging } from './subscriptionFields.ts';

const ONE_PLAN = '/api/subscriptions/plans/{plan_id}';

const wording = {
  name: z.string().max(400).optional(),
  description: z.string().max(2_000).optional(),
  image_url: z.string().max(2_000).nullish(),
  return_url: z.string().max(2_000).nullish(),
  metadata: z.record(z.string(), z.string()).optional(),
};

/** Public with a key, the caller's own without one. */
const listPlans = route({
  method: 'get',
  path: '/api/subscriptions/plans',
  access: 'maybe',
  query: z.strictObject({ ...paging, planKey: bytes32.optional(), mode: modes.optional() }),
  answer: planList,
  status: 200,
  errors: ['session_required', 'handle_required'],
  async run(ctx, { caller, query: { planKey, ...page } }) {
    if (planKey !== undefined) {
      await countPublicRead(ctx, 'plan', caller.from);
      return listOf('plans', await findPlansByKey(ctx, planKey), null);
    }
    if (!caller.session) throw new AppError('session_required');
    if (!caller.session.handle) throw new AppError('handle_required');
    const { mode = usualMode(ctx), ...paging } = page;
    const { plans, nextCursor } = await listOwnPlans(ctx, caller.session.handle.id, { mode, ...paging });
    return listOf('plans', plans, nextCursor);
  },
});

const createPlan = route({
  method: 'post',
  path: '/api/subscriptions/plans',
  access: 'handle',
  limit: signatures,
  body: z.strictObject({
    ...wording,
    name: z.string().max(400),
    amount: amountText,
    chain,
    period: z.number(),
    trial_days: z.number().optional(),
    replaces: z.string().max(60).optional(),
  }),
  answer: stagedPlan,
  status: 201,
  errors: ['unsupported_chain', 'amount_out_of_range', 'handle_not_found', 'recipient_not_allowed', 'state_conflict'],
  run: (ctx, { caller: { handle }, body }) => stagePlan(ctx, handle, body),
});

const getPlan = route({
  method: 'get',
  path: ONE_PLAN,
  access: 'handle',
  answer: planDetail,
  status: 200,
  errors: ['resource_missing'],
  run: (ctx, { caller: { handle }, id }) => getOwnPlan(ctx, handle, id),
});

const actOnPlan = route({
  method: 'post',
  path: ONE_PLAN,
  access: 'handle',
  limit: signatures,
  body: z.discriminatedUnion('action', [
    z.strictObject({ action: z.literal('confirm_create'), planKey: bytes32, txHash: transactionName.optional() }),
    z.strictObject({ action: z.literal('deactivate'), txHash: transactionName.optional() }),
    z.strictObject({ action: z.literal('reactivate'), txHash: transactionName.optional() }),
    z.strictObject({ action: z.literal('update'), ...wording }),
  ]),
  answer: onePlan,
  status: 200,
  errors: ['resource_missing', 'tx_not_found', 'tx_mismatch', 'state_conflict'],
  async run(ctx, { caller: { handle }, id, body }) {
    if (body.action === 'confirm_create') return { plan: await confirmPlanCreated(ctx, handle, id, body) };
    if (body.action === 'update') {
      const { action: _, ...texts } = body;
      return { plan: await updatePlan(ctx, handle, id, texts) };
    }
    return { plan: await confirmPlanState(ctx, handle, id, body) };
  },
});

const figures = route({
  method: 'get',
  path: '/api/subscriptions/figures',
  access: 'handle',
  query: z.strictObject({
    days: countOf(7, 366).default(30),
    tz: z.string().refine(isTimeZone, 'must be a time zone like Europe/Berlin').default('UTC'),
    mode: modes.optional(),
    planId: z.string().max(60).optional(),
  }),
  answer: planFigures,
  status: 200,
  errors: ['resource_missing'],
  run: (ctx, { caller: { handle }, query: { mode, ...query } }) =>
    readFigures(ctx, handle.id, { ...query, mode: mode ?? (query.planId === undefined ? usualMode(ctx) : undefined) }),
});

export const PLAN_ROUTES: readonly Route[] = [listPlans, createPlan, getPlan, actOnPlan, figures];
