// Sending a message and pressing a button.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Person } from './localApi.ts';
import { type ChatMessage, pressButton, typeMessage } from './telegramApi.ts';

/** @param onTaken called when the chat has taken the message; until then nothing typed may be lost */
export function useTyping(url: string, onTaken: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (typed: { chatId: number; person: Person; text: string; replyTo: number | null }) =>
      typeMessage(url, typed),
    onSuccess: async (_messageId, { chatId }) => {
      onTaken();
      await client.invalidateQueries({ queryKey: ['messages', chatId] });
    },
  });
}

export function usePress(url: string, person: Person, onPressed: () => void) {
  return useMutation({
    mutationFn: ({ message, data }: { message: ChatMessage; data: string }) =>
      pressButton(url, { message, person, data }),
    onSuccess: onPressed,
  });
}
