// Descriptions of the document: paragraphs, with `code` and [links](…) in them.
import { Fragment } from 'react';

export function Words({ children, className = '' }: { children: string; className?: string }) {
  return (
    <div className={`flex max-w-160 flex-col gap-3 ${className}`}>
      {children.split(/\n{2,}/).map((paragraph) => (
        <p key={paragraph}>
          <Inline>{paragraph}</Inline>
        </p>
      ))}
    </div>
  );
}

export function Inline({ children }: { children: string }) {
  return children.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/).map((part, index) => {
    const link = /^\[([^\]]+)\]\((\/[^)]*)\)$/.exec(part);
    // The parts of a text never change their order.
    const key = `${index}${part}`;
    if (link)
      return (
        <a key={key} href={link[2]} className="text-accent underline underline-offset-2">
          {link[1]}
        </a>
      );
    if (part.startsWith('`'))
      return (
        <code key={key} className="rounded bg-sunken px-1 font-mono text-[0.9em] break-words">
          {part.slice(1, -1)}
        </code>
      );
    return <Fragment key={key}>{part}</Fragment>;
  });
}
