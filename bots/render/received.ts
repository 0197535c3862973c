// Renders the notice about received money: one sentence for what is in the wallet, one for what waits, and what was reverted.
import type { Ctx } from '../../src/context.ts';
import type { Language } from '../../src/domain/language.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import { sendNotice } from '../../src/services/sends/notices.ts';
import { type ReceivedGroup, type ReceivedNotice, receivedNotice } from '../../src/services/tips/receivedViews.ts';
import type { Adapter, ButtonView, Rendered } from '../adapter.ts';
import { type Money, showList } from './amounts.ts';
import { inUtc } from './dates.ts';
import { pageUrl, plain, type RenderContext } from './message.ts';
import { say } from './say.ts';

/** @returns null when there is nothing to show */
export async function renderReceived(
  ctx: Ctx,
  reply: DueReply<'received'>,
  { adapter, language }: RenderContext,
): Promise<Rendered | null> {
  const notice = await receivedNotice(ctx, reply);
  if (!notice) return null;
  const buttons = [...moneyButton(ctx, adapter, language, notice), ...switchButton(reply, language, notice.isOff)];
  return plain(receivedText(language, notice), [buttons]);
}

/** The same about money that its sender sent from their wallet. @returns null for an account that is no longer the recipient's */
export async function renderSendReceived(
  ctx: Ctx,
  reply: DueReply<'send_received'>,
  { language }: RenderContext,
): Promise<Rendered | null> {
  const notice = await sendNotice(ctx, reply);
  if (!notice) return null;
  return plain(say(language, 'received-paid', { sums: [{ amount: notice.amount, asset: 'USDC' }], from: notice.from }));
}

export function receivedText(language: Language, notice: ReceivedNotice): string {
  const { paid, waiting, undone, returned, only } = notice;
  const lines: string[] = [];
  if (paid) lines.push(confirmed(language, say(language, 'received-paid', about(language, paid)), paid));
  if (waiting) lines.push(confirmed(language, waitingText(language, notice, waiting), waiting));
  if (undone) lines.push(say(language, 'received-undone', about(language, undone)));
  if (returned) lines.push(say(language, 'received-returned', about(language, returned)));
  if (only?.note && (paid || waiting)) lines.push(say(language, 'received-note', { note: only.note }));
  if (notice.isOff) lines.push(say(language, 'received-is-off'));
  return lines.join('\n');
}

function waitingText(language: Language, { pace }: ReceivedNotice, group: ReceivedGroup & { until: number }): string {
  const { sums, from } = about(language, group);
  const date = inUtc(language, group.until);
  if (pace === 'minute') return say(language, 'received-waiting', { sums, from, date });
  return say(language, 'received-daily', { sums, date, count: group.count });
}

function about(language: Language, group: ReceivedGroup): { sums: Money[]; from: string } {
  return { sums: group.sums, from: from(language, group) };
}

function from(language: Language, { sender, people, count }: ReceivedGroup): string {
  if (!sender) return say(language, 'received-people', { people });
  const name = sender.platform
    ? say(language, 'received-elsewhere', { name: sender.name, platform: sender.platform })
    : sender.name;
  return count === 1 ? name : say(language, 'received-times', { name, count });
}

function confirmed(language: Language, text: string, { confirming }: ReceivedGroup): string {
  if (confirming.length === 0) return text;
  const chain = showList(language, confirming);
  return `${text} ${say(language, 'received-confirming', { chain })}`;
}

/** To the money: the receipt of a single payment, the list of several, the claim of what waits. */
function moneyButton(
  ctx: Ctx,
  adapter: Adapter,
  language: Language,
  { waiting, only, paid }: ReceivedNotice,
): ButtonView[] {
  if (waiting) return [adapter.connectButton(say(language, 'button-claim'))];
  if (!paid) return [];
  const path = only ? `/r/${only.tipId}` : '/history';
  return [{ label: say(language, 'received-see'), url: pageUrl(ctx, path) }];
}

function switchButton(reply: DueReply, language: Language, isOff: boolean): ButtonView[] {
  const action = isOff ? 'notices_on' : 'notices_off';
  const token = reply.buttons.find((button) => button.action === action && button.usedAt === null)?.token;
  return token ? [{ label: say(language, isOff ? 'received-turn-on' : 'received-turn-off'), token }] : [];
}
