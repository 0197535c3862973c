// The test key of the forms: in the memory of the page alone, for all of them, and gone with it. Live keys are refused: here nothing may cost money.
import { useSyncExternalStore } from 'react';

let key = '';
const listeners = new Set<() => void>();

export function useTestKey(): [key: string, setKey: (text: string) => void] {
  return [useSyncExternalStore(subscribe, () => key), setTestKey];
}

/** Why this is not sent; null for a test key, and while there is none. */
export function refusalOfKey(text: string): string | null {
  const typed = text.trim();
  if (typed === '' || /^sk_test_\w+$/.test(typed)) return null;
  if (typed.startsWith('sk_live_')) return 'This is a live key. Use a test key (sk_test_…) here.';
  return 'Enter a test key: sk_test_…';
}

function setTestKey(text: string): void {
  key = text;
  for (const listener of listeners) listener();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
