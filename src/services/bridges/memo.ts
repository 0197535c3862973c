// Answers that are kept for a moment, and requested once however many callers want them: per process, and bounded.
import type { Ctx } from '../../context.ts';

type Kept = { answer: Promise<unknown>; until: number };
/** The oldest go first. */
const MOST_KEPT = 5_000;

/** By the process: contexts are copied. */
const MEMOS = new WeakMap<object, Map<string, Kept>>();

/** @param untilOf when the answer is over, in Unix milliseconds; a failure is not kept */
export function once<T>(ctx: Ctx, key: string, load: () => Promise<T>, untilOf: (answer: T) => number): Promise<T> {
  const kept = memoOf(ctx);
  const known = kept.get(key);
  if (known && known.until > ctx.clock.now()) return known.answer as Promise<T>;
  const answer = load();
  const entry: Kept = { answer, until: Number.POSITIVE_INFINITY };
  kept.delete(key);
  kept.set(key, entry);
  answer.then(
    (found) => {
      entry.until = untilOf(found);
    },
    () => {
      if (kept.get(key) === entry) kept.delete(key);
    },
  );
  for (const [oldest] of kept) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
  return answer;
}

function memoOf({ shutdown }: Ctx): Map<string, Kept> {
  const known = MEMOS.get(shutdown) ?? new Map<string, Kept>();
  MEMOS.set(shutdown, known);
  return known;
}
