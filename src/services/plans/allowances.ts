// What may still be drawn of a wallet for subscriptions, on every chain, and what its subscriptions take of it.
import type { Chain } from '../../chain/chain.ts';
import { sharesAllowance, signsWhole, subscriberFunds } from '../../chain/plans.ts';
import { isUnlimited } from '../../chain/spending.ts';
import type { Ctx } from '../../context.ts';
import type { ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { formatUnits } from '../../domain/money.ts';
import { placeOn, reachesOn } from '../../domain/walletReach.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { isLive } from '../chains.ts';
import { placesOfHandle } from './subscriberWallets.ts';
import { unitsOf } from './views.ts';

/** Decimal strings of USDC. A chain that does not answer has no figures. */
export type AllowanceView = {
  chain: string;
  label: string;
  livemode: boolean;
  unreachable: boolean;
  /** Null without a limit that could ever be reached. */
  allowance: string | null;
  balance: string;
  /** What the active subscriptions take in one period each. */
  per_period: string;
  subscriptions: number;
  /** Whether the allowance can be signed, and Ampersat sends it. */
  permit: boolean;
  /** Whether tips and grants draw on it too. */
  shared: boolean;
};

/** Of the caller's wallets: chains on which it subscribes, or allows something. @throws AppError `state_conflict` for a handle without a wallet */
export async function listAllowances(ctx: Ctx, handle: SessionHandle): Promise<AllowanceView[]> {
  const places = await placesOfHandle(ctx.db, handle.id);
  const wallets = Object.values(places).map(({ address }) => address);
  if (wallets.length === 0)
    throw new AppError('state_conflict', 'This handle has no wallet yet. Add one in the settings.');
  const chains = Object.values(ctx.chains).filter(({ name }) => reachesOn(places, name));
  const sums = await ctx.db.$queryRaw<{ chain: string; count: number; units: { toFixed(places: number): string } }[]>`
    select s.chain, count(*)::int as count, sum(p.units) as units from subscription s join plan p on p.id = s.plan_id
    where s.subscriber = any(${wallets}) and s.status = 'active' group by s.chain`;
  const views = await Promise.all(
    chains.map((chain) => {
      const wallet = placeOn(places, chain.name as ChainName)?.address ?? '';
      const sum = sums.find((one) => one.chain === chain.name);
      return viewOn(chain, wallet, sum?.count ?? 0, sum ? unitsOf(sum.units) : 0n);
    }),
  );
  return views.filter(
    ({ subscriptions, allowance, unreachable }) => subscriptions > 0 || (!unreachable && allowance !== '0.00'),
  );
}

async function viewOn(chain: Chain, wallet: string, subscriptions: number, units: bigint): Promise<AllowanceView> {
  const { facts, name } = chain;
  const money = (value: bigint) => formatUnits(value, facts.usdcDecimals);
  const common = {
    chain: name,
    label: facts.label,
    livemode: isLive(chain),
    per_period: money(units),
    subscriptions,
    permit: signsWhole(chain) || facts.permits.includes('eip2612'),
    shared: sharesAllowance(chain),
  };
  try {
    const { balance, allowance } = await subscriberFunds(chain, wallet);
    const shown = isUnlimited(chain, allowance) ? null : money(allowance);
    return { ...common, unreachable: false, allowance: shown, balance: money(balance) };
  } catch {
    return { ...common, unreachable: true, allowance: money(0n), balance: money(0n) };
  }
}
