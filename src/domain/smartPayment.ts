// The planner of smart payments: from which chains and assets a payer pays what is due, the cheapest first. Pure, and exact.

/** The fixed point of {@link Source.rate}. */
export const RATE_ONE = 10n ** 18n;
/** Legs of one pack. */
export const MOST_LEGS = 4;
/** So many sources are searched in full: 2,500 packs. Of more, those that would cost most for all that is due are left out. */
export const MOST_SOURCES = 16;

/** One asset on one chain that a payer can pay from, and what the way from there to the due asset takes. */
export type Source = {
  /** Units that can leave the wallet: what it has, less what its own network fees need. */
  balance: bigint;
  /** Units that leave the wallet beside the amount, however large it is: a bridge's flat fee. */
  fixed: bigint;
  /** Units that leave the wallet for one unit of the due asset that arrives, times {@link RATE_ONE}, rounded up. */
  rate: bigint;
  /** USD of one unit, times 10^24. */
  value: bigint;
  /** Network fees that the payer pays beside it, in USD times 10^24. */
  gas: bigint;
  /** What the way lets arrive at least and at most, in units of the due asset. */
  least: bigint;
  most: bigint;
  /** In the due asset on the due chain: no bridge is needed. */
  direct: boolean;
  confirmations: number;
  etaS: number;
};

export type Due = {
  /** Units that must arrive, and the USD of one of them times 10^24. */
  units: bigint;
  value: bigint;
  /** What each leg of a pack lets arrive at least, in units. */
  leastLeg: bigint;
};

/** @typeParam S the caller's source, returned as it came */
export type Leg<S> = { source: S; arrives: bigint; gives: bigint };
export type Candidate<S> = {
  kind: 'direct' | 'single' | 'multi';
  legs: Leg<S>[];
  /** What the payer gives beyond what arrives, in USD times 10^24. */
  cost: bigint;
  /** That each leg needs, added up. */
  confirmations: number;
  /** Of the slowest leg. */
  etaS: number;
};

/**
 * Every source that suffices alone, and the cheapest pack of two to four where none does, or where it is strictly cheaper than the cheapest of them.
 * @returns by cost, then by confirmations, then by time; what arrives adds up to exactly what is due in each
 */
export function planPayment<S extends Source>(due: Due, sources: readonly S[]): Candidate<S>[] {
  if (due.units <= 0n) return [];
  const singles = sources
    .filter((source) => due.units >= source.least && due.units <= mostArriving(source))
    .map((source) => candidateOf(due, [{ source, arrives: due.units }]));
  const [cheapest] = singles.sort(inOrder);
  const pack = cheapestPack(due, sources);
  const isWorthIt = pack && (!cheapest || pack.cost < cheapest.cost);
  return isWorthIt ? [...singles, pack].sort(inOrder) : singles;
}

function inOrder(one: Candidate<unknown>, other: Candidate<unknown>): number {
  if (one.cost !== other.cost) return one.cost < other.cost ? -1 : 1;
  return one.confirmations - other.confirmations || one.etaS - other.etaS;
}

/** What leaves the wallet: rounded up, so that everything arrives. */
export function givenFor({ fixed, rate }: Pick<Source, 'fixed' | 'rate'>, arrives: bigint): bigint {
  return fixed + (arrives * rate + RATE_ONE - 1n) / RATE_ONE;
}

/** @returns below zero where not even the flat fee can be paid */
function mostArriving({ balance, fixed, rate, most }: Source): bigint {
  if (balance < fixed) return -1n;
  const payable = ((balance - fixed) * RATE_ONE) / rate;
  return payable < most ? payable : most;
}

function candidateOf<S extends Source>(
  { units, value }: Due,
  parts: readonly { source: S; arrives: bigint }[],
): Candidate<S> {
  const legs = parts.map(({ source, arrives }) => ({ source, arrives, gives: givenFor(source, arrives) }));
  const given = legs.reduce((sum, { source, gives }) => sum + gives * source.value + source.gas, 0n);
  return {
    kind: legs.length > 1 ? 'multi' : legs[0]?.source.direct ? 'direct' : 'single',
    legs,
    cost: given - units * value,
    confirmations: legs.reduce((sum, { source }) => sum + source.confirmations, 0),
    etaS: Math.max(...legs.map(({ source }) => source.etaS)),
  };
}

/** A source with the bounds of a leg from it, and what one unit more costs. */
type Part<S> = { source: S; least: bigint; most: bigint; slope: bigint };

function cheapestPack<S extends Source>(due: Due, sources: readonly S[]): Candidate<S> | null {
  const parts = sources
    .map((source): Part<S> => {
      const most = mostArriving(source);
      return {
        source,
        least: source.least > due.leastLeg ? source.least : due.leastLeg,
        most: most < due.units ? most : due.units,
        slope: source.rate * source.value,
      };
    })
    .filter(({ least, most }) => least <= most);
  let best: Candidate<S> | null = null;
  for (const chosen of subsets(searched(due, parts))) {
    const split = splitOver(due.units, chosen);
    if (!split) continue;
    const candidate = candidateOf(due, split);
    if (!best || inOrder(candidate, best) < 0) best = candidate;
  }
  return best;
}

/** The cheapest on their own, of more than can be searched. In the order of their slopes. */
function searched<S extends Source>({ units }: Due, parts: Part<S>[]): Part<S>[] {
  const alone = ({ source: { fixed, value, gas }, slope }: Part<S>) => (fixed * value + gas) * RATE_ONE + units * slope;
  const by = (of: (part: Part<S>) => bigint) => (one: Part<S>, other: Part<S>) => {
    const [a, b] = [of(one), of(other)];
    return a < b ? -1 : a > b ? 1 : 0;
  };
  const kept = parts.length > MOST_SOURCES ? [...parts].sort(by(alone)).slice(0, MOST_SOURCES) : [...parts];
  return kept.sort(by(({ slope }) => slope));
}

/** Every choice of two to {@link MOST_LEGS}, in their order. */
function* subsets<T>(items: readonly T[], chosen: readonly T[] = []): Generator<readonly T[]> {
  if (chosen.length >= 2) yield chosen;
  if (chosen.length === MOST_LEGS) return;
  for (const [index, item] of items.entries()) yield* subsets(items.slice(index + 1), [...chosen, item]);
}

/**
 * Every leg gets its least, then the rest goes where a unit costs least: with costs that rise evenly, no other split is cheaper.
 * @param parts in the order of their slopes
 * @returns null where these legs cannot let exactly that arrive
 */
function splitOver<S>(units: bigint, parts: readonly Part<S>[]): { source: S; arrives: bigint }[] | null {
  let rest = units - parts.reduce((sum, { least }) => sum + least, 0n);
  if (rest < 0n) return null;
  const split = parts.map(({ source, least, most }) => {
    const more = rest < most - least ? rest : most - least;
    rest -= more;
    return { source, arrives: least + more };
  });
  return rest === 0n ? split : null;
}
