// Sending a message and pressing a button.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { helloOf } from './hello.ts';
import type { Person } from './localApi.ts';
import { type ChatMessage, pressButton, typeMessage } from './telegramApi.ts';

/** @param onSent called when the server has stored the message: the draft is kept until then */
export function useTyping(url: string, onSent: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (typed: { chatId: number; person: Person; text: string; replyTo: number | null }) =>
      typeMessage(url, typed),
    onSuccess: async (_messageId, { chatId }) => {
      onSent();
      await client.invalidateQueries({ queryKey: ['messages', chatId] });
    },
  });
}

export type Pressed = { messageId: number; data: string };

/** The timeout of a pressed button. */
const ANSWER_WITHIN_MS = 10_000;

/** Presses buttons as a person; `pressed` awaits its answer until `release` or the timeout. */
export function usePress(url: string, person: Person) {
  const [pressed, setPressed] = useState<Pressed | null>(null);
  useEffect(() => {
    if (!pressed) return;
    const timer = setTimeout(() => setPressed(null), ANSWER_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [pressed]);
  const { mutate, variables, error } = useMutation({
    mutationFn: ({ message, data }: { message: ChatMessage; data: string }) =>
      pressButton(url, { message, person, data }),
    onMutate: ({ message, data }) => setPressed({ messageId: message.message_id, data }),
    onError: () => setPressed(null),
  });
  return {
    pressed,
    error,
    press: (message: ChatMessage, data: string) => mutate({ message, data }),
    again: () => variables && mutate(variables),
    release: () => setPressed(null),
  };
}

/** Sends one greeting per person to the group. */
export function useGreeting(url: string, groupId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (people: Person[]) => {
      for (const { person, text } of helloOf(people))
        await typeMessage(url, { chatId: groupId, person, text, replyTo: null });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['messages', groupId] }),
  });
}
