// The node's answers: errors by code, commitments, batches, who may call, and what each fault does.
import { base58 } from '@scure/base';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  base64Of,
  fundedKey,
  nameOf,
  post,
  SOL,
  startTestSolana,
  type TestSolana,
  transferOf,
} from '../../test/setup/solana.ts';
import { freePort } from '../stack/ports.ts';
import { type Keypair, localSolanaKey } from './keys.ts';
import { blockAt, HASH_AGE, openBlockOf } from './ledger.ts';
import type { SolanaOptions } from './server.ts';
import { stepSlots } from './slots.ts';

const STRANGER = localSolanaKey('stranger').address;
const BASE64 = { encoding: 'base64' };
let node: TestSolana;
let alice: Keypair;
async function start(options: SolanaOptions = {}): Promise<void> {
  node = await startTestSolana(options);
  alice = fundedKey(node.ledger, 'alice');
  stepSlots(node.ledger, 5);
}
afterEach(() => node?.close());

const transfer = (lamports = SOL, hash?: string) =>
  transferOf(node.ledger, { from: alice, to: STRANGER, lamports, ...(hash ? { hash } : {}) });
const send = (transaction: ReturnType<typeof transfer>, config: object = {}) =>
  node.call('sendTransaction', base64Of(transaction), { ...BASE64, preflightCommitment: 'processed', ...config });
const status = async (name: string) => (await node.rpc('getSignatureStatuses', [name])).value[0];
const code = async (method: string, ...params: unknown[]) => (await node.call(method, ...params)).error?.code;
const fault = (body: object) => node.user('faults', body);

test('each mistake has the code of a real node', async () => {
  await start();
  const sent = transfer();
  const { slot } = openBlockOf(node.ledger);
  const broken = { ...sent, raw: Uint8Array.from(sent.raw, (byte, at) => (at === 5 ? byte ^ 1 : byte)) };
  const cases: [number, string, ...unknown[]][] = [
    [-32601, 'getNothing'],
    [-32602, 'getBalance'],
    [-32602, 'getBalance', 'abc'],
    [-32602, 'getBalance', 5],
    [-32602, 'getBalance', STRANGER, { commitment: 'recent' }],
    [-32602, 'getBalance', STRANGER, {}, 1],
    [-32016, 'getBalance', STRANGER, { minContextSlot: slot + 1 }],
    [-32602, 'getTransaction', nameOf(sent), { commitment: 'processed' }],
    [-32602, 'getSignaturesForAddress', STRANGER, { commitment: 'processed' }],
    [-32602, 'getSignaturesForAddress', STRANGER, { limit: 1_001 }],
    [-32602, 'getSignatureStatuses', Array.from({ length: 257 }, () => nameOf(sent))],
    [-32602, 'getTokenAccountBalance', STRANGER],
    [-32602, 'getTokenAccountsByOwner', STRANGER, { programId: STRANGER }],
    [-32602, 'sendTransaction', 'not base64', BASE64],
    [-32602, 'sendTransaction', Buffer.alloc(1_233).toString('base64'), BASE64],
    [-32602, 'sendTransaction', Buffer.alloc(100, 1).toString('base64'), BASE64],
    [-32003, 'sendTransaction', base64Of(broken), BASE64],
    [-32003, 'simulateTransaction', base64Of(broken), { ...BASE64, sigVerify: true }],
    [-32602, 'simulateTransaction', base64Of(sent), { ...BASE64, sigVerify: true, replaceRecentBlockhash: true }],
    [-32002, 'sendTransaction', base64Of(transfer(100 * SOL)), { ...BASE64, preflightCommitment: 'processed' }],
    [-32002, 'sendTransaction', base64Of(transfer(SOL, STRANGER)), BASE64],
    [-32004, 'getBlock', slot + 100],
    [-32001, 'getBlock', 5],
    [-32602, 'getProgramAccounts', STRANGER, { filters: Array.from({ length: 5 }, () => ({ dataSize: 1 })) }],
  ];
  for (const [expected, method, ...params] of cases)
    expect([method, params, await code(method, ...params)]).toEqual([method, params, expected]);
  expect(await code('getBlock', 1_003)).toBeUndefined();
  stepSlots(node.ledger, 1_000);
  expect(await code('getBlock', slot + 500)).toBe(-32007);
  const raw = await post(node.url, '{');
  expect(await raw.json()).toMatchObject({ error: { code: -32700 }, id: null });
  expect(await (await post(node.url, { id: 1 })).json()).toMatchObject({ error: { code: -32600 } });
});

