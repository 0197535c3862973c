// What a node said to a broadcast, noted on the attempt.
import type { Chain } from '../../chain/chain.ts';
import type { BroadcastOutcome } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { transitionOne } from '../transitions.ts';

export async function noteBroadcast(
  ctx: Ctx,
  chain: Chain,
  attempt: Pick<Row<'TxAttempt'>, 'hash' | 'outgoingTxId' | 'number'>,
  outcome: BroadcastOutcome,
): Promise<BroadcastOutcome> {
  const lastError = outcome.kind === 'sent' ? null : outcome.reason;
  const now = new Date(ctx.clock.now());
  await ctx.db.$transaction(async (tx) => {
    await tx.$executeRaw`update tx_attempt set broadcast_at = ${now}, last_error = ${lastError} where hash = ${attempt.hash}`;
    if (lastError === null) await transitionOne(ctx, tx, 'outgoing_tx', attempt.outgoingTxId, 'send', { sentAt: now });
  });
  if (lastError !== null) {
    ctx.log.warn(
      { chain: chain.name, tx: attempt.outgoingTxId, attempt: attempt.number, reason: lastError },
      'a broadcast was not taken',
    );
  }
  return outcome;
}
