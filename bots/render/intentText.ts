// The text of an intent at each point of its lifecycle. Figures come in as canonical strings.
import type { Language } from '../../src/domain/language.ts';
import type { IntentView } from '../../src/services/tips/intentView.ts';
import { feeMoney, moneyOf } from './amounts.ts';
import type { Part } from './foldedReceipt.ts';
import { type LegUrl, receiptText } from './receipt.ts';
import { refusalText } from './refusals.ts';
import { isWordId, say, sayWith } from './say.ts';

export function intentText(language: Language, view: IntentView, urlOf: LegUrl): Part[] {
  const { sender } = view;
  switch (view.status) {
    case 'waiting':
      return [say(language, 'pay-kept', { sender })];
    case 'accepted':
      return [view.waitingFor === null ? say(language, 'pay-under-way', { sender }) : waitingText(language, view)];
    case 'awaiting_confirmation':
      return [questionText(language, view)];
    case 'declined':
      return [say(language, 'pay-declined', { sender })];
    case 'lapsed':
      return [say(language, 'pay-lapsed', { sender })];
    case 'refused':
      return [refusedText(language, view)];
    default:
      return slowText(language, view, urlOf) ?? receiptText(language, view, urlOf);
  }
}

/** What waits for a chain that is in trouble, or null when nothing does. */
function slowText(language: Language, view: IntentView, urlOf: LegUrl): Part[] | null {
  const waiting = view.legs.filter(({ status }) => status === 'ready' || status === 'submitted');
  if (view.waitingFor === null || waiting.length === 0) return null;
  const chains = [...new Set(waiting.map((leg) => leg.chainLabel))];
  const chain = new Intl.ListFormat(language).format(chains);
  const slow = say(language, 'pay-chain-slow', { sender: view.sender, chain });
  const isAll = waiting.length === view.legs.length && view.refused.length === 0;
  return isAll ? [slow] : [...receiptText(language, view, urlOf), '\n', slow];
}

function waitingText(language: Language, { sender, waitingFor }: IntentView): string {
  const chain = /^(.+) does not answer$/.exec(waitingFor ?? '')?.[1];
  return chain ? say(language, 'pay-waits-for-chain', { sender, chain }) : say(language, 'pay-waits', { sender });
}

function questionText(language: Language, view: IntentView): string {
  const why = view.doubts.map((doubt) => `ask-why-${doubt}`).filter(isWordId);
  return [
    say(language, 'ask-send', { sender: view.sender }),
    ...view.asked.map((leg) => askedLeg(language, leg)),
    ...noteLines(language, view),
    ...why.map((id) => sayWith(language, id, {})),
    say(language, finalWord(view)),
  ].join('\n');
}

/** The note as it would go out, and in a split whom it would leave out. */
export function noteLines(language: Language, { note, doubts, refused }: IntentView): string[] {
  const left = doubts.includes('left_out') ? refused.map(({ label }) => label) : [];
  return [
    ...(note === null ? [] : [say(language, 'ask-note', { note })]),
    ...(left.length === 0 ? [] : [say(language, 'ask-left-out', { labels: left.join(', ') })]),
  ];
}

function askedLeg(
  language: Language,
  { label: recipient, tabDays, chain, to, ...leg }: IntentView['asked'][number],
): string {
  const { amount, fee } = moneyOf(leg);
  if (to) {
    const bridge = feeMoney(to.bridgeFee, leg.asset);
    return say(language, 'ask-leg-across', { recipient, amount, fee, chain, to: to.chain, bridge });
  }
  if (tabDays === null) return say(language, 'ask-leg', { recipient, amount, fee, chain });
  return say(language, 'ask-tab', { recipient, amount, chain, days: say(language, 'days', { days: tabDays }) });
}

/** What the sender can get back afterwards. */
export function finalWord({ asked }: IntentView): 'ask-final' | 'ask-final-tabs' | 'ask-final-mixed' {
  const escrows = asked.filter((leg) => leg.tabDays !== null).length;
  if (escrows === 0) return 'ask-final';
  return escrows === asked.length ? 'ask-final-tabs' : 'ask-final-mixed';
}

function refusedText(language: Language, view: IntentView): string {
  if (!view.refusal) return say(language, 'pay-not-sent');
  if (view.tellsInPrivate)
    return say(language, view.tellsBeside ? 'pay-refused-beside' : 'pay-refused-in-private', { sender: view.sender });
  return refusalText(language, view.refusal, view);
}
