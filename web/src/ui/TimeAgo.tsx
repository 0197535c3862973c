// A moment as people say it, with the exact time on hover.
import { useEffect, useState } from 'react';
import { readClockOffset } from '../app/api.ts';
import { exactTime, timeAgo } from '../app/format.ts';

const REFRESH_MS = 20_000;

/** The service's current time, which moves while the page is open. Unix milliseconds. */
export function useNow(everyMs = REFRESH_MS): number {
  return useDeviceNow(everyMs) + readClockOffset();
}

/** The current time of this machine, for what the page itself noted. Unix milliseconds. */
export function useDeviceNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** @param at ISO 8601 */
export function TimeAgo({ at, className = '' }: { at: string; className?: string }) {
  const now = useNow();
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={exactTime(ms)} className={`whitespace-nowrap ${className}`}>
      {timeAgo(ms, Math.max(now, ms))}
    </time>
  );
}
