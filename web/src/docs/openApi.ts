// The OpenAPI document as the reference page reads it: the parts that it shows, references followed, and examples made from the schemas.
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../app/apiError.ts';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  example?: unknown;
  examples?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  additionalProperties?: Schema | boolean;
};
type Content = { content?: { 'application/json'?: { schema: Schema }; 'text/event-stream'?: { schema: Schema } } };
export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content & { description: string }>;
};
export type OpenApi = {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  /** What is sent to endpoints, by the type of the event. */
  webhooks: Record<string, { post: Pick<Operation, 'description' | 'requestBody'> }>;
  components: { schemas: Record<string, Schema> };
};
export type Endpoint = Operation & { method: string; path: string };

export const OPEN_API = { queryKey: ['openapi'], queryFn: readDocument, staleTime: Number.POSITIVE_INFINITY };

export function useOpenApi() {
  return useQuery(OPEN_API);
}

async function readDocument({ signal }: { signal: AbortSignal }): Promise<OpenApi> {
  const response = await fetch('/v1/openapi.json', { signal }).catch((cause: unknown) => {
    throw new ApiError('unreachable', 'Can’t reach Ampersat. Check your connection and try again.', { cause });
  });
  if (!response.ok) throw new ApiError('unreadable', 'The API reference could not be loaded. Try again.');
  return (await response.json()) as OpenApi;
}

export function endpointsOf({ paths }: OpenApi): Endpoint[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** The schema behind a reference; of alternatives the one that is not null. */
export function resolve(document: OpenApi, schema: Schema): Schema {
  const { $ref, anyOf } = schema;
  if ($ref) return resolve(document, document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  const real = anyOf?.find((one) => one.type !== 'null');
  return real ? { ...resolve(document, real), ...schema } : schema;
}

/** What a field is, in words: “string or null”, “one of …”. */
export function typeOf(document: OpenApi, schema: Schema): string {
  const whole = resolve(document, schema);
  const orNull = schema.anyOf?.some((one) => one.type === 'null') ? ' or null' : '';
  if (whole.const !== undefined) return JSON.stringify(whole.const);
  if (whole.type === 'array') return `list of ${resolve(document, whole.items ?? {}).type ?? 'objects'}s`;
  return `${[whole.type ?? 'string'].flat().join(' or ')}${orNull}`;
}

/** The limits of a field, in words; empty where there are none worth telling. */
export function limitsOf({ minimum, maximum, default: usual }: Schema): string {
  const range = minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : '';
  return [range, usual === undefined ? '' : `default ${usual}`].filter((part) => part !== '').join(', ');
}

/** A value that the schema allows. @param whole also what may be left out */
export function sampleOf(document: OpenApi, schema: Schema, whole = true, name = ''): unknown {
  const {
    type,
    properties,
    required = [],
    items,
    enum: values,
    const: constant,
    example,
    examples,
    pattern = '',
  } = resolve(document, schema);
  if (constant !== undefined) return constant;
  if (name in FRESH) return FRESH[name];
  // What may be null is, unless it has an example as a whole.
  const isNullable = schema.anyOf?.some((one) => one.type === 'null') || [type].flat().includes('null');
  if (isNullable && !hasExample(schema)) return null;
  if (example !== undefined) return example;
  if (examples?.[0] !== undefined) return examples[0];
  if (values) return values[0];
  if (type === 'array') return items ? [sampleOf(document, items, whole)] : [];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return 0;
  if (type === 'object' || properties) {
    const shown = Object.entries(properties ?? {}).filter(
      ([field, one]) => whole || required.includes(field) || hasExample(one),
    );
    return Object.fromEntries(shown.map(([field, one]) => [field, sampleOf(document, one, whole, field)]));
  }
  return SAMPLES[name] ?? sampleOfPattern(pattern) ?? '…';
}

const hasExample = ({ example, examples }: Schema) => example !== undefined || examples !== undefined;

const ID_TAIL = '01jd3xkq8fz6m2v7w4t9y5c1bn';

/** An id as they are, such as `ord_01jd…`. */
export function sampleId(prefix: string): string {
  return `${prefix}_${ID_TAIL}`;
}

/** Of an unpaid order that a test key creates: the examples of single fields do not fit together. */
const FRESH: Record<string, string> = { chain: 'base-sepolia', amount_received: '0.00', amount_refunded: '0.00' };

const SAMPLES: Record<string, string> = {
  checkout_url: `https://pay.example/o/${sampleId('ord')}`,
  url: `https://pay.example/l/${sampleId('plk')}`,
};

/** Ids, addresses and hashes are known by what their schemas allow. */
function sampleOfPattern(pattern: string): string | undefined {
  const [, prefix] = /^\^([a-z]+)_\[0-9a-z\]\{26\}\$$/.exec(pattern) ?? [];
  if (prefix) return sampleId(prefix);
  const [, digits] = /^\^\(?0x\[0-9a-fA-F\]\{(\d+)\}(?:\$$|\|)/.exec(pattern) ?? [];
  return digits && `0x${'12ab34cd56ef78ab'.repeat(4).slice(0, Number(digits))}`;
}
