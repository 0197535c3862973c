// The frame of the checkout's pages: one narrow column with the sign on top, and at the bottom what the buyer may rely on, and the language.
import { type ReactNode, useId } from 'react';
import type { Branding } from '../../../../src/domain/branding.ts';
import { LANGUAGES, type Language } from '../../../../src/domain/language.ts';
import { Pill } from '../../ui/Pill.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';
import { brandLook, SupportLink } from '../branding/Brand.tsx';
import { chooseLanguage, useLanguage } from './language.ts';

const NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', es: 'Español' };

export function CheckoutFrame({
  livemode = true,
  branding = null,
  children,
}: {
  livemode?: boolean;
  /** Of the shop whose page it is. The sign on top stays ours. */
  branding?: Branding | null;
  children: ReactNode;
}) {
  const { words } = useLanguage();
  const { className, ...look } = brandLook(branding);
  return (
    <div className="mx-auto flex min-h-dvh max-w-110 flex-col gap-6 px-4 py-6 short:gap-3 short:py-3">
      <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Wordmark />
        {!livemode && <Pill tone="busy">{words.testMode}</Pill>}
      </header>
      <main className={`flex flex-col gap-6 short:gap-3 ${className}`} {...look}>
        {children}
      </main>
      <footer className="mt-auto flex flex-col items-center gap-3 pt-4 text-center text-sm text-muted print:hidden">
        {branding?.support && (
          <p>
            {words.questions} <SupportLink support={branding.support} />
          </p>
        )}
        <p>{words.promise}</p>
        <LanguageChoice />
      </footer>
    </div>
  );
}

function LanguageChoice() {
  const { language, words } = useLanguage();
  const id = useId();
  return (
    <p className="flex items-center gap-2">
      <label htmlFor={id} className="sr-only">
        {words.language}
      </label>
      <select
        id={id}
        value={language}
        onChange={(event) => void chooseLanguage(event.target.value as Language)}
        className="min-h-8 rounded-lg border border-line bg-surface px-2 text-muted"
      >
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {NAMES[one]}
          </option>
        ))}
      </select>
    </p>
  );
}
