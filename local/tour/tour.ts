// What every part of the tour works with, and the two ways in which it insists: now, or within a while.
import type { PublicClient } from 'viem';
import type { LocalFile } from '../stack/localFile.ts';
import type { Cast } from './cast.ts';
import type { Chat } from './chat.ts';

export type Tour = {
  local: LocalFile;
  cast: Cast;
  chats: { telegram: Chat; discord: Chat; x: Chat };
  client: PublicClient;
  /** Kills the workers with -9; null where others use the stack, and then the chain's clock stays as it is, too. */
  killWorkers: (() => void) | null;
  tell(story: string, facts?: Record<string, unknown>): void;
};

const WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 40;

/** Every line of the tour rests on these. @throws Error that names what does not hold */
export function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`this does not hold: ${what}`);
}

/** Looks until there is something. @throws Error that names what did not happen, with the last thing that was `seen` instead */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  seen: () => unknown = () => '',
): Promise<T> {
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`this did not happen in time: ${what} ${String(seen())}`.trimEnd());
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
