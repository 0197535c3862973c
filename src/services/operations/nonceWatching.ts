// The watchdog's look at the nonces of the executors' keys: each one that the chain counts as used has to be that of a transaction of our rows. So it also
// sees what a key does past the router: a plain transfer, a call to another contract, one that fails.
import type { EvmChain, Hash } from '../../chain/rpc/client.ts';
import { anyReceipt } from '../../chain/rpc/outcomes.ts';
import { checkedAddress } from '../../chain/signing/signatures.ts';
import { noncesUsed, userOfNonce } from '../../chain/watch/nonces.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { enoughOf, foreignNonce, storedOf, storeForeign, type Watched } from './watchRows.ts';

export type NonceWatch = Watched<EvmChain> & {
  /** By endpoint and executor: nonces that a transaction of ours was seen to use, and up to which head that needs no second look. */
  ours: Map<string, Map<number, number>>;
};

type Look = {
  executors: readonly string[];
  /** Keys that no longer hold a power. */
  removed: readonly string[];
  head: number;
  overlap: number;
  /** The transactions of the router's events in the blocks of this look. */
  shown: ReadonlySet<string>;
};

/** Of one executor in one look: nonces that rows answer, and those that need an endpoint. Our own open ones are fewer. */
const JUDGED_AT_ONCE = 500;
const ASKED_AT_ONCE = 16;

/** Judges what one endpoint counts. @returns how many nonces are left to judge; @throws Error where it does not answer */
export async function judgeNonces(ctx: Ctx, watch: NonceWatch, number: number, look: Look): Promise<number> {
  const { chain, endpoints } = watch;
  const [client, endpoint] = [chain.endpoints[number], endpoints[number]];
  if (!client || endpoint === undefined) return 0;
  // Rows are read after the chain: what we send is stored before, so nothing that is counted here can be missing there.
  const counts = await Promise.all(
    look.executors.map(async (executor) => ({ executor, count: await noncesUsed(client, executor, 'latest') })),
  );
  const own = { chain: chain.name, endpoint };
  const marks = await ctx.db.watchNonce.findMany({ where: own });
  const over = marks.flatMap(({ executor }) => (look.removed.includes(executor) ? [executor] : []));
  // Should such a key come back, its nonces are judged from then on.
  if (over.length > 0) await ctx.db.watchNonce.deleteMany({ where: { ...own, executor: { in: over } } });
  let left = 0;
  for (const { executor, count } of counts) {
    const mark = marks.find((one) => one.executor === executor) ?? null;
    const next = mark?.next ?? (await firstNonce(ctx, chain, executor, count));
    const judged = await judgeUsed(ctx, watch, number, { ...look, executor, next, count });
    left += judged.left;
    const now = { ...own, executor, next: judged.next, unproven: judged.unproven };
    await saveNonce(ctx, watch, mark, now, look.head);
  }
  return left;
}

/**
 * Where judging begins at first sight. What a key did before this database is not ours to judge: the ledger of a key of ours begins with what the chain had
 * counted by then. Whatever the chain counts beyond the ledger is judged, also if it happened before this look.
 */
async function firstNonce(ctx: Ctx, { name }: EvmChain, executor: string, count: number): Promise<number> {
  const key = { chain: name, address: checkedAddress(executor) ?? executor };
  const ledger = await ctx.db.executorKey.findUnique({ where: { chain_address: key } });
  if (!ledger) return count;
  const { _min } = await ctx.db.outgoingTx.aggregate({
    where: { chain: name, executor: key.address },
    _min: { nonce: true },
  });
  return Math.max(_min.nonce ?? ledger.nextNonce, Math.min(count, ledger.nextNonce));
}

type Used = Look & { executor: string; next: number; count: number };
type Judged = { next: number; unproven: number | null; left: number };

