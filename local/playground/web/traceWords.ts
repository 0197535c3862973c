// A trace in plain words, and whether it can still change.
import { chainLabel } from '../../../src/domain/chains.ts';
import type { Command, Recipient } from '../../../src/domain/command/result.ts';
import { readClockOffset } from '../../../web/src/app/api.ts';
import { padAmount } from '../../../web/src/app/format.ts';
import type { Tone } from '../../../web/src/ui/tone.ts';
import type { Step, Trace } from './localApi.ts';

const ENDED = new Set(['completed', 'refused', 'declined', 'lapsed']);

/** A message that the bot has not stored by then is no command. */
const UNKNOWN_FOR_MS = 4_000;

/** Whether a trace can no longer change. @param sentAt Unix milliseconds at which the message was typed */
export function isFinal(trace: Trace, sentAt: number, now = Date.now() + readClockOffset()): boolean {
  if (!trace.inbox) return now - sentAt > UNKNOWN_FOR_MS;
  if (trace.inbox.status === 'received') return false;
  const { intent, reply } = trace;
  if (intent && !ENDED.has(intent.status)) return false;
  if (trace.transactions.some((transaction) => transaction.status !== 'final')) return false;
  if (trace.legs.some(({ crossing }) => crossing?.status === 'pending')) return false;
  return !reply || reply.failure !== null || reply.sent_version >= reply.version;
}

/** The sender has to confirm or decline. */
export function isWaitingForAnswer(trace: Trace | undefined): boolean {
  return trace?.intent?.status === 'awaiting_confirmation';
}

/** @param final from {@link isFinal} */
export function statusOf(trace: Trace, final: boolean): { words: string; tone: Tone } {
  const { inbox, intent, legs, reply } = trace;
  if (!inbox) return final ? { words: 'Not a command', tone: 'quiet' } : { words: 'Sent', tone: 'busy' };
  if (!intent) return reply?.failure ? { words: 'Reply not shown', tone: 'busy' } : plainStatus(inbox.outcome);
  if (legs.some((leg) => leg.status === 'failed')) return { words: 'Not sent', tone: 'bad' };
  const paid = legs.length > 0 && legs.every((leg) => leg.status === 'settled' || leg.status === 'mined');
  const crossings = legs.flatMap(({ crossing }) => crossing?.status ?? []);
  switch (intent.status) {
    case 'completed':
      if (crossings.includes('pending')) return { words: 'Crossing networks', tone: 'busy' };
      if (crossings.includes('refunded')) return { words: 'Came back', tone: 'quiet' };
      return intent.detail?.refused?.length
        ? { words: 'Paid in part', tone: 'busy' }
        : { words: 'Paid, final', tone: 'good' };
    case 'awaiting_confirmation':
      return { words: 'Needs an answer', tone: 'busy' };
    case 'refused':
      return { words: 'Refused', tone: 'bad' };
    case 'declined':
      return { words: 'Cancelled', tone: 'quiet' };
    case 'lapsed':
      return { words: 'Not answered', tone: 'quiet' };
    default:
      return paid ? { words: 'Paid, confirming', tone: 'good' } : { words: 'On its way', tone: 'busy' };
  }
}

function plainStatus(outcome: string | null): { words: string; tone: Tone } {
  if (outcome === null) return { words: 'Arrived', tone: 'busy' };
  if (outcome === 'none') return { words: 'Not a command', tone: 'quiet' };
  if (outcome === 'limited') return { words: 'Too many tips', tone: 'bad' };
  if (outcome === 'pause') return { words: 'Paused', tone: 'busy' };
  if (outcome === 'error:not_available') return { words: 'Not possible yet', tone: 'bad' };
  if (outcome === 'error:sender_not_connected') return { words: 'Not connected', tone: 'bad' };
  if (outcome.startsWith('error')) return { words: 'Not understood', tone: 'bad' };
  return { words: 'Answered', tone: 'good' };
}

