// The rent of the orders' accounts of sends comes back once the chain has no more use for them.
import type { Chain } from '../../chain/chain.ts';
import { orderContract } from '../../chain/orders.ts';
import type { RentReturn } from '../../chain/rent.ts';
import type { Ctx } from '../../context.ts';
import { overDeadlines, type RentRounds, rentOf } from '../orders/rent.ts';
import { orderOfSend, ROUTER } from './terms.ts';

/** Accounts of sends that can be closed, with the calls. @throws AppError `provider_unavailable` */
export function sendRent(ctx: Ctx, chain: Chain, rounds: RentRounds): Promise<RentReturn[]> {
  return rentOf(chain, rounds, 'sends', async (after, take) => {
    const rows = await ctx.db.send.findMany({
      where: {
        chain: chain.name,
        routerAddress: orderContract(chain, ROUTER),
        deadline: overDeadlines(ctx),
        status: 'completed',
        ...(after !== undefined && { id: { gt: after } }),
      },
      orderBy: { id: 'asc' },
      take,
    });
    return rows.map((row) => ({ id: row.id, order: orderOfSend(ctx, row) }));
  });
}
