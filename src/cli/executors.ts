// `ampersat executors`, `ampersat x` and `ampersat health`: what an operator does from a shell beside the processes, with the same configuration.
import { type Ctx, createContext, systemClock } from '../context.ts';
import { connectDb } from '../db.ts';
import { readEnv } from '../env.ts';
import { putBackKey } from '../services/executorKeys.ts';
import { type ExecutorState, listExecutors } from '../services/figures.ts';
import { processProblem } from '../services/health.ts';
import { lookAtChains } from '../services/probes.ts';
import { budgetToday } from '../services/xBudget.ts';
import { resumeX } from '../services/xResume.ts';
import { EXIT } from './failure.ts';
import { type Column, type Shell, writeResult, writeResults } from './shell.ts';

type ExecutorRow = Omit<ExecutorState, 'balance'> & { balanceWei: string | null };

const orQuestion = (value: number | null) => (value === null ? '?' : String(value));
const COLUMNS: Column<ExecutorRow>[] = [
  { title: 'chain', cell: ({ chain }) => chain },
  { title: 'address', cell: ({ address }) => address },
  { title: 'ledger', cell: ({ nextNonce }) => String(nextNonce) },
  { title: 'chain says', cell: ({ chainNonce }) => orQuestion(chainNonce) },
  { title: 'open', cell: ({ openSlots }) => String(openSlots) },
  { title: 'batches left', cell: ({ batchesLeft }) => orQuestion(batchesLeft) },
  { title: 'state', cell: ({ pausedReason }) => (pausedReason ? `out of use: ${pausedReason}` : 'in use') },
];

/** Every key of this deployment, with its transactions as the ledger counts them and as the chain does. */
export function listExecutorKeys(shell: Shell): Promise<void> {
  return withContext(shell, async (ctx) => {
    await lookAtChains(ctx);
    const keys = await listExecutors(ctx);
    const rows = keys.map(({ balance, ...key }) => ({ ...key, balanceWei: balance === null ? null : String(balance) }));
    writeResults(shell, rows, COLUMNS, 'There are no executor keys.');
  });
}

export function resumeExecutorKey(
  shell: Shell,
  { chain, address, force = false }: { chain: string; address: string; force?: boolean },
): Promise<void> {
  return withContext(shell, async (ctx) => {
    await putBackKey(ctx, { chain, address, force, by: 'command line' });
    writeResult(shell, { chain, address, resumed: true }, () => `${address} is back in use on ${chain}.`);
  });
}

/** Lets X be read again after a halt, with the budget as the bots have it. */
export function resumeReading(shell: Shell): Promise<void> {
  return withContext(shell, async (ctx) => {
    await resumeX(ctx, 'command line');
    const { day, budget, spent } = await budgetToday(ctx);
    const usd = (micros: bigint) => (Number(micros) / 1e6).toFixed(2);
    const result = { day, resumed: true, spentUsd: usd(spent), budgetUsd: usd(budget) };
    writeResult(shell, result, () => `X is read again. ${usd(spent)} of ${usd(budget)} USD are spent on ${day} (UTC).`);
  });
}

/** What a container asks of a process that does not listen. */
export async function checkProcess(shell: Shell, name: string): Promise<void> {
  // Asked every half minute: no migrations, no queues, one question to the database.
  const db = connectDb(readEnv(shell.source).DATABASE_URL, { max: 1 });
  try {
    const problem = await processProblem({ db, clock: systemClock }, name).catch(
      () => 'the database of DATABASE_URL does not answer',
    );
    const result = { process: name, runs: problem === undefined, problem: problem ?? null };
    writeResult(shell, result, () => `${name} ${problem ? `does not run: ${problem}` : 'runs'}.`);
    shell.exitCode = problem ? EXIT.failed : EXIT.ok;
  } finally {
    await db.$disconnect();
  }
}

async function withContext(shell: Shell, work: (ctx: Ctx) => Promise<void>): Promise<void> {
  const ctx = await createContext({ ...readEnv(shell.source), LOG_LEVEL: 'silent' }, 'cli');
  try {
    await work(ctx);
  } finally {
    await ctx.shutdown.close();
  }
}
