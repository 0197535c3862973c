// The watchdog's looks at Solana: what each endpoint lists of the executors' keys is compared with what our rows signed. Everything that a key does is signed
// by it, so the signature over a transaction's own bytes proves it alone, whichever endpoint shows it. Each endpoint is judged alone.
import { stillProblem } from '../../chain/probing.ts';
import type { SolanaChain } from '../../chain/solana/client.ts';
import { timeBy } from '../../chain/solana/guardian.ts';
import {
  configBy,
  endOfRaw,
  evidenceOf,
  type ListedSignature,
  type PageStart,
  type SignaturePage,
  type SolanaEvidence,
  signaturesOf,
  slotOf,
  solanaUrls,
} from '../../chain/solana/watching.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import {
  endpointNames,
  enoughOf,
  noteProblem,
  noteUnread,
  type Own,
  storedOf,
  storeForeign,
  upsertMark,
  type Watched,
} from './watchRows.ts';

/** A way through what an endpoint lists, the newest first, page by page: nothing is kept but where it stands, so that a list without an end fills no memory. */
type Walk = {
  own: Own;
  /** Slots above the first are judged, up to the second. */
  above: number;
  upTo: number;
  /** Where the next page of an address begins. */
  next: Map<string, PageStart>;
  done: Set<string>;
  /** The newest signature of an address below what is read again. */
  known: Map<string, string>;
  /** One that was listed and not shown: it is not judged. */
  unshown: string | null;
};
type Endpoint = {
  walk: Walk | null;
  /** Where an address's next answer may end: no signature above the mark. */
  known: Map<string, string>;
  /** Transactions that need no second look, as long as the same keys are certain. */
  harmless: Set<string>;
  certain: string;
  savedAt: number;
  /** The program's executors as it lists them, and since when. */
  executors: Set<string>;
  listedAt: number;
};
export type SolanaWatch = Watched<SolanaChain> & { states: Map<string, Endpoint> };

/** More slots than it takes for one to be final, and for an endpoint to list what it has. */
const OVERLAP = 64;
/** How far back is read again where an endpoint went back behind its mark. */
const AGAIN = 20_000;
const SHOWN_AT_ONCE = 8;
const HARMLESS_KEPT = 10_000;
const NOTE_EVERY_MS = 10_000;
const LIST_EVERY_MS = 30_000;

export function openSolanaWatch(
  chain: SolanaChain,
  onForeign: (hash: string) => void,
  sequel = 'The program is being paused.',
): SolanaWatch {
  return { chain, endpoints: endpointNames(solanaUrls(chain)), states: new Map(), onForeign, sequel };
}

/** One look at what one endpoint lists. @returns above nothing while a way is not at its end; @throws Error where it does not answer, or does not show what it lists */
export async function lookAtSolana(ctx: Ctx, watch: SolanaWatch, number: number): Promise<number> {
  const { chain, endpoints } = watch;
  const [at, name] = [chain.endpoints[number], endpoints[number]];
  if (!at || name === undefined) return 0;
  const state = stateOf(watch, name);
  let own: Own = state.walk?.own ?? null;
  try {
    // Where it does not answer this, what it listed before counts.
    await listExecutors(watch, number).catch(() => undefined);
    const certain = await certainExecutors(ctx, watch);
    forgetHarmless(state, certain);
    if (!state.walk) {
      const upTo = await slotOf(at);
      const rows = await ctx.db.watchCheckpoint.findMany({ where: { chain: chain.name } });
      own = rows.find(({ endpoint }) => endpoint === name) ?? null;
      state.walk = openWalk(own, rows, upTo);
      if (own && Number(own.block) > upTo) state.known.clear();
      await noteUnread(ctx, watch, rows, { from: state.walk.above + 1, head: upTo });
    }
    const { walk } = state;
    for (const address of new Set([...certain, ...state.executors]))
      await readOn(ctx, watch, number, { address, walk, certain });
    if (walk.next.size > 0) return walk.next.size;
    state.walk = null;
    const alone = [...state.executors].filter((address) => !certain.has(address));
    if (walk.unshown) throw new Error(`it lists transaction ${walk.unshown} and does not show it`);
    if (alone.length > 0) throw new Error(`it lists executors that no other endpoint lists: ${alone.join(', ')}`);
    await saveMark(ctx, watch, number, walk);
    for (const [address, signature] of walk.known) state.known.set(address, signature);
    return 0;
  } catch (error) {
    // The way begins again: where it stands may be what the endpoint no longer knows.
    state.walk = null;
    await noteProblem(ctx, watch, number, own, error);
    throw error;
  }
}

