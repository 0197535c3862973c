// Tips on a chain of any family: which call pays a leg, whether it would go through, and which transaction proves that it was paid.
import type { Hex } from 'viem';
import { handleKeyOf } from '../domain/escrowCalls.ts';
import { timedKey } from '../domain/messageKey.ts';
import type { Chain } from './chain.ts';
import type { Receipt } from './receipt.ts';
import { type CrossingTip, encodeCrossingTip, findCrossingTip } from './routers/adapter.ts';
import * as bot from './routers/bot.ts';
import { type EscrowTip, encodeEscrowTip, findEscrowTip } from './routers/openEscrows.ts';
import type { RevertReason } from './routers/reverts.ts';
import type { Address, EvmChain } from './rpc/client.ts';
import type { SolanaChain } from './solana/client.ts';
import { decodePayload, encodeInstructions } from './solana/payload.ts';
import * as solana from './solana/tips.ts';
import { simulateSolana } from './solana/transactions.ts';

/** One leg: addresses of the chain's family, smallest units, Unix seconds. */
export type Tip = {
  messageKey: Hex;
  sender: string;
  token: string;
  amount: bigint;
  validUntil: bigint;
} & (
  | { to: 'wallet'; recipient: string; fee: bigint; opensAccount: boolean }
  | { to: 'tab'; handleSlug: string; deadline: bigint }
  | { to: 'chain'; recipient: string; fee: bigint; destinationChain: number; minOutput: bigint }
);
export type TipCall = { kind: 'tips' | 'escrow_open'; to: string; data: string; gas: bigint };
export type LegOutcome = bot.LegOutcome;

/** What a chain says about tips at one time. */
export type TipTerms = {
  /** One leg of a pack that fails undoes them all. */
  isAtomic: boolean;
  /** What goes into one transaction each. */
  pack<Leg extends Tip>(legs: readonly Leg[]): Leg[][];
  /** The call that pays a pack. @throws RangeError for a leg that no call can carry */
  call(pack: readonly Tip[]): TipCall;
  /** @throws AppError `provider_unavailable` */
  recall(messageKey: Hex): Promise<Recall>;
};
/** What a chain remembers of a message. `forgotten` is one that it would refuse by its age alone, processed or not. */
export type Recall = 'processed' | 'unknown' | 'forgotten';

/** @throws AppError `provider_unavailable` */
export async function tipTerms(chain: Chain): Promise<TipTerms> {
  return chain.family === 'solana' ? solanaTerms(chain) : evmTerms(chain);
}

/**
 * The name of a leg that its chain remembers. On Solana a program remembers by the hour, so there it has the message's time.
 * @param sentAt when its message was sent, in milliseconds
 */
export function tipKey({ family }: Pick<Chain['facts'], 'family'>, legKey: Hex, sentAt: number): Hex {
  return family === 'solana' ? timedKey(legKey, sentAt) : legKey;
}

/** Measured at 152,000, more for tokens and wallets that cost more; what is not used is not paid. */
const TAB_GAS = 300_000n;
const CROSSING_GAS = 400_000n;

function evmTerms(chain: EvmChain): TipTerms {
  return {
    isAtomic: false,
    // Payments to wallets share a transaction; what opens a tab, or goes to another chain, has one of its own.
    pack(legs) {
      const direct = legs.filter(({ to }) => to === 'wallet');
      const alone = legs.filter(({ to }) => to !== 'wallet').map((leg) => [leg]);
      return direct.length > 0 ? [direct, ...alone] : alone;
    },
    call(pack) {
      const to = chain.routers.bot;
      const [first] = pack;
      if (first?.to === 'tab')
        return { kind: 'escrow_open', to, data: encodeEscrowTip(escrowTip(first)), gas: TAB_GAS };
      if (first?.to === 'chain')
        return { kind: 'tips', to, data: encodeCrossingTip(crossingTip(first)), gas: CROSSING_GAS };
      return { kind: 'tips', to, data: bot.encodeTips(pack.map(routerTip)), gas: bot.gasForTips(pack.length) };
    },
    recall: async (messageKey) => ((await bot.isProcessed(chain, messageKey)) ? 'processed' : 'unknown'),
  };
}

async function solanaTerms(chain: SolanaChain): Promise<TipTerms> {
  const terms = await solana.readTipTerms(chain);
  return {
    isAtomic: true,
    pack: (legs) => solana.packSolanaTips(chain, terms, legs as readonly solana.SolanaTip[]) as never,
    call(pack) {
      const legs = pack.map(solanaTip);
      const { instructions, units } = solana.solanaTipCall(chain, terms, legs);
      const kind = legs[0]?.to === 'tab' ? 'escrow_open' : 'tips';
      return { kind, to: chain.program.id, data: encodeInstructions(instructions), gas: BigInt(units) };
    },
    recall: (messageKey) => solana.recallOnSolana(chain, terms, messageKey),
  };
}

type Of<To extends Tip['to']> = Extract<Tip, { to: To }>;

