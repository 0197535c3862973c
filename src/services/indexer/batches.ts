// Batches of a block range: what one transaction writes. The logs of one block stay together.
import { ESCROW_EVENTS } from '../../chain/logs/filter.ts';
import type { BlockLog, BlockRange } from '../../chain/rpc/blockRanges.ts';

/** Of the logs of a batch, together. */
const MOST_WEIGHT = 500;
/** An escrow's event is written by itself, in several statements; payments are written all at once. */
const ESCROW_WEIGHT = 3;

/** In the chain's order; each ends with a block that has logs, and so a known hash, except for the last, which ends with the range. */
export function batchesOf(range: BlockRange, most = MOST_WEIGHT): BlockRange[] {
  const { logs, blocks } = range;
  const batches: BlockRange[] = [];
  let [from, start, weight] = [range.from, 0, 0];
  const cut = (to: bigint, end: number) => {
    batches.push({ from, to, logs: logs.slice(start, end), blocks });
    [from, start, weight] = [to + 1n, end, 0];
  };
  for (let at = 0; at < logs.length; ) {
    const number = logs[at]?.blockNumber ?? range.to;
    let end = at;
    let ofBlock = 0;
    for (let log = logs[end]; log && log.blockNumber === number; log = logs[++end]) ofBlock += weightOf(log);
    const before = logs[at - 1]?.blockNumber;
    if (before !== undefined && at > start && weight + ofBlock > most) cut(before, at);
    weight += ofBlock;
    at = end;
  }
  cut(range.to, logs.length);
  return batches;
}

function weightOf({ topics: [selector] }: BlockLog): number {
  return selector !== undefined && ESCROW_EVENTS.has(selector) ? ESCROW_WEIGHT : 1;
}
