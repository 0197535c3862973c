// The only writer of orders' statuses: each move goes with the event that it is, in one transaction.
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { OrderEvent } from '../../domain/events.ts';
import type { OrderAction, OrderStatus } from '../../domain/order.ts';
import { type Cause, writeEvents } from '../events.ts';
import { type Transition, transition } from '../transitions.ts';
import { tellOrderEnd } from './notices.ts';
import { readInTx } from './read.ts';
import { type OrderView, viewOrders } from './views.ts';

type Told = { event: OrderEvent; from: OrderStatus };
/** The event of each transition that integrators receive. Intermediate transitions have none. */
const EVENTS: Partial<Record<OrderAction, Told>> = {
  settle: { event: 'order.completed', from: 'processing' },
  lapse: { event: 'order.expired', from: 'processing' },
  expire: { event: 'order.expired', from: 'awaiting_payment' },
  cancel: { event: 'order.cancelled', from: 'awaiting_payment' },
};

/**
 * Moves orders and writes the event of each that moved; one without `endedAt` ends now. A batch has at most one move an order.
 * @returns those that moved: the others are in a status that does not allow it, because another transition came first
 */
export async function moveOrders(
  ctx: Ctx,
  tx: Tx,
  moves: (Transition<'order'> & { eventKey?: string })[],
  cause: Cause = {},
): Promise<Set<string>> {
  const now = new Date(ctx.clock.now());
  const moved = await transition(
    ctx,
    tx,
    'order',
    moves.map(({ id, action, through, patch }) => ({
      id,
      action,
      ...(through === undefined ? {} : { through }),
      // A transaction that its payer named, and that never came, is no payment of an order that ended without one.
      patch: EVENTS[action]
        ? { endedAt: now, ...(action === 'settle' ? {} : { txHash: null }), ...patch }
        : (patch ?? {}),
    })),
  );
  const ended = moves.filter(({ id, action }) => moved.has(id) && EVENTS[action]);
  if (ended.length === 0) return moved;
  const rows = await readInTx(
    tx,
    ended.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const told = ended.flatMap(({ id, action, eventKey }) => {
    const [order, kind] = [byId.get(id), EVENTS[action]];
    if (!order || !kind) return [];
    return { order, type: kind.event, uniqueKey: eventKey, previous: { status: kind.from } };
  });
  await writeOrderEvents(ctx, tx, told, cause);
  for (const { order } of told) await tellOrderEnd(ctx, tx, order);
  return moved;
}

/** What was different before: the keys of the order that changed. */
export type Previous = { [Key in keyof OrderView]?: OrderView[Key] };

type OrderTold = {
  order: Row<'Order'>;
  type: OrderEvent;
  /** What tells two events of a kind about one order apart; an order has one of most kinds. */
  uniqueKey?: string | undefined;
  previous?: Previous | undefined;
};

/** Writes events of orders as they are now, once per unique key. */
export async function writeOrderEvents(ctx: Ctx, tx: Tx, told: OrderTold[], cause: Cause = {}): Promise<void> {
  const views = await viewOrders(
    ctx,
    tx,
    told.map(({ order }) => order),
  );
  const drafts = told.map(({ order, type, uniqueKey, previous }, index) => ({
    handleId: order.handleId,
    livemode: order.livemode,
    type,
    resourceId: order.id,
    uniqueKey: uniqueKey ?? eventKeyOf(order.id, type),
    object: { order: views[index] },
    previous,
  }));
  await writeEvents(ctx, tx, drafts, cause);
}

export function eventKeyOf(orderId: string, type: OrderEvent): string {
  return `${orderId}:${type}`;
}
