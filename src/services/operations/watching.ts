// The watchdog's looks: it reads what each endpoint of a chain shows of the executors' power, in events and in the nonces of their keys, and compares it with
// what our rows signed. Each endpoint is judged alone, so that one that lies or hangs neither hides anything from the others nor delays them.
import { stillProblem } from '../../chain/probing.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import {
  blockHashAt,
  endpointUrls,
  executorsBy,
  headOf,
  type Seen,
  seenIn,
  transactionOf,
} from '../../chain/watch/reading.ts';
import type { Ctx } from '../../context.ts';
import { type BlockRange, judge, markAfter, nextRanges, type Verdict } from '../../domain/watchdog.ts';
import { judgeNonces, type NonceWatch } from './nonceWatching.ts';
import {
  endpointNames,
  enoughOf,
  isUnread,
  noteProblem,
  noteUnread,
  type Own,
  storedOf,
  storeForeign,
  upsertMark,
} from './watchRows.ts';

/** What a process keeps of one chain. */
export type Watch = NonceWatch & {
  /** The router's executors as each endpoint lists them, and since when. */
  listed: Map<string, { executors: Set<string>; at: number }>;
  /** The newest block that was judged whole, by each endpoint, and when. */
  judged: Map<string, { hash: string; at: number }>;
};

/** Unproven sightings that are kept of one endpoint: an honest one has none, and one that lies must not fill the table. */
const SIGHTINGS_KEPT = 200;
const CHECKED_AGAIN = 25;
/** Often enough for alerts, without a look whenever nothing is new. */
const NOTE_EVERY_MS = 10_000;
const LIST_EVERY_MS = 30_000;
const LEAST_OVERLAP = 5;
/** More than a router can have. */
const EXECUTORS_READ = 64;
/** What an endpoint no longer shows is forgotten after this time. */
const SIGHTING_LIFE_MS = 24 * 3_600_000;

export function openWatch(
  chain: EvmChain,
  onForeign: (hash: string) => void,
  sequel = 'The bot router is being paused.',
): Watch {
  const endpoints = endpointNames(endpointUrls(chain));
  return { chain, endpoints, listed: new Map(), judged: new Map(), ours: new Map(), onForeign, sequel };
}

/** One look at what one endpoint shows. @returns how many blocks are left to read; @throws Error where it does not answer */
export async function lookAt(ctx: Ctx, watch: Watch, number: number): Promise<number> {
  const { chain, endpoints, judged } = watch;
  const [client, endpoint] = [chain.endpoints[number], endpoints[number]];
  if (!client || !endpoint) return 0;
  let own: Own = null;
  try {
    const newest = await headOf(client);
    const last = judged.get(endpoint);
    if (last?.hash === newest.hash && performance.now() - last.at < NOTE_EVERY_MS) return 0;
    const rows = await ctx.db.watchCheckpoint.findMany({ where: { chain: chain.name } });
    own = rows.find((row) => row.endpoint === endpoint) ?? null;
    const mark = own && {
      block: Number(own.block),
      // Another one's word put it there where it is unread: beyond the chain it says nothing.
      known: isUnread(own)
        ? Number(own.block) <= newest.number
        : (await blockHashAt(client, Number(own.block))) === own.blockHash,
    };
    const others = rows.filter((row) => row !== own).map(({ block }) => Number(block));
    const ranges = nextRanges(mark, newest.number, { others, overlap: overlapOf(chain) });
    // Where it does not answer this, what it listed before counts.
    await listExecutors(watch, number).catch(() => undefined);
    const shown = new Set<string>();
    for (const { from, to } of ranges) {
      const seen = await seenIn(client, chain.routers.bot, from, to);
      await judgeSeen(ctx, watch, number, seen);
      for (const { hash } of seen) shown.add(hash);
    }
    await checkAgain(ctx, watch, number);
    const nonces = { ...(await keysByForce(ctx, watch)), head: newest.number, overlap: overlapOf(chain), shown };
    const unjudged = await judgeNonces(ctx, watch, number, nonces);
    const done = ranges.at(-1) ?? { from: newest.number, to: newest.number };
    await noteUnread(ctx, watch, rows, { from: done.from, head: newest.number });
    const problem = chain.local ? null : stillProblem(ctx.clock.now() - newest.time * 1_000, chain.facts.blockTimeMs);
    const isAll = unjudged === 0 && problem === null;
    await saveMark(ctx, watch, number, { done, head: newest.number, own, isAll, problem });
    const left = newest.number - done.to + unjudged;
    if (left === 0) judged.set(endpoint, { hash: newest.hash, at: performance.now() });
    return left;
  } catch (error) {
    await noteProblem(ctx, watch, number, own, error);
    throw error;
  }
}

