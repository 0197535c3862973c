// What the watchdog process does: loops for each endpoint of each chain, so that none waits for another.
import { accountsOf, type EvmChain } from '../src/chain/rpc/client.ts';
import { type Ctx, evmChains } from '../src/context.ts';
import { StartError } from '../src/domain/errors.ts';
import { every } from '../src/loop.ts';
import { loadOwed, lookAtGuardian, openPauses, owePause, pauseBy } from '../src/services/operations/pausing.ts';
import { forgetEndpoints, lookAt, openWatch } from '../src/services/operations/watching.ts';

/** While a pause is owed; what is seen wakes it at once. */
const PAUSE_EVERY_MS = 500;
const GUARDIAN_EVERY_MS = 30_000;
const FORGET_EVERY_MS = 60_000;

/** @throws StartError */
export async function runWatchdog(ctx: Ctx): Promise<void> {
  const [guardian] = accountsOf(ctx.env.GUARDIAN_KEY ? [ctx.env.GUARDIAN_KEY] : []);
  if (!guardian)
    throw new StartError('GUARDIAN_KEY is missing: the watchdog pauses the bot router with the guardian’s key.');
  for (const chain of Object.values(evmChains(ctx))) watchChain(ctx, chain, openPauses(guardian));
}

function watchChain(ctx: Ctx, chain: EvmChain, pauses: ReturnType<typeof openPauses>): void {
  const { name, pollMs } = chain;
  const loops: { wake(): void }[] = [];
  const watch = openWatch(chain, (hash) => {
    owePause(pauses, hash);
    for (const loop of loops) loop.wake();
  });
  for (const number of chain.endpoints.keys()) {
    every(ctx, `watch ${name} ${number}`, pollMs, async () => {
      // What is left of a long way is read without a pause.
      while (!ctx.shutdown.closing() && (await lookAt(ctx, watch, number)) > 0);
    });
    loops.push(
      every(ctx, `pause ${name} ${number}`, PAUSE_EVERY_MS, () => pauseBy(ctx, watch, pauses, number), {
        idleMs: GUARDIAN_EVERY_MS,
      }),
    );
  }
  every(ctx, `owed ${name}`, GUARDIAN_EVERY_MS, async () => {
    await loadOwed(ctx, watch, pauses);
    if (pauses.owed.size > 0) for (const loop of loops) loop.wake();
  });
  every(ctx, `guardian ${name}`, GUARDIAN_EVERY_MS, () => lookAtGuardian(ctx, watch, pauses));
  every(ctx, `endpoints ${name}`, FORGET_EVERY_MS, () => forgetEndpoints(ctx, watch), {
    firstAfterMs: FORGET_EVERY_MS,
  });
}
