// Telegram's messages: fetched once, then kept current by the server's event stream.
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { type ChatMessage, fetchMessages } from './telegramApi.ts';

export function useMessages(url: string, chatId: number) {
  return useQuery({ queryKey: ['messages', chatId], queryFn: () => fetchMessages(url, chatId) });
}

/** A new or edited message, or the answer to a pressed button. */
type ChatEvent = { message?: ChatMessage; text?: string };

/**
 * Streams the events of all chats: `onMessage` gets new and edited messages, `onAnswer` the bot's answer to a pressed button.
 * @returns whether the stream is open. It reconnects automatically.
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
      // Events are lost while the stream is closed.
      void client.invalidateQueries({ queryKey: ['messages'] });
    };
    stream.onerror = () => setConnected(false);
    const listener = (event: MessageEvent<string>) => receive(event);
    for (const kind of ['message', 'edited_message', 'callback_answer']) stream.addEventListener(kind, listener);
    return () => stream.close();
  }, [url, client]);
  return connected;
}

/** Replaces the older version of a message, or appends it. A fetch under way may lack it, and would remove it: that one starts again. */
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
