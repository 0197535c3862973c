// Calls that a wallet signed and we pay for. The API checks the signature and stores the call; a worker, which has the keys, sends it.

import { senderState } from '../../chain/routers/bot.ts';
import { type RevertReason, simulateCall } from '../../chain/routers/reverts.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { encodeApprove, normalSignature, permitDomain, permitNonce, routerNonce } from '../../chain/signing/permits.ts';
import { proveSignature, typedDataHash } from '../../chain/signing/signatures.ts';
import { type Ctx, evmChainOf, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { CALL_SIGNATURE_MS } from '../../domain/limits.ts';
import type { CallProgress, SponsoredKind } from '../../domain/sponsoredCall.ts';
import type { TypedData } from '../../domain/typedData.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { checkDeadline, LEAST_TIME_LEFT_MS, walletOf } from '../accounts/signing.ts';
import { lockSender } from '../locks.ts';
import { hasFreeKey } from '../outgoing/keys.ts';
import { NOTHING, type OutgoingKind, ofEvm, type Write } from '../outgoing/kinds.ts';
import { queueCall } from '../outgoing/queue.ts';
import { transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import { allowanceUnits, buildCall, type CallChoice, type CallTerms, chainOfWallet, noPermit } from './callTerms.ts';
import { dropResumedPauses, wantHeldPauses } from './pauses.ts';
import { type CallRow, progress, requireRoom, requireStake, WITH_TX } from './sponsorBudget.ts';

/** What one call may use: several times what a key's signature needs, and room for a contract wallet that checks its own. */
const CALL_GAS = 400_000n;

type Caller = Pick<SessionHandle, 'id' | 'wallet'>;

/** How far a call is. `failure` is a sentence. */
export type CallView = {
  id: string;
  kind: SponsoredKind;
  chain: string;
  status: CallProgress;
  tx_hash: string | null;
  explorer_url: string | null;
  failure: string | null;
};

/**
 * What the wallet is to sign for a choice, and what to bring back with the signature. It changes nothing.
 * @throws AppError `parameter_invalid`, `state_conflict` where it makes no sense now, `provider_unavailable`
 */
export async function prepareCall(
  ctx: Ctx,
  handle: Caller,
  choice: CallChoice,
): Promise<{ typed_data: TypedData; submit: CallTerms }> {
  const chain = chainOfWallet(ctx, handle, choice.chain);
  const wallet = walletOf(handle);
  if (choice.kind === 'permit' && !(await permitDomain(chain))) throw noPermit(chain);
  if (choice.kind === 'resume') await requirePaused(ctx, handle.id, chain, wallet);
  const nonce = String(await nextNonce(chain, wallet, choice.kind));
  const deadline = Math.floor((ctx.clock.now() + CALL_SIGNATURE_MS) / 1_000);
  const submit: CallTerms = { ...choice, nonce, deadline };
  // Deadlines are whole seconds: what is signed within a pause's own second would count as older than the pause.
  if (choice.kind === 'resume' && (await pausedSince(ctx.db, handle.id, chain.name, issuedAt(deadline))))
    throw notPausedYet(chain);
  return { typed_data: buildCall(chain, wallet, submit).typedData, submit };
}

function nextNonce(chain: EvmChain, wallet: Address, kind: CallChoice['kind']): Promise<bigint> {
  return kind === 'permit' ? permitNonce(chain, wallet) : routerNonce(chain, wallet);
}

async function requirePaused(ctx: Ctx, handleId: string, chain: EvmChain, wallet: Address): Promise<void> {
  if ((await senderState(chain, wallet, chain.usdc)).paused) return;
  // A pause that was only held in our rows goes to the chain now, where the wallet can end it.
  await ctx.db.$transaction((tx) => wantHeldPauses(ctx, tx, [handleId]));
  throw notPausedYet(chain);
}

function notPausedYet(chain: EvmChain): AppError {
  const words = `Your spending isn’t paused on ${chain.facts.label}. If you paused just now, wait a moment.`;
  return new AppError('state_conflict', words);
}

/** For wallets that send by themselves: the call that gives the bot router an allowance. @throws AppError `parameter_invalid` */
export function prepareApprove(ctx: Ctx, handle: Caller, { chain: name, amount }: { chain: string; amount: string }) {
  const chain = chainOfWallet(ctx, handle, name);
  const data = encodeApprove(chain.routers.bot, allowanceUnits(chain, amount));
  return { to: chain.usdc, data, value: '0x0', chainId: chain.facts.chainId };
}

/**
 * Takes a signature and has its call sent. The same signature twice is one call.
 * @throws AppError `signature_invalid`, `call_refused` when the chain would refuse it, `state_conflict` when its number was used or another
 * one is under way, `rate_limited` above the budget, `provider_unavailable`
 */
export async function submitSigned(ctx: Ctx, handle: Caller, terms: CallTerms, given: Hex): Promise<CallView> {
  const signature = normalSignature(given);
  const chain = chainOfWallet(ctx, handle, terms.chain);
  const wallet = walletOf(handle);
  checkDeadline(ctx, terms.deadline, CALL_SIGNATURE_MS);
  const { kind, typedData, to, encode } = buildCall(chain, wallet, terms);
  const hash = typedDataHash(typedData);
  if (!(await proveSignature(chain, { address: wallet, hash, signature }))) throw new AppError('signature_invalid');
  const data = encode(signature);
  const use = `${kind}:${chain.name}:${wallet}:${BigInt(terms.nonce)}`;
  return sponsorCall(
    ctx,
    { handleId: handle.id, kind, chain, use, to, data, gas: CALL_GAS, deadline: terms.deadline },
    {
      async before() {
        if ((await nextNonce(chain, wallet, kind)) !== BigInt(terms.nonce)) throw usedUp();
        await requireStake(ctx, handle.id, chain, wallet);
      },
      async within(tx) {
        if (kind === 'resume' && (await pausedSince(tx, handle.id, chain.name, issuedAt(terms.deadline))))
          throw pausedAgain();
      },
    },
  );
}

type Checks = {
  /** Of a call that is not under way already. */
  before?(): Promise<void>;
  /** Under the locks that make the counts of its budget exact. */
  within?(tx: Tx): Promise<void>;
  /** Why the chain would refuse it, in the words of the caller's subject. */
  refusal?(reason: RevertReason): AppError;
};

/**
 * Has a signed call sent at our cost, within the budgets of its handle and its chain. The same bytes twice are one call.
 * @throws AppError `call_refused` when the chain would refuse it, `state_conflict` when another one is under way, `rate_limited` above a budget,
 * `provider_unavailable`; what `checks` throw
 */
export async function sponsorCall(ctx: Ctx, call: NewCall, checks: Checks = {}): Promise<CallView> {
  const { handleId, kind, chain, use, to, data, gas } = call;
  const before = await sameCall(ctx.db, use, data);
  if (before) return viewCall(ctx, before);
  await checks.before?.();
  const refusal = await simulateCall(chain, { to, data, gas });
  if (refusal) throw checks.refusal?.(refusal) ?? new AppError('call_refused', refusalWords(refusal, chain));
  if (!(await hasFreeKey(ctx, chain)))
    throw new AppError(
      'provider_unavailable',
      `Ampersat can’t send on ${chain.facts.label} right now. Try again shortly.`,
    );
  const row = await ctx.db.$transaction(async (tx): Promise<CallRow> => {
    await lockSender(tx, handleId);
    const twin = await sameCall(tx, use, data);
    if (twin) return twin;
    await requireRoom(ctx, tx, handleId, chain, kind);
    await checks.within?.(tx);
    return storeCall(ctx, tx, call);
  });
  await ctx.queues.flush(ctx.db);
  return viewCall(ctx, row);
}

export type NewCall = {
  /** Or the address of a wallet that belongs to no handle. */
  handleId: string;
  kind: SponsoredKind;
  chain: EvmChain;
  /** What the signature uses up. */
  use: string;
  to: Address;
  data: Hex;
  gas: bigint;
  /** Unix seconds. */
  deadline: number;
};

/** Writes a signed call and queues its transaction. Run it under the locks that make the counts of its budget exact. */
export async function storeCall(ctx: Ctx, tx: Tx, { deadline, to, chain, ...call }: NewCall): Promise<CallRow> {
  const id = newId(ctx, 'spc');
  const { data, gas, use } = call;
  const row = await tx.sponsoredCall.create({
    data: {
      ...call,
      id,
      chain: chain.name,
      attempt: await tx.sponsoredCall.count({ where: { use } }),
      toAddress: to,
      status: 'queued',
      createdAt: new Date(ctx.clock.now()),
      expiresAt: new Date(deadline * 1_000),
    },
    include: WITH_TX,
  });
  await queueCall(ctx, tx, chain.name, { kind: 'sponsored', subjectId: id, to, data, gas });
  return row;
}

function issuedAt(deadline: number): Date {
  return new Date(deadline * 1_000 - CALL_SIGNATURE_MS);
}

export function usedUp(): AppError {
  return new AppError('state_conflict', 'This signature, or a newer one, was already used. Please start again.');
}

function pausedAgain(): AppError {
  return new AppError('state_conflict', 'You paused spending after this was prepared. Start again to resume.');
}

/** A call with the same bytes that has not failed. */
async function sameCall(tx: Tx, use: string, data: Hex): Promise<CallRow | null> {
  const rows = await tx.sponsoredCall.findMany({
    where: { use, data },
    include: WITH_TX,
  });
  return rows.find((row) => progress(row) !== 'failed') ?? null;
}

/** Whether the handle was paused on a chain at or after a time: then an older signature does not take that back. */
async function pausedSince(tx: Tx, handleId: string, chain: string, time: Date): Promise<boolean> {
  return (await tx.pause.count({ where: { handleId, chain, since: { gte: time } } })) > 0;
}

/** A call ends with its transaction: its own row records only the sending. */
export const sponsoredKind: OutgoingKind = ofEvm({
  async expire(ctx, { subjectId: id }) {
    const { expiresAt } = await ctx.db.sponsoredCall.findUniqueOrThrow({ where: { id }, select: { expiresAt: true } });
    return expiresAt.getTime() - ctx.clock.now() < LEAST_TIME_LEFT_MS ? fail(ctx, id, EXPIRED) : null;
  },
  async check(ctx, chain, { subjectId: id, toAddress, data, gas }) {
    const row = await ctx.db.sponsoredCall.findUniqueOrThrow({ where: { id } });
    const refusal = await simulateCall(chain, { to: toAddress as Address, data: data as Hex, gas });
    if (refusal) return fail(ctx, id, refusalWords(refusal, chain));
    return (await wasPausedAfter(ctx.db, row)) ? fail(ctx, id, pausedAgain().message) : null;
  },
  async onSigned(ctx, tx, { id: outgoingTxId, subjectId: id }) {
    const row = await tx.sponsoredCall.findUniqueOrThrow({ where: { id } });
    await lockSender(tx, row.handleId);
    if (await wasPausedAfter(tx, row)) throw pausedAgain();
    if (!(await transitionOne(ctx, tx, 'sponsored_call', id, 'submit', { outgoingTxId }))) throw usedUp();
  },
  // A pause that waited for this resume is sent now; one that it took back goes from our rows.
  async onFinal(ctx, _chain, { subjectId: id }) {
    const { kind, handleId } = await ctx.db.sponsoredCall.findUniqueOrThrow({ where: { id } });
    if (kind !== 'resume') return NOTHING;
    await dropResumedPauses(ctx, [handleId]);
    return (tx) => wake(tx, 'pauses');
  },
  onLost: async () => NOTHING,
});

const EXPIRED = 'It couldn’t be sent before the signature expired. Sign it again.';

/** Ends a call that was not sent. */
function fail(ctx: Ctx, id: string, failure: string): Write {
  return async (tx) => void (await transitionOne(ctx, tx, 'sponsored_call', id, 'fail', { failure }));
}

/** A pause after a resume was signed: the older signature does not take it back. */
async function wasPausedAfter(tx: Tx, { kind, handleId, chain, expiresAt }: Row<'SponsoredCall'>): Promise<boolean> {
  return kind === 'resume' && (await pausedSince(tx, handleId, chain, issuedAt(expiresAt.getTime() / 1_000)));
}

/** One call of the handle. @throws AppError `resource_missing` */
export function callOf(ctx: Ctx, handleId: string, id: string): Promise<CallView> {
  return findCall(ctx, { id, handleId });
}

/** One call of a kind, for anyone who has its id. @throws AppError `resource_missing` */
export async function findCall(
  ctx: Ctx,
  where: { id: string; kind?: SponsoredKind; handleId?: string },
): Promise<CallView> {
  const row = await ctx.db.sponsoredCall.findFirst({ where, include: WITH_TX });
  if (!row) throw new AppError('resource_missing');
  return viewCall(ctx, row);
}

function viewCall(ctx: Ctx, row: CallRow): CallView {
  const { id, kind, chain, outgoingTx } = row;
  const status = progress(row);
  const hash = outgoingTx && (outgoingTx.minedHash ?? outgoingTx.attempts[0]?.hash ?? null);
  const failure = row.failure ?? 'The network rejected it, so nothing changed. Try again.';
  return {
    id,
    kind: kind as SponsoredKind,
    chain,
    status,
    tx_hash: hash,
    explorer_url: hash && `${evmChainOf(ctx, chain).explorerUrl}/tx/${hash}`,
    failure: status === 'failed' ? failure : null,
  };
}

function refusalWords(reason: RevertReason, chain: EvmChain): string {
  const where = chain.facts.label;
  if (reason.name === 'InvalidNonce') return usedUp().message;
  if (reason.name === 'Expired') return 'The signature has expired. Sign it again.';
  if (reason.name === 'InvalidSignature' || /invalid signature/i.test(reason.text ?? ''))
    return `${where} doesn’t accept this wallet’s signature. Send it from your wallet instead.`;
  return `${where} rejected this (${reason.text ?? reason.name}).`;
}
