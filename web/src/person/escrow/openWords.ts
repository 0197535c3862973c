// What is said before a tab is opened, and while it is.
import { padAmount } from '../../app/format.ts';
import type { OpenStage } from './openEscrow.ts';
import { isChangeable, labelOf, type Recipient } from './recipient.ts';

export const OPEN_WORDS: Record<OpenStage, { now: string; after: string }> = {
  prepare: { now: 'Preparing…', after: 'Prepared' },
  authorize: { now: 'Sign in your wallet: this amount, for this tab only…', after: 'Signed' },
  approve: { now: 'Approve the amount in your wallet…', after: 'Approved' },
  approved: { now: 'Waiting for the approval’s confirmation…', after: 'The approval is confirmed' },
  open: { now: 'Send it in your wallet…', after: 'Sent' },
  sign: { now: 'Sign in your wallet…', after: 'Signed' },
  send: { now: 'Checking the signature and sending…', after: 'Sent' },
  confirm: { now: 'Waiting for confirmation…', after: 'In a block' },
  check: { now: 'Verifying on-chain…', after: 'The tab is open' },
};

/** `for 7 days`, `for 5 hours` */
export function lengthWords(hours: number): string {
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** `isSponsored`: Ampersat pays the network fee. */
export type Terms = { to: Recipient; amount: string; chainLabel: string; hours: number; isSponsored: boolean };

/** What locking means, each in a sentence: what and for whom, how long, what can be undone. */
export function termsInWords({ to, amount, chainLabel, hours, isSponsored }: Terms): string[] {
  const sum = `${padAmount(amount)} USDC`;
  const name = labelOf(to);
  const lock = `${sum} leaves your wallet on ${chainLabel} and is held for ${name}. ${isSponsored ? 'There is no fee.' : 'There is no fee besides the network fee.'}`;
  const time = `It is held for ${lengthWords(hours)}. If unclaimed by then, it returns to your wallet.`;
  if (isChangeable(to))
    return [
      lock,
      time,
      `Usernames can change owners: the money goes to the account that has held ${name} for a day. You can take it back until it is claimed.`,
    ];
  return [lock, time, `You can’t take it back before then, so ${name} can rely on it.`];
}
