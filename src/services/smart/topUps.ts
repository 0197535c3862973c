// SOL for a handle's own Solana wallet, paid with USDC that its EVM wallet has: a smart payment like any other, within a limit a day.
import type { Chain } from '../../chain/chain.ts';
import { nativeBalance } from '../../chain/senders.ts';
import { type Ctx, chainOf } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { SPEND_WINDOW_MS } from '../../domain/limits.ts';
import { formatUnits, formatUsd, type MicroUsd, parseUnits, usdForUnits } from '../../domain/money.ts';
import { TOP_UP } from '../../domain/smartLeg.ts';
import { FAMILY_LABELS, type WalletFamily } from '../../domain/walletFamily.ts';
import { spotPrice } from '../bridges/prices.ts';
import { lockKey } from '../locks.ts';
import { listCandidates } from './candidates.ts';
import { createPayment } from './payments.ts';
import type { PreparedPayment } from './views.ts';

/** Where the handle gets its native asset, and from the wallet of which family. */
const TO: ChainName = 'solana';
const FROM: WalletFamily = 'evm';

type TopUpWish = {
  /** What is to arrive, as a decimal string. */
  amount: string;
  /** The network address that asks. */
  client: string;
};

/**
 * From the chain on which it costs least; prepared, and paid once the wallet has sent what its leg asks for.
 * @throws AppError `parameter_invalid`, `amount_out_of_range` above the day's limit or below what a wallet can hold, `state_conflict` without a wallet of
 * either family, `call_refused` without enough USDC on one chain, `quote_expired`, `provider_unavailable`
 */
export async function topUp(ctx: Ctx, handle: { id: string }, { amount, client }: TopUpWish): Promise<PreparedPayment> {
  const chain = chainOf(ctx, TO);
  const { native, nativeDecimals, label } = chain.facts;
  const units = parseUnits(amount, nativeDecimals);
  if (units === null || units <= 0n)
    throw new AppError('parameter_invalid', 'amount must be a decimal string such as "0.05".', { param: 'amount' });
  const [to, from] = await Promise.all([walletOf(ctx, handle, chain.family), walletOf(ctx, handle, FROM)]);
  const price = await spotPrice(ctx, chain);
  if (price === null)
    throw new AppError('provider_unavailable', `There is no price of ${native} right now. Try again shortly.`);
  const usd = usdForUnits(units, price, nativeDecimals);
  await requireUseful(chain, to, units);
  await requireLeft(ctx, ctx.db, handle, usd);
  const sources = Object.values(ctx.chains).filter(({ family }) => family === FROM);
  const { data, unavailable } = await listCandidates(ctx, {
    ...{ recipient: to, amount, currency: native, chain: TO, payer: [from], client, limit: 10 },
    sources: sources.map(({ name }) => ({ chain: name, asset: 'USDC' })),
  });
  const single = data.filter(({ kind }) => kind === 'single');
  const chosen = single.find(({ balance_ok }) => balance_ok);
  if (!chosen && single.length === 0 && unavailable.length > 0)
    throw new AppError('provider_unavailable', 'The bridge doesn’t answer. Try again shortly.');
  if (!chosen) {
    const needs = single[0]?.legs[0]?.amount;
    const much = needs === undefined ? 'enough USDC' : `${needs} USDC`;
    const words = `Your ${FAMILY_LABELS[FROM]} wallet doesn’t have ${much} on any one network, with what the network takes. Add USDC there, or send ${native} to your ${label} wallet.`;
    throw new AppError('call_refused', words);
  }
  const counted = { handleId: handle.id, usd };
  return createPayment(ctx, {
    candidateId: chosen.id,
    payer: from,
    client,
    topUp: { ...counted, requireLeft: (tx) => requireLeft(ctx, tx, handle, usd) },
  });
}

async function walletOf(ctx: Ctx, { id: handleId }: { id: string }, family: WalletFamily): Promise<string> {
  const wallet = await ctx.db.wallet.findUnique({ where: { handleId_family: { handleId, family } } });
  if (wallet) return wallet.address;
  const label = FAMILY_LABELS[family];
  throw new AppError('state_conflict', `You have no ${label} wallet yet. Add one under Settings → Wallets first.`);
}

/** An empty wallet cannot hold less than its rent. @throws AppError `amount_out_of_range` */
async function requireUseful(chain: Chain, wallet: string, units: bigint): Promise<void> {
  const { native, nativeDecimals } = chain.facts;
  const has = await nativeBalance(chain, wallet);
  if (has + units >= TOP_UP.least) return;
  const least = formatUnits(TOP_UP.least - has, nativeDecimals);
  throw new AppError('amount_out_of_range', `Top up at least ${least} ${native}.`, { param: 'amount' });
}

/** @throws AppError `amount_out_of_range` with what is left of the last 24 hours' limit */
async function requireLeft(ctx: Ctx, tx: Tx, { id }: { id: string }, usd: MicroUsd): Promise<void> {
  await lockKey(tx, `top-up:${id}`);
  const now = ctx.clock.now();
  const payments = await tx.smartPayment.findMany({
    where: {
      topUpOf: id,
      createdAt: { gt: new Date(now - SPEND_WINDOW_MS) },
      status: { notIn: ['failed', 'refunded'] },
    },
    select: { topUpUsd: true, expiresAt: true, legs: { select: { status: true } } },
  });
  // One that was prepared and never given holds its part until its price is over.
  const counted = payments.filter(
    ({ expiresAt, legs }) => expiresAt.getTime() > now || legs.some(({ status }) => status !== 'prepared'),
  );
  const used = counted.reduce((sum, { topUpUsd }) => sum + (topUpUsd ?? 0n), 0n);
  const left = TOP_UP.mostUsd > used ? TOP_UP.mostUsd - used : 0n;
  if (usd <= left) return;
  const words = `That is about ${formatUsd(usd)} USD. You can top up ${formatUsd(TOP_UP.mostUsd)} USD a day. ${formatUsd(left)} USD are left.`;
  throw new AppError('amount_out_of_range', words, { param: 'amount' });
}
