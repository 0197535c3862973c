// Something to copy: a call, an answer or a program, in the language that the reader chose where there are several.
import { CopyButton } from '../ui/CopyField.tsx';
import { chooseLanguage, useLanguage } from './chosenLanguage.ts';
import { LANGUAGES, type Language } from './languages.ts';

/** Guides are written for the local stack's usual address. */
const USUAL = 'http://127.0.0.1:8080';
const atThisAddress = (text: string) => text.replaceAll(USUAL, location.origin);

export function Code({ text: written, title }: { text: string; title: string }) {
  const text = atThisAddress(written);
  return (
    <figure className="flex min-w-0 max-w-full flex-col overflow-hidden rounded-2xl border border-line bg-surface">
      <figcaption className="flex items-center justify-between gap-4 border-b border-line py-1 pr-1 pl-4 text-sm text-muted">
        {title}
        <CopyButton value={text} what={title} className="min-h-8! border-0! px-2!" />
      </figcaption>
      <Text>{text}</Text>
    </figure>
  );
}

export function Examples({ examples }: { examples: { language: Language; text: string }[] }) {
  const chosen = useLanguage();
  const shown = examples.find(({ language }) => language === chosen) ?? examples[0];
  if (!shown) return null;
  const name = LANGUAGES[shown.language];
  const text = atThisAddress(shown.text);
  if (examples.length === 1)
    return (
      <Code text={shown.text} title={shown.language === 'curl' && !shown.text.startsWith('curl') ? 'Terminal' : name} />
    );
  return (
    <figure className="flex min-w-0 max-w-full flex-col overflow-hidden rounded-2xl border border-line bg-surface">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line py-1 pr-1 pl-2 text-sm">
        {/* biome-ignore lint/a11y/useSemanticElements: buttons that switch what is shown are no fields of a form */}
        <div role="group" aria-label="Language" className="flex">
          {examples.map(({ language }) => (
            <button
              key={language}
              type="button"
              aria-pressed={language === shown.language}
              onClick={() => chooseLanguage(language)}
              className="min-h-8 rounded-lg px-2 text-muted hover:text-accent aria-pressed:bg-soft aria-pressed:font-medium aria-pressed:text-accent"
            >
              {LANGUAGES[language]}
            </button>
          ))}
        </div>
        <CopyButton value={text} what={`${name} example`} className="min-h-8! border-0! px-2!" />
      </figcaption>
      <Text>{text}</Text>
    </figure>
  );
}

function Text({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <pre tabIndex={0} className="overflow-x-auto p-4 font-mono text-sm quiet-scroll">
      {children}
    </pre>
  );
}
