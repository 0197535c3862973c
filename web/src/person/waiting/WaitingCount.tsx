// How many things wait for the reader, in the navigation; nothing where nothing waits.
import { useKeptTips } from './tipsApi.ts';
import { readyEscrows, useWaitingEscrows } from './waitingEscrows.ts';

const REFRESH_MS = 30_000;
const MOST_SHOWN = 99;

export function WaitingCount({ className = '' }: { className?: string }) {
  const count = useWaitingCount();
  if (count === 0) return null;
  return (
    <span
      className={`inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-accent px-1 text-sm leading-none font-semibold text-on-accent tabular-nums ${className}`}
    >
      {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
    </span>
  );
}

function useWaitingCount(): number {
  const { data: tips } = useKeptTips(REFRESH_MS);
  const { data: received } = useWaitingEscrows(REFRESH_MS);
  const { ready, unpayable } = readyEscrows(received?.escrows ?? []);
  return (tips?.length ?? 0) + ready.length + unpayable.length;
}
