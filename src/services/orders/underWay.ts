// What may still pay an order: payments that we send for its payer, and money that its payer gave to a bridge.
import type { Tx } from '../../db.ts';
import { SUBMISSION_OPEN } from '../../domain/order.ts';
import { LEG_LIVE } from '../../domain/smartLeg.ts';

/** Whether we are sending a payment of an order. @param sweeps false to leave out what moves money that is at the order's address already */
export async function hasOpenSubmissions(tx: Tx, orderId: string, { sweeps = true } = {}): Promise<boolean> {
  const open = { orderId, status: { in: [...SUBMISSION_OPEN] } };
  return (await tx.orderSubmission.count({ where: { ...open, ...(sweeps ? {} : { way: { not: 'sweep' } }) } })) > 0;
}

/** Whether a payer has given its money to a bridge for an order, and it may still arrive. */
export async function hasLiveLegs(tx: Tx, orderId: string): Promise<boolean> {
  return (await tx.smartLeg.count({ where: { payment: { orderId }, status: { in: [...LEG_LIVE] } } })) > 0;
}

/** Both in one question. */
export async function isUnderWay(tx: Tx, orderId: string): Promise<boolean> {
  const [found] = await tx.$queryRaw<{ under: boolean }[]>`
    select exists (select from order_submission where order_id = ${orderId} and status = any(${[...SUBMISSION_OPEN]}))
      or exists (select from smart_leg l join smart_payment p on p.id = l.payment_id
                 where p.order_id = ${orderId} and l.status = any(${[...LEG_LIVE]})) as under`;
  return found?.under === true;
}

/** Locks the order's row, which the code that takes a payment locks first too. */
export async function holdOrder(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw`select 1 from payment_order where id = ${id} for update`;
}
