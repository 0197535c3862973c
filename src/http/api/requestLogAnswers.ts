// Answers about the requests of a workspace to the API. Times are ISO 8601 in UTC.
import { z } from 'zod';

const logged = {
  object: z.literal('request_log'),
  id: z.string(),
  livemode: z.boolean(),
  method: z.string(),
  /** The template; null for an address that is none of the API’s. */
  route: z.string().nullable(),
  path: z.string(),
  status: z.number(),
  error_code: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  duration_ms: z.number(),
  created_at: z.iso.datetime(),
  /** Null where the key is no longer known. */
  key: z
    .strictObject({ id: z.string(), label: z.string(), mode: z.enum(['test', 'live']), last4: z.string() })
    .nullable(),
};
const loggedRequest = z.strictObject(logged);
export type LoggedRequest = z.infer<typeof loggedRequest>;

export const requestList = z.strictObject({
  object: z.literal('list'),
  data: z.array(loggedRequest),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

/** JSON without secrets, of at most 4 KB. */
const body = z.strictObject({ text: z.string(), is_cut: z.boolean() }).nullable();

export const requestDetail = z.strictObject({ ...logged, request_body: body, response_body: body });
export type RequestDetail = z.infer<typeof requestDetail>;

/** The templates by which the log can be filtered. */
export const routeList = z.strictObject({ routes: z.array(z.string()) });
