// `ampersat links` against the real API of a world: created, listed, shown, paid for by orders, deactivated.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOf } from '../../test/setup/api.ts';
import { type CommandLine, commandLine } from '../../test/setup/cli.ts';
import { serveWorld, visitor } from '../../test/setup/visitor.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { shortId } from './tables.ts';

let world: World;
let base: string;
let run: CommandLine;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  run = commandLine({ AMPERSAT_BASE_URL: base, AMPERSAT_API_KEY: await keyOf(world, 'alice') });
});
afterAll(() => world.stop());

const create = async (...flags: string[]) => {
  const ran = await run(['links', 'create', '--chain', 'base', ...flags, '--json']);
  expect(ran, ran.err).toMatchObject({ code: 0, err: '' });
  return ran.json[0];
};

test('a link of a fixed amount is created, shown by its short ID, and leads to orders', async () => {
  const link = await create('--label', 'Two coffees', '--amount', '8', '--metadata', 'menu=7');
  expect(link).toMatchObject({ object: 'payment_link', active: true, amount: '8.00', metadata: { menu: '7' } });
  const shown = await run(['links', 'get', shortId(link.id)]);
  expect(shown).toMatchObject({ code: 0, err: '' });
  for (const part of [link.id, 'active', 'Two coffees', '8.00 USDC on base', '@alice', 'menu=7', link.url])
    expect(shown.out).toContain(part);
  expect((await run(['links', 'get', link.id, '--json'])).json).toEqual([link]);

  expect(await run(['links', 'orders', link.id])).toMatchObject({ code: 0, out: '', err: 'No payments yet.\n' });
  const begun = await visitor(base).post(`/api/checkout/links/${link.id}`, {});
  expect(begun.status, JSON.stringify(begun.body)).toBeLessThan(300);
  const { json } = await run(['links', 'orders', shortId(link.id), '--json']);
  expect(json).toMatchObject([{ object: 'order', amount: '8.00', payment_link: link.id }]);
});

test('a link ends by itself and says something once it is paid', async () => {
  const bounds = ['--max-uses', '1', '--expires-at', '2099-12-31T23:00:00Z', '--message', 'Thank you!'];
  const link = await create('--label', 'Last table', '--amount', '8', '--reference', 'table-7', ...bounds);
  expect(link).toMatchObject({
    max_uses: 1,
    uses: 0,
    expires_at: '2099-12-31T23:00:00.000Z',
    after_completion: { type: 'message', message: 'Thank you!' },
    client_reference_id: 'table-7',
  });
  await visitor(base).post(`/api/checkout/links/${link.id}`, {});
  const { out } = await run(['links', 'get', link.id]);
  for (const part of ['used up', '1 of 1', 'Thank you!', 'table-7']) expect(out).toContain(part);
  const both = ['--message', 'Hi', '--success-url', 'https://shop.example/'];
  expect((await run(['links', 'create', '--label', 'a', '--amount', '1', '--chain', 'base', ...both])).code).toBe(2);
});

test('a link of an open amount has its bounds; a list has both, and only the active ones when asked', async () => {
  const open = await create('--label', 'Donation', '--open-amount', '--min', '1', '--max', '50');
  expect(open).toMatchObject({ amount: null, open_amount: true, min_amount: '1.00', max_amount: '50.00' });
  const list = await run(['links', 'list']);
  expect(list.out).toMatch(/^link +status +amount +network +created +label\n/);
  expect(list.out).toMatch(
    new RegExp(`^${shortId(open.id)} +active +from 1.00 up to 50.00 USDC +base +20[\\d-]+ [\\d:]+ +Donation$`, 'm'),
  );

  const ended = await run(['links', 'deactivate', shortId(open.id)]);
  expect(ended.out).toMatch(/^status +inactive$/m);
  expect(ended.out).toMatch(/^deactivated +20/m);
  expect(ended.out).not.toContain('pay at');
  const ids = async (status: string) =>
    (await run(['links', 'list', '--status', status, '--json'])).json.map(({ id }) => id);
  // With the one that was used up.
  expect(await ids('inactive')).toEqual([open.id, expect.stringMatching(/^plk_/)]);
  expect(await ids('active')).not.toContain(open.id);
});

test('a list keeps to a network and to metadata', async () => {
  const link = await create('--label', 'Stall', '--amount', '2', '--metadata', 'stall=12');
  const list = async (...flags: string[]) =>
    (await run(['links', 'list', ...flags, '--json'])).json.map(({ id }) => id);
  expect(await list('--metadata', 'stall=12')).toEqual([link.id]);
  expect(await list('--metadata', 'stall=13')).toEqual([]);
  expect(await list('--chain', 'BASE')).toContain(link.id);
  expect(await list('--chain', 'celo')).toEqual([]);
});

test('the same idempotency key creates one link; without any links the list says how to create one', async () => {
  const wish = ['--label', 'Once', '--amount', '2', '--idempotency-key', 'one link'];
  expect(await create(...wish)).toEqual(await create(...wish));
  const other = commandLine({ AMPERSAT_BASE_URL: base, AMPERSAT_API_KEY: await keyOf(world, 'bob') });
  const none = await other(['links', 'list']);
  expect(none).toMatchObject({ code: 0, out: '' });
  expect(none.err).toMatch(/^No payment links yet\. Create one: ampersat links create /);
});

test.each([
  ['links create --amount 1 --chain base', 2, /--label/],
  ['links create --label x --amount 1 --open-amount --chain base', 2, /cannot be used with/],
  ['links create --label x --chain base', 1, /parameter_(missing|invalid)/],
  ['links get plk_nothing', 1, /resource_missing/],
])('what cannot be is refused: %s', async (line, code, words) => {
  const ran = await run(line.split(' '));
  expect(ran).toMatchObject({ code, out: '' });
  expect(ran.err).toMatch(words);
});
