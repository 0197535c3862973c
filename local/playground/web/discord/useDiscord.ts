// Discord's messages and commands: fetched once, then kept current by the server's event stream.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { type DiscordForm, type DiscordMessage, fetchCommands, fetchMessages } from './discordApi.ts';

const COMMANDS_EACH_MS = 10_000;

const keyOf = (channelId: string, userId: string) => ['discord', channelId, channelId === '@me' ? userId : ''];

export function useDiscordMessages(url: string, channelId: string, userId: string) {
  return useQuery({
    queryKey: keyOf(channelId, userId),
    queryFn: () => fetchMessages(url, channelId, userId),
  });
}

export function useCommands(url: string) {
  return useQuery({
    queryKey: ['discord', 'commands'],
    queryFn: () => fetchCommands(url),
    refetchInterval: COMMANDS_EACH_MS,
  });
}

type Event = {
  type: string;
  message?: DiscordMessage;
  id?: string;
  answer?: string;
  modal?: DiscordForm;
};

/** @returns whether the stream is open. It reconnects automatically. */
export function useDiscordStream(
  url: string,
  on: {
    message: (message: DiscordMessage) => void;
    answer: (id: string, answer: string, form: DiscordForm | null) => void;
  },
): boolean {
  const client = useQueryClient();
  const [connected, setConnected] = useState(true);
  const receive = useEffectEvent(({ data }: MessageEvent<string>) => {
    const event = JSON.parse(data) as Event;
    if (event.type === 'interaction') on.answer(event.id ?? '', event.answer ?? '', event.modal ?? null);
    else {
      void client.invalidateQueries({ queryKey: ['discord'], predicate: ({ queryKey }) => queryKey[1] !== 'commands' });
      if (event.message) on.message(event.message);
    }
  });
  useEffect(() => {
    const stream = new EventSource(`${url}/_user/events`);
    stream.onopen = () => {
      setConnected(true);
      void client.invalidateQueries({ queryKey: ['discord'] });
    };
    stream.onerror = () => setConnected(false);
    const listener = (event: MessageEvent<string>) => receive(event);
    for (const kind of ['message', 'edited_message', 'deleted_message', 'interaction'])
      stream.addEventListener(kind, listener);
    return () => stream.close();
  }, [url, client]);
  return connected;
}
