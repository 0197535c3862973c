// What the watchdog has read and found, from its rows: for alerts, and for the operators' page.
import type { ReadCtx } from '../../context.ts';
import type { Check, Finding } from '../alerts.ts';
import { isUnshown } from './watchRows.ts';

/** A watchdog that has judged nothing new of a chain for this long is behind: its looks are seconds apart. */
const BEHIND_AFTER_MS = 60_000;
const FOUND_SHOWN = 3;

export type WatchView = {
  chain: string;
  label: string;
  /** Null while it could pause the chain's bot router or program; `unknown` before it has looked. */
  problem: string | null;
  endpoints: {
    number: number;
    /** Blocks, or slots of Solana, as decimal strings. */
    block: string;
    left: string;
    late_seconds: number;
    problem: string | null;
    /** What it shows and nothing proves. */
    unproven: number;
  }[];
  /** Newest first. `hash` is "nonce 7 of 0x…" where no endpoint shows the transaction; `executor` where its signature proves it. */
  found: { hash: string; executor: string | null; seen_at: string; paused_at: string | null }[];
};

/** Of every chain of this process that a watchdog has looked at, or should. */
export async function listWatched(ctx: ReadCtx): Promise<WatchView[]> {
  const [marks, guardians, sightings, nonces, found] = await Promise.all([
    ctx.db.watchCheckpoint.findMany({ orderBy: [{ chain: 'asc' }, { number: 'asc' }] }),
    ctx.db.watchGuardian.findMany(),
    ctx.db.watchSighting.groupBy({ by: ['chain', 'endpoint'], where: { executorOnly: true }, _count: true }),
    ctx.db.watchNonce.groupBy({ by: ['chain', 'endpoint'], where: { unproven: { not: null } }, _count: true }),
    ctx.db.foreignTransaction.findMany({ orderBy: { seenAt: 'desc' }, take: 100 }),
  ]);
  const now = ctx.clock.now();
  const unproven = (chain: string, endpoint: string) =>
    [...sightings, ...nonces]
      .filter((one) => one.chain === chain && one.endpoint === endpoint)
      .reduce((sum, { _count }) => sum + _count, 0);
  return Object.values(ctx.chains).flatMap(({ name, facts, local }) => {
    const own = marks.filter(({ chain }) => chain === name);
    const guardian = guardians.find(({ chain }) => chain === name);
    // A local chain may run without one.
    if (local && own.length === 0 && !guardian) return [];
    return [
      {
        chain: name,
        label: facts.label,
        problem: guardian ? guardian.problem : 'unknown',
        endpoints: own.map((row) => ({
          number: row.number,
          block: String(row.head > row.block ? row.head : row.block),
          left: String(row.head > row.block ? row.head - row.block : 0n),
          late_seconds: Math.max(0, Math.round((now - row.caughtUpAt.getTime()) / 1_000)),
          problem: row.problem,
          unproven: unproven(name, row.endpoint),
        })),
        found: found
          .filter(({ chain }) => chain === name)
          .slice(0, FOUND_SHOWN)
          .map((row) => ({
            hash: row.hash,
            executor: isUnshown(row.hash) ? null : row.executor,
            seen_at: row.seenAt.toISOString(),
            paused_at: row.pausedAt?.toISOString() ?? null,
          })),
      },
    ];
  });
}

/** Whether every chain is watched by a key that could pause it. What was found is an event, with an alert of its own. */
export async function watchdogChecks(ctx: ReadCtx): Promise<Check[]> {
  const watched = await listWatched(ctx);
  const behind = watched.flatMap(({ chain, label, endpoints }): Finding[] => {
    if (endpoints.length === 0) return [{ subject: chain, message: `${label}: no watchdog has read a block.` }];
    return endpoints
      .filter(({ late_seconds, unproven }) => late_seconds * 1_000 > BEHIND_AFTER_MS || unproven > 0)
      .map(({ number, late_seconds, problem, unproven }) => {
        const late = `it has not read the newest blocks for ${late_seconds} s${problem ? ` (${problem})` : ''}`;
        const alone = `it shows ${unproven} use${unproven === 1 ? '' : 's'} of an executor’s power that no other endpoint and no signature confirms`;
        return {
          subject: `${chain} ${number}`,
          message: `${label}, by endpoint ${number}: ${unproven > 0 ? alone : late}.`,
        };
      });
  });
  const powerless = watched
    .filter(({ problem }) => problem !== null)
    .map(({ chain, label, problem }) => ({
      subject: chain,
      message: `${label}: ${problem === 'unknown' ? 'no watchdog has a key for it' : problem}.`,
    }));
  return [
    { kind: 'watchdog_behind', found: behind },
    { kind: 'watchdog_powerless', found: [...powerless, ...(await owedPauses(ctx))] },
  ];
}

/** Longer than a pause takes to be in a block and to be seen there. */
const OWED_AFTER_MS = 60_000;

/** Pauses that not enough endpoints show: one lies or is away, or the guardian's transactions do not get in. */
async function owedPauses(ctx: ReadCtx): Promise<Finding[]> {
  const before = new Date(ctx.clock.now() - OWED_AFTER_MS);
  const where = { pausedAt: null, seenAt: { lt: before }, chain: { in: Object.keys(ctx.chains) } };
  const owed = await ctx.db.foreignTransaction.groupBy({ by: ['chain'], where, _min: { seenAt: true } });
  const labels = new Map(Object.values(ctx.chains).map(({ name, facts }) => [name as string, facts.label]));
  return owed.map(({ chain, _min: { seenAt } }) => ({
    subject: `${chain} pause`,
    message: `${labels.get(chain) ?? chain}: a pause is owed since ${seenAt?.toISOString() ?? 'long'}, and not enough endpoints show it.`,
  }));
}
