// How long an order may still be paid, to the second; said aloud only when it gets short.
import { exactTime } from '../../app/format.ts';
import { useWords } from './language.ts';
import type { Words } from './words/en.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SHORT_MS = 5 * MINUTE_MS;

/**
 * @param left milliseconds
 * @param isEstimated the order's current state is unknown
 */
export function TimeLeft({ until, left, isEstimated }: { until: number; left: number; isEstimated: boolean }) {
  const words = useWords();
  const isShort = left < SHORT_MS;
  return (
    <>
      <span
        role="timer"
        title={exactTime(until)}
        className={`amount font-medium ${isShort ? 'text-amber' : ''}`}
        aria-live="off"
      >
        {isEstimated ? '≈ ' : ''}
        {clock(left, words)}
      </span>
      {isEstimated && <span className="text-muted"> {words.estimated}</span>}
      <span role="status" className="sr-only">
        {left <= 0 ? '' : left < MINUTE_MS ? words.lessThanAMinute : isShort ? words.lessThanFiveMinutes : ''}
      </span>
    </>
  );
}

/** `59:07`, `2:05:09`, from two days on in days. */
function clock(left: number, words: Words): string {
  const ms = Math.max(0, left);
  if (ms >= 2 * DAY_MS) return words.days(Math.floor(ms / DAY_MS));
  const seconds = Math.floor(ms / 1_000);
  const two = (figure: number) => String(figure).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const end = `${two(minutes)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${end}` : end;
}
