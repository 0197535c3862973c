// kill -9 of the API and the workers around a send: prepared, signed, stored, sent, in a block, final. Afterwards the money has moved once, and a page that has
// lost everything finds the send by itself and changes nothing by pressing again.
import type { Hex } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../local/stack/ports.ts';
import { paymentRouterAbi } from '../../src/chain/routers/abis/PaymentRouter.ts';
import { killedWorlds } from '../setup/killing.ts';
import { type ApiProcess, lockTable, startApi, until } from '../setup/processes.ts';
import { walletOfPerson } from '../setup/signer.ts';
import { type Answer, type Visitor, visitor } from '../setup/visitor.ts';

const held = killedWorlds('bots');
const PATIENCE_MS = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Body = any;
let port: number;
let api: ApiProcess;
let alice: Visitor;
let aliceHad: bigint;

const restart = async () => {
  api = await startApi(held.world, {}, port);
};
beforeEach(async () => {
  port = await freePort();
  await restart();
  alice = visitor(api.base);
  expect((await alice.signIn(walletOfPerson('alice'))).status).toBe(200);
  aliceHad = await held.world.usdc('alice');
});
afterEach(() => api.kill());

const db = () => held.world.ctx.db;
const open = async (): Promise<Body> => (await alice.get('/api/sends')).body.data[0];
const submit = ({ id }: Body, signature: Hex) => alice.post(`/api/sends/${id}`, { action: 'submit', signature });
async function prepared(): Promise<{ send: Body; signature: Hex }> {
  const { body } = await alice.post('/api/sends', { to: '@bob', amount: '5', chain: 'base' });
  expect(body.error).toBeUndefined();
  return { send: body.send, signature: await signed(body.send) };
}
async function signed({ id }: Body): Promise<Hex> {
  const { sign } = (await alice.get(`/api/sends/${id}/payment`)).body;
  const { EIP712Domain, ...types } = sign.types;
  return walletOfPerson('alice').signTypedData({ ...sign, types });
}

/** The API is killed while it waits for a table, with what it has asked of it. */
async function cutAt(table: string, mode: 'access exclusive' | 'share', request: () => Promise<Answer>): Promise<void> {
  const lock = await lockTable(held.world.databaseUrl, table, mode);
  const cut = request().then(
    () => null,
    (error: unknown) => error,
  );
  await lock.reached();
  await api.kill();
  expect(await cut).not.toBeNull();
  await lock.release();
}

async function movedOnce({ id }: Body, signature: Hex): Promise<void> {
  const isDone = async () => (await db().send.findUniqueOrThrow({ where: { id } })).status === 'completed';
  await until(isDone, 'a completed send', PATIENCE_MS);
  const { world, bobHad, treasuryHad } = held;
  const isOnce = async () => {
    expect(await world.usdc('bob')).toBe(bobHad + 5_000_000n);
    expect(await world.usdc('treasury')).toBe(treasuryHad + 50_000n);
    expect(await world.usdc('alice')).toBe(aliceHad - 5_050_000n);
    const address = world.evmChain().routers.payment;
    const settled = { address, abi: paymentRouterAbi, eventName: 'PaymentSettled', fromBlock: 0n } as const;
    expect(await world.reader().getContractEvents(settled)).toHaveLength(1);
    expect(await db().send.count({ where: { status: { not: 'cancelled' } } })).toBe(1);
  };
  await isOnce();
  const again = await submit({ id }, signature);
  expect([again.status, again.body.send.status]).toEqual([200, 'completed']);
  await isOnce();
}

describe('kill -9 of the API', () => {
  test('while it freezes the terms: nothing is there, and the same words are one send', async () => {
    await cutAt('send', 'share', () => alice.post('/api/sends', { to: '@bob', amount: '5', chain: 'base' }));
    expect(await db().send.count()).toBe(0);
    await Promise.all([restart(), held.workers.start()]);
    const { send, signature } = await prepared();
    expect((await prepared()).send.id).toBe(send.id);
    expect((await submit(send, signature)).status).toBe(200);
    await movedOnce(send, signature);
  });

  test('signed, and not stored: the page finds the begun send and presses again', async () => {
    const { send, signature } = await prepared();
    await cutAt('sponsored_call', 'share', () => submit(send, signature));
    expect([await db().sponsoredCall.count(), await db().outgoingTx.count()]).toEqual([0, 0]);
    await Promise.all([restart(), held.workers.start()]);
    const found = await open();
    expect(found).toMatchObject({ id: send.id, status: 'processing', step: 'stopped', can_pay: true });
    const fresh = await signed(found);
    expect((await submit(found, fresh)).status).toBe(200);
    await movedOnce(send, fresh);
  });

  test('stored, and not answered: it is sent without the page; two tabs press again before', async () => {
    const { send, signature } = await prepared();
    await cutAt('outbox', 'access exclusive', () => submit(send, signature));
    expect([await db().sponsoredCall.count(), await db().outgoingTx.count()]).toEqual([1, 1]);
    await restart();
    expect((await open()).status).toBe('processing');
    const answers = await Promise.all([submit(send, signature), submit(send, signature)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await held.workers.start();
    await movedOnce(send, signature);
  });
});

type Gap = [between: string, method: string, when: 'before' | 'after'];
const GAPS: Gap[] = [
  ['signed by the executor and sent', 'eth_sendRawTransaction', 'before'],
  ['sent and the record of it', 'eth_sendRawTransaction', 'after'],
];

describe('kill -9 of the workers and the API between', () => {
  test.each(GAPS)('%s', async (_, method, when) => {
    const { send, signature } = await prepared();
    const gate = held.proxy.hold(method, when);
    await held.workers.start();
    expect((await submit(send, signature)).status).toBe(200);
    await gate.reached;
    await Promise.all([held.workers.kill(), api.kill()]);
    gate.open();
    await Promise.all([held.workers.start(), restart()]);
    await movedOnce(send, signature);
  });

  test('in a block and the end of the send', async () => {
    const { send, signature } = await prepared();
    await held.workers.start();
    expect((await submit(send, signature)).status).toBe(200);
    await until(async () => (await held.world.usdc('bob')) > held.bobHad, 'the block', PATIENCE_MS);
    await Promise.all([held.workers.kill(), api.kill()]);
    await Promise.all([held.workers.start(), restart()]);
    await movedOnce(send, signature);
  });
});
