// The OpenAPI document as the reference page reads it: the parts that it shows, references followed, and examples made from the schemas.
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../api.ts';

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
  additionalProperties?: Schema | boolean;
};
type Content = { content?: { 'application/json'?: { schema: Schema } } };
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
  components: { schemas: Record<string, Schema> };
};
export type Endpoint = Operation & { method: string; path: string };

export function useOpenApi() {
  return useQuery({ queryKey: ['openapi'], queryFn: readDocument, staleTime: Number.POSITIVE_INFINITY });
}

async function readDocument({ signal }: { signal: AbortSignal }): Promise<OpenApi> {
  const response = await fetch('/v1/openapi.json', { signal }).catch((cause: unknown) => {
    throw new ApiError('unreachable', 'Ampersat does not answer. Check your connection, then try again.', { cause });
  });
  if (!response.ok) throw new ApiError('unreadable', 'The reference cannot be read at the moment. Try again shortly.');
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
  } = resolve(document, schema);
  if (constant !== undefined) return constant;
  if (example !== undefined) return example;
  if (examples?.[0] !== undefined) return examples[0];
  if (schema.anyOf?.some((one) => one.type === 'null')) return null;
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
  return SAMPLES[name] ?? '…';
}

const hasExample = ({ example, examples }: Schema) => example !== undefined || examples !== undefined;

const SAMPLES: Record<string, string> = {
  id: 'ord_01jd3xkq8fz6m2v7w4t9y5c1bn',
  checkout_url: 'https://pay.example/o/ord_01jd3xkq8fz6m2v7w4t9y5c1bn',
  url: 'https://pay.example/l/plk_01jd3xkq8fz6m2v7w4t9y5c1bn',
  recipient_address: '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef90ab',
};
