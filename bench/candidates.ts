// Ways to pay, listed over HTTP: how many lists a second with five sources whose prices are known, against a bare handler with the same reads and rows; and how
// long one takes that has to get its prices first, against the slowest bridge's own answer.
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import pg from 'pg';
import { createTestClient, http, parseEther, parseUnits, zeroAddress } from 'viem';
import { mintUsdc } from '../local/chains/deploy/usdc.ts';
import { localKey } from '../local/stack/people.ts';
import type { Address } from '../src/chain/rpc/client.ts';
import { CHAINS } from '../src/domain/chains.ts';
import type { CandidateListAnswer } from '../src/http/api/smartAnswers.ts';
import { middle, type Server, startServer } from './api.ts';
import { type CpuTimes, cpuSince, cpuTimes } from './cpu.ts';
import type { Row } from './main.ts';
import { anOrder, ask, round, SMART_CHAINS, type SmartBench, visitorHeaders } from './visitors.ts';

const CONNECTIONS = 50;
const SECONDS = 8;
const WARM_SECONDS = 3;
const ROUNDS = 3;
const PAYERS = 50;
const SOURCES = SMART_CHAINS.map((chain) => ({ chain, asset: 'USDC' }));

/** What the bridges take for an answer here: at the lower end of what a call over the internet takes, which leaves us the least room. */
const ANSWERS_MS = { relay: 300, across: 200 } as const;
const COLD = 21;
/** Longer than any price is kept, and than Relay's quotes of a minute are counted. */
const LATER_MS = 61_000;

const payers = Array.from({ length: PAYERS }, (_, index) => localKey(`bench candidate ${index}`).address);

export async function measureCandidates(bench: SmartBench): Promise<Row[]> {
  const { stack, api } = bench;
  await fundPayers(bench);
  const orderId = await anOrder(bench, '25');
  for (const payer of payers) await listOf(bench, orderId, payer);
  const env = { ...stack.processEnv, LOG_LEVEL: 'silent', BENCH_HANDLE: '' };
  const bare = await startServer('benchBare.mjs', 0, env);
  const db = new pg.Client({ connectionString: stack.processEnv['DATABASE_URL'] ?? '' });
  await db.connect();
  const countRows = async () =>
    Number((await db.query('select count(*) as count from smart_candidate')).rows[0]?.count);
  try {
    const runs: { ours: Fired[]; bare: Fired[] } = { ours: [], bare: [] };
    await fire(bench, bare, orderId, WARM_SECONDS);
    await fire(bench, api, orderId, WARM_SECONDS);
    // In turns, so that a machine that slows down slows both.
    for (let turn = 0; turn < ROUNDS; turn++) {
      runs.bare.push(await fire(bench, bare, orderId, SECONDS));
      const before = await countRows();
      const one = await fire(bench, api, orderId, SECONDS);
      if ((await countRows()) - before < one.calls * SOURCES.length) throw new Error('a list had too few candidates');
      runs.ours.push(one);
    }
    const of = (all: Fired[], figure: (one: Fired) => number) => round(middle(all.map(figure)));
    const cpuOf = (all: Fired[]) => of(all, ({ cpu }) => Object.values(cpu).reduce((sum, ms) => sum + ms, 0));
    const [value, baseline] = [
      of(runs.ours, ({ perSecond }) => perSecond),
      of(runs.bare, ({ perSecond }) => perSecond),
    ];
    const parts = Object.keys(runs.ours[0]?.cpu ?? {})
      .map((part) => `${part} ${of(runs.ours, ({ cpu }) => cpu[part] ?? 0)}`)
      .join(', ');
    return [
      {
        name: `POST /api/pay/smart/candidates, five sources, ${CONNECTIONS} connections`,
        value: Math.round(value),
        unit: 'calls/s',
        baseline: Math.round(baseline),
        ratio: round(value / baseline),
        note: `goal 200; p50 ${of(runs.ours, ({ p50 }) => p50)} ms; baseline: a bare Express 5 handler with raw pg, the same balances and rows, no prices, no limits, no planner`,
      },
      {
        name: 'processor time a list of candidates',
        value: cpuOf(runs.ours),
        unit: 'ms',
        baseline: cpuOf(runs.bare),
        ratio: round(cpuOf(runs.ours) / cpuOf(runs.bare)),
        note: `${parts}; baseline: the bare handler’s`,
      },
    ];
  } finally {
    await db.end();
    bare.stop();
  }
}