function routerTip(tip: Tip): bot.RouterTip {
  if (tip.to !== 'wallet') throw new RangeError('this leg pays no wallet');
  return {
    ...tip,
    sender: tip.sender as Address,
    recipient: tip.recipient as Address,
    token: tip.token as Address,
  };
}

function escrowTip({ handleSlug, sender, token, ...tip }: Of<'tab'>): EscrowTip {
  return {
    ...tip,
    sender: sender as Address,
    token: token as Address,
    handleKey: handleKeyOf(handleSlug) as Hex,
  };
}

function crossingTip({ sender, recipient, token, ...tip }: Of<'chain'>): CrossingTip {
  return { ...tip, sender: sender as Address, recipient: recipient as Address, token: token as Address };
}

function solanaTip(tip: Tip): solana.SolanaTip {
  if (tip.to === 'chain') throw new RangeError('no tip crosses from this chain');
  return tip;
}

/**
 * Plays a call of {@link TipTerms} against the newest block without sending it.
 * @returns null when it would succeed, else why not
 * @throws AppError `provider_unavailable`
 */
export async function simulateTips(
  chain: Chain,
  executor: string,
  { data, gas }: Pick<TipCall, 'data' | 'gas'>,
): Promise<RevertReason | null> {
  if (chain.family === 'evm') return bot.simulate(chain, executor as Address, data as Hex);
  const payload = decodePayload(data, executor);
  if ('message' in payload) throw new RangeError('tips are stored as instructions');
  return simulateSolana(chain, executor, { ...payload, units: Number(gas) });
}

/** What was sent: `data` is read where it is needed. */
export type SentTips = { messageKeys: readonly string[]; executor: string; data(): Promise<string> };

/**
 * The outcome of each leg in a transaction that a block has, by message key. A leg without an outcome was neither paid nor refused by itself: on
 * Solana one leg that fails undoes all of its transaction.
 * @throws AppError `provider_unavailable`
 */
export async function tipOutcomes(chain: Chain, receipt: Receipt, sent: SentTips): Promise<Map<string, LegOutcome>> {
  const outcomes: Map<string, LegOutcome> =
    receipt.family === 'solana'
      ? solana.solanaLegOutcomes(receipt)
      : new Map(bot.legOutcomes(chain as EvmChain, receipt.raw));
  const silent = sent.messageKeys.filter((key) => !outcomes.has(key));
  if (silent.length === 0) return outcomes;
  if (receipt.family === 'solana' && !receipt.succeeded && sent.messageKeys.length > 1) return outcomes;
  const reason = await failureOf(chain, receipt, sent);
  for (const key of silent) outcomes.set(key, { paid: false, reason });
  return outcomes;
}

/** A leg without an event was not paid; on EVM chains the same call simulated again gives the reason. */
async function failureOf(chain: Chain, receipt: Receipt, { executor, data }: SentTips): Promise<RevertReason> {
  if (receipt.succeeded) return { name: 'NoEvent' };
  const reason =
    receipt.family === 'solana'
      ? receipt.reason
      : await bot.simulate(chain as EvmChain, executor as Address, (await data()) as Hex);
  return reason ?? { name: 'Reverted' };
}

/**
 * The transaction in which exactly the terms of a leg were paid, or null.
 * @param since when it can have been paid first
 * @param now both in milliseconds
 * @throws AppError `provider_unavailable`
 */
export async function findPaidTip(chain: Chain, tip: Tip, since: number, now: number): Promise<string | null> {
  if (chain.family === 'solana')
    return solana.findPaidOnSolana(chain, solanaTip(tip), BigInt(Math.floor((since - AROUND_MS) / 1_000)));
  const blocks = BigInt(Math.ceil((Math.max(0, now - since) + AROUND_MS) / chain.facts.blockTimeMs));
  if (tip.to === 'chain') return findCrossingTip(chain, crossingTip(tip), blocks);
  if (tip.to === 'tab') return findEscrowTip(chain, escrowTip(tip), blocks);
  return bot.findSettled(chain, routerTip(tip), blocks);
}

/** Clocks differ, and blocks do not come evenly. */
const AROUND_MS = 3_600_000;

/** Contracts that could never give the money back out: ours, tokens, and those that payments pass through. Lower case where case says nothing. */
export function ownAddresses(chain: Chain): string[] {
  if (chain.family === 'solana') {
    const { id, fixed } = chain.program;
    return [id, fixed.config, fixed.spender, fixed.vault, chain.usdc, chain.wrappedNative];
  }
  const { usdc, wrappedNative, permit2, routers, across } = chain;
  const bridge = across ? [across.pool, across.periphery, ...(across.adapter ? [across.adapter] : [])] : [];
  return [usdc, wrappedNative, permit2, ...Object.values(routers), ...bridge].map((address) => address.toLowerCase());
}

/** Who holds open tabs on a chain. */
export function tabHolder(chain: Chain): string {
  return chain.family === 'solana' ? chain.program.fixed.vault : chain.routers.escrow;
}
