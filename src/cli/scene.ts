// What every cause of an event works with: who sells and who pays on the local stack, what was set, and how it waits and shows progress.
import { setTimeout as delay } from 'node:timers/promises';
import { type Ampersat, AmpersatError } from '../../sdk/index.ts';
import { StartError } from '../domain/errors.ts';
import type { LocalPeople, LocalPerson } from './localPeople.ts';
import { plainLine, type Shell, writeNote } from './shell.ts';

export type TriggerContext = {
  people: LocalPeople;
  /** Whose workspace it happens in, and its key. */
  account: LocalPerson;
  api: Ampersat;
  /** Who pays, and for whom tabs are opened. */
  other: LocalPerson;
  /** What `--set` gives for the order or the tab. */
  fields: { [name: string]: unknown };
  tell(step: string): void;
  /** Ends what waits. */
  signal: AbortSignal;
};

/** Shows each step of some work with its time. */
export function timedTeller(shell: Shell): TriggerContext['tell'] {
  const began = performance.now();
  return (step) =>
    writeNote(shell, `${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${plainLine(step)}`);
}

/** Makes an event happen. @returns the id of the order or the tab that it is about */
export type Trigger = { about: string; run(scene: TriggerContext): Promise<string> };

const LOOK_EVERY_MS = 400;
const USUAL_WAIT_MS = 60_000;

/** Looks until there is something. @throws StartError that names what did not come */
export async function waitFor<T>(
  { signal }: Pick<TriggerContext, 'signal'>,
  what: string,
  look: () => Promise<T | null>,
  withinMs = USUAL_WAIT_MS,
): Promise<T> {
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const found = await look();
    if (found !== null) return found;
    if (waited >= withinMs)
      throw new StartError(`${what} didn’t arrive within ${Math.round(withinMs / 1_000)} seconds.`);
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
}

const NOT_YET = ['tx_not_found', 'provider_unavailable', 'rate_limited'];

/** For what the service cannot see yet, because a block is not there for it. */
export function notYet(error: unknown): null {
  if (error instanceof AmpersatError && NOT_YET.includes(error.code)) return null;
  throw error;
}