test('a failed preflight names the error, with logs; without preflight the transaction lands as failed', async () => {
  await start();
  const tooMuch = transfer(100 * SOL);
  const { error } = await send(tooMuch);
  expect(error).toMatchObject({
    code: -32002,
    message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
    data: { err: { InstructionError: [0, { Custom: 1 }] }, accounts: null, unitsConsumed: 150 },
  });
  // The fee is paid first.
  expect(error?.data).toHaveProperty(
    'logs',
    expect.arrayContaining(['Transfer: insufficient lamports 9999995000, need 100000000000']),
  );
  expect(await status(nameOf(tooMuch))).toBeNull();
  expect((await send(tooMuch, { skipPreflight: true })).result).toBe(nameOf(tooMuch));
  expect(await status(nameOf(tooMuch))).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] } });
  expect((await send(tooMuch)).error?.message).toBe(
    'Transaction simulation failed: This transaction has already been processed',
  );
});

test('statuses, transactions, history and accounts keep to the commitment that is asked for', async () => {
  await start();
  const sent = transfer();
  const name = nameOf(sent);
  await send(sent);
  const seen = async () => ({
    status: (await status(name)).confirmationStatus,
    confirmed: (await node.rpc('getTransaction', name, { commitment: 'confirmed' })) !== null,
    finalized: (await node.rpc('getTransaction', name)) !== null,
    pages: await Promise.all(
      ['confirmed', 'finalized'].map(
        async (commitment) => (await node.rpc('getSignaturesForAddress', STRANGER, { commitment })).length,
      ),
    ),
    balances: await Promise.all(
      ['processed', 'confirmed', 'finalized'].map(
        async (commitment) => (await node.rpc('getBalance', STRANGER, { commitment })).value / SOL,
      ),
    ),
  });
  expect(await seen()).toEqual({
    status: 'processed',
    confirmed: false,
    finalized: false,
    pages: [0, 0],
    balances: [1, 0, 0],
  });
  await node.user('slots', { step: 1 });
  expect(await seen()).toMatchObject({ status: 'confirmed', confirmed: true, finalized: false, pages: [1, 0] });
  expect((await seen()).balances).toEqual([1, 1, 0]);
  await node.user('slots', { step: 3 });
  expect(await seen()).toMatchObject({ status: 'finalized', finalized: true, pages: [1, 1], balances: [1, 1, 1] });
  stepSlots(node.ledger, 310);
  expect(await status(name)).toBeNull();
  const old = await node.rpc('getSignatureStatuses', [name], { searchTransactionHistory: true });
  expect(old.value[0]).toMatchObject({ confirmations: null, confirmationStatus: 'finalized' });
});

test('a preflight at finalized does not know what is newer: neither money nor block hashes', async () => {
  await start();
  const bob = fundedKey(node.ledger, 'bob');
  const { hash } = blockAt(node.ledger, 'finalized');
  const spend = transferOf(node.ledger, { from: bob, to: STRANGER, lamports: SOL, hash });
  expect((await send(spend, { preflightCommitment: 'finalized' })).error?.data).toMatchObject({
    err: 'AccountNotFound',
  });
  expect((await send(transfer(), { preflightCommitment: 'finalized' })).error?.data).toMatchObject({
    err: 'BlockhashNotFound',
  });
  expect((await send(spend)).result).toBe(nameOf(spend));
});

