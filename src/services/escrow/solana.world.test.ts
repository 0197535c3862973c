// Tabs on Solana once they are open: claimed by two keys and paid once, whatever the cluster drops, forks or lets expire; refunded; and read from events.
import { Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAccount, writeAccount } from '../../../local/solana/accounts.ts';
import { forkWithout } from '../../../local/solana/fork.ts';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { signTransaction } from '../../../test/setup/signer.ts';
import { type SolanaTabs, startSolanaTabs, TAB_UNITS } from '../../../test/setup/solanaTabs.ts';
import { serveWorld, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { returnableRent } from '../../chain/rent.ts';
import { bucketOf, tabOf, tokenAccount } from '../../chain/solana/addresses.ts';
import { solanaKeyOf } from '../../chain/solana/client.ts';
import { hasTokenAccount } from '../../chain/solana/tabs.ts';
import type { TabTerms } from '../../domain/typedData/escrow.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { queueRentReturns } from '../outgoing/rent.ts';
import { askClaim, claimOf } from './claims.ts';
import { refundOverdueEscrows } from './deadlines.ts';
import { askRefund, refundByTransaction, refundData } from './refunds.ts';

let world: World;
let tabs: SolanaTabs;
let alice: string;
let bob: string;
beforeAll(async () => {
  world = await startWorld();
  tabs = await startSolanaTabs(world);
  alice = await tabs.walletOf('alice');
  bob = await tabs.walletOf('bob');
});
afterAll(async () => {
  await tabs.stop();
  await world.stop();
});

const ask = async (terms: TabTerms, slug = 'bob') => askClaim(world.ctx, tabs.chain, terms, await tabs.handleId(slug));
const claimRow = (id: string) => world.ctx.db.claim.findUniqueOrThrow({ where: { id } });
const callsOf = (id: string) =>
  world.ctx.db.outgoingTx.findMany({
    where: { subjectId: id },
    include: { attempts: true },
    orderBy: { attempt: 'asc' },
  });

const session = async (slug: string): Promise<SessionHandle> => {
  const { id, preferredChain, createdAt } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } });
  return { id, slug, preferredChain, createdAt, wallet: null };
};

/** A tab for bob that is confirmed. */
async function openForBob(): Promise<TabTerms> {
  const terms = await tabs.open(alice, 'bob');
  tabs.solana.step(3);
  return terms;
}

/** What bob gets while something happens, in tabs. */
async function paidDuring(work: () => Promise<unknown>): Promise<number> {
  const before = tabs.solana.usdcOf(bob);
  await work();
  return Number((tabs.solana.usdcOf(bob) - before) / TAB_UNITS);
}

