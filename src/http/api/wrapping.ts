// Wrapping of SOL: a transaction that we build and pay the fee of, which the handle's wallet signs and brings back.
import { z } from 'zod';
import { WRAPPINGS } from '../../domain/wrapping.ts';
import { buildWrap, getWrap, submitWrap, wrapBalances } from '../../services/spending/wrapping.ts';
import { amountText, solanaTransaction } from '../parse.ts';
import { type Route, route, signatures } from './route.ts';
import { wrapBalances as balancesAnswer, builtWrap, oneWrap } from './wrappingAnswers.ts';

const balances = route({
  method: 'get',
  path: '/api/solana/wrap',
  access: 'handle',
  answer: balancesAnswer,
  status: 200,
  errors: ['unsupported_chain', 'state_conflict'],
  run: async (ctx, { caller: { handle } }) => wrapBalances(ctx, handle),
});

const build = route({
  method: 'post',
  path: '/api/solana/wrap',
  access: 'handle',
  limit: signatures,
  body: z.strictObject({ kind: z.enum(WRAPPINGS), amount: amountText }),
  answer: builtWrap,
  status: 201,
  errors: ['unsupported_chain', 'state_conflict', 'call_refused', 'rate_limited'],
  async run(ctx, { caller: { handle }, body }) {
    const built = await buildWrap(ctx, handle, body);
    return { ...built, submit: `/api/solana/wrap/${built.wrap.id}` };
  },
});

const submit = route({
  method: 'post',
  path: '/api/solana/wrap/{wrap_id}',
  access: 'handle',
  limit: signatures,
  body: z.strictObject({ solana_transaction: solanaTransaction }),
  answer: oneWrap,
  status: 200,
  errors: ['resource_missing', 'signature_invalid', 'state_conflict', 'call_refused', 'rate_limited'],
  run: async (ctx, { caller: { handle }, id, body }) => ({
    wrap: await submitWrap(ctx, handle, id, body.solana_transaction),
  }),
});

const get = route({
  method: 'get',
  path: '/api/solana/wrap/{wrap_id}',
  access: 'handle',
  answer: oneWrap,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller: { handle }, id }) => ({ wrap: await getWrap(ctx, handle, id) }),
});

export const WRAPPING_ROUTES: readonly Route[] = [balances, build, submit, get];