test('hashes expire by height, simulations replace them and show accounts, fees are answered', async () => {
  await start();
  const late = transfer();
  const { value } = await node.rpc('getLatestBlockhash', { commitment: 'processed' });
  expect(value.lastValidBlockHeight).toBe((await node.rpc('getBlockHeight', { commitment: 'processed' })) + HASH_AGE);
  const message = Buffer.from(late.messageBytes).toString('base64');
  expect((await node.rpc('getFeeForMessage', message, { commitment: 'processed' })).value).toBe(5_000);
  await node.user('faults', { kind: 'expire' });
  expect((await node.rpc('isBlockhashValid', value.blockhash)).value).toBe(false);
  expect((await node.rpc('getFeeForMessage', message)).value).toBeNull();
  expect((await send(late)).error?.data).toMatchObject({ err: 'BlockhashNotFound' });
  const simulated = await node.rpc('simulateTransaction', base64Of(late), {
    ...BASE64,
    replaceRecentBlockhash: true,
    accounts: { addresses: [STRANGER], encoding: 'base64' },
  });
  expect(simulated.value).toMatchObject({ err: null, accounts: [{ lamports: SOL }], fee: 5_000 });
  expect(await status(nameOf(late))).toBeNull();
  expect((await node.rpc('getBalance', STRANGER, { commitment: 'processed' })).value).toBe(0);
});

test('batches are answered in their order; rent is that of mainnet; numbers of 64 bits are exact', async () => {
  await start();
  const call = (id: number, method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id, method, params });
  const batch = [call(2, 'getHealth'), call(1, 'getMinimumBalanceForRentExemption', 165), call(3, 'getNothing')];
  expect(await (await post(node.url, batch)).json()).toMatchObject([
    { id: 2, result: 'ok' },
    { id: 1, result: 293 * 5_080 },
    { id: 3, error: { code: -32601 } },
  ]);
  const answer = await post(node.url, call(1, 'getAccountInfo', alice.address, BASE64));
  expect(await answer.text()).toContain('"rentEpoch":18446744073709551615');
});

test('only pages that may call the node can, over HTTP and WebSocket', async () => {
  const own = 'http://localhost:5173';
  await start({ origins: [own] });
  const call = { jsonrpc: '2.0', id: 1, method: 'getHealth' };
  const allowed = await post(node.url, call, { origin: own });
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, own]);
  expect((await post(node.url, call, { origin: 'http://evil.example' })).status).toBe(403);
  const preflight = await fetch(node.url, { method: 'OPTIONS', headers: { origin: own } });
  expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type, solana-client');
  const opens = (origin: string) =>
    new Promise<boolean>((resolve) => {
      const socket = new WebSocket(node.wsUrl, { origin });
      const done = (isOpen: boolean) => {
        socket.terminate();
        resolve(isOpen);
      };
      socket.once('open', () => done(true)).once('error', () => done(false));
    });
  expect([await opens(own), await opens('http://evil.example')]).toEqual([true, false]);
});

/** A socket that collects what it is sent. */
async function subscribe(url: string, ...calls: [string, ...unknown[]][]) {
  const socket = new WebSocket(url);
  // biome-ignore lint/suspicious/noExplicitAny: messages of every shape
  const messages: any[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  for (const [at, [method, ...params]] of calls.entries())
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: at + 1, method, params }));
  await expect.poll(() => messages.length).toBeGreaterThanOrEqual(calls.length);
  return { socket, messages, of: (name: string) => messages.filter(({ method }) => method === `${name}Notification`) };
}

