// State machines as total tables: a status without a row, or an action that leads nowhere, does not compile.

/** For every status the actions that it allows and where each leads. */
export type Lifecycle<Status extends string, Action extends string> = {
  readonly [S in Status]: { readonly [A in Action]?: Status };
};

/** Where `action` leads from `status`, or null when it is not allowed there. */
export function nextStatus<Status extends string, Action extends string>(
  table: Lifecycle<Status, Action>,
  status: Status,
  action: Action,
): Status | null {
  return table[status][action] ?? null;
}

/** The statuses from which `action` is allowed: what a compare-and-set may start from. */
export function statusesAllowing<Status extends string, Action extends string>(
  table: Lifecycle<Status, Action>,
  action: Action,
): Status[] {
  return (Object.keys(table) as Status[]).filter((status) => table[status][action] !== undefined);
}
