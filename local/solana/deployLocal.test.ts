// The program on a local chain: deployed once by its real loader, ready for its roles and for people who have money.
import { createHash, randomBytes } from 'node:crypto';
import { PublicKey, SystemProgram, Keypair as Web3Keypair } from '@solana/web3.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decodeConfig, decodeLimits } from '../../src/chain/solana/accounts.ts';
import { bucketOf, limitsOf, programDataOf, tokenAccount } from '../../src/chain/solana/addresses.ts';
import { deploySolanaProgram } from '../../src/chain/solana/deploy.ts';
import { CHUNK_BYTES, SolanaDeployError } from '../../src/chain/solana/deployPlan.ts';
import { decodeLoaderAccount } from '../../src/chain/solana/loader.ts';
import { ROOT } from '../../src/root.ts';
import { type SolanaWorld, startSolanaWorld } from '../../test/setup/solanaWorld.ts';
import { readBuild } from '../program/record.ts';
import { SOLANA_ROLES } from '../stack/roles.ts';
import { readAccount } from './accounts.ts';
import { ledgerCluster } from './cluster.ts';
import { deployLocalSolana, localSolana } from './deployLocal.ts';
import { airdrop, fillFaucet } from './genesis.ts';
import { localSolanaKey } from './keys.ts';
import type { Ledger } from './ledger.ts';
import { createLedger } from './slots.ts';
import { mintOf, tokenAccountOf } from './tokens.ts';

const { image } = readBuild(`${ROOT}/contracts/solana`);
const roles = SOLANA_ROLES;
const named = [roles.owner, roles.guardian, roles.treasury, roles.authority, ...roles.executors];
const MILLION = 1_000_000n;

let world: SolanaWorld;
beforeEach(async () => {
  world = await startSolanaWorld();
});
afterEach(() => world.stop());

test('the program has its bytes, its upgrade authority, its roles and its token accounts; a second call changes nothing', async () => {
  const { ledger, program, fixed, usdc, wrappedNative } = world;
  const data = decodeLoaderAccount(world.data(programDataOf(program).address) ?? new Uint8Array());
  expect(data).toMatchObject({ kind: 'data', image });
  expect(data?.kind === 'data' && data.authority?.toBase58()).toBe(roles.deployer.address);
  expect(decodeConfig(world.data(fixed.config) ?? new Uint8Array())).toMatchObject({
    owner: roles.owner.address,
    guardian: roles.guardian.address,
    treasury: roles.treasury.address,
    authority: roles.authority.address,
    usdc,
    executors: roles.executors.map(({ address }) => ({ key: address })),
  });
  expect(new Set([...named, roles.deployer].map(({ address }) => address)).size).toBe(7);
  expect(mintOf(readAccount(ledger, usdc))).toMatchObject({ decimals: 6, supply: 0n });
  for (const owner of [fixed.vault, roles.treasury.address])
    for (const mint of [usdc, wrappedNative])
      expect(tokenAccountOf(readAccount(ledger, tokenAccount(owner, mint).address))).toMatchObject({ owner, mint });
  for (const { address } of named) expect(world.lamportsOf(address)).toBeGreaterThanOrEqual(10_000_000_000n);
  const before = ledger.changes;
  await deployLocalSolana(ledger, { image, roles });
  expect(ledger.changes).toBe(before);
  // Clients that ask for what is final find it.
  const config = await world.node.rpc('getAccountInfo', fixed.config, { commitment: 'finalized' });
  expect(config.value.owner).toBe(program);
});

