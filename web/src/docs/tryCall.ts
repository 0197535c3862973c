// A form of the reference: what it asks for, what was filled in as a request, and the answer as it came.
import { drawIdempotencyKey } from '../app/idempotencyKey.ts';
import { callOf } from './endpointCall.ts';
import { type Endpoint, type OpenApi, resolve } from './openApi.ts';

export type Input = {
  place: 'path' | 'query' | 'body';
  name: string;
  label: string;
  start: string;
  isRequired: boolean;
  isJson?: boolean;
  choices?: string[];
};
export type Request = { method: string; address: string; body: string | null };
export type Answer = { status: number; headers: [string, string][]; text: string };

const SHOWN_HEADERS = ['Request-Id', 'Service-Version', 'Idempotent-Replayed', 'RateLimit', 'Retry-After'];
const TIMEOUT_MS = 30_000;

/** What the form asks for. What must be given has its example filled in; so has what is no more than an example. */
export function inputsOf(document: OpenApi, endpoint: Endpoint): Input[] {
  const { parameters = [], requestBody } = endpoint;
  const body = requestBody?.content?.['application/json']?.schema;
  const { properties: fields = {}, required: needed = [] } = body ? resolve(document, body) : {};
  const sample = callOf(document, endpoint).body ?? {};
  const ofQuery = parameters.flatMap(({ in: place, name, required = false, schema }): Input[] => {
    if (place !== 'path' && place !== 'query') return [];
    const { enum: choices } = resolve(document, schema);
    return [
      {
        place,
        name,
        label: name,
        start: '',
        isRequired: required,
        ...(choices ? { choices: choices.map(String) } : {}),
      },
    ];
  });
  const ofBody = Object.entries(fields).map(([name, schema]): Input => {
    const { enum: values, type } = resolve(document, schema);
    const kind = [type].flat()[0];
    const choices = kind === 'boolean' ? [true, false] : values;
    const required = needed.includes(name);
    const isText = kind === undefined || kind === 'string';
    const start = required || isText ? sample[name] : undefined;
    return {
      place: 'body',
      name,
      label: kind === 'object' || kind === 'array' ? `${name} (JSON)` : name,
      start: start === undefined || start === null ? '' : isText ? String(start) : JSON.stringify(start),
      isRequired: required,
      isJson: !isText,
      ...(choices ? { choices: choices.map(String) } : {}),
    };
  });
  return [...ofQuery, ...ofBody];
}

export function requestOf(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  inputs: Input[],
  values: Record<string, string>,
): Request | { problem: string } {
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let address = path;
  for (const { place, name, isJson } of inputs) {
    const value = (values[name] ?? '').trim();
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
    if (value === '') continue;
    if (place === 'query') query.set(name, value);
    if (place !== 'body') continue;
    try {
      body[name] = isJson ? JSON.parse(value) : value;
    } catch {
      return { problem: `${name} must be valid JSON.` };
    }
  }
  const search = query.toString();
  return {
    method,
    address: search === '' ? address : `${address}?${search}`,
    body: method === 'POST' && Object.keys(body).length > 0 ? JSON.stringify(body) : null,
  };
}

export async function send({ method, address, body }: Request, key: string): Promise<Answer> {
  const response = await fetch(address, {
    method,
    // The key alone says who asks, as it does for a program.
    credentials: 'omit',
    headers: {
      Authorization: `Bearer ${key}`,
      ...(method === 'POST' ? { 'Idempotency-Key': drawIdempotencyKey() } : {}),
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: SHOWN_HEADERS.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
    text: pretty(text),
  };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
