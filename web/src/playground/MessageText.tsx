// The text of a message with its links, mentions and commands set apart.
import type { ReactNode } from 'react';
import type { ChatMessage, Entity } from './telegramApi.ts';

const TX_HASH = /0x[0-9a-f]{64}/i;

/** @param onTransaction called for a link to a transaction: its chain lives on this machine, so no explorer knows it */
export function MessageText({ message, onTransaction }: { message: ChatMessage; onTransaction: () => void }) {
  const { text = '', entities = [] } = message;
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const entity of [...entities].sort((a, b) => a.offset - b.offset)) {
    if (entity.offset < end) continue;
    pieces.push(text.slice(end, entity.offset));
    end = entity.offset + entity.length;
    pieces.push(
      <Marked key={entity.offset} entity={entity} onTransaction={onTransaction}>
        {text.slice(entity.offset, end)}
      </Marked>,
    );
  }
  pieces.push(text.slice(end));
  return <span className="whitespace-pre-wrap break-words">{pieces}</span>;
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
