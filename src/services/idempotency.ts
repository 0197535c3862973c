// One effect for each idempotency key: the key's row and the effect are one transaction, and concurrent calls with the same key wait for it.
import type { Ctx } from '../context.ts';
import { sqlState, type Tx } from '../db.ts';
import { AppError } from '../domain/errors.ts';
import { IDEMPOTENCY_KEPT_MS } from '../domain/idempotency.ts';
import { wakeDeliveries } from './events.ts';

/** How long a twin waits for the first before it is sent away. */
const WAIT_MS = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** A POST under /v1 that may be repeated. `bodyHash` is the SHA-256 of its bytes, in hex. */
export type KeyedRequest = { keyId: string; path: string; key: string; bodyHash: string };
export type KeptAnswer = { status: number; body: string };
export type KeyedAnswer = KeptAnswer & { replayed: boolean };
/** `shownOnce` is added to the answer and not kept: a repeated call gets the answer without it. */
type Done = { status: number; body: object; shownOnce?: object };
/** What a key is for: its effects and its answer. */
export type Work = (tx: Tx) => Promise<Done>;
/** The same, with what was read outside the transaction first. */
export type ReadiedWork<T> = (tx: Tx, readied: T) => Promise<Done>;
/** The answer that a failure is kept as, or null for one that is not kept: the same call may succeed another time. */
export type Explain = (error: unknown) => KeptAnswer | null;

/**
 * Does the work once for each key of a caller and path, and gives its answer again afterwards. Without a slot it is a transaction and nothing more.
 * What it asked of the queues goes out after the commit.
 * @param work its effect is kept together with the answer, or neither is
 * @param explain a failure that it explains undoes the effect and is kept as the answer; anything else releases the key
 * @throws AppError `idempotency_key_reused`, `idempotency_in_progress`, and what `work` throws
 */
export async function runIdempotent(
  ctx: Ctx,
  slot: KeyedRequest | null,
  work: Work,
  explain: Explain = () => null,
): Promise<KeyedAnswer> {
  const done = slot ? await runInSlot(ctx, slot, work, explain) : await runOnce(ctx, work);
  if (!done.replayed && done.status < 400) await wakeDeliveries(ctx);
  return done;
}

async function runOnce(ctx: Ctx, work: Work): Promise<KeyedAnswer> {
  return { ...answersOf(await ctx.db.$transaction(work)).shown, replayed: false };
}

function runInSlot(ctx: Ctx, slot: KeyedRequest, work: Work, explain: Explain): Promise<KeyedAnswer> {
  return inProgressOnTimeout(() =>
    ctx.db.$transaction(async (tx) => {
      const earlier = await takeSlot(ctx, tx, slot);
      if (earlier) return earlier;
      const { kept, shown } = await attempt(tx, work, explain);
      await fillSlot(tx, slot, kept);
      return { ...shown, replayed: false };
    }),
  );
}

/**
 * The same for work that asks something outside first, such as a name server, which no transaction waits for. A repeat asks nothing.
 * @throws AppError as {@link runIdempotent}, and what `ready` throws
 */
export async function runReadied<T>(
  ctx: Ctx,
  slot: KeyedRequest | null,
  ready: () => Promise<T>,
  work: ReadiedWork<T>,
  explain: Explain,
): Promise<KeyedAnswer> {
  const earlier = slot && (await keptAnswer(ctx, ctx.db, slot));
  if (earlier) return earlier;
  let readied: T;
  try {
    readied = await ready();
  } catch (error) {
    const explained = slot && explain(error);
    if (!explained) throw error;
    return keepAnswer(ctx, slot, explained);
  }
  return runIdempotent(ctx, slot, (tx) => work(tx, readied), explain);
}

/**
 * Keeps an answer that came about without an effect, unless the key has one already, which is given instead.
 * @throws AppError as {@link runIdempotent}
 */
export function keepAnswer(ctx: Ctx, slot: KeyedRequest, answer: KeptAnswer): Promise<KeyedAnswer> {
  return inProgressOnTimeout(() =>
    ctx.db.$transaction(async (tx) => {
      const earlier = await takeSlot(ctx, tx, slot);
      if (earlier) return earlier;
      await fillSlot(tx, slot, answer);
      return { ...answer, replayed: false };
    }),
  );
}

