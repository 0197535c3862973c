// A part of a page with its own heading.
import { type ReactNode, useEffect, useId, useRef } from 'react';

export function Card({
  title,
  aside,
  children,
  className = '',
  arrives = false,
}: {
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
  /** It appears on a user's action: its heading takes the focus, so that it is read out and the next Tab leads into it. */
  arrives?: boolean;
}) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (arrives) heading.current?.focus();
  }, [arrives]);
  return (
    <section
      aria-labelledby={id}
      className={`flex min-w-0 flex-col gap-4 rounded-2xl border border-line bg-surface p-4 sm:p-6 ${className}`}
    >
      <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2
          id={id}
          ref={heading}
          tabIndex={arrives ? -1 : undefined}
          className="min-w-0 text-base font-semibold outline-none"
        >
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
