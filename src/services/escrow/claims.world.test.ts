// Claims: two keys, and neither of them alone. The signer believes the chain and the rows of accounts, never the row that asks.

import { type Address, createPublicClient, createWalletClient, http, parseUnits, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startAnvil } from '../../../local/chains/anvil.ts';
import { ROLES } from '../../../local/stack/roles.ts';
import { placeContractWallet } from '../../../test/setup/contractWallet.ts';
import { openEscrowByTip } from '../../../test/setup/escrows.ts';
import { startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { localPerson, sendNow, startWorld, type World } from '../../../test/setup/world.ts';
import { escrowRouterAbi } from '../../chain/routers/abis/EscrowRouter.ts';
import { simulate, tokenBalance } from '../../chain/routers/bot.ts';
import {
  encodeClaim,
  encodeEscrowRefund,
  escrowOnChainId,
  handleKey as handleKeyOf,
} from '../../chain/routers/escrow.ts';
import { encodeEscrowTip } from '../../chain/routers/openEscrows.ts';
import { simulateCall } from '../../chain/routers/reverts.ts';
import { authorityAccount, claimSignature } from '../../chain/signing/attestation.ts';
import { evmChains } from '../../context.ts';
import { platformSlug } from '../../domain/claim.ts';
import type { EscrowTerms } from '../../domain/typedData/escrow.ts';
import { disconnectAccount } from '../accounts/connections.ts';
import { indexChain } from '../operations/feed.ts';
import { putBackKey } from '../outgoing/keys.ts';
import { reconcileChain } from '../outgoing/reconcile.ts';
import { attestClaims } from './attestation.ts';
import { askClaim, claimOf } from './claims.ts';
import { queueRefund } from './refundKind.ts';

const authority = authorityAccount(ROLES.authority.key);
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const chain = () => world.evmChain();
const NOWHERE = 'http://127.0.0.1:1';
const bobsTelegram = () => platformSlug('telegram', String(localPerson('bob').telegram.id));
const idOf = async (slug: string) => (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } })).id;
const now = async () => (await world.reader().getBlock()).timestamp;

/** Alice's tip into an escrow for whoever the slug names. */
async function openEscrow(slug: string): Promise<EscrowTerms> {
  const { escrow } = await openEscrowByTip(world.ctx, chain(), {
    messageKey: generatePrivateKey(),
    sender: localPerson('alice').address,
    token: chain().usdc,
    handleKey: handleKeyOf(slug),
    amount: parseUnits('2', 6),
    deadline: (await now()) + 7_200n,
    validUntil: (await now()) + 900n,
  });
  await settleAll();
  return escrow;
}

async function settleAll(): Promise<void> {
  await world.watch();
  await world.mine(3);
  await world.watch();
}

/** Judged, sent, and final. */
async function work(): Promise<void> {
  await attestClaims(world.ctx, { evm: authority });
  await world.send();
  await settleAll();
}

const rowOf = (id: string) => world.ctx.db.claim.findUniqueOrThrow({ where: { id } });
const attested = async (escrow: EscrowTerms, recipient: Address) => {
  const tabId = escrowOnChainId(chain(), escrow.sender, escrow.senderNonce);
  const notAfter = (await now()) + 300n;
  const signature = await claimSignature(chain(), authority, {
    tabId,
    handleKey: escrow.handleKey,
    recipient,
    notAfter,
  });
  return encodeClaim(escrow, { recipient, notAfter }, signature);
};
const sender = (key: `0x${string}`) =>
  createWalletClient({ account: privateKeyToAccount(key), transport: http(world.anvilOf().rpcUrl) });
const send = async (key: `0x${string}`, data: `0x${string}`) =>
  sender(key).sendTransaction({ to: chain().routers.escrow, data, chain: null, gas: 400_000n });

