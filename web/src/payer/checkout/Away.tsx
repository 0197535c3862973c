// Bad conditions, told: that this machine is offline or the service away, and that the page goes on when they end.
import { onlineManager } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useWords } from './language.ts';

export type Away = 'offline' | 'service' | null;

/** @param isUnanswered the latest question got no answer */
export function useAway(isUnanswered: boolean): Away {
  const isOnline = useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
  );
  if (!isOnline) return 'offline';
  return isUnanswered ? 'service' : null;
}

export function AwayBanner({ away }: { away: Away }) {
  const words = useWords();
  return (
    <div role="status">
      {away && (
        <p className="flex items-center gap-2 rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          {away === 'offline' ? words.offline : words.away}
        </p>
      )}
    </div>
  );
}

/** Beside a button that cannot be pressed meanwhile; the button names it by this id. */
export const AWAY_ID = 'away';

export function AwayButtonNote({ away }: { away: Away }) {
  const words = useWords();
  if (!away) return null;
  return (
    <p id={AWAY_ID} className="text-center text-sm text-amber">
      {away === 'offline' ? words.offlineButton : words.awayButton}
    </p>
  );
}
