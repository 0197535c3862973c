// The place in a list by id, as it goes out and comes back: the next page begins below that id, whatever was inserted meanwhile.
import { AppError } from '../domain/errors.ts';
import { type IdPrefix, isId } from '../domain/ids.ts';

export function writeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** @throws AppError `parameter_invalid` for one that is not ours */
export function readCursor(prefix: IdPrefix, cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  // What decodes leniently does not come back the same: only what we wrote is taken.
  if (isId(prefix, id) && writeCursor(id) === cursor) return id;
  throw new AppError('parameter_invalid', 'Invalid cursor. Pass the next_cursor of the previous page.', {
    param: 'cursor',
  });
}
