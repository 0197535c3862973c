// The bytes of an upload, and never more of them than are wanted.
import type { Request, Response } from 'express';
import { AppError } from '../domain/errors.ts';

/**
 * Reads a body. One that is longer is cut off: the connection closes with the answer.
 * @throws AppError `body_too_large`, `parameter_invalid` for one that ends early or is compressed
 */
export async function readUpload(request: Request, response: Response, most: number): Promise<Uint8Array> {
  const tooLarge = () => {
    response.setHeader('Connection', 'close');
    return new AppError('body_too_large', `The upload is larger than ${most / 1024 / 1024} MB.`);
  };
  if (request.headers['content-encoding'] !== undefined)
    throw new AppError('parameter_invalid', 'Send the request body without Content-Encoding.');
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= most) return void chunks.push(chunk);
      request.pause();
      request.removeAllListeners('data');
      reject(tooLarge());
    });
    request.once('end', resolve);
    request.once('close', () => reject(new AppError('parameter_invalid', 'The upload ended early.')));
  });
  return Buffer.concat(chunks);
}
