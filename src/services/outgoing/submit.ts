// Sends transactions: takes a nonce from the ledger, signs, stores, and only then broadcasts. Every attempt at a nonce carries the same payload, so a
// crash anywhere can only repeat the same bytes.
import {
  type Address,
  type BroadcastOutcome,
  broadcast,
  bumpedFees,
  currentFees,
  type EvmChain,
  type Fees,
  type Hex,
  isWorthBidding,
  signCall,
} from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import { newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { sqlList, sqlPart } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { type Lease, takeLease } from '../leases.ts';
import { transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import { OPEN_SLOTS_PER_KEY, openKeys, pauseKey } from './keys.ts';
import type { QueuedCall } from './kinds.ts';
import { nextAttemptNumber, type OutgoingCall } from './queue.ts';

/**
 * Signs a call and stores it together with what `alongside` writes, then sends it.
 * @param alongside runs in the storing transaction; when it throws, no nonce was used
 * @returns the id of the outgoing transaction
 * @throws AppError `provider_unavailable` when the chain is away or every key is busy
 */
export async function submit(
  ctx: Ctx,
  chain: EvmChain,
  call: OutgoingCall,
  alongside: (tx: Tx, outgoingTxId: string) => Promise<void> = async () => {},
): Promise<string> {
  const id = newId(ctx, 'otx');
  const { kind, subjectId, to, data, gas } = call;
  await signAndStore(ctx, chain, call, async (tx, { executor, nonce, attempts }) => {
    const attempt = await nextAttemptNumber(tx, kind, subjectId);
    const createdAt = new Date(ctx.clock.now());
    const subject = { kind, subjectId, attempt };
    const payload = { toAddress: to, data, gas };
    await tx.outgoingTx.create({
      data: { id, chain: chain.name, ...subject, executor, nonce, ...payload, status: 'signed', createdAt, attempts },
    });
    await alongside(tx, id);
  });
  await broadcastOpen(ctx, chain, id);
  return id;
}

/**
 * The same for a call that is queued: its row gets the nonce.
 * @throws AppError `state_conflict` when another worker has signed it
 */
export async function submitQueued(
  ctx: Ctx,
  chain: EvmChain,
  { id, toAddress, data, gas }: QueuedCall,
  alongside: (tx: Tx) => Promise<void>,
): Promise<void> {
  const call = { to: toAddress as Address, data: data as Hex, gas };
  await signAndStore(ctx, chain, call, async (tx, { executor, nonce, attempts }) => {
    if (!(await transitionOne(ctx, tx, 'outgoing_tx', id, 'sign', { executor, nonce, retryAt: null })))
      throw new AppError('state_conflict', 'another worker signed this call');
    await tx.txAttempt.create({ data: { outgoingTxId: id, ...attempts.create } });
    await alongside(tx);
  });
  await broadcastOpen(ctx, chain, id);
}

type Signed = {
  executor: Address;
  nonce: number;
  /** The first attempt at this nonce. */
  attempts: { create: Omit<Row<'TxAttempt'>, 'outgoingTxId' | 'broadcastAt' | 'lastError'> };
};

/** Takes the next nonce of a key, signs with it, and lets `store` write both in one transaction. */
async function signAndStore(
  ctx: Ctx,
  chain: EvmChain,
  call: Pick<OutgoingCall, 'to' | 'data' | 'gas'>,
  store: (tx: Tx, signed: Signed) => Promise<void>,
): Promise<void> {
  await openKeys(ctx, chain);
  const fees = await currentFees(chain);
  const lease = await takeKeyLease(ctx, chain);
  const storing = ctx.db.$transaction(async (tx) => {
    const { address, next_nonce: nonce } = await leaseKey(ctx, tx, chain, lease);
    const account = ctx.executors.find((one) => one.address === address);
    if (!account) throw new Error('a leased key is always one of ours');
    const { hash, raw } = await signCall(chain, account, { ...call, nonce }, fees);
    const create = { hash, raw, number: 1, ...feeColumns(fees), signedAt: new Date(ctx.clock.now()) };
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
export async function broadcastOpen(ctx: Ctx, chain: EvmChain, outgoingTxId: string): Promise<void> {
  const row = await ctx.db.outgoingTx.findUnique({
    where: { id: outgoingTxId },
    select: { status: true, executor: true, attempts: { orderBy: { number: 'desc' } } },
  });
  if (!row || (row.status !== 'signed' && row.status !== 'sent')) return;
  let outcome: BroadcastOutcome | undefined;
  for (const attempt of row.attempts) {
    outcome = await broadcastAttempt(ctx, chain, attempt);
    if (outcome.kind !== 'refused') break;
  }
  if (outcome?.kind === 'fee_too_low') {
    await replaceAttempt(ctx, chain, outgoingTxId);
  } else if (outcome?.kind === 'refused') {
    await pauseKey(ctx, chain, row.executor as Address, outcome.reason);
  }
}

/** Broadcasts one attempt and notes what the node said. */
async function broadcastAttempt(
  ctx: Ctx,
  chain: EvmChain,
  attempt: Pick<Row<'TxAttempt'>, 'hash' | 'outgoingTxId' | 'number' | 'raw'>,
): Promise<BroadcastOutcome> {
  const outcome = await broadcast(chain, attempt.raw as Hex);
  const lastError = outcome.kind === 'sent' ? null : outcome.reason;
  const now = new Date(ctx.clock.now());
  await ctx.db.$transaction(async (tx) => {
    await tx.$executeRaw`update tx_attempt set broadcast_at = ${now}, last_error = ${lastError} where hash = ${attempt.hash}`;
    if (lastError === null) await transitionOne(ctx, tx, 'outgoing_tx', attempt.outgoingTxId, 'send', { sentAt: now });
  });
  if (lastError !== null) {
    ctx.log.warn(
      { chain: chain.name, tx: attempt.outgoingTxId, attempt: attempt.number, reason: lastError },
      'a broadcast was not taken',
    );
  }
  return outcome;
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
    await broadcastAttempt(ctx, chain, newest);
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
    signedAt: new Date(ctx.clock.now()),
  };
  const { count } = await ctx.db.txAttempt.createMany({ data: [attempt], skipDuplicates: true });
  if (count === 0) return;
  ctx.log.info(
    { chain: chain.name, tx: row.id, nonce: row.nonce, attempt: attempt.number },
    'replaced at the same nonce with higher fees',
  );
  await broadcastAttempt(ctx, chain, attempt);
}
