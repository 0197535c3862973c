// Tips that arrive on another chain than the one on which their sender has the money: from which chain they are paid, what the bridge takes, and the
// leg that follows their money to its end (see services/smart/follow).
import type { Price } from '../../chain/bridge/price.ts';
import { bridgesBetween } from '../../chain/bridge/routes.ts';
import type { Chain } from '../../chain/chain.ts';
import { adapterOutput } from '../../chain/routers/adapter.ts';
import type { Address, EvmChain } from '../../chain/rpc/client.ts';
import { finalBlock } from '../../chain/rpc/finality.ts';
import { tokenBalance } from '../../chain/senders.ts';
import { type Ctx, evmChainOf, evmChains, newId } from '../../context.ts';
import type { Json, Tx } from '../../db.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { isAway } from '../../domain/errors.ts';
import { relayFeeUnits, relayFeeUsd } from '../../domain/fees.ts';
import { divideUp, type MicroUsd, scaleUnits, USDC_PRICE, usdForUnits } from '../../domain/money.ts';
import { type Crossing, drawnUnits, type PlannedLeg, type Refusal } from '../../domain/plan.ts';
import { givenFor } from '../../domain/smartPayment.ts';
import { type Places, placeOn, reachesOn } from '../../domain/walletReach.ts';
import { type AcrossTerms, acrossRequestId } from '../bridges/legTerms.ts';
import { once } from '../bridges/memo.ts';
import { bridgePrice } from '../bridges/prices.ts';
import { isLive } from '../chains.ts';
import { chainRefusal, type Ledger, readChainStates, type Sender, type States } from '../spending/balances.ts';
import { bumpIntentReplies } from './intentReplies.ts';
import { noteReceived } from './receivedNotices.ts';
import { bumpThreads } from './threads.ts';

/** What a bridge may take: a hundredth of the amount, and 0.10 USD. */
const mostFor = (usd: MicroUsd): MicroUsd => usd / 100n + 100_000n;

export type Short = {
  sender: Sender;
  /** The sender's wallets. */
  places: Places;
  /** The sender named the chain. */
  isTyped: boolean;
  legs: readonly PlannedLeg[];
  /** Those of the legs for which their chain has too little. */
  short: readonly PlannedLeg[];
};
/** `states` has the balances of the chain `from`. */
export type Elsewhere = { from: string; legs: PlannedLeg[]; states: States } | { refusal: Refusal };

/**
 * Pays legs from another chain, the cheapest one on which the sender has enough: they cross to where they were to arrive, and an escrow opens there.
 * @returns null where there is no such chain; a refusal where there is one, and something else is in the way, or where no bridge leads from it
 */
export async function payElsewhere(ctx: Ctx, about: Short, ledger: Ledger): Promise<Elsewhere | null> {
  const [first] = about.short;
  const destination = first && ctx.chains[first.chain as ChainName];
  const isPlain = about.short.every(({ asset, crossing }) => asset === 'USDC' && crossing === null);
  if (!destination || !isPlain) return null;
  const others = Object.values(ctx.chains).filter(
    (chain) =>
      chain.name !== destination.name && isLive(chain) === isLive(destination) && reachesOn(about.places, chain.name),
  );
  const isBridged = (origin: Chain) => bridgesBetween({ origin, destination, areTokens: true }).includes('across');
  const isMovable = about.short.every(({ tabSlug }) => tabSlug === null || !about.isTyped);
  const origins = isMovable ? others.filter(isBridged) : [];
  const tries = await Promise.all(
    origins.map(({ name }) => tryFrom(ctx, about, ledger, evmChainOf(ctx, name), evmChainOf(ctx, destination.name))),
  );
  const found = tries.filter((one) => one !== null);
  const [cheapest] = found.flatMap((one) => ('legs' in one ? [one] : [])).sort((a, b) => Number(a.usd - b.usd));
  if (cheapest) return cheapest;
  const [refused] = found.flatMap((one) => ('refusal' in one ? [one] : []));
  if (refused) return refused;
  const apart = others.filter((origin) => !isBridged(origin));
  const held = await Promise.all(apart.map((origin) => holdsAll(about, origin)));
  const from = apart[held.indexOf(true)];
  return from ? { refusal: { code: 'not_bridged', from: from.facts.label, chain: destination.facts.label } } : null;
}

/** Whether the sender has so much on a chain. One that does not answer says no. */
async function holdsAll({ places, short }: Short, origin: Chain): Promise<boolean> {
  const place = placeOn(places, origin.name);
  if (!place) return false;
  const { usdcDecimals } = origin.facts;
  const needed = short.reduce((sum, { units, decimals }) => sum + scaleUnits(units, decimals, usdcDecimals), 0n);
  const has = await tokenBalance(origin, origin.usdc, place.address).catch(() => 0n);
  return needed > 0n && has >= needed;
}

