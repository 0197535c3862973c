// An address or a secret that is there to be copied: shown whole as far as there is room, with its button beside it.
import { Check, Copy } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Button } from './Button.tsx';

const SHOW_COPIED_MS = 2_000;

export function CopyField({
  label,
  value,
  kind = 'outlined',
}: {
  label: string;
  value: string;
  kind?: 'filled' | 'outlined';
}) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
          className="min-h-12 min-w-0 grow basis-56 rounded-lg border border-edge bg-sunken px-3 font-mono text-sm text-ellipsis"
        />
        <CopyButton value={value} what={label} kind={kind} className="min-h-12! max-sm:grow" />
      </div>
    </div>
  );
}

export function CopyButton({
  value,
  what,
  kind = 'outlined',
  children = 'Copy',
  className = '',
}: {
  value: string;
  /** What is copied, for those who hear the button without what stands around it. */
  what: string;
  kind?: 'filled' | 'outlined';
  children?: string;
  className?: string;
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
    <Button
      kind={kind}
      className={className}
      aria-label={copied ? `Copied: ${what}` : `${children}: ${what}`}
      onClick={() => void copy()}
    >
      {copied ? <Check aria-hidden="true" className="size-4" /> : <Copy aria-hidden="true" className="size-4" />}
      {copied ? 'Copied' : children}
    </Button>
  );
}
