// What an endpoint of /v1 is: one description, from which its validation, its types and its part of the OpenAPI document come.
import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import type { Scope } from '../../domain/apiKey.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Explain, IdempotencySlot, Outcome, ReadiedWork, Work } from '../../services/idempotency.ts';
import type { EventStreams } from '../../services/webhooks/eventStream.ts';
import type { ApiCaller } from '../../services/workspaces/apiKeys.ts';
import type { EventStream } from '../eventStream.ts';

export type Call<Query, Body> = {
  caller: ApiCaller;
  events: EventStreams;
  /** The resource of the path, or ''. */
  id: string;
  query: Query;
  body: Body;
  requestId: string;
  /** For whoever keeps the answer itself; null without an Idempotency-Key. */
  slot: IdempotencySlot | null;
  explain: Explain;
  /** For work that the chain makes the same however often it is done. */
  repeatable(work: () => Promise<{ status: number; body: object }>): Promise<Outcome>;
  /** Does the work, once for each Idempotency-Key. */
  once(work: Work): Promise<Outcome>;
  /** The same, after what no transaction may wait for. */
  onceReady<T>(ready: () => Promise<T>, work: ReadiedWork<T>): Promise<Outcome>;
};

export type Endpoint<Query = unknown, Body = unknown> = {
  method: 'get' | 'post' | 'delete';
  /** With the resource in braces, as OpenAPI writes it. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  /** One of them is enough. */
  scopes: readonly Scope[];
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Of the answer when all is well, and its status. */
  answer: z.ZodType;
  status: 200 | 201;
  /** The answer is a `text/event-stream`, of which `answer` is the text. */
  isStream?: boolean;
  /** Beside those that every endpoint has. */
  errors: readonly ErrorCode[];
  /** An answer that is given as it stands is 200. */
  run(ctx: Ctx, call: Call<Query, Body>): Promise<Given>;
};

/**
 * An answer that stays open. Whoever was here before names what it was told last.
 * @returns what takes the listener away
 */
export type Stream = (to: EventStream, lastEventId: string | undefined) => Promise<() => void>;

type Given = Outcome | { answer: object } | { stream: Stream };

/** Ties what `run` is given to the schemas. */
export function endpoint<Query extends z.ZodObject, Body extends z.ZodObject>(
  given: Omit<Endpoint, 'query' | 'body' | 'run'> & {
    query?: Query;
    body?: Body;
    run(ctx: Ctx, call: Call<z.output<Query>, z.output<Body>>): Promise<Given>;
  },
): Endpoint {
  return given as unknown as Endpoint;
}
