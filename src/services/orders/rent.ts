// The rent of orders' accounts comes back once the chain has no more use for them.
import type { Chain } from '../../chain/chain.ts';
import { type RentReturn, returnableOrders } from '../../chain/rent.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { ORDER_KEPT_SECONDS } from '../../domain/order.ts';
import type { OrderRouter } from '../../domain/typedData/orders.ts';
import { orderTerms } from './orders.ts';

/** Orders that one look asks the chain about; the next one goes on behind them. */
const PAGE = 100;
const PAGES = 20;
/** For so long after its time an order is looked at: what a longer pause of the workers leaves behind stays. */
const LOOKED_AT_SECONDS = 14n * 86_400n;

/** Where the last look of each chain ended. */
export type RentRounds = Map<ChainName, string>;

/** Accounts of orders that can be closed, with the calls. @throws AppError `provider_unavailable` */
export async function orderRent(ctx: Ctx, chain: Chain, rounds: RentRounds): Promise<RentReturn[]> {
  const found: RentReturn[] = [];
  for (let pages = PAGES; pages > 0; pages--) {
    const orders = await nextOrders(ctx, chain, rounds.get(chain.name));
    const places = orders.map((row) => ({ chain, router: row.router as OrderRouter, terms: orderTerms(row) }));
    found.push(...(await returnableOrders(chain, places)));
    const last = orders.length === PAGE ? orders.at(-1) : undefined;
    if (!last) {
      rounds.delete(chain.name);
      break;
    }
    rounds.set(chain.name, last.id);
  }
  return found;
}

/** Orders whose accounts may exist: paid, or with an address that was shown. */
function nextOrders(ctx: Ctx, chain: Chain, after: string | undefined): Promise<Row<'Order'>[]> {
  const over = BigInt(Math.floor(ctx.clock.now() / 1_000)) - ORDER_KEPT_SECONDS;
  return ctx.db.order.findMany({
    where: {
      chain: chain.name,
      deadline: { lt: over, gte: over - LOOKED_AT_SECONDS },
      OR: [{ status: 'completed' }, { depositShownAt: { not: null } }],
      ...(after !== undefined && { id: { gt: after } }),
    },
    orderBy: { id: 'asc' },
    take: PAGE,
  });
}
