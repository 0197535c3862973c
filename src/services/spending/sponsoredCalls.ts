// Calls that a wallet signed and we pay for. The API checks the signature and stores the call; a worker, which has the keys, sends it.

import { simulateQueued } from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import type { RevertReason } from '../../chain/routers/reverts.ts';
import { walletsSend } from '../../chain/spending.ts';
import { type Ctx, chainOf, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { preparedAt } from '../../domain/spendingChange.ts';
import type { CallProgress, SponsoredKind } from '../../domain/sponsoredCall.ts';
import { LEAST_TIME_LEFT_MS } from '../accounts/signing.ts';
import { lockSender } from '../locks.ts';
import { hasFreeKey } from '../outgoing/keys.ts';
import { NOTHING, type OutgoingKind, type Write } from '../outgoing/kinds.ts';
import { queueCall } from '../outgoing/queue.ts';
import { transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import { dropResumedPauses, endHeldPause, pausedSince } from './pauses.ts';
import { type CallRow, progress, requireRoom, WITH_TX } from './sponsorBudget.ts';

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

type Checks = {
  /** Of a call that is not under way already. */
  before?(): Promise<void>;
  /** Under the locks that make the counts of its budget exact. */
  within?(tx: Tx): Promise<void>;
  /** In the transaction that stores it: what names the call by its ID. */
  stored?(tx: Tx, id: string): Promise<void>;
  /** Why the chain would refuse it, in the words of the caller's subject. */
  refusal?(reason: RevertReason): AppError | null;
};

/**
 * Has a signed call sent at our cost, within the budgets of its handle and its chain. The same bytes twice are one call.
 * @throws AppError `call_refused` when the chain would refuse it, `state_conflict` when another one is under way, `rate_limited` above a budget,
 * `provider_unavailable`; what `checks` throw
 */
export async function sponsorCall(ctx: Ctx, call: NewCall, checks: Checks = {}): Promise<CallView> {
  const { handleId, kind, chain, to, data, gas } = call;
  const before = await sameCall(ctx.db, call);
  if (before) return viewCall(ctx, before);
  await checks.before?.();
  const refusal = await simulateQueued(chain, { to, data, gas }, undefined);
  if (refusal) throw checks.refusal?.(refusal) ?? new AppError('call_refused', refusalWords(refusal, chain));
  if (!(await hasFreeKey(ctx, chain))) throw noKey(chain);
  const row = await ctx.db.$transaction(async (tx): Promise<CallRow> => {
    await lockSender(tx, handleId);
    const twin = await sameCall(tx, call);
    if (twin) return twin;
    await requireRoom(ctx, tx, handleId, chain, kind);
    await checks.within?.(tx);
    const stored = await storeCall(ctx, tx, call);
    await checks.stored?.(tx, stored.id);
    return stored;
  });
  await ctx.queues.flush(ctx.db);
  return viewCall(ctx, row);
}

export function noKey(chain: Chain): AppError {
  const words = `Ampersat can’t send on ${chain.facts.label} right now. Try again shortly.`;
  return new AppError('provider_unavailable', words);
}

export type NewCall = {
  /** Or the address of a wallet that belongs to no handle. */
  handleId: string;
  kind: SponsoredKind;
  chain: Chain;
  /** What the signature uses up. */
  use: string;
  /** The use names all of the call: with another signature it is the same. */
  isWhole?: boolean;
  to: string;
  data: string;
  gas: bigint;
  /** Unix seconds. */
  deadline: number;
};

/** Writes a signed call and queues its transaction. Run it under the locks that make the counts of its budget exact. */
export async function storeCall(
  ctx: Ctx,
  tx: Tx,
  { deadline, to, chain, isWhole: _, ...call }: NewCall,
): Promise<CallRow> {
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

export function issuedAt(deadline: number): Date {
  return new Date(preparedAt(deadline));
}

export function usedUp(): AppError {
  return new AppError('state_conflict', 'This signature, or a newer one, was already used. Please start again.');
}

export function pausedAgain(): AppError {
  return new AppError('state_conflict', 'You paused spending after this was prepared. Start again to resume.');
}

/** The same call, where it has not failed. */
async function sameCall(tx: Tx, { use, data, isWhole = false }: NewCall): Promise<CallRow | null> {
  const rows = await tx.sponsoredCall.findMany({ where: isWhole ? { use } : { use, data }, include: WITH_TX });
  return rows.find((row) => progress(row) !== 'failed') ?? null;
}

/** A call ends with its transaction: its own row records only the sending. */
export const sponsoredKind: OutgoingKind = {
  async expire(ctx, { subjectId: id }) {
    const { expiresAt } = await ctx.db.sponsoredCall.findUniqueOrThrow({ where: { id }, select: { expiresAt: true } });
    return expiresAt.getTime() - ctx.clock.now() < LEAST_TIME_LEFT_MS ? fail(ctx, id, EXPIRED) : null;
  },
  async check(ctx, chain, { subjectId: id, toAddress, data, gas }) {
    const row = await ctx.db.sponsoredCall.findUniqueOrThrow({ where: { id } });
    const refusal = await simulateQueued(chain, { to: toAddress, data, gas }, undefined);
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
  async onFinal(ctx, _chain, { subjectId: id, chain, succeeded }) {
    const row = await ctx.db.sponsoredCall.findUniqueOrThrow({ where: { id } });
    const { kind, handleId } = row;
    if (kind !== 'resume') return NOTHING;
    if (succeeded) await endHeldPause(ctx, handleId, chain, issuedAtOf(row));
    await dropResumedPauses(ctx, [handleId]);
    return (tx) => wake(tx, 'pauses');
  },
  onLost: async () => NOTHING,
};

const EXPIRED = 'It couldn’t be sent before the signature expired. Sign it again.';

/** Ends a call that was not sent. */
function fail(ctx: Ctx, id: string, failure: string): Write {
  return async (tx) => void (await transitionOne(ctx, tx, 'sponsored_call', id, 'fail', { failure }));
}

/** A pause after a resume was signed: the older signature does not take it back. */
async function wasPausedAfter(tx: Tx, { kind, handleId, chain, expiresAt }: Row<'SponsoredCall'>): Promise<boolean> {
  return kind === 'resume' && (await pausedSince(tx, handleId, chain, issuedAtOf({ expiresAt })));
}

function issuedAtOf({ expiresAt }: Pick<Row<'SponsoredCall'>, 'expiresAt'>): Date {
  return issuedAt(expiresAt.getTime() / 1_000);
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
  const failure = row.failure ?? (outgoingTx?.status === 'lost' ? TOO_LATE : REJECTED);
  return {
    id,
    kind: kind as SponsoredKind,
    chain,
    status,
    tx_hash: hash,
    explorer_url: hash && `${chainOf(ctx, chain).explorerUrl}/tx/${hash}`,
    failure: status === 'failed' ? failure : null,
  };
}

const REJECTED = 'The network rejected it, so nothing changed. Try again.';
const TOO_LATE = 'It didn’t reach a block before the signature expired, so nothing changed. Sign it again.';

function refusalWords(reason: RevertReason, chain: Chain): string {
  const where = chain.facts.label;
  if (reason.name === 'InvalidNonce') return usedUp().message;
  if (reason.name === 'Expired' || reason.name === 'BlockhashNotFound')
    return 'The signature has expired. Sign it again.';
  if (!walletsSend(chain)) return `${where} rejected this (${reason.name}).`;
  if (reason.name === 'InvalidSignature' || /invalid signature/i.test(reason.text ?? ''))
    return `${where} doesn’t accept this wallet’s signature. Send it from your wallet instead.`;
  return `${where} rejected this (${reason.text ?? reason.name}).`;
}
