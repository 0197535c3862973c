// The buttons of all pages: one filled kind for the next step, and quiet ones beside it.
import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react';
import { Link } from '../app/router.tsx';

const KINDS = {
  filled: 'bg-accent text-on-accent font-semibold hover:opacity-90',
  outlined: 'border border-edge text-ink hover:border-accent hover:text-accent',
  danger: 'border border-brick text-brick hover:bg-brick-soft',
  plain: 'text-accent hover:underline underline-offset-4 px-0!',
};

const LOOK =
  'inline-flex min-h-10 items-center justify-center gap-2 rounded-lg px-4 text-sm transition disabled:cursor-not-allowed disabled:opacity-50 print:hidden';

type Kind = { kind?: keyof typeof KINDS };

export function Button({ kind = 'outlined', className = '', ...rest }: ButtonHTMLAttributes<HTMLButtonElement> & Kind) {
  return <button type="button" className={`${LOOK} ${KINDS[kind]} ${className}`} {...rest} />;
}

/** A link that looks like a button; within the pages unless `href` leaves them. */
export function ButtonLink({
  kind = 'outlined',
  className = '',
  href,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & Kind & { href: string }) {
  const look = `${LOOK} ${KINDS[kind]} ${className}`;
  if (href.startsWith('/') && !rest.download && !rest.target) return <Link href={href} className={look} {...rest} />;
  return <a href={href} className={look} {...rest} />;
}
