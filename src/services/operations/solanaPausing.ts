// The watchdog's pauses of the program on Solana.
import type { SolanaKey } from '../../chain/solana/client.ts';
import { pauseStanding, sendSolanaPause, solanaGuardianProblem } from '../../chain/solana/guardian.ts';
import type { Ctx } from '../../context.ts';
import { type Debt, noteGuardian, payDebt } from './pauseDebt.ts';
import type { SolanaWatch } from './solanaWatching.ts';

/** A node takes a pause before it knows whether the guardian can pay for it, so one that is never paid for looks like any other. */
const RETRY_MS = 300_000;

/** One round of what is owed, by one endpoint. @returns how much is owed after it */
export async function pauseSolanaBy(
  ctx: Ctx,
  watch: SolanaWatch,
  { debt, guardian }: { debt: Debt; guardian: SolanaKey },
  number: number,
): Promise<number> {
  const { chain } = watch;
  const at = chain.endpoints[number];
  if (!at || debt.owed.size === 0) return 0;
  return payDebt(ctx, watch, debt, number, {
    standing: () => pauseStanding(at, chain),
    send: () => sendSolanaPause(chain, at, guardian),
    longestMs: RETRY_MS,
  });
}

/** Notes whether the guardian could pause. */
export async function lookAtSolanaGuardian(ctx: Ctx, watch: SolanaWatch, guardian: SolanaKey): Promise<void> {
  const asked = watch.chain.endpoints.map((at) => solanaGuardianProblem(at, watch.chain, guardian));
  await noteGuardian(ctx, watch, guardian.address, asked);
}
