// What a handle may spend, and the signatures that change it.
import { z } from 'zod';
import { listConnections } from '../../services/accounts/connectionViews.ts';
import { prepareApprove, prepareCall, submitSigned } from '../../services/spending/changes.ts';
import { spendingOf } from '../../services/spending/limits.ts';
import { pauseNow } from '../../services/spending/pauses.ts';
import { prepareRight, submitRight } from '../../services/spending/rights.ts';
import { callOf } from '../../services/spending/sponsoredCalls.ts';
import { amountText, solanaTransaction, walletSignature } from '../parse.ts';
import { type Route, route, signatures } from './route.ts';
import { approval, oneCall, pausedSpending, preparedCall, spendingOverview, submittedCall } from './spendingAnswers.ts';

const name = z.string().max(40);
const amount = amountText;
const permit = z.strictObject({ kind: z.literal('permit'), chain: name, amount });
const limits = z.strictObject({ kind: z.literal('limits'), chain: name, per_tip: amount, per_day: amount });
const allow = z.strictObject({ ...limits.shape, kind: z.literal('allow'), amount });
const resume = z.strictObject({ kind: z.literal('resume'), chain: name });
const right = z.strictObject({
  kind: z.literal('right'),
  connection_id: z.string().max(60),
  command_cap: amount,
  day_cap: amount,
  chain: name,
});
const deadline = z.number().int().min(0).max(4_294_967_295);
/** An EVM wallet signs with a number of the chain; one of Solana signs the whole transaction. */
const signed = {
  nonce: z
    .string()
    .regex(/^\d{1,78}$/, 'must be a whole number, as it was given')
    .optional(),
  deadline,
  signature: walletSignature.optional(),
  solana_transaction: solanaTransaction.optional(),
};
const spendNonce = z.string().regex(/^\d{1,9}$/, 'must be a whole number, as it was given');

const get = route({
  method: 'get',
  path: '/api/spending',
  access: 'handle',
  answer: spendingOverview,
  status: 200,
  errors: [],
  async run(ctx, { caller: { handle } }) {
    const [spending, connections] = await Promise.all([spendingOf(ctx, handle.id), listConnections(ctx, handle.id)]);
    return { handle: handle.slug, ...spending, connections };
  },
});

const prepare = route({
  method: 'post',
  path: '/api/spending/prepare',
  access: 'handle',
  limit: signatures,
  body: z.discriminatedUnion('kind', [permit, limits, allow, resume, right.partial({ chain: true })]),
  answer: preparedCall,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  run: async (ctx, { caller: { handle }, body }) =>
    body.kind === 'right' ? prepareRight(ctx, handle, body) : prepareCall(ctx, handle, body),
});

const submit = route({
  method: 'post',
  path: '/api/spending/submit',
  access: 'handle',
  limit: signatures,
  body: z.discriminatedUnion('kind', [
    permit.extend(signed),
    limits.extend(signed),
    allow.extend(signed),
    resume.extend(signed),
    right.extend({ deadline, signature: walletSignature, nonce: spendNonce }),
  ]),
  answer: submittedCall,
  status: 200,
  errors: ['resource_missing', 'signature_invalid', 'call_refused', 'state_conflict', 'rate_limited'],
  async run(ctx, { caller: { handle }, body }) {
    if (body.kind === 'right') {
      const { signature, ...terms } = body;
      return submitRight(ctx, handle, terms, signature);
    }
    const { signature, solana_transaction, ...terms } = body;
    return { request: await submitSigned(ctx, handle, terms, { signature, solana_transaction }) };
  },
});

const getCall = route({
  method: 'get',
  path: '/api/spending/requests/{request_id}',
  access: 'handle',
  answer: oneCall,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller: { handle }, id }) => ({ request: await callOf(ctx, handle.id, id) }),
});

const approve = route({
  method: 'post',
  path: '/api/spending/approve/prepare',
  access: 'handle',
  body: z.strictObject({ chain: name, amount }),
  answer: approval,
  status: 200,
  errors: [],
  run: async (ctx, { caller: { handle }, body }) => ({ transaction: prepareApprove(ctx, handle, body) }),
});

const pause = route({
  method: 'post',
  path: '/api/spending/pause',
  access: 'handle',
  body: z.strictObject({}),
  answer: pausedSpending,
  status: 200,
  errors: [],
  run: async (ctx, { caller: { handle } }) => ({ paused_at: (await pauseNow(ctx, handle.id)).toISOString() }),
});

export const SPENDING_ROUTES: readonly Route[] = [get, prepare, submit, getCall, approve, pause];
