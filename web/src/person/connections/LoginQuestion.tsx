// The question at the end of a login: exactly which account would be connected to which handle, and the press that does it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { DEFAULT_RETURN_PATH, isReturnPath, PLATFORM_NAMES } from '../../../../src/domain/login.ts';
import { ApiError } from '../../app/apiError.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { AccountToConnect } from '../connect/AccountToConnect.tsx';
import { SPENDING_KEY } from '../spending/spendingApi.ts';
import { STOPPED } from './arrival.ts';
import { bringTelegramAnswer, CONNECTIONS_KEY, confirmLogin, fetchLogin, type Login } from './connectionsApi.ts';

/** Brings Telegram's answer to the service, once however often the page is drawn. */
export function TelegramAnswer({
  state,
  result,
  onLogin,
  onClose,
}: {
  state: string;
  result: string;
  onLogin: (login: Login) => void;
  onClose: () => void;
}) {
  const { data, error } = useQuery({
    queryKey: ['telegram-answer', state],
    queryFn: () => bringTelegramAnswer(state, result),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  useEffect(() => {
    if (data) onLogin(data);
  }, [data, onLogin]);
  if (!error) return <Loading />;
  return (
    <LoginOver isCalm={error instanceof ApiError && error.code === STOPPED} onClose={onClose}>
      {error.message}
    </LoginOver>
  );
}

export function LoginQuestion({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient();
  const key = ['login', id];
  const { data: login, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => fetchLogin(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const confirm = useMutation({
    mutationFn: confirmLogin,
    onSuccess: async (done) => {
      takeAnswer(client, key, done);
      await client.invalidateQueries({ queryKey: CONNECTIONS_KEY });
      await client.invalidateQueries({ queryKey: SPENDING_KEY });
    },
  });
  if (error && !login)
    return (
      <LoginOver isCalm={false} onClose={onClose}>
        {error.message}
      </LoginOver>
    );
  if (!login) return <Loading />;
  if (login.status === 'connected') return <Connected login={login} onClose={onClose} />;
  return (
    <Panel title="Connect this account?">
      <AccountToConnect link={login} handle={login.handle} what="This question can be answered once and" />
      {confirm.isError && <ErrorNote>{confirm.error.message}</ErrorNote>}
      <div className="flex flex-wrap gap-3">
        <Button
          kind="filled"
          className="min-h-12! text-base!"
          disabled={confirm.isPending}
          onClick={() => confirm.mutate(login)}
        >
          {confirm.isPending ? 'One moment…' : `Connect to @${login.handle}`}
        </Button>
        <Button className="min-h-12!" disabled={confirm.isPending} onClick={onClose}>
          Cancel
        </Button>
      </div>
      <p className="text-sm text-muted">
        Continue only if this is your account: tips to it will go to @{login.handle}.
      </p>
    </Panel>
  );
}

function Connected({ login, onClose }: { login: Login; onClose: () => void }) {
  const { username, platform, handle, return_to } = login;
  const leadsBack = return_to !== DEFAULT_RETURN_PATH && isReturnPath(return_to);
  return (
    <Panel title="Connected">
      <ul className="flex flex-col gap-3">
        <Fact>
          Tips to {username ? `@${username}` : 'you'} on {PLATFORM_NAMES[platform]} now go to <b>@{handle}</b>.
        </Fact>
        <Fact>You can’t spend from there until your wallet allows it.</Fact>
      </ul>
      <div className="flex flex-wrap gap-3">
        {leadsBack ? (
          <ButtonLink kind="filled" href={return_to}>
            Continue
          </ButtonLink>
        ) : (
          <ButtonLink kind="filled" href="/spending">
            Set spending limits
          </ButtonLink>
        )}
        <Button onClick={onClose}>Done</Button>
      </div>
    </Panel>
  );
}

/** A part of the page that takes the focus when it comes up, so that it is read out. */
function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <section
      aria-labelledby={id}
      className="flex w-full max-w-110 flex-col gap-4 rounded-2xl border border-accent bg-surface p-4 sm:p-6"
    >
      <h2 id={id} ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** The outcome of a login that connected nothing. */
export function LoginOver({
  children,
  isCalm,
  onClose,
}: {
  children: ReactNode;
  isCalm: boolean;
  onClose: () => void;
}) {
  return (
    <div className="flex flex-col items-start gap-3">
      {isCalm ? (
        <p role="status" className="rounded-lg bg-sunken px-4 py-2 text-sm">
          {children}
        </p>
      ) : (
        <ErrorNote>{children}</ErrorNote>
      )}
      <Button onClick={onClose}>OK</Button>
    </div>
  );
}

function Fact({ children }: { children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent" />
      <span>{children}</span>
    </li>
  );
}

function Loading() {
  return (
    <output aria-label="Checking the account" className="max-w-110">
      <Skeleton className="h-72" />
    </output>
  );
}
