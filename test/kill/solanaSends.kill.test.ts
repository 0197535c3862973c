// kill -9 of the API and the workers around a send on Solana: prepared, signed, stored, sent, in a slot, final, and while its block hash ends. Afterwards the
// money has moved once, by one event of the program, and pressing again changes nothing.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { freePort } from '../../local/stack/ports.ts';
import { reconcileChain } from '../../src/services/outgoing/reconcile.ts';
import { killedSolanaWorlds } from '../setup/killing.ts';
import { type ApiProcess, lockTable, startApi, until } from '../setup/processes.ts';
import { signTransaction, walletOfPerson } from '../setup/signer.ts';
import { type Answer, type Visitor, visitor } from '../setup/visitor.ts';

// What a wallet signed is not signed again by us: how long a restart takes must not end its block hash.
const held = killedSolanaWorlds('bots', 0);
const PATIENCE_MS = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Body = any;
let port: number;
let api: ApiProcess;
let alice: Visitor;
let before: bigint[];

const solana = () => held.world.solana;
const db = () => held.world.ctx.db;
const balances = () =>
  [solana().addressOf('alice'), solana().addressOf('bob'), solana().roles.treasury.address].map((owner) =>
    solana().usdcOf(owner),
  );
const restart = async () => {
  api = await startApi(held.world, {}, port);
};
beforeEach(async () => {
  port = await freePort();
  await Promise.all([restart(), reconcileChain(held.world.ctx, solana().chain)]);
  alice = visitor(api.base);
  expect((await alice.signIn(walletOfPerson('alice'))).status).toBe(200);
  before = balances();
});
afterEach(() => api.kill());

const open = async (): Promise<Body> => (await alice.get('/api/sends')).body.data[0];
const submit = ({ id }: Body, solana_transaction: string) =>
  alice.post(`/api/sends/${id}`, { action: 'submit', solana_transaction });
const create = () => alice.post('/api/sends', { to: '@bob', amount: '5', chain: 'solana' });
async function prepared(): Promise<{ send: Body; signed: string }> {
  const { body } = await create();
  expect(body.error).toBeUndefined();
  return { send: body.send, signed: await sign(body.send) };
}
async function sign({ id }: Body): Promise<string> {
  solana().step();
  const { body } = await alice.get(`/api/sends/${id}/payment`);
  return signTransaction(localSolanaKey('alice'), body.transaction);
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

/** Slots pass meanwhile. */
const stepUntil = (holds: () => Promise<boolean>, what: string) =>
  until(
    async () => {
      solana().step();
      return holds();
    },
    what,
    PATIENCE_MS,
  );

async function movedOnce({ id }: Body, signed: string): Promise<void> {
  const isDone = async () => (await db().send.findUniqueOrThrow({ where: { id } })).status === 'completed';
  await stepUntil(isDone, 'a completed send');
  const isOnce = async () => {
    expect(balances().map((units, at) => units - (before[at] ?? 0n))).toEqual([-5_050_000n, 5_000_000n, 50_000n]);
    const events = await solana().eventsOf(solana().addressOf('alice'));
    expect(events.filter(({ name }) => name === 'paymentSettled')).toHaveLength(1);
    expect(await db().send.count({ where: { status: { not: 'cancelled' } } })).toBe(1);
  };
  await isOnce();
  const again = await submit({ id }, signed);
  expect([again.status, again.body.send.status]).toEqual([200, 'completed']);
  expect(again.body.send.tx_hash).not.toBeNull();
  const left = () => db().outgoingTx.count({ where: { status: { notIn: ['final', 'lost'] } } });
  await stepUntil(async () => (await left()) === 0, 'all is final');
  await isOnce();
}

describe('kill -9 of the API', () => {
  test('while it freezes the terms: nothing is there, and the same words are one send', async () => {
    await cutAt('send', 'share', create);
    expect(await db().send.count()).toBe(0);
    await Promise.all([restart(), held.workers.start()]);
    const { send, signed } = await prepared();
    expect((await prepared()).send.id).toBe(send.id);
    expect((await submit(send, signed)).status).toBe(200);
    await movedOnce(send, signed);
  });

  test('signed, and not stored: the page finds the draft and presses again', async () => {
    const { send, signed } = await prepared();
    await cutAt('sponsored_call', 'share', () => submit(send, signed));
    expect([await db().sponsoredCall.count(), await db().outgoingTx.count()]).toEqual([0, 0]);
    await Promise.all([restart(), held.workers.start()]);
    const found = await open();
    expect([found.id, found.status]).toEqual([send.id, 'draft']);
    const fresh = await sign(found);
    expect((await submit(found, fresh)).status).toBe(200);
    await movedOnce(send, fresh);
  });

  test('stored, and not answered: it is sent without the page; two tabs press again before, one with a new signature', async () => {
    const { send, signed } = await prepared();
    await cutAt('outbox', 'access exclusive', () => submit(send, signed));
    expect([await db().sponsoredCall.count(), await db().outgoingTx.count()]).toEqual([1, 1]);
    await restart();
    expect((await open()).status).toBe('processing');
    const answers = await Promise.all([submit(send, signed), submit(send, await sign(send))]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await held.workers.start();
    await movedOnce(send, signed);
    expect(await db().sponsoredCall.count()).toBe(1);
  });
});

const GAPS = [
  ['signed by the executor and sent', 'sendTransaction', 'before'],
  ['sent and the record of it', 'sendTransaction', 'after'],
  ['confirmed and recorded', 'getSignatureStatuses', 'before'],
] as const;

describe('kill -9 of the workers and the API between', () => {
  test.each(GAPS)('%s', async (_, method, when) => {
    const gate = held.proxy.hold(method, when);
    await held.workers.start();
    const { send, signed } = await prepared();
    expect((await submit(send, signed)).status).toBe(200);
    await gate.reached;
    await Promise.all([held.workers.kill(), api.kill()]);
    gate.open();
    // The signed bytes were stored before they were sent.
    expect(await db().txAttempt.count()).toBe(1);
    await Promise.all([held.workers.start(), restart()]);
    await movedOnce(send, signed);
    expect(await db().txAttempt.count()).toBe(1);
  });

  test('in a slot and the end of the send', async () => {
    await held.workers.start();
    const { send, signed } = await prepared();
    expect((await submit(send, signed)).status).toBe(200);
    await until(async () => (balances()[1] ?? 0n) > (before[1] ?? 0n), 'the slot', PATIENCE_MS);
    await Promise.all([held.workers.kill(), api.kill()]);
    await Promise.all([held.workers.start(), restart()]);
    await movedOnce(send, signed);
  });

  test('signed by the executor and the end of the block hash: the same row is signed again', async () => {
    const { send, signed } = await prepared();
    const gate = held.proxy.hold('sendTransaction', 'before');
    await held.workers.start();
    expect((await submit(send, signed)).status).toBe(200);
    await gate.reached;
    await Promise.all([held.workers.kill(), api.kill()]);
    gate.open();
    solana().step(400);
    await Promise.all([held.workers.start(), restart()]);
    await stepUntil(async () => (await open()).step === 'stopped', 'a try that ended');
    expect(await open()).toMatchObject({ id: send.id, status: 'processing', can_pay: true });
    const fresh = await sign(send);
    expect((await submit(send, fresh)).status).toBe(200);
    await movedOnce(send, fresh);
    expect(await db().txAttempt.count()).toBe(2);
  });
});
