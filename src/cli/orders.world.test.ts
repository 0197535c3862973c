// `ampersat orders` against the real API of a world: what people read, what programs read, and how a command ends.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOf } from '../../test/setup/api.ts';
import { type CommandLine, commandLine } from '../../test/setup/cli.ts';
import { serveWorld } from '../../test/setup/visitor.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { shortId } from './tables.ts';

let world: World;
let run: CommandLine;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  run = commandLine({ AMPERSAT_BASE_URL: base, AMPERSAT_API_KEY: await keyOf(world, 'alice') });
});
afterAll(() => world.stop());

test('an order is created with every field, shown to people, and the same to programs', async () => {
  const flags =
    '--amount 12.5 --chain base --currency USDC --recipient @alice --expires-in 600 --metadata cart=7041 --metadata note=a=b';
  const made = await run([...`orders create ${flags}`.split(' '), '--description', 'Two coffees', '--json']);
  expect(made).toMatchObject({ code: 0, err: '' });
  const [order] = made.json;
  expect(order).toMatchObject({
    object: 'order',
    status: 'awaiting_payment',
    amount: '12.50',
    description: 'Two coffees',
    metadata: { cart: '7041', note: 'a=b' },
  });
  // The moment of expiry is a whole second.
  expect(Math.ceil((Date.parse(order.expires_at) - Date.parse(order.created_at)) / 1_000)).toBe(600);
  const shown = await run(['orders', 'get', order.id]);
  expect(shown.code).toBe(0);
  for (const part of ['12.50 USDC on base', 'Two coffees', 'cart=7041, note=a=b', order.checkout_url])
    expect(shown.out).toContain(part);
  expect((await run(['orders', 'get', order.id, '--json'])).json).toEqual([order]);
});

test('an order has what a shop adds to it', async () => {
  const flags = [
    '--success-url',
    'https://shop.example/thanks?order={ORDER_ID}',
    '--cancel-url',
    'https://shop.example/cart',
  ];
  const items = ['--item', '2,3.50,Green tea, loose', '--item', '1,1,Shipping', '--reference', 'cart-7041'];
  const made = await run(['orders', 'create', '--amount', '8', '--chain', 'base', ...flags, ...items, '--json']);
  expect(made).toMatchObject({ code: 0, err: '' });
  const [order] = made.json;
  expect(order).toMatchObject({
    success_url: `https://shop.example/thanks?order=${order.id}`,
    cancel_url: 'https://shop.example/cart',
    client_reference_id: 'cart-7041',
    line_items: [
      { name: 'Green tea, loose', quantity: 2, amount: '3.50' },
      { name: 'Shipping', quantity: 1, amount: '1.00' },
    ],
    embed_origins: ['https://shop.example'],
  });
  const { out } = await run(['orders', 'get', order.id]);
  for (const part of ['cart-7041', '2 × Green tea, loose at 3.50; 1 × Shipping at 1.00', order.success_url])
    expect(out).toContain(part);
  const wrong = await run(['orders', 'create', '--amount', '8', '--chain', 'base', '--item', 'Tea']);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Must be quantity,amount,name')]);
});

test('the same idempotency key creates one order', async () => {
  const wish = ['orders', 'create', '--amount', '3', '--chain', 'base', '--idempotency-key', 'one of them', '--json'];
  const [first, second] = [await run(wish), await run(wish)];
  expect(second.json).toEqual(first.json);
});

