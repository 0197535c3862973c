// API keys of a workspace: drawn, shown once and kept as a hash; who calls with one; rolling and revoking.

import { createHash, randomBytes } from 'node:crypto';
import { actorIn } from '../../acting.ts';
import { type Ctx, newId } from '../../context.ts';
import { type Prepared, type Row, runPrepared, type Tx } from '../../db.ts';
import {
  formatKey,
  KEY_PATTERN,
  type KeyMode,
  type KeyStatus,
  keyStatus,
  MOST_KEYS,
  OVERLAP_HOURS,
  type Scope,
} from '../../domain/apiKey.ts';
import { AppError } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { readNote } from '../../domain/note.ts';
import { mayGive, refusalWords } from '../../domain/team.ts';
import { slugsOfHandles } from '../accounts/handles.ts';
import { record } from '../audit.ts';
import { lockKey } from '../locks.ts';
import { roleIn } from './members.ts';
import { PAYOUT_COLUMNS, type Payout, type PayoutRow, payoutOf } from './payouts.ts';

const HOUR_MS = 3_600_000;
/** A key's last use is written at most this often. */
const TOUCH_MS = 60_000;
/** For how long what was read of a key is good for calls that change nothing, and of how many keys it is kept. */
const REMEMBERED_MS = 1_000;
const MOST_REMEMBERED = 1_000;

export type KeyView = {
  object: 'api_key';
  id: string;
  label: string;
  mode: KeyMode;
  scopes: Scope[];
  last4: string;
  status: KeyStatus;
  created_at: string;
  last_used_at: string | null;
  /** When a key that was rolled stops working, or stopped. */
  expires_at: string | null;
  revoked_at: string | null;
  /** Who created it, and so has seen its secret: "@alice". */
  made_by: string;
};
/** `secret` is shown once and not stored. */
export type NewKey = { key: KeyView; secret: string };
export type KeyWish = { label: string; mode: KeyMode; scopes: Scope[] };

/** Who calls by a key. `workspace` comes with all that making an order reads of it. */
export type ApiCaller = { keyId: string; label: string; livemode: boolean; scopes: Scope[]; workspace: Payout };

/** @throws AppError `parameter_invalid`; `state_conflict` when the workspace has as many keys as it may */
export async function createApiKey(ctx: Ctx, handleId: string, wish: KeyWish): Promise<NewKey> {
  const label = readLabel(wish.label);
  const scopes = readScopes(wish.scopes);
  return ctx.db.$transaction(async (tx) => {
    await lockKey(tx, `api keys:${handleId}`);
    await refuseMore(ctx, tx, handleId, MOST_KEYS);
    await refuseScopes(tx, handleId, scopes);
    const made = await draw(ctx, tx, { handleId, label, mode: wish.mode, scopes });
    await record(ctx, tx, { ...entryOf(handleId, made.key), action: 'api_key.created', after: factsOf(made.key) });
    return made;
  });
}

/**
 * Draws a key in the place of another one, which works on for the overlap.
 * @throws AppError `resource_missing`; `parameter_invalid`; `state_conflict` for a key that was rolled, revoked or is over, and for too many keys
 */
export async function rollApiKey(
  ctx: Ctx,
  handleId: string,
  keyId: string,
  { overlapHours = OVERLAP_HOURS.usual }: { overlapHours?: number } = {},
): Promise<NewKey> {
  const { least, most } = OVERLAP_HOURS;
  if (!Number.isInteger(overlapHours) || overlapHours < least || overlapHours > most) {
    const words = `overlap_hours must be a whole number from ${least} to ${most}.`;
    throw new AppError('parameter_invalid', words, { param: 'overlap_hours' });
  }
  const rolled = await ctx.db.$transaction(async (tx) => {
    await lockKey(tx, `api keys:${handleId}`);
    const old = await ownKey(tx, handleId, keyId);
    const now = ctx.clock.now();
    if (keyStatus(old, now) !== 'active')
      throw new AppError('state_conflict', 'Only an active key that hasn’t been rolled yet can be rolled.');
    await refuseMore(ctx, tx, handleId, overlapHours === 0 ? MOST_KEYS + 1 : MOST_KEYS);
    const { label, mode, scopes } = old;
    await refuseScopes(tx, handleId, scopes as Scope[]);
    const drawn = await draw(ctx, tx, { handleId, label, mode: mode as KeyMode, scopes: scopes as Scope[] });
    const expiresAt = new Date(now + overlapHours * HOUR_MS);
    await tx.apiKey.update({ where: { id: old.id }, data: { expiresAt, rolledToId: drawn.key.id } });
    await record(ctx, tx, {
      ...{ ...entryOf(handleId, drawn.key), object: { kind: 'api_key', id: old.id }, action: 'api_key.rolled' },
      before: { label, last4: old.last4 },
      after: { label, last4: drawn.key.last4, new_key: drawn.key.id, overlap_hours: overlapHours },
    });
    return drawn;
  });
  remembered.get(ctx)?.clear();
  return rolled;
}

