// Something to copy: a call or an answer, as it is typed or sent.
import { CopyButton } from '../ui/CopyField.tsx';

export function Example({ title, text }: { title: string; text: string }) {
  return (
    <figure className="flex min-w-0 flex-col overflow-hidden rounded-2xl border border-line bg-surface">
      <figcaption className="flex items-center justify-between gap-4 border-b border-line px-4 py-1 text-sm text-muted">
        {title}
        <CopyButton value={text} what={title} className="min-h-8! border-0! px-2!" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <pre tabIndex={0} className="overflow-x-auto p-4 font-mono text-sm quiet-scroll">
        {text}
      </pre>
    </figure>
  );
}
