// The messages of one chat, scrolled to the newest; screen readers announce new ones.
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { ErrorNote, Skeleton } from '../../../web/src/ui/notices.tsx';
import { type BubbleActions, MessageBubble } from './MessageBubble.tsx';
import type { ChatMessage } from './telegramApi.ts';
import { useMessages } from './useChats.ts';
import type { Pressed } from './useTyping.ts';

/** Within this distance of the end, the list follows new messages. */
const NEAR_END_PX = 120;

export function MessageList({
  url,
  chatId,
  speakerId,
  empty,
  selectedId,
  pressed,
  actions,
}: {
  url: string;
  chatId: number;
  speakerId: number;
  /** Shown in a chat without messages. */
  empty: ReactNode;
  selectedId: number | null;
  pressed: Pressed | null;
  actions: BubbleActions;
}) {
  const messages = useMessages(url, chatId);
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const shown = messages.data;
  const newest = shown?.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat opens at its end
  useEffect(() => {
    atEnd.current = true;
  }, [chatId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes the height of the list
  useLayoutEffect(() => {
    if (atEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [chatId, newest?.message_id, newest?.text, shown?.length]);

  return (
    <div
      ref={box}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
      className="flex min-h-0 grow flex-col overflow-y-auto overscroll-contain bg-sunken quiet-scroll"
    >
      {messages.isPending && <LoadingMessages />}
      {messages.isError && !shown && (
        <div className="p-4">
          <ErrorNote retry={() => void messages.refetch()}>{messages.error.message}</ErrorNote>
        </div>
      )}
      {shown?.length === 0 && <div className="my-auto">{empty}</div>}
      <ol role="log" aria-label="Messages" className="mt-auto pb-3">
        {shown?.map((message, index) => (
          <MessageBubble
            key={message.message_id}
            message={message}
            own={message.from?.id === speakerId}
            follows={sameAuthor(shown[index - 1], message)}
            selected={message.message_id === selectedId}
            pressed={pressed?.messageId === message.message_id ? pressed.data : null}
            actions={actions}
          />
        ))}
      </ol>
    </div>
  );
}

function sameAuthor(above: ChatMessage | undefined, message: ChatMessage): boolean {
  return above?.from?.id === message.from?.id && !message.reply_to_message;
}

function LoadingMessages() {
  return (
    <output aria-label="Loading messages" className="mt-auto flex flex-col gap-3 p-4">
      <Skeleton className="h-16 w-3/5 bg-surface!" />
      <Skeleton className="h-10 w-2/5 self-end bg-surface!" />
      <Skeleton className="h-20 w-3/5 bg-surface!" />
    </output>
  );
}
