// A deployment against a cluster in this process: planned, written, deployed by the real loader, interrupted, resumed, made final.
import { randomBytes } from 'node:crypto';
import { Keypair, type PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js';
import { beforeEach, expect, test } from 'vitest';
import { writeImage } from '../../../local/program/image.ts';
import { type LitesvmCluster, litesvmCluster } from '../../../test/setup/litesvmCluster.ts';
import { deploySolanaProgram, planSolanaDeploy, readProgramStatus } from './deploy.ts';
import { bufferAddress, CHUNK_BYTES, type DeployTarget, isImage, type SolanaDeployStep } from './deployPlan.ts';
import { dataAddressOf, removeAuthority, writeBuffer } from './loader.ts';

/** A program that answers 0, with so many bytes of data in front. */
function imageOf(dataBytes: number): Buffer {
  const code = Buffer.from('b700000000000000' + '9500000000000000', 'hex');
  return writeImage({ code, data: randomBytes(dataBytes), entry: 0 });
}

/** To whole words. */
const ROUND = 8;
/** What a wallet must keep, in the local cluster. */
const WALLET = 890_880n;
let cluster: LitesvmCluster;
let deployer: Keypair;
let program: Keypair;
let image: Buffer;
let target: DeployTarget;
beforeEach(() => {
  cluster = litesvmCluster();
  [deployer, program] = [Keypair.generate(), Keypair.generate()];
  image = imageOf(CHUNK_BYTES * 20 + ROUND);
  target = { image, program: program.publicKey, deployer: deployer.publicKey };
  cluster.fund(deployer.publicKey, 1);
});

const balance = async (of: PublicKey) => (await cluster.getAccount(of))?.lamports ?? 0n;
async function deploy(final?: () => boolean) {
  const steps: SolanaDeployStep[] = [];
  const onStep = (step: SolanaDeployStep) => void steps.push(step);
  const status = await deploySolanaProgram(
    cluster,
    { image, program, deployer },
    { onStep, ...(final ? { final } : {}) },
  );
  return { status, steps, kinds: [...new Set(steps.map(({ kind }) => kind))] };
}
function call() {
  const instruction = new TransactionInstruction({ programId: program.publicKey, keys: [], data: Buffer.alloc(0) });
  return cluster.send(new Transaction().add(instruction), [deployer]);
}

test('a plan has a transaction for each chunk, its costs to the lamport, and sends nothing', async () => {
  const plan = await planSolanaDeploy(cluster, target, true);
  expect(plan).toMatchObject({ program: program.publicKey, bytes: image.length, status: null, balance: 10n ** 9n });
  expect(plan.steps.map(({ kind }) => kind)).toEqual(['buffer', ...Array(21).fill('write'), 'deploy', 'final']);
  const rent = (await cluster.minimumBalance(36)) + (await cluster.minimumBalance(45 + image.length));
  // One signature a transaction, and the program’s own.
  expect(plan.costs).toEqual({ rent, fees: 25n * 5_000n, needed: rent + 25n * 5_000n + WALLET });
  expect(cluster.sent).toEqual([]);
  await deploy(() => true);
  expect(await balance(deployer.publicKey)).toBe(10n ** 9n - plan.costs.needed + WALLET);
});

test('a price of compute units is in the plan', async () => {
  cluster.unitPrice = 2_000_000n;
  const { costs } = await planSolanaDeploy(cluster, target, false);
  expect(costs.fees).toBe(24n * 5_000n + 2n * (10_000n + 21n * 6_000n + 20_000n));
});

test('a program is written, deployed, read back byte by byte, and answers', async () => {
  const { status, kinds, steps } = await deploy();
  expect(kinds).toEqual(['buffer', 'write', 'deploy']);
  expect(steps).toHaveLength(23);
  expect(status).toMatchObject({ executable: true, authority: deployer.publicKey });
  expect(status.image.equals(image)).toBe(true);
  expect(call().error).toBeNull();
  // The buffer’s rent came back.
  expect(await balance(await bufferAddress(target))).toBe(0n);
  expect((await deploy()).steps).toEqual([]);
  expect((await planSolanaDeploy(cluster, target, false)).steps).toEqual([]);
});

test.each([
  ['exactly what the plan needs', 0],
  ['a lamport less', 1],
])('with %s it succeeds, or sends nothing', async (_what, less) => {
  const { costs } = await planSolanaDeploy(cluster, target, true);
  deployer = Keypair.generate();
  cluster.fund(deployer.publicKey, (Number(costs.needed) - less) / 1e9);
  if (less > 0) {
    await expect(deploy(() => true)).rejects.toThrow(/^the deployer \w+ has \d+ lamports and needs \d+$/);
    expect(cluster.sent).toEqual([]);
  } else {
    await deploy(() => true);
    expect(await balance(deployer.publicKey)).toBe(WALLET);
  }
});

test.each([1, 7, 22])(
  'one that stopped after %i transactions goes on, and sends only what is missing',
  async (after) => {
    cluster.before = (number) => {
      if (number >= after) throw new Error('the network is gone');
    };
    await expect(deploy()).rejects.toThrow(/the network is gone|the buffer is not complete; run it again, it goes on/);
    const done = cluster.sent.length;
    expect(done).toBe(after);
    cluster.before = () => {};
    const plan = await planSolanaDeploy(cluster, target, false);
    expect(plan.steps).toHaveLength(23 - after);
    const before = await balance(deployer.publicKey);
    const { status, steps } = await deploy();
    expect(steps).toHaveLength(23 - after);
    expect(status.executable).toBe(true);
    expect(before - (await balance(deployer.publicKey))).toBe(plan.costs.needed - WALLET);
    expect(call().error).toBeNull();
  },
);

test('writes that get lost are sent again in the same run', async () => {
  cluster.before = (number) => {
    if (number % 3 === 2 && number < 20) throw new Error('expired');
  };
  const { status } = await deploy();
  expect(isImage(status.image, image)).toBe(true);
});

test('a chunk that is wrong in the buffer is the only one that is written again', async () => {
  cluster.before = (number) => {
    if (number === 22) throw new Error('the network is gone');
  };
  await expect(deploy()).rejects.toThrow('the network is gone');
  cluster.before = () => {};
  const address = await bufferAddress(target);
  const wrong = writeBuffer(
    address,
    deployer.publicKey,
    CHUNK_BYTES * 4 + 17,
    Buffer.from([image[CHUNK_BYTES * 4 + 17]! ^ 1]),
  );
  expect(cluster.send(new Transaction().add(wrong), [deployer]).error).toBeNull();
  const { steps } = await deploy();
  expect(steps).toEqual([{ kind: 'write', offset: CHUNK_BYTES * 4, length: CHUNK_BYTES }, { kind: 'deploy' }]);
});

test('lamports that a stranger sent to the buffer and to the program stop nothing', async () => {
  cluster.fund(await bufferAddress(target), 0.002);
  cluster.fund(program.publicKey, 0.001);
  const plan = await planSolanaDeploy(cluster, target, false);
  const { status } = await deploy();
  expect(status.executable).toBe(true);
  expect(10n ** 9n - (await balance(deployer.publicKey))).toBe(plan.costs.needed - WALLET);
});

test('final takes the authority away after the health check, and can be done later and again', async () => {
  await deploy();
  await expect(deploy(() => false)).rejects.toThrow(/^the health check failed: .* its upgrade authority stays$/);
  expect((await readProgramStatus(cluster, target))?.authority?.equals(deployer.publicKey)).toBe(true);
  const { status, steps } = await deploy(() => true);
  expect(steps).toEqual([{ kind: 'final' }]);
  expect(status).toMatchObject({ authority: null, executable: true });
  expect((await deploy(() => true)).steps).toEqual([]);
  // No one changes it afterwards.
  const again = cluster.send(new Transaction().add(removeAuthority(program.publicKey, deployer.publicKey)), [deployer]);
  expect(again.error).not.toBeNull();
  expect(call().error).toBeNull();
});

test('the health check gets what was deployed', async () => {
  const seen: boolean[] = [];
  await deploySolanaProgram(
    cluster,
    { image, program, deployer },
    { final: ({ executable, image: found }) => seen.push(executable, isImage(found, image)) > 0 },
  );
  expect(seen).toEqual([true, true]);
});

test('an address with another program, or with another account, is refused before anything is sent', async () => {
  await deploy();
  const other = { ...target, image: imageOf(CHUNK_BYTES * 20 + ROUND) };
  await expect(planSolanaDeploy(cluster, other, false)).rejects.toThrow(
    /has other bytes than this program \(sha256 \w{64}\): deploy with another program key$/,
  );
  const data = { ...target, program: dataAddressOf(program.publicKey) };
  await expect(planSolanaDeploy(cluster, data, false)).rejects.toThrow(/is an account of another kind/);
});

test('only the upgrade authority makes a program final', async () => {
  await deploy();
  const stranger = Keypair.generate();
  cluster.fund(stranger.publicKey, 1);
  const plan = planSolanaDeploy(cluster, { ...target, deployer: stranger.publicKey }, true);
  await expect(plan).rejects.toThrow(`the upgrade authority is ${deployer.publicKey}: only its key can make`);
});
