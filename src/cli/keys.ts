// `ampersat keys` and `ampersat health`: what an operator does from a shell beside the processes, with the same configuration.
import { type Ctx, createContext, systemClock } from '../context.ts';
import { connectDb } from '../db.ts';
import { AppError, StartError } from '../domain/errors.ts';
import { readEnv } from '../env.ts';
import { putBackKey } from '../services/executorKeys.ts';
import { listExecutors } from '../services/figures.ts';
import { processProblem } from '../services/health.ts';
import { lookAtChains } from '../services/probes.ts';

type Write = (line: string) => void;

/** One line of JSON a key: ledger and chain side by side. */
export function listKeys(write: Write): Promise<number> {
  return withContext(write, async (ctx) => {
    await lookAtChains(ctx);
    for (const { balance, ...key } of await listExecutors(ctx)) {
      write(JSON.stringify({ ...key, balanceWei: balance === null ? null : String(balance) }));
    }
  });
}

export function resumeKeys(
  write: Write,
  { chain, address, force = false }: { chain: string; address: string; force?: boolean },
): Promise<number> {
  return withContext(write, async (ctx) => {
    await putBackKey(ctx, { chain, address, force, by: 'command line' });
    write(`${address} is back in use on ${chain}.`);
  });
}

/** What a container asks of a process that does not listen. */
export async function checkProcess(write: Write, name: string): Promise<number> {
  // Asked every half minute: no migrations, no queues, one question to the database.
  const db = connectDb(readEnv().DATABASE_URL, { max: 1 });
  try {
    const problem = await processProblem({ db, clock: systemClock }, name);
    write(`${name} ${problem ? `does not run: ${problem}` : 'runs'}.`);
    return problem ? 1 : 0;
  } catch {
    write('The database of DATABASE_URL does not answer.');
    return 1;
  } finally {
    await db.$disconnect();
  }
}

/** @returns the exit code; a failure is one line that says what to do */
async function withContext(write: Write, work: (ctx: Ctx) => Promise<void>): Promise<number> {
  let ctx: Ctx | undefined;
  try {
    ctx = await createContext({ ...readEnv(), LOG_LEVEL: 'silent' }, 'cli');
    await work(ctx);
    return 0;
  } catch (error) {
    if (!(error instanceof AppError || error instanceof StartError)) throw error;
    write(error.message);
    return 1;
  } finally {
    await ctx?.shutdown.close();
  }
}
