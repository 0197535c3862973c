// The text of a message with its entities: links, mentions, commands, code and expandable quotes.
import { type ReactNode, useState } from 'react';
import type { ChatMessage, Entity } from './telegramApi.ts';

/** A hash, or a signature of Solana. */
const TX_HASH = /0x[0-9a-f]{64}|\/tx\/[1-9A-HJ-NP-Za-km-z]{64,88}/i;

type Props = { message: ChatMessage; onTransaction: () => void };

/** @param onTransaction called in place of a link to a block explorer, which has no local chain */
export function MessageText({ message, onTransaction }: Props) {
  const { text = '', entities = [] } = message;
  const quote = entities.find((entity) => entity.type === 'expandable_blockquote');
  const marked = entities.filter((entity) => entity !== quote);
  const part = (from: number, to: number) => piecesOf(text, marked, from, to, onTransaction);
  if (!quote) return <span className="whitespace-pre-wrap break-words">{part(0, text.length)}</span>;
  const end = quote.offset + quote.length;
  return (
    <span className="whitespace-pre-wrap break-words">
      {part(0, quote.offset)}
      <FoldedQuote>{part(quote.offset, end)}</FoldedQuote>
      {part(end, text.length)}
    </span>
  );
}

/** Shows three lines until expanded, as Telegram does. */
function FoldedQuote({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <span className="block border-accent border-l-2 pl-2">
      <span className={open ? 'block' : 'line-clamp-3'}>{children}</span>
      <button type="button" className={LINK} aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Show less' : 'Show all'}
      </button>
    </span>
  );
}

function piecesOf(text: string, entities: Entity[], from: number, to: number, onTransaction: () => void): ReactNode[] {
  const pieces: ReactNode[] = [];
  let end = from;
  for (const entity of [...entities].sort((a, b) => a.offset - b.offset)) {
    if (entity.offset < end || entity.offset + entity.length > to) continue;
    pieces.push(text.slice(end, entity.offset));
    end = entity.offset + entity.length;
    pieces.push(
      <Marked key={entity.offset} entity={entity} onTransaction={onTransaction}>
        {text.slice(entity.offset, end)}
      </Marked>,
    );
  }
  pieces.push(text.slice(end, to));
  return pieces;
}

const LINK = 'font-medium text-accent underline decoration-1 underline-offset-2';

function Marked({ entity, onTransaction, children }: { entity: Entity; onTransaction: () => void; children: string }) {
  const url = entity.type === 'url' ? children : entity.url;
  if (url && TX_HASH.test(url))
    return (
      <button type="button" className={LINK} title="Show this transaction" onClick={onTransaction}>
        {children}
      </button>
    );
  if (url && /^https?:\/\//.test(url))
    return (
      <a className={LINK} href={url} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    );
  if (entity.type === 'code' || entity.type === 'pre') return <code className="font-mono text-sm">{children}</code>;
  if (['mention', 'bot_command', 'cashtag', 'hashtag'].includes(entity.type))
    return <span className="text-accent">{children}</span>;
  return children;
}
