// What the wallets of a handle hold.
import { placesOf } from '../../domain/walletReach.ts';
import { holdingsOf } from '../../services/spending/holdings.ts';
import { balances } from './balanceAnswers.ts';
import { type Route, route } from './route.ts';

const get = route({
  method: 'get',
  path: '/api/balances',
  access: 'handle',
  answer: balances,
  status: 200,
  errors: [],
  run: async (ctx, { caller: { handle } }) =>
    holdingsOf(ctx, placesOf(await ctx.db.wallet.findMany({ where: { handleId: handle.id } }))),
});

export const BALANCE_ROUTES: readonly Route[] = [get];
