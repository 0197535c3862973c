// The buttons of all pages: one filled kind for the next step, and quiet ones beside it.
import type { ButtonHTMLAttributes } from 'react';

const KINDS = {
  filled: 'bg-accent text-on-accent font-semibold hover:opacity-90',
  outlined: 'border border-edge text-ink hover:border-accent hover:text-accent',
  plain: 'text-accent hover:underline underline-offset-4',
};

export function Button({
  kind = 'outlined',
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: keyof typeof KINDS }) {
  return (
    <button
      type="button"
      className={`inline-flex min-h-10 items-center justify-center gap-2 rounded-lg px-4 text-sm transition disabled:cursor-not-allowed disabled:opacity-50 ${KINDS[kind]} ${className}`}
      {...rest}
    />
  );
}
