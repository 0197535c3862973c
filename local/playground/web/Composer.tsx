// The composer of all windows; it keeps the draft until the server has stored the message.
import { CornerUpLeft, SendHorizontal, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { capitalised } from '../../../web/src/app/format.ts';
import { ErrorNote } from '../../../web/src/ui/notices.tsx';
import type { Person } from './localApi.ts';

export type Answered = { id: string; who: string; text: string };

export type Suggestion = { text: string /** Replies to the newest message of another author. */; asReply?: boolean };

export function Composer({
  speaker,
  place,
  draft,
  onDraft,
  replyTo,
  onNoReply,
  onReplyToNewest,
  suggestions,
  placeholder,
  hint,
  sending,
  error,
  onSend,
}: {
  speaker: Person;
  place: string;
  draft: string;
  onDraft: (text: string) => void;
  /** The message that this one replies to. */
  replyTo: Answered | null;
  onNoReply: () => void;
  onReplyToNewest: () => void;
  suggestions: Suggestion[];
  placeholder?: string;
  /** Shown above the field. */
  hint?: ReactNode;
  sending: boolean;
  error: string | null;
  onSend: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const replyId = replyTo?.id;
  useEffect(() => {
    if (replyId !== undefined) field.current?.focus();
  }, [replyId]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onSend();
    }
    if (event.key === 'Escape') onNoReply();
    if (event.key === 'ArrowUp' && draft === '') onReplyToNewest();
  };
  return (
    <form
      className="flex flex-col gap-2 border-t border-line bg-surface px-2 py-2 sm:px-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <ul aria-label="Suggestions" className="flex gap-1.5 overflow-x-auto py-1 quiet-scroll lg:flex-wrap">
        {suggestions.map(({ text, asReply }) => (
          <li key={text} className="shrink-0">
            <button
              type="button"
              className="min-h-8 rounded-full border border-line px-2 text-sm whitespace-nowrap text-ink transition hover:border-accent hover:text-accent"
              onClick={() => {
                onDraft(text);
                if (asReply && !replyTo) onReplyToNewest();
                field.current?.focus();
              }}
            >
              {text}
              {asReply && <CornerUpLeft aria-label="as a reply" className="ml-1 inline size-4 text-muted" />}
            </button>
          </li>
        ))}
      </ul>
      {error && <ErrorNote retry={onSend}>{error} Your message is saved.</ErrorNote>}
      {replyTo && (
        <div className="flex items-center gap-2 border-l-2 border-accent pl-2 text-sm">
          <p className="min-w-0 grow truncate text-muted">
            Replying to <span className="font-medium text-accent">{replyTo.who}</span>: {replyTo.text}
          </p>
          <button
            type="button"
            aria-label="Cancel reply"
            className="inline-flex size-8 shrink-0 items-center justify-center rounded-full text-muted hover:bg-sunken hover:text-ink"
            onClick={() => onNoReply()}
          >
            <X aria-hidden="true" className="size-4" />
          </button>
        </div>
      )}
      {hint && <p className="px-2 text-sm text-muted">{hint}</p>}
      <div className="flex items-end gap-2">
        <label htmlFor="message" className="sr-only">
          Message to {place} as {capitalised(speaker.name)}
        </label>
        <textarea
          id="message"
          ref={field}
          rows={1}
          value={draft}
          maxLength={4096}
          placeholder={placeholder ?? `Message as ${capitalised(speaker.name)}`}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-32 min-h-10 min-w-0 grow resize-none rounded-2xl border border-edge bg-paper px-4 py-2 -outline-offset-1! placeholder:text-muted"
        />
        <button
          type="submit"
          aria-label="Send"
          disabled={sending || draft.trim() === ''}
          className="inline-flex size-10 shrink-0 items-center justify-center rounded-full bg-accent text-on-accent transition hover:opacity-90 disabled:cursor-not-allowed disabled:opacity-50"
        >
          <SendHorizontal aria-hidden="true" className="size-5" />
        </button>
      </div>
    </form>
  );
}
