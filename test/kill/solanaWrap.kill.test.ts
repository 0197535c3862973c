// kill -9 of the API and the workers around the wrapping of SOL: built, signed and brought back, stored, sent, in a block. Afterwards the wallet's SOL has
// changed by the amount once, by one transaction, and the client that repeats what it sent is given the same result.
import { parseUnits } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { freePort } from '../../local/stack/ports.ts';
import { tokenAccount } from '../../src/chain/solana/addresses.ts';
import type { BuiltWrap, OneWrap, WrapBalances } from '../../src/http/api/wrappingAnswers.ts';
import { reconcileChain } from '../../src/services/outgoing/reconcile.ts';
import { killedSolanaWorlds } from '../setup/killing.ts';
import { type ApiProcess, lockTable, startApi, until } from '../setup/processes.ts';
import { signTransaction, walletOfPerson } from '../setup/signer.ts';
import { type Answer, type Visitor, visitor } from '../setup/visitor.ts';

// What a wallet signed is not signed again by us: how long a restart takes must not end its block hash, so slots pass by the test alone.
const held = killedSolanaWorlds('bots', 0);
const AMOUNT = 2_500_000_000n;
const NONE = { sol: 0n, wrapped: 0n, fees: 0n };

let port: number;
let api: ApiProcess;
let alice: Visitor;
let had: { state: WrapBalances; sol: bigint; wrapped: bigint; executors: bigint; landed: number };

const key = localSolanaKey('alice');
const db = () => held.world.ctx.db;
const restart = async () => {
  api = await startApi(held.world, {}, port);
};
/** What is in a block since then, and names the account of Alice's wrapped SOL. */
function landed() {
  const { ledger, wrappedNative } = held.world.solana;
  const signatures = ledger.byAddress.get(tokenAccount(key.address, wrappedNative).address) ?? [];
  return signatures.flatMap((signature) => ledger.transactions.get(signature) ?? []).slice(had.landed);
}
const executors = () => {
  const { solana } = held.world;
  return solana.roles.executors.reduce((sum, { address }) => sum + solana.lamportsOf(address), 0n);
};
const changes = () => ({
  sol: held.world.solana.lamportsOf(key.address) - had.sol,
  wrapped: held.world.solana.wrappedOf(key.address) - had.wrapped,
  fees: had.executors - executors(),
});

async function begin(): Promise<void> {
  const { ctx, solana } = held.world;
  await reconcileChain(ctx, solana.chain);
  port = await freePort();
  await restart();
  alice = visitor(api.base);
  expect((await alice.signIn(walletOfPerson('alice'))).status).toBe(200);
}
async function note(): Promise<void> {
  const { solana } = held.world;
  const { body } = await alice.get('/api/solana/wrap');
  const [sol, wrapped] = [solana.lamportsOf(key.address), solana.wrappedOf(key.address)];
  had = { state: body, sol, wrapped, executors: executors(), landed: 0 };
  had.landed = landed().length;
}
beforeEach(async () => {
  await begin();
  await note();
  // Her account of it is there already: wrapping costs no rent.
  expect(had.state.wrapped).toBe('0.00');
});
afterEach(() => api.kill());

