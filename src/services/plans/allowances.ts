// What the subscription router may still draw of a wallet, on every chain, and what its subscriptions take of it.
import { readSubscriberFunds } from '../../chain/routers/charges.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import { type Ctx, evmChains } from '../../context.ts';
import { formatUnits } from '../../domain/money.ts';
import { reaches } from '../../domain/walletReach.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { walletOf } from '../accounts/signing.ts';
import { isLive } from '../chains.ts';
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
};

const PRACTICALLY_UNLIMITED = 2n ** 128n;

/** Of the caller's wallet: chains on which it subscribes, or allows something. @throws AppError `state_conflict` for a handle without a wallet */
export async function listAllowances(ctx: Ctx, handle: SessionHandle): Promise<AllowanceView[]> {
  const wallet = walletOf(handle);
  const chains = Object.values(evmChains(ctx)).filter(({ name }) => !handle.wallet || reaches(handle.wallet, name));
  const sums = await ctx.db.$queryRaw<{ chain: string; count: number; units: { toFixed(places: number): string } }[]>`
    select s.chain, count(*)::int as count, sum(p.units) as units from subscription s join plan p on p.id = s.plan_id
    where s.subscriber = ${wallet} and s.status = 'active' group by s.chain`;
  const views = await Promise.all(
    chains.map((chain) => {
      const sum = sums.find((one) => one.chain === chain.name);
      return viewOn(chain, wallet, sum?.count ?? 0, sum ? unitsOf(sum.units) : 0n);
    }),
  );
  return views.filter(
    ({ subscriptions, allowance, unreachable }) => subscriptions > 0 || (!unreachable && allowance !== '0.00'),
  );
}

async function viewOn(
  chain: EvmChain,
  wallet: `0x${string}`,
  subscriptions: number,
  units: bigint,
): Promise<AllowanceView> {
  const { facts, name } = chain;
  const money = (value: bigint) => formatUnits(value, facts.usdcDecimals);
  const common = {
    chain: name,
    label: facts.label,
    livemode: isLive(chain),
    per_period: money(units),
    subscriptions,
    permit: facts.permits.includes('eip2612'),
  };
  try {
    const { balance, allowance } = await readSubscriberFunds(chain, wallet);
    const shown = allowance >= PRACTICALLY_UNLIMITED ? null : money(allowance);
    return { ...common, unreachable: false, allowance: shown, balance: money(balance) };
  } catch {
    return { ...common, unreachable: true, allowance: money(0n), balance: money(0n) };
  }
}