/** What a key signed before it was known to be an executor's is judged again. */
function forgetHarmless(state: Endpoint, executors: ReadonlySet<string>): void {
  const certain = [...executors].sort().join(' ');
  if (certain === state.certain) return;
  Object.assign(state, { certain, walk: null });
  state.harmless.clear();
}

function stateOf({ states }: SolanaWatch, name: string): Endpoint {
  const found = states.get(name);
  if (found) return found;
  const never = Number.NEGATIVE_INFINITY;
  const state: Endpoint = {
    ...{ walk: null, known: new Map(), harmless: new Set(), certain: '' },
    ...{ savedAt: never, executors: new Set(), listedAt: never },
  };
  states.set(name, state);
  return state;
}

/** A new endpoint begins with the oldest of the others, so that no slot is left out. */
function openWalk(own: Own, rows: readonly Row<'WatchCheckpoint'>[], upTo: number): Walk {
  const others = rows.map(({ block }) => Number(block)).filter((slot) => slot <= upTo);
  const mark = own ? Number(own.block) : others.length > 0 ? Math.min(...others) : upTo - OVERLAP;
  const above = Math.max(-1, mark <= upTo ? mark : upTo - AGAIN);
  return { own, above, upTo, next: new Map(), done: new Set(), known: new Map(), unshown: null };
}

type Reading = { address: string; walk: Walk; certain: ReadonlySet<string> };

/** The newest page of an address, and the next older one of a long way: what is new never waits for what is old. */
async function readOn(ctx: Ctx, watch: SolanaWatch, number: number, reading: Reading): Promise<void> {
  const { address, walk } = reading;
  const page = await readPage(ctx, watch, number, reading, undefined);
  if (walk.done.has(address)) return;
  const start = walk.next.get(address);
  noteNext(walk, address, start === undefined ? page : await readPage(ctx, watch, number, reading, start));
}

function noteNext(walk: Walk, address: string, { listed, next }: SignaturePage): void {
  const oldest = listed.at(-1);
  if (next === null || !oldest || oldest.slot <= walk.above) {
    walk.done.add(address);
    walk.next.delete(address);
  } else walk.next.set(address, next);
}

async function readPage(
  ctx: Ctx,
  watch: SolanaWatch,
  number: number,
  { address, walk, certain }: Reading,
  start: PageStart | undefined,
): Promise<SignaturePage> {
  const at = watch.chain.endpoints[number];
  if (!at) throw new Error('there is no such endpoint');
  const until = stateOf(watch, watch.endpoints[number] ?? '').known.get(address);
  const page = await signaturesOf(at, address, { start, until });
  const below = page.listed.find(({ slot }) => slot <= Math.max(walk.above, walk.upTo - OVERLAP));
  if (below && !walk.known.has(address)) walk.known.set(address, below.signature);
  const fresh = page.listed.filter(({ slot }) => slot > walk.above);
  walk.unshown = (await judgeListed(ctx, watch, number, fresh, certain)) ?? walk.unshown;
  return page;
}

/** @returns a transaction that the endpoint lists and does not show, if there is one */
async function judgeListed(
  ctx: Ctx,
  watch: SolanaWatch,
  number: number,
  listed: readonly ListedSignature[],
  certain: ReadonlySet<string>,
): Promise<string | null> {
  const { harmless } = stateOf(watch, watch.endpoints[number] ?? '');
  const hashes = listed.map(({ signature }) => signature);
  const stored = await storedOf(ctx, hashes);
  const known = await knownForeign(ctx, watch, hashes);
  const strange = listed.filter(
    ({ signature }) => !stored.has(signature) && !known.has(signature) && !harmless.has(signature),
  );
  let unshown: string | null = null;
  for (let from = 0; from < strange.length; from += SHOWN_AT_ONCE) {
    const part = strange.slice(from, from + SHOWN_AT_ONCE);
    const verdicts = await Promise.all(part.map((one) => judgeOne(ctx, watch, number, one, certain)));
    for (const [index, verdict] of verdicts.entries()) {
      const signature = part[index]?.signature ?? '';
      if (verdict === 'unshown') unshown = signature;
      else harmless.add(signature);
    }
    for (const oldest of harmless) {
      if (harmless.size <= HARMLESS_KEPT) break;
      harmless.delete(oldest);
    }
  }
  return unshown;
}