const ask = (kind = 'wrap', amount = '2.5') => alice.post('/api/solana/wrap', { kind, amount });
async function build(kind?: string, amount?: string): Promise<BuiltWrap> {
  const { status, body } = await ask(kind, amount);
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}
const signed = ({ solana_transaction }: BuiltWrap) => signTransaction(key, solana_transaction);
const bring = ({ submit }: BuiltWrap, solana_transaction: string) => alice.post(submit, { solana_transaction });
const look = async ({ submit }: BuiltWrap): Promise<OneWrap['wrap']> => (await alice.get(submit)).body.wrap;
async function taken(built: BuiltWrap, transaction: string): Promise<void> {
  const { status, body } = await bring(built, transaction);
  expect([status, body.error]).toEqual([200, undefined]);
  expect(body.wrap).toMatchObject({ id: built.wrap.id, status: 'queued' });
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

/** Signed and stored, and the client never learns it. */
async function storedUnanswered(): Promise<{ built: BuiltWrap; transaction: string }> {
  const built = await build();
  const transaction = signed(built);
  await cutAt('outbox', 'access exclusive', () => bring(built, transaction));
  return { built, transaction };
}

/** Slots pass once it has landed. */
async function stepUntil(holds: () => Promise<boolean>, what: string): Promise<void> {
  await until(async () => {
    if (landed().length > 0) held.world.solana.step();
    return holds();
  }, what);
}

type Expected = { sol: bigint; wrapped: bigint };
const WRAPPED: Expected = { sol: -AMOUNT, wrapped: AMOUNT };

/** One transaction in a block, one call of ours, one amount; and the same transaction again is the same result. */
async function movedOnce(built: BuiltWrap, transaction: string, expected: Expected): Promise<void> {
  await stepUntil(async () => (await look(built)).status === 'final', 'a final transaction');
  const isOnce = async () => {
    const now = landed();
    expect(now.map(({ error }) => error)).toEqual([null]);
    expect(changes()).toEqual({ ...expected, fees: BigInt(now[0]?.fee ?? 0) });
    const calls = await db().sponsoredCall.findMany({ where: { use: { endsWith: built.wrap.message_hash } } });
    expect(calls.map(({ status }) => status)).toEqual(['submitted']);
    const sent = await db().outgoingTx.findMany({
      where: { subjectId: calls[0]?.id ?? '' },
      include: { attempts: true },
    });
    expect(sent.map(({ status, succeeded, attempts }) => [status, succeeded, attempts.length])).toEqual([
      ['final', true, 1],
    ]);
    return now[0]?.signature;
  };
  const signature = await isOnce();
  const wrap = await look(built);
  expect(wrap).toMatchObject({ id: built.wrap.id, tx_hash: signature, failure: null });
  const again = await bring(built, transaction);
  expect([again.status, again.body]).toEqual([200, { wrap }]);
  held.world.solana.step(3);
  await isOnce();
}

describe('kill -9 of the API', () => {
  test('while it stores what it has built, and after: the same words are the same wrapping', async () => {
    await cutAt('native_wrap', 'share', () => ask());
    expect(await db().nativeWrap.count()).toBe(0);
    await restart();
    const built = await build();
    await api.kill();
    await restart();
    expect((await build()).wrap).toEqual(built.wrap);
    expect(await look(built)).toEqual(built.wrap);
    // Nothing of it moves before its wallet has signed.
    await held.workers.start();
    expect([await db().sponsoredCall.count(), changes(), landed()]).toEqual([0, NONE, []]);
    const transaction = signed(built);
    await taken(built, transaction);
    await movedOnce(built, transaction, WRAPPED);
  });

  test('brought back, and not stored: the client brings it again', async () => {
    const built = await build();
    const transaction = signed(built);
    await cutAt('sponsored_call', 'share', () => bring(built, transaction));
    expect([await db().sponsoredCall.count(), await db().outgoingTx.count()]).toEqual([0, 0]);
    await Promise.all([restart(), held.workers.start()]);
    expect([(await look(built)).status, changes(), landed()]).toEqual(['prepared', NONE, []]);
    await taken(built, transaction);
    await movedOnce(built, transaction, WRAPPED);
  });

  test('stored, and not answered: it is sent without the client, which brings it again later', async () => {
    const { built, transaction } = await storedUnanswered();
    expect([await db().sponsoredCall.count(), await db().outgoingTx.count()]).toEqual([1, 1]);
    await Promise.all([restart(), held.workers.start()]);
    await movedOnce(built, transaction, WRAPPED);
  });

  test('stored, and the client brings it again before anything is sent, twice at once', async () => {
    const { built, transaction } = await storedUnanswered();
    await restart();
    await Promise.all([taken(built, transaction), taken(built, transaction)]);
    await held.workers.start();
    await movedOnce(built, transaction, WRAPPED);
  });
});

type Gap = [between: string, method: string, when: 'before' | 'after', isLanded: boolean];
const UNRECORDED: Gap = ['sent and the record of it', 'sendTransaction', 'after', true];
const GAPS: Gap[] = [
  ['signed and sent', 'sendTransaction', 'before', false],
  UNRECORDED,
  ['confirmed and recorded', 'getSignatureStatuses', 'before', true],
];

describe('kill -9 of the workers and the API between', () => {
  async function killedAtGate([, method, when, isLanded]: Gap, built: BuiltWrap, expected: Expected): Promise<void> {
    const transaction = signed(built);
    const gate = held.proxy.hold(method, when);
    await held.workers.start();
    await taken(built, transaction);
    await gate.reached;
    if (isLanded) await until(() => landed().length > 0, 'the block');
    await Promise.all([held.workers.kill(), api.kill()]);
    expect(landed()).toHaveLength(isLanded ? 1 : 0);
    gate.open();
    await Promise.all([held.workers.start(), restart()]);
    await movedOnce(built, transaction, expected);
  }

  test.each(GAPS)('%s', async (...gap) => {
    await killedAtGate(gap, await build(), WRAPPED);
  });

  test('confirmed and final', async () => {
    const built = await build();
    const transaction = signed(built);
    await held.workers.start();
    await taken(built, transaction);
    await stepUntil(async () => (await look(built)).status === 'mined', 'a confirmed transaction');
    await Promise.all([held.workers.kill(), api.kill()]);
    await Promise.all([held.workers.start(), restart()]);
    await movedOnce(built, transaction, WRAPPED);
  });

  test('sent and the record of it, where everything is unwrapped', async () => {
    held.world.solana.allowWrapped('alice', AMOUNT);
    held.world.solana.step(3);
    await note();
    // The account is closed, which returns its rent.
    const rent = parseUnits(had.state.account_rent, 9);
    await killedAtGate(UNRECORDED, await build('unwrap', 'max'), { sol: AMOUNT + rent, wrapped: -AMOUNT });
  });
});