/** The newest blocks, which are read again with each look: they may be replaced, and a node behind an endpoint may not have had them. */
function overlapOf({ confirmations }: EvmChain): number {
  return Math.max(confirmations, LEAST_OVERLAP);
}

/** The list changes a day after it was announced. */
async function listExecutors({ chain, endpoints, listed }: Watch, number: number): Promise<void> {
  const [client, endpoint] = [chain.endpoints[number], endpoints[number]];
  if (
    !client ||
    !endpoint ||
    performance.now() - (listed.get(endpoint)?.at ?? Number.NEGATIVE_INFINITY) < LIST_EVERY_MS
  )
    return;
  const executors = new Set((await executorsBy(client, chain.routers.bot)).slice(0, EXECUTORS_READ));
  listed.set(endpoint, { executors, at: performance.now() });
}

/** Addresses that hold an executor's power for certain: the keys of our rows, and what enough endpoints list. */
async function certainExecutors(ctx: Ctx, { chain, endpoints, listed }: Watch): Promise<Set<string>> {
  const keys = await ctx.db.executorKey.findMany({ where: { chain: chain.name }, select: { address: true } });
  const votes = new Map<string, number>();
  for (const endpoint of new Set(endpoints))
    for (const address of listed.get(endpoint)?.executors ?? []) votes.set(address, (votes.get(address) ?? 0) + 1);
  const agreed = [...votes].filter(([, count]) => count >= enoughOf(endpoints)).map(([address]) => address);
  return new Set([...keys.map(({ address }) => address.toLowerCase()), ...agreed]);
}

/** Keys whose nonces are ours alone, and those that enough endpoints no longer list: the router takes nothing from them. */
async function keysByForce(ctx: Ctx, watch: Watch): Promise<{ executors: string[]; removed: string[] }> {
  const { endpoints, listed } = watch;
  const lists = [...new Set(endpoints)].flatMap((endpoint) => listed.get(endpoint) ?? []);
  const isRemoved = (address: string) =>
    lists.filter(({ executors }) => !executors.has(address)).length >= enoughOf(endpoints);
  const certain = [...(await certainExecutors(ctx, watch))];
  return { executors: certain.filter((one) => !isRemoved(one)), removed: certain.filter(isRemoved) };
}

async function judgeSeen(ctx: Ctx, watch: Watch, number: number, seen: Seen[]): Promise<void> {
  if (seen.length === 0) return;
  const { name } = watch.chain;
  const stored = await storedOf(
    ctx,
    seen.map(({ hash }) => hash),
  );
  const known = await ctx.db.foreignTransaction.findMany({
    where: { chain: name, hash: { in: seen.map(({ hash }) => hash) } },
    select: { hash: true },
  });
  const strange = seen.filter(({ hash }) => !stored.has(hash) && !known.some((row) => row.hash === hash));
  if (strange.length === 0) return;
  const executors = await certainExecutors(ctx, watch);
  for (const one of strange) {
    const { verdict, proven } = await verdictOf(ctx, watch, number, one, executors);
    if (verdict === 'foreign') await storeForeign(ctx, watch, { ...one, ...proven });
    else if (verdict === 'unproven') await storeSighting(ctx, watch, number, one);
  }
}

