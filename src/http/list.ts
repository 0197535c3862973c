// The one shape of lists: newest first, with a cursor where there may be more.

export type List<T> = { object: 'list'; data: T[]; has_more: boolean; next_cursor: string | null };

/** A list that is given whole. */
export function wholeList<T>(data: T[]): List<T> {
  return { object: 'list', data, has_more: false, next_cursor: null };
}

export function pageOf<T>(data: T[], nextCursor: string | null): List<T> {
  return { object: 'list', data, has_more: nextCursor !== null, next_cursor: nextCursor };
}
