// A send as its sender sees it.
import { isSettled } from '../../chain/orders.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { type ChainName, chainLabel } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { formatUnits } from '../../domain/money.ts';
import type { SendStatus, SendWay } from '../../domain/send.ts';
import { LEAST_TIME_LEFT_MS } from '../accounts/signing.ts';
import { isLiveChain, transactionUrl } from '../chains.ts';
import { unitsOf } from '../orders/views.ts';
import { type CallRow, progress, WITH_TX } from '../spending/sponsorBudget.ts';
import { isCancellable } from './pay.ts';
import { placeOfSend } from './terms.ts';

/** `signing` waits for its sender, `sending` for a block, `confirming` for final blocks. `stopped`: this try failed, and it can be signed again. */
export type SendStep = 'signing' | 'sending' | 'confirming' | 'stopped' | 'completed' | 'failed' | 'cancelled';
/** Amounts are canonical decimal strings of USDC, times ISO 8601. */
export type SendView = {
  id: string;
  object: 'send';
  status: SendStatus;
  step: SendStep;
  chain: string;
  chain_label: string;
  livemode: boolean;
  /** "bob@ampersat", or the address. */
  to: string;
  to_address: string;
  from_address: string;
  amount: string;
  fee: string;
  total: string;
  currency: 'USDC';
  way: SendWay;
  /** We pay the network fee. */
  gasless: boolean;
  expires_at: string;
  created_at: string;
  ended_at: string | null;
  tx_hash: string | null;
  explorer_url: string | null;
  failure: string | null;
  can_cancel: boolean;
  /** It can be signed, or sent, now. */
  can_pay: boolean;
};

export async function viewSend(ctx: Ctx, row: Row<'Send'>): Promise<SendView> {
  const call = row.callId
    ? await ctx.db.sponsoredCall.findUnique({ where: { id: row.callId }, include: WITH_TX })
    : null;
  const step = await stepOf(ctx, row, call);
  const inTime = Number(row.deadline) * 1_000 - ctx.clock.now() >= LEAST_TIME_LEFT_MS;
  const money = (units: bigint) => formatUnits(units, row.decimals);
  const [units, fee] = [unitsOf(row.units), unitsOf(row.feeUnits)];
  const hash = row.txHash ?? call?.outgoingTx?.minedHash ?? call?.outgoingTx?.attempts[0]?.hash ?? null;
  return {
    id: row.id,
    object: 'send',
    status: row.status as SendStatus,
    step,
    chain: row.chain,
    chain_label: chainLabel(row.chain),
    livemode: isLiveChain(ctx, row.chain as ChainName),
    to: row.recipientLabel,
    to_address: row.payee,
    from_address: row.payer,
    amount: money(units),
    fee: money(fee),
    total: money(units + fee),
    currency: 'USDC',
    way: row.way as SendWay,
    gasless: row.way !== 'direct',
    expires_at: new Date(Number(row.deadline) * 1_000).toISOString(),
    created_at: row.createdAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    tx_hash: hash,
    explorer_url: transactionUrl(ctx, row.chain, hash),
    failure: row.failure ?? (step === 'stopped' ? failureOf(call) : null),
    can_cancel: isCancellable(row),
    can_pay: inTime && (row.status === 'draft' || step === 'stopped' || (step === 'sending' && row.way === 'direct')),
  };
}

function failureOf(call: CallRow | null): string {
  return call ? (call.failure ?? 'The network rejected it, so nothing was sent.') : 'It isn’t sent yet.';
}

async function stepOf(ctx: Ctx, row: Row<'Send'>, call: CallRow | null): Promise<SendStep> {
  if (row.status === 'draft') return 'signing';
  if (row.status !== 'processing') return row.status as SendStep;
  const made = call && progress(call);
  if (made === 'queued' || made === 'sent') return 'sending';
  if (made === 'mined' || made === 'final') return 'confirming';
  // The wallet sends it, or ours was not sent or failed and another one may have paid.
  if (await isPaidAtHead(ctx, row)) return 'confirming';
  return made === 'failed' || (call === null && row.way !== 'direct') ? 'stopped' : 'sending';
}

async function isPaidAtHead(ctx: Ctx, row: Row<'Send'>): Promise<boolean> {
  try {
    return await isSettled(placeOfSend(ctx, row));
  } catch (error) {
    if (error instanceof AppError && error.code === 'provider_unavailable') return false;
    throw error;
  }
}

const MOST = 20;

/** The newest first; drafts that can no longer be signed, and what was cancelled, are not listed. */
export async function listSends(ctx: Ctx, handleId: string): Promise<SendView[]> {
  const signable = BigInt(Math.ceil((ctx.clock.now() + LEAST_TIME_LEFT_MS) / 1_000));
  const rows = await ctx.db.send.findMany({
    where: {
      handleId,
      OR: [{ status: { in: ['processing', 'completed', 'failed'] } }, { status: 'draft', deadline: { gte: signable } }],
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MOST,
  });
  return Promise.all(rows.map((row) => viewSend(ctx, row)));
}
