// Connecting a chat account to a handle: whose account it is, who signs in, and then the press in the chat that makes it true.
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../../app/apiError.ts';
import { ChooseHandle } from '../../app/session/ChooseHandle.tsx';
import { SignIn } from '../../app/session/SignIn.tsx';
import { useSession } from '../../app/session/useSession.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { Title } from '../../ui/Title.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';
import { AccountToConnect } from './AccountToConnect.tsx';
import {
  type ConnectLink,
  fetchLink,
  forgetSecret,
  type Opened,
  previewLink,
  redeemLink,
  takeOpened,
} from './linkApi.ts';
import { LinkOver, NoLink } from './NoLink.tsx';
import { Confirmed, WaitingForPress } from './Redeemed.tsx';

const POLL_MS = 2_000;

export function ConnectPage() {
  const [opened, setOpened] = useState<Opened>(takeOpened);
  // Another link may be opened in the same tab: the browser then only changes the fragment.
  useEffect(() => {
    const take = () => setOpened(takeOpened());
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return (
    <div className="mx-auto flex min-h-dvh max-w-110 flex-col gap-8 px-4 py-6">
      <header>
        <Wordmark />
      </header>
      <main className="flex flex-col gap-6">
        {opened === null && <NoLink />}
        {opened && 'secret' in opened && (
          <BeforeRedeeming
            key={opened.secret}
            secret={opened.secret}
            onRedeemed={(link) => setOpened({ linkId: link.id })}
          />
        )}
        {opened && 'linkId' in opened && <AfterRedeeming key={opened.linkId} id={opened.linkId} />}
      </main>
    </div>
  );
}

function BeforeRedeeming({ secret, onRedeemed }: { secret: string; onRedeemed: (link: ConnectLink) => void }) {
  const session = useSession();
  const preview = useQuery({
    queryKey: ['link-preview', secret],
    queryFn: () => previewLink(secret),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const redeem = useMutation({ mutationFn: () => redeemLink(secret), onSuccess: onRedeemed });
  const failed = [preview.error, redeem.error].some((error) => error instanceof ApiError && isOver(error));
  const over = failed || (preview.data !== undefined && preview.data.status !== 'open');
  useEffect(() => {
    if (over) forgetSecret();
  }, [over]);

  if (over) return <LinkOver />;
  if (preview.isError) return <ErrorNote retry={() => void preview.refetch()}>{preview.error.message}</ErrorNote>;
  if (!preview.data || session.isPending) return <Loading />;
  const account = session.data?.account ?? null;
  const link = preview.data;
  return (
    <>
      <Progress step={account?.handle ? 2 : 1} />
      <Title>Connect this account?</Title>
      <AccountToConnect link={link} handle={account?.handle ?? null} />
      {session.isError && !session.data && (
        <ErrorNote retry={() => void session.refetch()}>{session.error.message}</ErrorNote>
      )}
      {!account && (
        <Part title="Sign in first" text="With the wallet that receives your money.">
          <SignIn />
        </Part>
      )}
      {account && !account.handle && (
        <Part title="Then choose your handle" text="One handle works for all of your chats.">
          <ChooseHandle />
        </Part>
      )}
      {account?.handle && (
        <div className="flex flex-col gap-3">
          <Button
            kind="filled"
            className="min-h-12! text-base!"
            disabled={redeem.isPending}
            onClick={() => redeem.mutate()}
          >
            {redeem.isPending ? 'One moment…' : `Connect to @${account.handle}`}
          </Button>
          <p className="text-sm text-muted">
            Continue only if this is your account: tips to it will go to @{account.handle}. The bot then asks once more
            in the chat.
          </p>
          {redeem.isError && <ErrorNote retry={() => redeem.mutate()}>{redeem.error.message}</ErrorNote>}
        </div>
      )}
    </>
  );
}

function AfterRedeeming({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['link', id],
    queryFn: () => fetchLink(id),
    refetchInterval: ({ state }) => (!state.data || state.data.status === 'redeemed' ? POLL_MS : false),
  });
  const session = useSession();
  if (session.data?.account === null)
    return (
      <>
        <Title>Sign in to continue</Title>
        <SignIn />
      </>
    );
  if (query.isError && !query.data)
    return query.error instanceof ApiError && isOver(query.error) ? (
      <LinkOver />
    ) : (
      <ErrorNote retry={() => void query.refetch()}>{query.error.message}</ErrorNote>
    );
  if (!query.data) return <Loading />;
  const link = query.data;
  if (link.status === 'declined' || link.status === 'expired') return <LinkOver status={link.status} />;
  return (
    <>
      <Progress step={link.status === 'confirmed' ? 4 : 3} />
      {link.status === 'confirmed' ? <Confirmed link={link} /> : <WaitingForPress link={link} lost={query.isError} />}
    </>
  );
}

/** The link is over in the service's words; anything else may pass. */
function isOver(error: ApiError): boolean {
  return error.code === 'link_inactive' || error.code === 'resource_missing' || error.code.startsWith('parameter_');
}

const STEPS = ['Sign in', 'Check', 'In the chat'];

/** @param step counted from 1; above the last one all are done */
function Progress({ step }: { step: number }) {
  return (
    <ol aria-label="Steps" className="grid grid-cols-3 gap-2 text-sm">
      {STEPS.map((name, index) => (
        <li
          key={name}
          aria-current={index + 1 === step ? 'step' : undefined}
          className={`border-t-4 pt-1 ${index + 1 <= step ? 'border-accent text-ink' : 'border-line text-muted'}`}
        >
          {name}
          {index + 1 < step && <span className="sr-only">, done</span>}
        </li>
      ))}
    </ol>
  );
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4 border-t border-line pt-6">
      <header>
        <h2 className="text-lg font-semibold">{title}</h2>
        <p className="text-muted">{text}</p>
      </header>
      {children}
    </section>
  );
}

function Loading() {
  return (
    <output aria-label="Reading the link" className="flex flex-col gap-4">
      <Skeleton className="h-6" />
      <Skeleton className="h-9 w-64" />
      <Skeleton className="h-40" />
      <Skeleton className="h-12" />
    </output>
  );
}
