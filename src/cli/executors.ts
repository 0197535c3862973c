// `ampersat executors`, `ampersat x` and `ampersat health`: what an operator does from a shell beside the processes, with the same configuration.
import { type Ctx, createContext, systemClock } from '../context.ts';
import { connectDb } from '../db.ts';
import { CHAINS, type ChainName } from '../domain/chains.ts';
import { formatUnits } from '../domain/money.ts';
import { readEnv } from '../env.ts';
import { budgetToday } from '../services/chat/xBudget.ts';
import { processProblem } from '../services/operations/health.ts';
import { type ExecutorState, listExecutors } from '../services/operations/metrics.ts';
import { lookAtChains } from '../services/operations/probes.ts';
import { listTransfers, type TransferView } from '../services/operations/transfers.ts';
import { resumeX } from '../services/operations/xResume.ts';
import { returnTransfer } from '../services/orders/treasury/moves.ts';
import { putBackKey } from '../services/outgoing/keys.ts';
import { EXIT } from './failure.ts';
import { type Shell, writeResult } from './shell.ts';
import { type Column, writeResults } from './tables.ts';

/** `balance` is a canonical decimal string of whole units of `symbol`. */
type ExecutorRow = Omit<ExecutorState, 'balance'> & { balance: string | null; symbol: string };

const hasNonces = ({ chain }: ExecutorRow) => CHAINS[chain as ChainName].family === 'evm';
/** Six places are enough to see whether it lasts. */
const shortened = (amount: string) => amount.replace(/(\.\d{6})\d+$/, '$1');
const orQuestion = (value: number | null) => (value === null ? '?' : String(value));
const COLUMNS: Column<ExecutorRow>[] = [
  { title: 'network', cell: ({ chain }) => chain },
  { title: 'address', cell: ({ address }) => address },
  { title: 'balance', cell: ({ balance, symbol }) => (balance === null ? '?' : `${shortened(balance)} ${symbol}`) },
  { title: 'next nonce', cell: (key) => (hasNonces(key) ? String(key.nextNonce) : '') },
  { title: 'on chain', cell: (key) => (hasNonces(key) ? orQuestion(key.chainNonce) : '') },
  { title: 'open', cell: ({ openSlots }) => String(openSlots) },
  { title: 'batches left', cell: ({ batchesLeft }) => orQuestion(batchesLeft) },
  { title: 'status', cell: statusOf },
];

function statusOf({ pausedReason, powerProblem }: ExecutorRow): string {
  if (pausedReason) return `paused: ${pausedReason}`;
  return powerProblem ? `no role: ${powerProblem}` : 'active';
}

/** Every key of this deployment, with its transactions as the ledger counts them and as the chain does. */
export function listExecutorKeys(shell: Shell): Promise<void> {
  return withContext(shell, async (ctx) => {
    await lookAtChains(ctx);
    const keys = await listExecutors(ctx);
    const rows = keys.map(({ balance, ...key }) => {
      const { native: symbol, nativeDecimals } = CHAINS[key.chain as ChainName];
      return { ...key, balance: balance === null ? null : formatUnits(balance, nativeDecimals), symbol };
    });
    writeResults(shell, rows, COLUMNS, 'No executor keys yet.');
  });
}

const MOST_TRANSFERS = 100;
const TRANSFERS: Column<TransferView>[] = [
  { title: 'id', cell: ({ id }) => id },
  { title: 'network', cell: ({ chain }) => chain },
  { title: 'amount', cell: ({ amount, currency }) => `${amount} ${currency}` },
  { title: 'from', cell: ({ from }) => from ?? 'several wallets' },
  { title: 'status', cell: ({ status }) => status },
  { title: 'order', cell: ({ order }) => order ?? '' },
  { title: 'problem', cell: ({ failure }) => failure ?? '' },
];

export function listTreasuryTransfers(shell: Shell, isAll: boolean): Promise<void> {
  return withContext(shell, async (ctx) => {
    const { lines } = await listTransfers(ctx, isAll ? 'all' : 'waiting', { limit: MOST_TRANSFERS });
    writeResults(shell, lines, TRANSFERS, isAll ? 'No transfers yet.' : 'No transfer waits.');
  });
}

export function returnTreasuryTransfer(shell: Shell, id: string): Promise<void> {
  return withContext(shell, async (ctx) => {
    await returnTransfer(ctx, id, 'command line');
    writeResult(shell, { id, returning: true }, () => `${id} is on its way back.`);
  });
}

export function resumeExecutorKey(
  shell: Shell,
  { chain, address, force = false }: { chain: string; address: string; force?: boolean },
): Promise<void> {
  return withContext(shell, async (ctx) => {
    await putBackKey(ctx, { chain, address, force, by: 'command line' });
    writeResult(shell, { chain, address, resumed: true }, () => `Resumed ${address} on ${chain}.`);
  });
}

/** Ends a halt of reading X, with the budget as the bots have it. */
export function resumeReading(shell: Shell): Promise<void> {
  return withContext(shell, async (ctx) => {
    await resumeX(ctx, 'command line');
    const { day, budget, spent } = await budgetToday(ctx);
    const usd = (micros: bigint) => (Number(micros) / 1e6).toFixed(2);
    const result = { day, resumed: true, spentUsd: usd(spent), budgetUsd: usd(budget) };
    writeResult(shell, result, () => `Resumed reading X. Spent $${usd(spent)} of $${usd(budget)} on ${day} (UTC).`);
  });
}

/** For the health check of a container whose process does not listen. */
export async function checkProcess(shell: Shell, name: string): Promise<void> {
  // Asked every half minute: no migrations, no queues, one question to the database.
  const db = connectDb(readEnv(shell.source).DATABASE_URL, { max: 1 });
  try {
    const problem = await processProblem({ db, clock: systemClock }, name).catch(
      () => 'the database at DATABASE_URL isn’t answering',
    );
    const result = { process: name, runs: problem === undefined, problem: problem ?? null };
    writeResult(shell, result, () => `${name} ${problem ? `is not healthy: ${problem}` : 'is healthy'}.`);
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
