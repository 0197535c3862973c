// What `--follow` has in common: a look every second until Ctrl-C, also past a restart of the API.
import { setTimeout as wait } from 'node:timers/promises';
import { AmpersatConnectionError, AmpersatError } from '../../sdk/index.ts';
import { type Shell, writeNote } from './shell.ts';

const LOOK_EVERY_MS = 1_000;

/** @param look finds what is new since the last one that succeeded. @throws what it throws, unless another look may succeed */
export async function lookAgain(shell: Shell, look: () => Promise<void>): Promise<void> {
  const { signal } = shell;
  let isLost = false;
  while (!signal.aborted) {
    try {
      await look();
      if (isLost) writeNote(shell, 'Reconnected. Continuing where it left off.');
      isLost = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      if (!isLost) writeNote(shell, 'Connection lost. Reconnecting…');
      isLost = true;
    }
    await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/** Whether the same call may succeed in a moment, as during a restart of the API. */
function isPassing(error: unknown): boolean {
  if (error instanceof AmpersatConnectionError) return true;
  return error instanceof AmpersatError && (error.status >= 500 || error.status === 429);
}
