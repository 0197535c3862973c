// Renders what the bots say of tabs in direct chats: what waits for somebody, and what became of what they sent.
import type { Ctx } from '../../src/context.ts';
import { directChatUser } from '../../src/domain/chat.ts';
import type { Language } from '../../src/domain/language.ts';
import { tabView } from '../../src/services/escrow/views.ts';
import { waitingFor } from '../../src/services/escrow/waiting.ts';
import type { DueReply } from '../../src/services/outbox/replies.ts';
import { personOf } from '../../src/services/spending/chatBalances.ts';
import { countPending } from '../../src/services/tips/pendingTips.ts';
import type { Rendered } from '../adapter.ts';
import { showList, showMoney } from './amounts.ts';
import { say } from './say.ts';
import { inUtc } from './texts.ts';

type PageUrl = (path: string) => string;

/** What became of a tab, or is about to: its sender and, for the reminder, its recipient read it. */
export async function renderTabNotice(
  ctx: Ctx,
  reply: DueReply,
  escrowId: string,
  language: Language,
  pageUrl: PageUrl,
): Promise<Rendered> {
  const tab = await tabView(ctx, escrowId);
  const about = { amount: { amount: tab.amount, asset: tab.currency }, recipient: tab.recipientLabel };
  const see = { label: say(language, 'button-see-tab'), url: pageUrl(`/tabs/${tab.id}`) };
  const takeBack = { ...see, label: say(language, 'button-take-back') };
  switch (reply.kind) {
    case 'tab_claimed':
      return message(say(language, 'tab-told-claimed', about), [see]);
    case 'tab_refunded':
      return message(say(language, 'tab-told-back', about), [see]);
    case 'tab_name_hold': {
      const date = inUtc(language, tab.heldUntil ?? tab.deadline);
      return message(say(language, 'tab-name-hold', { ...about, date }), [takeBack]);
    }
    default: {
      const reader = await personOf(ctx, reply.platform, directChatUser(reply.chatId));
      const date = inUtc(language, tab.deadline);
      if (reader !== null && reader.handleId === tab.senderHandleId)
        return message(say(language, 'tab-reminds-sender', { ...about, date }), [tab.revocable ? takeBack : see]);
      const { amount } = about;
      return message(say(language, 'tab-reminds-recipient', { amount, sender: tab.senderLabel, date }), [see]);
    }
  }
}

/** For whoever has just connected: everything that waits, in one message with one way to it. */
export async function renderWaiting(
  ctx: Ctx,
  handleId: string,
  language: Language,
  pageUrl: PageUrl,
): Promise<Rendered> {
  const { sums } = await waitingFor(ctx.db, handleId);
  const lines: string[] = [];
  if (sums.length > 0) {
    const list = sums.map((sum) => `${showMoney(language, sum)} (${sum.chainLabel})`);
    lines.push(say(language, 'waits-tabs', { list: showList(language, list) }));
  }
  if ((await countPending(ctx, ctx.db, handleId)) > 0) lines.push(say(language, 'waits-tips'));
  if (lines.length === 0) lines.push(say(language, 'waits-nothing'));
  return message(lines.join('\n'), [{ label: say(language, 'button-waiting'), url: pageUrl('/tabs') }]);
}

function message(text: string, buttons: Rendered['buttons'][number]): Rendered {
  return { text, links: [], buttons: [buttons] };
}
