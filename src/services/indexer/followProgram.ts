// The feed of a Solana cluster: reads the program's final transactions page by page, the oldest first, hands their events to the rooms and saves the
// checkpoint in one transaction a batch. What an event means is the rooms' affair.
import type { SolanaReceipt } from '../../chain/receipt.ts';
import type { SolanaChain } from '../../chain/solana/client.ts';
import { agreedReceipt, finalHead, HISTORY_PAGE, type Listed, listHistories } from '../../chain/solana/history.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { type Checkpoint, holdCheckpoint, noteTarget, openCheckpoint, saveCheckpoint } from './checkpoints.ts';
import type { Ingested, Round } from './follow.ts';

/** A final transaction that succeeded, and when its slot was. */
export type ProgramTransaction = { receipt: SolanaReceipt; time: Date };

/** What one room does with the feed. An event may be ingested any number of times. */
export type ProgramRoom = {
  /** Decodes a batch. @returns the writes, which run in the transaction that saves the checkpoint, after those of earlier batches */
  ingest(batch: readonly ProgramTransaction[]): (tx: Tx) => Promise<void>;
  /** After the pages of a round. @returns whether the room expects an event soon: then the next round follows at once */
  afterRound(round: Ingested): Promise<boolean>;
};

/** Whose transactions are read, as one history: the program's, and others that the rooms need. */
export type ProgramFeed = { addresses: readonly string[]; rooms: readonly ProgramRoom[] };

/** Transactions that one database transaction writes. */
const BATCH = 100;
const READ_AT_ONCE = 8;
const SAVE_WITHIN_MS = 60_000;
/** Slots, about five minutes, that every round lists again: nodes index what is final later than they call it final, and some are behind others. */
const LISTED_AGAIN = 750n;
/** Signatures of those slots that are kept: where there are more, fewer slots are listed again. */
const MOST_KEPT = 1_000;

/**
 * One round on one cluster.
 * @throws AppError `provider_unavailable`; the next round continues from the last saved checkpoint
 */
export async function followProgram(
  ctx: Ctx,
  chain: SolanaChain,
  { addresses, rooms }: ProgramFeed,
  page = HISTORY_PAGE,
): Promise<Round> {
  const head = await finalHead(chain);
  // The history of the program begins with it: a new feed reads all of it.
  const start = await openCheckpoint(ctx, chain, 0n, head.slot);
  const round = await ingestAll(ctx, chain, rooms, { start, head, page, addresses }).catch(async (error: unknown) => {
    await noteTarget(ctx, chain, head.slot).catch(() => {});
    throw error;
  });
  let isExpecting = false;
  for (const room of rooms) if (await room.afterRound(round)) isExpecting = true;
  return { ...round, isExpecting };
}

type Reading = { start: Checkpoint; head: { slot: bigint; time: Date }; page: number; addresses: readonly string[] };

/** What one endpoint does not list comes from another: each is read, and what is ingested already is left out. */
async function ingestAll(
  ctx: Ctx,
  chain: SolanaChain,
  rooms: readonly ProgramRoom[],
  { start, head, page, addresses }: Reading,
): Promise<Ingested> {
  const round: Ingested = { blocks: 0n, logs: 0, at: start, target: head.slot };
  let answered = 0;
  let fault: unknown;
  for (const endpoint of chain.endpoints) {
    const window = windowOf(round.at);
    const pages = listHistories(endpoint, addresses, { upTo: head.slot, page, ...window });
    for (;;) {
      // Its pages before a fault are ingested; those behind it come from the next endpoint.
      const next = await pages.next().catch((error: unknown) => {
        fault = error;
        return null;
      });
      if (next?.done) answered += 1;
      if (!next || next.done) break;
      if (ctx.shutdown.closing() || !(await ingestPage(ctx, chain, rooms, round, next.value))) return round;
    }
  }
  if (answered === 0)
    throw new AppError('provider_unavailable', `${chain.facts.label} does not answer`, { cause: fault });
  const next = { ...round.at, block: head.slot, blockTime: head.time };
  if (head.slot > round.at.block && (await save(ctx, chain, round, next, []))) round.blocks = head.slot - start.block;
  return round;
}

/** @returns false when another process was faster */
async function ingestPage(
  ctx: Ctx,
  chain: SolanaChain,
  rooms: readonly ProgramRoom[],
  round: Ingested,
  listed: readonly Listed[],
): Promise<boolean> {
  const known = new Set(round.at.hashes.map(([, signature]) => signature));
  const fresh = listed.filter(({ signature }) => !known.has(signature));
  for (let at = 0; at < fresh.length; at += BATCH) {
    const some = fresh.slice(at, at + BATCH);
    const batch = await readBatch(ctx, chain, some);
    const writes = rooms.map((room) => room.ingest(batch));
    const newest = some.at(-1) as Listed;
    const isNewer = newest.slot > round.at.block;
    const next = {
      ...round.at,
      hashes: keptOf([
        ...round.at.hashes,
        ...some.map(({ slot, signature }): [number, string] => [Number(slot), signature]),
      ]),
      ...(isNewer && { block: newest.slot, blockTime: newest.time ?? round.at.blockTime }),
    };
    if (!(await save(ctx, chain, round, next, writes))) return false;
    round.logs += batch.reduce((sum, { receipt }) => sum + receipt.events.length, 0);
  }
  return true;
}

async function readBatch(ctx: Ctx, chain: SolanaChain, listed: readonly Listed[]): Promise<ProgramTransaction[]> {
  const batch: ProgramTransaction[] = [];
  for (let at = 0; at < listed.length; at += READ_AT_ONCE) {
    const some = listed.slice(at, at + READ_AT_ONCE);
    const read = some.map(async ({ signature, time }) => ({
      receipt: await agreedReceipt(chain, signature),
      time: time ?? new Date(ctx.clock.now()),
    }));
    batch.push(...(await Promise.all(read)));
  }
  return batch;
}

/** @returns whether the checkpoint was still the one of this round, which then has the next one */
async function save(
  ctx: Ctx,
  chain: SolanaChain,
  round: Ingested,
  next: Checkpoint,
  writes: readonly ((tx: Tx) => Promise<void>)[],
): Promise<boolean> {
  const isSaved = await ctx.db.$transaction(
    async (tx) => {
      if (!(await holdCheckpoint(tx, chain, round.at))) return false;
      for (const write of writes) await write(tx);
      await saveCheckpoint(ctx, tx, chain, next, round.target);
      return true;
    },
    { timeout: SAVE_WITHIN_MS },
  );
  if (isSaved) round.at = next;
  return isSaved;
}

/** What a round lists: all that is newer than the slots of which every transaction is known. */
function windowOf({ block, hashes }: Checkpoint): { above: bigint; known: string | undefined } {
  const again = block - LISTED_AGAIN;
  // Fewer slots where not all of their signatures are kept.
  const oldest = hashes.length >= MOST_KEPT ? BigInt(hashes[0]?.[0] ?? 0) : -1n;
  const above = again > oldest ? again : oldest;
  return { above, known: hashes.findLast(([slot]) => BigInt(slot) <= above)?.[1] };
}

/** By slot, the newest of them. One below the slots that are listed again stays, from which a listing begins. */
function keptOf(hashes: [number, string][]): [number, string][] {
  const sorted = hashes.sort(([a], [b]) => a - b);
  const newest = sorted.at(-1)?.[0] ?? 0;
  const first = sorted.findLastIndex(([slot]) => BigInt(slot) <= BigInt(newest) - LISTED_AGAIN);
  return sorted.slice(Math.max(0, first)).slice(-MOST_KEPT);
}
