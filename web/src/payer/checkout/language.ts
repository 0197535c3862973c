// The language of the checkout: the reader's choice, else the first of the browser's that we speak. Only that one is loaded.
import { useSyncExternalStore } from 'react';
import { isLanguage, type Language } from '../../../../src/domain/language.ts';
import { setLocale } from '../../app/format.ts';
import { words as english, type Words } from './words/en.ts';

const KEY = 'language';
const LOADERS: Record<Language, () => Promise<Words>> = {
  en: async () => english,
  de: async () => (await import('./words/de.ts')).words,
  es: async () => (await import('./words/es.ts')).words,
};

type Spoken = { language: Language; words: Words };
let spoken: Spoken = { language: 'en', words: english };
const listeners = new Set<() => void>();

function preferred(): Language {
  const primary = [localStorage.getItem(KEY) ?? '', ...navigator.languages].map((tag) =>
    tag.split('-')[0]?.toLowerCase(),
  );
  return primary.find(isLanguage) ?? 'en';
}

async function speak(language: Language): Promise<void> {
  const words = await LOADERS[language]();
  spoken = { language, words };
  document.documentElement.lang = language;
  // A browser set to de-AT reads German with Austrian number formats.
  setLocale(navigator.languages.find((tag) => tag.split('-')[0]?.toLowerCase() === language) ?? language);
  for (const listener of listeners) listener();
}

/** From now on, and at the next visit. */
export function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEY, language);
  return speak(language);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLanguage(): Spoken {
  return useSyncExternalStore(subscribe, () => spoken);
}

export const useWords = (): Words => useLanguage().words;

/** The words of this moment, for what is no component. */
export const wordsNow = (): Words => spoken.words;

// Nothing is drawn in a language that is not there yet; without it, English is better than nothing.
await speak(preferred()).catch(() => {});
