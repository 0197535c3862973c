// A chat message as operators see it: what it was read as, what was counted, planned, pressed, sent and answered.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import type { ChatButton, ChatMessage } from '../../domain/chat.ts';
import type { Command } from '../../domain/command.ts';
import { tipsKey } from '../../domain/limits.ts';
import { formatUnits } from '../../domain/money.ts';
import { bridgeSteps } from './bridgeSteps.ts';
import { escrowSteps } from './escrows.ts';
import { repliesByKeys, replySteps } from './replies.ts';
import { type CaseStep, inOrder, moveSteps, step, transactionSteps } from './steps.ts';
import { commandWords, presserWords, senderWords } from './words.ts';

type Payload = { message?: ChatMessage; command?: Command; button?: ChatButton };
type Line = { platform: string; who: string; what: string; status: string };

/** What a list says of messages and pressed buttons, by their keys in the inbox. */
export async function messageLines(ctx: Ctx, keys: string[]): Promise<[string, Line][]> {
  if (keys.length === 0) return [];
  const [entries, intents] = await Promise.all([
    ctx.db.inbox.findMany({ where: { key: { in: keys } } }),
    ctx.db.intent.findMany({
      where: { inboxKey: { in: keys } },
      select: {
        inboxKey: true,
        status: true,
        tips: { select: { status: true, crossing: { select: { status: true } } } },
      },
    }),
  ]);
  const statuses = new Map(intents.map(({ inboxKey, status, tips }) => [inboxKey, intentStatus(status, tips)]));
  return entries.map((entry) => {
    const { message, command, button } = entry.payload as unknown as Payload;
    const who = message ? senderWords(message.sender) : button ? presserWords(button) : '';
    const what = command ? commandWords(command) : 'button';
    return [entry.key, { platform: entry.platform, who, what, status: statuses.get(entry.key) ?? entryStatus(entry) }];
  });
}

type Sent = { status: string; crossing: { status: string } | null };

/** How a bridge's part stands, by the status of its payment. */
const CROSSED: Record<string, string> = {
  pending: 'bridging',
  succeeded: 'arrived',
  refunded: 'returned',
  failed: 'failed',
};

/** A leg that went to another chain is over once the bridge is done with it. */
function legStatus({ status, crossing }: Sent): string {
  return crossing && status === 'settled' ? (CROSSED[crossing.status] ?? status) : status;
}

/** A command counts as its worst leg, though it is completed once they are paid. */
function intentStatus(status: string, tips: Sent[]): string {
  const legs = tips.map(legStatus);
  return status === 'completed'
    ? (['failed', 'returned', 'bridging'].find((one) => legs.includes(one)) ?? status)
    : status;
}

function entryStatus({ status, outcome }: Pick<Row<'Inbox'>, 'status' | 'outcome'>): string {
  if (status !== 'done') return status;
  if (outcome === null || /^(error:|limited$)/.test(outcome)) return outcome ?? 'done';
  return outcome === 'none' ? 'ignored' : 'answered';
}

export type LegLine = {
  id: string;
  recipient: string;
  amount: string;
  fee: string;
  asset: string;
  chain: string;
  status: string;
  tab_id: string | null;
};

export type MessageCase = {
  platform: string;
  who: string;
  senderId: string;
  messageId: string;
  what: string;
  status: string;
  legs: LegLine[];
  steps: CaseStep[];
};

