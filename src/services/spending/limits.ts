// What a handle may spend: its caps here, its limits and allowance on every chain, and what of each is used. Chat and pages both read it from here.
import type { Chain } from '../../chain/chain.ts';
import { type SenderState, senderState } from '../../chain/senders.ts';
import { isUnlimited, type SpendingFacts, spendingFacts } from '../../chain/spending.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { MAX_COMMAND_CAP, MAX_DAY_CAP, SPEND_WINDOW_MS, TIPS_PER_WINDOW_CONNECTED } from '../../domain/limits.ts';
import { formatUnits, formatUsd, type MicroUsd } from '../../domain/money.ts';
import type { WalletFamily } from '../../domain/walletFamily.ts';
import { reaches } from '../../domain/walletReach.ts';
import { isLive } from '../chains.ts';
import { commandsLeft } from './commandQuota.ts';
import { pauseStands } from './pauses.ts';

export type TokenSpending = {
  asset: string;
  token: string;
  decimals: number;
  balance: string;
  /** null when the wallet set no limit that could ever be reached. */
  allowance: string | null;
  per_tip: string;
  per_day: string;
  max_fee: string;
  spent_24h: string;
  left_24h: string;
};
type ChainHead = {
  chain: string;
  family: WalletFamily;
  label: string;
  /** Whether its money is real. */
  livemode: boolean;
};
export type ChainSpending = ChainHead &
  SpendingFacts & {
    unreachable: false;
    /** The wallet that spends there, and signs. */
    wallet: string;
    /** Paused by the router, or by us until the router has the pause. */
    paused: boolean;
    explorer_url: string;
    tokens: TokenSpending[];
  };
export type SilentChain = ChainHead & { unreachable: true };
export type Spending = {
  command_cap: string;
  day_cap: string;
  max_command_cap: string;
  max_day_cap: string;
  spent_24h_usd: string;
  tips_left_this_hour: number;
  tips_per_hour: number;
  paused_at: string | null;
  chains: (ChainSpending | SilentChain)[];
  /** Served chains for whose family the handle has no wallet yet. */
  without_wallet: ChainHead[];
};

/** Everything about a handle's spending, in canonical strings. A chain that does not answer says so and holds up nothing else. */
export async function spendingOf(ctx: Ctx, handleId: string): Promise<Spending> {
  const now = ctx.clock.now();
  const wallets = await ctx.db.wallet.findMany({ where: { handleId } });
  const own = Object.values(ctx.chains).flatMap((chain) => {
    const wallet = wallets.find(({ family }) => family === chain.facts.family);
    return wallet && reaches(wallet, chain.name) ? [{ chain, wallet: wallet.address }] : [];
  });
  const pauses = await ctx.db.pause.findMany({ where: { handleId } });
  const pauseOn = (chain: string) => pauses.find((pause) => pause.chain === chain)?.status ?? null;
  const [chains, spent, tipsLeft, handle] = await Promise.all([
    Promise.all(own.map(({ chain, wallet }) => chainSpending(chain, wallet, pauseOn(chain.name), now))),
    spentLast24h(ctx.db, handleId, now),
    commandsLeft(ctx, { handleId }, now),
    ctx.db.handle.findUniqueOrThrow({ where: { id: handleId } }),
  ]);
  // A chain on which the wallet resumed is paused in our rows until a worker has seen it.
  const resumedOn = new Set(chains.flatMap((one) => (one.unreachable || one.paused ? [] : [one.chain])));
  const isPaused = pauses.some(({ chain }) => !resumedOn.has(chain));
  return {
    command_cap: formatUsd(handle.commandCapMicros),
    day_cap: formatUsd(handle.dayCapMicros),
    max_command_cap: formatUsd(MAX_COMMAND_CAP),
    max_day_cap: formatUsd(MAX_DAY_CAP),
    spent_24h_usd: formatUsd(spent),
    tips_left_this_hour: tipsLeft,
    tips_per_hour: TIPS_PER_WINDOW_CONNECTED.points,
    paused_at: isPaused ? (handle.pausedAt?.toISOString() ?? null) : null,
    chains,
    without_wallet: Object.values(ctx.chains)
      .filter((chain) => wallets.every(({ family }) => family !== chain.facts.family))
      .map(headOf),
  };
}

function headOf(chain: Chain): ChainHead {
  const { name, facts } = chain;
  return { chain: name, family: facts.family, label: facts.label, livemode: isLive(chain) };
}

/** What a handle sent or is sending in the last 24 hours, fees included, in every chat, from the pages and on every chain: what the day cap counts. */
export async function spentLast24h(tx: Tx, handleId: string, now: number): Promise<MicroUsd> {
  const createdAt = { gt: new Date(now - SPEND_WINDOW_MS) };
  const [tips, sends] = await Promise.all([
    tx.tip.aggregate({
      where: { senderHandleId: handleId, createdAt, status: { not: 'failed' } },
      _sum: { usdMicros: true },
    }),
    tx.send.aggregate({
      where: { handleId, createdAt, status: { in: ['processing', 'completed'] } },
      _sum: { usdMicros: true },
    }),
  ]);
  return (tips._sum.usdMicros ?? 0n) + (sends._sum.usdMicros ?? 0n);
}

async function chainSpending(
  chain: Chain,
  wallet: string,
  pause: string | null,
  now: number,
): Promise<ChainSpending | SilentChain> {
  const head = headOf(chain);
  let state: SenderState;
  try {
    state = await senderState(chain, wallet, chain.usdc, now);
  } catch {
    return { ...head, unreachable: true };
  }
  return {
    ...head,
    ...spendingFacts(chain),
    unreachable: false,
    wallet,
    paused: pauseStands(pause, state.paused),
    explorer_url: chain.explorerUrl,
    tokens: [usdcSpending(chain, state)],
  };
}

function usdcSpending(chain: Chain, state: SenderState): TokenSpending {
  const decimals = chain.facts.usdcDecimals;
  const money = (units: bigint) => formatUnits(units, decimals);
  const { perTip, perDay, maxFee, spent24h, balance, allowance } = state;
  return {
    asset: 'USDC',
    token: chain.usdc,
    decimals,
    balance: money(balance),
    allowance: isUnlimited(chain, allowance) ? null : money(allowance),
    per_tip: money(perTip),
    per_day: money(perDay),
    max_fee: money(maxFee),
    spent_24h: money(spent24h),
    left_24h: money(perDay > spent24h ? perDay - spent24h : 0n),
  };
}
