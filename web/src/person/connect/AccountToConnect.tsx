// Exactly what is being linked: the account on the platform, by its name and by the number that never changes, and the handle.
import { ArrowDown } from 'lucide-react';
import { capitalised, timeUntil } from '../../app/format.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import type { ConnectLink } from './linkApi.ts';

export function AccountToConnect({
  link,
  handle,
  what = 'This link works once and',
}: {
  link: Pick<ConnectLink, 'platform' | 'platform_user_id' | 'username' | 'expires_at'>;
  handle: string | null;
  /** What ends, and how often it can be used. */
  what?: string;
}) {
  const now = useNow();
  const name = link.username ? `@${link.username}` : 'No username';
  return (
    <section aria-label="What is being connected" className="rounded-2xl border border-line bg-surface p-4">
      <div className="flex items-center gap-4">
        <Avatar name={link.username ?? '?'} size="large" />
        <div className="min-w-0">
          <p className="text-sm text-muted">{capitalised(link.platform)} account</p>
          <p className="truncate text-lg font-semibold">{name}</p>
          <p className="text-sm text-muted amount">ID {link.platform_user_id}</p>
        </div>
      </div>
      <ArrowDown aria-label="connects to" className="my-2 ml-2.5 size-5 text-muted" />
      <div className="flex items-center gap-4">
        <Avatar name={handle ?? '@'} size="large" />
        <div className="min-w-0">
          <p className="text-sm text-muted">Ampersat handle</p>
          <p className={`truncate text-lg ${handle ? 'font-semibold' : 'text-muted'}`}>
            {handle ? `@${handle}` : 'yours, after signing in'}
          </p>
        </div>
      </div>
      <p className="mt-4 border-t border-line pt-3 text-sm text-muted">
        Once it is connected, this account can be tipped, see the handle’s balances, history and limits, and pause its
        spending. It can’t spend until you allow it with your wallet.
      </p>
      <p className="mt-3 text-sm text-muted">
        {what} expires {timeUntil(Date.parse(link.expires_at), now)}.
      </p>
    </section>
  );
}
