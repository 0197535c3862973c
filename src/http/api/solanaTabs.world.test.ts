// Tabs that a person opens on Solana from their own wallet, over real HTTP: staged, signed whole, sent by an executor, and opened by the chain alone.
import { type MessageV0, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { signTransaction, walletOfPerson } from '../../../test/setup/signer.ts';
import { FINALIZED_AFTER, type SolanaTabs, startSolanaTabs } from '../../../test/setup/solanaTabs.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { limitsOf, tabOf, tokenAccount } from '../../chain/solana/addresses.ts';
import { solanaSignatureOf } from '../../domain/solanaAddress.ts';
import { reconcileChain } from '../../services/outgoing/reconcile.ts';

const FIVE = 5_000_000n;
let world: World;
let tabs: SolanaTabs;
let alice: Visitor;
let bob: Visitor;
beforeAll(async () => {
  world = await startWorld();
  tabs = await startSolanaTabs(world);
  await tabs.walletOf('alice');
  await tabs.walletOf('bob');
  await reconcileChain(world.ctx, tabs.chain);
  const base = await serveWorld(world);
  [alice, bob] = [visitor(base), visitor(base)];
  await alice.signIn(walletOfPerson('alice'));
  await bob.signIn(walletOfPerson('bob'));
});
afterAll(async () => {
  await tabs.stop();
  await world.stop();
});
// A day later no budget of another test counts, and no nonce of one is near.
beforeEach(() => {
  tabs.later(25 * 3_600_000);
  tabs.solana.step(3);
});

const key = localSolanaKey('alice');
const money = () => tabs.solana.usdcOf(key.address);
const vault = () => tabs.solana.usdcOf(tabs.solana.fixed.vault);
// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Body = any;
const code = ({ status, body }: { status: number; body: Body }) => [status, body.error?.code];

async function stage(wish: object = {}): Promise<Body> {
  const answer = await alice.post('/api/escrow', { handleSlug: 'bob', amount: '5', chain: 'solana', ...wish });
  expect(answer.body.error).toBeUndefined();
  expect(answer.status).toBe(201);
  return answer.body;
}
const pathOf = ({ escrow }: Body) => `/api/escrow/${escrow.id}`;
const prepare = async (staged: Body) => (await alice.get(`${pathOf(staged)}/open_data`)).body;

const signed = (base64: string, by = key, change?: (message: MessageV0) => void) => signTransaction(by, base64, change);
const open = (staged: Body, solana_transaction: string) =>
  alice.post(pathOf(staged), { action: 'open', solana_transaction });

/** Staged, signed and taken by the service. */
async function taken(wish: object = {}) {
  const staged = await stage(wish);
  const text = signed((await prepare(staged)).solana_transaction);
  const answer = await open(staged, text);
  expect(answer.body.error).toBeUndefined();
  return { staged, text, answer };
}
const statusOf = async (staged: Body) => (await alice.get(pathOf(staged))).body.escrow.status;
async function run(): Promise<void> {
  await tabs.send();
  await tabs.settle();
}

describe('a tab of a wallet', () => {
  test('is staged, signed once, paid for by an executor, and open when it is final', async () => {
    const [before, lamports, held] = [money(), tabs.solana.lamportsOf(key.address), vault()];
    const staged = await stage({ note: 'For lunch' });
    expect(staged.escrow).toMatchObject({
      status: 'pending_create',
      chain: 'solana',
      amount: '5.00',
      note: 'For lunch',
    });
    expect(staged.onChainArgs).toMatchObject({
      router: tabs.solana.program,
      stable: tabs.solana.usdc,
      handleSlug: 'bob',
      amount: '5000000',
      revocable: false,
      chainId: null,
    });
    const prepared = await prepare(staged);
    expect(prepared).toEqual({ signed_by: key.address, solana_transaction: expect.any(String) });
    const answer = await open(staged, signed(prepared.solana_transaction));
    expect(answer.body.request).toMatchObject({ kind: 'tab_open', chain: 'solana', status: 'queued' });
    await tabs.send();
    await tabs.confirm();
    expect(await statusOf(staged)).toBe('pending_create');
    await tabs.settle();
    expect(await statusOf(staged)).toBe('open');
    const { body } = await alice.get(`/api/spending/requests/${answer.body.request.id}`);
    expect(body.request.status).toBe('final');
    expect(before - money()).toBe(FIVE);
    expect(vault() - held).toBe(FIVE);
    expect(tabs.solana.lamportsOf(key.address)).toBe(lamports);
    expect((await bob.get(pathOf(staged))).body.escrow).toMatchObject({ role: 'recipient', note: 'For lunch' });
  });

  test('is claimed as any other', async () => {
    const { staged } = await taken();
    await run();
    const before = tabs.solana.usdcOf(localSolanaKey('bob').address);
    expect((await bob.post(pathOf(staged), { action: 'claim' })).status).toBe(200);
    await tabs.work();
    expect(await statusOf(staged)).toBe('claimed');
    expect(tabs.solana.usdcOf(localSolanaKey('bob').address) - before).toBe(FIVE);
  });

  test('to a username can be taken back by the one that opened it', async () => {
    const before = money();
    const { staged } = await taken({ handleSlug: 'x:someone_new' });
    await run();
    expect((await alice.get(pathOf(staged))).body.escrow).toMatchObject({ status: 'open', refundable: 'by_sender' });
    tabs.later(11 * 60_000);
    tabs.solana.step(3);
    const { body } = await alice.get(`${pathOf(staged)}/refund_data`);
    const refund = { action: 'refund', solana_transaction: signed(body.solana_transaction) };
    expect((await alice.post(pathOf(staged), refund)).status).toBe(200);
    await run();
    expect([await statusOf(staged), money()]).toEqual(['refunded', before]);
  });

  test('is opened once: the same transaction twice, and another one for the same tab', async () => {
    const before = money();
    const staged = await stage();
    const text = signed((await prepare(staged)).solana_transaction);
    const both = await Promise.all([open(staged, text), open(staged, text)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]?.body.request.id).toBe(both[1]?.body.request.id);
    tabs.solana.step();
    const second = signed((await prepare(staged)).solana_transaction);
    expect(code(await open(staged, second))).toEqual([409, 'state_conflict']);
    await run();
    expect([await statusOf(staged), before - money()]).toEqual(['open', FIVE]);
    expect(code(await open(staged, second))).toEqual([409, 'state_conflict']);
    expect(code(await alice.get(`${pathOf(staged)}/open_data`))).toEqual([409, 'state_conflict']);
  });

  test('that the cluster drops is sent again; one whose block hash is over is signed again, and opens once', async () => {
    const before = money();
    const { staged, answer } = await taken();
    tabs.solana.node.faults.add({ kind: 'drop', times: 1_000 });
    await tabs.send();
    for (let hashes = 0; hashes < 2; hashes++) tabs.solana.node.faults.add({ kind: 'expire' });
    world.later(2_000);
    await tabs.follow();
    tabs.solana.node.faults.clear();
    const lost = (await alice.get(`/api/spending/requests/${answer.body.request.id}`)).body.request;
    expect(lost).toMatchObject({ status: 'failed', failure: expect.stringContaining('Sign it again') });
    expect([await statusOf(staged), money()]).toEqual(['pending_create', before]);
    const again = await open(staged, signed((await prepare(staged)).solana_transaction));
    expect(again.body.error).toBeUndefined();
    await run();
    expect([await statusOf(staged), before - money()]).toEqual(['open', FIVE]);
  });

  test('400 for anything else than what was prepared, and for another handle', async () => {
    const [staged, other] = [await stage(), await stage({ amount: '6' })];
    const { solana_transaction: unsigned } = await prepare(staged);
    const texts = [
      unsigned,
      signed(unsigned, localSolanaKey('bob')),
      signed((await prepare(other)).solana_transaction),
      signed(unsigned, key, ({ staticAccountKeys }) => void staticAccountKeys.splice(0, 1, new PublicKey(key.address))),
      signed(unsigned, key, ({ compiledInstructions }) => void compiledInstructions.pop()),
      signed(unsigned, key, ({ compiledInstructions }) => {
        const last = compiledInstructions.at(-1);
        if (last) last.data[41] = 0xff;
      }),
    ];
    for (const text of texts) expect(code(await open(staged, text))).toEqual([400, 'signature_invalid']);
    const stolen = { action: 'open', solana_transaction: signed(unsigned) };
    expect(code(await bob.post(pathOf(staged), stolen))).toEqual([400, 'signature_invalid']);
    expect(code(await bob.get(`${pathOf(staged)}/open_data`))).toEqual([400, 'signature_invalid']);
    expect(await world.ctx.db.sponsoredCall.count({ where: { use: { contains: staged.escrow.onChainId } } })).toBe(0);
  });

  test('refusals say what to do: too little money, a newer tab, an EVM chain', async () => {
    const dear = await stage({ amount: '100000' });
    const low = await open(dear, signed((await prepare(dear)).solana_transaction));
    expect(code(low)).toEqual([402, 'call_refused']);
    expect(low.body.error.message).toContain('too little USDC');
    const older = await stage();
    tabs.later(2_000);
    const newer = await stage();
    await open(newer, signed((await prepare(newer)).solana_transaction));
    await run();
    const late = await open(older, signed((await prepare(older)).solana_transaction));
    expect(code(late)).toEqual([402, 'call_refused']);
    expect(late.body.error.message).toContain('Please start again');
    const { body: onBase } = await alice.post('/api/escrow', { handleSlug: 'bob', amount: '5', chain: 'base' });
    expect(code(await alice.get(`${pathOf(onBase)}/open_data`))).toEqual([409, 'state_conflict']);
  });

  test('a wallet that sends its opening by itself names the transaction, and only that one is believed', async () => {
    const staged = await stage();
    const { terms, landed } = tabs.openByWallet('alice', 'bob');
    tabs.solana.step(3);
    const confirm = (txHash: string, onChainId: string) =>
      alice.post(pathOf(staged), { action: 'confirm_create', txHash, onChainId });
    const { onChainId } = staged.escrow;
    const name = String(landed.signature);
    expect(code(await confirm(name, onChainId))).toEqual([422, 'tx_mismatch']);
    expect(code(await confirm(name, tabs.idOf(terms)))).toEqual([422, 'tx_mismatch']);
    const nowhere = solanaSignatureOf(new Uint8Array(64).fill(7));
    expect(code(await confirm(nowhere, onChainId))).toEqual([422, 'tx_not_found']);
    // The next one has a nonce behind that.
    const next = await stage();
    const { senderNonce, handleKey, amount, deadline, revocable } = next.onChainArgs;
    const { program, usdc, fixed } = tabs.solana;
    const { signature } = tabs.solana.send(
      [key],
      tabs.solana.build('openTab', {
        args: {
          nonce: BigInt(senderNonce),
          handleKey,
          amount: BigInt(amount),
          deadline: BigInt(deadline),
          revocable,
        },
        accounts: {
          payer: key.address,
          sender: key.address,
          limits: limitsOf(program, key.address).address,
          source: tokenAccount(key.address, usdc).address,
          tab: tabOf(program, next.escrow.onChainId).address,
          vaultAccount: tokenAccount(fixed.vault, usdc).address,
        },
      }),
    );
    const named = { action: 'confirm_create', txHash: String(signature), onChainId: next.escrow.onChainId };
    tabs.solana.step(3);
    const first = alice.post(pathOf(next), named);
    await expect.poll(() => world.ctx.db.escrow.count({ where: { openTxHash: String(signature) } })).toBe(1);
    expect(await statusOf(next)).toBe('pending_create');
    tabs.solana.step(FINALIZED_AFTER + 2);
    expect((await first).body.escrow).toMatchObject({ status: 'open', txHash: signature });
    await tabs.index();
    expect(await statusOf(next)).toBe('open');
  });

  test('503 while no key can pay or the chain is away; 409 without a Solana wallet', async () => {
    const staged = await stage();
    const text = signed((await prepare(staged)).solana_transaction);
    const keys = { chain: 'solana' };
    await world.ctx.db.executorKey.updateMany({ where: keys, data: { pausedReason: 'test' } });
    expect(code(await open(staged, text))).toEqual([503, 'provider_unavailable']);
    expect(code(await alice.get(`${pathOf(staged)}/open_data`))).toEqual([503, 'provider_unavailable']);
    await world.ctx.db.executorKey.updateMany({ where: keys, data: { pausedReason: null } });
    tabs.solana.node.faults.add({ kind: 'away', times: 1_000 });
    expect(code(await open(staged, text))).toEqual([503, 'provider_unavailable']);
    expect(code(await alice.post('/api/escrow', { handleSlug: 'bob', amount: '5', chain: 'solana' }))).toEqual([
      503,
      'provider_unavailable',
    ]);
    tabs.solana.node.faults.clear();
    expect((await open(staged, text)).status).toBe(200);
    await run();
    const own = { family: 'solana', handle: { slug: 'alice' } };
    const wallet = await world.ctx.db.wallet.findFirstOrThrow({ where: own });
    await world.ctx.db.wallet.deleteMany({ where: own });
    const refused = await alice.post('/api/escrow', { handleSlug: 'bob', amount: '5', chain: 'solana' });
    expect(code(refused)).toEqual([409, 'state_conflict']);
    await world.ctx.db.wallet.create({ data: wallet });
  });
});