test('subscriptions speak at their commitment, on the next port too, and end when they are ended', async () => {
  // Both ports have to be ours: another process may have the next one of any.
  let [port, next] = [await freePort(), await freePort()];
  while (next !== port + 1) [port, next] = [next, await freePort()];
  await start({ port });
  const sent = transfer();
  const name = nameOf(sent);
  const { socket, messages, of } = await subscribe(
    `ws://127.0.0.1:${node.port + 1}`,
    ['signatureSubscribe', name, { commitment: 'confirmed', enableReceivedNotification: true }],
    ['signatureSubscribe', name, { commitment: 'finalized' }],
    ['accountSubscribe', STRANGER, { commitment: 'finalized', encoding: 'base64' }],
    ['logsSubscribe', { mentions: [STRANGER] }, { commitment: 'processed' }],
    ['rootSubscribe'],
    ['nothingSubscribe'],
    ['logsSubscribe', { mentions: [STRANGER, STRANGER] }],
  );
  expect(messages.map(({ error }) => error?.code)).toEqual([...Array(5).fill(undefined), -32601, -32602]);
  await send(sent);
  await expect.poll(() => of('signature').map(({ params }) => params.result.value)).toEqual(['receivedSignature']);
  await expect.poll(() => of('logs').length).toBe(1);
  stepSlots(node.ledger);
  await expect.poll(() => of('signature').length).toBe(2);
  expect(of('signature')[1].params.result.value).toEqual({ err: null });
  expect(of('account')).toEqual([]);
  stepSlots(node.ledger, 3);
  await expect.poll(() => of('signature').length).toBe(3);
  await expect.poll(() => of('account').map(({ params }) => params.result.value.lamports)).toEqual([SOL]);
  await expect.poll(() => of('root').length).toBe(4);
  const again = await subscribe(node.wsUrl, ['signatureSubscribe', name]);
  await expect.poll(() => again.of('signature').length).toBe(1);
  const root = messages.find(({ id }) => id === 5).result;
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'rootUnsubscribe', params: [root] }));
  await expect.poll(() => messages.find(({ id }) => id === 9)?.result).toBe(true);
  stepSlots(node.ledger, 3);
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 10, method: 'rootUnsubscribe', params: [root] }));
  await expect.poll(() => messages.find(({ id }) => id === 10)?.error?.code).toBe(-32602);
  expect(of('root').length).toBe(4);
  socket.terminate();
  again.socket.terminate();
});

test('fault drop: a signature is answered, and the transaction never lands', async () => {
  await start();
  const [gone, kept] = [transfer(1 * SOL), transfer(2 * SOL)];
  await fault({ kind: 'drop', signature: nameOf(gone) });
  expect((await send(kept)).result).toBe(nameOf(kept));
  expect((await send(gone)).result).toBe(nameOf(gone));
  stepSlots(node.ledger, 10);
  expect([await status(nameOf(gone)), await status(nameOf(kept))]).toMatchObject([null, { err: null }]);
  expect((await send(gone)).result).toBe(nameOf(gone));
  expect(await status(nameOf(gone))).toMatchObject({ err: null });
});

test('fault fork: a confirmed transaction vanishes before it is final, and lands when it is sent again', async () => {
  await start();
  const sent = transfer();
  await fault({ kind: 'fork', slots: 2 });
  await send(sent);
  stepSlots(node.ledger);
  expect(await status(nameOf(sent))).toMatchObject({ confirmationStatus: 'confirmed' });
  stepSlots(node.ledger);
  expect(await status(nameOf(sent))).toBeNull();
  expect(await node.rpc('getTransaction', nameOf(sent), { commitment: 'confirmed' })).toBeNull();
  expect((await node.rpc('getBalance', STRANGER, { commitment: 'confirmed' })).value).toBe(0);
  await send(sent);
  stepSlots(node.ledger, 5);
  expect(await status(nameOf(sent))).toMatchObject({ confirmationStatus: 'finalized' });
});

test('fault fork of a transaction that has landed', async () => {
  await start();
  const sent = transfer();
  await send(sent);
  stepSlots(node.ledger);
  await fault({ kind: 'fork', signature: nameOf(sent) });
  stepSlots(node.ledger);
  expect(await status(nameOf(sent))).toBeNull();
});

test('fault rate_limit, away and lost_answer', async () => {
  await start();
  const call = { jsonrpc: '2.0', id: 1, method: 'getHealth' };
  await fault({ kind: 'rate_limit', seconds: 3 });
  const limited = await post(node.url, call);
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3']);
  await fault({ kind: 'away', method: 'getHealth' });
  expect((await node.call('getVersion')).error).toBeUndefined();
  await expect(post(node.url, call)).rejects.toThrow();
  const sent = transfer();
  await fault({ kind: 'lost_answer', method: 'sendTransaction' });
  await expect(send(sent)).rejects.toThrow();
  expect(await status(nameOf(sent))).toMatchObject({ err: null });
  expect((await post(node.url, call)).status).toBe(200);
});