test('a person has exactly what they were given, and an executor tips from it within the limits', () => {
  const [alice, bob] = [world.person('alice'), world.person('bob', { lamports: 1_000_000_000n, usdc: 0n })];
  const [executor] = roles.executors;
  expect([world.lamportsOf(alice.address), world.usdcOf(alice.address)]).toEqual([10_000_000_000n, 1_000n * MILLION]);
  expect(world.lamportsOf(bob.address)).toBe(1_000_000_000n);
  const limits = decodeLimits(world.data(limitsOf(world.program, alice.address).address) ?? new Uint8Array());
  expect(limits?.usdc).toMatchObject({ perTip: 1_000n * MILLION, maxFee: MILLION });
  expect(world.data(limitsOf(world.program, bob.address).address)).toBeNull();
  const atOf = (owner: string) => tokenAccount(owner, world.usdc);
  const hour = BigInt(Math.floor(world.now() / 3_600));
  const tip = world.build('tip', {
    args: { validUntil: BigInt(world.now() + 900) },
    accounts: {
      executor: executor!.address,
      treasury: atOf(roles.treasury.address).address,
      bucket: bucketOf(world.program, hour, 0).address,
    },
    each: [
      {
        messageKey: `0x${createHash('sha256').update('message').digest('hex').slice(0, 48)}${world.now().toString(16).padStart(16, '0')}`,
        amount: 5n * MILLION,
        fee: 50_000n,
        bump: atOf(bob.address).bump,
        source: atOf(alice.address).address,
        limits: limitsOf(world.program, alice.address).address,
        recipient: atOf(bob.address).address,
      },
    ],
  });
  world.send([executor!], tip);
  expect([alice, bob, roles.treasury].map(({ address }) => world.usdcOf(address))).toEqual([
    994_950_000n,
    5n * MILLION,
    50_000n,
  ]);
  world.step();
  expect(() => world.send([executor!], tip)).toThrow(/^The transaction failed: /);
  world.later(3_600_000);
  expect(Math.abs(world.now() * 1_000 - (Date.now() + 3_600_000))).toBeLessThan(10_000);
});

/** A deployment by the loader that ends after so many transactions. */
async function cutOff(ledger: Ledger, after: number): Promise<void> {
  const [program, deployer] = [localSolanaKey('program'), roles.deployer].map(({ secretBytes }) =>
    Web3Keypair.fromSecretKey(secretBytes),
  );
  airdrop(ledger, roles.deployer.address, 100_000_000_000n);
  const cluster = ledgerCluster(ledger);
  let sent = 0;
  const cut: typeof cluster.sendAndConfirm = async (...given) => {
    if (sent === after) throw new Error('killed');
    sent += 1;
    return cluster.sendAndConfirm(...given);
  };
  const keys = { image, program: program!, deployer: deployer! };
  await expect(deploySolanaProgram({ ...cluster, sendAndConfirm: cut }, keys)).rejects.toThrow();
}

test('a deployment that was cut off is finished', async () => {
  const ledger = createLedger({ slotMs: 0 });
  fillFaucet(ledger);
  await cutOff(ledger, 40);
  const before = ledger.transactionCount;
  await deployLocalSolana(ledger, { image, roles });
  // The writes, a buffer and the deployment, without the 40; a mint, SOL for 6 roles, 4 token accounts and the initialization.
  const writes = Math.ceil(image.length / CHUNK_BYTES);
  expect(ledger.transactionCount - before).toBe(writes + 2 - 40 + 6 + 4 + 1);
  expect(readAccount(ledger, localSolana().fixed.config)?.owner).toBe(localSolana().program);
});

test('executors get SOL again before they run out', async () => {
  const { ledger } = world;
  const [executor, other] = roles.executors;
  const transfer = SystemProgram.transfer({
    fromPubkey: new PublicKey(executor!.address),
    toPubkey: new PublicKey(other!.address),
    lamports: 60_000_000_000,
  });
  world.send([executor!], transfer);
  await deployLocalSolana(ledger, { image, roles });
  expect(world.lamportsOf(executor!.address)).toBe(100_000_000_000n);
  expect(world.lamportsOf(other!.address)).toBe(160_000_000_000n);
});

test('another program at its address is refused', async () => {
  const other = Buffer.from(image);
  other[other.length - 1] = (other[other.length - 1] ?? 0) ^ 1;
  const deployed = deployLocalSolana(world.ledger, { image: Buffer.concat([other, randomBytes(8)]), roles });
  await expect(deployed).rejects.toThrow(SolanaDeployError);
  await expect(deployed).rejects.toThrow(/has other bytes than this program/);
});
