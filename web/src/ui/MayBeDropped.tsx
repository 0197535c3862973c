// A way on where the wallet shows that a transaction was dropped, once it has been in no block for long.
import { Button } from './Button.tsx';
import { useDeviceNow } from './TimeAgo.tsx';

const LATE_MS = 90_000;
const TICK_MS = 1_000;

export type DroppedWords = { slow: string; wasDropped: string };

/** @param since when the wallet sent it, in Unix milliseconds */
export function MayBeDropped({
  since,
  words,
  onAgain,
}: {
  since: number;
  words: DroppedWords;
  /** Null where nothing can be paid again. */
  onAgain: (() => void) | null;
}) {
  if (useDeviceNow(TICK_MS) - since <= LATE_MS) return null;
  return (
    <div className="flex flex-col items-center gap-2 text-center text-sm text-muted">
      <p>{words.slow}</p>
      {onAgain && <Button onClick={onAgain}>{words.wasDropped}</Button>}
    </div>
  );
}