async function knownForeign(ctx: Ctx, { chain }: SolanaWatch, hashes: string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const where = { chain: chain.name, hash: { in: hashes } };
  return new Set((await ctx.db.foreignTransaction.findMany({ where, select: { hash: true } })).map(({ hash }) => hash));
}

async function judgeOne(
  ctx: Ctx,
  watch: SolanaWatch,
  number: number,
  { signature, slot }: ListedSignature,
  certain: ReadonlySet<string>,
): Promise<'judged' | 'unshown'> {
  const at = watch.chain.endpoints[number];
  // What cannot be read proves nothing, and is not judged.
  const evidence = at ? await evidenceOf(at, signature, certain).catch(() => null) : null;
  if (!evidence) return 'unshown';
  const { name, signed } = evidence;
  // Another transaction than the listed one says nothing of that one.
  if (!signed) return name === signature ? 'judged' : 'unshown';
  if (await isOurs(ctx, evidence)) return name === signature ? 'judged' : 'unshown';
  // By the executor's own signature, which no one else can vary, so that one theft is not several under other names.
  await storeForeign(ctx, watch, { hash: signed.signature, block: slot, executor: signed.executor });
  return 'judged';
}

/** By its name, or by the bytes that are signed: other signatures under the same bytes do the same, and only once. Read after it was shown. */
async function isOurs(ctx: Ctx, evidence: SolanaEvidence): Promise<boolean> {
  const { name, signed } = evidence;
  if ((await storedOf(ctx, [name, signed?.signature ?? name])).size > 0) return true;
  const same = { raw: { endsWith: endOfRaw(evidence) } };
  return (await ctx.db.txAttempt.findFirst({ where: same, select: { hash: true } })) !== null;
}

async function listExecutors({ chain, endpoints, states }: SolanaWatch, number: number): Promise<void> {
  const at = chain.endpoints[number];
  const state = states.get(endpoints[number] ?? '');
  if (!at || !state || performance.now() - state.listedAt < LIST_EVERY_MS) return;
  state.executors = new Set((await configBy(at, chain, 'confirmed')).executors.map(({ key }) => key));
  state.listedAt = performance.now();
}

/** Keys that hold an executor's power for certain: those of our rows, and what enough endpoints list. */
async function certainExecutors(ctx: Ctx, { chain, endpoints, states }: SolanaWatch): Promise<Set<string>> {
  const keys = await ctx.db.executorKey.findMany({ where: { chain: chain.name }, select: { address: true } });
  const votes = new Map<string, number>();
  for (const endpoint of new Set(endpoints))
    for (const address of states.get(endpoint)?.executors ?? []) votes.set(address, (votes.get(address) ?? 0) + 1);
  const agreed = [...votes].filter(([, count]) => count >= enoughOf(endpoints)).map(([address]) => address);
  return new Set([...keys.map(({ address }) => address), ...agreed]);
}

/** Often enough for alerts, without a write at each look. */
async function saveMark(ctx: Ctx, watch: SolanaWatch, number: number, { own, above, upTo }: Walk): Promise<void> {
  const { chain, endpoints } = watch;
  const name = endpoints[number] ?? '';
  const state = stateOf(watch, name);
  if (own?.problem === null && performance.now() - state.savedAt < NOTE_EVERY_MS) return;
  const at = chain.endpoints[number];
  const time = at && !chain.local ? Number(await timeBy(at)) * 1_000 : ctx.clock.now();
  // What is judged up to an old slot says nothing of the newest ones.
  const problem = stillProblem(ctx.clock.now() - time, chain.facts.blockTimeMs);
  const now = new Date(ctx.clock.now());
  const block = BigInt(Math.max(0, above, upTo - OVERLAP));
  const data = { number, block, blockHash: `slot ${block}`, head: BigInt(upTo), lookedAt: now, problem };
  const update = problem === null ? { ...data, caughtUpAt: now } : data;
  await upsertMark(ctx.db, chain.name, name, { ...data, caughtUpAt: now }, update);
  state.savedAt = performance.now();
}