describe('a claim', () => {
  test('is paid to the wallet of the chain’s family, whole and once, and shows', async () => {
    const terms = await openForBob();
    await tabs.settle();
    expect(await tabs.row(terms)).toMatchObject({
      status: 'open',
      origin: 'chain',
      handleSlug: 'bob',
      senderHandleId: await tabs.handleId('alice'),
      asset: 'USDC',
      token: tabs.solana.usdc,
    });
    const asked = await ask(terms);
    expect((await ask(terms)).id).toBe(asked.id);
    expect(await paidDuring(() => tabs.work())).toBe(1);
    expect(await claimOf(world.ctx, asked.id)).toMatchObject({ status: 'final', failure: null });
    expect(await tabs.row(terms)).toMatchObject({ status: 'claimed', paidTo: bob });
    await expect(ask(terms)).rejects.toThrow('This tab was already claimed.');
    expect(await paidDuring(() => tabs.work())).toBe(0);
  });

  test('needs a wallet of Solana, and says so', async () => {
    const terms = await tabs.open(alice, 'shop');
    tabs.solana.step(3);
    const asked = await ask(terms, 'shop');
    await tabs.work();
    expect((await claimOf(world.ctx, asked.id)).failure).toBe(
      'This handle has no Solana wallet yet. Add one in the settings, then claim this tab.',
    );
  });

  test('of a tab for another handle is refused', async () => {
    const asked = await ask(await openForBob(), 'alice');
    await tabs.work();
    expect((await claimOf(world.ctx, asked.id)).failure).toBe('This tab is for someone else.');
  });

  test('creates the token account once; one that was closed is its owner’s to open', async () => {
    const fresh = await tabs.walletOf('shop', { name: 'shop again', isNew: true });
    const account = tokenAccount(fresh, tabs.solana.usdc).address;
    const [first, second] = [await tabs.open(alice, 'shop'), await tabs.open(alice, 'shop')];
    tabs.solana.step(3);
    await ask(first, 'shop');
    await tabs.work();
    expect(tabs.solana.usdcOf(fresh)).toBe(TAB_UNITS);
    writeAccount(tabs.solana.ledger, account, null);
    tabs.solana.step(3);
    const asked = await ask(second, 'shop');
    await tabs.work();
    expect((await claimOf(world.ctx, asked.id)).failure).toMatch(/has closed its account/);
    expect(await hasTokenAccount(tabs.chain, fresh, tabs.solana.usdc)).toBe(false);
  });

  test('asked for by two at once is one, and two tabs are two', async () => {
    const [one, other] = [await openForBob(), await openForBob()];
    const answers = await Promise.allSettled([ask(one), ask(one), ask(one, 'shop'), ask(other)]);
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(2);
    expect(await world.ctx.db.claim.count({ where: { tabId: tabs.idOf(one) } })).toBe(1);
    await tabs.work();
    await Promise.all([ask(one), ask(other)].map((again) => again.catch(() => null)));
    await tabs.work();
    expect([(await tabs.row(one)).status, (await tabs.row(other)).status]).toEqual(['claimed', 'claimed']);
  });

  test('goes on from its rows after a death between any two steps', async () => {
    const terms = await openForBob();
    const asked = await ask(terms);
    expect(
      await paidDuring(async () => {
        await tabs.attest();
        // Dead before the call is signed: the signer has nothing more to judge, and no second one is made.
        await tabs.attest();
        expect(await callsOf(asked.id)).toHaveLength(1);
        // Signed and stored, and its node is away: the bytes go out later.
        tabs.solana.node.faults.add({ kind: 'away', times: 5, method: 'sendTransaction' });
        await tabs.send().catch(() => {});
        tabs.solana.node.faults.clear();
        expect((await callsOf(asked.id))[0]?.status).toBe('signed');
        tabs.later(2_000);
        await tabs.follow();
        tabs.later(2_000);
        await tabs.follow();
        await tabs.settle();
        await tabs.settle();
      }),
    ).toBe(1);
    expect((await claimRow(asked.id)).status).toBe('paid');
    expect((await callsOf(asked.id)).flatMap(({ attempts }) => attempts)).toHaveLength(1);
  });

  test('that the network drops goes out again; one that a fork takes back lands again', async () => {
    const [dropped, forked] = [await openForBob(), await openForBob()];
    expect(
      await paidDuring(async () => {
        const first = await ask(dropped);
        tabs.solana.node.faults.add({ kind: 'drop', times: 1 });
        await tabs.attest();
        await tabs.send();
        await tabs.confirm();
        expect((await claimOf(world.ctx, first.id)).status).toBe('sent');
        tabs.later(2_000);
        await tabs.follow();
        await tabs.settle();
      }),
    ).toBe(1);
    expect(
      await paidDuring(async () => {
        const second = await ask(forked);
        await tabs.attest();
        await tabs.send();
        await tabs.confirm();
        const [call] = await callsOf(second.id);
        expect(forkWithout(tabs.solana.ledger, call?.minedHash ?? '')).toBe(true);
        await tabs.follow();
        await tabs.settle();
        expect((await claimRow(second.id)).status).toBe('paid');
      }),
    ).toBe(1);
  });

  test('whose block hash is over is attested again: before it is signed, and after it is lost', async () => {
    const terms = await openForBob();
    const asked = await ask(terms);
    expect(
      await paidDuring(async () => {
        await tabs.attest();
        tabs.solana.step(160);
        await tabs.send();
        expect(await claimRow(asked.id)).toMatchObject({ status: 'asked', signature: null });
        expect((await callsOf(asked.id))[0]?.attempts).toEqual([]);
        await tabs.attest();
        tabs.solana.node.faults.add({ kind: 'drop', times: 1_000 });
        await tabs.send();
        tabs.solana.step(170);
        tabs.later(2_000);
        await tabs.follow();
        tabs.solana.node.faults.clear();
        expect(await claimRow(asked.id)).toMatchObject({ status: 'asked', signature: null });
        await tabs.work();
        await tabs.work();
      }),
    ).toBe(1);
    const calls = await callsOf(asked.id);
    expect(calls.map(({ status }) => status)).toEqual(['cancelled', 'lost', 'final']);
    // Each message names another payer, so that one key that is out of use does not stop it.
    expect(calls[1]?.executor).not.toBe(calls[2]?.executor);
  });

  test('is given up after three transactions that are lost', async () => {
    const asked = await ask(await openForBob());
    tabs.solana.node.faults.add({ kind: 'drop', times: 10_000 });
    for (let round = 0; round < 3; round++) {
      await tabs.attest();
      await tabs.send();
      tabs.solana.step(170);
      tabs.later(2_000);
      await tabs.follow();
    }
    tabs.solana.node.faults.clear();
    expect(await claimRow(asked.id)).toMatchObject({
      status: 'failed',
      failure: expect.stringMatching(/several times/),
    });
  });

  test('is not believed on the word of an endpoint that is behind', async () => {
    tabs.solana.step(10);
    const terms = await tabs.open(alice, 'bob');
    tabs.solana.step(3);
    const two = tabs.twice();
    two.local = true;
    world.ctx.chains.solana = two;
    const asked = await askClaim(world.ctx, two, terms, await tabs.handleId('bob'));
    tabs.solana.node.faults.add({ kind: 'stale', times: 1, slots: 8, method: 'getMultipleAccounts' });
    await tabs.attest();
    expect((await claimRow(asked.id)).status).toBe('asked');
    await tabs.attest();
    expect((await claimRow(asked.id)).status).toBe('attested');
    world.ctx.chains.solana = tabs.chain;
    expect(await paidDuring(async () => [await tabs.send(), await tabs.settle()])).toBe(1);
  });

  test('pays the wallet of its handle when it is signed, not the one that was attested', async () => {
    const terms = await openForBob();
    const asked = await ask(terms);
    const next = tabs.solana.person('bob’s next').address;
    tabs.solana.step(3);
    await tabs.attest();
    await world.ctx.db.wallet.updateMany({ where: { address: bob }, data: { address: next } });
    expect(
      await paidDuring(async () => {
        await tabs.send();
        expect(await claimRow(asked.id)).toMatchObject({ status: 'asked', signature: null });
        await tabs.work();
      }),
    ).toBe(0);
    expect(tabs.solana.usdcOf(next)).toBe(1_000_000_000n + TAB_UNITS);
    await world.ctx.db.wallet.updateMany({ where: { address: next }, data: { address: bob } });
  });

  test('is not made with a key that the program does not believe, and the program refuses it', async () => {
    const terms = await openForBob();
    const asked = await ask(terms);
    const other = solanaKeyOf(tabs.solana.person('no authority').secretBytes);
    await tabs.attest({ solana: other });
    expect((await claimRow(asked.id)).status).toBe('asked');
    const { program, usdc, fixed, executor, authority } = {
      ...tabs.solana,
      ...tabs,
      authority: tabs.solana.roles.authority,
    };
    const claim = (signer: { address: string }) =>
      tabs.solana.build('claimTab', {
        args: { recipient: executor.address, notAfter: BigInt(tabs.solana.now()) + 300n },
        accounts: {
          executor: executor.address,
          authority: signer.address,
          tab: tabOf(program, tabs.idOf(terms)).address,
          vaultAccount: tokenAccount(fixed.vault, usdc).address,
          to: tokenAccount(bob, usdc).address,
          rentTo: executor.address,
        },
      });
    // An executor’s key alone, twice, and with the key of another.
    expect(() => tabs.solana.send([executor], claim(executor))).toThrow(/6014|0x177e/i);
    expect(() =>
      tabs.solana.send([executor, localSolanaKey('no authority')], claim({ address: other.address })),
    ).toThrow();
    // The recipient is in what both sign: bob's account is not the executor's.
    expect(() => tabs.solana.send([executor, authority], claim(authority))).toThrow(/6007|0x1777/i);
    expect(await paidDuring(() => tabs.work())).toBe(1);
  });
});