/** One message whole; null for a key that the inbox does not have. */
export async function readMessageCase(ctx: Ctx, key: string): Promise<MessageCase | null> {
  const entry = await ctx.db.inbox.findUnique({ where: { key } });
  if (!entry) return null;
  const intent = await ctx.db.intent.findUnique({
    where: { inboxKey: key },
    include: { tips: { orderBy: { leg: 'asc' }, include: { escrow: true, crossing: true } } },
  });
  const tips = intent?.tips ?? [];
  const txIds = [...new Set(tips.flatMap(({ outgoingTxId }) => outgoingTxId ?? []))];
  const escrows = tips.flatMap(({ escrow }) => escrow ?? []);
  const labels = new Map(tips.map((tip) => [tip.id, `${amountOf(tip)} to ${tip.recipientLabel}`]));
  const { message, command, button } = entry.payload as unknown as Payload;
  const senderId = message?.sender.id ?? button?.userId ?? '';
  const [counted, moves, legMoves, txSteps, bridged, replies, notices, pressed, ...escrowLines] = await Promise.all([
    countedSteps(ctx, entry, senderId, intent),
    moveSteps(ctx, 'intent', intent ? [intent.id] : []),
    moveSteps(ctx, 'tip', [...labels.keys()], (id) => labels.get(id) ?? null),
    transactionSteps(ctx, txIds),
    bridgeSteps(ctx, { tipIds: [...labels.keys()] }),
    repliesByKeys(ctx, replyKeys(key, intent?.id)),
    noticesOf(ctx, [...labels.keys()]),
    pressedSteps(ctx, intent?.id),
    ...escrows.map((escrow) => escrowSteps(ctx, escrow)),
  ]);
  const frozen = tips.map((tip) =>
    step(`${tip.id} frozen`, tip.createdAt, 'leg_frozen', {
      detail: `${labels.get(tip.id)}, fee ${formatUnits(BigInt(tip.feeUnits.toFixed(0)), tip.decimals)}, on ${tip.chain}`,
    }),
  );
  const steps = [
    ...entrySteps(entry, { message, command, button }, intent),
    ...counted,
    ...moves,
    ...pressed,
    ...frozen,
    ...txSteps,
    ...legMoves,
    ...bridged,
    ...escrowLines.flat(),
    ...replies.flatMap(replySteps),
    ...notices.flatMap(replySteps).flatMap((one) => noticeStep(one, entry.receivedAt)),
  ];
  return {
    platform: entry.platform,
    who: message ? senderWords(message.sender) : button ? presserWords(button) : '',
    senderId,
    messageId: message?.messageId ?? button?.messageId ?? '',
    what: command ? commandWords(command) : 'button',
    status: intent ? intentStatus(intent.status, tips) : entryStatus(entry),
    legs: tips.map((tip) => ({
      id: tip.id,
      recipient: tip.recipientLabel,
      amount: formatUnits(BigInt(tip.units.toFixed(0)), tip.decimals),
      fee: formatUnits(BigInt(tip.feeUnits.toFixed(0)), tip.decimals),
      asset: tip.asset,
      chain: tip.toChain === null ? tip.chain : `${tip.chain} → ${tip.toChain}`,
      status: legStatus(tip),
      tab_id: tip.escrow?.id ?? null,
    })),
    steps: inOrder(steps),
  };
}

function amountOf(tip: Pick<Row<'Tip'>, 'units' | 'decimals' | 'asset'>): string {
  return `${formatUnits(BigInt(tip.units.toFixed(0)), tip.decimals)} ${tip.asset}`;
}

function replyKeys(key: string, intentId: string | undefined): string[] {
  const own = [`answer:${key}`];
  if (intentId === undefined) return own;
  return [...own, ...['intent', 'intent-private', 'intent-question'].map((kind) => `${kind}:${intentId}`)];
}

const LATE_MS = 5_000;

/** A message that came at once says nothing of it. */
function lateBy(ms: number): string {
  return ms < LATE_MS ? '' : `${Math.round(ms / 1_000)} s after it was sent`;
}

const PLACES: Record<ChatMessage['chatKind'], string> = {
  group: 'in a group',
  dm: 'in a direct chat',
  public: 'in public',
};

