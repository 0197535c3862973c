// The table of routes: each is described as a whole and can be reached.
import { expect, test } from 'vitest';
import { ERRORS } from '../../domain/errors.ts';
import { ADMISSIONS, codesOf } from './route.ts';
import { ROUTES } from './routes.ts';

const named = ROUTES.map((one) => [`${one.method} ${one.path}`, one] as const);

test('no two routes are the same', () => {
  expect(new Set(named.map(([name]) => name)).size).toBe(ROUTES.length);
});

test.each(named)('%s states who may call, what it answers and which errors it has', (_name, one) => {
  expect(one.path).toMatch(/^\/api(\/[a-z][a-z0-9_-]*|\/\{[a-z]+_id\})+$/);
  expect(Object.keys(ADMISSIONS)).toContain(one.access);
  expect(one.method === 'post' ? one.body : one.method, 'a schema for what is posted').toBeDefined();
  // A schema that takes anything describes nothing.
  for (const nothing of [{}, null, undefined, '']) expect(one.answer.safeParse(nothing).success).toBe(false);
  for (const code of codesOf(one)) expect(Object.keys(ERRORS)).toContain(code);
  expect(new Set(one.errors).size).toBe(one.errors.length);
});

test('a path that could be an ID comes before the routes that take one', () => {
  const takenBy = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  for (const [index, one] of ROUTES.entries())
    for (const later of ROUTES.slice(index + 1).filter(({ method }) => method === one.method))
      expect(later.path, `${one.path} matches first`).not.toMatch(takenBy(one.path));
});
