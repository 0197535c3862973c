// Orders as they move, for the pages that watch them: one look a second for all of a process, and whoever watches an order is told when it changed.
import type { Ctx } from '../context.ts';
import type { Row } from '../db.ts';
import { sqlList } from '../db.ts';
import type { ChainName } from '../domain/chains.ts';
import { AppError } from '../domain/errors.ts';
import { type OrderState, readStates } from './orderProgress.ts';

/** What a watcher gets; `end` says that nothing follows. */
export type Watcher = { tell(state: OrderState): void; end(): void };

export type OrderStreams = {
  /**
   * Tells how the order is at once, and from then on with each change, until it ends or {@link LONGEST_MS} are over.
   * @param who from where it is watched, for the limit
   * @returns what takes the watcher away
   * @throws AppError `rate_limited` when there are too many
   */
  watch(order: Row<'Order'>, who: string, watcher: Watcher): Promise<() => void>;
  /** One look at everything that is watched. */
  look(): Promise<void>;
  count(): number;
};

const LOOK_EVERY_MS = 1_000;
/** Then the page asks again: nothing is held for somebody who went to sleep. */
const LONGEST_MS = 30 * 60_000;
const STREAMS = { perCaller: 20, total: 2_000 } as const;
/** What the chains add by themselves is looked at less often than our rows; a payer's own transaction costs a question each. */
const BLOCKS_LOOK_EVERY = 2;
const CHAIN_LOOK_EVERY = 3;
const OVER = new Set(['completed', 'expired', 'cancelled']);

type Held = { orderId: string; who: string; since: number; told: string | null; watcher: Watcher };

export function createOrderStreams(ctx: Ctx): OrderStreams {
  const held = new Set<Held>();
  /** How each watched order was when it was last read whole. */
  const stamps = new Map<string, string>();
  let rounds = 0;
  let closes = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  function drop(one: Held): void {
    held.delete(one);
    if (![...held].some(({ orderId }) => orderId === one.orderId)) stamps.delete(one.orderId);
  }

  function end(one: Held): void {
    drop(one);
    one.watcher.end();
  }

  function tell(one: Held, state: OrderState): void {
    const text = JSON.stringify(state);
    if (one.told !== text) one.watcher.tell(state);
    one.told = text;
    if (OVER.has(state.order.status)) end(one);
  }

  async function look(): Promise<void> {
    const now = ctx.clock.now();
    for (const one of [...held]) if (now - one.since >= LONGEST_MS) end(one);
    const ids = [...new Set([...held].map(({ orderId }) => orderId))];
    if (ids.length === 0) return;
    rounds += 1;
    const looks = await readStamps(ctx, ids);
    const changed = looks.filter(({ id, stamp, on_its_way, named }) => {
      // Blocks that come on top of a payment are in no row.
      const again = (on_its_way && rounds % BLOCKS_LOOK_EVERY === 0) || (named && rounds % CHAIN_LOOK_EVERY === 0);
      return again || stamps.get(id) !== stamp;
    });
    if (changed.length === 0) return;
    const orders = await ctx.db.order.findMany({ where: { id: { in: changed.map(({ id }) => id) } } });
    const states = await readStates(ctx, orders);
    for (const { id, stamp } of changed) stamps.set(id, stamp);
    for (const one of [...held]) {
      const state = states.get(one.orderId);
      if (state) tell(one, state);
    }
  }

  /** Runs while somebody watches; what fails is looked at again in the next round. */
  async function round(): Promise<void> {
    try {
      await look();
    } catch (err) {
      ctx.log.warn({ err }, 'orders that are watched could not be looked at');
    }
    timer = held.size > 0 ? setTimeout(run, LOOK_EVERY_MS) : undefined;
  }
  function run(): void {
    running = round();
  }

  /** Closed before the server, which waits for what it is answering: hence with the first watcher and not at start. */
  function begin(): void {
    timer ??= setTimeout(run, LOOK_EVERY_MS);
    if (closes) return;
    closes = true;
    ctx.shutdown.onClose('order streams', async () => {
      for (const one of [...held]) end(one);
      await running;
      clearTimeout(timer);
    });
  }

  return {
    async watch(order, who, watcher) {
      const mine = [...held].filter((one) => one.who === who).length;
      if (mine >= STREAMS.perCaller || held.size >= STREAMS.total || ctx.shutdown.closing())
        throw new AppError('rate_limited', 'Too many pages are open. Close some, then try again.', {
          retryAfterMs: 10_000,
        });
      begin();
      const one: Held = { orderId: order.id, who, since: ctx.clock.now(), told: null, watcher };
      held.add(one);
      // The row may have been read before the latest look at it.
      stamps.delete(order.id);
      try {
        const state = (await readStates(ctx, [order])).get(order.id);
        if (state) tell(one, state);
      } catch (error) {
        drop(one);
        throw error;
      }
      return () => drop(one);
    },
    look,
    count: () => held.size,
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
