// The example payloads of the webhook guide: of every type that is sent, within its schema, in the state in which a test event of the type is sent.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Ctx } from '../../src/context.ts';
import { isEventType } from '../../src/domain/events.ts';
import { sampleOf } from '../../src/http/sampleEvents.ts';
import { EVENT_SCHEMAS } from '../../src/http/v1/eventSchemas.ts';
import { ROOT } from '../../src/root.ts';
import { samplesOf } from '../../web/src/docs/eventSamples.ts';
import type { OpenApi } from '../../web/src/docs/openApi.ts';

const document = JSON.parse(readFileSync(join(ROOT, 'docs/api/openapi.json'), 'utf8')) as OpenApi;
const samples = samplesOf(document);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'api');

/** A test event says in them that it is one. */
const WORDS = ['note', 'description'];

type Payload = { data: { object: Record<string, { status: string }>; previous_attributes?: object } };

test('there is one of every type that is sent', () => {
  expect(samples.map(({ type }) => type)).toEqual(Object.keys(EVENT_SCHEMAS));
});

test.each(samples.map(({ type, payload }) => [type, payload as Payload] as const))('%s', (type, payload) => {
  const pointer = `/webhooks/${type.replaceAll('/', '~1')}/post/requestBody/content/application~1json/schema`;
  const isValid = ajv.validate({ $ref: `api#${pointer}` }, payload);
  expect(isValid, JSON.stringify(ajv.errors)).toBe(true);
  expect(JSON.stringify(payload)).not.toContain('…');

  if (!isEventType(type)) throw new Error(`${type} is no event`);
  const ctx = { clock: { now: () => 0 }, env: { BASE_URL: 'https://pay.example' } } as unknown as Ctx;
  const sent = sampleOf(ctx, type, 'shop');
  const [kind = ''] = Object.keys(sent.object);
  const [shown, tested] = [payload.data.object[kind], (sent.object as Payload['data']['object'])[kind]];
  expect(shown?.status).toBe(tested?.status);
  expect(payload.data.previous_attributes).toEqual(sent.previous);
  // What is null in one is null in the other, so that nobody reads a transaction where none is yet.
  const empty = (one: object = {}) =>
    Object.entries(one)
      .filter(([name, value]) => value === null && !WORDS.includes(name))
      .map(([name]) => name);
  expect(empty(shown)).toEqual(empty(tested));
});
