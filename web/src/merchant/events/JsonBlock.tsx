// A value as JSON, to be read and copied.
import { useId } from 'react';
import { CopyButton } from '../../ui/CopyField.tsx';

export function JsonBlock({ title, value }: { title: string; value: unknown }) {
  const id = useId();
  const text = JSON.stringify(value, null, 2);
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <header className="flex items-center justify-between gap-4">
        <h3 id={id} className="text-sm font-medium">
          {title}
        </h3>
        <CopyButton value={text} what={title} className="min-h-8! px-3!" />
      </header>
      <Json text={text} className="max-h-96" />
    </section>
  );
}

export function Json({ text, className = '' }: { text: string; className?: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it is scrolled with the arrow keys
      tabIndex={0}
      className={`overflow-auto rounded-lg bg-sunken p-4 font-mono text-sm quiet-scroll ${className}`}
    >
      <code>{text}</code>
    </pre>
  );
}
