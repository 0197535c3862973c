// The posts of an intent on X: each once, plain, within 280 weighted characters, mentioning only the sender with an @. Pure.
import type { Language } from '../../src/domain/language.ts';
import type { Refusal } from '../../src/domain/plan.ts';
import { hasLink, weightedLength } from '../../src/domain/weightedText.ts';
import type { IntentView, LegView } from '../../src/services/tips/intentView.ts';
import { feeMoney, moneyOf, showList, showMoney } from '../render/amounts.ts';
import { bridgeFeesOf, feesOf, foldedHead, isFolded, sumsOf } from '../render/foldedReceipt.ts';
import { finalWord, noteLines } from '../render/intentText.ts';
import { refusalText } from '../render/refusals.ts';
import { isWordId, say, sayWith } from '../render/say.ts';

export const MOST_WEIGHT = 280;
/** Leaves room for how to claim and for the reference. */
const MOST_NAMED_WEIGHT = 160;
const ELLIPSIS = '…';

/** `said` names what it says: the same is not said twice. */
export type XSaying = { text: string; said: string };

/**
 * What is to be said of an intent now, or null when nothing is final enough, or was said before.
 * @param said what was said last; @param reference tells this message from every other one: X refuses the same words twice
 */
export function intentSaying(
  language: Language,
  view: IntentView,
  said: string | null,
  reference: string,
): XSaying | null {
  const saying = currentSaying(language, view, said);
  if (saying === null || saying.said === said) return null;
  return {
    ...saying,
    text: shorten(language, keepNames(saying.text, view.sender), lastLine(language, view, saying.said, reference)),
  };
}

function lastLine(language: Language, view: IntentView, said: string, reference: string): string {
  if (said.startsWith('receipt:')) return say(language, 'x-reference', { code: reference });
  if (!said.startsWith('question')) return say(language, 'x-ref', { code: reference });
  const inEscrow = finalWord(view) === 'ask-final-tabs';
  return say(language, inEscrow ? 'x-how-to-answer-tabs' : 'x-how-to-answer', { reference });
}

function currentSaying(language: Language, view: IntentView, said: string | null): XSaying | null {
  switch (view.status) {
    case 'waiting':
      return { said: 'kept', text: say(language, 'x-kept') };
    case 'accepted':
      return null;
    case 'awaiting_confirmation':
      return { said: `question:${fingerprint(view)}`, text: questionText(language, view) };
    case 'declined':
      return { said: 'declined', text: say(language, 'x-declined') };
    // The question told when it closes.
    case 'lapsed':
      return null;
    case 'refused':
      return { said: 'refused', text: refusedText(language, view) };
    default:
      return receipt(language, view, said);
  }
}

/** Another plan is another question. */
function fingerprint(view: IntentView): string {
  return view.asked
    .map((leg) =>
      [leg.label, leg.amount, leg.asset, leg.fee, leg.chain, ...(leg.to ? [leg.to.chain, leg.to.bridgeFee] : [])].join(
        ' ',
      ),
    )
    .join(';');
}

function questionText(language: Language, view: IntentView): string {
  const lines = view.asked.map(({ label: recipient, chain, tabDays, to, ...leg }) => {
    const { amount, fee } = moneyOf(leg);
    if (to) {
      const bridge = feeMoney(to.bridgeFee, leg.asset);
      return say(language, 'x-leg-across', { recipient, amount, fee, chain, to: to.chain, bridge });
    }
    if (tabDays === null) return say(language, 'x-leg', { recipient, amount, fee, chain });
    return say(language, 'x-leg-tab', { recipient, amount, chain, days: say(language, 'days', { days: tabDays }) });
  });
  const why = view.doubts
    .map((doubt) => `ask-why-${doubt}`)
    .filter(isWordId)
    .map((id) => sayWith(language, id, {}));
  const [only] = lines;
  const more = [...noteLines(language, view), ...why];
  if (only !== undefined && lines.length === 1) return [say(language, 'x-ask-one', { what: only }), ...more].join('\n');
  // What does not fit is left out from the end: the sum and the note are always shown.
  return [askedInAll(language, view), ...more, ...lines].join('\n');
}

function askedInAll(language: Language, { asked }: IntentView): string {
  return say(language, 'x-ask-total', { total: sumsOf(asked), people: asked.length, fees: feesOf(asked) });
}

function refusedText(language: Language, view: IntentView): string {
  if (!view.refusal) return say(language, 'pay-not-sent');
  return view.tellsInPrivate ? say(language, 'x-in-private') : refusalLine(language, view.refusal);
}

function refusalLine(language: Language, refusal: Refusal): string {
  if (refusal.code === 'recipient_unknown') return say(language, 'x-unknown', { label: refusal.label });
  return refusalText(language, refusal, { platform: 'x' });
}

/** Paid, not paid, or back from a bridge. */
type Outcome = 'p' | 'f' | 'b';

/**
 * Paid counts from the first block, on another chain once it arrived; not paid only when it is final. Until every leg is one of them, nothing is said.
 */
function outcomeOf(leg: LegView): Outcome | null {
  if (leg.crossing?.status === 'succeeded') return 'p';
  if (leg.crossing && leg.status !== 'failed') return leg.crossing.status === 'refunded' ? 'b' : null;
  if (leg.status === 'settled') return 'p';
  if (leg.status === 'mined') return leg.failure ? null : 'p';
  return leg.status === 'failed' ? 'f' : null;
}