test.each([
  ['a platform’s own id', bobsTelegram],
  ['a handle', () => 'bob'],
])('a tab for %s is paid to the handle’s wallet, whole and once', async (_, slug) => {
  const [before, treasury] = [await world.usdc('bob'), await world.usdc('treasury')];
  const escrow = await openEscrow(slug());
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  expect(asked).toMatchObject({ status: 'queued', tx_hash: null, failure: null });
  expect((await askClaim(world.ctx, chain(), escrow, await idOf('bob'))).id).toBe(asked.id);
  await work();
  expect(await claimOf(world.ctx, asked.id)).toMatchObject({ status: 'final', tx_hash: expect.stringMatching(/^0x/) });
  expect((await world.usdc('bob')) - before).toBe(parseUnits('2', 6));
  expect(await world.usdc('treasury')).toBe(treasury);
  await work();
  await expect(askClaim(world.ctx, chain(), escrow, await idOf('bob'))).rejects.toThrow(
    'This tab was already claimed.',
  );
  expect((await world.usdc('bob')) - before).toBe(parseUnits('2', 6));
});

test('a tab for somebody else is not attested, whoever asks', async () => {
  const escrow = await openEscrow(bobsTelegram());
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('shop'));
  await work();
  expect(await claimOf(world.ctx, asked.id)).toMatchObject({
    status: 'failed',
    failure: 'This tab is for someone else.',
  });
  expect((await rowOf(asked.id)).signature).toBeNull();
  await expect(askClaim(world.ctx, chain(), escrow, await idOf('bob'))).resolves.toMatchObject({ status: 'queued' });
  await work();
});

test('an account that has left its handle takes nothing there', async () => {
  const escrow = await openEscrow(bobsTelegram());
  const where = {
    platform_platformUserId: { platform: 'telegram', platformUserId: String(localPerson('bob').telegram.id) },
  };
  await world.ctx.db.connection.update({ where, data: { disconnectedAt: new Date() } });
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  await work();
  await world.ctx.db.connection.update({ where, data: { disconnectedAt: null } });
  expect((await claimOf(world.ctx, asked.id)).failure).toBe('This tab is for someone else.');
});

test('what stands in the row that asks is not believed: neither a recipient nor other terms', async () => {
  const thief = localPerson('carol').address;
  const escrow = await openEscrow(bobsTelegram());
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  await world.ctx.db.claim.update({ where: { id: asked.id }, data: { recipient: thief } });
  await attestClaims(world.ctx, { evm: authority });
  expect((await rowOf(asked.id)).recipient).toBe(localPerson('bob').address);
  // A recipient that is put beside the signature afterwards is worth nothing: the claim is attested again.
  const before = await world.usdc('carol');
  await world.ctx.db.claim.update({ where: { id: asked.id }, data: { recipient: thief } });
  await world.send();
  expect((await rowOf(asked.id)).status).toBe('asked');
  await work();
  expect((await claimOf(world.ctx, asked.id)).status).toBe('final');
  expect(await world.usdc('carol')).toBe(before);

  const other = await openEscrow(bobsTelegram());
  const forged = await askClaim(world.ctx, chain(), other, await idOf('shop'));
  await world.ctx.db.claim.update({ where: { id: forged.id }, data: { handleKey: handleKeyOf('shop') } });
  await attestClaims(world.ctx, { evm: authority });
  expect((await claimOf(world.ctx, forged.id)).failure).toBe('This tab is no longer open.');
});

test('neither key alone takes a tab', async () => {
  const escrow = await openEscrow(bobsTelegram());
  const thief = localPerson('carol').address;
  const before = await world.usdc('carol');
  const [executor] = ROLES.executors;
  // The executor’s key, with what it could sign itself.
  const own = privateKeyToAccount(executor!.key);
  const tabId = escrowOnChainId(chain(), escrow.sender, escrow.senderNonce);
  const notAfter = (await now()) + 300n;
  const forged = await claimSignature(chain(), own, { tabId, handleKey: escrow.handleKey, recipient: thief, notAfter });
  const to = chain().routers.escrow;
  const played = (account: Address, data: `0x${string}`) => simulateCall(chain(), { account, to, data });
  expect(await played(own.address, encodeClaim(escrow, { recipient: thief, notAfter }, forged))).toEqual({
    name: 'InvalidSignature',
  });
  // The authority’s word, brought by the thief and by the authority itself.
  expect(await played(thief, await attested(escrow, thief))).toEqual({ name: 'NotExecutor' });
  expect(await played(ROLES.authority.address, await attested(escrow, thief))).toEqual({ name: 'NotExecutor' });
  expect(await world.usdc('carol')).toBe(before);
});

