// What the watchdog process does: loops for each endpoint of each chain, so that none waits for another.
import { accountsOf, type EvmChain, type PrivateKeyAccount } from '../src/chain/rpc/client.ts';
import { type SolanaChain, type SolanaKey, solanaKeyOf } from '../src/chain/solana/client.ts';
import { type Ctx, evmChains } from '../src/context.ts';
import { StartError } from '../src/domain/errors.ts';
import { every } from '../src/loop.ts';
import { type Debt, loadOwed, noteGuardian, openDebt, owePause } from '../src/services/operations/pauseDebt.ts';
import { lookAtGuardian, openPauses, pauseBy } from '../src/services/operations/pausing.ts';
import { lookAtSolanaGuardian, pauseSolanaBy } from '../src/services/operations/solanaPausing.ts';
import { lookAtSolana, openSolanaWatch } from '../src/services/operations/solanaWatching.ts';
import { lookAt, openWatch } from '../src/services/operations/watching.ts';
import { forgetEndpoints, type Watched } from '../src/services/operations/watchRows.ts';

/** While a pause is owed; what is seen wakes it at once. */
const PAUSE_EVERY_MS = 500;
const GUARDIAN_EVERY_MS = 30_000;
const FORGET_EVERY_MS = 60_000;
/** Slots are shorter than what providers like to be asked. */
const SOLANA_EVERY_MS = 1_000;

/** @throws StartError */
export async function runWatchdog(ctx: Ctx): Promise<void> {
  const { GUARDIAN_KEY, SOLANA_GUARDIAN_KEY } = ctx.env;
  const [guardian] = accountsOf(GUARDIAN_KEY ? [GUARDIAN_KEY] : []);
  const onSolana = SOLANA_GUARDIAN_KEY ? solanaKeyOf(SOLANA_GUARDIAN_KEY) : undefined;
  if (!guardian && !onSolana)
    throw new StartError(
      'GUARDIAN_KEY and SOLANA_GUARDIAN_KEY are missing: the watchdog pauses the bot router, and the program on Solana, with the guardian’s key.',
    );
  for (const chain of Object.values(evmChains(ctx))) watchEvm(ctx, chain, guardian);
  for (const chain of Object.values(ctx.chains)) if (chain.family === 'solana') watchSolana(ctx, chain, onSolana);
}

function watchEvm(ctx: Ctx, chain: EvmChain, guardian: PrivateKeyAccount | undefined): void {
  const pauses = guardian ? openPauses(guardian) : null;
  const debt = pauses ?? openDebt();
  const loops: Woken[] = [];
  const sequel = guardian ? undefined : unpaused('GUARDIAN_KEY', 'bot router');
  const watch = openWatch(chain, wakes(debt, loops), sequel);
  follow(ctx, watch, debt, loops, {
    everyMs: chain.pollMs,
    look: (number) => lookAt(ctx, watch, number),
    ...(pauses
      ? {
          pause: (number) => pauseBy(ctx, watch, pauses, number),
          guardian: () => lookAtGuardian(ctx, watch, pauses),
        }
      : { guardian: () => noteMissing(ctx, watch, 'GUARDIAN_KEY', 'bot router') }),
  });
}

function watchSolana(ctx: Ctx, chain: SolanaChain, guardian: SolanaKey | undefined): void {
  const debt = openDebt();
  const loops: Woken[] = [];
  const sequel = guardian ? undefined : unpaused('SOLANA_GUARDIAN_KEY', 'program');
  const watch = openSolanaWatch(chain, wakes(debt, loops), sequel);
  follow(ctx, watch, debt, loops, {
    everyMs: Math.max(chain.pollMs, SOLANA_EVERY_MS),
    look: (number) => lookAtSolana(ctx, watch, number),
    ...(guardian
      ? {
          pause: (number) => pauseSolanaBy(ctx, watch, { debt, guardian }, number),
          guardian: () => lookAtSolanaGuardian(ctx, watch, guardian),
        }
      : { guardian: () => noteMissing(ctx, watch, 'SOLANA_GUARDIAN_KEY', 'program') }),
  });
}

type Woken = { wake(): void };

function wakes(debt: Debt, loops: readonly Woken[]): (hash: string) => void {
  return (hash) => {
    owePause(debt, hash);
    for (const loop of loops) loop.wake();
  };
}

const missing = (variable: string, what: string) => `${variable} is missing, so the watchdog cannot pause the ${what}`;
const unpaused = (variable: string, what: string) => `${missing(variable, what)}: pause it by hand.`;

/** A chain without a key is watched all the same. */
function noteMissing(ctx: Ctx, watched: Watched, variable: string, what: string): Promise<void> {
  return noteGuardian(ctx, watched, '', [Promise.resolve(missing(variable, what))]);
}

type Steps = {
  everyMs: number;
  look(number: number): Promise<number>;
  /** Left out where there is no key that pauses. */
  pause?: (number: number) => Promise<number>;
  guardian(): Promise<void>;
};

function follow(ctx: Ctx, watched: Watched, debt: Debt, loops: Woken[], steps: Steps): void {
  const { chain } = watched;
  const { pause } = steps;
  for (const number of chain.endpoints.keys()) {
    every(ctx, `watch ${chain.name} ${number}`, steps.everyMs, async () => {
      // What is left of a long way is read without a pause.
      while (!ctx.shutdown.closing() && (await steps.look(number)) > 0);
    });
    if (pause)
      loops.push(
        every(ctx, `pause ${chain.name} ${number}`, PAUSE_EVERY_MS, () => pause(number), { idleMs: GUARDIAN_EVERY_MS }),
      );
  }
  if (pause)
    every(ctx, `owed ${chain.name}`, GUARDIAN_EVERY_MS, async () => {
      await loadOwed(ctx, watched, debt);
      if (debt.owed.size > 0) for (const loop of loops) loop.wake();
    });
  every(ctx, `guardian ${chain.name}`, GUARDIAN_EVERY_MS, steps.guardian);
  every(ctx, `endpoints ${chain.name}`, FORGET_EVERY_MS, () => forgetEndpoints(ctx, watched), {
    firstAfterMs: FORGET_EVERY_MS,
  });
}
