// What a schema's refusal says to a caller, instead of the validation library's own words.
import type { z } from 'zod';

/** Where the parameter's name goes in a sentence; one without it begins with the name. */
export const NAME = '{name}';

const KINDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};
const UNITS: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
};

/** The error map of every parse. A schema that knows better says so itself. */
export function issueWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return issue.minimum === 1 && issue.origin === 'string'
        ? 'can’t be empty'
        : bound('at least', issue.origin, issue.minimum);
    case 'too_big':
      if (issue.maximum === Number.MAX_SAFE_INTEGER) return 'is too large';
      return bound('at most', issue.origin, issue.maximum);
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of: ${issue.values.join(', ')}`;
    case 'invalid_union':
      return issue.errors[0]?.[0]?.message ?? 'must be one of the documented values';
    default:
      return 'has an invalid format';
  }
}

function bound(side: string, origin: string, count: number | bigint): string {
  const units = UNITS[origin];
  if (!units) return `must be ${side} ${count}`;
  const [one, many] = units;
  return origin === 'array'
    ? `must have ${side} ${count} ${count === 1 ? one : many}`
    : `must be ${side} ${count} ${count === 1 ? one : many}`;
}
