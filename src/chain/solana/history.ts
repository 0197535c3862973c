// The history of an address on a Solana cluster: what is final, the oldest first, page by page; each transaction is believed when two endpoints show
// the same.
import { type Connection, PublicKey } from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';
import type { SolanaReceipt } from '../receipt.ts';
import { alike, answersUntil } from '../rpc/answers.ts';
import { readingSolana, type SolanaChain } from './client.ts';
import { finalClock } from './clock.ts';
import type { SolanaAddress } from './codec.ts';
import { receiptAt } from './transactions.ts';

/** The most signatures of one answer. */
export const HISTORY_PAGE = 1_000;

/** A final transaction that succeeded. */
export type Listed = {
  signature: string;
  slot: bigint;
  /** Null where the endpoint does not know it. */
  time: Date | null;
};
export type ListRequest = {
  address: SolanaAddress;
  /** Slots above the first and up to the second. */
  above: bigint;
  upTo: bigint;
  /** A signature at or below `above`, which shortens answers: nodes that do not know it answer with more. */
  known: string | undefined;
  page?: number;
};

/** Events count as money: two endpoints show the same, as long as two are configured. */
export function mostAgree({ local, endpoints }: SolanaChain): number {
  return local ? 1 : Math.min(2, endpoints.length);
}

/** The newest slot that as many endpoints have as final as must agree, with its time. @throws AppError `provider_unavailable` */
export async function finalHead(chain: SolanaChain): Promise<{ slot: bigint; time: Date }> {
  const enough = mostAgree(chain);
  const all = chain.endpoints.length;
  const heads = await answersUntil(
    chain.endpoints.map(finalClock),
    ({ length }) => length >= (enough > 1 ? enough : all),
  );
  const head = heads.sort((a, b) => Number(b.slot - a.slot))[enough - 1];
  if (!head) throw new AppError('provider_unavailable', `${chain.facts.label} does not answer`);
  return { slot: head.slot, time: new Date(Number(head.time) * 1_000) };
}

/**
 * The final transactions of an address as one endpoint lists them, in pages, the oldest first. Only where the pages begin is kept meanwhile, so that a
 * long history takes little memory.
 * @throws Error when the endpoint does not answer
 */
export async function* listHistory(at: Connection, request: ListRequest): AsyncGenerator<Listed[]> {
  const { address, above, upTo, known, page: limit = HISTORY_PAGE } = request;
  const key = new PublicKey(address);
  /** Where pages begin, the newest first: before which signature, and with which one. */
  const starts: { before?: string; first?: string }[] = [{}];
  /** Where the page before, which was older, began: this one ends there. */
  let end: string | undefined;
  for (let start = starts.at(-1); start; start = starts.at(-1)) {
    const { before, first } = start;
    const options = { limit, ...(before !== undefined && { before }), ...(known !== undefined && { until: known }) };
    const page = await at.getSignaturesForAddress(key, options, 'finalized');
    // A node that does not know `before` answers with nothing: what it does not list would be missed.
    if (first !== undefined && page[0]?.signature !== first) throw new Error(GAP);
    const cut = end === undefined ? -1 : page.findIndex(({ signature }) => signature === end);
    const [next, last] = page.slice(-2);
    if (cut < 0 && next && last && page.length === limit && BigInt(last.slot) > above) {
      starts.push({ before: next.signature, first: last.signature });
      continue;
    }
    if (cut < 0 && end !== undefined) throw new Error(GAP);
    starts.pop();
    end = before;
    yield (cut < 0 ? page : page.slice(0, cut + 1)).reverse().flatMap(({ signature, slot, err, blockTime }) => {
      const isWithin = BigInt(slot) > above && BigInt(slot) <= upTo;
      const time = typeof blockTime === 'number' ? new Date(blockTime * 1_000) : null;
      return err === null && isWithin ? [{ signature, slot: BigInt(slot), time }] : [];
    });
  }
}

/**
 * The same of several addresses as one history, by slot, each transaction once. A page ends at the slot up to which all of them are known.
 * @throws Error when the endpoint does not answer
 */
export async function* listHistories(
  at: Connection,
  addresses: readonly SolanaAddress[],
  request: Omit<ListRequest, 'address'>,
): AsyncGenerator<Listed[]> {
  const sources = addresses.map((address) => ({
    pages: listHistory(at, { ...request, address }),
    listed: [] as Listed[],
    isDone: false,
  }));
  for (;;) {
    for (const source of sources) {
      while (source.listed.length === 0 && !source.isDone) {
        const next = await source.pages.next();
        if (next.done) source.isDone = true;
        else source.listed = next.value;
      }
    }
    const ends = sources.flatMap(({ listed, isDone }) => (isDone ? [] : [listed.at(-1)?.slot ?? 0n]));
    const upTo = ends.reduce<bigint | null>((least, slot) => (least === null || slot < least ? slot : least), null);
    const page = new Map<string, Listed>();
    for (const source of sources) {
      const isWithin = ({ slot }: Listed) => upTo === null || slot <= upTo;
      for (const one of source.listed.filter(isWithin)) page.set(one.signature, one);
      source.listed = source.listed.filter((one) => !isWithin(one));
    }
    if (page.size > 0) yield [...page.values()].sort((a, b) => Number(a.slot - b.slot));
    if (sources.every(({ listed, isDone }) => isDone && listed.length === 0)) return;
  }
}

/** All that any endpoint lists of an address with a short history, the oldest first. @throws AppError `provider_unavailable` */
export async function wholeHistory(
  chain: SolanaChain,
  { address, upTo }: Pick<ListRequest, 'address' | 'upTo'>,
): Promise<Listed[]> {
  const list = async (at: Connection) => {
    const found: Listed[] = [];
    for await (const page of listHistory(at, { address, above: -1n, upTo, known: undefined })) found.push(...page);
    return found;
  };
  const answers = await Promise.allSettled(chain.endpoints.map(list));
  const found = new Map<string, Listed>();
  for (const answer of answers)
    if (answer.status === 'fulfilled') for (const one of answer.value) found.set(one.signature, one);
  if (answers.every(({ status }) => status === 'rejected'))
    throw new AppError('provider_unavailable', `${chain.facts.label} does not answer`);
  return [...found.values()].sort((a, b) => Number(a.slot - b.slot));
}

const GAP = 'the endpoint lists a history with a gap';

/** A final transaction that enough endpoints show in the same way. @throws AppError `provider_unavailable` while they do not */
export async function agreedReceipt(chain: SolanaChain, signature: string): Promise<SolanaReceipt> {
  const asked = chain.endpoints.map(async (at) => {
    const receipt = await receiptAt(chain, at, signature, 'finalized');
    if (!receipt) throw new Error('the endpoint does not show it as final');
    return receipt;
  });
  const [receipt] = (await alike(asked, ({ digest }) => digest, mostAgree(chain))) ?? [];
  if (receipt) return receipt;
  throw new AppError('provider_unavailable', `${chain.facts.label} does not show one of its transactions clearly`);
}

/**
 * The same of a transaction that any endpoint has shown, with the time of its slot.
 * @returns null while its slot is not final
 * @throws AppError `provider_unavailable`
 */
export async function finalReceipt(
  chain: SolanaChain,
  { hash, block }: SolanaReceipt,
): Promise<{ receipt: SolanaReceipt; time: Date } | null> {
  const { slot, time } = await finalHead(chain);
  if (block > slot) return null;
  const receipt = await agreedReceipt(chain, hash);
  const unix = await readingSolana(chain, (at) => at.getBlockTime(Number(receipt.block)));
  return { receipt, time: unix === null ? time : new Date(unix * 1_000) };
}
