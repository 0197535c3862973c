// Pictures: uploaded by the handle whose they are, served to everyone under an address that changes with their content.
import type { Express, Request, Response } from 'express';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { PICTURE_UPLOAD_BYTES, PICTURE_USES, type PictureUse } from '../../domain/picture.ts';
import { findPicture, putPicture, removePicture } from '../../services/accounts/pictures.ts';
import { countPicture, countPublicRead } from '../../services/publicRateLimit.ts';
import { callerOf } from '../caller.ts';
import { requireHandle } from '../session.ts';
import { readUpload } from '../upload.ts';

const PICTURE = /^([0-9a-f]{64})\.webp$/;

export function mountPictures(app: Express, ctx: Ctx): void {
  app.put('/api/pictures/:use', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const use = useOf(request);
    if (!request.headers['content-type']?.startsWith('image/'))
      throw new AppError('media_type_unsupported', 'Send a PNG, JPEG or WebP picture.');
    await countPicture(ctx, handle.id);
    const upload = await readUpload(request, response, PICTURE_UPLOAD_BYTES);
    response.json({ url: await putPicture(ctx, handle.id, use, upload) });
  });

  app.delete('/api/pictures/:use', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    await removePicture(ctx, handle.id, useOf(request));
    response.json({ url: null });
  });

  app.get('/pictures/:name', async (request: Request, response: Response) => {
    const [, hash] = PICTURE.exec(String(request.params['name'])) ?? [];
    if (!hash) throw new AppError('resource_missing');
    await countPublicRead(ctx, 'picture', callerOf(request));
    const bytes = await findPicture(ctx, hash);
    response.set({
      'Content-Type': 'image/webp',
      'Content-Security-Policy': "default-src 'none'",
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: `"${hash}"`,
    });
    response.send(Buffer.from(bytes));
  });
}

/** @throws AppError `resource_missing` */
function useOf(request: Request): PictureUse {
  const use = PICTURE_USES.find((one) => one === request.params['use']);
  if (!use) throw new AppError('resource_missing');
  return use;
}
