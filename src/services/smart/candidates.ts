// The ways to pay what is due, priced, cheapest first. They are kept until their prices are over, so a payment needs only the id of one.
import { z } from 'zod';
import { canonicalAddress } from '../../chain/addresses.ts';
import { type Ctx, newId } from '../../context.ts';
import { sqlRows } from '../../db.ts';
import { chainLabel } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { formatUnits, formatUsd, USDC_PRICE } from '../../domain/money.ts';
import {
  CANDIDATE_MS,
  CANDIDATES,
  LEAST_FILL_MS,
  LEAST_LEG_USD,
  MOST_PAYERS,
  SLIPPAGE_BPS,
} from '../../domain/smartLeg.ts';
import { type Candidate, planPayment } from '../../domain/smartPayment.ts';
import { familyOf } from '../../domain/walletFamily.ts';
import { spotPrice } from '../bridges/prices.ts';
import { type Due, type DueWish, dueOf, isTooLate } from './due.ts';
import { type PaySource, readSources, unitValue } from './sources.ts';

export type CandidatesWish = DueWish & {
  payer: readonly string[];
  limit?: number | undefined;
  slippageBps?: number | undefined;
  sources?: readonly { chain: string; asset: string }[] | undefined;
  /** The network address that asks. */
  client?: string | undefined;
};

const units = z.string().regex(/^\d{1,78}$/);
const fee = z.strictObject({ kind: z.enum(['bridge', 'executor', 'network']), units, usd: z.string() });
/** A leg of a candidate as its row keeps it. `give` is all that leaves the wallet beside network fees, `fee` the executor's part of it. */
export const plannedLeg = z.strictObject({
  via: z.enum(['direct', 'across', 'relay']),
  by: z.enum(['signature', 'wallet', 'transaction']),
  payer: z.string(),
  chain: z.string(),
  asset: z.string(),
  token: z.string().nullable(),
  decimals: z.number(),
  give: units,
  arrives: units,
  fee: units,
  fees: z.array(fee),
});
export type PlannedLeg = z.infer<typeof plannedLeg>;

export type CandidateView = {
  id: string;
  kind: 'direct' | 'single' | 'multi';
  cost_usd: string;
  eta_seconds: number;
  confirmations: number;
  gasless: boolean;
  legs: {
    chain: string;
    chain_label: string;
    asset: string;
    payer: string;
    balance: string;
    amount: string;
    arrives: string;
    via: PlannedLeg['via'];
    fees: { kind: PlannedLeg['fees'][number]['kind']; amount: string; usd: string }[];
    gasless: boolean;
  }[];
  expires_at: string;
  balance_ok: boolean;
};
export type CandidateList = {
  object: 'list';
  due: { amount: string; currency: string; chain: string };
  data: CandidateView[];
  unavailable: string[];
  expires_at: string;
};

/**
 * @throws AppError `resource_missing`, `handle_not_found`, `state_conflict`, `parameter_invalid`, `parameter_missing`, `unsupported_chain`,
 * `unsupported_asset`, `provider_unavailable` for the due chain
 */
export async function listCandidates(ctx: Ctx, wish: CandidatesWish): Promise<CandidateList> {
  const payers = readPayers(wish.payer);
  requireServed(ctx, wish.sources);
  const due = await dueOf(ctx, wish);
  const value = await dueValue(ctx, due);
  const { sources, unavailable } = await readSources(ctx, due, value, {
    payers,
    named: wish.sources,
    client: wish.client ?? null,
  });
  const timely = sources.filter((source) => (source.direct ? !isTooLate(ctx, due) : hasTime(ctx, due)));
  const terms = { units: due.units, value, leastLeg: (LEAST_LEG_USD * 10n ** 18n + value - 1n) / value };
  const planned = planPayment(terms, timely);
  // With too little money in all of them, what it would take is shown.
  const found = planned.length > 0 ? planned : planPayment(terms, timely.map(asIfFunded));
  const chosen = found.slice(0, wish.limit ?? CANDIDATES.usual);
  const now = ctx.clock.now();
  const rows = chosen.map((candidate) => {
    const expiresAt = Math.min(now + CANDIDATE_MS, ...candidate.legs.map(({ source }) => source.priceUntil));
    return { id: newId(ctx, 'cand'), candidate, legs: candidate.legs.map((leg) => planLeg(leg, value)), expiresAt };
  });
  const kept = rows.map(({ id, candidate: { kind }, legs, expiresAt }) => ({
    id,
    kind,
    legs,
    expiresAt: new Date(expiresAt),
  }));
  const { order, recipient, chain, currency, units } = due;
  // One statement: a page lists its candidates every few seconds for as long as it is open.
  await ctx.db.$executeRaw`
    insert into smart_candidate
      (id, order_id, recipient, chain, currency, due_units, payers, kind, legs, slippage_bps, created_at, expires_at)
    select c.id, ${order?.id ?? null}, ${recipient}, ${chain.name}, ${currency}, ${String(units)}::numeric, ${[...payers]}, c.kind, c.legs,
      ${wish.slippageBps ?? SLIPPAGE_BPS.usual}::int, ${new Date(now)}::timestamptz, c."expiresAt"
    from jsonb_to_recordset(${sqlRows(kept)}) as c(id text, kind text, legs jsonb, "expiresAt" timestamptz)`;
  return {
    object: 'list',
    due: { amount: formatUnits(due.units, due.decimals), currency: due.currency, chain: due.chain.name },
    data: rows.map((row) => viewCandidate(due, row)),
    unavailable,
    expires_at: new Date(Math.min(now + CANDIDATE_MS, ...rows.map(({ expiresAt }) => expiresAt))).toISOString(),
  };
}