test('a contract wallet is paid only where it has proven itself', async () => {
  const [wallet, owner] = [
    privateKeyToAccount(generatePrivateKey()).address,
    privateKeyToAccount(generatePrivateKey()),
  ];
  await placeContractWallet(world, wallet, owner.address);
  const handle = { id: 'hdl_contract', slug: 'contract_claimer', skeleton: 'contract_claimer' };
  await world.ctx.db.handle.create({
    data: { ...handle, commandCapMicros: 1n, dayCapMicros: 1n, createdAt: new Date() },
  });
  const of = { handleId: handle.id, family: 'evm', address: wallet, kind: 'contract', createdAt: new Date() };
  await world.ctx.db.wallet.create({ data: { ...of, provenChains: ['celo'] } });
  const escrow = await openEscrow(handle.slug);
  const asked = await askClaim(world.ctx, chain(), escrow, handle.id);
  await work();
  expect((await claimOf(world.ctx, asked.id)).failure).toMatch(/isn’t verified on Base/);
  await world.ctx.db.wallet.updateMany({ where: { handleId: handle.id }, data: { provenChains: ['celo', 'base'] } });
  const again = await askClaim(world.ctx, chain(), escrow, handle.id);
  await work();
  expect((await claimOf(world.ctx, again.id)).status).toBe('final');
});

test('an attestation that ran out is made anew, and a pause of claims is waited for', async () => {
  const escrow = await openEscrow(bobsTelegram());
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  await attestClaims(world.ctx, { evm: authority });
  const first = await rowOf(asked.id);
  await world.admin().increaseTime({ seconds: 481 });
  await world.mine(1);
  await world.send();
  expect(await rowOf(asked.id)).toMatchObject({ status: 'asked', signature: null });
  await attestClaims(world.ctx, { evm: authority });
  expect((await rowOf(asked.id)).notAfter).toBeGreaterThan(first.notAfter ?? 0n);

  await world.admin().setBalance({ address: ROLES.guardian.address, value: 10n ** 18n });
  const guardian = ROLES.guardian.key;
  await sender(guardian).writeContract({
    address: chain().routers.escrow,
    abi: [
      {
        type: 'function',
        name: 'pauseClaims',
        stateMutability: 'nonpayable',
        inputs: [{ type: 'uint64' }],
        outputs: [],
      },
    ],
    functionName: 'pauseClaims',
    args: [120n],
    chain: null,
  });
  await world.mine(1);
  await world.send();
  expect((await rowOf(asked.id)).status).toBe('attested');
  await world.admin().increaseTime({ seconds: 121 });
  await world.mine(1);
  await work();
  expect((await claimOf(world.ctx, asked.id)).status).toBe('final');
});

test('the first one in a block wins: a refunded tab is told as that', async () => {
  const escrow = await openEscrow(bobsTelegram());
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  await attestClaims(world.ctx, { evm: authority });
  await send(localPerson('alice').key, encodeEscrowRefund(escrow));
  await world.mine(1);
  await world.send();
  expect(await claimOf(world.ctx, asked.id)).toMatchObject({
    status: 'failed',
    failure: 'This tab was already returned.',
  });
  await expect(askClaim(world.ctx, chain(), escrow, await idOf('bob'))).rejects.toThrow(
    'This tab was already returned.',
  );
});

