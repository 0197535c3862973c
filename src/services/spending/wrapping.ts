// Wrapping of SOL at our cost: built here, signed by the handle's wallet, and sent only where its message is one that was built here.
import type { Chain } from '../../chain/chain.ts';
import {
  nameOfTransaction,
  prepareWrapping,
  readSignedWrapping,
  readWrapping,
  wrapsNative,
} from '../../chain/wrapping.ts';
import { type Ctx, chainOf, newId } from '../../context.ts';
import { decimalOf, type Row, type Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { CALL_SIGNATURE_MS } from '../../domain/limits.ts';
import { formatUnits, parseUnits } from '../../domain/money.ts';
import type { CallProgress } from '../../domain/sponsoredCall.ts';
import {
  dayOf,
  leftOfDay,
  WRAPPINGS_A_DAY,
  type Wrapping,
  type WrappingRefusal,
  wrappingRefusal,
} from '../../domain/wrapping.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { walletOnFamily } from '../accounts/signing.ts';
import { lockSender } from '../locks.ts';
import { isKeyInUse } from '../outgoing/keys.ts';
import { choosePayer } from '../outgoing/payers.ts';
import { requireStake } from './sponsorBudget.ts';
import { type CallView, findCall, noKey, sponsorCall, usedUp } from './sponsoredCalls.ts';

type Caller = Pick<SessionHandle, 'id'>;
type WrapRow = Row<'NativeWrap'>;

/** Amounts are canonical decimal strings of SOL; `max` unwraps everything, which closes the account. */
export type WrapView = {
  id: string;
  object: 'wrap';
  kind: Wrapping;
  chain: string;
  amount: string;
  wallet: string;
  /** Of the message that the wallet signs: the executor adds its signature to this one only. */
  message_hash: string;
  /** The last block height at which it can land. */
  last_valid_height: number;
  /** `prepared` until it is submitted. */
  status: 'prepared' | CallProgress;
  tx_hash: string | null;
  explorer_url: string | null;
  failure: string | null;
  created_at: string;
};

export type WrapBalances = {
  chain: string;
  wallet: string;
  /** SOL, and wrapped SOL; null where the wallet has no account of it. */
  sol: string;
  wrapped: string | null;
  /** What the wallet pays for that account, and gets back when it is closed. */
  account_rent: string;
  left_today: number;
};

/** The chain that wraps. @throws AppError `unsupported_chain` where it is not served */
function wrappingChain(ctx: Ctx): Chain {
  const found = Object.values(ctx.chains).find(wrapsNative);
  if (!found) throw new AppError('unsupported_chain', 'Solana isn’t served here.');
  return found;
}

/** What the handle's wallet has to wrap and to unwrap. @throws AppError `unsupported_chain`, `state_conflict` without a wallet, `provider_unavailable` */
export async function wrapBalances(ctx: Ctx, { id: handleId }: Caller): Promise<WrapBalances> {
  const chain = wrappingChain(ctx);
  const { address: wallet } = await walletOnFamily(ctx.db, handleId, chain.facts.family);
  const [state, built] = await Promise.all([readWrapping(chain, wallet), builtToday(ctx, ctx.db, handleId)]);
  return {
    chain: chain.name,
    wallet,
    sol: money(chain, state.sol),
    wrapped: state.wrapped === null ? null : money(chain, state.wrapped),
    account_rent: money(chain, state.accountRent),
    left_today: Math.max(0, WRAPPINGS_A_DAY - built),
  };
}

/**
 * Builds the transaction for the handle's wallet to sign, and keeps the hash of its message.
 * @param amount of SOL in decimals; `max` unwraps everything
 * @throws AppError `unsupported_chain`, `parameter_invalid`, `state_conflict` without a wallet, `call_refused` for what the wallet doesn't have,
 * `rate_limited` after 20 a day, `provider_unavailable`
 */
export async function buildWrap(
  ctx: Ctx,
  { id: handleId }: Caller,
  { kind, amount }: { kind: Wrapping; amount: string },
): Promise<{ wrap: WrapView; signed_by: string; fee_payer: string; solana_transaction: string }> {
  const chain = wrappingChain(ctx);
  const { address: wallet } = await walletOnFamily(ctx.db, handleId, chain.facts.family);
  const asked = readAmount(chain, kind, amount);
  await requireDay(ctx, ctx.db, handleId);
  const state = await readWrapping(chain, wallet);
  if (state.problem !== null) throw new AppError('call_refused', state.problem);
  // All of it is what closing the account gives.
  const units = kind === 'unwrap' && asked === state.wrapped ? null : asked;
  const refusal = wrappingRefusal(kind, units, state);
  if (refusal) throw new AppError('call_refused', refusalWords(chain, refusal), { param: 'amount' });
  const payer = await choosePayer(ctx, chain, 0);
  const prepared = payer === null ? null : await prepareWrapping(chain, wallet, { kind, units, state }, payer);
  if (!prepared || payer === null)
    throw new AppError('call_refused', 'This wallet is a key of Ampersat’s own. Wrap with another one.');
  const { messageHash, lastValidHeight, ...toSign } = prepared;
  const row = await ctx.db.$transaction(async (tx) => {
    await lockSender(tx, handleId);
    // The same words in one block are the same message, which lands once.
    const twin = await tx.nativeWrap.findUnique({ where: { messageHash } });
    if (twin) return twin;
    await requireDay(ctx, tx, handleId);
    return tx.nativeWrap.create({
      data: {
        id: newId(ctx, 'wrp'),
        handleId,
        chain: chain.name,
        wallet,
        kind,
        units: units === null ? null : decimalOf(units),
        messageHash,
        lastValidHeight,
        createdAt: new Date(ctx.clock.now()),
      },
    });
  });
  return { wrap: await viewWrap(ctx, row), ...toSign, fee_payer: payer };
}

function readAmount(chain: Chain, kind: Wrapping, amount: string): bigint | null {
  if (amount === 'max' && kind === 'unwrap') return null;
  const units = parseUnits(amount, chain.facts.nativeDecimals);
  if (units === null || units === 0n || units > MOST_UNITS) {
    const words =
      kind === 'wrap'
        ? 'amount must be a decimal string above 0 with up to 9 decimals, such as "0.5".'
        : 'amount must be a decimal string above 0 with up to 9 decimals, such as "0.5", or "max".';
    throw new AppError('parameter_invalid', words, { param: 'amount' });
  }
  return units;
}

/** More than there is of any asset that is counted in 64 bits. */
const MOST_UNITS = 2n ** 63n - 1n;

function builtToday(ctx: Ctx, tx: Tx, handleId: string): Promise<number> {
  return tx.nativeWrap.count({ where: { handleId, createdAt: { gte: new Date(dayOf(ctx.clock.now())) } } });
}

async function requireDay(ctx: Ctx, tx: Tx, handleId: string): Promise<void> {
  if ((await builtToday(ctx, tx, handleId)) < WRAPPINGS_A_DAY) return;
  const words = `You’ve wrapped and unwrapped ${WRAPPINGS_A_DAY} times today. Try again tomorrow (UTC).`;
  throw new AppError('rate_limited', words, { retryAfterMs: leftOfDay(ctx.clock.now()) });
}

function refusalWords(chain: Chain, refusal: WrappingRefusal): string {
  const { native } = chain.facts;
  const sol = (units: bigint) => `${money(chain, units)} ${native}`;
  switch (refusal.code) {
    case 'nothing_wrapped':
      return `Your wallet has no wrapped ${native}.`;
    case 'too_little_wrapped':
      return `Your wallet has ${sol(refusal.has)} wrapped. Unwrap that much, or less.`;
    case 'too_little_sol':
      return `This needs ${sol(refusal.needs)} with the rent of the account; your wallet has ${sol(refusal.has)}.`;
    case 'leaves_too_little':
      return `Your wallet must keep ${sol(refusal.keeps)}, or nothing at all. Wrap a little less.`;
    case 'needs_rent_meanwhile':
      return `Unwrapping a part needs ${sol(refusal.needs)} in your wallet for a moment; it has ${sol(refusal.has)}. Unwrap everything instead.`;
  }
}

function money({ facts }: Chain, units: bigint): string {
  return formatUnits(units, facts.nativeDecimals);
}

/**
 * Sends what {@link buildWrap} built, once its wallet has signed it. The same transaction again is the same call.
 * @param transaction in base64
 * @throws AppError `resource_missing`, `signature_invalid` for any other message or signature, `call_refused`, `state_conflict` for one that has failed,
 * `rate_limited`, `provider_unavailable`
 */
export async function submitWrap(ctx: Ctx, handle: Caller, id: string, transaction: string): Promise<WrapView> {
  const row = await ownWrap(ctx, handle, id);
  const chain = chainOf(ctx, row.chain);
  const isOurs = nameOfTransaction(transaction) === row.messageHash;
  const signed = isOurs ? readSignedWrapping(chain, transaction, row) : null;
  if (!signed) throw new AppError('signature_invalid', 'Send the transaction that was built, signed by your wallet.');
  const { call, payer } = signed;
  const use = `${row.kind}:${chain.name}:${row.wallet}:${row.messageHash}`;
  const deadline = Math.floor((row.createdAt.getTime() + CALL_SIGNATURE_MS) / 1_000);
  const request = await sponsorCall(
    ctx,
    { handleId: handle.id, kind: row.kind as Wrapping, chain, use, isWhole: true, ...call, deadline },
    {
      async before() {
        if (!(await isKeyInUse(ctx, chain, payer))) throw noKey(chain);
        await requireStake(ctx, handle.id, chain, row.wallet);
      },
      async within(tx) {
        // What was signed as a whole is sent once, also when it has failed.
        if ((await tx.sponsoredCall.count({ where: { use } })) > 0) throw usedUp();
      },
      stored: async (tx, callId) => void (await tx.nativeWrap.update({ where: { id }, data: { callId } })),
    },
  );
  return viewWrap(ctx, { ...row, callId: request.id }, request);
}

/** @throws AppError `resource_missing`, also for another handle's */
export async function getWrap(ctx: Ctx, handle: Caller, id: string): Promise<WrapView> {
  return viewWrap(ctx, await ownWrap(ctx, handle, id));
}

async function ownWrap({ db }: Ctx, { id: handleId }: Caller, id: string): Promise<WrapRow> {
  const row = isId('wrp', id) ? await db.nativeWrap.findFirst({ where: { id, handleId } }) : null;
  if (!row) throw new AppError('resource_missing');
  return row;
}

async function viewWrap(ctx: Ctx, row: WrapRow, call?: CallView): Promise<WrapView> {
  const { id, kind, chain, wallet, units, messageHash, lastValidHeight, callId, createdAt } = row;
  const request = call ?? (callId === null ? null : await findCall(ctx, { id: callId }));
  return {
    id,
    object: 'wrap',
    kind: kind as Wrapping,
    chain,
    amount: units === null ? 'max' : money(chainOf(ctx, chain), BigInt(units.toFixed(0))),
    wallet,
    message_hash: messageHash,
    last_valid_height: Number(lastValidHeight),
    status: request?.status ?? 'prepared',
    tx_hash: request?.tx_hash ?? null,
    explorer_url: request?.explorer_url ?? null,
    failure: request?.failure ?? null,
    created_at: createdAt.toISOString(),
  };
}
