// The language that the reader chose: it holds for all examples and is remembered by the browser.
import { useSyncExternalStore } from 'react';
import { LANGUAGES, type Language } from './languages.ts';

const KEY = 'docs-language';
const listeners = new Set<() => void>();
let chosen: Language = remembered();

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, () => chosen);
}

export function chooseLanguage(language: Language): void {
  chosen = language;
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // A browser that keeps nothing still shows the choice until it is closed.
  }
  for (const listener of listeners) listener();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

function remembered(): Language {
  try {
    const kept = localStorage.getItem(KEY) ?? '';
    return Object.hasOwn(LANGUAGES, kept) ? (kept as Language) : 'curl';
  } catch {
    return 'curl';
  }
}
