// `ampersat trigger` against a world with play wallets: each event is caused by what causes it, and what cannot be triggered is said.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type CommandLine, commandLine, type Ran } from '../../test/setup/cli.ts';
import { type PlayStack, playStack } from '../../test/setup/playStack.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { EVENT_TYPES } from '../domain/events.ts';

let world: World;
let stack: PlayStack;
let run: CommandLine;
beforeAll(async () => {
  world = await startWorld();
  stack = await playStack(world);
  run = commandLine({});
});
afterAll(() => world.stop());

/** Runs it while the world works, and reads the event that it printed. */
async function trigger(line: string, more: string[] = [], laterSeconds = 0) {
  const ran: Ran = await stack.atWork(
    run(['trigger', ...line.split(' '), ...more, '--json', '--data-dir', stack.dataDir]),
    laterSeconds,
  );
  expect(ran, ran.err).toMatchObject({ code: 0, err: '' });
  expect(ran.json).toHaveLength(1);
  const [event] = ran.json;
  return { event, object: Object.values(event.data.object)[0] as Record<string, unknown> };
}

const wallet = (name: string) => stack.file.accounts[name]?.evm_address;

test('order.created: an order of the account, with the fields that were set', async () => {
  const { event, object } = await trigger(
    'order.created --set amount=5 --set metadata.cart=7 --set metadata.shelf=a=b --set expires_in=600',
    ['--set', 'description=Two bags of coffee'],
  );
  expect(event).toMatchObject({ object: 'event', type: 'order.created', livemode: false });
  expect(object).toMatchObject({
    amount: '5.00',
    status: 'awaiting_payment',
    recipient: '@shop',
    description: 'Two bags of coffee',
    metadata: { cart: '7', shelf: 'a=b' },
  });
});

test('order.completed: paid by a signature of alice’s play wallet', async () => {
  const [before, shop] = [await world.usdc('alice'), await world.usdc('shop')];
  const { event, object } = await trigger('order.completed');
  expect(event.type).toBe('order.completed');
  expect(object).toMatchObject({ amount: '25.00', currency: 'USDC', status: 'completed', payer: wallet('alice') });
  expect(object['txHash']).toMatch(/^0x[0-9a-f]{64}$/);
  expect(before - (await world.usdc('alice'))).toBe(25_000_000n);
  expect((await world.usdc('shop')) - shop).toBe(24_750_000n);
});

test('order.completed in a chain’s own coin, of another account, paid by somebody else', async () => {
  const { object } = await trigger('order.completed --account alice --set currency=ETH --set amount=0.002 --payer bob');
  expect(object).toMatchObject({ amount: '0.002', currency: 'ETH', recipient: '@alice', payer: wallet('bob') });
});

test('order.cancelled', async () => {
  const { event, object } = await trigger('order.cancelled');
  expect(event.type).toBe('order.cancelled');
  expect(object).toMatchObject({ status: 'cancelled' });
});

test('order.refunded: from the merchant’s wallet, to whoever paid', async () => {
  const before = await world.usdc('alice');
  const { event, object } = await trigger('order.refunded --set amount=4');
  expect(event.type).toBe('order.refunded');
  expect(object).toMatchObject({ status: 'completed', amount_refunded: '4.00' });
  expect(await world.usdc('alice')).toBe(before);
});

test('escrow.created and escrow.claimed: a tab of the account, paid to whom it is for', async () => {
  const made = await trigger('escrow.created --set amount=2');
  expect(made.event.type).toBe('escrow.created');
  expect(made.object).toMatchObject({ amount: '2.00', currency: 'USDC', chain: 'base' });
  const before = await world.usdc('bob');
  const claimed = await trigger('escrow.claimed --set handleSlug=bob --set amount=3 --set dueInHours=2');
  expect(claimed.event.type).toBe('escrow.claimed');
  expect((await world.usdc('bob')) - before).toBe(3_000_000n);
});

test('escrow.refunded: taken back by the wallet that opened it', async () => {
  const before = await world.usdc('shop');
  const { event } = await trigger('escrow.refunded --set amount=6');
  expect(event.type).toBe('escrow.refunded');
  expect(await world.usdc('shop')).toBe(before);
});