async function verdictOf(
  ctx: Ctx,
  { chain }: Watch,
  number: number,
  { hash, executorOnly }: Pick<Seen, 'hash' | 'executorOnly'>,
  executors: Set<string>,
): Promise<{ verdict: Verdict; proven: { hash?: string; executor?: string; nonce?: number | null } }> {
  const client = chain.endpoints[number];
  const shown = client ? await transactionOf(client, chain, hash) : null;
  const signed = shown?.signed ?? null;
  const stored = await storedOf(ctx, [hash, ...(signed ? [signed.hash] : [])]);
  const verdict = judge({ claimed: hash, executorOnly, signed, from: shown?.from ?? null }, executors, stored);
  const place = signed?.signers.findIndex((signer) => executors.has(signer)) ?? -1;
  const [executor, nonce = null] = [signed?.signers[place], signed?.nonces[place]];
  // By the hash of its own bytes, so that one theft is not several under other names.
  return { verdict, proven: signed && executor ? { hash: signed.hash, executor, nonce } : {} };
}

async function storeSighting(ctx: Ctx, watch: Watch, number: number, seen: Seen): Promise<void> {
  const { chain, endpoints } = watch;
  const where = { chain: chain.name, endpoint: endpoints[number] ?? '' };
  const { hash, block, blockHash, executorOnly } = seen;
  const exists = await ctx.db.watchSighting.count({ where: { ...where, hash } });
  if (!exists && (await ctx.db.watchSighting.count({ where })) >= SIGHTINGS_KEPT)
    throw new Error(`it shows more than ${SIGHTINGS_KEPT} transactions that nothing proves`);
  const data = { block: BigInt(block), blockHash, executorOnly };
  await ctx.db.watchSighting.upsert({
    where: { chain_endpoint_hash: { ...where, endpoint: where.endpoint, hash } },
    create: { ...where, hash, ...data, seenAt: new Date(ctx.clock.now()) },
    update: data,
  });
  await proveByOthers(ctx, watch, seen);
}

/** What no signature proves, enough endpoints do: the same transaction in the same block. */
async function proveByOthers(ctx: Ctx, watch: Watch, { hash, block, blockHash }: Seen): Promise<void> {
  const { chain, endpoints } = watch;
  const shown = await ctx.db.watchSighting.count({
    where: { chain: chain.name, hash, blockHash, executorOnly: true, endpoint: { in: endpoints } },
  });
  if (shown >= enoughOf(endpoints)) await storeForeign(ctx, watch, { hash, block });
}

/** What was unproven may be proven by now, or ours, or gone with its block. */
async function checkAgain(ctx: Ctx, watch: Watch, number: number): Promise<void> {
  const { chain, endpoints } = watch;
  const where = { chain: chain.name, endpoint: endpoints[number] ?? '' };
  const rows = await ctx.db.watchSighting.findMany({ where, orderBy: { seenAt: 'desc' }, take: SIGHTINGS_KEPT });
  if (rows.length === 0) return;
  const old = new Date(ctx.clock.now() - SIGHTING_LIFE_MS);
  await ctx.db.watchSighting.deleteMany({ where: { ...where, seenAt: { lt: old } } });
  const executors = await certainExecutors(ctx, watch);
  for (const row of rows.slice(0, CHECKED_AGAIN)) {
    const { verdict, proven } = await verdictOf(ctx, watch, number, row, executors);
    const { hash, block } = row;
    if (verdict === 'foreign') await storeForeign(ctx, watch, { hash, block: Number(block), ...proven });
    if (verdict !== 'unproven') await ctx.db.watchSighting.deleteMany({ where: { ...where, hash: row.hash } });
  }
}

async function saveMark(
  ctx: Ctx,
  { chain, endpoints }: Watch,
  number: number,
  {
    done,
    head,
    own,
    isAll,
    problem,
  }: { done: BlockRange; head: number; own: Own; isAll: boolean; problem: string | null },
): Promise<void> {
  const block = markAfter(done, head, overlapOf(chain));
  const client = chain.endpoints[number];
  const blockHash =
    own?.block === BigInt(block) && !isUnread(own) ? own.blockHash : client && (await blockHashAt(client, block));
  if (!blockHash) throw new Error(`it has no block ${block}`);
  const now = new Date(ctx.clock.now());
  const caughtUp = done.to >= head && isAll ? { caughtUpAt: now } : {};
  const data = {
    number,
    block: BigInt(block),
    blockHash,
    head: BigInt(head),
    lookedAt: now,
    problem,
    ...caughtUp,
  };
  await upsertMark(ctx.db, chain.name, endpoints[number] ?? '', { caughtUpAt: now, ...data }, data);
}
