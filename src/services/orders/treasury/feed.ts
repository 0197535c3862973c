// What final transactions brought to the treasury: each once, with the order that it names, if it names exactly one.

import type { SolanaChain } from '../../../chain/solana/client.ts';
import { creditOf } from '../../../chain/treasury.ts';
import { type Ctx, newId } from '../../../context.ts';
import { decimalOf, type Tx } from '../../../db.ts';
import { isId } from '../../../domain/ids.ts';
import { orderNamed } from '../../../domain/treasuryTransfer.ts';
import type { ProgramRoom, ProgramTransaction } from '../../indexer/followProgram.ts';
import { wake } from '../../wake.ts';

/** The orders room's part of the treasury's account. */
export function treasuryFeed(ctx: Ctx, chain: SolanaChain, treasury: string): ProgramRoom {
  return {
    ingest: (transactions) => async (tx) => {
      for (const one of transactions) await note(ctx, tx, chain, treasury, one);
    },
    afterRound: async () => false,
  };
}

async function note(
  ctx: Ctx,
  tx: Tx,
  chain: SolanaChain,
  treasury: string,
  { receipt, time }: ProgramTransaction,
): Promise<void> {
  const credit = creditOf(chain, treasury, receipt);
  if (!credit) return;
  const { accounts, memos, hash: txHash, block } = receipt;
  const units = credit.units - (await sendFee(tx, txHash));
  if (units <= 0n) return;
  const ids = memos.map((memo) => memo.trim()).filter((text) => isId('ord', text));
  const orders = await tx.order.findMany({
    where: {
      chain: chain.name,
      depositShownAt: { not: null },
      OR: [{ depositAddress: { in: accounts } }, { id: { in: ids } }],
    },
    select: { id: true, depositAddress: true },
  });
  const named = orderNamed(
    { accounts, memos },
    orders.map(({ id, depositAddress }) => ({ id, reference: depositAddress ?? '' })),
  );
  const { count } = await tx.treasuryTransfer.createMany({
    data: {
      id: newId(ctx, 'trt'),
      chain: chain.name,
      txHash,
      block,
      at: time,
      treasury,
      fromAddress: credit.from,
      units: decimalOf(units),
      orderId: named?.id ?? null,
      namedBy: named?.by ?? null,
      status: named ? 'matched' : 'unmatched',
      createdAt: new Date(ctx.clock.now()),
    },
    skipDuplicates: true,
  });
  if (count > 0 && named) await wake(tx, 'deposits');
}

/** The fee of a send that this transaction of ours pays: it comes beside the events of the program. */
async function sendFee(tx: Tx, txHash: string): Promise<bigint> {
  const [found] = await tx.$queryRaw<{ units: string }[]>`
    select s.fee_units::text as units from tx_attempt a
    join outgoing_tx o on o.id = a.outgoing_tx_id and o.kind = 'sponsored'
    join sponsored_call c on c.id = o.subject_id and c.kind = 'send'
    join send s on c.use = 'send:' || s.id
    where a.hash = ${txHash}`;
  return BigInt(found?.units ?? 0);
}
