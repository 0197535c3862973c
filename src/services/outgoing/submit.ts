// Sends transactions: signs, stores, and only then broadcasts, in the way of the chain's family. Every attempt at one carries the same payload, so a
// crash anywhere can only repeat the same bytes.
import type { Chain } from '../../chain/chain.ts';
import type { Ctx } from '../../context.ts';
import { newId } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { transitionOne } from '../transitions.ts';
import type { QueuedCall } from './kinds.ts';
import { laneOf } from './lanes.ts';
import { nextAttemptNumber, type OutgoingCall } from './queue.ts';

/**
 * Signs a call and stores it together with what `alongside` writes, then sends it.
 * @param alongside runs in the storing transaction; when it throws, no nonce was used
 * @returns the id of the outgoing transaction
 * @throws AppError `provider_unavailable` when the chain is away or every key is busy
 */
export async function submit(
  ctx: Ctx,
  chain: Chain,
  call: OutgoingCall,
  alongside: (tx: Tx, outgoingTxId: string) => Promise<void> = async () => {},
): Promise<string> {
  const id = newId(ctx, 'otx');
  const { kind, subjectId, to, data, gas } = call;
  await laneOf(chain).signAndStore(ctx, chain, call, async (tx, { executor, nonce, attempts }) => {
    const attempt = await nextAttemptNumber(tx, kind, subjectId);
    const createdAt = new Date(ctx.clock.now());
    const subject = { kind, subjectId, attempt };
    const payload = { toAddress: to, data, gas };
    await tx.outgoingTx.create({
      data: { id, chain: chain.name, ...subject, executor, nonce, ...payload, status: 'signed', createdAt, attempts },
    });
    await alongside(tx, id);
  });
  await laneOf(chain).broadcastOpen(ctx, chain, id);
  return id;
}

/**
 * The same for a call that is queued: its row gets the nonce.
 * @throws AppError `state_conflict` when another worker has signed it
 */
export async function submitQueued(
  ctx: Ctx,
  chain: Chain,
  { id, kind, subjectId, toAddress, data, gas }: QueuedCall,
  alongside: (tx: Tx) => Promise<void>,
): Promise<void> {
  const call = { kind, subjectId, to: toAddress, data, gas };
  await laneOf(chain).signAndStore(ctx, chain, call, async (tx, { executor, nonce, attempts }) => {
    if (!(await transitionOne(ctx, tx, 'outgoing_tx', id, 'sign', { executor, nonce, retryAt: null })))
      throw new AppError('state_conflict', 'another worker signed this call');
    await tx.txAttempt.create({ data: { outgoingTxId: id, ...attempts.create } });
    await alongside(tx);
  });
  await laneOf(chain).broadcastOpen(ctx, chain, id);
}