/** Ends a key at once; for reading, other processes may take a second. Doing it again changes nothing. @throws AppError `resource_missing` */
export async function revokeApiKey(ctx: Ctx, handleId: string, keyId: string): Promise<KeyView> {
  const revoked = await ctx.db.$transaction(async (tx) => {
    await lockKey(tx, `api keys:${handleId}`);
    const row = await ownKey(tx, handleId, keyId);
    const revokedAt = row.revokedAt ?? new Date(ctx.clock.now());
    const after = await tx.apiKey.update({ where: { id: row.id }, data: { revokedAt } });
    const view = viewKey(ctx, after, await makersOf(tx, [after]));
    if (row.revokedAt === null)
      await record(ctx, tx, { ...entryOf(handleId, view), action: 'api_key.revoked', before: factsOf(view) });
    return view;
  });
  remembered.get(ctx)?.clear();
  return revoked;
}

/** All keys of a workspace, those that ended too; newest first. @param mode both without it */
export async function listApiKeys(ctx: Ctx, handleId: string, mode?: KeyMode): Promise<KeyView[]> {
  const rows = await ctx.db.apiKey.findMany({
    where: { handleId, ...(mode && { mode }) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 200,
  });
  const makers = await makersOf(ctx.db, rows);
  return rows.map((row) => viewKey(ctx, row, makers));
}

type CallerRow = PayoutRow & {
  key_id: string;
  label: string;
  mode: string;
  scopes: Scope[];
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
};

const FIND_CALLER: Prepared = {
  name: 'find caller',
  text: `
    select k.id key_id, k.label, k.mode, k.scopes, k.last_used_at, k.expires_at, k.revoked_at, ${PAYOUT_COLUMNS.sql}
    from api_key k join handle h on h.id = k.handle_id left join wallet w on w.handle_id = h.id and w.family = 'evm'
    where k.hash = $1`,
};

type Remembered = Map<string, { row: CallerRow; atMs: number }>;
/** Per context of each process. An unknown key is not cached: guessing fills nothing. */
const remembered = new WeakMap<Ctx, Remembered>();

/**
 * Whose key it is, in one round trip. What is compared is a hash, by the index, so its time tells nothing of the key.
 * @param use a call that changes nothing may go by what was read of the key a moment ago
 * @throws AppError `api_key_invalid`
 */
export async function authenticateKey(
  ctx: Ctx,
  bearer: string | undefined,
  use: 'read' | 'write' = 'write',
): Promise<ApiCaller> {
  if (bearer === undefined) throw new AppError('api_key_invalid');
  const row = KEY_PATTERN.test(bearer) ? await callerRow(ctx, hashKey(bearer), use) : null;
  if (!row) throw new AppError('api_key_invalid', 'Invalid API key. Check it, or create one at /keys.');
  const now = ctx.clock.now();
  if (row.revoked_at) throw new AppError('api_key_invalid', 'This API key was revoked.');
  if (row.expires_at && row.expires_at.getTime() <= now)
    throw new AppError('api_key_invalid', 'This API key was rolled and has expired. Use the new key.');
  if (!row.last_used_at || now - row.last_used_at.getTime() >= TOUCH_MS) {
    row.last_used_at = new Date(now);
    await touch(ctx, row.key_id, now);
  }
  return {
    keyId: row.key_id,
    label: row.label,
    livemode: row.mode === 'live',
    scopes: row.scopes,
    workspace: payoutOf(row),
  };
}

async function callerRow(ctx: Ctx, hash: string, use: 'read' | 'write'): Promise<CallerRow | undefined> {
  const known = remembered.get(ctx) ?? new Map();
  remembered.set(ctx, known);
  const before = use === 'read' ? known.get(hash) : undefined;
  const atMs = ctx.clock.now();
  if (before && Math.abs(atMs - before.atMs) < REMEMBERED_MS) return before.row;
  const [row] = (await runPrepared<CallerRow>(ctx.db, FIND_CALLER, [hash])).rows;
  if (known.size >= MOST_REMEMBERED) known.clear();
  if (row) known.set(hash, { row, atMs });
  else known.delete(hash);
  return row;
}

/** Of many calls at once one writes. A failed write refuses no call. */
async function touch(ctx: Ctx, id: string, now: number): Promise<void> {
  const before = new Date(now - TOUCH_MS);
  try {
    await ctx.db.$executeRaw`
      update api_key set last_used_at = ${new Date(now)}::timestamptz
        where id = ${id} and (last_used_at is null or last_used_at <= ${before}::timestamptz)`;
  } catch (err) {
    ctx.log.warn({ err, key: id }, 'the last use of a key was not written');
  }
}

function hashKey(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

async function draw(ctx: Ctx, tx: Tx, given: KeyWish & { handleId: string }): Promise<NewKey> {
  const secret = formatKey(given.mode, randomBytes(32));
  const row = await tx.apiKey.create({
    data: {
      ...given,
      id: newId(ctx, 'key'),
      hash: hashKey(secret),
      last4: secret.slice(-4),
      createdAt: new Date(ctx.clock.now()),
      madeById: actorIn(given.handleId).kind === 'member' ? actorIn(given.handleId).id : null,
    },
  });
  return { key: viewKey(ctx, row, await makersOf(tx, [row])), secret };
}

/** A key can do no more than the member who makes it, or is shown its new secret. @throws AppError `role_required` */
async function refuseScopes(tx: Tx, handleId: string, scopes: readonly Scope[]): Promise<void> {
  const { kind, id } = actorIn(handleId);
  if (kind !== 'member' || id === null) return;
  const role = await roleIn(tx, handleId, id);
  if (role === null || scopes.some((scope) => !mayGive(role, scope)))
    throw new AppError('role_required', refusalWords(scopes.includes('campaigns') ? 'campaigns' : 'keys'));
}

const entryOf = (workspaceId: string, { id, mode }: Pick<KeyView, 'id' | 'mode'>) => ({
  workspaceId,
  livemode: mode === 'live',
  object: { kind: 'api_key' as const, id },
});
const factsOf = ({ label, scopes, last4 }: KeyView) => ({ label, scopes: [...scopes], last4 });

async function refuseMore(ctx: Ctx, tx: Tx, handleId: string, most: number): Promise<void> {
  const now = new Date(ctx.clock.now());
  const works = { handleId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
  if ((await tx.apiKey.count({ where: works })) >= most)
    throw new AppError('state_conflict', `A workspace can have up to ${MOST_KEYS} keys. Revoke one you don’t use.`);
}

async function ownKey(tx: Tx, handleId: string, keyId: string): Promise<Row<'ApiKey'>> {
  const row = isId('key', keyId) ? await tx.apiKey.findFirst({ where: { id: keyId, handleId } }) : null;
  if (!row) throw new AppError('resource_missing', 'No such API key.');
  return row;
}

function readLabel(text: string): string {
  const read = readNote(text);
  if ('problem' in read || read.note?.includes('\n'))
    throw new AppError('parameter_invalid', 'label must be one line of plain text of at most 280 characters.', {
      param: 'label',
    });
  if (read.note === null) throw new AppError('parameter_invalid', 'label can’t be empty.', { param: 'label' });
  return read.note;
}

function readScopes(scopes: Scope[]): Scope[] {
  if (scopes.length === 0)
    throw new AppError('parameter_invalid', 'scopes must have at least 1 item.', { param: 'scopes' });
  return [...new Set(scopes)];
}

/** A key of before teams is of the workspace's own account. */
const makerOf = ({ madeById, handleId }: Row<'ApiKey'>) => madeById ?? handleId;
const makersOf = (tx: Tx, rows: readonly Row<'ApiKey'>[]) => slugsOfHandles(tx, rows.map(makerOf));

function viewKey(ctx: Ctx, row: Row<'ApiKey'>, makers: ReadonlyMap<string, string>): KeyView {
  const { id, label, mode, scopes, last4 } = row;
  return {
    object: 'api_key',
    id,
    label,
    mode: mode as KeyMode,
    scopes: scopes as Scope[],
    last4,
    status: keyStatus(row, ctx.clock.now()),
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    expires_at: row.expiresAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    made_by: `@${makers.get(makerOf(row)) ?? ''}`,
  };
}
