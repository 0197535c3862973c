// The second half of a send: what its payer signs, or sends by itself, and what of that is under way. One row pays once, however often it is pressed: every
// signature and every transaction of it names the same key at the router.
import { isSettled } from '../../chain/orders.ts';
import { encodePayment } from '../../chain/routers/payment.ts';
import type { RevertReason } from '../../chain/routers/reverts.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { nativeBalance } from '../../chain/senders.ts';
import { allowanceOf } from '../../chain/signing/gasless.ts';
import { encodeSigned, orderSignatures } from '../../chain/signing/orderAuthorizations.ts';
import { encodeApprove, normalSignature } from '../../chain/signing/permits.ts';
import { proveSignature, typedDataHash } from '../../chain/signing/signatures.ts';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import type { EvmSendWay } from '../../domain/send.ts';
import type { TypedData } from '../../domain/typedData.ts';
import { LEAST_TIME_LEFT_MS } from '../accounts/signing.ts';
import { lockSender } from '../locks.ts';
import { requireRoom } from '../spending/sponsorBudget.ts';
import { sponsorCall } from '../spending/sponsoredCalls.ts';
import { transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import { requireDay } from './prepare.ts';
import { requireSamePayee } from './recipients.ts';
import { paymentOf, placeOfSend } from './terms.ts';

/** A router's payment with fee takes less than half of it; the rest is for a contract wallet that checks its own signature. */
const GAS = 400_000n;

type WalletCall = { kind: 'approve' | 'pay'; to: Address; data: Hex; value: Hex; chainId: number };
/**
 * `transaction` is what a wallet signs as a whole, in base64; `calls` are what the wallet sends, one after the other, where it signs nothing. `lacks_gas`: it
 * has nothing to pay the network fee with.
 */
export type SendOffer = {
  sign: TypedData | null;
  transaction: string | null;
  calls: WalletCall[] | null;
  lacks_gas: boolean;
};

/** The row, for its sender only. @throws AppError `resource_missing` */
export async function ownSend(tx: Tx, handleId: string, id: string): Promise<Row<'Send'>> {
  const row = await tx.send.findFirst({ where: { id, handleId } });
  if (!row) throw new AppError('resource_missing');
  return row;
}

/** What the payer signs or sends; it changes nothing. @throws AppError `state_conflict` once it is over, `provider_unavailable`, `call_refused` */
export async function offerOf(ctx: Ctx, row: Row<'Send'>): Promise<SendOffer> {
  requireOpen(ctx, row);
  const { chain, terms } = placeOfSend(ctx, row);
  const way = row.way as EvmSendWay;
  if (way !== 'direct') {
    const [first] = (await orderSignatures(chain, paymentOf(row, way))) ?? [];
    if (!first) throw new AppError('call_refused', `USDC on ${chain.facts.label} doesn’t support this signature.`);
    return { sign: first.data, transaction: null, calls: null, lacks_gas: false };
  }
  const payer = row.payer as Address;
  const to = chain.routers.payment;
  const { chainId } = chain.facts;
  const [allowance, coins] = await Promise.all([allowanceOf(chain, payer, to), nativeBalance(chain, payer)]);
  const at = { value: '0x0', chainId } as const;
  const approve = { kind: 'approve', to: chain.usdc, data: encodeApprove(to, terms.amount), ...at } as const;
  const pay = { kind: 'pay', to, data: encodePayment(terms, payer, { way: 'direct' }), ...at } as const;
  return {
    sign: null,
    transaction: null,
    calls: allowance >= terms.amount ? [pay] : [approve, pay],
    lacks_gas: coins === 0n,
  };
}

/**
 * Has the payment sent that its payer signed. The same press again, from any tab and after a reload, is the same payment.
 * @throws AppError `resource_missing`, `state_conflict` for one that was cancelled, is over or is paid, `signature_invalid`, `amount_out_of_range` above the
 * day's limit, `call_refused`, `rate_limited` above a budget, `provider_unavailable`
 */
export async function submitSend(ctx: Ctx, handleId: string, id: string, given: Hex): Promise<Row<'Send'>> {
  const row = await ownSend(ctx.db, handleId, id);
  if (row.status === 'completed') return row;
  requireOpen(ctx, row);
  const way = row.way as EvmSendWay;
  if (way === 'direct') throw new AppError('state_conflict', 'Your wallet sends this payment by itself.');
  const { chain, terms, router } = placeOfSend(ctx, row);
  const payment = paymentOf(row, way);
  const signature = normalSignature(given);
  const data = encodeSigned(payment, [signature]);
  if (!data) throw new AppError('signature_invalid');
  const call = { to: chain.routers[router], data, gas: GAS };
  await sponsorCall(
    ctx,
    { handleId, kind: 'send', chain, use: callsOf(id), isWhole: true, ...call, deadline: Number(terms.deadline) },
    {
      before: async () => {
        await proveSigned(chain, row, signature);
        // The simulation shows the signature to a provider: from here on only its deadline ends it.
        await begin(ctx, handleId, id, (tx) => requireRoom(ctx, tx, handleId, chain, 'send'));
      },
      stored: (tx, callId) => noteCall(tx, id, callId),
      refusal: (reason) => refusalOf(chain, reason),
    },
  );
  return ownSend(ctx.db, handleId, id);
}

/** Before the wallet sends by itself: from then on the chain alone ends the send. @throws AppError as {@link submitSend} */
export async function beginDirect(ctx: Ctx, handleId: string, id: string): Promise<Row<'Send'>> {
  const row = await ownSend(ctx.db, handleId, id);
  requireOpen(ctx, row);
  if (row.way !== 'direct') throw new AppError('state_conflict', 'Sign this payment: Ampersat sends it.');
  if (await isSettled(placeOfSend(ctx, row)))
    throw new AppError('state_conflict', 'This payment was sent already. It isn’t sent twice.');
  await begin(ctx, handleId, id);
  return ownSend(ctx.db, handleId, id);
}

/** Only a draft: a signature that a provider has seen pays until its deadline, whether or not a call of ours failed. */
export function isCancellable({ status }: Pick<Row<'Send'>, 'status'>): boolean {
  return status === 'draft';
}

/**
 * Gives up a send that is not signed. One that is signed, or that a wallet sends by itself, is ended by the chain alone.
 * @throws AppError `resource_missing`, `state_conflict`
 */
export async function cancelSend(ctx: Ctx, handleId: string, id: string): Promise<Row<'Send'>> {
  return ctx.db.$transaction(async (tx) => {
    await lockSender(tx, handleId);
    const row = await ownSend(tx, handleId, id);
    if (row.status === 'cancelled') return row;
    if (!isCancellable(row))
      throw new AppError('state_conflict', 'This payment can’t be cancelled: it may already be on its way.');
    await transitionOne(ctx, tx, 'send', id, 'cancel', { endedAt: new Date(ctx.clock.now()) });
    return ownSend(tx, handleId, id);
  });
}

/** What all calls of a send use up: one that did not fail is the only one. */
export function callsOf(id: string): string {
  return `send:${id}`;
}

async function begin(ctx: Ctx, handleId: string, id: string, within?: (tx: Tx) => Promise<void>): Promise<void> {
  await ctx.db.$transaction((tx) => beginIn(ctx, tx, handleId, id, within));
}

/**
 * From then on the chain alone ends it.
 * @throws AppError `state_conflict`, also where the recipient is paid elsewhere now; `amount_out_of_range` above the day's limit; what `within` throws
 */
export async function beginIn(
  ctx: Ctx,
  tx: Tx,
  handleId: string,
  id: string,
  within?: (tx: Tx) => Promise<void>,
): Promise<void> {
  await lockSender(tx, handleId);
  const row = await ownSend(tx, handleId, id);
  requireOpen(ctx, row);
  if (row.status !== 'draft') return;
  await within?.(tx);
  await requireSamePayee(ctx, tx, row);
  await requireDay(tx, handleId, row.usdMicros, ctx.clock.now());
  await transitionOne(ctx, tx, 'send', id, 'begin');
  await wake(tx, 'sends');
}

/** @throws AppError `state_conflict` for one that ended meanwhile */
export async function noteCall(tx: Tx, id: string, callId: string): Promise<void> {
  const { count } = await tx.send.updateMany({ where: { id, status: 'processing' }, data: { callId } });
  if (count === 0) throw cancelled();
}

function cancelled(): AppError {
  return new AppError('state_conflict', 'This payment was cancelled, or another one was begun. Nothing was sent.');
}

export function requireOpen(ctx: Ctx, { status, deadline }: Row<'Send'>): void {
  if (status === 'cancelled') throw cancelled();
  if (status === 'completed') throw new AppError('state_conflict', 'This payment was sent already.');
  if (status === 'failed' || Number(deadline) * 1_000 - ctx.clock.now() < LEAST_TIME_LEFT_MS)
    throw new AppError(
      'state_conflict',
      'The time to sign this payment is over. Nothing was sent by this press. Start again.',
    );
}

async function proveSigned(chain: EvmChain, row: Row<'Send'>, signature: Hex): Promise<void> {
  const [first] = (await orderSignatures(chain, paymentOf(row, row.way as Exclude<EvmSendWay, 'direct'>))) ?? [];
  const address = row.payer as Address;
  if (!first || !(await proveSignature(chain, { address, hash: typedDataHash(first.data), signature })))
    throw new AppError('signature_invalid');
}

function refusalOf({ facts: { label } }: EvmChain, { name, text = '' }: RevertReason): AppError {
  const refused = (words: string) => new AppError('call_refused', words);
  if (name === 'AlreadySettled' || /authorization is used/i.test(text))
    return new AppError('state_conflict', 'This payment was sent already. It isn’t sent twice.');
  if (name === 'Expired' || /authorization is expired/i.test(text))
    return new AppError('state_conflict', 'The time to sign this payment is over. Nothing was sent. Start again.');
  if (name === 'Paused') return refused(`Payments on ${label} are paused. Try again later.`);
  if (/blacklisted/i.test(text))
    return refused('USDC refuses this payment: its issuer has blocked one of the two accounts.');
  if (/exceeds balance|insufficient balance/i.test(text))
    return refused(`Your balance on ${label} no longer covers this payment. Add money, then try again.`);
  if (name === 'InvalidSignature' || /invalid signature/i.test(text))
    return refused(`${label} doesn’t accept this wallet’s signature.`);
  return refused(`${label} rejected this payment (${text || name}). Nothing was sent.`);
}
