// Sending on Solana: one signed transaction for each, sent again until its block hash is over. It is lost, and free to be signed again, only when no
// endpoint can ever include it.
import type { SolanaReceipt } from '../../chain/receipt.ts';
import { answersUntil } from '../../chain/rpc/answers.ts';
import {
  broadcastSolana,
  compileMessage,
  newestLifetime,
  type SolanaChain,
  type SolanaKey,
  signMessageOf,
  unitPrice,
} from '../../chain/solana/client.ts';
import { agreedReceipt, mostAgree } from '../../chain/solana/history.ts';
import { decodePayload } from '../../chain/solana/payload.ts';
import { canNeverLand, headSlot, receiptOfSolana, standingsAt, standingsOf } from '../../chain/solana/transactions.ts';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError, isAway } from '../../domain/errors.ts';
import { wake } from '../wake.ts';
import { noteBroadcast } from './attempts.ts';
import type { Lane, OpenTx, Place, Signed, SignedCall, Standing } from './lane.ts';

export const solanaLane: Lane<SolanaChain> = { signAndStore, broadcastOpen, look, confirm, push };

/** Two slots and a little: the same bytes go out again after this. */
const RESEND_AFTER_MS = 1_500;
/** Longer than it takes from the commit of a signed transaction to the note that it was sent. */
const UNSENT_GRACE_MS = 1_000;

async function signAndStore(
  ctx: Ctx,
  chain: SolanaChain,
  call: SignedCall,
  store: (tx: Tx, signed: Signed) => Promise<void>,
): Promise<void> {
  const { executor, attempt } = await sign(ctx, chain, call);
  await ctx.db.$transaction(async (tx) => {
    await wake(tx, 'sent');
    await store(tx, { executor, nonce: null, attempts: { create: attempt } });
  });
}

async function sign(
  ctx: Ctx,
  chain: SolanaChain,
  { kind, subjectId, data, gas }: SignedCall,
): Promise<{ executor: string; attempt: Signed['attempts']['create'] }> {
  const keys = await freeKeys(ctx, chain);
  const [least] = keys;
  if (!least) throw new AppError('provider_unavailable', `every executor key on ${chain.facts.label} is out of use`);
  const payload = decodePayload(data, least.address);
  const signedAt = new Date(ctx.clock.now());
  if ('message' in payload) {
    const { message, signatures, lastValidHeight } = payload;
    const payer = message.staticAccountKeys[0]?.toBase58() ?? '';
    const key = keys.find(({ address }) => address === payer);
    if (!key)
      throw new AppError('provider_unavailable', `the executor key that ${chain.facts.label} expects is not in use`);
    const { raw, signature } = signMessageOf(message, [key], signatures);
    const attempt = { hash: signature, raw, number: 1, maxFee: 0n, priorityFee: 0n, lastValidHeight, signedAt };
    return { executor: key.address, attempt };
  }
  const writable = payload.instructions.flatMap(({ keys: metas }) =>
    metas.filter(({ isWritable }) => isWritable).map(({ pubkey }) => pubkey.toBase58()),
  );
  const lostBefore = await ctx.db.outgoingTx.count({ where: { kind, subjectId, status: 'lost' } });
  const [lifetime, price] = await Promise.all([newestLifetime(chain), unitPrice(chain, writable, lostBefore)]);
  const message = compileMessage(least.address, { ...payload, units: Number(gas) }, price, lifetime);
  const { raw, signature } = signMessageOf(message, [least]);
  const { lastValidHeight } = lifetime;
  const fee = BigInt(price);
  const attempt = { hash: signature, raw, number: 1, maxFee: fee, priorityFee: fee, lastValidHeight, signedAt };
  return { executor: least.address, attempt };
}

/** Our keys that may sign now, the least busy first. A key is known to the rows from its first use on. */
async function freeKeys(ctx: Ctx, chain: SolanaChain): Promise<SolanaKey[]> {
  const addresses = ctx.solanaExecutors.map(({ address }) => address);
  await ctx.db.executorKey.createMany({
    data: addresses.map((address) => ({ chain: chain.name, address, nextNonce: 0 })),
    skipDuplicates: true,
  });
  const rows = await ctx.db.$queryRaw<{ address: string }[]>`
    select k.address from executor_key k
    left join (
      select executor, count(*) as open from outgoing_tx where chain = ${chain.name} and status in ('signed', 'sent') group by executor
    ) o on o.executor = k.address
    where k.chain = ${chain.name} and k.paused_reason is null and k.address = any(${addresses})
    order by coalesce(o.open, 0), k.address`;
  return rows.flatMap(({ address }) => ctx.solanaExecutors.find((key) => key.address === address) ?? []);
}

