// Lists page by page: each thing once, newest first, as many as the caller iterates.

export type Page<T> = { object: 'list'; data: T[]; has_more: boolean; next_cursor: string | null };

/** Asks for the next page when the one before is used up. @throws what `list` throws */
export async function* eachOf<T, Q extends { cursor?: string }>(
  list: (query: Q) => Promise<Page<T>>,
  query: Q,
): AsyncGenerator<T, void, undefined> {
  let asked = query;
  for (;;) {
    const { data, next_cursor: cursor } = await list(asked);
    yield* data;
    if (cursor === null) return;
    asked = { ...query, cursor };
  }
}