/** The caller stops the workers first, and uses the API no longer: its clock is ahead afterwards. */
export async function measureColdPrices(bench: SmartBench): Promise<Row> {
  const orderId = await anOrder(bench, '25');
  const faults = `${bench.stack.local.bridges_url}/_user/faults`;
  const [payer, other] = payers as [Address, Address];
  const times = { cold: [] as number[], known: [] as number[], relay: [] as number[], across: [] as number[] };
  for (const [bridge, ms] of Object.entries(ANSWERS_MS)) {
    const body = JSON.stringify({ bridge, kind: 'slow', ms, times: 1_000_000 });
    await fetch(faults, { method: 'POST', body });
  }
  try {
    // The first is not counted.
    for (let turn = 0; turn <= COLD; turn++) {
      bench.api.send({ clock: turn * LATER_MS });
      await sleep(50);
      const took = {
        relay: await timed(() => relayQuote(bench, payer)),
        across: await timed(() => acrossFees(bench)),
        cold: await timed(() => listOf(bench, orderId, payer)),
        known: await timed(() => listOf(bench, orderId, payer)),
      };
      await listOf(bench, orderId, other);
      if (turn > 0) for (const [name, ms] of Object.entries(took)) times[name as keyof typeof times].push(ms);
    }
  } finally {
    await fetch(faults, { method: 'DELETE' });
  }
  const [cold, known, relay, across] = [times.cold, times.known, times.relay, times.across].map((list) =>
    round(middle(list), 1),
  ) as [number, number, number, number];
  const slowest = Math.max(relay, across);
  return {
    name: 'list of candidates whose prices are not known yet, p50',
    value: cold,
    unit: 'ms',
    baseline: slowest,
    ratio: round(cold / slowest),
    note: `goal: ratio 1.2; baseline: the slowest bridge's own answer in this run (Relay ${relay}, Across ${across}, made slow by ${ANSWERS_MS.relay} and ${ANSWERS_MS.across}); ${round(cold - slowest, 1)} ms are ours; with known prices ${known} ms`,
  };
}

async function fundPayers({ stack }: SmartBench): Promise<void> {
  for (const { name, config } of stack.chains) {
    const rpcUrl = config.rpcUrls[0] ?? '';
    const admin = createTestClient({ mode: 'anvil', transport: http(rpcUrl) });
    for (const address of payers) await admin.setBalance({ address, value: parseEther('1') });
    const amount = parseUnits('40', CHAINS[name].usdcDecimals);
    await mintUsdc({ rpcUrl, usdc: config.usdc as Address, to: payers, amount });
  }
}

/** @throws Error for a list that is not of all five sources */
async function listOf(bench: SmartBench, orderId: string, payer: Address): Promise<void> {
  const body = { orderId, payer: [payer], sources: SOURCES };
  const { data, unavailable } = await ask<CandidateListAnswer>(bench, '/api/pay/smart/candidates', body);
  if (data.length !== SOURCES.length || unavailable.length > 0 || !data.every((one) => one.balance_ok))
    throw new Error(`${data.length} candidates, without ${unavailable}`);
}

let drawn = 0;

type Fired = { perSecond: number; p50: number; calls: number; cpu: CpuTimes };

/** `cpu` in milliseconds a call. @throws Error when any was answered with something else than success */
async function fire({ stack }: SmartBench, { base, pid }: Server, orderId: string, seconds: number): Promise<Fired> {
  const path = '/api/pay/smart/candidates';
  const before = cpuTimes(stack, { 'the API': pid });
  const result = await autocannon({
    url: base,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path,
        setupRequest: (request) => {
          drawn += 1;
          const body = JSON.stringify({ orderId, payer: [payers[drawn % PAYERS]], sources: SOURCES });
          return { ...request, headers: visitorHeaders(), body };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} answers were no success, ${result.errors} were none`);
  const calls = result['2xx'];
  const spent = Object.entries(cpuSince(before, stack, { 'the API': pid }));
  const cpu = Object.fromEntries(spent.map(([part, ms]) => [part, ms / calls] as const).filter(([, ms]) => ms > 0.01));
  return { perSecond: result.requests.average, p50: result.latency.p50, calls, cpu };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** USDC of Celo to USDC of Base, as we request it. */
async function relayQuote({ stack }: SmartBench, user: Address): Promise<void> {
  const body = JSON.stringify({
    user,
    recipient: user,
    originChainId: CHAINS.celo.chainId,
    destinationChainId: CHAINS.base.chainId,
    originCurrency: stack.local.chains['celo']?.usdc ?? zeroAddress,
    destinationCurrency: stack.local.chains['base']?.usdc ?? zeroAddress,
    amount: '33554432',
    tradeType: 'EXACT_OUTPUT',
    refundTo: user,
  });
  const url = `${stack.processEnv['RELAY_API_ROOT']}/quote/v2`;
  await succeeds(await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }));
}

async function acrossFees({ stack }: SmartBench): Promise<void> {
  const url = new URL(`${stack.processEnv['ACROSS_API_ROOT']}/suggested-fees`);
  url.search = new URLSearchParams({
    inputToken: stack.local.chains['celo']?.usdc ?? '',
    outputToken: stack.local.chains['base']?.usdc ?? '',
    originChainId: String(CHAINS.celo.chainId),
    destinationChainId: String(CHAINS.base.chainId),
    amount: '33554432',
  }).toString();
  await succeeds(await fetch(url));
}

async function succeeds(response: Response): Promise<void> {
  const text = await response.text();
  if (!response.ok) throw new Error(`a bridge answered ${response.status} ${text}`);
}
