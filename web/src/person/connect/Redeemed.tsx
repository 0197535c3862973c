// After the link was redeemed: the press in the chat that is still needed, and what follows once it was made.
import { Check, ExternalLink, Loader } from 'lucide-react';
import { useEffect } from 'react';
import { capitalised, timeUntil } from '../../app/format.ts';
import { LOCAL_STACK } from '../../app/localStack.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import { Title } from '../../ui/Title.tsx';
import { SetUpAtOnce } from '../spending/SetUpAtOnce.tsx';
import { type ConnectLink, forgetLink } from './linkApi.ts';

export function WaitingForPress({ link, lost }: { link: ConnectLink; lost: boolean }) {
  const now = useNow();
  return (
    <>
      <Title>Now press Connect in the chat</Title>
      <p>
        The bot has asked {link.username ? `@${link.username}` : 'you'} in the direct chat whether to connect to{' '}
        <b>@{link.handle}</b>. Press <b>Connect</b> there; this page updates automatically.
      </p>
      <p role="status" className="flex items-center gap-3 rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
        <Loader aria-hidden="true" className="size-5 shrink-0 waits" />
        <span>
          {lost ? 'Can’t reach Ampersat. Trying again…' : 'Waiting for you in the chat.'} The question expires{' '}
          {timeUntil(Date.parse(link.expires_at), now)}.
        </span>
      </p>
      {link.bot_username && (
        <ButtonLink
          kind="filled"
          className="min-h-12! text-base!"
          href={LOCAL_STACK?.chats ?? `https://t.me/${encodeURIComponent(link.bot_username)}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          Open the chat
          <ExternalLink aria-hidden="true" className="size-4" />
        </ButtonLink>
      )}
    </>
  );
}

export function Confirmed({ link }: { link: ConnectLink }) {
  // A reload from here on is a new visit.
  useEffect(forgetLink, []);
  return (
    <>
      <Title>Connected</Title>
      <ul className="flex flex-col gap-3">
        <Fact>
          Tips to {link.username ? `@${link.username}` : 'you'} on {capitalised(link.platform)} now go to{' '}
          <b>@{link.handle}</b>.
        </Fact>
        <Fact>You can’t spend from that chat until your wallet allows it.</Fact>
      </ul>
      <SetUpAtOnce
        connectionId={link.connection_id}
        otherwise={
          <ButtonLink kind="filled" href="/spending" className="min-h-12! text-base!">
            Set spending limits
          </ButtonLink>
        }
      />
      <ButtonLink kind="plain" href="/account" className="self-center">
        Later
      </ButtonLink>
    </>
  );
}

function Fact({ children }: { children: React.ReactNode }) {
  return (
    <li className="flex gap-3">
      <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent" />
      <span>{children}</span>
    </li>
  );
}
