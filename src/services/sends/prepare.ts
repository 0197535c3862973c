// The first half of a send: whether it can be paid, and its terms, frozen in a row before anything is signed. A handle has one open send at a time.
import type { Chain } from '../../chain/chain.ts';
import { newestBlock } from '../../chain/heads.ts';
import { orderContract } from '../../chain/orders.ts';
import type { Address } from '../../chain/rpc/client.ts';
import { tokenBalance } from '../../chain/senders.ts';
import { gaslessWays } from '../../chain/signing/gasless.ts';
import { type Ctx, newId } from '../../context.ts';
import { decimalOf, type Row, type Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { formatUnits, formatUsd, USDC_PRICE, usdForUnits } from '../../domain/money.ts';
import { EVM_WAYS, FRESH_SEND_MS, SEND_LATE_MS, SEND_MS, type SendWay, sendFeeUnits } from '../../domain/send.ts';
import { provenOn } from '../../domain/walletReach.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { walletOf, walletOnFamily } from '../accounts/signing.ts';
import { servedChain } from '../chains.ts';
import { lockSender } from '../locks.ts';
import { spentLast24h } from '../spending/limits.ts';
import { transitionOne } from '../transitions.ts';
import { readUsdcAmount } from '../usdcAmounts.ts';
import { readRecipient, type SendRecipient } from './recipients.ts';
import { ROUTER } from './terms.ts';

export type SendWish = { to: string; amount: string; chain: string };

/**
 * Freezes the terms of a send; the same terms again are the same row, while there is time to sign it. A draft of other terms is cancelled: only one can be
 * signed. The sender has seen nothing of the money yet.
 * @throws AppError `parameter_invalid`, `amount_out_of_range` also above the day's limit, `handle_not_found`, `state_conflict` for a
 * wallet or a recipient that isn't on the chain, `payment_in_flight` while another send is under way, `call_refused` where the money doesn't suffice,
 * `provider_unavailable`
 */
export async function prepareSend(
  ctx: Ctx,
  handle: SessionHandle,
  wish: SendWish,
): Promise<{ row: Row<'Send'>; warning: SendRecipient['warning'] }> {
  const chain = servedChain(ctx, wish.chain);
  const wallet = await senderOn(ctx, handle, chain);
  const units = readUsdcAmount(chain, wish.amount);
  await requireNoneUnderWay(ctx.db, handle.id, ctx.clock.now());
  const recipient = await readRecipient(ctx, chain, { handleId: handle.id, wallet }, wish.to);
  const way = await chooseWay(chain, wallet, units, recipient);
  const feeUnits = sendFeeUnits(way, chain.facts.usdcDecimals);
  const [balance, sinceBlock] = await Promise.all([tokenBalance(chain, chain.usdc, wallet), newestBlock(chain)]);
  requireBalance(chain, balance, units, feeUnits);
  const now = ctx.clock.now();
  const usdMicros = usdForUnits(units + feeUnits, USDC_PRICE, chain.facts.usdcDecimals);
  const frozen = {
    ...{ chain: chain.name, payer: wallet, payee: recipient.payee, recipientLabel: recipient.label, way },
    ...{ recipientHandleId: recipient.handleId, routerAddress: orderContract(chain, ROUTER), token: chain.usdc },
    ...{ decimals: chain.facts.usdcDecimals, units: decimalOf(units), feeUnits: decimalOf(feeUnits), usdMicros },
  };
  const row = await ctx.db.$transaction(async (tx) => {
    await lockSender(tx, handle.id);
    await requireNoneUnderWay(tx, handle.id, now);
    await requireDay(tx, handle.id, usdMicros, now);
    const draft = await tx.send.findFirst({ where: { handleId: handle.id, status: 'draft' } });
    if (draft && isSame(draft, frozen) && Number(draft.deadline) * 1_000 - now > FRESH_SEND_MS) return draft;
    if (draft) await transitionOne(ctx, tx, 'send', draft.id, 'cancel', { endedAt: new Date(now) });
    const deadline = BigInt(Math.floor((now + SEND_MS) / 1_000));
    const data = { ...frozen, id: newId(ctx, 'snd'), handleId: handle.id, status: 'draft', deadline, sinceBlock };
    return tx.send.create({ data: { ...data, createdAt: new Date(now) } });
  });
  return { row, warning: recipient.warning };
}

async function senderOn(ctx: Ctx, handle: SessionHandle, chain: Chain): Promise<string> {
  const { family } = chain.facts;
  if (family !== 'evm') return (await walletOnFamily(ctx.db, handle.id, family)).address;
  const address = walletOf(handle);
  const proven = handle.wallet && provenOn(handle.wallet);
  if (!proven || proven.includes(chain.name)) return address;
  const words = `Your smart wallet isn’t verified on ${chain.facts.label}. Choose another network.`;
  throw new AppError('state_conflict', words, { param: 'chain' });
}

/** On EVM chains the first that the wallet and the token know; only `direct` needs the chain's coin. */
async function chooseWay(chain: Chain, wallet: string, units: bigint, { opens }: SendRecipient): Promise<SendWay> {
  if (chain.family === 'solana') return opens ? 'opening' : 'transaction';
  const amount = units + sendFeeUnits('eip3009', chain.facts.usdcDecimals);
  const { ways } = await gaslessWays(chain, wallet as Address, { router: ROUTER, amount });
  return EVM_WAYS.find((way) => ways.some((one) => one.way === way)) ?? 'direct';
}

function requireBalance(chain: Chain, balance: bigint, units: bigint, fee: bigint): void {
  if (balance >= units + fee) return;
  const money = (value: bigint) => formatUnits(value, chain.facts.usdcDecimals);
  const withFee = fee === 0n ? '' : ' with the fee';
  const words = `You have ${money(balance)} USDC on ${chain.facts.label}; this needs ${money(units + fee)}${withFee}.`;
  throw new AppError('call_refused', words, { param: 'amount' });
}

/** One on a chain that is no longer served blocks nothing once its router takes it no more. @throws AppError `payment_in_flight`, with the ID of the send */
async function requireNoneUnderWay(tx: Tx, handleId: string, now: number): Promise<void> {
  const deadline = { gt: BigInt(Math.floor((now - SEND_LATE_MS) / 1_000)) };
  const open = await tx.send.findFirst({ where: { handleId, status: 'processing', deadline }, select: { id: true } });
  if (!open) return;
  const words = 'You have another payment under way. Wait until it ends, then send this one.';
  throw new AppError('payment_in_flight', words, { more: { send: open.id } });
}

/** What tips and sends use of the same day. @throws AppError `amount_out_of_range` */
export async function requireDay(tx: Tx, handleId: string, usdMicros: bigint, now: number): Promise<void> {
  const [{ dayCapMicros: cap }, spent] = await Promise.all([
    tx.handle.findUniqueOrThrow({ where: { id: handleId }, select: { dayCapMicros: true } }),
    spentLast24h(tx, handleId, now),
  ]);
  if (spent + usdMicros <= cap) return;
  const left = cap > spent ? cap - spent : 0n;
  const words = `Your limit is $${formatUsd(cap)} in 24 hours, fees included; $${formatUsd(left)} of it is left. Raise it under Spending, or send less.`;
  throw new AppError('amount_out_of_range', words, { param: 'amount' });
}

type Frozen = Pick<
  Row<'Send'>,
  'chain' | 'payer' | 'payee' | 'recipientLabel' | 'way' | 'routerAddress' | 'units' | 'feeUnits'
>;

function isSame(draft: Row<'Send'>, frozen: Frozen): boolean {
  const keys = ['chain', 'payer', 'payee', 'recipientLabel', 'way', 'routerAddress'] as const;
  return (
    keys.every((key) => draft[key] === frozen[key]) &&
    draft.units.equals(frozen.units) &&
    draft.feeUnits.equals(frozen.feeUnits)
  );
}
