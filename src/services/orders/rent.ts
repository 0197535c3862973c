// The rent of orders' accounts comes back once the chain has no more use for them.
import type { Chain } from '../../chain/chain.ts';
import type { OrderAt } from '../../chain/orders.ts';
import { type RentReturn, returnableOrders } from '../../chain/rent.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { ORDER_KEPT_SECONDS } from '../../domain/order.ts';
import type { OrderRouter } from '../../domain/typedData/orders.ts';
import { orderTerms } from './orders.ts';

/** Orders that one look asks the chain about; the next one goes on behind them. */
const PAGE = 100;
const PAGES = 20;
/** For so long after its time an order is looked at: what a longer pause of the workers leaves behind stays. */
const LOOKED_AT_SECONDS = 14n * 86_400n;

/** Where the last look of each room and chain ended. */
export type RentRounds = Map<string, string>;
/** Rows behind `after`, the first first, with their orders on the chain. */
type Page = (after: string | undefined, most: number) => Promise<{ id: string; order: OrderAt }[]>;

/** Accounts of orders that can be closed, with the calls. @throws AppError `provider_unavailable` */
export function orderRent(ctx: Ctx, chain: Chain, rounds: RentRounds): Promise<RentReturn[]> {
  return rentOf(chain, rounds, 'orders', async (after, most) =>
    (await nextOrders(ctx, chain, after, most)).map((row) => {
      return { id: row.id, order: { chain, router: row.router as OrderRouter, terms: orderTerms(row) } };
    }),
  );
}

/** The same of the orders of any room. @throws AppError `provider_unavailable` */
export async function rentOf(chain: Chain, rounds: RentRounds, room: string, next: Page): Promise<RentReturn[]> {
  const found: RentReturn[] = [];
  const round = `${room} ${chain.name}`;
  for (let pages = PAGES; pages > 0; pages--) {
    const rows = await next(rounds.get(round), PAGE);
    const orders = rows.map(({ order }) => order);
    found.push(...(await returnableOrders(chain, orders)));
    const last = rows.length === PAGE ? rows.at(-1) : undefined;
    if (!last) {
      rounds.delete(round);
      break;
    }
    rounds.set(round, last.id);
  }
  return found;
}

/** The deadlines of orders that are looked at: over for as long as their accounts must stay. */
export function overDeadlines(ctx: Ctx): { lt: bigint; gte: bigint } {
  const over = BigInt(Math.floor(ctx.clock.now() / 1_000)) - ORDER_KEPT_SECONDS;
  return { lt: over, gte: over - LOOKED_AT_SECONDS };
}

/** Orders whose accounts may exist: paid, or with an address that was shown. */
function nextOrders(ctx: Ctx, chain: Chain, after: string | undefined, take: number): Promise<Row<'Order'>[]> {
  return ctx.db.order.findMany({
    where: {
      chain: chain.name,
      deadline: overDeadlines(ctx),
      OR: [{ status: 'completed' }, { depositShownAt: { not: null } }],
      ...(after !== undefined && { id: { gt: after } }),
    },
    orderBy: { id: 'asc' },
    take,
  });
}
