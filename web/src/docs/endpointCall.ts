// An endpoint of the OpenAPI document as one call of it: with an example for everything that it takes.
import { type ApiCall, PLACEHOLDER_KEY } from './callExamples.ts';
import { type Endpoint, type OpenApi, resolve, type Schema, sampleId, sampleOf } from './openApi.ts';

/** How the ids begin that stand in paths. */
const PREFIXES: Record<string, string> = {
  order_id: 'ord',
  link_id: 'plk',
  plan_id: 'plan',
  subscription_id: 'sub',
  campaign_id: 'cgr',
  endpoint_id: 'whs',
  event_id: 'evt',
};
const IDEMPOTENCY_KEY = 'cart-7043';
const PAGE_LENGTH = 3;

type Given = Partial<Pick<ApiCall, 'origin' | 'key' | 'idempotencyKey'>> & { ids?: Record<string, string> };

export function callOf(document: OpenApi, endpoint: Endpoint, given: Given = {}): ApiCall {
  const { operationId, method, path, parameters = [], requestBody, responses } = endpoint;
  const {
    origin = document.servers[0]?.url ?? '',
    key = PLACEHOLDER_KEY,
    idempotencyKey = IDEMPOTENCY_KEY,
    ids = {},
  } = given;
  const schema = requestBody?.content?.['application/json']?.schema;
  return {
    operationId,
    method,
    origin,
    template: path,
    path: path.replace(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? exampleId(name)),
    query: parameters.some(({ in: place, name }) => place === 'query' && name === 'limit')
      ? { limit: PAGE_LENGTH }
      : {},
    body:
      schema && Object.keys(resolve(document, schema).properties ?? {}).length > 0 ? bodyOf(document, schema) : null,
    key,
    idempotencyKey,
    isStream: Object.values(responses)[0]?.content?.['text/event-stream'] !== undefined,
  };
}

/** Without a recipient it is the workspace of the key, which needs no allow list. */
function bodyOf(document: OpenApi, schema: Schema): Record<string, unknown> {
  const { recipient, ...body } = sampleOf(document, schema, false) as Record<string, unknown>;
  return body;
}

function exampleId(name: string): string {
  return sampleId(PREFIXES[name] ?? 'ord');
}
