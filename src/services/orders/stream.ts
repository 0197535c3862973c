// Live updates of orders for the pages that watch them: one query per second for the whole process, and an update to each watcher of a changed order.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { sqlList } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { createHeldStreams, type Held } from '../streams.ts';
import { type OrderState, readOrderStates } from './payments/progress.ts';

/** What a watcher gets; `end` says that nothing follows. */
export type Watcher = { tell(state: OrderState): void; end(): void };

export type OrderStreams = {
  /**
   * Tells how the order is at once, and from then on with each change, until it ends or half an hour is over.
   * @param who from where it is watched, for the limit
   * @returns what takes the watcher away
   * @throws AppError `rate_limited` when there are too many
   */
  watch(order: Row<'Order'>, who: string, watcher: Watcher): Promise<() => void>;
  /** One look at everything that is watched. */
  look(): Promise<void>;
  count(): number;
};

/** What the chains add by themselves is looked at less often than our rows; a payer's own transaction costs a question each. */
const BLOCKS_LOOK_EVERY = 2;
const CHAIN_LOOK_EVERY = 3;
const OVER = new Set(['completed', 'expired', 'cancelled']);

type Watched = Held & { orderId: string; told: string | null; watcher: Watcher };

export function createOrderStreams(ctx: Ctx): OrderStreams {
  /** How each watched order was when it was last read whole. */
  const stamps = new Map<string, string>();
  let rounds = 0;
  const streams = createHeldStreams<Watched>(ctx, 'orders', {
    lookAt,
    onDrop({ orderId }) {
      if (!streams.all().some((one) => one.orderId === orderId)) stamps.delete(orderId);
    },
  });

  function tell(one: Watched, state: OrderState): void {
    const text = JSON.stringify(state);
    if (one.told !== text) one.watcher.tell(state);
    one.told = text;
    if (OVER.has(state.order.status)) streams.end(one);
  }

  async function lookAt(all: Watched[]): Promise<void> {
    const ids = [...new Set(all.map(({ orderId }) => orderId))];
    rounds += 1;
    const looks = await readStamps(ctx, ids);
    const changed = looks.filter(({ id, stamp, on_its_way, named }) => {
      // Blocks that come on top of a payment are in no row.
      const again = (on_its_way && rounds % BLOCKS_LOOK_EVERY === 0) || (named && rounds % CHAIN_LOOK_EVERY === 0);
      return again || stamps.get(id) !== stamp;
    });
    if (changed.length === 0) return;
    const orders = await ctx.db.order.findMany({ where: { id: { in: changed.map(({ id }) => id) } } });
    const states = await readOrderStates(ctx, orders);
    for (const { id, stamp } of changed) stamps.set(id, stamp);
    for (const one of streams.all()) {
      const state = states.get(one.orderId);
      if (state) tell(one, state);
    }
  }

  return {
    async watch(order, who, watcher) {
      const one: Watched = { orderId: order.id, who, told: null, watcher, end: () => watcher.end() };
      streams.hold(one);
      // The row may have been read before the latest look at it.
      stamps.delete(order.id);
      try {
        const state = (await readOrderStates(ctx, [order])).get(order.id);
        if (state) tell(one, state);
      } catch (error) {
        streams.drop(one);
        throw error;
      }
      return () => streams.drop(one);
    },
    look: streams.look,
    count: streams.count,
  };
}

type Stamp = { id: string; stamp: string; on_its_way: boolean; named: boolean };

/** Everything of an order's rows that its page shows, in one text. */
function readStamps(ctx: Ctx, ids: string[]): Promise<Stamp[]> {
  const chains = Object.keys(ctx.chains) as ChainName[];
  return ctx.db.$queryRaw<Stamp[]>`
    select o.id, concat_ws(' ', o.status, o.tx_hash, o.received_units, s.id, s.status, x.status, x.mined_block, x.mined_hash) as stamp,
      o.status = 'processing' and x.mined_block is not null and o.chain = any(${chains}) as on_its_way,
      o.status = 'awaiting_payment' and o.tx_hash is not null as named
    from payment_order o
      left join lateral (select id, status, outgoing_tx_id from order_submission where order_id = o.id order by created_at desc, id desc limit 1) s on true
      left join outgoing_tx x on x.id = s.outgoing_tx_id
    where o.id in (${sqlList(ids)})`;
}