function entrySteps(
  entry: Row<'Inbox'>,
  { message, command, button }: Payload,
  intent: Row<'Intent'> | null,
): CaseStep[] {
  const steps: CaseStep[] = [];
  if (message)
    steps.push(
      step('received', entry.receivedAt, 'received', {
        detail: [
          `message ${message.messageId} ${PLACES[message.chatKind]}`,
          message.byReaction ? 'by a reaction' : '',
          lateBy(entry.receivedAt.getTime() - message.sentAt),
        ]
          .filter(Boolean)
          .join(', '),
      }),
    );
  if (button)
    steps.push(step('received', entry.receivedAt, 'received', { detail: `a button of message ${button.messageId}` }));
  if (command) {
    const tone = command.kind === 'error' ? 'bad' : command.kind === 'confirm' ? 'busy' : 'quiet';
    steps.push(step('parsed', entry.receivedAt, 'parsed', { detail: commandWords(command), tone }));
  }
  if (intent) {
    steps.push(
      step('accepted', intent.acceptedAt, 'accepted', { detail: intent.senderHandleId ? null : 'not connected' }),
    );
    const { waitingFor } = (intent.detail ?? {}) as { waitingFor?: string };
    if (intent.status === 'accepted' && waitingFor)
      steps.push(
        step('waits', intent.nextAttemptAt, 'waits', {
          detail: `for ${waitingFor}, attempt ${intent.attempts + 1}`,
          tone: 'busy',
        }),
      );
  } else if (entry.processedAt && entry.outcome !== null) {
    const isError = /^error:|^limited$/.test(entry.outcome);
    steps.push(
      step('answered', entry.processedAt, 'processed', { detail: entry.outcome, tone: isError ? 'bad' : 'quiet' }),
    );
  } else if (entry.status !== 'done') {
    steps.push(step('unread', entry.receivedAt, entry.status === 'held' ? 'held' : 'unread', { tone: 'busy' }));
  }
  return steps;
}

const WINDOW_WORDS: Record<string, string> = {
  tips: 'commands of this hour',
  pending: 'kept commands of this day',
  errors: 'error replies',
  limits: 'answers about limits',
};

/** Which windows the command was counted in. */
async function countedSteps(
  ctx: Ctx,
  entry: Row<'Inbox'>,
  senderId: string,
  intent: Row<'Intent'> | null,
): Promise<CaseStep[]> {
  const own = tipsKey(entry.platform, senderId);
  const account = `${entry.platform}:${senderId}`;
  const keys = [own, `pending:${own}`, `errors:${account}`, `limits:${account}`];
  if (intent?.senderHandleId) keys.push(tipsKey('handle', intent.senderHandleId));
  const rows = await ctx.db.rateEvent.findMany({
    where: {
      key: { in: keys },
      action: { in: [entry.key, ...(intent ? [intent.id] : [])] },
      at: { gte: entry.receivedAt },
    },
    orderBy: { at: 'asc' },
    take: keys.length,
  });
  const counted = rows.map(({ id, key, at }) => {
    const detail = WINDOW_WORDS[key.split(':')[0] ?? ''] ?? 'a limit';
    return step(`counted ${id}`, at, 'counted', { detail });
  });
  return counted.filter(({ detail }, index) => counted.findIndex((one) => one.detail === detail) === index);
}

/** Buttons of the command that were pressed; their tokens are not read. */
async function pressedSteps(ctx: Ctx, intentId: string | undefined): Promise<CaseStep[]> {
  if (intentId === undefined) return [];
  const rows = await ctx.db.button.findMany({
    where: { intentId, usedAt: { not: null } },
    select: { action: true, usedAt: true },
    take: 20,
  });
  return rows.flatMap(({ action, usedAt }) =>
    usedAt ? [step(`pressed ${action} ${usedAt.getTime()}`, usedAt, 'pressed', { detail: action })] : [],
  );
}

/** A notice collects what arrives within a minute: it may have been wanted before this message was typed. */
function noticeStep(one: CaseStep, since: Date): CaseStep[] {
  return one.at < since.toISOString() ? [] : [{ ...one, step: one.step.replace('reply_', 'notice_') }];
}

/** The notices that recipients got about these legs. */
async function noticesOf(ctx: Ctx, tipIds: string[]): Promise<Row<'Reply'>[]> {
  const legs = await ctx.db.receivedLeg.findMany({ where: { tipId: { in: tipIds }, noticeId: { not: null } } });
  return repliesByKeys(ctx, [...new Set(legs.map(({ noticeId }) => `you-received:${noticeId}`))]);
}
