// Renders escrows in direct chats: what waits for the reader, and the outcome of what they sent.
import type { Ctx } from '../../src/context.ts';
import { directChatUser } from '../../src/domain/chat.ts';
import { chatEscrow } from '../../src/services/escrow/views.ts';
import { waitingFor } from '../../src/services/escrow/waiting.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import { personOf } from '../../src/services/spending/chatAccount.ts';
import { countPending } from '../../src/services/tips/pendingTips.ts';
import type { Rendered } from '../adapter.ts';
import { showList, showMoney } from './amounts.ts';
import { inUtc } from './dates.ts';
import { pageUrl, plain, type RenderContext } from './message.ts';
import { say } from './say.ts';

type EscrowNotice = DueReply<'tab_claimed' | 'tab_refunded' | 'tab_reminder' | 'tab_name_hold'>;

async function readEscrow(ctx: Ctx, reply: EscrowNotice, { language }: RenderContext) {
  const escrow = await chatEscrow(ctx, reply.data.escrowId);
  const about = { amount: { amount: escrow.amount, asset: escrow.currency }, recipient: escrow.recipientLabel };
  const see = { label: say(language, 'button-see-tab'), url: pageUrl(ctx, `/tabs/${escrow.id}`) };
  return { escrow, about, see, takeBack: { ...see, label: say(language, 'button-take-back') } };
}

export async function renderClaimed(
  ctx: Ctx,
  reply: DueReply<'tab_claimed'>,
  context: RenderContext,
): Promise<Rendered> {
  const { about, see } = await readEscrow(ctx, reply, context);
  return plain(say(context.language, 'tab-told-claimed', about), [[see]]);
}

export async function renderRefunded(
  ctx: Ctx,
  reply: DueReply<'tab_refunded'>,
  context: RenderContext,
): Promise<Rendered> {
  const { about, see } = await readEscrow(ctx, reply, context);
  return plain(say(context.language, 'tab-told-back', about), [[see]]);
}

export async function renderNameHold(
  ctx: Ctx,
  reply: DueReply<'tab_name_hold'>,
  context: RenderContext,
): Promise<Rendered> {
  const { language } = context;
  const { escrow, about, takeBack } = await readEscrow(ctx, reply, context);
  const date = inUtc(language, escrow.heldUntil ?? escrow.deadline);
  return plain(say(language, 'tab-name-hold', { ...about, date }), [[takeBack]]);
}

/** To its sender and its recipient, before it expires. */
export async function renderReminder(
  ctx: Ctx,
  reply: DueReply<'tab_reminder'>,
  context: RenderContext,
): Promise<Rendered> {
  const { language } = context;
  const { escrow, about, see, takeBack } = await readEscrow(ctx, reply, context);
  const reader = await personOf(ctx, reply.platform, directChatUser(reply.chatId));
  const date = inUtc(language, escrow.deadline);
  if (reader !== null && reader.handleId === escrow.senderHandleId)
    return plain(say(language, 'tab-reminds-sender', { ...about, date }), [[escrow.revocable ? takeBack : see]]);
  const { amount } = about;
  return plain(say(language, 'tab-reminds-recipient', { amount, sender: escrow.senderLabel, date }), [[see]]);
}

/** To an account that has just connected: all that waits, in one message with one way to it. */
export async function renderWaiting(
  ctx: Ctx,
  reply: DueReply<'waiting'>,
  { language }: RenderContext,
): Promise<Rendered> {
  const { handleId } = reply.data;
  const { sums } = await waitingFor(ctx.db, handleId);
  const lines: string[] = [];
  if (sums.length > 0) {
    const list = sums.map((sum) => `${showMoney(language, sum)} (${sum.chainLabel})`);
    lines.push(say(language, 'waits-tabs', { list: showList(language, list) }));
  }
  if ((await countPending(ctx, ctx.db, handleId)) > 0) lines.push(say(language, 'waits-tips'));
  if (lines.length === 0) lines.push(say(language, 'waits-nothing'));
  return plain(lines.join('\n'), [[{ label: say(language, 'button-waiting'), url: pageUrl(ctx, '/tabs') }]]);
}
