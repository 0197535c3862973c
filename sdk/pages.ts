// Iterates over lists page by page: each item once, newest first, fetched as the caller iterates.

export type Page<T> = { object: 'list'; data: T[]; has_more: boolean; next_cursor: string | null };

/** Fetches the next page when the previous one is used up. @throws what `list` throws */
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
