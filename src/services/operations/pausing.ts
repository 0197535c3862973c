// The watchdog's pauses: what is owed is sent by each endpoint's own word until that endpoint says that the router is paused.
import type { PrivateKeyAccount } from '../../chain/rpc/client.ts';
import { type Bid, guardianProblem, isPausedBy, sendPause } from '../../chain/watch/pausing.ts';
import type { Ctx } from '../../context.ts';
import { enoughOf, type Watch } from './watching.ts';

/** Between two tries by one endpoint: longer each time, so that one that denies a pause cannot spend the guardian's gas. */
const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000];
/** After enough endpoints confirmed a pause, one that denies it is tried no longer than this. */
const DENIED_FOR_MS = 10 * 60_000;
/** Foreign transactions that one process keeps in mind: one is enough for a pause. */
const OWED_AT_ONCE = 1_000;

export type Pauses = {
  owed: Map<string, { since: number; confirmed: Set<number> }>;
  guardian: PrivateKeyAccount;
  tries: Map<number, { bid: Bid; count: number; nextAt: number }>;
};

export function openPauses(guardian: PrivateKeyAccount): Pauses {
  return { owed: new Map(), guardian, tries: new Map() };
}

export function owePause({ owed, tries }: Pauses, hash: string): void {
  if (owed.has(hash) || owed.size >= OWED_AT_ONCE) return;
  owed.set(hash, { since: performance.now(), confirmed: new Set() });
  for (const attempt of tries.values()) Object.assign(attempt, { count: 0, nextAt: 0 });
}

/** What a process before this one left behind. */
export async function loadOwed(ctx: Ctx, { chain }: Watch, pauses: Pauses): Promise<void> {
  const rows = await ctx.db.foreignTransaction.findMany({
    where: { chain: chain.name, pausedAt: null },
    take: OWED_AT_ONCE,
    select: { hash: true },
  });
  for (const { hash } of rows) owePause(pauses, hash);
}

/** One round of what is owed, by one endpoint. @returns how much is owed after it */
export async function pauseBy(ctx: Ctx, watch: Watch, pauses: Pauses, number: number): Promise<number> {
  const { chain } = watch;
  const client = chain.endpoints[number];
  if (!client || pauses.owed.size === 0) return 0;
  const open = [...pauses.owed].filter(([, { confirmed }]) => !confirmed.has(number));
  if (open.length > 0) {
    if (await isPausedBy(client, chain)) for (const [, entry] of open) entry.confirmed.add(number);
    else await tryPause(ctx, watch, pauses, number);
  }
  await closeHeld(ctx, watch, pauses);
  return pauses.owed.size;
}

async function tryPause(ctx: Ctx, { chain }: Watch, { guardian, tries, owed }: Pauses, number: number): Promise<void> {
  const client = chain.endpoints[number];
  const { bid: last, count, nextAt } = tries.get(number) ?? { bid: null, count: 0, nextAt: 0 };
  if (!client || performance.now() < nextAt) return;
  const wait = RETRY_MS[Math.min(count, RETRY_MS.length - 1)] ?? 0;
  tries.set(number, { bid: last, count: count + 1, nextAt: performance.now() + wait });
  const { bid, hash } = await sendPause(chain, client, guardian, last);
  tries.set(number, { bid, count: count + 1, nextAt: performance.now() + wait });
  ctx.log.error({ chain: chain.name, endpoint: number, pause: hash, for: [...owed.keys()] }, 'pausing the bot router');
}

/** A pause holds once every endpoint says so, or enough of them do and the others have denied it for long. */
async function closeHeld(ctx: Ctx, { chain, endpoints }: Watch, { owed }: Pauses): Promise<void> {
  const enough = enoughOf(endpoints);
  for (const [hash, { since, confirmed }] of owed) {
    const isHeld = confirmed.size >= enough;
    if (!isHeld && (confirmed.size === 0 || performance.now() - since < DENIED_FOR_MS)) continue;
    const { count } = await ctx.db.foreignTransaction.updateMany({
      where: { chain: chain.name, hash, pausedAt: null },
      data: { pausedAt: new Date(ctx.clock.now()) },
    });
    // Its row may not be written yet.
    const isWritten = count > 0 || (await ctx.db.foreignTransaction.count({ where: { chain: chain.name, hash } })) > 0;
    if (isWritten) owed.delete(hash);
  }
}

/** Notes whether the guardian could pause. One endpoint that says it could not is enough for an alert. */
export async function lookAtGuardian(ctx: Ctx, { chain }: Watch, { guardian }: Pauses): Promise<void> {
  const answers = await Promise.allSettled(chain.endpoints.map((client) => guardianProblem(client, chain, guardian)));
  const given = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (given.length === 0) return;
  const problem = given.find((one) => one !== null) ?? null;
  const data = { address: guardian.address, problem, lookedAt: new Date(ctx.clock.now()) };
  await ctx.db.watchGuardian.upsert({
    where: { chain: chain.name },
    create: { chain: chain.name, ...data },
    update: data,
  });
}
