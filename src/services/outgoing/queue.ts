// Calls that wait for an executor's key. Any process may queue one; only workers, which have the keys, send it (outgoing/send).
import { type Ctx, newId } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { OutgoingKindName } from '../../domain/outgoing.ts';
import { wake } from '../wake.ts';

/**
 * `data` is a call of the contract `to`, or on Solana what chain/solana/payload writes for the program `to`; `gas` its limit, there in compute units;
 * `subjectId` the row that the kind names.
 */
export type OutgoingCall = { kind: OutgoingKindName; subjectId: string; to: string; data: string; gas: bigint };

/** Stores a call that is to be sent on a chain, with what the caller writes beside it. @returns the id of the outgoing transaction */
export async function queueCall(ctx: Ctx, tx: Tx, chain: string, call: OutgoingCall): Promise<string> {
  const { kind, subjectId, to, data, gas } = call;
  const id = newId(ctx, 'otx');
  const attempt = await nextAttemptNumber(tx, kind, subjectId);
  const createdAt = new Date(ctx.clock.now());
  await tx.outgoingTx.create({
    data: { id, chain, kind, subjectId, attempt, toAddress: to, data, gas, status: 'queued', createdAt },
  });
  await wake(tx, 'outgoing');
  return id;
}

/** Counted from 0 per subject. Two that count at once get the same number, and the database refuses one. */
export async function nextAttemptNumber(tx: Tx, kind: OutgoingKindName, subjectId: string): Promise<number> {
  const { _max } = await tx.outgoingTx.aggregate({ where: { kind, subjectId }, _max: { attempt: true } });
  return (_max.attempt ?? -1) + 1;
}

/** How many transactions were signed for a subject. */
export function countSigned(tx: Tx, kind: OutgoingKindName, subjectId: string): Promise<number> {
  return tx.outgoingTx.count({ where: { kind, subjectId, executor: { not: null } } });
}
