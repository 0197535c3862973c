// A reply in Discord's own form: text without any markup but its links, buttons in rows, no pings; pure.
import { ButtonStyle, ComponentType, MessageFlags } from 'discord.js';
import type { ButtonView, Rendered } from '../adapter.ts';

const MOST_TEXT = 2_000;
/** A channel, or an address: a sign put into either breaks it. */
const UNTOUCHED = /<#\d{1,20}>|https?:\/\/[^\s<>()[\]"“”„»]+/g;

/** Every message of ours: it pings no account, and its links show no preview. */
export function messageBody(message: Rendered, { ephemeral = false } = {}) {
  return {
    content: contentOf(message),
    components: message.buttons.filter((row) => row.length > 0).map(rowOf),
    allowed_mentions: { parse: [] },
    flags: MessageFlags.SuppressEmbeds | (ephemeral ? MessageFlags.Ephemeral : 0),
  };
}

function rowOf(buttons: ButtonView[]) {
  return {
    type: ComponentType.ActionRow,
    components: buttons.map((button, index) =>
      'url' in button
        ? { type: ComponentType.Button, style: ButtonStyle.Link, label: button.label, url: button.url }
        : {
            type: ComponentType.Button,
            style: index === 0 ? ButtonStyle.Primary : ButtonStyle.Secondary,
            label: button.label,
            custom_id: button.token,
          },
    ),
  };
}

/** Links give way first when it is too long, then words. */
function contentOf(message: Rendered): string {
  const linked = withLinks(message);
  if (linked.length <= MOST_TEXT) return linked || '…';
  const bare = escapeText(message.text);
  return bare.length <= MOST_TEXT ? bare : `${bare.slice(0, MOST_TEXT - 1)}…`;
}

function withLinks({ text, links, folded }: Rendered): string {
  let content = '';
  let readTo = 0;
  const bullets = folded ? lineStarts(text, folded).map((offset) => ({ offset, length: 0, url: null })) : [];
  for (const { offset, length, url } of [...bullets, ...links].sort((a, b) => a.offset - b.offset)) {
    content += escapeText(text.slice(readTo, offset));
    content += url === null ? '- ' : `[${escapeText(text.slice(offset, offset + length))}](<${url}>)`;
    readTo = offset + length;
  }
  return content + escapeText(text.slice(readTo));
}

/** Where the lines of a part begin, which are a list. */
function lineStarts(text: string, { offset, length }: { offset: number; length: number }): number[] {
  const part = text.slice(offset, offset + length);
  return [offset, ...[...part.matchAll(/\n/g)].map(({ index }) => offset + index + 1)];
}

/** Names may hold underscores and the like: they are shown as they are, never as markup or as a mention. Channels and addresses stay links. */
function escapeText(text: string): string {
  const parts: string[] = [];
  let readTo = 0;
  for (const { 0: untouched, index } of text.matchAll(UNTOUCHED)) {
    parts.push(escapeMarkup(text.slice(readTo, index)), untouched);
    readTo = index + untouched.length;
  }
  return [...parts, escapeMarkup(text.slice(readTo))].join('');
}

function escapeMarkup(text: string): string {
  return text.replace(/[\\*_~`|<>[\]]/g, '\\$&').replace(/^(\s*)([#-])/gm, '$1\\$2');
}
