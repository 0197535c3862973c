// Pictures of a handle: what is uploaded is read, drawn afresh and kept as bytes of our own, one for each use; a new one takes the place of the old one.

import { createHash } from 'node:crypto';
import type { Ctx, ReadCtx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { type PictureProblem, type PictureUse, readPictureHead } from '../../domain/picture.ts';
import { encodePicture } from '../../pictures/encode.ts';
import { record } from '../audit.ts';
import { lockKey } from '../locks.ts';

const REFUSALS: Record<PictureProblem, () => AppError> = {
  unknown_kind: () => new AppError('media_type_unsupported', 'Send a PNG, JPEG or WebP picture.'),
  broken: () => new AppError('parameter_invalid', 'This picture can’t be read. Save it again as PNG or JPEG.'),
  too_many_pixels: () => new AppError('parameter_invalid', 'Send a picture of at most 16 million pixels.'),
};

/** Uploads that wait for their turn; a decoder takes up to 200 MB for one. */
const MOST_WAITING = 8;
let turn: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * Keeps a picture in place of the one that the handle had for this use.
 * @returns its path
 * @throws AppError `media_type_unsupported` for what is no PNG, JPEG or WebP, `parameter_invalid` for what cannot be read or has too many pixels
 */
export async function putPicture(ctx: Ctx, handleId: string, use: PictureUse, upload: Uint8Array): Promise<string> {
  const head = readPictureHead(upload);
  if ('problem' in head) throw REFUSALS[head.problem]();
  const encoded = await inTurn(() => encodePicture(upload, use));
  if (!encoded) throw REFUSALS.broken();
  const hash = createHash('sha256').update(encoded).digest('hex');
  const row = { hash, bytes: Uint8Array.from(encoded), createdAt: new Date(ctx.clock.now()) };
  await change(ctx, handleId, use, (tx) =>
    tx.picture.upsert({
      where: { handleId_use: { handleId, use } },
      create: { handleId, use, ...row },
      update: row,
    }),
  );
  return picturePath(hash);
}

export async function removePicture(ctx: Ctx, handleId: string, use: PictureUse): Promise<void> {
  await change(ctx, handleId, use, (tx) => tx.picture.deleteMany({ where: { handleId, use } }));
}

async function change(ctx: Ctx, handleId: string, use: PictureUse, write: (tx: Tx) => Promise<unknown>) {
  await ctx.db.$transaction(async (tx) => {
    await lockKey(tx, `picture:${handleId}:${use}`);
    const facts = async () => {
      const row = await tx.picture.findUnique({ where: { handleId_use: { handleId, use } }, select: { hash: true } });
      return { [use === 'logo' ? 'logo' : 'picture']: row ? picturePath(row.hash) : null };
    };
    const before = await facts();
    await write(tx);
    const kind = use === 'logo' ? ('branding' as const) : ('handle_page' as const);
    await record(ctx, tx, {
      ...{ workspaceId: handleId, action: `${kind}.changed` as const, object: { kind, id: handleId } },
      before,
      after: await facts(),
    });
  });
}

/** The paths of a handle’s pictures; null where it has none. */
export async function picturesOf(ctx: ReadCtx, handleId: string): Promise<Record<PictureUse, string | null>> {
  const rows = await ctx.db.picture.findMany({ where: { handleId }, select: { use: true, hash: true } });
  const paths = new Map(rows.map(({ use, hash }) => [use, picturePath(hash)]));
  return { page: paths.get('page') ?? null, logo: paths.get('logo') ?? null };
}

/** The bytes of a picture by its hash: a square WebP. @throws AppError `resource_missing` */
export async function findPicture(ctx: ReadCtx, hash: string): Promise<Uint8Array> {
  const row = await ctx.db.picture.findFirst({ where: { hash }, select: { bytes: true } });
  if (!row) throw new AppError('resource_missing');
  return row.bytes;
}

/** Its content never changes under it. */
export const picturePath = (hash: string) => `/pictures/${hash}.webp`;

/** One after the other. @throws AppError `rate_limited` when too many wait */
async function inTurn<T>(run: () => Promise<T>): Promise<T> {
  if (waiting >= MOST_WAITING) throw new AppError('rate_limited', undefined, { retryAfterMs: 2_000 });
  waiting++;
  const mine = turn.then(run);
  turn = mine.catch(() => {});
  try {
    return await mine;
  } finally {
    waiting--;
  }
}
