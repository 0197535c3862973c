// What the calls of plans and subscriptions have in common.
import { z } from 'zod';
import { countOf } from '../parse.ts';

export const address = z.string().max(60);
export const paging = { limit: countOf(1, 100).default(20), cursor: z.string().max(200).optional() };
export const unixSeconds = z.number().int().min(0).max(4_294_967_295);
export const digits = z.string().regex(/^\d{1,78}$/, 'must be a whole number, as it was given');
export const chain = z.string().max(40);

export const listOf = <Name extends string, T>(name: Name, rows: T[], nextCursor: string | null) =>
  ({ object: 'list' as const, [name]: rows, has_more: nextCursor !== null, next_cursor: nextCursor }) as {
    object: 'list';
    has_more: boolean;
    next_cursor: string | null;
  } & Record<Name, T[]>;