test('nobody is believed while the endpoints do not agree', async () => {
  const escrow = await openEscrow(bobsTelegram());
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  const empty = await startAnvil({ chainId: 8453, blockTimeSeconds: 0 });
  onTestFinished(() => empty.stop());
  const { endpoints } = chain();
  endpoints.push(createPublicClient({ transport: http(empty.rpcUrl), cacheTime: 0 }));
  await attestClaims(world.ctx, { evm: authority });
  expect((await rowOf(asked.id)).status).toBe('asked');
  await expect(askClaim(world.ctx, chain(), escrow, await idOf('bob'))).rejects.toThrow();
  endpoints.pop();
  await work();
  expect((await claimOf(world.ctx, asked.id)).status).toBe('final');
});

const escrowOf = (escrow: EscrowTerms) =>
  world.ctx.db.escrow.findUniqueOrThrow({
    where: { chain_tabId: { chain: 'base', tabId: escrowOnChainId(chain(), escrow.sender, escrow.senderNonce) } },
  });
const refundsOf = async (escrow: EscrowTerms) =>
  world.ctx.db.outgoingTx.findMany({ where: { subjectId: (await escrowOf(escrow)).id }, orderBy: { attempt: 'asc' } });

/** Queues a refund and sends what is queued. @returns the transaction that the escrow names then */
async function refundOverdue(escrow: EscrowTerms): Promise<string | null> {
  await indexChain(world.ctx, chain());
  const row = await escrowOf(escrow);
  await queueRefund(world.ctx, chain(), row);
  await world.send();
  return (await escrowOf(escrow)).refundTxId;
}

test('after its deadline anybody gives it back, and before it nobody but its sender', async () => {
  const before = await world.usdc('alice');
  const escrow = await openEscrow(bobsTelegram());
  const early = await refundOverdue(escrow);
  expect(await world.ctx.db.outgoingTx.findUniqueOrThrow({ where: { id: early ?? '' } })).toMatchObject({
    status: 'queued',
  });
  await world.admin().increaseTime({ seconds: 7_200 });
  await world.mine(1);
  expect(await refundOverdue(escrow)).toBe(early);
  await settleAll();
  expect(await world.usdc('alice')).toBe(before);
  expect(await refundOverdue(escrow)).toBeNull();
  expect((await refundsOf(escrow)).map(({ status }) => status)).toEqual(['final', 'cancelled']);
});

test('a message key opens one tab', async () => {
  const tip = {
    messageKey: toHex(7n, { size: 32 }),
    sender: localPerson('alice').address,
    token: chain().usdc,
    handleKey: handleKeyOf('bob'),
    amount: 1_000_000n,
    deadline: (await now()) + 7_200n,
    validUntil: (await now()) + 900n,
  };
  const [executor] = ROLES.executors;
  const refusal = () => simulate(chain(), executor?.address ?? '0x', encodeEscrowTip(tip));
  expect(await refusal()).toBeNull();
  await openEscrowByTip(world.ctx, chain(), tip);
  await settleAll();
  expect(await refusal()).toMatchObject({ name: 'AlreadyProcessed' });
});

describe('between the attestation and the transaction', () => {
  const bobsConnection = () => ({
    platform_platformUserId: { platform: 'telegram', platformUserId: String(localPerson('bob').telegram.id) },
  });

  test('whoever disconnects is not paid what waited for that account', async () => {
    const escrow = await openEscrow(bobsTelegram());
    const before = await world.usdc('bob');
    const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
    await attestClaims(world.ctx, { evm: authority });
    const { id } = await world.ctx.db.connection.findUniqueOrThrow({ where: bobsConnection() });
    await world.ctx.db.$transaction(async (tx) => disconnectAccount(world.ctx, tx, id, await idOf('bob')));
    await world.send();
    await settleAll();
    expect(await world.usdc('bob')).toBe(before);
    expect((await rowOf(asked.id)).signature).toBeNull();
    await work();
    expect((await claimOf(world.ctx, asked.id)).failure).toBe('This tab is for someone else.');
    await world.ctx.db.connection.update({ where: bobsConnection(), data: { disconnectedAt: null, canSpend: true } });
  });

  test('a changed wallet is the one that is paid', async () => {
    const escrow = await openEscrow(bobsTelegram());
    const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
    await attestClaims(world.ctx, { evm: authority });
    const next = privateKeyToAccount(generatePrivateKey()).address;
    const where = { handleId_family: { handleId: await idOf('bob'), family: 'evm' } };
    await world.ctx.db.wallet.update({ where, data: { address: next } });
    await world.send();
    expect((await rowOf(asked.id)).status).toBe('asked');
    await work();
    expect(await tokenBalance(chain(), chain().usdc, next)).toBe(parseUnits('2', 6));
    await world.ctx.db.wallet.update({ where, data: { address: localPerson('bob').address } });
  });
});