async function broadcastOpen(ctx: Ctx, chain: SolanaChain, outgoingTxId: string): Promise<void> {
  const row = await ctx.db.outgoingTx.findUnique({
    where: { id: outgoingTxId },
    select: { status: true, attempts: { orderBy: { number: 'desc' }, take: 1 } },
  });
  const attempt: Row<'TxAttempt'> | undefined = row?.attempts[0];
  if (!attempt || (row?.status !== 'signed' && row?.status !== 'sent')) return;
  await noteBroadcast(ctx, chain, attempt, await broadcastSolana(chain, attempt.raw));
}

const signatureOf = ({ attempts }: OpenTx) => attempts[0]?.hash ?? '';

async function look(chain: SolanaChain, rows: readonly OpenTx[]): Promise<{ head: bigint; places: Place[] }> {
  const [head, standings] = await Promise.all([headSlot(chain), standingsOf(chain, rows.map(signatureOf))]);
  const places = rows.map((row, index) => (standings[index] ? seenPlace(chain, row) : null));
  return { head, places: await Promise.all(places) };
}

async function seenPlace(chain: SolanaChain, row: OpenTx): Promise<SolanaReceipt | 'seen'> {
  return (await receiptOfSolana(chain, signatureOf(row))) ?? 'seen';
}

async function confirm(chain: SolanaChain, rows: readonly OpenTx[]): Promise<Standing[]> {
  const slots = await slotsOf(chain, rows.map(signatureOf));
  return Promise.all(
    rows.map(async (row, index): Promise<Standing> => {
      const stands = slots[index] ?? null;
      if (stands === null || stands === 'unclear') return stands;
      const isHere = row.minedBlock === stands.slot;
      if (isHere && !stands.isFinal) return 'same';
      if (mostAgree(chain) < 2) {
        if (isHere) return 'final';
        const place = await seenPlace(chain, row);
        return place === 'seen' ? 'same' : place;
      }
      // In another slot, which can still change.
      return stands.isFinal ? finalStanding(chain, row) : 'same';
    }),
  );
}

/** By what two endpoints show of a final slot: also where it is another one than was noted. */
async function finalStanding(chain: SolanaChain, row: OpenTx): Promise<Standing> {
  try {
    const receipt = await agreedReceipt(chain, signatureOf(row));
    return receipt.digest === row.minedDigest ? 'final' : receipt;
  } catch (error) {
    if (isAway(error)) return 'unclear';
    throw error;
  }
}

/** Where enough endpoints have each transaction; null where enough know it in no slot. @throws AppError `provider_unavailable` where one is enough */
async function slotsOf(
  chain: SolanaChain,
  signatures: readonly string[],
): Promise<({ slot: bigint; isFinal: boolean } | 'unclear' | null)[]> {
  const enough = mostAgree(chain);
  if (enough < 2) return standingsOf(chain, signatures);
  const answers = await answersUntil(
    chain.endpoints.map((at) => standingsAt(at, signatures)),
    (given) =>
      signatures.every(
        (_, index) =>
          commonSlot(
            given.map((one) => one[index] ?? null),
            enough,
          ) !== 'unclear',
      ),
  );
  return signatures.map((_, index) =>
    commonSlot(
      answers.map((one) => one[index] ?? null),
      enough,
    ),
  );
}

type Slot = { slot: bigint; isFinal: boolean } | null;

function commonSlot(shown: readonly Slot[], enough: number): Slot | 'unclear' {
  for (const one of shown) {
    const same = shown.filter((other) => other?.slot === one?.slot);
    if (same.length >= enough) return one && { slot: one.slot, isFinal: same.every((other) => other?.isFinal) };
  }
  return 'unclear';
}

async function push(ctx: Ctx, chain: SolanaChain, row: OpenTx): Promise<'lost' | null> {
  const newest = row.attempts[0];
  if (!newest) return null;
  const now = ctx.clock.now();
  if (newest.broadcastAt === null && now - newest.signedAt.getTime() < UNSENT_GRACE_MS) return null;
  if (newest.broadcastAt !== null && now - newest.broadcastAt.getTime() < RESEND_AFTER_MS) return null;
  const { hash: signature, lastValidHeight } = newest;
  const { raw } = await ctx.db.txAttempt.findUniqueOrThrow({ where: { hash: signature }, select: { raw: true } });
  // One whose last height is not known could always still land.
  if (lastValidHeight !== null && (await canNeverLand(chain, { signature, raw, lastValidHeight }))) return 'lost';
  await broadcastOpen(ctx, chain, row.id);
  return null;
}
