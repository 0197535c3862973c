// The text of a message with Discord's markup: mentions, links, code and bold.
import type { ReactNode } from 'react';

const MARKS =
  /<@!?(\d{1,20})>|\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)|<?(https?:\/\/[^\s>]+)>?|`([^`\n]+)`|\*\*([^*\n]+)\*\*/g;
const TX_HASH = /0x[0-9a-f]{64}/i;
const LINK = 'font-medium text-accent underline decoration-1 underline-offset-2';

export function DiscordText({
  text,
  nameOf,
  onTransaction,
}: {
  text: string;
  /** The name of a user by ID. */
  nameOf: (id: string) => string;
  onTransaction: () => void;
}) {
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const [whole, id, label, labelled, bare, code, bold] = match;
    pieces.push(text.slice(end, match.index));
    end = match.index + whole.length;
    const key = match.index;
    const url = labelled ?? bare;
    if (id)
      pieces.push(
        <span key={key} className="rounded-sm bg-soft px-0.5 font-medium text-accent">
          @{nameOf(id)}
        </span>,
      );
    else if (code)
      pieces.push(
        <code key={key} className="rounded-sm bg-sunken px-1 font-mono text-sm">
          {code}
        </code>,
      );
    else if (bold) pieces.push(<b key={key}>{bold}</b>);
    else if (url && TX_HASH.test(url))
      pieces.push(
        <button key={key} type="button" className={LINK} title="Show this transaction" onClick={onTransaction}>
          {label ?? url}
        </button>,
      );
    else
      pieces.push(
        <a key={key} className={LINK} href={url} target="_blank" rel="noopener noreferrer">
          {label ?? url}
        </a>,
      );
  }
  pieces.push(text.slice(end));
  return <span className="whitespace-pre-wrap wrap-anywhere">{pieces}</span>;
}
