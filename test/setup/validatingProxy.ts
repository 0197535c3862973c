// A proxy between an adapter and a platform's local server. It checks every call and every answer against the platform's own published document,
// lets both pass unchanged, and keeps what it found. The documents are not part of this repository: who has them puts them beside it.
import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express, { type NextFunction, type Request, type Response } from 'express';
import { middleware as validator } from 'express-openapi-validator';
import { ROOT } from '../../src/root.ts';
import { cutDocument, METHODS, type OpenApiDocument } from './openApiDocument.ts';

const FOLDER = join(ROOT, '../shared/data');

export function documentOf(platform: 'discord' | 'x'): { file: string; isThere: boolean; howToGet: string } {
  const name = `${platform}-openapi.json`;
  const file = join(FOLDER, name);
  return { file, isThere: existsSync(file), howToGet: `needs the published ${name} in ../shared/data` };
}

/** A call that went through, by the name that the document gives it. The body is as it was sent. */
export type SeenCall = { operation: string; status: number; body: unknown; query: URLSearchParams };
export type ValidatingProxy = {
  url: string;
  calls: SeenCall[];
  /** What was against the document, in words. No tokens: the path is as the document writes it. */
  violations: string[];
  close(): Promise<void>;
};

type Checks = {
  file: string;
  /** What may be called, by the document's names; anything else is a violation, whether or not the document knows it. */
  operations: readonly string[];
  /** How the Authorization header begins wherever the document asks for one. */
  authorization: RegExp;
  /** The call's path and query in the document's words, or null when the document does not speak of it. */
  inDocument(url: string): string | null;
  /** The document's word for a field of an answer, where the platform still answers with an older one. */
  fieldNames?: Record<string, string>;
};

/** What the documents call formats beyond those of JSON Schema. */
const FORMATS = { snowflake: /^(0|[1-9][0-9]{0,19})$/, nonce: true } as const;
const OWN_HEADERS = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'keep-alive'];

type Checked = Request & { openapi?: { openApiRoute: string; schema: { operationId: string; responses: object } } };

/** @param target the server behind it */
export async function startValidatingProxy(target: string, checks: Checks): Promise<ValidatingProxy> {
  const document = cutDocument(JSON.parse(readFileSync(checks.file, 'utf8')) as OpenApiDocument, checks.operations);
  const calls: SeenCall[] = [];
  const violations: string[] = [];
  const report = (request: Checked, what: string) => {
    violations.push(`${request.method} ${request.openapi?.openApiRoute ?? request.path}: ${what}`);
  };
  const isAuthorized = ({ headers }: Request) =>
    WARM_UP in headers || checks.authorization.test(headers.authorization ?? '');
  const schemes = Object.keys(document.components['securitySchemes'] ?? {});

  async function forward(request: Checked, response: Response): Promise<void> {
    if (request.headers[WARM_UP]) return void response.status(200).json({});
    const raw = (request as Checked & { raw?: Buffer }).raw;
    const answer = await fetch(new URL(request.originalUrl, target), {
      method: request.method,
      headers: ownHeaders(Object.entries(request.headers) as [string, string][]),
      ...(raw ? { body: new Uint8Array(raw) } : {}),
    });
    const text = await answer.text();
    const { operationId: operation = '', responses = {} } = request.openapi?.schema ?? {};
    if (operation) {
      const body: unknown = raw ? JSON.parse(raw.toString('utf8')) : undefined;
      const query = new URL(request.originalUrl, target).searchParams;
      calls.push({ operation, status: answer.status, body, query });
    }
    response.status(answer.status).set(ownHeaders([...answer.headers]));
    // The validator lets such pass.
    if (operation && answer.status >= 500) report(request, `was answered with ${answer.status}`);
    if (text !== '') {
      // The validator sees what is sent as JSON; what goes out is what came.
      if (!operation) return void response.send(text);
      Object.assign(response, { raw: text });
      return void response.json(JSON.parse(text, (_key, value) => renamed(value, checks.fieldNames ?? {})));
    }
    const documented = (responses as Record<string, { content?: unknown } | undefined>)[answer.status];
    if (operation && (!documented || documented.content))
      report(request, `was answered with ${answer.status} and nothing`);
    response.end();
  }

  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(express.raw({ type: () => true }));
  app.use(async (request: Checked, response: Response, next: NextFunction) => {
    const url = checks.inDocument(request.url);
    const raw: Buffer | undefined = Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : undefined;
    Object.assign(request, { raw });
    response.json = () => response.end((response as Response & { raw?: string }).raw);
    if (url === null) return forward(request, response);
    request.url = url;
    request.body = raw && readJson(raw);
    next();
  });
  app.use(
    validator({
      apiSpec: document as never,
      validateApiSpec: false,
      useRequestUrl: true,
      fileUploader: false,
      formats: FORMATS,
      ajvFormats: { mode: 'full', formats: ['date-time', 'uri'] },
      validateRequests: { allErrors: true },
      validateResponses: { onError: ({ message }, _body, request) => report(request, `answered: ${message}`) },
      validateSecurity: { handlers: Object.fromEntries(schemes.map((name) => [name, isAuthorized])) },
    }),
  );
  app.use((error: Error, request: Checked, _response: Response, next: NextFunction) => {
    report(request, error.message);
    next();
  });
  app.use(forward);
  // The server behind cut the connection, so this one does.
  app.use((_error: Error, request: Checked, _response: Response, _next: NextFunction) => request.socket.destroy());

  const server = await new Promise<Server>((resolve) => {
    const listening: Server = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await warmUp(url, document, violations);
  return {
    url,
    calls,
    violations,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const WARM_UP = 'x-warm-up';

/**
 * The validator compiles what it needs for an operation at its first call, for seconds in which this process does not answer: so each has one before a
 * client waits for answers.
 */
async function warmUp(url: string, { paths }: OpenApiDocument, violations: string[]): Promise<void> {
  const headers = { [WARM_UP]: 'yes', 'content-type': 'application/json', authorization: WARM_UP };
  for (const [path, item] of Object.entries(paths)) {
    const filled = url + path.replace(/\{\w+\}/g, '1');
    for (const method of Object.keys(item).filter((name) => METHODS.includes(name))) {
      // What is read of an answer is compiled once a request of the operation was well formed.
      for (const body of method === 'get' ? [undefined] : WARM_UP_BODIES) {
        violations.length = 0;
        await fetch(filled, { method: method.toUpperCase(), headers, ...(body && { body: JSON.stringify(body) }) });
        if (violations.every((violation) => violation.includes(': answered: '))) break;
      }
    }
  }
  violations.length = 0;
}

/** One of them is well formed for any operation that adapters use. */
const WARM_UP_BODIES = [{}, [], { type: 5 }, { text: 'x' }];

function renamed(value: unknown, names: Record<string, string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [names[name] ?? name, inner]));
}

function ownHeaders(headers: [string, string][]): Record<string, string> {
  return Object.fromEntries(headers.filter(([name]) => !OWN_HEADERS.includes(name)));
}

/** A body that is not JSON reaches the validator as text. */
function readJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return raw.toString('utf8');
  }
}
