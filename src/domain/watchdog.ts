// What the watchdog concludes from what an endpoint shows, and which blocks it reads next. One endpoint may lie about everything but a signature.

/** A transaction that an endpoint shows beside an event of the bot router. Hashes and addresses in lower case. */
export type Evidence = {
  /** Under which the endpoint shows it. */
  claimed: string;
  /** Whether only an executor can have caused the event. */
  executorOnly: boolean;
  /** What its own bytes prove: their hash and who signed them; null where they prove nothing. */
  signed: { hash: string; signers: readonly string[] } | null;
  /** Who sent it by the endpoint's word; null where it does not show the transaction (yet). */
  from: string | null;
};

/**
 * `ours`: a row of ours signed it. `foreign`: an executor's key signed it elsewhere, which nothing but the key can prove. `harmless`: a wallet's own.
 * `unproven`: it would be foreign, on the endpoint's word alone.
 */
export type Verdict = 'ours' | 'foreign' | 'harmless' | 'unproven';

/** @param executors addresses that hold an executor's power for certain; `stored` the hashes that rows of ours signed, read after the event was seen */
export function judge(
  { claimed, executorOnly, signed, from }: Evidence,
  executors: ReadonlySet<string>,
  stored: ReadonlySet<string>,
): Verdict {
  if (stored.has(claimed) || (signed && stored.has(signed.hash))) return 'ours';
  if (signed?.signers.some((signer) => executors.has(signer))) return 'foreign';
  if (executorOnly) return 'unproven';
  // A wallet's own event, and the bytes say that it was the wallet.
  if (signed?.hash === claimed) return 'harmless';
  return from !== null && !executors.has(from) ? 'harmless' : 'unproven';
}

/** How many endpoints have to show the same where no signature proves it: one is a configuration that is warned of. */
export function enoughEndpoints(configured: number): number {
  return Math.min(2, configured);
}

/** Blocks of one request: providers bound an answer. */
const BLOCKS_AT_ONCE = 500;
/** How far back is read again what was judged by blocks that the endpoint no longer has. */
const AGAIN = 20_000;

/** Up to where an endpoint was judged, deep enough that no block of it is replaced; `known`: whether the endpoint still has that very block. */
export type Mark = { block: number; known: boolean };
export type BlockRange = { from: number; to: number };

/**
 * The blocks to read next, in this order: what comes after the mark, and before that the newest ones where the first do not reach them.
 * @param mark null before the first look
 * @param others where the chain's other endpoints are: a new one begins with the oldest of them, so that no block is left out
 * @param overlap the newest blocks, which may still be replaced
 */
export function nextRanges(
  mark: Mark | null,
  head: number,
  { others, overlap }: { others: readonly number[]; overlap: number },
): BlockRange[] {
  const newest = { from: Math.max(0, head - overlap + 1), to: head };
  const from = Math.max(0, Math.min(newest.from, firstOf(mark, head, others) ?? newest.from));
  const next = { from, to: Math.min(head, from + BLOCKS_AT_ONCE + overlap - 1) };
  return next.to < head ? [newest, next] : [next];
}

function firstOf(mark: Mark | null, head: number, others: readonly number[]): number | null {
  if (mark?.known) return mark.block + 1;
  // It went back, or it lied: what was judged by its word is judged again.
  if (mark) return Math.min(mark.block, head) - AGAIN + 1;
  const known = others.filter((block) => block <= head);
  return known.length > 0 ? Math.min(...known) + 1 : null;
}

/** Where the mark stands once a range is judged. */
export function markAfter({ from, to }: BlockRange, head: number, overlap: number): number {
  return Math.max(from - 1, Math.min(to, head - overlap), 0);
}

const HIGHEST_BLOCK = Number.MAX_SAFE_INTEGER;

/** An endpoint's numbers and hashes are a stranger's text until they have this form. */
export function readBlockNumber(value: unknown): number | null {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,14}$/i.test(value)) return null;
  const number = Number(value);
  return number <= HIGHEST_BLOCK ? number : null;
}

export function readHash(value: unknown): string | null {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : null;
}
