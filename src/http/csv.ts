// A file that is read as it is taken, so that it needs no more memory than a page of it.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Ctx } from '../context.ts';
import type { Mode } from '../services/chains.ts';

/** Whose data it is, and of which mode where it is of one: files of two workspaces, or of both modes, differ by name. */
export function fileName(what: string, slug: string, mode: Mode | null, more = ''): string {
  return `ampersat-${[what, slug, ...(mode ? [mode] : []), ...(more ? [more] : [])].join('-')}.csv`;
}

export async function sendCsv(ctx: Ctx, response: Response, name: string, lines: AsyncIterable<string>): Promise<void> {
  response.type('text/csv').attachment(name);
  // After the first line the status can no longer change: the connection is cut, so the reader sees an incomplete file.
  await pipeline(Readable.from(lines), response).catch((err: unknown) =>
    ctx.log.warn({ err }, 'a file was not taken whole'),
  );
}
