// A loop that survives its own failures: the next round starts a pause after the last one ended, until the process closes.
import type { Ctx } from './context.ts';

/** After a failure the pause grows up to this, so that a dead chain is not hammered. */
const LONGEST_PAUSE_MS = 5_000;

/** @param firstAfterMs lets what people wait for go first when a process starts */
export function every(
  ctx: Ctx,
  name: string,
  pauseMs: number,
  round: () => Promise<unknown>,
  { firstAfterMs = 0 } = {},
): void {
  let failures = 0;
  let wake: (() => void) | undefined;
  function rest(ms: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  async function loop(): Promise<void> {
    if (firstAfterMs > 0) await rest(firstAfterMs);
    while (!ctx.shutdown.closing()) {
      try {
        await round();
        if (failures > 0) ctx.log.info({ loop: name }, 'works again');
        failures = 0;
      } catch (err) {
        failures += 1;
        // The first failure is news; a chain that stays away is told once every so often.
        if (failures === 1 || failures % 20 === 0)
          ctx.log.error({ err, loop: name, failures }, 'a round failed; it is tried again');
      }
      await rest(failures === 0 ? pauseMs : Math.min(pauseMs * 2 ** Math.min(failures, 6), LONGEST_PAUSE_MS));
    }
  }
  const done = loop();
  ctx.shutdown.onClose(`loop ${name}`, () => {
    wake?.();
    return done;
  });
}
