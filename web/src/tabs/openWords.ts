// What is said before a tab is opened, and while it is.
import { padAmount } from '../format.ts';
import type { OpenStage } from './openTab.ts';
import { isChangeable, labelOf, type Recipient } from './recipient.ts';

export const OPEN_WORDS: Record<OpenStage, { now: string; after: string }> = {
  prepare: { now: 'Preparing…', after: 'Prepared' },
  authorize: { now: 'Sign in your wallet: this amount, for this tab only…', after: 'Signed in your wallet' },
  approve: { now: 'Approve the amount in your wallet…', after: 'Approved in your wallet' },
  approved: { now: 'Waiting for the approval’s confirmation…', after: 'The approval is confirmed' },
  open: { now: 'Send it in your wallet…', after: 'Sent from your wallet' },
  confirm: { now: 'Waiting for the chain’s confirmation…', after: 'In a block' },
  check: { now: 'Checking it on the chain…', after: 'The tab is open' },
};

/** `for 7 days`, `for 5 hours` */
export function lengthWords(hours: number): string {
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export type Terms = { to: Recipient; amount: string; chainLabel: string; hours: number };

/** What locking means, each in a sentence: what and for whom, how long, what can be undone. */
export function termsInWords({ to, amount, chainLabel, hours }: Terms): string[] {
  const sum = `${padAmount(amount)} USDC`;
  const name = labelOf(to);
  const lock = `${sum} leave your wallet on ${chainLabel} and wait for ${name}. There is no fee but what the network takes.`;
  const time = `It waits for ${lengthWords(hours)}. If nobody claims it by then, it comes back to your wallet.`;
  if (isChangeable(to))
    return [
      lock,
      time,
      `A name can change hands: whoever connects ${name} and holds the name for a day is paid. So you may take it back at any time until it is claimed.`,
    ];
  return [lock, time, `Before then you cannot take it back, so ${name} can count on it.`];
}