/**
 * For work that is as good as done once however often it is done, because the chain says what happened: nothing is locked while it asks there, and
 * of several answers the first one is kept.
 * @throws AppError as {@link runIdempotent}
 */
export async function runRepeatable(
  ctx: Ctx,
  slot: KeyedRequest | null,
  work: () => Promise<{ status: number; body: object }>,
  explain: Explain,
): Promise<KeyedAnswer> {
  const earlier = slot && (await keptAnswer(ctx, ctx.db, slot));
  if (earlier) return earlier;
  const answer = await work().then(
    ({ status, body }) => ({ status, body: JSON.stringify(body) }),
    (error: unknown) => {
      const explained = slot && explain(error);
      if (!explained) throw error;
      return explained;
    },
  );
  return slot ? keepAnswer(ctx, slot, answer) : { ...answer, replayed: false };
}

/** Deletes answers whose keys have expired. */
export async function forgetAnswers(ctx: Ctx): Promise<void> {
  await ctx.db.idempotencyKey.deleteMany({
    where: { createdAt: { lt: new Date(ctx.clock.now() - IDEMPOTENCY_KEPT_MS) } },
  });
}

/** @returns the answer of an earlier call, or null when the key is ours now; a twin that holds it is waited for */
async function takeSlot(ctx: Ctx, tx: Tx, { keyId, path, key, bodyHash }: KeyedRequest): Promise<KeyedAnswer | null> {
  const now = ctx.clock.now();
  await tx.$executeRaw`select set_config('lock_timeout', ${String(WAIT_MS)}, true)`;
  const taken = await tx.$executeRaw`
    insert into idempotency_key as k (key_id, path, key, body_hash, status, body, created_at)
      values (${keyId}, ${path}, ${key}, ${bodyHash}, 0, '', ${new Date(now)}::timestamptz)
      on conflict (key_id, path, key) do update
        set body_hash = excluded.body_hash, status = 0, body = '', created_at = excluded.created_at
        where k.created_at <= ${new Date(now - IDEMPOTENCY_KEPT_MS)}::timestamptz`;
  if (taken === 1) return null;
  const kept = await keptAnswer(ctx, tx, { keyId, path, key, bodyHash });
  // It was dropped in this very moment.
  if (!kept) throw new AppError('idempotency_in_progress', undefined, { retryAfterMs: 1_000 });
  return kept;
}

async function keptAnswer(ctx: Ctx, tx: Tx, { keyId, path, key, bodyHash }: KeyedRequest): Promise<KeyedAnswer | null> {
  const kept = await tx.idempotencyKey.findUnique({ where: { keyId_path_key: { keyId, path, key } } });
  if (!kept || kept.createdAt.getTime() <= ctx.clock.now() - IDEMPOTENCY_KEPT_MS) return null;
  if (kept.bodyHash !== bodyHash) throw new AppError('idempotency_key_reused');
  return { status: kept.status, body: kept.body, replayed: true };
}

type Answers = { kept: KeptAnswer; shown: KeptAnswer };

async function attempt(tx: Tx, work: Work, explain: Explain): Promise<Answers> {
  await tx.$executeRaw`savepoint attempt`;
  try {
    return answersOf(await work(tx));
  } catch (error) {
    const answer = explain(error);
    if (!answer) throw error;
    await tx.$executeRaw`rollback to savepoint attempt`;
    return { kept: answer, shown: answer };
  }
}

function answersOf({ status, body, shownOnce }: Done): Answers {
  const kept = { status, body: JSON.stringify(body) };
  return { kept, shown: shownOnce ? { status, body: JSON.stringify({ ...body, ...shownOnce }) } : kept };
}

async function fillSlot(tx: Tx, { keyId, path, key }: KeyedRequest, { status, body }: KeptAnswer): Promise<void> {
  await tx.$executeRaw`
    update idempotency_key set status = ${status}, body = ${body} where key_id = ${keyId} and path = ${path} and key = ${key}`;
}

async function inProgressOnTimeout<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (sqlState(cause) !== LOCK_NOT_AVAILABLE) throw cause;
    throw new AppError('idempotency_in_progress', undefined, { cause, retryAfterMs: 1_000 });
  }
}
