// The frame of a merchant's pages: the account's frame, on phones with the ways between them, and the choice of test or live where both exist.
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, usePath } from '../../app/router.tsx';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { BUSINESS_PLACES } from '../../app/shell/places.ts';
import { Shell } from '../../app/shell/Shell.tsx';
import { chooseMode, type Mode, useMode } from './workspaceApi.ts';

export function BusinessShell({
  title,
  aside,
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  children: (account: OwnAccount) => ReactNode;
}) {
  return (
    <Shell
      title={title}
      aside={aside}
      why="Sign in to accept payments. Your wallet is your account: no email, no password."
    >
      {(account) => (
        <>
          <Between />
          <ModeSwitch />
          {children(account)}
        </>
      )}
    </Shell>
  );
}

/** On wide screens these stand in the side bar. */
function Between() {
  const path = usePath();
  const bar = useRef<HTMLElement>(null);
  // The bar is wider than a phone: the place that one is at has to be seen.
  useEffect(() => {
    const here = path && bar.current?.querySelector('[aria-current]');
    if (here) here.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path]);
  return (
    <nav
      ref={bar}
      aria-label="Business"
      className="-mx-4 -mt-2 flex gap-1 overflow-x-auto px-4 quiet-scroll min-[900px]:hidden print:hidden"
    >
      {BUSINESS_PLACES.map(({ href, name }) => (
        <Link
          key={href}
          href={href}
          aria-current={path === href || path.startsWith(`${href}/`) ? 'page' : undefined}
          className="inline-flex min-h-10 items-center rounded-lg px-3 text-sm whitespace-nowrap text-muted aria-[current]:bg-soft aria-[current]:font-semibold aria-[current]:text-accent"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

const MODES: { mode: Mode; name: string }[] = [
  { mode: 'live', name: 'Live' },
  { mode: 'test', name: 'Test' },
];

export function ModeSwitch() {
  const chosen = useMode();
  if (chosen === null) return null;
  return (
    <fieldset className="flex items-center gap-1 self-start rounded-lg bg-sunken p-1 print:hidden">
      <legend className="sr-only">Which payments are shown</legend>
      {MODES.map(({ mode, name }) => (
        <label
          key={mode}
          className="relative inline-flex min-h-8 cursor-pointer items-center rounded-lg px-3 text-sm has-checked:bg-surface has-checked:font-semibold has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="mode"
            value={mode}
            checked={chosen === mode}
            onChange={() => chooseMode(mode)}
            className="absolute inset-0 opacity-0"
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
