// Renders a reply from the rows as they are now, so that a late reply never says something old.
import { type Ctx, chainOf } from '../src/context.ts';
import { balancesOf, historyOf, limitsOf, personOf } from '../src/services/accounts.ts';
import { intentView } from '../src/services/intentView.ts';
import type { DueReply } from '../src/services/replies.ts';
import type { Adapter, ButtonView, Rendered } from './adapter.ts';
import {
  balanceText,
  errorText,
  helpText,
  historyText,
  intentText,
  limitsText,
  openChatText,
  pausedText,
  refusalText,
  unconnectedText,
} from './texts.ts';

const HISTORY_LINES = 10;

export async function render(ctx: Ctx, adapter: Adapter, reply: DueReply): Promise<Rendered> {
  const data = reply.data as { intentId?: string; userId?: string; code?: string };
  switch (reply.kind) {
    case 'intent':
      return renderIntent(ctx, adapter, reply, data.intentId ?? '');
    case 'intent_private': {
      const view = await intentView(ctx, data.intentId ?? '');
      return plain(view.refusal ? refusalText(view.refusal, adapter.botUsername) : '');
    }
    case 'help':
      return plain(helpText(adapter.botUsername));
    case 'error':
      return plain(errorText(data as { code: string }, ctx.clock.now(), adapter.botUsername));
    case 'open_chat':
      return { text: openChatText(), links: [], buttons: [[{ label: 'Open our chat', url: adapter.directChatUrl() }]] };
    case 'paused':
      return plain(pausedText());
    default:
      return plain(await personalText(ctx, reply, data.userId ?? ''));
  }
}

async function personalText(ctx: Ctx, reply: DueReply, userId: string): Promise<string> {
  const person = await personOf(ctx, reply.platform, userId);
  if (!person) return unconnectedText();
  if (reply.kind === 'balance') return balanceText(person.slug, await balancesOf(ctx, person));
  if (reply.kind === 'limits') return limitsText(await limitsOf(ctx, person, reply.platform, userId));
  return historyText(await historyOf(ctx, person, HISTORY_LINES), ctx.clock.now());
}

async function renderIntent(ctx: Ctx, adapter: Adapter, reply: DueReply, intentId: string): Promise<Rendered> {
  const view = await intentView(ctx, intentId);
  const parts = intentText(view, (chain, hash) => `${chainOf(ctx, chain).explorerUrl}/tx/${hash}`);
  const buttons: ButtonView[][] = [];
  if (view.status === 'awaiting_confirmation') {
    const open = reply.buttons.filter((button) => button.usedAt === null);
    const token = (action: string) => open.findLast((button) => button.action === action)?.token;
    const [confirm, decline] = [token('confirm'), token('decline')];
    if (confirm && decline)
      buttons.push([
        { label: 'Send', token: confirm },
        { label: 'Cancel', token: decline },
      ]);
  }
  if (view.refusal && view.tellsInPrivate) buttons.push([{ label: 'Open our chat', url: adapter.directChatUrl() }]);
  return { ...withLinks(parts), buttons };
}

function plain(text: string): Rendered {
  return { text, links: [], buttons: [] };
}

/** Joins pieces of text, some of them linked, and counts the links' places in UTF-16 units. */
function withLinks(parts: (string | { text: string; url: string })[]): Pick<Rendered, 'text' | 'links'> {
  let text = '';
  const links: Rendered['links'] = [];
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    links.push({ offset: text.length, length: part.text.length, url: part.url });
    text += part.text;
  }
  return { text, links };
}
