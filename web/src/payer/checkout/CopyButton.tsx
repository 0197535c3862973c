// Copies a text, and says so.
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { useWords } from './language.ts';

const SHOW_MS = 2_000;

export function CopyButton({ value, what }: { value: string; what: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  const words = useWords();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), SHOW_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );
  return (
    <Button className="shrink-0" aria-label={words.copyWhat(what)} onClick={() => void copy()}>
      {outcome === 'copied' ? (
        <Check aria-hidden="true" className="size-4 text-accent" />
      ) : (
        <Copy aria-hidden="true" className="size-4" />
      )}
      <span aria-live="polite">
        {outcome === 'copied' ? words.copied : outcome === 'failed' ? words.selectIt : words.copy}
      </span>
    </Button>
  );
}