/** @throws AppError `unsupported_chain` */
function requireServed(ctx: Ctx, sources: CandidatesWish['sources'] = []): void {
  const unknown = sources.find(({ chain }) => !Object.hasOwn(ctx.chains, chain));
  if (unknown) throw new AppError('unsupported_chain', undefined, { param: 'sources' });
}

/** @throws AppError `parameter_invalid` */
function readPayers(given: readonly string[]): string[] {
  const wallets = given.map((text) => canonicalAddress(familyOf(text), text));
  const payers = [...new Set(wallets.filter((wallet) => wallet !== null))];
  if (wallets.includes(null) || payers.length === 0 || payers.length > MOST_PAYERS) {
    const words = `payer must list 1 to ${MOST_PAYERS} wallet addresses.`;
    throw new AppError('parameter_invalid', words, { param: 'payer' });
  }
  return payers;
}

/** @throws AppError `provider_unavailable` while a native asset has no price */
export async function dueValue(ctx: Ctx, due: Due): Promise<bigint> {
  const price = due.token === null ? await spotPrice(ctx, due.chain) : USDC_PRICE;
  if (price === null)
    throw new AppError('provider_unavailable', `There is no price of ${due.currency} right now. Try again shortly.`);
  return unitValue(price, due.decimals);
}

/** A bridge needs its time: what would come after the order's end is not sent. */
function hasTime(ctx: Ctx, { endsAt }: Due): boolean {
  return endsAt === null || endsAt - ctx.clock.now() >= LEAST_FILL_MS;
}

const PLENTY = 2n ** 200n;

function asIfFunded(source: PaySource): PaySource {
  return { ...source, balance: PLENTY };
}

type Row = { id: string; candidate: Candidate<PaySource>; legs: PlannedLeg[]; expiresAt: number };

/** The bridge's part is what it takes beyond the worth of what arrives. @param dueUnitValue USD of one unit that arrives, times 10^24 */
function planLeg({ source, gives, arrives }: Candidate<PaySource>['legs'][number], dueUnitValue: bigint): PlannedLeg {
  const { via, by, payer, origin, asset, token, decimals, fee: executor, value, gas } = source;
  const bridge = gives - executor - (arrives * dueUnitValue) / value;
  const usd = (units: bigint) => formatUsd((units * value + 5n * 10n ** 17n) / 10n ** 18n);
  const fees: PlannedLeg['fees'] = [];
  if (bridge > 0n) fees.push({ kind: 'bridge', units: String(bridge), usd: usd(bridge) });
  if (executor > 0n) fees.push({ kind: 'executor', units: String(executor), usd: usd(executor) });
  if (gas > 0n) fees.push({ kind: 'network', units: '0', usd: formatUsd(gas / 10n ** 18n) });
  return {
    via,
    by,
    payer,
    chain: origin.name,
    asset,
    token,
    decimals,
    give: String(gives),
    arrives: String(arrives),
    fee: String(executor),
    fees,
  };
}

/** Its payer needs nothing of the native asset for the network. */
function isGasless({ fees }: PlannedLeg): boolean {
  return fees.every(({ kind }) => kind !== 'network');
}

function viewCandidate(due: Due, { id, candidate, legs, expiresAt }: Row): CandidateView {
  const cost = candidate.cost > 0n ? candidate.cost : 0n;
  return {
    id,
    kind: candidate.kind,
    cost_usd: formatUsd((cost + 10n ** 18n - 1n) / 10n ** 18n),
    eta_seconds: candidate.etaS,
    confirmations: candidate.confirmations,
    gasless: legs.every(isGasless),
    legs: legs.map((leg, index) => ({
      chain: leg.chain,
      chain_label: chainLabel(leg.chain),
      asset: leg.asset,
      payer: leg.payer,
      balance: formatUnits(candidate.legs[index]?.source.holds ?? 0n, leg.decimals),
      amount: formatUnits(BigInt(leg.give), leg.decimals),
      arrives: formatUnits(BigInt(leg.arrives), due.decimals),
      via: leg.via,
      fees: leg.fees.map((one) => ({
        kind: one.kind,
        amount: formatUnits(BigInt(one.units), leg.decimals),
        usd: one.usd,
      })),
      gasless: isGasless(leg),
    })),
    expires_at: new Date(expiresAt).toISOString(),
    balance_ok: candidate.legs.every(({ source, gives }) => gives + source.spent <= source.holds),
  };
}
