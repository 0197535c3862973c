// A period by which lists are filtered. Ids sort by time, so a list that is read by id is read within the period only.
import { formatId, type IdPrefix } from '../domain/ids.ts';

/** Unix milliseconds; `from` is included, `before` is not. */
export type Period = { from?: number | undefined; before?: number | undefined };

/** A row's id is drawn a little before or after its `created_at` is read. */
const SLACK_MS = 60_000;
const LATEST_ID_MS = 2 ** 48 - 1;

type Ids = { first: string | null; behind: string | null };

/** Ids of what can have been created in the period: the first of them, and one behind all of them. Which rows were, their `created_at` says. */
export function idsIn(prefix: IdPrefix, { from, before }: Period): Ids {
  return idsOf(prefix, {
    from: from === undefined ? undefined : from - SLACK_MS,
    before: before === undefined ? undefined : before + SLACK_MS,
  });
}

/** The same of rows whose time is that of their id: the period as it is. */
export function idsOf(prefix: IdPrefix, { from, before }: Period): Ids {
  const idAt = (ms: number) => formatId(prefix, Math.min(Math.max(ms, 0), LATEST_ID_MS), new Uint8Array(10));
  return { first: from === undefined ? null : idAt(from), behind: before === undefined ? null : idAt(before) };
}

/** As a condition of Prisma on a column of time. */
export function within({ from, before }: Period): { gte?: Date; lt?: Date } {
  return {
    ...(from === undefined ? {} : { gte: new Date(from) }),
    ...(before === undefined ? {} : { lt: new Date(before) }),
  };
}