describe('a refund', () => {
  test('goes back to its sender after the deadline, once, and not before', async () => {
    const before = tabs.solana.usdcOf(alice);
    const terms = await tabs.open(alice, 'bob', { deadline: BigInt(tabs.solana.now()) + 3_700n });
    await tabs.settle();
    await expect(
      askRefund(world.ctx, await session('bob'), (await tabs.row(terms)).id, { waitMs: 0 }),
    ).rejects.toMatchObject({
      code: 'refund_before_deadline',
    });
    tabs.later(3_800_000);
    await refundOverdueEscrows(world.ctx);
    await refundOverdueEscrows(world.ctx);
    await tabs.send();
    await tabs.settle();
    expect(tabs.solana.usdcOf(alice)).toBe(before);
    const row = await tabs.row(terms);
    expect(row).toMatchObject({ status: 'refunded', paidTo: alice });
    expect((await callsOf(row.id)).map(({ status }) => status)).toEqual(['final']);
    await expect(ask(terms)).rejects.toThrow('This tab was already returned.');
  });

  test('is requested by anyone after the deadline', async () => {
    const terms = await tabs.open(alice, 'shop', { deadline: BigInt(tabs.solana.now()) + 3_700n });
    await tabs.settle();
    tabs.later(3_800_000);
    const { id } = await tabs.row(terms);
    const view = await askRefund(world.ctx, await session('bob'), id, { waitMs: 0 });
    expect(view.refund).toMatchObject({ status: 'queued' });
    await refundOverdueEscrows(world.ctx);
    await tabs.send();
    await tabs.settle();
    expect((await tabs.row(terms)).status).toBe('refunded');
  });

  test('opens no token account at our cost', async () => {
    const gone = tabs.solana.person('gone').address;
    const terms = await tabs.open(gone, 'bob', { deadline: BigInt(tabs.solana.now()) + 3_700n });
    await tabs.settle();
    writeAccount(tabs.solana.ledger, tokenAccount(gone, tabs.solana.usdc).address, null);
    tabs.later(3_800_000);
    tabs.solana.step(3);
    const { id } = await tabs.row(terms);
    await expect(askRefund(world.ctx, await session('bob'), id, { waitMs: 0 })).rejects.toThrow(
      /closed its token account/,
    );
    await refundOverdueEscrows(world.ctx);
    await tabs.send();
    expect((await callsOf(id)).map(({ status }) => status)).toEqual(['cancelled']);
    expect((await tabs.row(terms)).status).toBe('open');
  });

  /** What the sender's wallet makes of the prepared transaction. */
  async function signedBy(name: string, slug: string, id: string): Promise<string> {
    const prepared = await refundData(world.ctx, await session(slug), id);
    if (!('solana_transaction' in prepared)) throw new Error('this is a transaction of Solana');
    return signTransaction(localSolanaKey(name), prepared.solana_transaction);
  }

  test('before the deadline is the sender’s: its wallet signs, an executor pays', async () => {
    const before = [tabs.solana.usdcOf(alice), tabs.solana.lamportsOf(alice)];
    const terms = await openForBob();
    await tabs.settle();
    const { id } = await tabs.row(terms);
    await expect(refundData(world.ctx, await session('bob'), id)).rejects.toMatchObject({ code: 'signature_invalid' });
    const text = await signedBy('alice', 'alice', id);
    await expect(refundByTransaction(world.ctx, await session('alice'), id, text)).rejects.toMatchObject({
      code: 'rate_limited',
    });
    tabs.later(11 * 60_000);
    tabs.solana.step(3);
    const fresh = await signedBy('alice', 'alice', id);
    const given = [fresh, fresh].map(async (one) => refundByTransaction(world.ctx, await session('alice'), id, one));
    const [view] = await Promise.all(given);
    expect(view?.refund?.status).toBe('queued');
    await tabs.send();
    await tabs.settle();
    expect(await tabs.row(terms)).toMatchObject({ status: 'refunded', paidTo: alice });
    expect([tabs.solana.usdcOf(alice), tabs.solana.lamportsOf(alice)]).toEqual(before);
    expect(await callsOf(id)).toHaveLength(1);
  });

  test('over HTTP: prepared, signed, taken, and shown to both sides', async () => {
    const base = await serveWorld(world);
    const [sender, recipient] = [visitor(base), visitor(base)];
    await sender.signIn(privateKeyToAccount(localPerson('alice').key));
    await recipient.signIn(privateKeyToAccount(localPerson('bob').key));
    const terms = await openForBob();
    await tabs.settle();
    const path = `/api/escrow/${(await tabs.row(terms)).id}`;
    expect((await recipient.get(path)).body.escrow).toMatchObject({ role: 'recipient', pays_to: bob, chain: 'solana' });
    tabs.later(11 * 60_000);
    tabs.solana.step(3);
    const prepared = await sender.get(`${path}/refund_data`);
    expect(prepared.body).toEqual({ signed_by: alice, solana_transaction: expect.any(String) });
    const unsigned = { action: 'refund', solana_transaction: prepared.body.solana_transaction };
    expect((await sender.post(path, unsigned)).body.error.code).toBe('signature_invalid');
    const text = signTransaction(localSolanaKey('alice'), unsigned.solana_transaction);
    const answer = await sender.post(path, { action: 'refund', solana_transaction: text });
    expect([answer.status, answer.body.escrow.refund.status]).toEqual([200, 'queued']);
    await tabs.send();
    await tabs.settle();
    expect((await recipient.get(path)).body.escrow).toMatchObject({
      status: 'refunded',
      paid_to: alice,
      pays_to: null,
    });
  });

  test('before the deadline is not believed with other bytes, another signature or another payer', async () => {
    const terms = await openForBob();
    await tabs.settle();
    tabs.later(11 * 60_000);
    tabs.solana.step(3);
    const { id } = await tabs.row(terms);
    const good = Buffer.from(await signedBy('alice', 'alice', id), 'base64');
    const refused = async (bytes: Uint8Array) =>
      expect(
        refundByTransaction(world.ctx, await session('alice'), id, Buffer.from(bytes).toString('base64')),
      ).rejects.toMatchObject({ code: 'signature_invalid' });
    await refused(Buffer.from(await signedBy('bob', 'alice', id), 'base64'));
    await refused(Buffer.alloc(0));
    for (const at of [70, 140, 200, 300, good.length - 1]) {
      const changed = Buffer.from(good);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await refused(changed);
    }
    const other = await openForBob();
    await tabs.settle();
    await expect(
      refundByTransaction(world.ctx, await session('alice'), (await tabs.row(other)).id, good.toString('base64')),
    ).rejects.toMatchObject({ code: 'signature_invalid' });
    // Another payer than an executor, all else the same.
    const transaction = VersionedTransaction.deserialize(good);
    const stranger = localSolanaKey('bob').address;
    transaction.message.staticAccountKeys[0] = new PublicKey(stranger);
    transaction.sign([Keypair.fromSecretKey(localSolanaKey('alice').secretBytes)]);
    await refused(transaction.serialize());
  });

  test('of a tab that is not revocable waits for the deadline', async () => {
    const { terms } = tabs.openByWallet('alice', 'bob');
    await tabs.settle();
    const { id } = await tabs.row(terms);
    await expect(refundData(world.ctx, await session('alice'), id)).rejects.toMatchObject({
      code: 'refund_before_deadline',
    });
  });

  test('and a claim at once pay one of both', async () => {
    const total = () => tabs.solana.usdcOf(alice) + tabs.solana.usdcOf(bob);
    const before = total();
    const terms = await openForBob();
    await tabs.settle();
    tabs.later(11 * 60_000);
    tabs.solana.step(3);
    const { id } = await tabs.row(terms);
    const asked = await ask(terms);
    await tabs.attest();
    await refundByTransaction(world.ctx, await session('alice'), id, await signedBy('alice', 'alice', id));
    await tabs.send();
    await tabs.settle();
    await tabs.settle();
    expect(total()).toBe(before);
    const { status } = await tabs.row(terms);
    expect([status, (await claimRow(asked.id)).status]).toBeOneOf([
      ['claimed', 'paid'],
      ['refunded', 'failed'],
    ]);
  });
});

