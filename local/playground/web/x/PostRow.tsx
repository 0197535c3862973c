// One post in X's layout, with its actions; a line connects it to its reply.
import { ExternalLink, MessageCircle, ScanSearch } from 'lucide-react';
import type { ReactNode } from 'react';
import { clockTime, exactTime } from '../../../../web/src/app/format.ts';
import { Avatar } from '../../../../web/src/ui/Avatar.tsx';
import type { XPost } from './xApi.ts';

export type PostActions = { reply(post: XPost): void; inspect(post: XPost): void };

export function PostRow({
  post,
  isBot,
  isTied,
  selected,
  actions,
}: {
  post: XPost;
  isBot: boolean;
  /** Another post of the conversation follows. */
  isTied: boolean;
  selected: boolean;
  actions: PostActions;
}) {
  const at = Date.parse(post.created_at);
  const name = post.author?.name ?? 'Someone';
  const isEdited = post.edit_history_ids.length > 1;
  return (
    <li className={`flex gap-3 px-4 pt-3 arrives ${selected ? 'bg-soft' : ''}`}>
      <span className="flex flex-col items-center gap-1">
        <Avatar name={name} bot={isBot} size="large" />
        {isTied && <span aria-hidden="true" className="w-0.5 grow bg-line" />}
      </span>
      <div className="flex min-w-0 grow flex-col gap-1 pb-2">
        <p className="flex flex-wrap items-baseline gap-x-1.5">
          <span className="font-semibold">{name}</span>
          <span className="text-sm text-muted">@{post.author?.username}</span>
          <time dateTime={post.created_at} title={exactTime(at)} className="text-sm text-muted amount">
            · {clockTime(at)}
            {isEdited && ' · edited'}
          </time>
        </p>
        <p className="whitespace-pre-wrap wrap-anywhere">{marked(post.visible_text)}</p>
        <span className="-ml-2 flex gap-6 text-muted">
          <PostButton label={`Reply to ${name}: ${post.visible_text}`} tip="Reply" onClick={() => actions.reply(post)}>
            <MessageCircle aria-hidden="true" className="size-4" />
          </PostButton>
          <PostButton
            label={`What happened: ${post.visible_text}`}
            tip="What happened"
            onClick={() => actions.inspect(post)}
          >
            <ScanSearch aria-hidden="true" className="size-4" />
          </PostButton>
        </span>
      </div>
    </li>
  );
}

const MARKS = /(https?:\/\/[^\s]+)|(@\w{1,15})/g;

/** Highlights links and usernames, as X does. */
export function marked(text: string): ReactNode[] {
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const [whole, url] = match;
    pieces.push(text.slice(end, match.index));
    end = match.index + whole.length;
    pieces.push(
      url ? (
        <a
          key={match.index}
          className="text-accent hover:underline"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
        >
          {url.replace(/^https?:\/\//, '')} <ExternalLink aria-hidden="true" className="inline size-4" />
        </a>
      ) : (
        <span key={match.index} className="text-accent">
          {whole}
        </span>
      ),
    );
  }
  pieces.push(text.slice(end));
  return pieces;
}

function PostButton({
  label,
  tip,
  onClick,
  children,
}: {
  label: string;
  tip: string;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={tip}
      onClick={onClick}
      className="inline-flex size-8 items-center justify-center rounded-full hover:bg-soft hover:text-accent"
    >
      {children}
    </button>
  );
}
