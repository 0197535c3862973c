// The chats as they are now: read once, then kept current by the server's stream of new and edited messages.
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { type ChatMessage, fetchMessages } from './telegramApi.ts';

export function useMessages(url: string, chatId: number) {
  return useQuery({ queryKey: ['messages', chatId], queryFn: () => fetchMessages(url, chatId) });
}

/** What the server tells: a message that is new or changed, or the short answer to a pressed button. */
type ChatEvent = { message?: ChatMessage; text?: string };

/**
 * Listens to every chat: `onMessage` hears each message that is new or changed, `onAnswer` the bot's word to a pressed button.
 * @returns whether the stream is open; it reconnects by itself
 */
export function useChatStream(
  url: string,
  { onMessage, onAnswer }: { onMessage: (message: ChatMessage) => void; onAnswer: (text: string) => void },
): boolean {
  const client = useQueryClient();
  const [connected, setConnected] = useState(true);
  const receive = useEffectEvent(({ data }: MessageEvent<string>) => {
    const { message, text } = JSON.parse(data) as ChatEvent;
    if (message) {
      placeMessage(client, message);
      onMessage(message);
    } else onAnswer(text ?? '');
  });
  useEffect(() => {
    const stream = new EventSource(`${url}/_user/events`);
    stream.onopen = () => {
      setConnected(true);
      // Something may have been said while nobody listened.
      void client.invalidateQueries({ queryKey: ['messages'] });
    };
    stream.onerror = () => setConnected(false);
    const listener = (event: MessageEvent<string>) => receive(event);
    for (const kind of ['message', 'edited_message', 'callback_answer']) stream.addEventListener(kind, listener);
    return () => stream.close();
  }, [url, client]);
  return connected;
}

/**
 * Puts a message where it belongs: in the place of its older version, or at the end. What was asked before it was said may be answered without
 * it, and would take it away again: it is asked anew.
 */
function placeMessage(client: QueryClient, message: ChatMessage): void {
  const queryKey = ['messages', message.chat.id];
  const isAsking = client.isFetching({ queryKey }) > 0;
  if (isAsking) void client.cancelQueries({ queryKey });
  client.setQueryData<ChatMessage[]>(queryKey, (known) => {
    if (!known) return known;
    const others = known.filter((one) => one.message_id !== message.message_id);
    return [...others, message].sort((a, b) => a.message_id - b.message_id);
  });
  if (isAsking) void client.invalidateQueries({ queryKey });
}
