// One platform: the accounts that are connected there, and the way to connect one.

import { useMutation } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useEffect } from 'react';
import { type LoginPlatform, PLATFORM_NAMES } from '../../../../src/domain/login.ts';
import type { ConnectionView } from '../../../../src/http/api/connectionAnswers.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { ConnectionRow } from './ConnectionRow.tsx';
import { leaveFor, useDisconnect } from './connectionsApi.ts';

export function PlatformCard({
  platform,
  connections,
  isOffered,
}: {
  platform: LoginPlatform;
  connections: ConnectionView[];
  /** Whether one can log in there; else the bot's own link is the way. */
  isOffered: boolean;
}) {
  const name = PLATFORM_NAMES[platform];
  const disconnect = useDisconnect();
  return (
    <Card title={name} aside={isOffered && <ConnectButton platform={platform} isFirst={connections.length === 0} />}>
      {connections.length === 0 && (
        <p className="text-sm text-muted">
          No {name} account is connected. <HowToConnect platform={platform} isOffered={isOffered} />
        </p>
      )}
      {connections.length > 0 && (
        <ul aria-label={`${name} accounts`} className="flex flex-col">
          {connections.map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} disconnect={disconnect} />
          ))}
        </ul>
      )}
      {disconnect.isError && <ErrorNote>{disconnect.error.message}</ErrorNote>}
    </Card>
  );
}

/** The bot gives its link in a direct chat. On X it speaks in public only, so there the login is the way. */
function HowToConnect({ platform, isOffered }: { platform: LoginPlatform; isOffered: boolean }) {
  const login = `Log in at ${PLATFORM_NAMES[platform]} to connect it.`;
  if (isOffered && platform === 'x') return login;
  return (
    <>
      {isOffered ? `${login} Or type ` : 'Type '}
      <code className="font-mono">/connect</code> to the bot in your direct chat and open the link in its reply.
    </>
  );
}

function ConnectButton({ platform, isFirst }: { platform: LoginPlatform; isFirst: boolean }) {
  const name = PLATFORM_NAMES[platform];
  const leave = useMutation({ mutationFn: () => leaveFor(platform) });
  const { reset } = leave;
  // The browser's back button restores the page as it was left, with its button still disabled.
  useEffect(() => {
    const wake = (event: PageTransitionEvent) => {
      if (event.persisted) reset();
    };
    addEventListener('pageshow', wake);
    return () => removeEventListener('pageshow', wake);
  }, [reset]);
  // The address is known before the other site shows: until then the button keeps saying where it leads.
  const isLeaving = leave.isPending || leave.isSuccess;
  return (
    <>
      <Button
        aria-label={isFirst || isLeaving ? undefined : `Connect another ${name} account`}
        disabled={isLeaving}
        onClick={() => leave.mutate()}
      >
        {isLeaving ? `Opening ${name}…` : isFirst ? `Connect ${name}` : 'Connect another'}
        <ExternalLink aria-hidden="true" className="size-4" />
      </Button>
      {leave.isError && <ErrorNote retry={() => leave.mutate()}>{leave.error.message}</ErrorNote>}
    </>
  );
}
