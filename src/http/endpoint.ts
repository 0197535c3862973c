// What an endpoint of either API is: one description, from which its validation, types and documents come.
import type { z } from 'zod';
import type { ErrorCode } from '../domain/errors.ts';

export type EndpointBase = {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** With the resource in braces, as OpenAPI writes it. */
  path: string;
  query?: z.ZodObject;
  body?: z.ZodType<object>;
  /** Of the answer when all is well, and its status. */
  answer: z.ZodType;
  status: 200 | 201;
  /** Beside those that every endpoint of its API has. */
  errors: readonly ErrorCode[];
};

/** What a request says, as the schemas read it. */
export type CallBase<Query, Body> = {
  /** The resource of the path, or ''. */
  id: string;
  /** The part of it that the path names, or ''. */
  part: string;
  query: Query;
  body: Body;
  requestId: string;
};