test('claims of a chain that is not served, or is away, hold up none of another', async () => {
  const escrow = await openEscrow(bobsTelegram());
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  const row = await rowOf(asked.id);
  const { bsc } = evmChains(world.ctx);
  const away = { ...chain(), name: 'bsc' as const, endpoints: [createPublicClient({ transport: http(NOWHERE) })] };
  world.ctx.chains.bsc = away;
  const waiting = Array.from({ length: 60 }, (_, n) => ({
    ...row,
    id: `clm_waiting${n}`,
    // What is not even the id of its terms is refused without asking the chain.
    tabId: escrowOnChainId(away, escrow.sender, BigInt(n)),
    senderNonce: String(n),
    createdAt: new Date(Date.now() - 60_000),
    chain: n % 2 === 0 ? 'celo' : 'bsc',
  }));
  await world.ctx.db.claim.createMany({ data: waiting });
  // One claim of the chain that is away, beside all of the other's: the rest of the dead chain is left for another round.
  const others = await world.ctx.db.claim.count({ where: { chain: chain().name, status: 'asked' } });
  expect(await attestClaims(world.ctx, { evm: authority })).toBe(others + 1);
  await work();
  expect((await claimOf(world.ctx, asked.id)).status).toBe('final');
  if (bsc) world.ctx.chains.bsc = bsc;
  else delete world.ctx.chains.bsc;
  await world.ctx.db.claim.deleteMany({ where: { chain: { in: ['celo', 'bsc'] } } });
});

test('a claim that can never be judged holds up none behind it', async () => {
  const escrow = await openEscrow(bobsTelegram());
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  const row = await rowOf(asked.id);
  const broken = { ...row, id: 'clm_broken', tabId: toHex(99, { size: 32 }), sender: 'nobody', createdAt: new Date(0) };
  await world.ctx.db.claim.create({ data: broken });
  await work();
  expect((await claimOf(world.ctx, asked.id)).status).toBe('final');
  await world.ctx.db.claim.delete({ where: { id: broken.id } });
});

test('a claim that failed in a block is made anew while its tab is open, and nobody is told that somebody was faster', async () => {
  const escrow = await openEscrow(bobsTelegram());
  const before = await world.usdc('bob');
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  await attestClaims(world.ctx, { evm: authority });
  // It lies in the pool until its attestation has run out.
  await world.admin().setAutomine(false);
  await world.send();
  await world.admin().increaseTime({ seconds: 700 });
  await world.admin().setAutomine(true);
  await world.mine(1);
  await world.watch();
  expect(await claimOf(world.ctx, asked.id)).toMatchObject({ status: 'sent', failure: null });
  // Whoever asks again meanwhile is shown the same claim.
  expect((await askClaim(world.ctx, chain(), escrow, await idOf('bob'))).id).toBe(asked.id);
  await settleAll();
  expect((await rowOf(asked.id)).status).toBe('asked');
  await work();
  expect((await claimOf(world.ctx, asked.id)).status).toBe('final');
  expect((await world.usdc('bob')) - before).toBe(parseUnits('2', 6));
  await work();
  expect((await rowOf(asked.id)).status).toBe('paid');
});