test('what was opened and closed elsewhere shows, and reading it again writes nothing twice', async () => {
  const { terms, landed } = tabs.openByWallet('alice', 'bob');
  await tabs.settle();
  const row = await tabs.row(terms);
  expect(row).toMatchObject({ origin: 'chain', status: 'open', openTxHash: landed.signature, revocable: false });
  const before = [await world.ctx.db.transition.count(), await world.ctx.db.escrow.count()];
  await world.ctx.db.indexerCheckpoint.deleteMany({ where: { chain: 'solana' } });
  const { logs } = await tabs.index();
  expect(logs).toBeGreaterThan(20);
  expect([await world.ctx.db.transition.count(), await world.ctx.db.escrow.count()]).toEqual(before);
});

test('a bucket is closed a day after its hour, once, and its rent returns to the executor', async () => {
  await openForBob();
  const hour = BigInt(tabs.solana.now()) / 3_600n;
  const bucket = bucketOf(tabs.solana.program, hour, 0).address;
  await queueRentReturns(world.ctx, tabs.chain, await returnableRent(tabs.chain));
  expect(await callsOf(bucket)).toEqual([]);
  tabs.later(26 * 3_600_000);
  tabs.solana.step(3);
  const rent = readAccount(tabs.solana.ledger, bucket)?.lamports ?? 0n;
  expect(rent).toBeGreaterThan(1_000_000n);
  const before = tabs.solana.lamportsOf(tabs.executor.address);
  await queueRentReturns(world.ctx, tabs.chain, await returnableRent(tabs.chain));
  await queueRentReturns(world.ctx, tabs.chain, await returnableRent(tabs.chain));
  expect(await callsOf(bucket)).toHaveLength(1);
  await tabs.send();
  await tabs.settle();
  expect(readAccount(tabs.solana.ledger, bucket)).toBeNull();
  expect(tabs.solana.lamportsOf(tabs.executor.address)).toBeGreaterThan(before);
  await queueRentReturns(world.ctx, tabs.chain, await returnableRent(tabs.chain));
  expect((await callsOf(bucket)).map(({ status }) => status)).toEqual(['final']);
});
