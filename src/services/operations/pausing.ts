// The watchdog's pauses: what is owed is sent by each endpoint's own word, and stays owed until enough endpoints say that the router is paused.
import type { PrivateKeyAccount } from '../../chain/rpc/client.ts';
import {
  type Bids,
  cancelPauses,
  guardianNonce,
  guardianProblem,
  isPausedBy,
  sendPause,
} from '../../chain/watch/pausing.ts';
import type { Ctx } from '../../context.ts';
import { enoughOf, type Watch } from './watching.ts';

/** Between two tries by one endpoint: longer each time, so that one that denies a pause cannot spend the guardian's gas. */
const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000];
/** Foreign transactions that one process keeps in mind: one is enough for a pause. */
const OWED_AT_ONCE = 1_000;

export type Pauses = {
  owed: Map<string, { confirmed: Set<number> }>;
  guardian: PrivateKeyAccount;
  tries: Map<number, { count: number; nextAt: number }>;
  /** Signed, and not known to be in a block. */
  bids: Bids;
  /** The guardian's next nonce, as enough endpoints named it last. */
  nonce: number | null;
};

export function openPauses(guardian: PrivateKeyAccount): Pauses {
  return { owed: new Map(), guardian, tries: new Map(), bids: new Map(), nonce: null };
}

export function owePause({ owed, tries }: Pauses, hash: string): void {
  if (owed.has(hash) || owed.size >= OWED_AT_ONCE) return;
  owed.set(hash, { confirmed: new Set() });
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

/** One round of what is owed, by one endpoint; once nothing is, what was signed for it is made worthless. @returns how much is owed after it */
export async function pauseBy(ctx: Ctx, watch: Watch, pauses: Pauses, number: number): Promise<number> {
  const { chain } = watch;
  const client = chain.endpoints[number];
  if (!client) return 0;
  if (pauses.owed.size === 0) {
    if (number === 0 && pauses.bids.size > 0)
      await cancelPauses(chain, pauses.guardian, { bids: pauses.bids, known: pauses.nonce });
    return 0;
  }
  const open = [...pauses.owed].filter(([, { confirmed }]) => !confirmed.has(number));
  if (open.length > 0) {
    if (await isPausedBy(client, chain)) for (const [, entry] of open) entry.confirmed.add(number);
    else await tryPause(ctx, watch, pauses, number);
  }
  await closeHeld(ctx, watch, pauses);
  return pauses.owed.size;
}

async function tryPause(ctx: Ctx, { chain }: Watch, pauses: Pauses, number: number): Promise<void> {
  const { guardian, tries, owed, bids, nonce: known } = pauses;
  const client = chain.endpoints[number];
  const { count, nextAt } = tries.get(number) ?? { count: 0, nextAt: 0 };
  if (!client || performance.now() < nextAt) return;
  const wait = RETRY_MS[Math.min(count, RETRY_MS.length - 1)] ?? 0;
  tries.set(number, { count: count + 1, nextAt: performance.now() + wait });
  const hash = await sendPause(chain, client, guardian, { bids, known });
  ctx.log.error({ chain: chain.name, endpoint: number, pause: hash, for: [...owed.keys()] }, 'pausing the bot router');
}

/** A pause holds once enough endpoints say so, however long the others deny it. */
async function closeHeld(ctx: Ctx, { chain, endpoints }: Watch, { owed }: Pauses): Promise<void> {
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

/** Notes whether the guardian could pause. One endpoint that says it could not is enough for an alert. */
export async function lookAtGuardian(ctx: Ctx, { chain, endpoints }: Watch, pauses: Pauses): Promise<void> {
  const { guardian } = pauses;
  pauses.nonce = (await guardianNonce(chain, guardian, enoughOf(endpoints))) ?? pauses.nonce;
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
