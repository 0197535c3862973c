// `npm run bench`: how fast and how large the main job is, on each platform and on both backends of the queues, as a table and as JSON lines. Every ratio
// compares two things measured in this run, on the same chain. `npm run bench -- indexer` measures the indexer alone,
// `-- charges` subscriptions, `-- smart` smart payments, `-- solana` tips on Solana, `-- dashboard` what a merchant looks at.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from '../local/stack/chromium.ts';
import { findRedisServer, startRedis } from '../local/stack/redis.ts';
import { type Stack, startStack } from '../local/stack/stack.ts';
import type { ChainName } from '../src/domain/chains.ts';
import { measureApi } from './api.ts';
import { measureCharges } from './charges.ts';
import { measureClaims } from './claims.ts';
import { measureDashboard } from './dashboard.ts';
import { measureGas } from './gas.ts';
import { measureIdle } from './idle.ts';
import { measureIndexer } from './indexer.ts';
import { measureMemory } from './memory.ts';
import { measurePages } from './pages.ts';
import { measureParser } from './parser.ts';
import { measurePlatforms } from './platforms.ts';
import { measureSmart } from './smart.ts';
import { measureSolana } from './solana.ts';
import { measureSolanaIndexer } from './solanaIndexer.ts';
import { measureTips } from './tips.ts';
import { SMART_CHAINS } from './visitors.ts';
import { measureWebhooks } from './webhooks.ts';

export type Row = { name: string; value: number; unit: string; baseline?: number; ratio?: number; note?: string };

const rows: Row[] = [];
function report(row: Row): void {
  rows.push(row);
  process.stdout.write(`${JSON.stringify(row)}\n`);
}

/** Runs `work` over a stack in a folder of its own; `starts` says how often it is started before. */
async function withStack(
  env: Record<string, string | undefined>,
  starts: number,
  work: (stack: Stack, startedInMs: number) => Promise<void>,
  chains: ChainName[] = ['base', 'base-sepolia', 'solana'],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ampersat-bench-'));
  chmodSync(folder, 0o711);
  const start = () => startStack({ dataDir: folder, port: 0, chains, fresh: false, env });
  try {
    for (let i = 0; i < starts; i++) await (await start()).stop();
    const began = performance.now();
    const stack = await start();
    try {
      await work(stack, performance.now() - began);
    } finally {
      await stack.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { REDIS_URL: _, ...env } = process.env;
/** X is polled more often than locally by default, or the wait for a poll would be all that its rows show. */
const OFTEN = { X_POLL_SECONDS: '0.5' };
const isIndexerOnly = process.argv.includes('indexer');
const isChargesOnly = process.argv.includes('charges');
const isSmartOnly = process.argv.includes('smart');
const isSolanaOnly = process.argv.includes('solana');
const isDashboardOnly = process.argv.includes('dashboard');
const smartRows = async (stack: Stack) => {
  for (const row of await measureSmart(stack)) report(row);
};
if (isIndexerOnly)
  await withStack(env, 0, async (stack) => {
    await stack.children.workers.stop();
    for (const row of [...(await measureIndexer(stack)), ...(await measureSolanaIndexer(stack))]) report(row);
  });
else if (isChargesOnly)
  await withStack(env, 0, async (stack) => {
    for (const row of await measureCharges(stack)) report(row);
  });
else if (isSolanaOnly)
  await withStack(env, 0, async (stack) => {
    for (const row of await measureSolana(stack)) report(row);
    report(measureMemory(stack));
  });
else if (isDashboardOnly)
  await withStack(env, 0, async (stack) => {
    await stack.children.workers.stop();
    for (const row of await measureDashboard(stack)) report(row);
  });
else if (isSmartOnly) await withStack(env, 0, smartRows, SMART_CHAINS);
else await measureAll();

/** What this machine does in the processor time that the other rows count: rented processors differ by the hour. */
function measureMachine(): Row {
  const began = process.cpuUsage();
  let sum = 0;
  for (let i = 0; i < 1e9; i++) sum += i;
  const { user } = process.cpuUsage(began);
  return {
    name: 'machine: a thousand million additions',
    value: Math.round(user / 1e4) / 100,
    unit: 's',
    note: `${sum}`,
  };
}

async function measureAll(): Promise<void> {
  report(measureMachine());
  report(await measureParser());
  await withStack(env, 1, async (stack, startedInMs) => {
    const value = Math.round(startedInMs / 10) / 100;
    report({ name: 'start of the whole stack, warm', value, unit: 's', note: 'goal below 10' });
    for (const row of await measureIdle(stack)) report(row);
  });
  await withStack({ ...env, ...OFTEN }, 0, async (stack) => {
    for (const row of await measureTips(stack, 'PostgreSQL')) report(row);
    report(measureMemory(stack));
    if (chromiumPath) for (const row of await measurePages(stack)) report(row);
    report(await measureClaims(stack));
    for (const row of await measurePlatforms(stack, 'PostgreSQL')) report(row);
    for (const row of await measureCharges(stack)) report(row);
    await stack.children.workers.stop();
    for (const row of await measureWebhooks(stack, 'PostgreSQL')) report(row);
    for (const row of await measureApi(stack)) report(row);
    for (const row of [...(await measureIndexer(stack)), ...(await measureSolanaIndexer(stack))]) report(row);
    for (const row of await measureGas(stack)) report(row);
    for (const row of await measureDashboard(stack)) report(row);
  });
  await withStack(env, 0, async (stack) => {
    for (const row of await measureSolana(stack)) report(row);
  });
  await withStack(env, 0, smartRows, SMART_CHAINS);
  if (findRedisServer()) {
    const redis = await startRedis();
    try {
      await withStack({ ...env, REDIS_URL: redis.url }, 0, async (stack) => {
        for (const row of await measureTips(stack, 'Redis')) report(row);
        await stack.children.workers.stop();
        for (const row of await measureWebhooks(stack, 'Redis')) report(row);
      });
    } finally {
      await redis.stop();
    }
  }
}

process.stdout.write('\n');
for (const { name, value, unit, baseline, ratio, note } of rows) {
  const compared = baseline === undefined ? '' : `  (baseline ${baseline} ${unit}, ratio ${ratio})`;
  process.stdout.write(
    `${name.padEnd(64)} ${String(value).padStart(10)} ${unit}${compared}${note ? `  ${note}` : ''}\n`,
  );
}
if (!isIndexerOnly && !isChargesOnly && !isSmartOnly && !isSolanaOnly && !isDashboardOnly && !chromiumPath)
  process.stdout.write('The pages were left out: there is no Chromium on this machine.\n');
if (!isIndexerOnly && !isSmartOnly && !isSolanaOnly && !isDashboardOnly && !findRedisServer())
  process.stdout.write('Redis was left out: there is no redis-server on this machine.\n');
process.exit(0);
