// Pages that need an account: sign-in first, then a handle, then the page. When a session expires, the sign-in replaces the page, which stays
// mounted, so that what was typed is there again afterwards.
import { type ReactNode, useState } from 'react';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import type { Account } from '../api.ts';
import { ChooseHandle } from './ChooseHandle.tsx';
import { SignIn } from './SignIn.tsx';
import { useSession } from './useSession.ts';

export type OwnAccount = Account & { handle: string };

export function RequireAccount({
  why = 'Your wallet is your account: no email, no password.',
  children,
}: {
  why?: string;
  children: (account: OwnAccount) => ReactNode;
}) {
  const session = useSession();
  const [had, setHad] = useState<OwnAccount | null>(null);
  const account = session.data?.account;
  const own = account?.handle ? (account as OwnAccount) : null;
  if (own && own !== had) setHad(own);
  if (session.isPending) return <Loading />;
  if (session.isError && !session.data)
    return <ErrorNote retry={() => void session.refetch()}>{session.error.message}</ErrorNote>;
  const shown = own ?? (account ? null : had);
  return (
    <>
      {!account && (
        <Panel
          title={had ? 'Sign in again' : 'Sign in'}
          text={had ? 'Your session expired. Sign in to continue where you left off.' : why}
        >
          <SignIn />
        </Panel>
      )}
      {account && !account.handle && (
        <Panel title="Choose your handle" text="The name people use to pay you.">
          <ChooseHandle />
        </Panel>
      )}
      {shown && (
        <div key={shown.address} className={own ? 'contents' : 'hidden'}>
          {children(shown)}
        </div>
      )}
    </>
  );
}

function Panel({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="mx-auto flex w-full max-w-110 flex-col gap-4 py-4 sm:py-12">
      <header>
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        <p className="text-muted">{text}</p>
      </header>
      {children}
    </section>
  );
}

function Loading() {
  return (
    <output aria-label="Loading" className="flex flex-col gap-4">
      <Skeleton className="h-9 w-48" />
      <Skeleton className="h-40" />
      <Skeleton className="h-64" />
    </output>
  );
}
