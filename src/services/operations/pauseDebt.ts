// Pauses that the watchdog owes, the same for every family of chains: each is sent by each endpoint's own word, and stays owed until enough endpoints say that
// it holds.
import type { Ctx } from '../../context.ts';
import { enoughOf, type Watched } from './watchRows.ts';

/** Between two tries by one endpoint: longer each time, so that one that denies a pause cannot spend the guardian's gas. */
const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000];
/** The longest wait where no endpoint took the pause, which has cost nothing: the guardian may have gas again. */
const REFUSED_MS = 60_000;
/** Foreign transactions that one process keeps in mind: one is enough for a pause. */
const OWED_AT_ONCE = 1_000;

export type Debt = {
  owed: Map<string, { confirmed: Set<number> }>;
  tries: Map<number, { count: number; nextAt: number }>;
};
/** What one endpoint says and takes. `waits`: there is nothing to send now. */
type Pausing = {
  standing(): Promise<'paused' | 'waits' | 'open'>;
  /** @throws Error where no endpoint takes it */
  send(): Promise<string>;
  /** The longest wait between two tries, where a try costs next to nothing. */
  longestMs?: number;
};

export function openDebt(): Debt {
  return { owed: new Map(), tries: new Map() };
}

export function owePause({ owed, tries }: Debt, hash: string): void {
  if (owed.has(hash) || owed.size >= OWED_AT_ONCE) return;
  owed.set(hash, { confirmed: new Set() });
  for (const attempt of tries.values()) Object.assign(attempt, { count: 0, nextAt: 0 });
}

/** What a process before this one left behind. */
export async function loadOwed(ctx: Ctx, { chain }: Watched, debt: Debt): Promise<void> {
  const rows = await ctx.db.foreignTransaction.findMany({
    where: { chain: chain.name, pausedAt: null },
    take: OWED_AT_ONCE,
    select: { hash: true },
  });
  for (const { hash } of rows) owePause(debt, hash);
}

/** One round of what is owed, by one endpoint. @returns how much is owed after it */
export async function payDebt(ctx: Ctx, watched: Watched, debt: Debt, number: number, by: Pausing): Promise<number> {
  const open = [...debt.owed].filter(([, { confirmed }]) => !confirmed.has(number));
  if (open.length > 0) {
    const standing = await by.standing();
    if (standing === 'paused') for (const [, entry] of open) entry.confirmed.add(number);
    if (standing === 'open') await tryPause(ctx, watched, debt, number, by);
  }
  await closeHeld(ctx, watched, debt);
  return debt.owed.size;
}

async function tryPause(
  ctx: Ctx,
  { chain }: Watched,
  { tries, owed }: Debt,
  number: number,
  by: Pausing,
): Promise<void> {
  const { count, nextAt } = tries.get(number) ?? { count: 0, nextAt: 0 };
  if (performance.now() < nextAt) return;
  const wait = Math.min(RETRY_MS[Math.min(count, RETRY_MS.length - 1)] ?? 0, by.longestMs ?? Number.POSITIVE_INFINITY);
  const attempt = { count: count + 1, nextAt: performance.now() + wait };
  tries.set(number, attempt);
  const pause = await by.send().catch((error) => {
    attempt.nextAt = Math.min(attempt.nextAt, performance.now() + REFUSED_MS);
    throw error;
  });
  ctx.log.error({ chain: chain.name, endpoint: number, pause, for: [...owed.keys()] }, 'pausing new work on a chain');
}

/** A pause holds once enough endpoints say so, however long the others deny it. */
async function closeHeld(ctx: Ctx, { chain, endpoints }: Watched, { owed }: Debt): Promise<void> {
  const enough = enoughOf(endpoints);
  for (const [hash, { confirmed }] of owed) {
    if (new Set([...confirmed].map((number) => endpoints[number])).size < enough) continue;
    const { count } = await ctx.db.foreignTransaction.updateMany({
      where: { chain: chain.name, hash, pausedAt: null },
      data: { pausedAt: new Date(ctx.clock.now()) },
    });
    // Its row may not be written yet.
    const isWritten = count > 0 || (await ctx.db.foreignTransaction.count({ where: { chain: chain.name, hash } })) > 0;
    if (isWritten) owed.delete(hash);
  }
}

/** Notes whether the guardian could pause, by what endpoints answer. One that says it could not is enough for an alert. */
export async function noteGuardian(
  ctx: Ctx,
  { chain }: Watched,
  address: string,
  asked: readonly Promise<string | null>[],
): Promise<void> {
  const answers = await Promise.allSettled(asked);
  const given = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (given.length === 0) return;
  const problem = given.find((one) => one !== null) ?? null;
  const data = { address, problem, lookedAt: new Date(ctx.clock.now()) };
  await ctx.db.watchGuardian.upsert({
    where: { chain: chain.name },
    create: { chain: chain.name, ...data },
    update: data,
  });
}
