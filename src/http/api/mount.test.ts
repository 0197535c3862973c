// A route as data: in development, an answer or an error that contradicts its description fails the call; a call is admitted, read, counted, then run.
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { handleErrors } from '../errors.ts';
import { mountRoutes } from './mount.ts';
import { type Route, route } from './route.ts';

const closers: (() => unknown)[] = [];
afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

type Mode = Ctx['env']['AMPERSAT_MODE'];

/** Posts to a route that is mounted alone. @returns the answer, and the faults in the log */
async function answerOf(one: Route, { mode = 'development' as Mode, body = {} as object } = {}) {
  const faults: string[] = [];
  const log = { error: ({ err }: { err: Error }) => faults.push(err.message) };
  const ctx = { env: { AMPERSAT_MODE: mode, BASE_URL: 'http://127.0.0.1' }, log } as unknown as Ctx;
  const app = express();
  app.use(express.json());
  mountRoutes(app, ctx, [one]);
  app.use(handleErrors(ctx));
  const server = app.listen(0, '127.0.0.1');
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/api/things/one`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown> & { error?: { code: string } };
  return { status: response.status, body: answer, faults };
}

/** @param given the service’s answer, whatever its type says */
const things = (given: unknown, more: Partial<Route> = {}): Route => ({
  ...route({
    method: 'post',
    path: '/api/things/{thing_id}',
    access: 'anyone',
    body: z.strictObject({ name: z.string().optional() }),
    answer: z.strictObject({ id: z.string(), at: z.iso.datetime(), note: z.string().nullable() }),
    status: 201,
    errors: ['state_conflict'],
    run: async () => given as { id: string; at: string; note: null },
  }),
  ...more,
});
const WHOLE = { note: null, id: 'thg_1', at: '2026-11-21T10:00:00.000Z' };

test('an answer that matches its schema is sent as it was given', async () => {
  const answer = await answerOf(things(WHOLE));
  expect(answer).toEqual({ status: 201, body: WHOLE, faults: [] });
  expect(Object.keys(answer.body)).toEqual(Object.keys(WHOLE));
});

test.each([
  ['a missing field', { id: 'thg_1', note: null }, 'at'],
  ['a field that it does not have', { ...WHOLE, secret: 'x' }, 'secret'],
  ['another type', { ...WHOLE, note: 7 }, 'note'],
  ['nothing', null, 'expected object'],
])('an answer with %s is refused in development, and named', async (_what, given, name) => {
  const { status, body, faults } = await answerOf(things(given));
  expect([status, body.error?.code]).toEqual([500, 'internal_error']);
  expect(faults).toEqual([expect.stringContaining('post /api/things/{thing_id} contradicts its schema')]);
  expect(faults[0]).toContain(name);
});

test('in production such an answer is sent', async () => {
  const given = { id: 'thg_1', note: null };
  expect(await answerOf(things(given), { mode: 'production' })).toEqual({ status: 201, body: given, faults: [] });
});

test.each([
  ['that the route declares', 'state_conflict', 409, []],
  [
    'that it does not declare',
    'handle_not_found',
    500,
    [expect.stringContaining('does not declare the error handle_not_found')],
  ],
] as const)('an error %s', async (_what, code, status, faults) => {
  const run = () => Promise.reject(new AppError(code));
  expect(await answerOf(things(WHOLE, { run }))).toMatchObject({ status, faults });
});

test('a caller who is not admitted is not read, and a call that is not read is not counted', async () => {
  const order: string[] = [];
  const limit = async () => void order.push('counted');
  const run = async (_ctx: Ctx, { id }: { id: string }) => {
    order.push(`run for ${id}`);
    return WHOLE;
  };
  expect((await answerOf(things(WHOLE, { limit, run, access: 'handle' }), { body: { other: 1 } })).status).toBe(401);
  expect((await answerOf(things(WHOLE, { limit, run }), { body: { other: 1 } })).status).toBe(400);
  expect(order).toEqual([]);
  await answerOf(things(WHOLE, { limit, run }), { body: { name: 'x' } });
  expect(order).toEqual(['counted', 'run for one']);
});
