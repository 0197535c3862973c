// The messages of one channel, scrolled to the newest; screen readers announce new ones.
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { ErrorNote, Skeleton } from '../../../../web/src/ui/notices.tsx';
import type { MessageRef } from '../localApi.ts';
import type { Selected } from '../useTrace.ts';
import { DiscordMessageRow, type RowActions } from './DiscordMessageRow.tsx';
import type { DiscordMessage } from './discordApi.ts';

const NEAR_END_PX = 120;

export function DiscordMessages({
  messages,
  error,
  onRetry,
  place,
  empty,
  selected,
  typed,
  pressed,
  nameOf,
  actions,
}: {
  messages: DiscordMessage[] | undefined;
  error: Error | null;
  onRetry: () => void;
  /** Scrolls to the end when it changes. */
  place: string;
  empty: ReactNode;
  selected: MessageRef | null;
  typed: Record<string, Selected>;
  pressed: { messageId: string; customId: string } | null;
  nameOf: (id: string) => string;
  actions: RowActions;
}) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const newest = messages?.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another channel opens at its end
  useEffect(() => {
    atEnd.current = true;
  }, [place]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes the height of the list
  useLayoutEffect(() => {
    if (atEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [place, newest?.id, newest?.content, messages?.length]);
  return (
    <div
      ref={box}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
      className="flex min-h-0 grow flex-col overflow-y-auto overscroll-contain quiet-scroll"
    >
      {error && !messages && (
        <div className="p-4">
          <ErrorNote retry={onRetry}>{error.message}</ErrorNote>
        </div>
      )}
      {!error && !messages && (
        <output aria-label="Loading messages" className="mt-auto flex flex-col gap-3 p-4">
          <Skeleton className="h-10 w-3/5" />
          <Skeleton className="h-10 w-2/5" />
        </output>
      )}
      {messages?.length === 0 && <div className="my-auto">{empty}</div>}
      <ol role="log" aria-label="Messages" className="mt-auto pb-3">
        {messages?.map((message, index) => (
          <DiscordMessageRow
            key={message.id}
            message={message}
            command={typed[message.interaction_metadata?.id ?? '']?.text ?? null}
            follows={follows(messages[index - 1], message)}
            selected={isSelected(message, selected)}
            pressed={pressed?.messageId === message.id ? pressed.customId : null}
            nameOf={nameOf}
            actions={actions}
          />
        ))}
      </ol>
    </div>
  );
}

function isSelected({ id, interaction_metadata: used }: DiscordMessage, ref: MessageRef | null): boolean {
  if (ref?.platform !== 'discord') return false;
  return 'message_id' in ref ? ref.message_id === id : ref.interaction_id === used?.id;
}

function follows(above: DiscordMessage | undefined, message: DiscordMessage): boolean {
  return (
    above?.author.id === message.author.id &&
    above.visible_to === message.visible_to &&
    !message.referenced_message &&
    !message.interaction_metadata
  );
}
