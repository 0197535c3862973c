// A step's heading, which takes the focus when it comes up, so that it is read out.
import { type ReactNode, useEffect, useRef } from 'react';

export function Title({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold tracking-tight text-balance outline-none">
      {children}
    </h1>
  );
}