type Try = { from: string; legs: PlannedLeg[]; states: States; usd: MicroUsd } | { refusal: Refusal };

/** @returns null where the sender has too little, and where no way leads from there */
async function tryFrom(
  ctx: Ctx,
  { sender, legs, short }: Short,
  ledger: Ledger,
  origin: EvmChain,
  destination: EvmChain,
): Promise<Try | null> {
  const where = { from: origin.facts.label, chain: destination.facts.label };
  try {
    // Most senders have nothing there: that is read before a bridge is queried.
    const bare = legs.map((leg) => (short.includes(leg) ? onChain(leg, origin) : leg));
    const states = await readChainStates(ctx, [{ sender, legs: bare.filter(({ chain }) => chain === origin.name) }]);
    const moved = bare.filter(({ chain }) => chain === origin.name);
    const tooLittle = await chainRefusal(ctx, { sender, legs: moved }, ledger, states);
    if (tooLittle?.isShort) return null;
    const crossed = await Promise.all(
      legs.map((leg, index) => {
        if (!short.includes(leg)) return leg;
        return leg.tabSlug === null ? cross(ctx, leg, bare[index] ?? leg, origin, destination) : (bare[index] ?? leg);
      }),
    );
    const problem = crossed.find((leg) => typeof leg === 'string');
    if (problem === 'no_way') return null;
    if (problem) return { refusal: { code: problem, ...where } };
    const planned = crossed.filter((leg) => typeof leg !== 'string');
    const there = planned.filter(({ chain }) => chain === origin.name);
    const refused = await chainRefusal(ctx, { sender, legs: there }, ledger, states);
    if (refused?.isShort) return null;
    if (refused) return { refusal: refused.refusal };
    const usd = planned.reduce((sum, { crossing, feeUsd }) => sum + feeUsd + (crossing?.bridgeUsd ?? 0n), 0n);
    return { from: origin.name, legs: planned, states, usd };
  } catch (error) {
    // A chain that does not answer is no way out.
    if (isAway(error)) return null;
    throw error;
  }
}

/** The same leg as another chain pays it, before its way is priced. */
function onChain(leg: PlannedLeg, origin: EvmChain): PlannedLeg {
  const { usdcDecimals: decimals, label } = origin.facts;
  const crosses = leg.tabSlug === null;
  const shrink = 10n ** BigInt(Math.max(0, leg.decimals - decimals));
  const grow = 10n ** BigInt(Math.max(0, decimals - leg.decimals));
  return {
    ...leg,
    chain: origin.name,
    chainLabel: label,
    token: origin.usdc,
    decimals,
    units: divideUp(leg.units * grow, shrink),
    feeUnits: crosses ? relayFeeUnits(leg.usd, true, USDC_PRICE, decimals) : 0n,
    feeUsd: crosses ? relayFeeUsd(leg.usd, true) : 0n,
    recipientAddress: crosses ? leg.recipientAddress : origin.routers.escrow,
  };
}

/** @param before the leg on the chain where it arrives; @param leg the same where it is paid */
async function cross(
  ctx: Ctx,
  before: PlannedLeg,
  leg: PlannedLeg,
  origin: EvmChain,
  destination: EvmChain,
): Promise<PlannedLeg | 'no_way' | 'bridge_away' | 'bridge_fee'> {
  const adapter = origin.across?.adapter;
  if (!adapter || !destination.across || !(await leadsTo(ctx, origin, destination))) return 'no_way';
  const price = await bridgePrice(
    ctx,
    {
      via: 'across',
      ...{ origin, destination, inputToken: origin.usdc, outputToken: destination.usdc },
      ...{ inputDecimals: leg.decimals, outputDecimals: before.decimals, inputValue: 0n, outputValue: 0n },
    },
    before.units,
    { payer: origin.usdc, recipient: destination.usdc, client: null },
  );
  if (price === 'unavailable') return 'bridge_away';
  if (price === null || before.units < price.least || before.units > price.most) return 'no_way';
  const bridgeUnits = bridgeFee(leg, before.units, price);
  const bridgeUsd = usdForUnits(bridgeUnits, USDC_PRICE, leg.decimals);
  if (bridgeUsd > mostFor(leg.usd)) return 'bridge_fee';
  const [originFinal, destinationFinal] = await Promise.all([finalBlock(origin), finalBlock(destination)]);
  const crossing: Crossing = {
    chain: destination.name,
    chainLabel: destination.facts.label,
    token: destination.usdc,
    decimals: before.decimals,
    units: before.units,
    bridgeUnits,
    bridgeUsd,
    adapter,
    originFrom: originFinal.number,
    destinationFrom: destinationFinal.number,
  };
  return { ...leg, crossing };
}

