// Every parameter of every endpoint, as the document has it, given wrongly: the answer names it and speaks our words, never a library's.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiAnswer, keyOf, type Program, program } from '../../../test/setup/api.ts';
import { serveWorld } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { SCOPES } from '../../domain/apiKey.ts';
import { apiDocument } from './document.ts';
import { ENDPOINTS } from './endpoints.ts';

type Schema = { type?: string; $ref?: string; required?: string[]; properties?: Record<string, Schema> };
type Operation = {
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
};
const document = apiDocument('https://pay.example') as unknown as { paths: Record<string, Record<string, Operation>> };

let world: World;
let shop: Program;
const ids: Record<string, string> = {};
beforeAll(async () => {
  world = await startWorld();
  Object.assign(world.ctx.env, { API_RATE_PER_SECOND: 10_000, API_RATE_BURST: 10_000 });
  shop = program(await serveWorld(world), await keyOf(world, 'alice', { scopes: [...SCOPES] }));
  const made = async (path: string, body: object) => (await shop.post(path, body)).body.id as string;
  ids['order_id'] = await made('/v1/orders', { amount: '5', chain: 'base' });
  ids['link_id'] = await made('/v1/payment_links', { label: 'Coffee', amount: '5', chain: 'base' });
  ids['endpoint_id'] = await made('/v1/webhook_endpoints', { url: 'https://93.184.215.14/hook' });
  ids['event_id'] = (await world.ctx.db.event.findFirstOrThrow({ where: { resourceId: ids['order_id'] } })).id;
});
afterAll(() => world.stop());

const LIBRARY =
  /expected|received|too (small|big|long|short)|invalid (input|option|string|value|key)|unrecognized|\bzod\b|“|not right|\bit must/i;
const WRONG = [
  12.5,
  -1,
  1e15,
  true,
  null,
  '',
  'nope',
  'x'.repeat(5_000),
  '\u0000',
  [],
  ['nope', 7],
  {},
  { a: { b: 1 } },
];
const QUERY = ['', 'nope', '-1', '999999', 'x'.repeat(500), '%00', 'é'];

function judge(answer: ApiAnswer, name: string, what: string): void {
  if (answer.status < 400) return;
  const { code, message, param } = answer.body.error;
  expect(answer.status, `${what}: ${message}`).toBeLessThan(500);
  expect(message, what).not.toMatch(LIBRARY);
  if (!/^parameter_/.test(code)) return;
  if (param?.split(/[.[]/)[0] === name) expect(message, what).toContain(name);
}

const named = ENDPOINTS.filter(({ isStream }) => !isStream).map((one) => [one.operationId, one] as const);
const pathOf = (path: string) => path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? 'none');

test.each(named)('%s', async (_name, { path, method }) => {
  const operation = document.paths[path]?.[method];
  const query = (operation?.parameters ?? []).filter((one) => one.in === 'query');
  for (const { name } of query)
    for (const value of QUERY)
      for (const suffix of ['', '[]', '[gte]', '[a][b]'])
        judge(await shop.get(`${pathOf(path)}?${name}${suffix}=${value}`), name, `${path}?${name}${suffix}=${value}`);
  judge(await shop.get(`${pathOf(path)}?foo=1`), 'foo', path);
  if (method !== 'post') return;
  const body = operation?.requestBody?.content['application/json'].schema;
  for (const name of Object.keys(body?.properties ?? {}))
    for (const value of WRONG) {
      const answer = await shop.post(pathOf(path), { ...valid(path), [name]: value });
      judge(answer, name, `${path} ${name}=${JSON.stringify(value)?.slice(0, 60)}`);
    }
  for (const name of body?.required ?? []) {
    const { [name]: _left, ...rest } = valid(path);
    const { error } = (await shop.post(pathOf(path), rest)).body;
    expect([error.code, error.param, error.message]).toEqual([
      'parameter_missing',
      name,
      `Missing required parameter: ${name}.`,
    ]);
  }
  const unknown = (await shop.post(pathOf(path), { ...valid(path), foo: 1 })).body.error;
  expect([unknown.code, unknown.message]).toEqual(['parameter_unknown', 'Unknown parameter: foo.']);
});

function valid(path: string): Record<string, unknown> {
  if (path === '/v1/orders') return { amount: '5', chain: 'base' };
  if (path === '/v1/payment_links') return { label: 'Coffee', amount: '5', chain: 'base' };
  if (path === '/v1/webhook_endpoints') return { url: 'https://93.184.215.14/hook' };
  if (path === '/v1/campaigns')
    return { name: 'Rewards', chain: 'base', budget: '5', expires_at: new Date(Date.now() + 86_400_000).toISOString() };
  if (path.endsWith('/grants')) return { grants: [{ key: 'a', recipient: '@bob', amount: '1' }] };
  return path.endsWith('}/replay') && path.includes('webhook') ? { since: 0 } : {};
}

const said = async (body: object) => (await shop.post('/v1/orders', { amount: '5', chain: 'base', ...body })).body;

test.each([
  [{ amount: 12.5 }, 'Send amount as a string, such as "12.50".'],
  [{ amount: true }, 'amount must be a string.'],
  [{ expires_in: 5 }, 'expires_in must be at least 60 seconds.'],
  [{ expires_in: 9_999_999 }, 'expires_in must be at most 2592000 seconds.'],
  [{ expires_in: 60.5 }, 'expires_in must be a whole number.'],
  [{ expires_in: '600' }, 'expires_in must be a number.'],
  [{ metadata: [] }, 'metadata must be an object of strings.'],
  [{ description: 'x'.repeat(300) }, 'description must be at most 280 characters.'],
  [{ recipient: 'x'.repeat(50) }, 'recipient must be at most 40 characters.'],
])('%j: %s', async (body, message) => {
  expect((await said(body)).error.message).toBe(message);
});

test('chain and currency are taken in any case and answered in ours', async () => {
  for (const given of [
    { chain: 'Base', currency: 'usdc' },
    { chain: 'BASE', currency: 'Eth' },
  ]) {
    const made = await said(given);
    expect([made.chain, made.currency]).toEqual(['base', given.currency.toUpperCase()]);
  }
  const link = await shop.post('/v1/payment_links', { label: 'Tea', amount: '5', chain: 'BASE', currency: 'Usdc' });
  expect(link.body).toMatchObject({ chain: 'base', currency: 'USDC' });
});
