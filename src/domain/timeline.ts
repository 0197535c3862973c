// The order in which things happened, where some are dated by our clock and others by a block: what caused something comes before it.

/** `at` is Unix milliseconds by whichever clock recorded it; `after` are the keys of what had to happen first. */
export type Happening = { key: string; at: number; after: readonly string[] };

/**
 * Sorts oldest first. Nothing stands before its causes, whatever the clocks say: one that its clock dates earlier gets the time of its latest cause.
 * What is dated alike keeps the order of its causes, then the order given. A cause that is not in the list, or that follows from its own effect, is
 * ignored.
 */
export function inCausalOrder<One extends Happening>(all: readonly One[]): One[] {
  const byKey = new Map(all.map((one) => [one.key, one]));
  const placed = new Map<string, { at: number; depth: number }>();
  const open = new Set<string>();

  function place(one: One): { at: number; depth: number } {
    const known = placed.get(one.key);
    if (known) return known;
    open.add(one.key);
    let found = { at: one.at, depth: 0 };
    for (const key of one.after) {
      const cause = byKey.get(key);
      if (!cause || open.has(key)) continue;
      const { at, depth } = place(cause);
      found = { at: Math.max(found.at, at), depth: Math.max(found.depth, depth + 1) };
    }
    open.delete(one.key);
    placed.set(one.key, found);
    return found;
  }

  return all
    .map((one, index) => ({ one, index, ...place(one) }))
    .sort((a, b) => a.at - b.at || a.depth - b.depth || a.index - b.index)
    .map(({ one, at }) => ({ ...one, at }));
}
