// The second half of a send on a chain where the wallet signs the whole transaction: what it signs, and how that is sent. A block hash lives for about a
// minute; what comes later is signed again, and is the same payment: its order settles once.
import { prepareMove, readMove } from '../../chain/orders.ts';
import type { RevertReason } from '../../chain/routers/reverts.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { WHOLE_SIGNATURE_MS } from '../../domain/checkout.ts';
import { AppError } from '../../domain/errors.ts';
import { isWhole } from '../../domain/send.ts';
import { isKeyInUse } from '../outgoing/keys.ts';
import { choosePayer } from '../outgoing/payers.ts';
import { noKey, sponsorCall } from '../spending/sponsoredCalls.ts';
import { beginIn, callsOf, noteCall, ownSend, requireOpen, type SendOffer } from './pay.ts';
import { requireOpening } from './recipients.ts';
import { moveOfSend, orderOfSend } from './terms.ts';

/** What the payer signs, with a fresh block hash; it changes nothing. @throws AppError `state_conflict` once it is over, `provider_unavailable` */
export async function offerWhole(ctx: Ctx, row: Row<'Send'>): Promise<SendOffer> {
  requireOpen(ctx, row);
  const at = orderOfSend(ctx, row);
  const prepared = await prepareMove(at, moveOfSend(row), await choosePayer(ctx, at.chain, 0));
  if (!prepared) throw new Error('a send that is signed as a whole is a transaction');
  return { sign: null, transaction: prepared.solana_transaction, calls: null, lacks_gas: false };
}

/**
 * Has the transaction sent that {@link offerWhole} gave, once its payer has signed it. While one of the row is under way, any other is the same press.
 * @param transaction in base64
 * @throws AppError as `submitSend`; `signature_invalid` for any other transaction
 */
export async function submitWhole(ctx: Ctx, handleId: string, id: string, transaction: string): Promise<Row<'Send'>> {
  const row = await ownSend(ctx.db, handleId, id);
  if (row.status === 'completed') return row;
  requireOpen(ctx, row);
  if (!isWhole(row.way)) throw new AppError('signature_invalid', 'This payment takes a signature, not a transaction.');
  const at = orderOfSend(ctx, row);
  const { chain } = at;
  const signed = await readMove(at, moveOfSend(row), transaction);
  if (!signed) throw new AppError('signature_invalid');
  const until = Math.min(ctx.clock.now() + 2 * WHOLE_SIGNATURE_MS, Number(row.deadline) * 1_000);
  const deadline = Math.floor(until / 1_000);
  await sponsorCall(
    ctx,
    { handleId, kind: 'send', chain, use: callsOf(id), isWhole: true, ...signed.call, deadline },
    {
      async before() {
        if (!(await isKeyInUse(ctx, chain, signed.payer))) throw noKey(chain);
        if (row.status === 'draft' && row.way === 'opening') await requireOpening(ctx, handleId, chain);
      },
      // Until now it is a draft: without an executor's signature, which comes later, nothing of what the wallet signed can land.
      async stored(tx, callId) {
        await beginIn(ctx, tx, handleId, id);
        await noteCall(tx, id, callId);
      },
      refusal: (reason) => refusalOf(chain.facts.label, reason),
    },
  );
  return ownSend(ctx.db, handleId, id);
}

function refusalOf(label: string, { name, text }: RevertReason): AppError {
  if (name === 'AlreadySettled')
    return new AppError('state_conflict', 'This payment was sent already. It isn’t sent twice.');
  if (name === 'Expired')
    return new AppError('state_conflict', 'The time to sign this payment is over. Nothing was sent. Start again.');
  return new AppError(
    'call_refused',
    REFUSED[name] ?? `${label} rejected this payment (${text ?? name}). Nothing was sent.`,
  );
}

const TOO_LITTLE = 'Your balance no longer covers this payment. Add money, then try again.';
const REFUSED: Readonly<Record<string, string>> = {
  BlockhashNotFound: 'The signature has expired. Nothing was sent. Sign it again.',
  BalanceTooLow: TOO_LITTLE,
  InsufficientFunds: TOO_LITTLE,
  AccountFrozen: 'USDC refuses this payment: its issuer has frozen one of the accounts.',
  WrongKind: 'The recipient has no USDC account anymore. Nothing was sent. Start again.',
  Paused: 'Payments are paused. Try again later.',
};
