// A hash or an address, shortened, with a button that copies the whole and a way to where it is explained.
import { Check, Copy, ExternalLink } from 'lucide-react';
import { useEffect, useState } from 'react';
import { shortHex, shortId } from '../app/format.ts';

const SHOW_COPIED_MS = 1_500;

export type HexWords = Record<'copyWhat' | 'copiedWhat' | 'inExplorer', (what: string) => string>;

const ENGLISH: HexWords = {
  copyWhat: (what) => `Copy ${what}`,
  copiedWhat: (what) => `Copied ${what}`,
  inExplorer: (what) => `View ${what} in a block explorer`,
};

/** @param href of a block explorer's page about it */
export function Hex({
  value,
  what,
  href,
  words = ENGLISH,
}: {
  value: string;
  what: string;
  href?: string | null;
  words?: HexWords;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOW_COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  return (
    <span className="inline-flex items-center gap-1">
      <code title={value} className="font-mono text-sm">
        {/^[a-z]+_/.test(value) ? shortId(value) : shortHex(value)}
      </code>
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={copied ? words.copiedWhat(what) : words.copyWhat(what)}
        className="inline-flex size-8 items-center justify-center rounded-lg text-muted hover:text-accent print:hidden"
      >
        {copied ? (
          <Check aria-hidden="true" className="size-4 text-accent" />
        ) : (
          <Copy aria-hidden="true" className="size-4" />
        )}
      </button>
      {href && (
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={words.inExplorer(what)}
          className="inline-flex size-8 items-center justify-center rounded-lg text-muted hover:text-accent print:hidden"
        >
          <ExternalLink aria-hidden="true" className="size-4" />
        </a>
      )}
    </span>
  );
}
