// The public API as a merchant's program sees it: keys of a workspace, calls with them, and the document that every answer is held against.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { type KeyMode, type Scope, USUAL_SCOPES } from '../../src/domain/apiKey.ts';
import { ERRORS, type ErrorCode, v1StatusOf } from '../../src/domain/errors.ts';
import { createApiKey } from '../../src/services/workspaces/apiKeys.ts';
import { call } from './http.ts';
import type { Answer } from './visitor.ts';
import type { World } from './world.ts';

type Schema = { [name: string]: unknown };
type Operation = { responses: Record<string, { content: { 'application/json': { schema: Schema } } }> };
export type ApiDocument = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export async function keyOf(
  world: World,
  slug: string,
  { mode = 'test' as KeyMode, scopes = [...USUAL_SCOPES] as Scope[] } = {},
): Promise<string> {
  const { id } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } });
  return (await createApiKey(world.ctx, id, { label: 'a test', mode, scopes })).secret;
}

/** `text` is the body as it came. */
export type ApiAnswer = Answer & { text: string };
/** Stands our clock still while `work` runs: what counts by time is not to be counted by how busy this machine is. */
export async function atOneMoment<T>(world: World, work: (later: (ms: number) => void) => Promise<T>): Promise<T> {
  const { clock } = world.ctx;
  const { now } = clock;
  let moment = now();
  clock.now = () => moment;
  try {
    return await work((ms) => {
      moment += ms;
    });
  } finally {
    clock.now = now;
  }
}

export type Program = ReturnType<typeof program>;

/** @param answered receives every answer with its call */
export function program(
  base: string,
  key: string,
  answered: (method: string, path: string, answer: Answer) => void = () => {},
) {
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer> {
    const {
      status,
      headers: own,
      text,
    } = await call(base + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
    });
    const answer = { status, headers: own, body: text === '' ? '' : JSON.parse(text), text };
    answered(method, path, answer);
    return answer;
  }
  return {
    send,
    get: (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers),
    post: (path: string, body: unknown = {}, headers?: Record<string, string>) => send('POST', path, body, headers),
  };
}

/** Holds answers against the document: each status and shape is there for that endpoint, or the test fails. */
export function documentChecker(document: ApiDocument) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'document');
  const endpoints = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.keys(item).map((method) => ({
      method: method.toUpperCase(),
      template,
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
    })),
  );
  const seen = new Set<string>();

  return {
    /** What was answered, as “POST /v1/orders 201”. */
    seen,
    check(method: string, path: string, { status, body }: Answer): void {
      const found = endpoints.find((one) => one.method === method && one.pattern.test(path.split('?')[0] ?? ''));
      if (!found) return;
      seen.add(`${method} ${found.template} ${status}`);
      const pointer = ['paths', found.template, method.toLowerCase(), 'responses', String(status)];
      const escaped = [...pointer, 'content', 'application/json', 'schema'].map((part) =>
        encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
      );
      const known = document.paths[found.template]?.[method.toLowerCase()]?.responses[status];
      expect(known, `${method} ${found.template} does not document ${status} ${JSON.stringify(body)}`).toBeDefined();
      const ref = `document#/${escaped.join('/')}`;
      const validate = ajv.getSchema(ref) ?? ajv.compile({ $ref: ref });
      expect(
        validate(body),
        `${method} ${path} ${status}: ${JSON.stringify(validate.errors)} ${JSON.stringify(body)}`,
      ).toBe(true);
    },
  };
}

/** A documented error: the envelope, a code of the catalogue with its status, never a fault of ours. */
export function expectError(answer: Answer, code?: ErrorCode): void {
  const { error } = answer.body;
  expect(Object.keys(ERRORS), JSON.stringify(answer.body)).toContain(error?.code);
  if (code !== undefined) expect(error.code, JSON.stringify(error)).toBe(code);
  expect([ERRORS[error.code as ErrorCode].status, v1StatusOf(error.code)]).toContain(answer.status);
  expect(answer.status).toBeLessThan(500);
  expect(error.type).toBe(ERRORS[error.code as ErrorCode].type);
  expect(error.request_id).toBe(answer.headers.get('request-id'));
  expect(error.doc_url).toMatch(new RegExp(`^http://[^/]+/docs/errors#${error.code}$`));
}
