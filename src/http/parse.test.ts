// What a refused body says: the parameter first, or a sentence of its own where no parameter is at fault.
import type { Request } from 'express';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseBody } from './parse.ts';

const schema = z
  .strictObject({ count: z.int(), name: z.string().min(2) })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'Send count, name or both');

test.each([
  [{ count: 1e15 * 10 }, 'count is too large.'],
  [{ count: 1.5 }, 'count must be a whole number.'],
  [{ name: 'a' }, 'name must be at least 2 characters.'],
  [{ other: 1 }, 'Unknown parameter: other.'],
  [{}, 'Send count, name or both.'],
])('%j is refused: %s', (body, words) => {
  expect(() => parseBody({ body } as Request, schema)).toThrow(expect.objectContaining({ message: words }));
});
