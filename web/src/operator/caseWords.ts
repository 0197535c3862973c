// Words for the codes of complaints: what a step was, and how something stands.
import type { Tone } from '../ui/tone.ts';

const STEPS: Record<string, string> = {
  received: 'Received',
  parsed: 'Read as',
  accepted: 'Command accepted',
  counted: 'Counted',
  processed: 'Processed',
  unread: 'Not read yet',
  held: 'Waiting for Discord to confirm',
  waits: 'Waiting',
  pressed: 'Button pressed',
  leg_frozen: 'Payment fixed',
  tx_signed: 'Transaction signed',
  tx_sent: 'Transaction submitted',
  tx_refused: 'Transaction not accepted by the node',
  reply_wanted: 'Reply requested',
  reply_sent: 'Reply sent',
  reply_failed: 'Reply failed',
  reply_later: 'Reply delayed',
  notice_wanted: 'Notice to the recipient requested',
  notice_sent: 'Notice to the recipient sent',
  notice_failed: 'Notice to the recipient failed',
  notice_later: 'Notice to the recipient delayed',
  event: 'Webhook event',
  'intent.ask': 'Asked for confirmation',
  'intent.confirm': 'Confirmed',
  'intent.decline': 'Cancelled by the sender',
  'intent.lapse': 'Confirmation expired',
  'intent.route': 'Planned',
  'intent.refuse': 'Refused',
  'intent.complete': 'Completed',
  'tip.submit': 'Payment submitted',
  'tip.mine': 'Payment mined',
  'tip.unmine': 'Block reorganised',
  'tip.settle': 'Payment final',
  'tip.fail': 'Payment failed',
  'tip.adopt': 'Payment found on-chain',
  'tip.requeue': 'Payment queued again',
  'outgoing_tx.send': 'Transaction sent',
  'outgoing_tx.mine': 'Transaction mined',
  'outgoing_tx.unmine': 'Transaction left its block',
  'outgoing_tx.finalise': 'Transaction final',
  'outgoing_tx.reopen': 'Transaction sent again after a reorg',
  'outgoing_tx.lose': 'Nonce used by another transaction',
  leg_begun: 'Bridged',
  'smart_leg.send': 'Payment to the bridge sent',
  'smart_leg.bridge': 'The bridge has the money',
  'smart_leg.unbridge': 'Payment to the bridge left its block',
  'smart_leg.arrive': 'Delivered by the bridge',
  'smart_leg.refund': 'Returned by the bridge',
  'smart_leg.fail': 'Not delivered by the bridge',
  'smart_leg.resume': 'Payment to the bridge followed again',
  tab_staged: 'Tab created',
  tab_opened_in: 'Tab opened on-chain',
  tab_closed_in: 'Tab closed on-chain',
  'order_submission.fail': 'Payment failed',
};

/** `order_paid` → `Order: paid`; a code without words of its own is readable as well. */
export function stepWords(step: string): string {
  const known = STEPS[step];
  if (known) return known;
  const [subject = '', ...rest] = step.replace('order_submission', 'payment').split(/[._]/);
  const words = rest.join(' ');
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}${words && `: ${words}`}`;
}

const BAD = new Set(['failed', 'refused', 'limited']);
const BUSY = new Set([
  'accepted',
  'routed',
  'waiting',
  'awaiting_confirmation',
  'received',
  'held',
  'open',
  'processing',
  'bridging',
]);
const GOOD = new Set(['completed', 'sent', 'paid', 'claimed', 'settled', 'arrived']);

export function statusTone(status: string): Tone {
  if (BAD.has(status) || status.startsWith('error')) return 'bad';
  if (BUSY.has(status)) return 'busy';
  return GOOD.has(status) ? 'good' : 'quiet';
}

/** `error:amount_missing` → `Error: amount missing` */
export function statusWords(status: string): string {
  const words = status.replace(':', ': ').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const PLATFORM_WORDS: Record<string, string> = { telegram: 'Telegram', discord: 'Discord', x: 'X' };

export function caseHref(id: string): string {
  return `/operations/case?id=${encodeURIComponent(id)}`;
}