/** The parsed command as one sentence. */
export function readCommand(command: Command): string {
  switch (command.kind) {
    case 'tip':
    case 'send': {
      const verb = command.kind === 'tip' ? 'Tip' : 'Send';
      const each = command.recipients.length > 1 ? ' each' : '';
      const chain = command.chain ? ` on ${chainLabel(command.chain)}` : '';
      const memo = command.memo ? `, with the note “${command.memo}”` : '';
      return `${verb} ${listOf(command.recipients)} ${padAmount(command.amount)} ${command.unit}${each}${chain}${memo}`;
    }
    case 'split':
      return `Split ${padAmount(command.total)} ${command.unit} between ${listOf(command.recipients)}`;
    case 'order': {
      const chain = command.chain ? ` on ${chainLabel(command.chain)}` : '';
      const memo = command.memo ? `, for “${command.memo}”` : '';
      return `Ask for ${padAmount(command.amount)} ${command.unit}${chain}${memo}`;
    }
    case 'confirm':
      return `Ask first: ${readCommand(command.intent)}`;
    case 'error':
      return `No order: ${command.code.replaceAll('_', ' ')}`;
    case 'none':
      return 'No command: nothing to do';
    default:
      return PLAIN_WORDS[command.kind];
  }
}

const PLAIN_WORDS = {
  me: 'Show the link of their own page',
  deposit: 'Show where to add money',
  withdraw: 'Show where to send money from',
  connect: 'Connect this account',
  disconnect: 'Disconnect this account',
  help: 'Explain how it works',
  balance: 'Show my balance in private',
  history: 'Show my history in private',
  limits: 'Show my limits in private',
  pause: 'Stop all my spending',
  react: 'Choose what a reaction of mine tips',
  leaderboard: 'Who gave and got most in this chat',
  subscriptions: 'Show my subscriptions in private',
  plan: 'Open the form of a plan',
};

