// The parts of which renderers make a message: its input, its text with links, its buttons and the pages that they open.
import type { Ctx } from '../../src/context.ts';
import type { Language } from '../../src/domain/language.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import type { Adapter, ButtonView, Rendered, Views } from '../adapter.ts';
import type { Part } from './foldedReceipt.ts';
import { type Piece, say } from './say.ts';

/** What renderers need beside the reply. `language` is its reader's. */
export type RenderContext = { adapter: Adapter; views: Views; language: Language };

export function plain(text: string, buttons: ButtonView[][] = []): Rendered {
  return { text, links: [], buttons };
}

/** Joins pieces of text, some of them linked, and counts the links' places in UTF-16 units. */
export function withLinks(parts: Part[]): Pick<Rendered, 'text' | 'links' | 'folded'> {
  let text = '';
  let folded: Rendered['folded'];
  const links: Rendered['links'] = [];
  function add(piece: Piece): void {
    const shown = typeof piece === 'string' ? piece : piece.text;
    if (typeof piece !== 'string') links.push({ offset: text.length, length: shown.length, url: piece.url });
    text += shown;
  }
  for (const part of parts) {
    if (typeof part === 'string' || 'url' in part) {
      add(part);
      continue;
    }
    text += '\n';
    const offset = text.length;
    for (const piece of part.folded.flatMap((line, index) => (index === 0 ? line : ['\n', ...line]))) add(piece);
    folded = { offset, length: text.length - offset };
  }
  return { text, links, ...(folded ? { folded } : {}) };
}

export function pageUrl(ctx: Ctx, path: string): string {
  return new URL(path, ctx.env.BASE_URL).href;
}

export function spendingButton(ctx: Ctx, language: Language): ButtonView {
  return { label: say(language, 'button-spending'), url: pageUrl(ctx, '/spending') };
}

export function settingsButton(ctx: Ctx, language: Language): ButtonView {
  return { label: say(language, 'button-settings'), url: pageUrl(ctx, '/settings') };
}

export function chatButton(adapter: Adapter, language: Language): ButtonView {
  return { label: say(language, 'button-open-chat'), url: adapter.directChatUrl() };
}

/** The two buttons of a question, as long as they can be pressed. */
export function choice({ buttons }: DueReply, yes: string, no: string): ButtonView[][] {
  const open = buttons.filter((button) => button.usedAt === null);
  const token = (action: string) => open.findLast((button) => button.action === action)?.token;
  const [confirm, decline] = [token('confirm'), token('decline')];
  if (!confirm || !decline) return [];
  return [
    [
      { label: yes, token: confirm },
      { label: no, token: decline },
    ],
  ];
}
