// The chats: for each platform what is connected and the way to connect more; on the way back from a platform the question comes first.

import { useCallback, useEffect, useState } from 'react';
import { LOGIN_PLATFORMS, type LoginPlatform } from '../../../../src/domain/login.ts';
import type { ConnectionView } from '../../../../src/http/api/connectionAnswers.ts';
import { navigate } from '../../app/router.tsx';
import { Shell } from '../../app/shell/Shell.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { type Arrival, clearAddress, readArrival } from './arrival.ts';
import { type Login, useConnections, usePlatforms } from './connectionsApi.ts';
import { LoginOver, LoginQuestion, TelegramAnswer } from './LoginQuestion.tsx';
import { PlatformCard } from './PlatformCard.tsx';

/** Telegram first: its bot connects also without a login. */
const ORDER: LoginPlatform[] = ['telegram', ...LOGIN_PLATFORMS.filter((platform) => platform !== 'telegram')];

export function ConnectionsPage() {
  // Read above the sign-in, so that a session that is over does not lose it.
  const [arrival, setArrival] = useState<Arrival>(readArrival);
  useEffect(clearAddress, []);
  const close = useCallback(() => {
    setArrival(null);
    navigate('/connections', { replace: true });
  }, []);
  const show = useCallback(({ id }: Login) => {
    setArrival({ kind: 'login', id });
    navigate(`/connections?login=${encodeURIComponent(id)}`, { replace: true });
  }, []);
  return (
    <Shell title="Chats">
      {() => (
        <>
          {arrival?.kind === 'problem' && (
            <LoginOver isCalm={arrival.isCalm} onClose={close}>
              {arrival.words}
            </LoginOver>
          )}
          {arrival?.kind === 'telegram' && (
            <TelegramAnswer state={arrival.state} result={arrival.result} onLogin={show} onClose={close} />
          )}
          {arrival?.kind === 'login' && <LoginQuestion key={arrival.id} id={arrival.id} onClose={close} />}
          <Platforms />
        </>
      )}
    </Shell>
  );
}

function Platforms() {
  const connections = useConnections();
  const platforms = usePlatforms();
  const failed = [connections, platforms].find(({ error, data }) => error && !data);
  if (failed?.error)
    return (
      <ErrorNote
        retry={() => {
          void connections.refetch();
          void platforms.refetch();
        }}
      >
        {failed.error.message}
      </ErrorNote>
    );
  if (!connections.data || !platforms.data) return <Loading />;
  const { data } = connections.data;
  const offered = platforms.data.platforms;
  return ORDER.filter((platform) => isShown(platform, offered, data)).map((platform) => (
    <PlatformCard
      key={platform}
      platform={platform}
      connections={data.filter((one) => one.platform === platform)}
      isOffered={offered.includes(platform)}
    />
  ));
}

function isShown(platform: LoginPlatform, offered: LoginPlatform[], connections: ConnectionView[]): boolean {
  return platform === 'telegram' || offered.includes(platform) || connections.some((one) => one.platform === platform);
}

function Loading() {
  return (
    <output aria-label="Loading" className="flex flex-col gap-6">
      {ORDER.map((platform) => (
        <Skeleton key={platform} className="h-32" />
      ))}
    </output>
  );
}
