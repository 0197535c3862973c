// The frame of the account's pages: a side bar on wide screens, a bar at the bottom on phones, and what concerns the wallet on top.
import { useQueryClient } from '@tanstack/react-query';
import { Gauge, History, House, LogOut, Settings } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, navigate, usePath } from '../router.tsx';
import type { OwnAccount } from '../session/RequireAccount.tsx';
import { RequireAccount } from '../session/RequireAccount.tsx';
import { signOut, useSession } from '../session/useSession.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';
import { WalletNotice } from './WalletNotice.tsx';

const PLACES = [
  { href: '/account', name: 'Home', icon: House },
  { href: '/spending', name: 'Spending', icon: Gauge },
  { href: '/history', name: 'History', icon: History },
  { href: '/settings', name: 'Settings', icon: Settings },
];

/** A page of the account under a heading; `children` are shown to somebody who is signed in and has a handle. */
export function Shell({
  title,
  aside,
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  children: (account: OwnAccount) => ReactNode;
}) {
  const { data, isPending } = useSession();
  const handle = data?.account?.handle ?? null;
  // Most visits are of somebody who is signed in: their frame is there before the answer, so that nothing jumps.
  const isFramed = isPending || handle !== null;
  return (
    <div className={isFramed ? 'min-[900px]:grid min-[900px]:grid-cols-[14rem_minmax(0,1fr)]' : ''}>
      {isFramed && <SideBar handle={handle} />}
      <header
        className={`flex items-center justify-between gap-4 border-b border-line bg-surface px-4 py-2 print:hidden ${isFramed ? 'min-[900px]:hidden' : ''}`}
      >
        <Wordmark />
        {handle && <Handle handle={handle} />}
      </header>
      <main className="mx-auto flex w-full max-w-224 flex-col gap-6 px-4 py-6 max-[900px]:pb-28 sm:px-8">
        <RequireAccount>
          {(account) => (
            <>
              <header className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <Heading>{title}</Heading>
                {aside}
              </header>
              <WalletNotice account={account} />
              {children(account)}
            </>
          )}
        </RequireAccount>
      </main>
      {handle && <BottomBar />}
    </div>
  );
}

/** After a move from page to page the heading is read out. The first page of a visit leaves the focus where it is. */
function Heading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement?.tagName === 'A') heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold tracking-tight outline-none">
      {children}
    </h1>
  );
}

function SideBar({ handle }: { handle: string | null }) {
  const client = useQueryClient();
  const leave = async () => {
    await signOut(client);
    navigate('/');
  };
  return (
    <div className="sticky top-0 flex h-dvh flex-col gap-8 border-r border-line bg-surface p-4 max-[900px]:hidden print:hidden">
      <Wordmark />
      {handle && (
        <>
          <nav aria-label="Pages" className="flex flex-col gap-1">
            <Places look="flex min-h-10 items-center gap-3 rounded-lg px-3 hover:bg-sunken aria-[current]:bg-soft aria-[current]:font-semibold aria-[current]:text-accent" />
          </nav>
          <div className="mt-auto flex flex-col items-start gap-2 border-t border-line pt-4">
            <Handle handle={handle} />
            <Button kind="plain" onClick={() => void leave()}>
              <LogOut aria-hidden="true" className="size-4" />
              Sign out
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

function BottomBar() {
  return (
    <nav
      aria-label="Pages"
      className="fixed inset-x-0 bottom-0 z-10 grid grid-cols-4 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] min-[900px]:hidden print:hidden"
    >
      <Places look="flex min-h-14 flex-col items-center justify-center gap-0.5 text-sm text-muted -outline-offset-2! aria-[current]:font-semibold aria-[current]:text-accent" />
    </nav>
  );
}

function Places({ look }: { look: string }) {
  const path = usePath();
  return PLACES.map(({ href, name, icon: Icon }) => (
    <Link key={href} href={href} aria-current={path === href ? 'page' : undefined} className={look}>
      <Icon aria-hidden="true" className="size-5" />
      {name}
    </Link>
  ));
}

function Handle({ handle }: { handle: string }) {
  return (
    <span className="flex max-w-full min-w-0 items-center gap-2">
      <Avatar name={handle} />
      <span className="truncate font-semibold">@{handle}</span>
    </span>
  );
}
