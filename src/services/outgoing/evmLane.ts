// Sending on EVM chains: a nonce from the ledger for each transaction, and replacements at the same nonce with the same payload.
import { type EvmReceipt, evmReceipt } from '../../chain/receipt.ts';
import { agreedAnswers, anySays, anyShows, needsTwo } from '../../chain/rpc/agreement.ts';
import { broadcast } from '../../chain/rpc/broadcast.ts';
import {
  type Address,
  type BroadcastOutcome,
  blockHash,
  bumpedFees,
  currentFees,
  type EvmChain,
  type Fees,
  type Hash,
  type Hex,
  isWorthBidding,
  type PublicClient,
  signCall,
} from '../../chain/rpc/client.ts';
import { agreedHead } from '../../chain/rpc/finality.ts';
import { agreedReceipt, anyReceipt, isSpentElsewhere } from '../../chain/rpc/outcomes.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { sqlList, sqlPart } from '../../db.ts';
import { AppError, isAway } from '../../domain/errors.ts';
import { type Lease, takeLease } from '../leases.ts';
import { wake } from '../wake.ts';
import { noteBroadcast } from './attempts.ts';
import { OPEN_SLOTS_PER_KEY, openKeys, pauseKey } from './keys.ts';
import type { Lane, OpenTx, Place, Signed, SignedCall, Standing } from './lane.ts';

export const evmLane: Lane<EvmChain> = { signAndStore, broadcastOpen, look, confirm, push };

/** Takes the next nonce of a key, signs with it, and lets `store` write both in one transaction. */
async function signAndStore(
  ctx: Ctx,
  chain: EvmChain,
  { to, data, gas }: SignedCall,
  store: (tx: Tx, signed: Signed) => Promise<void>,
): Promise<void> {
  await openKeys(ctx, chain);
  const fees = await currentFees(chain);
  const lease = await takeKeyLease(ctx, chain);
  const storing = ctx.db.$transaction(async (tx) => {
    const { address, next_nonce: nonce } = await leaseKey(ctx, tx, chain, lease);
    const account = ctx.executors.find((one) => one.address === address);
    if (!account) throw new Error('a leased key is always one of ours');
    const { hash, raw } = await signCall(chain, account, { to: to as Address, data: data as Hex, gas, nonce }, fees);
    const signedAt = new Date(ctx.clock.now());
    const create = { hash, raw, number: 1, ...feeColumns(fees), lastValidHeight: null, signedAt };
    await wake(tx, 'sent');
    await store(tx, { executor: account.address, nonce, attempts: { create } });
    await tx.executorKey.update({
      where: { chain_address: { chain: chain.name, address } },
      data: { nextNonce: nonce + 1 },
    });
  });
  await storing.finally(() => lease?.release());
}

function feeColumns(fees: Fees) {
  return { maxFee: fees.maxFee, priorityFee: fees.priorityFee };
}

type LeasedKey = { address: string; next_nonce: number };

/**
 * Locks the leased key, or else the least busy key of ours, until the transaction ends: its nonces are given out one at a time. One that is
 * free is preferred; when others are storing with all of them, it is waited for, which takes as long as their transaction.
 */
async function leaseKey(ctx: Ctx, tx: Tx, chain: EvmChain, lease: Lease | null): Promise<LeasedKey> {
  const leased = ctx.executors.find(({ address }) => leaseName(chain, address) === lease?.name)?.address ?? '';
  const find = (lock: typeof SKIP_LOCKED) =>
    keysByLoad(
      ctx,
      tx,
      chain,
      sqlPart`order by k.address = ${leased} desc, coalesce(o.slots, 0), k.address
      limit 1 for update of k ${lock}`,
    );
  const [key] = await find(SKIP_LOCKED).then((free) => (free.length > 0 ? free : find(WAIT)));
  if (!key) throw new AppError('provider_unavailable', `every executor key on ${chain.facts.label} is busy`);
  return key;
}

const SKIP_LOCKED = sqlPart`skip locked`;
const WAIT = sqlPart``;
/** The keys of ours that may sign another transaction now. */
function keysByLoad(ctx: Ctx, tx: Tx, chain: EvmChain, tail: typeof SKIP_LOCKED): Promise<LeasedKey[]> {
  const ours = ctx.executors.map((account) => account.address);
  return tx.$queryRaw<LeasedKey[]>`
    with open as (
      select executor, count(*) as slots from outgoing_tx where chain = ${chain.name} and status in ('signed', 'sent') group by executor
    )
    select k.address, k.next_nonce from executor_key k left join open o on o.executor = k.address
    where k.chain = ${chain.name} and k.paused_reason is null and k.address in (${sqlList(ours)})
      and coalesce(o.slots, 0) < ${OPEN_SLOTS_PER_KEY} ${tail}`;
}