test('what is done is told with times, and the event at the end', async () => {
  const ran = await stack.atWork(run(['trigger', 'order.completed', '--data-dir', stack.dataDir]));
  expect(ran.code, ran.err).toBe(0);
  expect(ran.out).toMatch(/^order\.completed evt_\w{26}\n$/);
  const steps = ran.err.trimEnd().split('\n');
  expect(steps[0]).toMatch(/^ +\d+\.\d s {2}shop created an order of 25\.00 USDC on base: ord_\w+$/);
  expect(steps[1]).toMatch(/ {2}alice signed and pays no network fee \(eip3009\)$/);
  const order = ['preparing the payment', 'payment submitted', 'in a block, waiting for confirmations'];
  const ranks = steps.map((step) => order.findIndex((words) => step.endsWith(words))).filter((rank) => rank >= 0);
  expect(ranks.length).toBeGreaterThan(0);
  expect(ranks).toEqual([...new Set(ranks)].sort());
  expect(steps.at(-1)).toMatch(/ {2}completed by 0x[0-9a-f]{64}$/);
});

test('fields that the service does not know are refused in its own words', async () => {
  const ran = await run(['trigger', 'order.created', '--set', 'colour=red', '--data-dir', stack.dataDir]);
  expect(ran).toMatchObject({ code: 1, out: '' });
  expect(ran.err).toContain('Unknown parameter: colour.');
  const inside = await run(['trigger', 'escrow.created', '--set', 'amount=nothing', '--data-dir', stack.dataDir]);
  expect(inside).toMatchObject({ code: 1, out: '' });
  expect(inside.err).toContain('amount must be a decimal string');
});

test.each([
  ['subscription.paused', 2, /'subscription\.paused' is invalid/],
  ['order.paid', 2, /'order\.paid' is invalid.*order\.completed/],
  ['', 2, /No event type\. List them: ampersat trigger --list/],
  ['order.created --set amount', 2, /--set must be path=value/],
  ['order.created --set a..b=1', 2, /--set must be path=value/],
  ['order.created --set __proto__.polluted=1', 2, /--set must be path=value/],
  ['order.completed --payer zoe', 1, /No account zoe on the local stack. Accounts: alice, bob/],
  [
    'escrow.claimed --set handleSlug=telegram:somebody_new',
    1,
    /A tab for a username can be claimed only after 24 hours/,
  ],
  ['order.completed --set amount=100000', 1, /alice has [\d.]+ USDC on base but needs 100000\.00/],
])('refuses with the reason: %s', async (line, code, words) => {
  const argv = ['trigger', ...line.split(' ').filter(Boolean), '--data-dir', stack.dataDir];
  const ran = await stack.atWork(run(argv));
  expect(ran).toMatchObject({ code, out: '' });
  expect(ran.err).toMatch(words);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test.each(['trigger order.created', 'clock --advance 31d'])(
  '%s: nothing but the local stack is touched',
  async (line) => {
    const command = line.split(' ');
    const key = stack.file.accounts['shop']?.api_key ?? '';
    const elsewhere = commandLine({ AMPERSAT_API_KEY: key, AMPERSAT_BASE_URL: stack.base });
    const named = await elsewhere(command);
    expect(named).toMatchObject({ code: 1, out: '' });
    expect(named.err).toContain('works on the local stack only');
    const folder = mkdtempSync(join(tmpdir(), 'ampersat-elsewhere-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const base of ['https://pay.example', 'http://127.0.0.1.pay.example:8080', 'http://127.0.0.1@pay.example']) {
      writeFileSync(join(folder, 'local.json'), JSON.stringify({ ...stack.file, base_url: base }));
      const ran = await run([...command, '--data-dir', folder]);
      expect(ran).toMatchObject({ code: 1, out: '' });
      expect(ran.err).toContain('works on the local stack only');
    }
  },
);

test('the list has every event, and what is done for it', async () => {
  const { json } = await run(['trigger', '--list', '--json']);
  expect(json.map(({ type }) => type)).toEqual(EVENT_TYPES);
  for (const { about } of json) expect(about).toMatch(/\w+ \w+/);
  expect((await run(['trigger', '--list'])).out).toMatch(/^order\.completed +Creates an order and pays it$/m);
});

test('order.expired: nobody pays, and its time passes', async () => {
  const { event, object } = await trigger('order.expired', [], 20);
  expect(event.type).toBe('order.expired');
  expect(object).toMatchObject({ status: 'expired', amount_received: '0.00' });
});
