// Completed orders whose payment is no longer on the chain: the order stays completed, and an operator has to decide.
import type { Chain } from '../../chain/chain.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { raiseEvent } from '../alerts.ts';

/** One alert each; a chain that lost more than this is looked at as a whole. */
const MOST = 100;

export async function raiseLostPayments(ctx: Ctx, tx: Tx, chain: Chain): Promise<void> {
  const lost = await tx.$queryRaw<{ id: string; tx_hash: string | null }[]>`
    select id, tx_hash from payment_order o where chain = ${chain.name} and status = 'completed'
      and not exists (select 1 from order_log l where l.order_id = o.id and l.kind = 'settled' and l.outcome = 'credited')
    order by id limit ${MOST}`;
  for (const { id, tx_hash } of lost) {
    const message = `${chain.facts.label} dropped the final block in which the completed order ${id} was paid (${tx_hash ?? 'unknown'}).`;
    await raiseEvent(ctx, tx, 'payment_lost', { subject: id, message });
  }
}