test('a list has a line each, also beyond a page', async () => {
  const other = commandLine({ AMPERSAT_BASE_URL: base, AMPERSAT_API_KEY: await keyOf(world, 'bob') });
  expect(await other(['orders', 'list'])).toMatchObject({
    code: 0,
    out: '',
    err: 'No orders yet. Create one: ampersat orders create --amount 25 --chain base-sepolia\n',
  });
  const ids: string[] = [];
  for (let count = 0; count < 3; count++)
    ids.unshift((await other('orders create --amount 2 --chain base --json'.split(' '))).json[0].id);
  await other(['orders', 'cancel', ids[1] ?? '']);
  const { out } = await other(['orders', 'list']);
  const [head, ...lines] = out.trimEnd().split('\n');
  expect(head).toMatch(/^order +status +amount +network +created +description$/);
  expect(lines.map((line) => line.split(/ +/)[0])).toEqual(ids.map(shortId));
  expect(lines[1]).toContain('cancelled');
  const some = await other('orders list --limit 2 --json'.split(' '));
  expect(some.json.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const cancelled = await other('orders list --status cancelled --json'.split(' '));
  expect(cancelled.json.map(({ id }) => id)).toEqual([ids[1]]);
});

test('a list is filtered by network, payment link and metadata', async () => {
  const other = commandLine({ AMPERSAT_BASE_URL: base, AMPERSAT_API_KEY: await keyOf(world, 'carol') });
  const create = async (cart: string) =>
    (await other(`orders create --amount 2 --chain base --metadata cart=${cart} --json`.split(' '))).json[0].id;
  const ids = [await create('1'), await create('2')];
  const list = async (flags: string) =>
    (await other([...`orders list --json ${flags}`.split(' ')])).json.map(({ id }) => id);
  expect(await list('--metadata cart=1')).toEqual([ids[0]]);
  expect(await list('--chain base')).toEqual([...ids].reverse());
  expect(await list('--chain BASE')).toEqual([...ids].reverse());
  expect(await list('--chain celo')).toEqual([]);
  const link = (await other('links create --label Tea --amount 2 --chain base --json'.split(' '))).json[0].id;
  expect((await other(['orders', 'list', '--link', shortId(link)])).err).toBe('No orders match these filters.\n');
});

test('what the service refuses is exit code 1, with its own words and code', async () => {
  const person = await run('orders get ord_nothing'.split(' '));
  expect(person).toMatchObject({ code: 1, out: '' });
  expect(person.err).toMatch(/^.*\(resource_missing, req_\w+\)\n$/);
  const program = await run('orders create --amount 0 --chain base --json'.split(' '));
  expect(program).toMatchObject({ code: 1, out: '' });
  expect(JSON.parse(program.err).error).toMatchObject({
    code: 'amount_out_of_range',
    param: 'amount',
    type: 'invalid_request_error',
    doc_url: `${base}/docs/errors#amount_out_of_range`,
  });
});

test.each([
  ['orders create --chain base', /--amount/],
  ['orders create --amount five --chain base', /--amount.*Must be a decimal number, such as 25\.00/],
  ['orders create --amount 5,00 --chain base', /Must be a decimal number/],
  ['links create --label Tea --open-amount --min one --chain base', /--min.*Must be a decimal number/],
  ['orders refund ord_1 --amount all', /Must be a decimal number/],
  ['orders create --amount 1 --chain mars', /mars.*base, bsc/],
  ['orders create --amount 1 --chain base --expires-in soon', /Must be a whole number from 60/],
  ['orders create --amount 1 --chain base --metadata cart', /Must be key=value/],
  ['orders list --limit 0', /Must be a whole number from 1/],
  ['orders get ../keys', /^error: '..\/keys' is invalid for <order>\. Not a valid ID\.$/m],
  ['orders get', /order/],
  ['orders', /list/],
  ['order list', /unknown command 'order'/],
  ['orders list --colour red', /--colour/],
])('wrong usage is exit code 2: %s', async (line, words) => {
  const person = await run(line.split(' '));
  expect(person).toMatchObject({ code: 2, out: '' });
  expect(person.err).toMatch(words);
  const program = await run([...line.split(' '), '--json']);
  expect(program).toMatchObject({ code: 2, out: '' });
  expect(JSON.parse(program.err).error).toMatchObject({ code: 'usage', message: expect.any(String) });
});

test('what others wrote cannot steer a terminal', async () => {
  const { db } = world.ctx;
  const [made] = (await run('orders create --amount 1 --chain base --json'.split(' '))).json;
  const evil = 'free\u001b[2J\u001b]0;owned\u0007 \u202emoney\u061c\u009b31m\u007f\nord_second_line';
  await db.order.update({ where: { id: made.id }, data: { description: evil } });
  for (const command of [
    ['orders', 'get', made.id],
    ['orders', 'list', '--limit', '1'],
  ]) {
    const { out } = await run(command);
    expect(out).toContain('free');
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u061c\u202e]/u);
    expect(out).not.toMatch(/^ord_second_line/m);
    const { out: line, json } = await run([...command, '--json']);
    expect(line.trimEnd()).not.toMatch(/[\p{Cc}\u061c\u202e]/u);
    expect(json[0].description).toBe(evil);
  }
});