/** Takes one of our keys for this call, the least busy first. Whether it may sign is for the ledger's rows to say. */
async function takeKeyLease(ctx: Ctx, chain: EvmChain): Promise<Lease | null> {
  if (!ctx.redis) return null;
  const keys = await keysByLoad(ctx, ctx.db, chain, sqlPart`order by coalesce(o.slots, 0), k.address`);
  return takeLease(
    ctx,
    keys.map(({ address }) => leaseName(chain, address)),
  );
}

function leaseName(chain: EvmChain, address: string): string {
  return `executor:${chain.name}:${address}`;
}

/** Broadcasts a stored transaction: its newest attempt, or an older one when the key cannot pay for the newest. Any number of calls send the same bytes. */
async function broadcastOpen(ctx: Ctx, chain: EvmChain, outgoingTxId: string): Promise<void> {
  const row = await ctx.db.outgoingTx.findUnique({
    where: { id: outgoingTxId },
    select: { status: true, executor: true, attempts: { orderBy: { number: 'desc' } } },
  });
  if (!row || (row.status !== 'signed' && row.status !== 'sent')) return;
  let outcome: BroadcastOutcome | undefined;
  for (const attempt of row.attempts) {
    outcome = await noteBroadcast(ctx, chain, attempt, await broadcast(chain, attempt.raw as Hex));
    if (outcome.kind !== 'refused') break;
  }
  if (outcome?.kind === 'fee_too_low') {
    await replaceAttempt(ctx, chain, outgoingTxId);
  } else if (outcome?.kind === 'refused') {
    await pauseKey(ctx, chain, row.executor as Address, outcome.reason);
  }
}

/** Stores a new attempt at the same nonce with the same payload and higher fees, then sends it. */
export async function replaceAttempt(ctx: Ctx, chain: EvmChain, outgoingTxId: string): Promise<void> {
  const row = await ctx.db.outgoingTx.findUniqueOrThrow({
    where: { id: outgoingTxId },
    include: { attempts: { orderBy: { number: 'desc' }, take: 1 } },
  });
  const newest = row.attempts[0];
  const account = ctx.executors.find((one) => one.address === row.executor);
  if (!newest || !account || row.nonce === null) return;
  const market = await currentFees(chain);
  const fees = bumpedFees({ maxFee: newest.maxFee, priorityFee: newest.priorityFee }, market);
  if (!isWorthBidding(fees, market)) {
    await noteBroadcast(ctx, chain, newest, await broadcast(chain, newest.raw as Hex));
    return;
  }
  const call = { to: row.toAddress as Address, data: row.data as Hex, gas: row.gas, nonce: row.nonce };
  const signed = await signCall(chain, account, call, fees);
  const attempt = {
    hash: signed.hash,
    outgoingTxId: row.id,
    number: newest.number + 1,
    raw: signed.raw,
    ...feeColumns(fees),
    lastValidHeight: null,
    signedAt: new Date(ctx.clock.now()),
  };
  const { count } = await ctx.db.txAttempt.createMany({ data: [attempt], skipDuplicates: true });
  if (count === 0) return;
  ctx.log.info(
    { chain: chain.name, tx: row.id, nonce: row.nonce, attempt: attempt.number },
    'replaced at the same nonce with higher fees',
  );
  await noteBroadcast(ctx, chain, attempt, await broadcast(chain, signed.raw));
}

async function look(chain: EvmChain, rows: readonly OpenTx[]): Promise<{ head: bigint; places: Place[] }> {
  const [head, places] = await Promise.all([
    newestHead(chain),
    Promise.all(rows.map((row) => findReceipt(chain, row))),
  ]);
  return { head, places };
}

/** By the first that answers: what it decides is read from two again. */
async function newestHead(chain: EvmChain): Promise<bigint> {
  return (await anyShows(chain, (client) => client.getBlockNumber({ cacheTime: 0 }))) ?? 0n;
}

const hashesOf = ({ attempts }: Pick<OpenTx, 'attempts'>) => attempts.map(({ hash }) => hash as Hash);

async function findReceipt(chain: EvmChain, row: OpenTx): Promise<EvmReceipt | null> {
  const raw = await anyShows(chain, (client) => anyReceipt(client, hashesOf(row)));
  return raw && evmReceipt(raw);
}

async function confirm(chain: EvmChain, rows: readonly OpenTx[]): Promise<Standing[]> {
  const view = openView(chain);
  return Promise.all(
    rows.map(async (row) => {
      try {
        return await standingOf(chain, view, row);
      } catch (error) {
        // They do not agree, or one of two does not answer: it is looked at again, and holds up no other.
        if (needsTwo(chain) && isAway(error)) return 'unclear';
        throw error;
      }
    }),
  );
}

type View = {
  headOf(client: PublicClient): Promise<bigint>;
  hashAt(client: PublicClient, block: bigint): Promise<Hash | null>;
};

