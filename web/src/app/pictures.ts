// Uploads of pictures: looked at here first, so that a picture that would be refused costs no time.

import {
  PICTURE_PIXELS,
  PICTURE_TYPES,
  PICTURE_UPLOAD_BYTES,
  type PictureUse,
  readPictureHead,
} from '../../../src/domain/picture.ts';
import { namedPath } from './acting.ts';
import { callApi } from './api.ts';
import { ApiError } from './apiError.ts';
import { accountHeader, reloadPage } from './session/pageAccount.ts';

export const ACCEPTED_PICTURES = Object.values(PICTURE_TYPES).join(',');
const TIMEOUT_MS = 60_000;

const REFUSALS = {
  unknown_kind: 'Choose a PNG, JPEG or WebP picture.',
  broken: 'This picture can’t be read. Save it again as PNG or JPEG.',
  too_many_pixels: `Choose a picture of at most ${PICTURE_PIXELS / 1_000_000} million pixels.`,
};

/** @returns the picture's path. @throws ApiError with a sentence for people */
export async function uploadPicture(use: PictureUse, file: File): Promise<string> {
  if (file.size > PICTURE_UPLOAD_BYTES)
    throw new ApiError('body_too_large', `Choose a picture of at most ${PICTURE_UPLOAD_BYTES / 1024 / 1024} MB.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const head = readPictureHead(bytes);
  if ('problem' in head) throw new ApiError('parameter_invalid', REFUSALS[head.problem]);
  const response = await fetch(namedPath('PUT', `/api/pictures/${use}`), {
    method: 'PUT',
    headers: { ...accountHeader(), 'Content-Type': PICTURE_TYPES[head.kind] },
    body: bytes,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new ApiError('unreachable', 'Can’t reach Ampersat. Check your connection and try again.', { cause });
  });
  const answer = (await response.json().catch(() => null)) as {
    url?: string;
    error?: { code: ApiError['code']; message: string };
  } | null;
  if (response.ok && answer?.url) return answer.url;
  if (answer?.error?.code === 'account_changed') return reloadPage();
  throw new ApiError(answer?.error?.code ?? 'unreadable', answer?.error?.message ?? 'Something went wrong. Try again.');
}

export function removePicture(use: PictureUse): Promise<{ url: null }> {
  return callApi('DELETE', `/pictures/${use}`);
}
