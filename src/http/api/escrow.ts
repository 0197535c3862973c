// Escrows (OpenTab): staging one, saying that it was opened, claiming it, taking it back.
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import type { SessionHandle } from '../../services/accounts/sessions.ts';
import { claimAll, claimEscrow } from '../../services/escrow/claimRequests.ts';
import { listReceived, listSent } from '../../services/escrow/lists.ts';
import { confirmCreate, openingData, openSigned } from '../../services/escrow/opening.ts';
import {
  askRefund,
  confirmEscrowRefund,
  refundByTransaction,
  refundData,
  refundSigned,
} from '../../services/escrow/refunds.ts';
import { stageEscrow } from '../../services/escrow/staging.ts';
import { type EscrowView, getEscrow } from '../../services/escrow/views.ts';
import { confirmingFor } from '../../services/escrow/waiting.ts';
import { escrowClosed } from '../../services/tips/escrowTips.ts';
import { amountText, bytes32, countOf, hexBytes, parseObject, solanaTransaction, transactionName } from '../parse.ts';
import { claimedEscrows, escrowAction, escrowList, oneEscrow, preparedRefund, stagedEscrow } from './escrowAnswers.ts';
import { type Route, route, signatures } from './route.ts';
import { transactionToSign } from './signingAnswers.ts';

const ONE = '/api/escrow/{escrow_id}';

const refund = z.literal('refund');
const deadline = z.number().int().min(0).max(4_294_967_295);
/** A refund has one of four forms: by the caller’s transaction, by the sender’s signature, by a transaction that it signed, or with nothing after the deadline. */
const refundForm = z.strictObject({
  action: refund,
  txHash: transactionName.optional(),
  deadline: deadline.optional(),
  signature: hexBytes.optional(),
  solana_transaction: solanaTransaction.optional(),
});
const ownTx = z.strictObject({ action: refund, txHash: transactionName });
const signed = z.strictObject({ action: refund, deadline, signature: hexBytes });
const signedWhole = z.strictObject({ action: refund, solana_transaction: solanaTransaction });

const list = route({
  method: 'get',
  path: '/api/escrow',
  access: 'handle',
  query: z.strictObject({
    role: z.enum(['sender', 'recipient']).default('sender'),
    limit: countOf(1, 100).default(20),
    cursor: z.string().max(200).optional(),
  }),
  answer: escrowList,
  status: 200,
  errors: [],
  async run(ctx, { caller: { handle }, query: { role, ...paging } }) {
    const { escrows, nextCursor } = await (role === 'sender' ? listSent : listReceived)(ctx, handle, paging);
    const confirming = role === 'sender' ? null : await confirmingFor(ctx, handle.id);
    return { object: 'list' as const, escrows, confirming, has_more: nextCursor !== null, next_cursor: nextCursor };
  },
});

const stage = route({
  method: 'post',
  path: '/api/escrow',
  access: 'handle',
  limit: signatures,
  body: z.strictObject({
    handleSlug: z.string().min(1).max(80),
    amount: amountText,
    chain: z.string().max(40),
    dueInHours: z.number().optional(),
    note: z.string().max(2_000).nullish(),
  }),
  answer: stagedEscrow,
  status: 201,
  errors: ['unsupported_chain', 'amount_out_of_range', 'handle_not_found', 'state_conflict'],
  run: (ctx, { caller: { handle }, body }) => stageEscrow(ctx, handle, body),
});

/** Before `act`, whose path matches this one too. */
const claimEverything = route({
  method: 'post',
  path: '/api/escrow/claim_all',
  access: 'handle',
  limit: signatures,
  body: z.strictObject({}),
  answer: claimedEscrows,
  status: 200,
  errors: [],
  run: (ctx, { caller: { handle } }) => claimAll(ctx, handle),
});

const get = route({
  method: 'get',
  path: ONE,
  access: 'handle',
  answer: oneEscrow,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller: { handle }, id }) => ({ escrow: await getEscrow(ctx, handle, id) }),
});

const prepareRefund = route({
  method: 'get',
  path: `${ONE}/refund_data`,
  access: 'handle',
  answer: preparedRefund,
  status: 200,
  errors: ['resource_missing', 'signature_invalid', 'refund_before_deadline', 'state_conflict'],
  run: (ctx, { caller: { handle }, id }) => refundData(ctx, handle, id),
});

const prepareOpening = route({
  method: 'get',
  path: `${ONE}/open_data`,
  access: 'handle',
  answer: transactionToSign,
  status: 200,
  errors: ['resource_missing', 'signature_invalid', 'state_conflict'],
  run: (ctx, { caller: { handle }, id }) => openingData(ctx, handle, id),
});

const act = route({
  method: 'post',
  path: ONE,
  access: 'handle',
  limit: signatures,
  body: z.discriminatedUnion('action', [
    z.strictObject({ action: z.literal('confirm_create'), txHash: transactionName, onChainId: bytes32 }),
    z.strictObject({ action: z.literal('open'), solana_transaction: solanaTransaction }),
    z.strictObject({ action: z.literal('claim') }),
    refundForm,
  ]),
  answer: escrowAction,
  status: 200,
  errors: [
    'resource_missing',
    'tx_not_found',
    'tx_mismatch',
    'not_reserved_handle',
    'refund_before_deadline',
    'signature_invalid',
    'call_refused',
    'state_conflict',
  ],
  async run(ctx, { caller: { handle }, id, body }) {
    if (body.action === 'confirm_create') return { escrow: await confirmCreate(ctx, handle, id, body) };
    if (body.action === 'open') return openSigned(ctx, handle, id, body.solana_transaction);
    if (body.action === 'claim') return claimEscrow(ctx, handle, id);
    return { escrow: await takeBack(ctx, handle, id, body) };
  },
});

/** @throws AppError `parameter_unknown` for a parameter of another form, `parameter_missing` for a form that is not complete */
function takeBack(ctx: Ctx, handle: SessionHandle, id: string, form: z.output<typeof refundForm>): Promise<EscrowView> {
  if (form.txHash !== undefined)
    return confirmEscrowRefund(ctx, handle, id, parseObject(form, ownTx).txHash, { onClosed: escrowClosed });
  if (form.solana_transaction !== undefined)
    return refundByTransaction(ctx, handle, id, parseObject(form, signedWhole).solana_transaction);
  if (form.deadline !== undefined || form.signature !== undefined)
    return refundSigned(ctx, handle, id, parseObject(form, signed));
  return askRefund(ctx, handle, id);
}

export const ESCROW_ROUTES: readonly Route[] = [list, stage, claimEverything, get, prepareOpening, prepareRefund, act];
