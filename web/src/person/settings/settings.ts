// What a person chose for their handle, and how it changes.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Language } from '../../../../src/domain/language.ts';
import { callApi } from '../../app/api.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';

export type Settings = { language: Language | null; notices: boolean; charges: boolean };

const KEY = ['settings'];

export function useSettings() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi<Settings>('GET', '/settings', undefined, signal),
  });
}

export function useChangeSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Partial<Settings>) => callApi<Settings>('PATCH', '/settings', change),
    onSuccess: (settings) => takeAnswer(client, KEY, settings),
  });
}
