// The receipt of an intent: a line for each leg, and how money that waits is claimed.
import type { Language } from '../../src/domain/language.ts';
import type { Refusal } from '../../src/domain/plan.ts';
import type { CrossingView, IntentView, LegView } from '../../src/services/tips/intentView.ts';
import { feeMoney, moneyOf } from './amounts.ts';
import { foldedText, isFoldable, isFolded, type Part } from './foldedReceipt.ts';
import { refusalText } from './refusals.ts';
import { type Piece, say, sayLinked, sayWith } from './say.ts';

/** The page of a paid leg. */
export type LegUrl = (leg: { id: string; chain: string }, hash: string) => string;

export function receiptText(language: Language, view: IntentView, urlOf: LegUrl): Part[] {
  const waiting = view.legs.filter(isWaiting);
  const [first, ...more] = waiting;
  // Once, however many there are: how an escrow is claimed and refunded.
  const how =
    first?.escrow && more.length > 0
      ? [say(language, 'tabs-how', { sender: view.sender, days: say(language, 'days', { days: first.escrow.days }) })]
      : [];
  const linkTo = (leg: LegView, hash: string | null) => linkOf(language, leg, hash, urlOf);
  const folds = isFolded(view.legs);
  const lines: Part[][] = [
    ...(folds ? [foldedText(language, view, view.legs.filter(isFoldable), linkTo)] : []),
    ...view.legs
      .filter((leg) => !(folds && isFoldable(leg)))
      .map((leg) =>
        leg.escrow ? escrowText(language, view, leg, waiting.length > 1, urlOf) : legText(language, view, leg, urlOf),
      ),
    how,
    ...view.refused.map(({ refusal }) => [refusalText(language, refusal, view)]),
  ];
  return lines.filter((line) => line.length > 0).flatMap((line, index) => (index === 0 ? line : ['\n', ...line]));
}

/** The link of a leg, to its own transaction or to the one that closed its escrow. */
function linkOf(language: Language, leg: { id: string; chain: string }, hash: string | null, urlOf: LegUrl): Piece {
  return hash ? { text: say(language, 'leg-link', { hash: shortHash(hash) }), url: urlOf(leg, hash) } : '';
}

function isPaid({ status, failure }: Pick<LegView, 'status' | 'failure'>): boolean {
  return status === 'settled' || (status === 'mined' && failure === null);
}

/** An escrow that has its money, or will within moments, and is neither claimed nor refunded. */
export function isWaiting({ escrow, status, failure }: LegView): boolean {
  return isPaid({ status, failure }) && escrow !== null && escrow.status !== 'claimed' && escrow.status !== 'refunded';
}

function escrowText(language: Language, view: IntentView, leg: LegView, isShort: boolean, urlOf: LegUrl): Piece[] {
  const { recipient, escrow, txHash } = leg;
  const { amount } = moneyOf(leg);
  const about = { sender: view.sender, recipient, amount };
  const linkTo = (hash: string | null) => linkOf(language, leg, hash, urlOf);
  if (escrow?.status === 'claimed')
    return sayLinked(language, 'tab-claimed', { ...about, link: linkTo(escrow.closeTxHash) });
  if (escrow?.status === 'refunded')
    return sayLinked(language, 'tab-went-back', { ...about, link: linkTo(escrow.closeTxHash) });
  if (leg.status === 'failed') return failedText(language, view, leg);
  if (leg.status === 'mined' && leg.failure) return [say(language, 'tab-checked', about)];
  if (!isWaiting(leg) || !escrow) return [say(language, 'tab-under-way', about)];
  const link = linkTo(txHash);
  const waits = isShort
    ? sayLinked(language, 'tab-waits-short', { recipient, amount, link })
    : sayLinked(language, 'tab-waits', { ...about, days: say(language, 'days', { days: escrow.days }), link });
  if (leg.status === 'settled') return waits;
  return [...waits, ` ${say(language, 'tab-confirming', { chain: leg.chainLabel })}`];
}

function failedText(language: Language, { sender }: IntentView, leg: LegView): Piece[] {
  const { recipient, failure } = leg;
  const { amount } = moneyOf(leg);
  const hint = failure ? failureHint(language, failure) : '';
  return [say(language, 'leg-failed', { sender, recipient, amount, hint }).trim()];
}

function legText(language: Language, view: IntentView, leg: LegView, urlOf: LegUrl): Piece[] {
  const { recipient, crossing } = leg;
  const chain = leg.chainLabel;
  const { sender } = view;
  const where = crossing ? '-across' : view.chainTyped ? '-on-chain' : '';
  const what = sayWith(language, `leg-${view.kind}${where}`, {
    ...{ sender, recipient, chain },
    ...(crossing ? { bridge: feeMoney(crossing.bridgeFee, leg.asset) } : {}),
    ...moneyOf(leg),
  });
  const link = linkOf(language, leg, leg.txHash, urlOf);
  if (crossing && isPaid(leg)) return crossingText(language, view, leg, crossing, what, urlOf);
  switch (leg.status) {
    case 'settled':
      return sayLinked(language, 'leg-done', { what, link });
    case 'mined':
      if (leg.failure) return [say(language, 'leg-checked', { what })];
      return sayLinked(language, 'leg-confirming', { what, link, chain });
    case 'failed':
      return failedText(language, view, leg);
    default:
      return [say(language, 'leg-under-way', { what })];
  }
}

/** A leg that left its chain, and is on its way to another, is there, or came back. */
function crossingText(
  language: Language,
  { sender }: IntentView,
  leg: LegView,
  crossing: CrossingView,
  what: string,
  urlOf: LegUrl,
): Piece[] {
  const { chainLabel: to, chain, status, arriveTxHash, refundTxHash } = crossing;
  if (status === 'succeeded') {
    const link = linkOf(language, { id: leg.id, chain }, arriveTxHash, urlOf);
    return sayLinked(language, 'leg-arrived', { what, to, link });
  }
  const { amount } = moneyOf(leg);
  if (status === 'refunded') {
    const about = { sender, recipient: leg.recipient, amount, to };
    return sayLinked(language, 'leg-came-back', { ...about, link: linkOf(language, leg, refundTxHash, urlOf) });
  }
  return sayLinked(language, 'leg-crossing', { what, to, link: linkOf(language, leg, leg.txHash, urlOf) });
}

/** Why a leg failed, without figures: the whole chat reads it. */
function failureHint(language: Language, failure: Refusal): string {
  if (failure.code === 'expired') return say(language, 'hint-expired');
  if (failure.code === 'sender_disconnected') return say(language, 'hint-disconnected');
  if (failure.code === 'router_paused') return say(language, 'hint-paused');
  return say(language, 'hint-check');
}

export function shortHash(hash: string): string {
  return `${hash.slice(0, 6)}…${hash.slice(-4)}`;
}
