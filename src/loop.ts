// A loop that survives its own failures: the next round starts a pause after the last one ended, until the process closes.
import type { Ctx } from './context.ts';
import type { Topic } from './wakes.ts';

/** Between two rounds of a loop that found something, which may go on. */
export const BUSY_MS = 500;
/** Between two rounds of a loop that found nothing. What is written wakes it at once, so this is for what a lost connection or a crash left behind. */
export const FALLBACK_MS = 10_000;
/** The same where a notification or another mechanism finds the work all but always. */
export const RARE_FALLBACK_MS = 30_000;
/** Of a loop that the workers' fallback wakes (see services/operations/dueWork): it needs no polling of its own. */
export const UNTIL_WOKEN_MS = 3_600_000;
/** After a failure the pause grows up to this, so that a dead chain is not hammered. */
const LONGEST_PAUSE_MS = 5_000;

export type Loop = {
  /**
   * There is something to do: an idle loop starts its next round at once, one that is in a round adds another, and a busy one with `wokenMs` rests no longer
   * than that. A pause after a failure stays.
   */
  wake(): void;
};

/**
 * @param firstAfterMs lets what people wait for go first when a process starts
 * @param idleMs the pause after a round that answered 0, that is: found nothing to do
 * @param topics what wakes it
 * @param wokenMs the pause after a round that found something, once the loop is woken: what it watches has moved
 */
export function every(
  ctx: Pick<Ctx, 'log' | 'shutdown'> & Partial<Pick<Ctx, 'wakes'>>,
  name: string,
  pauseMs: number,
  round: () => Promise<unknown>,
  { firstAfterMs = 0, idleMs = pauseMs, wokenMs = pauseMs, topics = [] as Topic[] } = {},
): Loop {
  let failures = 0;
  let woken = false;
  let endRest: (() => void) | undefined;
  let wakeUp: (() => void) | undefined;
  /** Closing ends the current rest; a round that ends after that begins none. */
  function rest(ms: number): Promise<void> {
    if (ctx.shutdown.closing()) return Promise.resolve();
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  /** A wake-up during a round may be about rows that the round no longer read. */
  async function restUntilWoken(ms: number): Promise<void> {
    if (woken || ms <= 0) return;
    const resting = rest(ms);
    wakeUp = endRest;
    await resting;
    wakeUp = undefined;
  }
  async function loop(): Promise<void> {
    if (firstAfterMs > 0) await rest(firstAfterMs);
    while (!ctx.shutdown.closing()) {
      let found: unknown;
      woken = false;
      try {
        found = await round();
        if (failures > 0) ctx.log.info({ loop: name }, 'works again');
        failures = 0;
      } catch (err) {
        failures += 1;
        // The first failure is logged; a chain that stays away is logged once every so often.
        if (failures === 1 || failures % 20 === 0)
          ctx.log.error({ err, loop: name, failures }, 'a round failed; it is tried again');
      }
      if (failures > 0) await rest(Math.min(pauseMs * 2 ** Math.min(failures, 6), LONGEST_PAUSE_MS));
      else if (found === 0) await restUntilWoken(idleMs);
      else {
        await rest(wokenMs);
        await restUntilWoken(pauseMs - wokenMs);
      }
    }
  }
  const done = loop();
  ctx.shutdown.onClose(`loop ${name}`, () => {
    endRest?.();
    return done;
  });
  const wake = () => {
    woken = true;
    wakeUp?.();
  };
  for (const topic of topics) ctx.wakes?.on(topic, wake);
  return { wake };
}
