// A pause holds from the moment it is said, on every chain, until the wallet itself takes it back there.
import { createWalletClient, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ROLES } from '../../../local/stack/roles.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { senderState } from '../../chain/routers/bot.ts';
import { pauseHandle } from '../accounts/handles.ts';

let world: World;
let sepolia: RpcProxy;
beforeEach(async () => {
  world = await startWorld({
    chains: ['base', 'base-sepolia'],
    rpcUrls: {
      'base-sepolia': async (direct) => {
        sepolia = await startRpcProxy(direct);
        return sepolia.url;
      },
    },
  });
});
afterEach(async () => {
  await world.stop();
  await sepolia.close();
});

const ALICE = localPerson('alice');
const bobHas = () => world.usdc('bob');
const aliceId = async () => (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } })).id;
async function resumeWithWallet(chain: 'base' | 'base-sepolia' = 'base'): Promise<void> {
  const wallet = createWalletClient({
    account: privateKeyToAccount(ALICE.key),
    transport: http(world.anvilOf(chain).rpcUrl),
  });
  const abi = parseAbi(['function unpauseSender()']);
  await wallet.writeContract({
    address: world.evmChain(chain).routers.bot,
    abi,
    functionName: 'unpauseSender',
    chain: null,
  });
  await world.mine(1, chain);
}
async function ready(text: string): Promise<void> {
  await world.type('alice', text);
  await world.fetchUpdates();
  await world.ingest();
  await world.prepare();
}

describe('a pause', () => {
  test('stops legs that were ready but not signed', async () => {
    const before = await bobHas();
    await ready('/tip @bob 5');
    await world.ctx.db.$transaction(async (tx) => pauseHandle(world.ctx, tx, await aliceId()));
    await world.settle();
    expect(await bobHas()).toBe(before);
    expect((await world.ctx.db.tip.findFirstOrThrow()).status).toBe('failed');
  });

  test('said again after the wallet resumed holds again', async () => {
    await world.say('alice', '/pause');
    await resumeWithWallet();
    await world.say('alice', '/pause');
    const before = await bobHas();
    await world.say('alice', '/tip @bob 5');
    expect(await bobHas()).toBe(before);
  });

  test('said again after it was taken back everywhere reaches the chains again', async () => {
    const paused = async () => (await senderState(world.evmChain(), ALICE.address, world.evmChain().usdc)).paused;
    await world.say('alice', '/pause');
    await world.run();
    expect(await paused()).toBe(true);
    for (const chain of ['base', 'base-sepolia'] as const) {
      await resumeWithWallet(chain);
      await world.say('alice', `/send @bob 1 on ${chain}`);
    }
    expect(await world.ctx.db.pause.count()).toBe(0);
    expect(await paused()).toBe(false);
    await world.say('alice', '/pause');
    await world.run();
    expect(await paused()).toBe(true);
  });

  test('whose transaction reverted is not taken for a resume, and is sent anew', async () => {
    await world.admin().setAutomine(false);
    await world.ctx.db.$transaction(async (tx) => pauseHandle(world.ctx, tx, await aliceId()));
    await world.send();
    const sent = await world.ctx.db.outgoingTx.findFirstOrThrow({ where: { kind: 'pause', chain: 'base' } });
    const router = world.evmChain().routers.bot;
    await world.admin().impersonateAccount({ address: ROLES.owner.address });
    await world.admin().setBalance({ address: ROLES.owner.address, value: 10n ** 18n });
    const owner = createWalletClient({ account: ROLES.owner.address, transport: http(world.anvilOf().rpcUrl) });
    const abi = parseAbi(['function removeExecutor(address)']);
    // A higher tip puts the removal in front of the pause in the same block.
    await owner.writeContract({
      address: router,
      abi,
      functionName: 'removeExecutor',
      args: [sent.executor as `0x${string}`],
      chain: null,
      maxPriorityFeePerGas: 10n ** 11n,
      maxFeePerGas: 2n * 10n ** 11n,
    });
    await world.mine(1);
    await world.admin().setAutomine(true);
    await world.mine(3);
    await world.watch();
    await world.watch();
    expect((await world.ctx.db.outgoingTx.findUniqueOrThrow({ where: { id: sent.id } })).succeeded).toBe(false);
    const pause = await world.ctx.db.pause.findFirstOrThrow({ where: { chain: 'base' } });
    expect(pause).toMatchObject({ attempt: 2, status: 'wanted' });
    const before = await bobHas();
    await world.say('alice', '/tip @bob 5');
    expect(await bobHas()).toBe(before);
  });

  test('is done as soon as its transaction is final', async () => {
    await world.ctx.db.$transaction(async (tx) => pauseHandle(world.ctx, tx, await aliceId()));
    await world.send();
    const sent = await world.ctx.db.outgoingTx.findFirstOrThrow({ where: { kind: 'pause', chain: 'base' } });
    await world.watch();
    await world.mine(3);
    await world.watch();
    const { status } = await world.ctx.db.pause.findFirstOrThrow({ where: { outgoingTxId: sent.id } });
    expect(status).toBe('done');
  });

  test('of a wallet that is paused on-chain already is done, and a later resume is not undone', async () => {
    await world.say('alice', '/pause');
    await world.say('alice', '/pause');
    await world.run();
    await resumeWithWallet();
    for (let i = 0; i < 3; i++) await world.run();
    const before = await bobHas();
    await world.say('alice', '/tip @bob 5');
    expect((await bobHas()) - before).toBe(5_000_000n);
  });

  test('reaches the other chains while one is dead, and that one when it is back', async () => {
    sepolia.setDead(true);
    await world.type('alice', '/pause');
    await world.fetchUpdates();
    await world.ingest();
    await world.send();
    expect((await world.ctx.db.pause.findMany({ orderBy: { chain: 'asc' } })).map((row) => row.status)).toEqual([
      'sent',
      'wanted',
    ]);
    sepolia.setDead(false);
    await world.run();
    await world.run();
    expect((await world.ctx.db.pause.findMany()).map((row) => row.status)).toEqual(['done', 'done']);
  });

  test('taken back on one chain stands on the other', async () => {
    await world.say('alice', '/pause');
    await world.run();
    await resumeWithWallet('base');
    const before = await bobHas();
    await world.say('alice', '/tip @bob 1');
    expect((await bobHas()) - before).toBe(1_000_000n);
    const there = await world.usdc('bob', 'base-sepolia');
    await world.say('alice', '/send @bob 1 on base-sepolia');
    expect(await world.usdc('bob', 'base-sepolia')).toBe(there);
  });
});