/** In whole cents, rounded up, so that a confirmed plan is the same plan a moment later. */
function bridgeFee({ units, decimals }: PlannedLeg, arrives: bigint, { fixed, rate }: Price): bigint {
  const asked = givenFor({ fixed, rate }, arrives) - units;
  const cent = 10n ** BigInt(decimals - 2);
  return asked > 0n ? divideUp(asked, cent) * cent : 0n;
}

/** Whether the adapter leads to the USDC of a chain; it never changes. @throws AppError `provider_unavailable` */
async function leadsTo(ctx: Ctx, origin: EvmChain, destination: EvmChain): Promise<boolean> {
  const output = await once(
    ctx,
    `adapter ${origin.name} ${destination.name}`,
    () => adapterOutput(origin, origin.usdc, destination.facts.chainId),
    () => Number.POSITIVE_INFINITY,
  );
  return output?.toLowerCase().endsWith(destination.usdc.slice(2).toLowerCase()) ?? false;
}

/** A leg that is frozen just now. */
export type FrozenCrossing = {
  tipId: string;
  messageKey: string;
  senderAddress: string;
  validUntil: Date;
  leg: PlannedLeg & { crossing: Crossing };
};

/** Writes the payments that follow these frozen legs over the bridge, in the transaction that freezes them. */
export async function stageCrossings(ctx: Ctx, tx: Tx, crossings: readonly FrozenCrossing[]): Promise<void> {
  const now = new Date(ctx.clock.now());
  for (const { tipId, messageKey, senderAddress, validUntil, leg } of crossings) {
    const origin = evmChains(ctx)[leg.chain as ChainName];
    if (!origin) throw new Error(`${leg.chain} is not served`);
    const { crossing } = leg;
    const terms = termsOf({ messageKey, senderAddress, validUntil }, leg);
    const paymentId = newId(ctx, 'pay');
    await tx.smartPayment.create({
      data: {
        ...{ id: paymentId, tipId, recipient: leg.recipientAddress, chain: crossing.chain, currency: leg.asset },
        ...{ decimals: crossing.decimals, dueUnits: String(crossing.units), payer: senderAddress, status: 'pending' },
        ...{ createdAt: now, expiresAt: validUntil },
      },
    });
    await tx.smartLeg.create({
      data: {
        ...{ id: newId(ctx, 'leg'), paymentId, number: 1, via: 'across', chain: leg.chain, asset: leg.asset },
        ...{ payer: senderAddress, giveUnits: terms.input, arriveUnits: terms.output, status: 'prepared' },
        ...{ requestId: acrossRequestId(origin, terms), terms: terms as Json },
        ...{ originFrom: crossing.originFrom, destinationFrom: crossing.destinationFrom },
        ...{ deadline: validUntil, nextLookAt: now, createdAt: now },
      },
    });
  }
}

function termsOf(
  { messageKey, senderAddress, validUntil }: Omit<FrozenCrossing, 'tipId' | 'leg'>,
  leg: FrozenCrossing['leg'],
): AcrossTerms {
  const { crossing, chain, token, recipientAddress } = leg;
  return {
    via: 'across',
    by: 'router',
    originChainId: CHAINS[chain as ChainName].chainId,
    destinationChainId: CHAINS[crossing.chain as ChainName].chainId,
    depositor: senderAddress as Address,
    recipient: recipientAddress as Address,
    inputToken: token as Address,
    outputToken: crossing.token as Address,
    input: String(drawnUnits(leg) - leg.feeUnits),
    output: String(crossing.units),
    fillDeadline: Math.floor(validUntil.getTime() / 1_000),
    nonce: String(BigInt(messageKey)),
    fee: '0',
    feeTo: senderAddress as Address,
    signedUntil: 0,
    quotedAt: 0,
    adapter: crossing.adapter as Address,
  };
}

/** The way of a tip to another chain is over: its receipt says so, and its recipient has it, or its sender. */
export async function crossingEnded(ctx: Ctx, tx: Tx, tipId: string): Promise<void> {
  const { intentId } = await tx.tip.findUniqueOrThrow({ where: { id: tipId }, select: { intentId: true } });
  await bumpIntentReplies(ctx, tx, [intentId]);
  await bumpThreads(ctx, tx, [intentId]);
  await noteReceived(ctx, tx, [tipId]);
}
