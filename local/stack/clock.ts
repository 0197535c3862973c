// The clock of the local stack: moved forward, it moves every local chain, every process and the local platforms together. It is kept across restarts.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { createTestClient, publicActions } from 'viem';
import { rpcTransport } from '../../src/chain/rpc/transport.ts';
import { TOPICS, WAKE_CHANNEL } from '../../src/wakes.ts';
import { refreshFeeds } from '../chains/deploy/chain.ts';
import type { EmbeddedChain } from '../chains/embeddedChains.ts';
import type { Ledger } from '../solana/ledger.ts';
import { moveClockTo } from '../solana/slots.ts';
import { ROLES } from './roles.ts';

/** Five years: prices, certificates and what else knows the real date still make sense. */
const MOST_MS = 5 * 366 * 86_400_000;
/** A chain that is behind by less is in time: blocks have whole seconds. */
const SLACK_S = 2;
/** A charge that is due is due on its chain as well: that may be behind by the slack, and its newest block is a second or two old. */
const DUE_SLACK_MS = SLACK_S * 1_000 + 3_000;
/** A chain or a process that is stopped does not stop the clock. What its chain found early is tried again within this time. */
const DONE_WITHIN_MS = 20_000;
const LOOK_MS = 50;

export type LocalClock = {
  offsetMs(): number;
  /** Unix milliseconds. */
  now(): number;
  /** Moves it, one call after the other. @returns the whole offset in milliseconds. @throws RangeError for a step back or too far */
  advance(ms: number): Promise<number>;
  /** Brings chains that were started without their time to the clock's. */
  bind(stack: ClockedStack): Promise<void>;
};

type ClockedStack = {
  chains: EmbeddedChain[];
  /** Of the Solana chain, where there is one; its own clock is this one. */
  solana?: Ledger | null;
  databaseUrl: string;
  onMoved(offsetMs: number): void;
};

export function openClock(file: string): LocalClock {
  let offsetMs = readOffset(file);
  let stack: ClockedStack | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const now = () => Date.now() + offsetMs;

  /** What becomes due on the way is done in its order: the clock stops at each of it. */
  async function move(ms: number): Promise<number> {
    if (!stack) throw new Error('the stack is not started yet');
    const target = offsetMs + ms;
    if (!Number.isSafeInteger(ms) || ms <= 0) throw new RangeError('The clock only moves forward.');
    if (target > MOST_MS) throw new RangeError('The clock moves at most five years. Start over: npm start -- --fresh');
    const { databaseUrl } = stack;
    for (;;) {
      const left = target - offsetMs;
      if (left <= 0) return offsetMs;
      const due = await withClient(databaseUrl, (client) => nextDue(client, now(), now() + left));
      await step(stack, due === null ? left : Math.min(left, Math.max(1, due + DUE_SLACK_MS - now())));
      if (due !== null) await withClient(databaseUrl, (client) => untilDone(client, now()));
    }
  }

  async function step({ chains, solana, databaseUrl, onMoved }: ClockedStack, ms: number): Promise<void> {
    const next = offsetMs + ms;
    // First the chains: what is due by a process's clock is due on them.
    await Promise.all(chains.map((chain) => bring(chain, Math.floor((Date.now() + next) / 1_000))));
    if (solana) moveClockTo(solana, Date.now() + next);
    await shiftRows(databaseUrl, ms);
    offsetMs = next;
    writeFileSync(`${file}.new`, JSON.stringify({ offset_ms: offsetMs }), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    onMoved(offsetMs);
    await wakeAll(databaseUrl);
  }

  return {
    offsetMs: () => offsetMs,
    now,
    advance(ms) {
      const moved = last.then(() => move(ms));
      last = moved.catch(() => {});
      return moved;
    },
    async bind(given) {
      stack = given;
      if (offsetMs === 0) return;
      await Promise.all(given.chains.map((chain) => bring(chain, Math.floor(now() / 1_000))));
      if (given.solana) moveClockTo(given.solana, now());
    },
  };
}

function readOffset(file: string): number {
  try {
    const { offset_ms: offset } = JSON.parse(readFileSync(file, 'utf8')) as { offset_ms?: unknown };
    return typeof offset === 'number' && offset > 0 ? offset : 0;
  } catch {
    return 0;
  }
}

/** Makes the chain's newest block as late as a Unix second. */
async function bring({ config, nativeUsdPrice, solFeeds }: EmbeddedChain, seconds: number): Promise<void> {
  const rpcUrl = config.rpcUrls[0] ?? '';
  const client = createTestClient({ mode: 'anvil', transport: rpcTransport(rpcUrl, { timeout: 10_000 }) }).extend(
    publicActions,
  );
  await client.mine({ blocks: 1 });
  const { timestamp } = await client.getBlock();
  const behind = seconds - Number(timestamp);
  if (behind <= SLACK_S) return;
  await client.increaseTime({ seconds: behind });
  // Enough for what was under way before the jump to be final after it.
  await client.mine({ blocks: (config.confirmations ?? 1) + 1 });
  await refreshFeeds({ rpcUrl, native: config.priceFeeds, nativeUsdPrice, sol: solFeeds, owner: ROLES.deployer.key });
}

/** Within the first day each run tries again: that is waited for once, at its end. */
const RETRY_AT = `coalesce(s.next_try_at, s.failing_since + interval '1 day')`;

/** The first moment in a time at which a subscription is charged, tried again or started. @returns Unix milliseconds */
async function nextDue(client: pg.Client, fromMs: number, toMs: number): Promise<number | null> {
  const { rows } = await client.query<{ at: Date | null }>(
    `select min(at) as at from (
       select next_charge_at as at from subscription where status = 'active' and failure is null
       union all select ${RETRY_AT} from subscription s where status = 'active' and failure is not null
       union all select try_at from trial where status = 'waiting'
     ) due where at > $1 and at <= $2`,
    [new Date(fromMs), new Date(toMs)],
  );
  return rows[0]?.at?.getTime() ?? null;
}

/** What fell due is charged, or has failed. */
async function untilDone(client: pg.Client, nowMs: number): Promise<void> {
  for (const end = performance.now() + DONE_WITHIN_MS; performance.now() < end; ) {
    const { rows } = await client.query<{ waits: boolean }>(
      `select exists (
         select from subscription s join plan p on p.id = s.plan_id
         where s.status = 'active' and p.status = 'active' and s.next_charge_at <= $1
           and (s.failure is null or ${RETRY_AT} <= $1)
       ) or exists (select from trial where status in ('waiting', 'submitted') and try_at <= $1) as waits`,
      [new Date(nowMs)],
    );
    if (!rows[0]?.waits) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Browsers stay signed in, and processes, checkpoints and executors are not late: they lived through no day of it. */
async function shiftRows(databaseUrl: string, ms: number): Promise<void> {
  const by = `interval '${ms} milliseconds'`;
  await withClient(databaseUrl, async (client) => {
    await client.query('begin');
    await client.query(
      `update session set expires_at = expires_at + ${by}, last_seen_at = last_seen_at + ${by} where revoked_at is null`,
    );
    await client.query(`update operator_session set expires_at = expires_at + ${by}`);
    await client.query(`update beat set started_at = started_at + ${by}, last_seen_at = last_seen_at + ${by}`);
    await client.query(
      `update indexer_checkpoint set caught_up_at = caught_up_at + ${by}, updated_at = updated_at + ${by}`,
    );
    await client.query('commit');
  });
}

async function wakeAll(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (const topic of TOPICS) await client.query('select pg_notify($1, $2)', [WAKE_CHANNEL, topic]);
  });
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
