// What a page has just heard stands, whatever was asked before it and is answered after it.
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { takeAnswer } from './takeAnswer.ts';

const KEY = ['order', 'one'];

/** A question that is under way, and what answers it. */
function ask(client: QueryClient, queryKey: string[]) {
  let arrive: (answer: string) => void = () => {};
  const asked = client.fetchQuery({
    queryKey,
    retry: false,
    queryFn: () =>
      new Promise<string>((resolve) => {
        arrive = resolve;
      }),
  });
  return {
    arrive: async (answer: string) => {
      arrive(answer);
      await asked.catch(() => {});
    },
  };
}

test.each([
  ['known before', 'awaiting payment'],
  ['not known before', undefined],
])('a late answer does not take it back, where something was %s', async (_, known) => {
  const client = new QueryClient();
  if (known !== undefined) client.setQueryData(KEY, known);
  const earlier = ask(client, KEY);
  takeAnswer(client, KEY, 'paid');
  expect(client.getQueryData(KEY)).toBe('paid');
  await earlier.arrive('awaiting payment');
  expect(client.getQueryData(KEY)).toBe('paid');
  client.clear();
});

test('what is asked after it counts, and other questions go on', async () => {
  const client = new QueryClient();
  const other = ask(client, ['order', 'two']);
  takeAnswer(client, KEY, 'paid');
  const later = ask(client, KEY);
  await later.arrive('refunded');
  await other.arrive('expired');
  expect(client.getQueryData(KEY)).toBe('refunded');
  expect(client.getQueryData(['order', 'two'])).toBe('expired');
  client.clear();
});