test('asked for again before its block, a claim is sent once', async () => {
  const escrow = await openEscrow(bobsTelegram());
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  await attestClaims(world.ctx, { evm: authority });
  await world.admin().setAutomine(false);
  await world.send();
  expect((await askClaim(world.ctx, chain(), escrow, await idOf('bob'))).id).toBe(asked.id);
  await attestClaims(world.ctx, { evm: authority });
  await world.send();
  await world.admin().setAutomine(true);
  await settleAll();
  expect(await world.ctx.db.outgoingTx.count({ where: { kind: 'claim', subjectId: asked.id } })).toBe(1);
});

test('a worker that looks at it while another one sends it does not call it failed', async () => {
  const escrow = await openEscrow(bobsTelegram());
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  await attestClaims(world.ctx, { evm: authority });
  const proxy = await startRpcProxy(world.anvilOf().rpcUrl);
  onTestFinished(() => proxy.close());
  const client = createPublicClient({ transport: http(proxy.url), cacheTime: 0 });
  const slow = { ...chain(), client, endpoints: [client] };
  const gate = proxy.hold('eth_blockNumber', 'before');
  const late = sendNow({ ...world.ctx, chains: { base: slow } }, slow);
  await gate.reached;
  // Its transaction is in a block before the first one has its answer.
  await world.send();
  gate.open();
  await late;
  expect((await rowOf(asked.id)).status).toBe('submitted');
  await settleAll();
  await world.send();
  expect((await rowOf(asked.id)).status).toBe('paid');
});

test('a chain whose time is far from ours gets no attestation, except a local one', async () => {
  const escrow = await openEscrow(bobsTelegram());
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  const { base } = evmChains(world.ctx);
  world.ctx.chains.base = { ...chain(), local: false };
  await attestClaims(world.ctx, { evm: authority });
  expect((await rowOf(asked.id)).status).toBe('asked');
  if (base) world.ctx.chains.base = base;
  await work();
  expect((await claimOf(world.ctx, asked.id)).status).toBe('final');
});

test('a refund that failed for good is sent anew, and one that is on its way is not sent twice', async () => {
  const escrow = await openEscrow(bobsTelegram());
  await world.admin().increaseTime({ seconds: 7_200 });
  await world.mine(1);
  await world.admin().setAutomine(false);
  await indexChain(world.ctx, chain());
  const [first, second] = await Promise.all([refundOverdue(escrow), refundOverdue(escrow)]);
  expect(second).toBe(first);
  expect(await refundOverdue(escrow)).toBe(first);
  await world.ctx.db.outgoingTx.update({ where: { id: first ?? '' }, data: { status: 'lost' } });
  const again = await refundOverdue(escrow);
  expect(again).not.toBe(first);
  await world.admin().setAutomine(true);
  await settleAll();
});

test('a key that only the bot router knows sends nothing', async () => {
  const [executor] = ROLES.executors;
  await world.admin().setBalance({ address: ROLES.owner.address, value: 10n ** 18n });
  await sender(ROLES.owner.key).writeContract({
    address: chain().routers.escrow,
    abi: escrowRouterAbi,
    functionName: 'removeExecutor',
    args: [executor!.address],
    chain: null,
  });
  await world.mine(1);
  await reconcileChain(world.ctx, chain());
  const where = { chain_address: { chain: 'base', address: executor!.address } };
  expect((await world.ctx.db.executorKey.findUniqueOrThrow({ where })).pausedReason).toMatch(/does not know it/);
  await expect(
    putBackKey(world.ctx, { chain: 'base', address: executor!.address, force: false, by: 'test' }),
  ).rejects.toThrow('The escrow router does not know this key as an executor.');
  const escrow = await openEscrow(bobsTelegram());
  const asked = await askClaim(world.ctx, chain(), escrow, await idOf('bob'));
  await work();
  expect((await claimOf(world.ctx, asked.id)).status).toBe('final');
});