/** What endpoints answer in one round: rows share heads and blocks. */
function openView(chain: EvmChain): View {
  const asked = new Map<PublicClient, Map<bigint | 'head', Promise<unknown>>>();
  const once = <T>(client: PublicClient, what: bigint | 'head', ask: () => Promise<T>): Promise<T> => {
    const own = asked.get(client) ?? new Map<bigint | 'head', Promise<unknown>>();
    asked.set(client, own);
    const answer = own.get(what) ?? ask();
    own.set(what, answer);
    return answer as Promise<T>;
  };
  return {
    headOf: (client) => once(client, 'head', () => client.getBlockNumber({ cacheTime: 0 })),
    hashAt: (client, block) => once(client, block, () => blockHash(chain, block, client)),
  };
}

/** Its block is cheaper to read than a receipt with all its logs, which is read once that could be final, or is another one. */
async function standingOf(chain: EvmChain, view: View, row: OpenTx): Promise<Standing> {
  const { minedBlock, minedBlockHash } = row;
  const ask = async (client: PublicClient) => {
    if (minedBlock === null) return { isHere: false, isDeep: false };
    const [hash, head] = await Promise.all([view.hashAt(client, minedBlock), view.headOf(client)]);
    return { isHere: hash === minedBlockHash, isDeep: head - minedBlock + 1n >= BigInt(chain.confirmations) };
  };
  const answers = await agreedAnswers(chain, ask, ({ isHere }) => String(isHere));
  const isHere = answers[0].isHere;
  const isDeep = answers.every((answer) => answer.isDeep);
  if (isHere && !isDeep) return 'same';
  if (isHere && !needsTwo(chain)) return 'final';
  const raw = await agreedReceipt(chain, hashesOf(row));
  if (!raw) return isHere ? 'unclear' : null;
  const receipt = evmReceipt(raw);
  if (receipt.digest !== row.minedDigest) return receipt;
  return isHere ? 'final' : 'same';
}

/** Not in a block: the same bytes go out again after a while, and a replacement with higher fees after a longer one. */
async function push(ctx: Ctx, chain: EvmChain, row: OpenTx, head: bigint): Promise<'lost' | null> {
  const newest = row.attempts[0];
  if (!newest) return null;
  const now = ctx.clock.now();
  const sinceBroadcast = newest.broadcastAt ? now - newest.broadcastAt.getTime() : Number.POSITIVE_INFINITY;
  const sinceSigned = now - newest.signedAt.getTime();
  const { resendAfterMs, replaceAfterMs } = timeouts(chain, row.attempts.length);
  if (sinceBroadcast < resendAfterMs) return null;
  // The process that signed it is about to send it, unless it crashed.
  if (newest.broadcastAt === null && sinceSigned < UNSENT_GRACE_MS) return null;
  if (await nonceIsLost(ctx, chain, row, head)) {
    await pauseKey(ctx, chain, row.executor as Address, 'another program spent a nonce of it');
    return 'lost';
  }
  if (row.status === 'sent' && sinceSigned >= replaceAfterMs) await replaceAttempt(ctx, chain, row.id);
  else await broadcastOpen(ctx, chain, row.id);
  return null;
}

/** Longer than it takes from the commit of a signed transaction to the note that it was sent. */
const UNSENT_GRACE_MS = 1_000;

/** Whether the chain has spent this nonce, final, on something that is not one of our attempts: what was signed for it is paid again. */
async function nonceIsLost(ctx: Ctx, chain: EvmChain, row: OpenTx, head: bigint): Promise<boolean> {
  const { nonce } = row;
  const depth = BigInt(chain.confirmations) - 1n;
  const blockNumber = head - depth;
  if (nonce === null || blockNumber < 0n) return false;
  const address = row.executor as Address;
  const isSpent = await anySays(
    chain,
    async (client) => (await client.getTransactionCount({ address, blockNumber })) > nonce,
  );
  if (!isSpent) return false;
  try {
    const final = (await agreedHead(chain)) - depth;
    // Read after that: what a final block has was stored before, also by a process that replaced it meanwhile.
    const attempts = await ctx.db.txAttempt.findMany({ where: { outgoingTxId: row.id } });
    return await isSpentElsewhere(chain, address, nonce, hashesOf({ attempts }), final < 0n ? 0n : final);
  } catch (error) {
    // Until two endpoints say so, it goes out again.
    if (needsTwo(chain) && isAway(error)) return false;
    throw error;
  }
}

/** Resend after about two blocks, replace after about five, and twice as long after each replacement. */
function timeouts(chain: EvmChain, attempts: number): { resendAfterMs: number; replaceAfterMs: number } {
  const block = chain.facts.blockTimeMs;
  const first = Math.max(5_000, block * 5);
  return {
    resendAfterMs: Math.max(2_000, block * 2),
    replaceAfterMs: Math.min(first * 2 ** (attempts - 1), LONGEST_REPLACE_MS),
  };
}

const LONGEST_REPLACE_MS = 5 * 60_000;
