// What an endpoint of /v1 is: one description, from which its validation, its types and its part of the OpenAPI document come.
import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import type { Scope } from '../../domain/apiKey.ts';
import type { Explain, KeyedAnswer, KeyedRequest, ReadiedWork, Work } from '../../services/idempotency.ts';
import type { EventStreams } from '../../services/webhooks/eventStream.ts';
import type { ApiCaller } from '../../services/workspaces/apiKeys.ts';
import type { CallBase, EndpointBase } from '../endpoint.ts';
import type { EventStream } from '../eventStream.ts';

export type EndpointCall<Query, Body> = CallBase<Query, Body> & {
  caller: ApiCaller;
  events: EventStreams;
  /** For a handler that stores the response itself; null without an Idempotency-Key. */
  slot: KeyedRequest | null;
  explain: Explain;
  /** For work that the chain makes the same however often it is done. */
  repeatable(work: () => Promise<{ status: number; body: object }>): Promise<KeyedAnswer>;
  /** Does the work, once for each Idempotency-Key. */
  once(work: Work): Promise<KeyedAnswer>;
  /** The same, after what no transaction may wait for. */
  onceReady<T>(ready: () => Promise<T>, work: ReadiedWork<T>): Promise<KeyedAnswer>;
};

export type Endpoint<Query = unknown, Body = unknown> = EndpointBase & {
  method: 'get' | 'post' | 'delete';
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  /** One of them is enough. */
  scopes: readonly Scope[];
  body?: z.ZodObject;
  /** The body may have 1 MB instead of 64 kB; one that has metadata may, unless this says otherwise. */
  isLarge?: boolean;
  /** Its calls are in no API log. */
  isUnlogged?: boolean;
  /** The answer is a `text/event-stream`, of which `answer` is the text. */
  isStream?: boolean;
  /** An answer that is given as it stands is 200. */
  run(ctx: Ctx, call: EndpointCall<Query, Body>): Promise<Given>;
};

/**
 * A response that stays open. A client that reconnects names the last event it received.
 * @returns what takes the listener away
 */
export type Stream = (to: EventStream, lastEventId: string | undefined) => Promise<() => void>;

type Given = KeyedAnswer | { answer: object } | { stream: Stream };

/** Ties what `run` is given to the schemas. */
export function endpoint<Query extends z.ZodObject, Body extends z.ZodObject>(
  given: Endpoint<z.output<Query>, z.output<Body>> & { query?: Query; body?: Body },
): Endpoint {
  return given;
}