/** In order: the first that nothing proves ends it, so that an endpoint's word costs no more than a step. */
async function judgeUsed(ctx: Ctx, watch: NonceWatch, number: number, used: Used): Promise<Judged> {
  const { next, count } = used;
  const upTo = Math.min(count, next + JUDGED_AT_ONCE);
  if (upTo <= next) return { next, unproven: null, left: 0 };
  const rows = await rowsOf(ctx, watch, used, upTo);
  const ours = oursOf(watch, number, used.executor);
  for (const nonce of ours.keys()) if (nonce < next) ours.delete(nonce);
  let [judged, asked, answered] = [next, 0, 0];
  for (let nonce = next; nonce < upTo; nonce++) {
    const isOver = rows.final.has(nonce) || rows.foreign.has(nonce) || ours.get(nonce) === Number.POSITIVE_INFINITY;
    if (isOver && nonce === judged) judged++;
    if (isOver || (ours.get(nonce) ?? -1) > used.head) continue;
    // Without an answer there is nothing new to ask before the next block.
    if (asked++ === ASKED_AT_ONCE) return { next: judged, unproven: null, left: answered > 0 ? count - nonce : 0 };
    const until = await judgeOne(ctx, watch, number, { ...used, nonce, hashes: rows.open.get(nonce) ?? null });
    if (until === 'unproven') return { next: judged, unproven: nonce, left: 0 };
    if (until > used.head) answered++;
    ours.set(nonce, until);
    if (until === Number.POSITIVE_INFINITY && nonce === judged) judged++;
  }
  return { next: judged, unproven: null, left: count - upTo };
}

function oursOf({ ours, endpoints }: NonceWatch, number: number, executor: string): Map<number, number> {
  const key = `${endpoints[number]} ${executor}`;
  const found = ours.get(key) ?? new Map<number, number>();
  ours.set(key, found);
  return found;
}

async function rowsOf(ctx: Ctx, { chain: { name } }: NonceWatch, { executor, next }: Used, upTo: number) {
  const nonce = { gte: next, lt: upTo };
  const own = { chain: name, executor: checkedAddress(executor) ?? executor, nonce };
  const [slots, foreign] = await Promise.all([
    ctx.db.outgoingTx.findMany({
      where: own,
      select: { nonce: true, status: true, attempts: { select: { hash: true }, orderBy: { number: 'desc' } } },
    }),
    ctx.db.foreignTransaction.findMany({ where: { chain: name, executor, nonce }, select: { nonce: true } }),
  ]);
  // Two endpoints have shown a final one.
  const final = new Set(slots.filter(({ status }) => status === 'final').map((slot) => slot.nonce));
  const open = new Map(slots.map((slot) => [slot.nonce, slot.attempts.map(({ hash }) => hash as Hash)]));
  return { final, open, foreign: new Set(foreign.map((row) => row.nonce)) };
}

type One = Used & { nonce: number; hashes: Hash[] | null };

/** One nonce that the endpoint counts as used. @returns up to which head it needs no second look; @throws Error where the endpoint does not answer */
async function judgeOne(ctx: Ctx, watch: NonceWatch, number: number, one: One): Promise<number | 'unproven'> {
  const { chain } = watch;
  const client = chain.endpoints[number];
  const { executor, nonce, hashes, shown, head } = one;
  // Our block may be replaced, and the nonce with it.
  const again = head + one.overlap;
  if (!client || hashes?.some((hash) => shown.has(hash))) return again;
  if (hashes && (await anyReceipt(client, hashes))) return again;
  // What it no longer has the state for it cannot show.
  const user = await userOfNonce(client, chain, { address: executor, nonce, head }).catch(() => null);
  if (user === 'later') return head;
  if (user) {
    const { signed, block } = user;
    if ((await storedOf(ctx, [signed.hash])).size > 0) return again;
    await storeForeign(ctx, watch, { hash: signed.hash, block, executor, nonce });
    return Number.POSITIVE_INFINITY;
  }
  // An endpoint may count a transaction of ours before it shows it.
  const isDeep = async () => (await noncesUsed(client, executor, Math.max(0, head - one.overlap))) > nonce;
  return hashes === null || (await isDeep()) ? 'unproven' : head;
}

/** What no signature proves, enough endpoints do. */
async function saveNonce(
  ctx: Ctx,
  watch: NonceWatch,
  mark: Row<'WatchNonce'> | null,
  now: Row<'WatchNonce'>,
  head: number,
): Promise<void> {
  const { chain, endpoint, executor, next, unproven } = now;
  if (mark?.next !== next || mark.unproven !== unproven)
    await ctx.db.watchNonce.upsert({
      where: { chain_endpoint_executor: { chain, endpoint, executor } },
      create: now,
      update: { next, unproven },
    });
  if (unproven === null) return;
  const shown = await ctx.db.watchNonce.count({
    where: { chain, executor, unproven, endpoint: { in: watch.endpoints } },
  });
  if (shown >= enoughOf(watch.endpoints)) await storeForeign(ctx, watch, foreignNonce(executor, unproven, head));
}
