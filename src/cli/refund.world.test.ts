// `ampersat orders refund`: sent by the play wallet on the local stack, printed and then confirmed elsewhere.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, commandLine } from '../../test/setup/cli.ts';
import { type PlayStack, playStack } from '../../test/setup/playStack.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { localPersonOf } from './localPeople.ts';
import { sendAs } from './playWallet.ts';
import { shortId } from './tables.ts';

let world: World;
let stack: PlayStack;
let local: CommandLine;
/** The same service with a key, as a merchant has it who is nobody of the local stack. */
let elsewhere: CommandLine;
beforeAll(async () => {
  world = await startWorld();
  stack = await playStack(world);
  const run = commandLine({});
  local = (argv, more) => stack.atWork(run([...argv, '--data-dir', stack.dataDir], more));
  const key = stack.file.accounts['shop']?.api_key ?? '';
  const remote = commandLine({ AMPERSAT_API_KEY: key, AMPERSAT_BASE_URL: stack.base });
  elsewhere = (argv, more) => stack.atWork(remote(argv, more));
});
afterAll(() => world.stop());

async function paidOrder(amount: string): Promise<string> {
  const ran = await local(['trigger', 'order.completed', '--set', `amount=${amount}`, '--json']);
  expect(ran, ran.err).toMatchObject({ code: 0 });
  return ran.json[0].data.object.order.id;
}
const refundedOf = async (id: string) => (await local(['orders', 'get', id, '--json'])).json[0].amount_refunded;

test('on the local stack the wallet that was paid sends it, in part and then the rest, and no more', async () => {
  const id = await paidOrder('9');
  const before = await world.usdc('alice');
  const part = await local(['orders', 'refund', shortId(id), '--amount', '4']);
  expect(part, part.err).toMatchObject({ code: 0 });
  expect(part.err).toMatch(/shop’s wallet sent the refund of 4\.00 USDC: 0x[0-9a-f]{64}\n/);
  expect(part.out).toContain(id);
  expect((await world.usdc('alice')) - before).toBe(4_000_000n);
  const rowOf = async () =>
    (await local(['orders', 'list'])).out.split('\n').find((row) => row.startsWith(shortId(id)));
  await expect.poll(rowOf).toContain('completed (partly refunded)  9.00 USDC');

  const rest = await local(['orders', 'refund', id, '--json']);
  expect(rest, rest.err).toMatchObject({ code: 0, err: '' });
  expect(rest.json).toMatchObject([{ object: 'order', id, status: 'completed' }]);
  expect((await world.usdc('alice')) - before).toBe(9_000_000n);
  await expect.poll(() => refundedOf(id)).toBe('9.00');
  expect((await local(['orders', 'get', id])).out).toMatch(/^refunded +9\.00 USDC$/m);
  expect(await rowOf()).toContain('completed (refunded)  9.00 USDC');

  const more = await local(['orders', 'refund', id]);
  expect(more).toMatchObject({ code: 1, out: '' });
  expect(more.err).toContain('order_not_refundable');
  expect((await world.usdc('alice')) - before).toBe(9_000_000n);
});

test('elsewhere it prints what to send, sends nothing, and confirms the transaction afterwards', async () => {
  const id = await paidOrder('6');
  const before = await world.usdc('alice');
  const printed = await elsewhere(['orders', 'refund', id, '--amount', '2']);
  expect(printed).toMatchObject({ code: 0, err: '' });
  const [refund] = (await elsewhere(['orders', 'refund', id, '--amount', '2', '--json'])).json;
  expect(refund).toMatchObject({ object: 'order.refund', order: id, amount: '2.00' });
  for (const part of [
    `2.00 USDC to ${refund.refund_to}`,
    refund.from,
    refund.router,
    refund.data,
    refund.approval.data,
    `ampersat orders refund ${id} --confirm <hash>`,
    `${stack.base}/orders/${id}`,
  ])
    expect(printed.out).toContain(part);
  expect((await local(['orders', 'refund', id, '--amount', '2', '--unsigned', '--json'])).json).toEqual([refund]);
  expect(await world.usdc('alice')).toBe(before);

  // The merchant's own wallet sends both.
  const shop = localPersonOf(stack.file, 'shop');
  const { signal } = new AbortController();
  await sendAs({ signal }, shop, refund.approval);
  const hash = await sendAs({ signal }, shop, refund);
  await expect.poll(async () => (await elsewhere(['orders', 'refund', id, '--confirm', hash])).code).toBe(0);
  expect((await world.usdc('alice')) - before).toBe(2_000_000n);
  await expect.poll(() => refundedOf(id)).toBe('2.00');
  // Confirming again changes nothing.
  const again = await elsewhere(['orders', 'refund', id, '--confirm', hash, '--json']);
  expect(again.json).toMatchObject([{ amount_refunded: '2.00' }]);
});

test('what is no refund is refused', async () => {
  const [open] = (await local('orders create --amount 5 --chain base --json'.split(' '))).json;
  expect((await local(['orders', 'refund', open.id])).err).toContain('order_not_refundable');
  const mixed = ['orders', 'refund', open.id, '--confirm', `0x${'1'.repeat(64)}`, '--amount', '1'];
  expect(await local(mixed)).toMatchObject({ code: 2, err: expect.stringContaining('cannot be used with') });
  expect(await local(['orders', 'refund', open.id, '--confirm', '0x12'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Must be a transaction hash'),
  });
});
