// The receipt of many recipients: one line with the sum, and a line for each recipient that the chat folds away where it can.
import type { Language } from '../../src/domain/language.ts';
import { sumAmounts } from '../../src/domain/money.ts';
import type { IntentView, LegView } from '../../src/services/tips/intentView.ts';
import { feeMoney, type Money, showList } from './amounts.ts';
import { type Piece, say, sayLinked } from './say.ts';

/** Up to so many recipients have a sentence each: apps show that much of a folded list anyway. */
const MOST_UNFOLDED = 2;

/** A part of a text; what is folded is a list of lines. */
export type Part = Piece | { folded: Piece[][] };

type LinkTo = (leg: LegView, hash: string | null) => Piece;

/** Legs that have come to nothing are never folded away. */
export function isFoldable({ status, failure }: LegView): boolean {
  return status !== 'failed' && failure === null;
}

export function isFolded(legs: LegView[]): boolean {
  return legs.filter(isFoldable).length > MOST_UNFOLDED;
}

/** @param legs the foldable ones; @param linkTo the link of a leg, to its own transaction or to the one that closed its escrow */
export function foldedText(language: Language, view: IntentView, legs: LegView[], linkTo: LinkTo): Part[] {
  const confirming = [
    ...new Set(legs.filter((leg) => leg.status === 'mined' && leg.crossing === null).map((leg) => leg.chainLabel)),
  ];
  const sentences = [foldedHead(language, view, legs)];
  const bridge = bridgeFeesOf(legs);
  if (bridge.length > 0) sentences.push(say(language, 'plus-bridge', { bridge }));
  if (confirming.length > 0 && !legs.some(isUnderWay))
    sentences.push(say(language, 'fold-confirming', { chain: showList(language, confirming) }));
  return [sentences.join(' '), { folded: legs.map((leg) => line(language, leg, linkTo)) }];
}

/** The one line: how many are paid, and what in all. */
export function foldedHead(language: Language, { sender }: IntentView, legs: LegView[]): string {
  const about = { sender, people: legs.length, sums: sumsOf(legs), fees: feesOf(legs) };
  return say(language, legs.some(isUnderWay) ? 'fold-under-way' : 'fold-paid', about);
}

function isUnderWay({ status, crossing }: LegView): boolean {
  const isCrossing = crossing !== null && crossing.status !== 'succeeded' && crossing.status !== 'refunded';
  return isCrossing || (status !== 'mined' && status !== 'settled');
}

function line(language: Language, leg: LegView, linkTo: LinkTo): Piece[] {
  const { recipient, amount, asset, escrow, crossing, txHash } = leg;
  const about = { recipient, amount: { amount, asset } };
  if (escrow?.status === 'claimed')
    return sayLinked(language, 'fold-leg', { ...about, link: linkTo(leg, escrow.closeTxHash) });
  if (escrow?.status === 'refunded')
    return sayLinked(language, 'fold-leg-back', { ...about, link: linkTo(leg, escrow.closeTxHash) });
  if (crossing?.status === 'refunded')
    return sayLinked(language, 'fold-leg-back', { ...about, link: linkTo(leg, crossing.refundTxHash) });
  if (crossing?.status === 'succeeded') {
    const link = linkTo({ ...leg, chain: crossing.chain }, crossing.arriveTxHash);
    return sayLinked(language, 'fold-leg', { ...about, link });
  }
  if (isUnderWay(leg)) return [say(language, 'fold-leg-under-way', about)];
  return sayLinked(language, escrow ? 'fold-leg-waits' : 'fold-leg', { ...about, link: linkTo(leg, txHash) });
}

/** What legs move in all, for each asset. */
export function sumsOf(legs: Priced[]): Money[] {
  return byAsset(legs, ({ amount }) => amount);
}

/** What the bridges of legs take in all, for each asset: none where no leg crosses. */
export function bridgeFeesOf(legs: LegView[]): Money[] {
  const crossed = legs.filter(({ crossing }) => crossing !== null && crossing.status !== 'refunded');
  return byAsset(crossed, ({ crossing }) => crossing?.bridgeFee ?? '0').map(({ amount, asset }) =>
    feeMoney(amount, asset),
  );
}

/** The fees of legs in all, for each asset. */
export function feesOf(legs: Priced[]): Money[] {
  return byAsset(legs, ({ fee }) => fee).map(({ amount, asset }) => feeMoney(amount, asset));
}

type Priced = Pick<LegView, 'amount' | 'fee' | 'asset'>;

function byAsset<T extends Priced>(legs: T[], figure: (leg: T) => string): { amount: string; asset: string }[] {
  return [...new Set(legs.map((leg) => leg.asset))].map((asset) => {
    const figures = legs.filter((leg) => leg.asset === asset).map(figure);
    return { amount: sumAmounts(figures), asset };
  });
}