function receipt(language: Language, view: IntentView, said: string | null): XSaying | null {
  const outcomes = view.legs.map(outcomeOf);
  if (outcomes.some((outcome) => outcome === null)) return null;
  const earlier = said?.startsWith('receipt:') ? said.slice('receipt:'.length) : null;
  const paid = view.legs.filter((_, index) => outcomes[index] === 'p');
  const escrows = paid.filter((leg) => leg.escrow !== null);
  const lines = groups(paid.filter((leg) => leg.escrow === null)).map((legs) => paidLine(language, view, legs));
  lines.push(...groups(escrows).map((legs) => escrowLine(language, view, legs)));
  if (lines.length > 1 && isFolded(paid)) lines.splice(0, lines.length, manyLine(language, view, paid));
  const bridge = bridgeFeesOf(paid);
  if (bridge.length > 0) lines.push(say(language, 'plus-bridge', { bridge }));
  // What is cut off first comes last: failures come before how to claim.
  const failed = view.legs.filter((_, index) => outcomes[index] === 'f');
  const lost = failed.filter((leg) => earlier?.[view.legs.indexOf(leg)] === 'p');
  lines.push(...groups(lost).map((legs) => failedLine(language, 'x-lost', legs)));
  const back = view.legs.filter((_, index) => outcomes[index] === 'b');
  lines.push(...groups(back).map((legs) => failedLine(language, 'x-came-back', legs)));
  lines.push(
    ...groups(failed.filter((leg) => !lost.includes(leg))).map((legs) => failedLine(language, 'x-not-paid', legs)),
  );
  for (const { refusal } of view.refused) lines.push(refusalLine(language, refusal));
  const [first] = escrows;
  if (first?.escrow)
    lines.push(say(language, 'x-how-to-claim', { days: say(language, 'days', { days: first.escrow.days }) }));
  return { said: `receipt:${outcomes.join('')}`, text: lines.join('\n') };
}

/** Legs of one amount share a line. */
function groups(legs: LegView[]): LegView[][] {
  const byAmount = new Map<string, LegView[]>();
  for (const leg of legs) {
    const key = `${leg.amount} ${leg.asset}`;
    byAmount.set(key, [...(byAmount.get(key) ?? []), leg]);
  }
  return [...byAmount.values()];
}

function paidLine(language: Language, { sender, kind }: IntentView, legs: LegView[]): string {
  const [first] = legs;
  if (!first) return '';
  const about = { sender, who: namesOf(legs), amount: moneyOf(first).amount, fee: feesOf(legs) };
  return say(language, legs.length === 1 ? `x-paid-${kind}` : 'x-paid-each', about);
}

/** One line for all: each recipient with the amount while that is short enough, else their number and the sum. */
function manyLine(language: Language, view: IntentView, legs: LegView[]): string {
  const parts = legs.map((leg) => `${leg.recipient} ${showMoney(language, moneyOf(leg).amount)}`);
  const line = say(language, 'fold-x-paid', {
    sender: view.sender,
    who: showList(language, parts),
    fees: feesOf(legs),
  });
  return weightedLength(line) <= MOST_NAMED_WEIGHT ? line : foldedHead(language, view, legs);
}

function escrowLine(language: Language, { sender }: IntentView, legs: LegView[]): string {
  const [first] = legs;
  if (!first) return '';
  const about = { sender, who: namesOf(legs), amount: moneyOf(first).amount };
  return say(language, legs.length === 1 ? 'x-waits' : 'x-waits-each', about);
}

function failedLine(language: Language, id: 'x-lost' | 'x-not-paid' | 'x-came-back', legs: LegView[]): string {
  const [first] = legs;
  return first ? say(language, id, { who: namesOf(legs), amount: moneyOf(first).amount }) : '';
}

function namesOf(legs: LegView[]): string {
  return legs.map((leg) => leg.recipient).join(', ');
}

/** A public post. The reference makes it differ from all others with the same words: X refuses duplicates. */
export function postText(language: Language, text: string, sender: string | null, reference: string): string {
  return shorten(language, keepNames(text, sender), say(language, 'x-ref', { code: reference }));
}

/** Takes the @ from every name but the sender's, and every link out: a mention notifies its account, and a link costs more. */
export function keepNames(text: string, sender: string | null): string {
  const named = text.replace(/(?<![A-Za-z0-9_.])[@＠](\w{1,15})/g, (whole, name: string) =>
    sender !== null && `@${name}`.toLowerCase() === sender.toLowerCase() ? whole : name,
  );
  return named
    .split(/(\s+)/)
    .map((word) => (hasLink(word) ? word.replaceAll('.', ' ').replaceAll('://', ' ') : word))
    .join('');
}

/**
 * Shortens to what X takes: lines above the last one go, the last of them first, never the last line (how a question is answered) and never
 * a part of a line that holds an amount: a figure is shown whole or not at all.
 */
export function shorten(language: Language, text: string, last: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const whole = [...lines, last].join('\n');
  if (weightedLength(whole) <= MOST_WEIGHT) return whole;
  for (let kept = lines.length - 1; kept > 0; kept--) {
    const short = [...lines.slice(0, kept), say(language, 'x-more', { count: lines.length - kept }), last].join('\n');
    if (weightedLength(short) <= MOST_WEIGHT) return short;
  }
  return [cutWords(lines[0] ?? '', MOST_WEIGHT - weightedLength(`\n${last}`)), last].join('\n').trim();
}

/** Whole words only, and none of them when a figure would go. */
function cutWords(line: string, most: number): string {
  const words = line.split(' ');
  for (let kept = words.length; kept > 0; kept--) {
    if (words.slice(kept).some((word) => /\d/.test(word))) return '';
    const short = `${words.slice(0, kept).join(' ')}${kept < words.length ? ELLIPSIS : ''}`;
    if (weightedLength(short) <= most) return short;
  }
  return '';
}
