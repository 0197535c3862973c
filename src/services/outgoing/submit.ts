// The executor's sending half: takes a nonce from the ledger, signs, stores, and only then broadcasts.
// One row per nonce slot; every attempt at a slot carries the same payload, so a crash anywhere can only repeat the same bytes.
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
  minedNonce,
  signCall,
} from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import { newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { sqlList, sqlPart } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import type { SponsoredKind } from '../../domain/sponsoredCall.ts';
import { type Lease, takeLease } from '../leases.ts';
import { advanceTx } from '../transitions.ts';

const OUT_OF_GAS = 'insufficient funds for gas';
/** Slots of one key that may be open at a time: what nodes keep of one account without argument. */
const OPEN_SLOTS_PER_KEY = 16;

export type OutgoingCall = {
  kind: 'tips' | 'pause' | 'tab' | 'claim' | 'order' | SponsoredKind;
  businessKey: string;
  /** The bot router when it is left out. */
  to?: Address;
  data: Hex;
  gas: bigint;
};

/**
 * Signs a call and stores it together with what `alongside` writes, then sends it.
 * A second call with the same business key is refused by the database and sends nothing.
 * @param alongside runs in the storing transaction; when it throws, no nonce was used
 * @throws AppError `provider_unavailable` when the chain is away or every key is busy
 */
export async function submitCall(
  ctx: Ctx,
  chain: EvmChain,
  call: OutgoingCall,
  alongside: (tx: Tx, outgoingTxId: string) => Promise<void> = async () => {},
): Promise<string> {
  await openKeys(ctx, chain);
  const fees = await currentFees(chain);
  const id = newId(ctx, 'otx');
  const to = call.to ?? chain.routers.bot;
  const lease = await takeKeyLease(ctx, chain);
  const storing = ctx.db.$transaction(async (tx) => {
    const key = await leaseKey(ctx, tx, chain, lease);
    const account = ctx.executors.find((one) => one.address === key.address);
    if (!account) throw new Error('a leased key is always one of ours');
    const signed = await signCall(chain, account, { to, data: call.data, gas: call.gas, nonce: key.next_nonce }, fees);
    const now = new Date(ctx.clock.now());
    await tx.outgoingTx.create({
      data: {
        id,
        chain: chain.name,
        executor: key.address,
        nonce: key.next_nonce,
        businessKey: call.businessKey,
        kind: call.kind,
        toAddress: to,
        data: call.data,
        gas: call.gas,
        status: 'signed',
        createdAt: now,
        attempts: { create: { hash: signed.hash, number: 1, raw: signed.raw, ...feeColumns(fees), signedAt: now } },
      },
    });
    await tx.executorKey.update({
      where: { chain_address: { chain: chain.name, address: key.address } },
      data: { nextNonce: key.next_nonce + 1 },
    });
    await alongside(tx, id);
  });
  await storing.finally(() => lease?.release());
  await sendOpen(ctx, chain, id);
  return id;
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
/** Whether any key could send on this chain now, as far as the rows say; before the first one was opened nobody knows better. */
export async function hasFreeKey(ctx: Ctx, chain: EvmChain): Promise<boolean> {
  const keys = await ctx.db.$queryRaw<{ free: boolean }[]>`
    select k.paused_reason is null and (
      select count(*) from outgoing_tx o where o.chain = k.chain and o.executor = k.address and o.status in ('signed', 'sent')
    ) < ${OPEN_SLOTS_PER_KEY} as free
    from executor_key k where k.chain = ${chain.name}`;
  return keys.length === 0 || keys.some((key) => key.free);
}

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

/** Opens the ledger of every key on a chain that it has not used yet, from the chain's own count. */
export async function openKeys(ctx: Ctx, chain: EvmChain): Promise<void> {
  const ours = ctx.executors.map((account) => account.address);
  const rows = await ctx.db.executorKey.findMany({
    where: { chain: chain.name, address: { in: ours } },
    select: { address: true },
  });
  const known = new Set(rows.map((row) => row.address));
  for (const address of ours) {
    if (known.has(address)) continue;
    const nextNonce = await minedNonce(chain, address);
    await ctx.db.executorKey.createMany({ data: [{ chain: chain.name, address, nextNonce }], skipDuplicates: true });
  }
}

/** Broadcasts a stored transaction: its newest attempt, or an older one when the key cannot pay for the newest. Any number of calls send the same bytes. */
export async function sendOpen(ctx: Ctx, chain: EvmChain, outgoingTxId: string): Promise<void> {
  const row = await ctx.db.outgoingTx.findUnique({
    where: { id: outgoingTxId },
    select: { status: true, executor: true, attempts: { orderBy: { number: 'desc' } } },
  });
  if (!row || (row.status !== 'signed' && row.status !== 'sent')) return;
  let outcome: BroadcastOutcome | undefined;
  for (const attempt of row.attempts) {
    outcome = await sendAttempt(ctx, chain, attempt);
    if (outcome.kind !== 'refused') break;
  }
  if (outcome?.kind === 'fee_too_low') {
    await replaceAttempt(ctx, chain, outgoingTxId);
  } else if (outcome?.kind === 'refused') {
    await pauseKey(ctx, chain, row.executor as Address, outcome.reason);
  }
}

/** Broadcasts one attempt and notes what the node said. */
async function sendAttempt(
  ctx: Ctx,
  chain: EvmChain,
  attempt: Pick<Row<'TxAttempt'>, 'hash' | 'outgoingTxId' | 'number' | 'raw'>,
): Promise<BroadcastOutcome> {
  const outcome = await broadcast(chain, attempt.raw as Hex);
  const lastError = outcome.kind === 'sent' ? null : outcome.reason;
  const now = new Date(ctx.clock.now());
  await ctx.db.$transaction(async (tx) => {
    await tx.$executeRaw`update tx_attempt set broadcast_at = ${now}, last_error = ${lastError} where hash = ${attempt.hash}`;
    if (lastError === null) await advanceTx(ctx, tx, attempt.outgoingTxId, 'send', { sentAt: now });
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
  if (!newest || !account) return;
  const market = await currentFees(chain);
  const fees = bumpedFees({ maxFee: newest.maxFee, priorityFee: newest.priorityFee }, market);
  if (!isWorthBidding(fees, market)) {
    await sendAttempt(ctx, chain, newest);
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
  await sendAttempt(ctx, chain, attempt);
}

/**
 * Takes a key out of use until it works again: its slot is kept, because later nonces would leave a gap. The first reason stands, so that a
 * key that somebody else used does not come back with its gas or its role; only a lack of gas gives way to a graver reason.
 */
export async function pauseKey(ctx: Ctx, chain: EvmChain, address: Address, reason: string): Promise<void> {
  const replaceable =
    reason === OUT_OF_GAS ? [{ pausedReason: null }] : [{ pausedReason: null }, { pausedReason: OUT_OF_GAS }];
  const { count } = await ctx.db.executorKey.updateMany({
    where: { chain: chain.name, address, OR: replaceable },
    data: { pausedReason: reason },
  });
  if (count === 0) return;
  ctx.log.error(
    { chain: chain.name, executor: address, reason },
    'an executor key is out of use; its open transactions are kept and retried',
  );
}

/** A key that only lacked gas works again as soon as one of its transactions is mined. */
export async function resumeKey(ctx: Ctx, chain: EvmChain, address: string): Promise<void> {
  await ctx.db.executorKey.updateMany({
    where: { chain: chain.name, address, pausedReason: OUT_OF_GAS },
    data: { pausedReason: null },
  });
}
