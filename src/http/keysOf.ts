// The keys of a table, as an enumeration of a schema takes them.

export function keysOf<Name extends string>(table: Readonly<Record<Name, unknown>>): [Name, ...Name[]] {
  return Object.keys(table) as [Name, ...Name[]];
}
