// The frame of a merchant's pages: the account's frame, on phones with the ways between them, and the choice of test or live where both exist.

import { type ReactNode, useEffect, useRef } from 'react';
import type { Door } from '../../../../src/domain/team.ts';
import { useActing } from '../../app/acting.ts';
import { Link, navigate, usePath } from '../../app/router.tsx';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { BUSINESS_PLACES } from '../../app/shell/places.ts';
import { Shell } from '../../app/shell/Shell.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { ROLE_WORDS } from '../../app/team/roleWords.ts';
import { useRole } from '../../app/team/teamsApi.ts';
import { ErrorNote } from '../../ui/notices.tsx';
import { chooseMode, type Mode, useMode, useWorkspace } from './workspaceApi.ts';

export function BusinessShell({
  title,
  aside,
  door,
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  /** What the page is for: a member who may not reads that instead. */
  door?: Door;
  children: (account: BusinessAccount) => ReactNode;
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
          <InMode>
            {() => {
              const content = <AsWorkspace account={account}>{children}</AsWorkspace>;
              return door ? <Allowed door={door}>{content}</Allowed> : content;
            }}
          </InMode>
        </>
      )}
    </Shell>
  );
}

/** The account as the workspace’s pages see it: its handle and wallets are the workspace’s. `own` is the handle that is signed in. */
export type BusinessAccount = OwnAccount & { own: string };

function AsWorkspace({
  account,
  children,
}: {
  account: OwnAccount;
  children: (account: BusinessAccount) => ReactNode;
}) {
  const acting = useActing();
  const { data } = useWorkspace();
  if (acting === null) return children({ ...account, own: account.handle });
  const solana = data?.chains.find(({ family }) => family === 'solana')?.payout ?? null;
  return children({
    ...account,
    ...{ own: account.handle, handle: acting, handle_kind: data?.kind ?? null, preferred_chain: null },
    wallets: { evm: data?.wallet ?? null, solana },
  });
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

/** What belongs to the mode, below its mark; an error where it cannot be known. */
function InMode({ children }: { children: () => ReactNode }) {
  const mode = useMode();
  const { error, refetch } = useWorkspace();
  return (
    <>
      <ModeBar />
      {error && mode === null ? <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote> : children()}
    </>
  );
}

/** The mark of the mode, in a row that is always there, and the switch where there are two. */
export function ModeBar() {
  const mode = useMode();
  const isTest = mode === 'test';
  const acting = useActing();
  const role = useRole();
  return (
    <div
      className={`flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-lg px-3 py-1 text-sm print:hidden ${isTest ? 'bg-amber-soft text-amber' : 'bg-sunken text-muted'}`}
    >
      <p role="status" className="min-w-0">
        {mode && (
          <>
            <b className="font-semibold">{isTest ? 'Test mode' : 'Live mode'}</b>
            <span className={isTest ? '' : 'max-sm:hidden'}>{isTest ? ': play money' : ': real money'}</span>
            {acting && (
              <span>
                {' '}
                · for <b className="font-semibold">@{acting}</b>
                {role && ` as ${ROLE_WORDS[role].name.toLowerCase()}`}
              </span>
            )}
          </>
        )}
      </p>
      <ModeSwitch />
    </div>
  );
}

const MODES: { mode: Mode; name: string }[] = [
  { mode: 'live', name: 'Live' },
  { mode: 'test', name: 'Test' },
];

/** Where the service has both. A page of one thing gives way to the list of its kind: the thing has one mode. */
function ModeSwitch() {
  const chosen = useMode();
  const path = usePath();
  const { data } = useWorkspace();
  if (!data || data.modes.length < 2) return null;
  const choose = (mode: Mode) => {
    chooseMode(data.handle, mode);
    const place = BUSINESS_PLACES.find(({ href }) => path.startsWith(`${href}/`));
    if (place && !STAYS.test(path)) navigate(place.href);
  };
  return (
    <fieldset className="flex items-center gap-1 self-start rounded-lg bg-line p-1 print:hidden">
      <legend className="sr-only">Which payments are shown</legend>
      {MODES.map(({ mode, name }) => (
        <label
          key={mode}
          className="relative inline-flex min-h-8 cursor-pointer items-center rounded-lg px-3 text-sm text-ink has-checked:bg-surface has-checked:font-semibold has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="mode"
            value={mode}
            checked={chosen === mode}
            onChange={() => choose(mode)}
            className="absolute inset-0 opacity-0"
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

/** Forms, and what is a list itself. */
const STAYS = /\/(new|failed)$/;