test('fault stale: the node answers from before, and says so', async () => {
  await start();
  const sent = transfer();
  await send(sent);
  stepSlots(node.ledger, 6);
  await fault({ kind: 'stale', slots: 10, times: 4 });
  expect((await node.call('getHealth')).error).toEqual({
    code: -32005,
    message: 'Node is behind by 10 slots',
    data: { numSlotsBehind: 10 },
  });
  expect((await node.rpc('getBalance', STRANGER, { commitment: 'processed' })).value).toBe(0);
  expect(await status(nameOf(sent))).toBeNull();
  expect(await node.rpc('getSlot', { commitment: 'processed' })).toBe(openBlockOf(node.ledger).slot - 10);
  expect((await node.rpc('getBalance', STRANGER)).value).toBe(SOL);
});

test('fault priority_fee and slow, and faults are listed and cleared', async () => {
  await start();
  await fault({ kind: 'priority_fee', fee: 123_456 });
  const fees = await node.rpc('getRecentPrioritizationFees', [STRANGER]);
  expect(new Set(fees.map((one: { prioritizationFee: number }) => one.prioritizationFee))).toEqual(new Set([123_456]));
  await fault({ kind: 'slow', ms: 30, times: 2 });
  const started = performance.now();
  await node.rpc('getHealth');
  expect(performance.now() - started).toBeGreaterThanOrEqual(29);
  expect(await (await node.user('faults', undefined, 'GET')).json()).toMatchObject({
    faults: [{ kind: 'slow', times: 1 }],
  });
  expect(await (await node.user('faults', undefined, 'DELETE')).json()).toEqual({ faults: [] });
  expect((await fault({ kind: 'nothing' })).status).toBe(400);
});

test('fault slow_slots: slots pass at another pace', async () => {
  let now = 1_800_000_000_000;
  await start({ slotMs: 5, clock: () => now });
  await fault({ kind: 'slow_slots', ms: 60_000, times: 1 });
  const { slot } = openBlockOf(node.ledger);
  now += 59_999;
  await node.rpc('getHealth');
  expect(openBlockOf(node.ledger).slot).toBe(slot);
  now += 1;
  await expect.poll(() => openBlockOf(node.ledger).slot).toBe(slot + 1);
  now += 25;
  await expect.poll(() => openBlockOf(node.ledger).slot).toBe(slot + 6);
});

test('the clock moves by request, and the clock sysvar with it', async () => {
  await start();
  const before = openBlockOf(node.ledger);
  const moved = await node.user('clock', { advance_ms: 86_400_000 });
  const answer = (await moved.json()) as { slot: number; time_ms: number };
  expect(answer.time_ms).toBeGreaterThanOrEqual(before.timeMs + 86_400_000);
  // What is left of a slot's time makes one more.
  expect(answer.slot - before.slot - 216_000).toBeOneOf([0, 1]);
  expect(await node.rpc('getBlockTime', blockAt(node.ledger, 'finalized').slot)).toBeGreaterThan(before.timeMs / 1_000);
  const { value } = await node.rpc('getAccountInfo', 'SysvarC1ock11111111111111111111111111111111', {
    ...BASE64,
    commitment: 'processed',
  });
  const sysvar = Buffer.from(value.data[0], 'base64');
  expect(Number(sysvar.readBigInt64LE(32))).toBe(Math.floor(answer.time_ms / 1_000));
  expect((await node.user('clock', { advance_ms: -1 })).status).toBe(400);
});

test('base58 is the default of transactions, and accounts come in the encodings of a node', async () => {
  await start();
  const sent = transfer();
  const answer = await node.call('sendTransaction', base58.encode(sent.raw), { preflightCommitment: 'processed' });
  expect(answer.result).toBe(nameOf(sent));
  stepSlots(node.ledger, 5);
  for (const [encoding, data] of Object.entries({
    base58: ['', 'base58'],
    base64: ['', 'base64'],
    jsonParsed: ['', 'base64'],
  }))
    expect((await node.rpc('getAccountInfo', STRANGER, { encoding })).value.data).toEqual(data);
  const landed = await node.rpc('getTransaction', nameOf(sent), BASE64);
  expect(landed.transaction).toEqual([base64Of(sent), 'base64']);
});
