// The frame of the account's pages: a side bar on wide screens, a bar at the bottom on phones, and what concerns the wallet on top.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, LogOut } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { SearchButton } from '../../merchant/search/SearchButton.tsx';
import { DisabledNotice } from '../../merchant/webhooks/DisabledNotice.tsx';
import { WaitingCount } from '../../person/waiting/WaitingCount.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { CONTENT_PROPS, SkipLink } from '../../ui/SkipLink.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';
import { Link, usePath } from '../router.tsx';
import type { OwnAccount } from '../session/RequireAccount.tsx';
import { RequireAccount } from '../session/RequireAccount.tsx';
import { signOut, useSession } from '../session/useSession.ts';
import { WorkspaceSwitch } from '../team/WorkspaceSwitch.tsx';
import { MoreButton } from './MoreButton.tsx';
import { BUSINESS_PLACES, isAt, PHONE_PLACES, type Place, TABS, WIDE_LAST, WIDE_PLACES } from './places.ts';
import { WalletNotice } from './WalletNotice.tsx';

/** A page of the account under a heading; `children` are shown to a signed-in user with a handle. */
export function Shell({
  title,
  aside,
  why,
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  /** What signing in is for here. */
  why?: string;
  children: (account: OwnAccount) => ReactNode;
}) {
  const { data, isPending } = useSession();
  const handle = data?.account?.handle ?? null;
  // Most visitors are signed in: their frame is rendered before the response, so that nothing jumps.
  const isFramed = isPending || handle !== null;
  return (
    <div className={isFramed ? 'min-[900px]:grid min-[900px]:grid-cols-[14rem_minmax(0,1fr)] print:block!' : ''}>
      <SkipLink />
      {isFramed && <SideBar handle={handle} />}
      <header
        className={`flex items-center justify-between gap-4 border-b border-line bg-surface px-4 py-2 print:hidden ${isFramed ? 'min-[900px]:hidden' : ''}`}
      >
        <span className="flex min-h-10 items-center">
          <Wordmark />
        </span>
        {handle && (
          <span className="flex min-w-0 items-center gap-2">
            <SearchButton />
            <WorkspaceSwitch handle={handle} />
          </span>
        )}
      </header>
      <main
        {...CONTENT_PROPS}
        className="mx-auto flex w-full max-w-224 flex-col gap-6 px-4 py-6 outline-none max-[900px]:pb-28 sm:px-8"
      >
        <RequireAccount {...(why && { why })}>
          {(account) => (
            <>
              <WayUp />
              <header className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <Heading>{title}</Heading>
                {aside}
              </header>
              <WalletNotice account={account} />
              <DisabledNotice />
              {children(account)}
            </>
          )}
        </RequireAccount>
      </main>
      {handle && <BottomBar />}
    </div>
  );
}

/** From one of a list's pages to the list. */
function WayUp() {
  const path = usePath();
  const place = [...WIDE_PLACES, ...BUSINESS_PLACES].find(({ href }) => path.startsWith(`${href}/`));
  if (!place) return null;
  return (
    <Link
      href={place.href}
      className="-mb-4 inline-flex min-h-8 items-center gap-1 self-start text-sm text-muted hover:text-accent print:hidden"
    >
      <ChevronLeft aria-hidden="true" className="size-4" />
      <span className="sr-only">Back to </span>
      {place.name}
    </Link>
  );
}

/** After a move from page to page the heading is read out. The first page of a visit leaves the focus where it is. */
function Heading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement?.matches('a:not([href^="#"])')) heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold tracking-tight outline-none">
      {children}
    </h1>
  );
}

const WIDE_LOOK =
  'flex min-h-9 shrink-0 items-center laptop:min-h-7 short:min-h-6 gap-3 rounded-lg px-3 hover:bg-sunken aria-[current]:bg-soft aria-[current]:font-semibold aria-[current]:text-accent';
const PHONE_LOOK =
  'relative flex min-h-14 flex-col items-center justify-center gap-0.5 text-sm text-muted -outline-offset-2! aria-[current]:font-semibold aria-[current]:text-accent';

/** Out of the account, and to the front page. */
function useLeave() {
  const client = useQueryClient();
  return useMutation({ mutationFn: () => signOut(client) });
}

function SideBar({ handle }: { handle: string | null }) {
  const leave = useLeave();
  return (
    <div className="sticky top-0 flex h-dvh flex-col border-r border-line bg-surface py-4 max-[900px]:hidden print:hidden">
      <div className="flex items-center justify-between gap-2 px-4 pb-4">
        <Wordmark />
        {handle && <SearchButton />}
      </div>
      {handle && (
        <>
          <nav
            aria-label="Pages"
            className="flex min-h-0 grow flex-col gap-0.5 laptop:gap-0 overflow-y-auto px-4 pb-2 quiet-scroll"
          >
            <Places places={WIDE_PLACES} look={WIDE_LOOK} />
            <p id="business-places" className="mt-2 px-3 text-sm text-muted">
              Business
            </p>
            <ul aria-labelledby="business-places" className="contents">
              {BUSINESS_PLACES.map((place) => (
                <li key={place.href} className="contents">
                  <Places places={[place]} look={WIDE_LOOK} />
                </li>
              ))}
            </ul>
          </nav>
          {/* Always in sight: only the pages above scroll. */}
          <div className="flex shrink-0 flex-col gap-0.5 border-t border-line px-4 pt-3">
            <span className="px-3 pb-1">
              <WorkspaceSwitch handle={handle} />
            </span>
            <Places places={WIDE_LAST} look={WIDE_LOOK} />
            <button
              type="button"
              disabled={leave.isPending}
              onClick={() => leave.mutate()}
              className={`${WIDE_LOOK} text-left`}
            >
              <LogOut aria-hidden="true" className="size-5" />
              Sign out
            </button>
            {leave.error && <ErrorNote>{leave.error.message}</ErrorNote>}
          </div>
        </>
      )}
    </div>
  );
}

function BottomBar() {
  const leave = useLeave();
  return (
    <nav
      aria-label="Pages"
      className="fixed inset-x-0 bottom-0 z-10 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] min-[900px]:hidden print:hidden"
    >
      <Places places={PHONE_PLACES} look={PHONE_LOOK} countLook="absolute top-1 left-1/2 ml-1 ring-2 ring-surface" />
      <MoreButton look={PHONE_LOOK} onLeave={() => leave.isPending || leave.mutate()} failed={leave.error} />
    </nav>
  );
}

/** What waits is counted at Tabs, and read out with it: “Tabs 2”. */
function Places({ places, look, countLook = 'ml-auto' }: { places: Place[]; look: string; countLook?: string }) {
  const path = usePath();
  return places.map((place) => (
    <Link key={place.name} href={place.href} aria-current={isAt(path, place) ? 'page' : undefined} className={look}>
      <place.icon aria-hidden="true" className="size-5" />
      {place.name}
      {place.href === TABS.href && <WaitingCount className={countLook} />}
    </Link>
  ));
}
