// The rows of the watchdog, the same for every family of chains: how far each endpoint was judged, and what is foreign.
import { createHash } from 'node:crypto';
import type { Chain } from '../../chain/chain.ts';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { scrub } from '../../domain/scrub.ts';
import { enoughEndpoints } from '../../domain/watchdog.ts';
import { raiseEvent } from '../alerts.ts';

/** A chain as the watchdog follows it. */
export type Watched<C extends Chain = Chain> = {
  chain: C;
  /** By their place in the configuration: names without what is secret in a URL. */
  endpoints: string[];
  /** Called as soon as a transaction is known to be foreign, before any row says so. */
  onForeign(hash: string): void;
  /** What is done about it, in a sentence for operators. */
  sequel: string;
};

export function endpointNames(urls: readonly string[]): string[] {
  return urls.map((url) => createHash('sha256').update(url).digest('hex').slice(0, 16));
}

/** An endpoint that is named twice is one. */
export function enoughOf(endpoints: readonly string[]): number {
  return enoughEndpoints(new Set(endpoints).size);
}

/** Never of an answer that was read before: a transaction of ours is stored before it is sent. */
export async function storedOf(ctx: Ctx, hashes: string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await ctx.db.txAttempt.findMany({ where: { hash: { in: hashes } }, select: { hash: true } });
  return new Set(rows.map(({ hash }) => hash));
}

/** `nonce`: which one of the executor's it used, on EVM chains; `isShown`: whether an endpoint shows the transaction, and not only its nonce as used. */
export type Foreign = {
  hash: string;
  block: number;
  executor?: string | null;
  nonce?: number | null;
  isShown?: boolean;
};

const UNSHOWN = 'nonce ';
/** What stands for a transaction that no endpoint shows. */
const nameOfNonce = (nonce: number, executor: string) => `${UNSHOWN}${nonce} of ${executor}`;
export const isUnshown = (hash: string) => hash.startsWith(UNSHOWN);

/** Of a nonce that the chain counts as used, by a transaction that no endpoint shows. */
export function foreignNonce(executor: string, nonce: number, block: number): Foreign {
  return { hash: nameOfNonce(nonce, executor), block, executor, nonce, isShown: false };
}

/** A pause does not wait for the row; the mark of the endpoint does. One theft is one row, whichever of both ways shows it first. */
export async function storeForeign(
  ctx: Ctx,
  watch: Watched,
  { hash, block, executor = null, nonce = null, isShown = true }: Foreign,
): Promise<void> {
  const { name, facts } = watch.chain;
  const hasNonce = executor !== null && nonce !== null;
  const same = isShown ? { hash: hasNonce ? nameOfNonce(nonce, executor) : hash } : { executor, nonce };
  if ((await ctx.db.foreignTransaction.count({ where: { chain: name, OR: [{ hash }, same] } })) > 0) return;
  watch.onForeign(hash);
  const where = { chain: name, hash };
  await ctx.db.$transaction(async (tx) => {
    const row = { ...where, executor, nonce, block: BigInt(block), seenAt: new Date(ctx.clock.now()) };
    const { count } = await tx.foreignTransaction.createMany({ data: [row], skipDuplicates: true });
    await tx.watchSighting.deleteMany({ where });
    if (count === 0) return;
    const who = executor ? `the key of ${executor} signed it` : 'two endpoints show it';
    const what = isShown
      ? `transaction ${hash} in block ${block} used an executor’s power, and no row of ours signed it (${who})`
      : `the chain counts ${hash} as used up to block ${block}, by no transaction of our rows`;
    const message = `${facts.label}: ${what}. ${watch.sequel}`;
    await raiseEvent(ctx, tx, 'watchdog_paused', { subject: `${name} ${hash}`, message });
  });
}

export type Own = Row<'WatchCheckpoint'> | null;

/** An endpoint that has not answered since it was configured: what it shows of the blocks from then on is still to be read. */
export const isUnread = ({ blockHash }: Pick<Row<'WatchCheckpoint'>, 'blockHash'>) => blockHash === '';

/** Where the endpoints that have not answered yet begin: with the first block that any of the others has read, or has still to read. */
export async function noteUnread(
  ctx: Ctx,
  { chain, endpoints }: Watched,
  rows: Row<'WatchCheckpoint'>[],
  { from, head }: { from: number; head: number },
): Promise<void> {
  const known = rows.map(({ block }) => Number(block)).filter((block) => block <= head);
  const block = BigInt(Math.max(0, known.length > 0 ? Math.min(...known) : from - 1));
  const now = new Date(ctx.clock.now());
  const data = endpoints.flatMap((endpoint, number) => {
    if (rows.some((row) => row.endpoint === endpoint)) return [];
    const mark = { block, blockHash: '', head: BigInt(head), lookedAt: now, caughtUpAt: now };
    return [{ chain: chain.name, endpoint, number, ...mark, problem: 'it has not answered yet' }];
  });
  if (data.length > 0) await ctx.db.watchCheckpoint.createMany({ data, skipDuplicates: true });
}

export async function upsertMark(
  db: Tx,
  chain: string,
  endpoint: string,
  create: Omit<Row<'WatchCheckpoint'>, 'chain' | 'endpoint'>,
  update: Partial<Row<'WatchCheckpoint'>>,
): Promise<void> {
  const where = { chain_endpoint: { chain, endpoint } };
  await db.watchCheckpoint.upsert({ where, create: { chain, endpoint, ...create }, update });
}

/** The mark stays, and with it what it owes. An endpoint without one has nothing to note yet. */
export async function noteProblem(
  ctx: Ctx,
  { chain, endpoints }: Watched,
  number: number,
  own: Own,
  error: unknown,
): Promise<void> {
  if (!own) return;
  const problem = scrub(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)).slice(0, 200);
  const where = { chain: chain.name, endpoint: endpoints[number] ?? '' };
  await ctx.db.watchCheckpoint
    .updateMany({ where, data: { problem: problem.replaceAll('\0', ''), number } })
    .catch(() => undefined);
}

/** Drops the marks of endpoints that the configuration no longer names, once all that it names have theirs. */
export async function forgetEndpoints(ctx: Ctx, { chain, endpoints }: Watched): Promise<void> {
  const own = await ctx.db.watchCheckpoint.count({ where: { chain: chain.name, endpoint: { in: endpoints } } });
  if (own < new Set(endpoints).size) return;
  const gone = { chain: chain.name, endpoint: { notIn: endpoints } };
  await ctx.db.watchCheckpoint.deleteMany({ where: gone });
  await ctx.db.watchSighting.deleteMany({ where: gone });
  await ctx.db.watchNonce.deleteMany({ where: gone });
}