function listOf(recipients: readonly Recipient[]): string {
  const names = recipients.map(({ by, value }) => {
    if (by === 'handle') return `@${value}`;
    if (by === 'reply') return 'the author of the message replied to';
    return by === 'id' ? `the person with ID ${value}` : value;
  });
  return names.length < 2 ? (names[0] ?? 'no one') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

export type Moment = { words: string; afterMs: number; times: number };

/** All steps of a message in order, with the time since it arrived. Equal neighbours are merged. */
export function momentsOf(trace: Trace): Moment[] {
  if (!trace.inbox) return [];
  const start = Date.parse(trace.inbox.received_at);
  const marks = trace.steps.filter(isListed).map((step) => ({ words: stepWords(step), at: Date.parse(step.at) }));
  if (trace.intent) marks.push({ words: 'Read and accepted', at: Date.parse(trace.intent.accepted_at) });
  else if (trace.inbox.processed_at)
    marks.push({ words: 'Read and answered', at: Date.parse(trace.inbox.processed_at) });
  if (trace.reply?.sent_at && trace.reply.sent_version >= trace.reply.version)
    marks.push({ words: 'Shown in the chat', at: Date.parse(trace.reply.sent_at) });
  const moments: Moment[] = [{ words: 'Message stored', afterMs: 0, times: 1 }];
  for (const { words, at } of marks.sort((a, b) => a.at - b.at)) {
    const last = moments.at(-1);
    if (last?.words === words) last.times += 1;
    else moments.push({ words, afterMs: Math.max(0, at - start), times: 1 });
  }
  return moments;
}

/** Leaves out the steps of a transaction that its payments repeat. */
function isListed({ resource, action }: Step): boolean {
  return resource !== 'outgoing_tx' || !['mine', 'unmine', 'finalise'].includes(action);
}

function stepWords({ resource, action }: Step): string {
  return STEP_WORDS[`${resource} ${action}`] ?? `${resource.replaceAll('_', ' ')}: ${action}`;
}

const STEP_WORDS: Record<string, string> = {
  'intent ask': 'Asked first',
  'intent confirm': 'Answered: send it',
  'intent decline': 'Answered: cancel',
  'intent lapse': 'No answer in time',
  'intent route': 'Planned, terms frozen',
  'intent refuse': 'Refused',
  'intent complete': 'All sent',
  'tip submit': 'Signed and saved',
  'tip mine': 'In a block',
  'tip unmine': 'Block lost, on its way again',
  'tip settle': 'Final',
  'tip fail': 'Payment failed',
  'tip adopt': 'Found paid on-chain',
  'smart_leg bridge': 'With the bridge',
  'smart_leg arrive': 'Delivered by the bridge',
  'smart_leg refund': 'Sent back by the bridge',
  'outgoing_tx send': 'Sent to the network',
  'outgoing_tx reopen': 'Blocks lost, sent again',
};

/** The next step of a trace that is not final yet. */
export function waitingFor(trace: Trace): string {
  const { intent, legs, inbox } = trace;
  if (!inbox) return 'Waiting for the bot to fetch it';
  if (!intent) return 'Writing the reply';
  if (intent.status === 'awaiting_confirmation') return 'Waiting for the sender’s answer';
  const isMined = legs.some((leg) => leg.status === 'mined');
  if (intent.detail?.waitingFor && !isMined) return intent.detail.waitingFor;
  if (legs.length === 0) return 'Planning';
  if (legs.some((leg) => leg.status === 'ready')) return 'Preparing the transaction';
  if (legs.some((leg) => leg.status === 'submitted')) return 'Waiting for a block';
  if (isMined) return 'Waiting for more blocks on top';
  if (legs.some(({ crossing }) => crossing?.status === 'pending')) return 'Waiting for the bridge to deliver it';
  return 'Showing it in the chat';
}

/** Milliseconds from arrival (or from the sender’s answer if the bot `asked`) to the block that paid, or to the bridge’s last delivery, and to finality; null until then. */
export function milestones(trace: Trace): { paidMs: number | null; finalMs: number | null; asked: boolean } {
  // The sender's time to answer does not count.
  const answer = trace.steps.findLast((step) => step.resource === 'intent' && step.action === 'confirm');
  const start = Date.parse(answer?.at ?? trace.inbox?.received_at ?? '');
  const after = (action: string, { last = false, resource = 'tip' } = {}) => {
    const steps = trace.steps.filter((step) => step.resource === resource && step.action === action);
    const step = last ? steps.at(-1) : steps[0];
    return step ? Math.max(0, Date.parse(step.at) - start) : null;
  };
  const crossings = trace.legs.flatMap(({ crossing }) => crossing?.status ?? []);
  const isCrossing = crossings.length > 0;
  const haveArrived = crossings.every((status) => status === 'succeeded');
  const paid = () => (isCrossing ? after('arrive', { last: true, resource: 'smart_leg' }) : after('mine'));
  const settled = trace.legs.length > 0 && !isCrossing && trace.legs.every((leg) => leg.status === 'settled');
  const failed = trace.legs.some((leg) => leg.failure !== null);
  return {
    asked: answer !== undefined,
    paidMs: failed || !haveArrived ? null : paid(),
    finalMs: settled ? (after('settle', { last: true }) ?? after('adopt', { last: true })) : null,
  };
}

/** The reason of a refusal or of a question as a short phrase. */
export function codeWords(code: string): string {
  return CODE_WORDS[code] ?? code.replaceAll('_', ' ');
}

const CODE_WORDS: Record<string, string> = {
  sender_not_connected: 'the sender isn’t connected',
  sender_paused: 'the sender’s spending is paused',
  bridge_away: 'the bridge doesn’t answer',
  bridge_fee: 'the bridge is too expensive',
  recipient_unknown: 'the bot has never seen the recipient',
  recipient_not_connected: 'the recipient has no Ampersat account',
  balance_low: 'too little balance',
  allowance_low: 'the allowance is too low',
  command_cap: 'above the cap for one command',
  day_cap: 'above the cap for 24 hours',
  large_amount: 'more than $50',
  large_fee: 'the fee is above a tenth of it',
  username_changed: 'the username recently belonged to someone else',
  username_stale: 'the username hasn’t been seen for a day',
};
