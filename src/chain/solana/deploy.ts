// Deploys the Solana program, or goes on where a run stopped: what a cluster has decides what is sent. Every answer is read back.
import { type Keypair, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import {
  type AccountState,
  accountBytes,
  COMPUTE_UNITS,
  costsOf,
  type DeployCosts,
  type DeployFound,
  type DeployRents,
  type DeployTarget,
  deployAddresses,
  isImage,
  type ProgramStatus,
  planSteps,
  programStatus,
  SolanaDeployError,
  type SolanaDeployStep,
  stepInstructions,
  writesLeft,
} from './deployPlan.ts';

/** So many writes are on their way at once. */
const IN_FLIGHT = 8;
/** After so many rounds in which not every write arrived, a run ends; the next one goes on. */
const ROUNDS = 5;

/** What a deployment needs of a cluster: an RPC endpoint, or a chain in the same process. */
export type DeployCluster = {
  getAccount: (address: PublicKey) => Promise<AccountState | null>;
  /** What an account of so many bytes must hold, in lamports. */
  minimumBalance: (bytes: number) => Promise<bigint>;
  /** The price of a compute unit in millionths of a lamport. */
  unitPrice: bigint;
  /**
   * Sends one transaction, which the first signer pays, and waits until it is confirmed. It may be signed again, but never so that two of it land.
   * @returns its signature
   */
  sendAndConfirm: (instructions: TransactionInstruction[], signers: Keypair[], computeUnits: number) => Promise<string>;
};

export type DeployKeys = { image: Uint8Array; program: Keypair; deployer: Keypair };

export type SolanaDeployPlan = {
  program: PublicKey;
  buffer: PublicKey;
  bytes: number;
  steps: SolanaDeployStep[];
  costs: DeployCosts;
  /** What the deployer has, in lamports. */
  balance: bigint;
  status: ProgramStatus | null;
};

async function readFound(cluster: DeployCluster, target: DeployTarget): Promise<DeployFound> {
  const addresses = await deployAddresses(target);
  const [buffer, program, data] = await Promise.all([
    cluster.getAccount(addresses.buffer),
    cluster.getAccount(addresses.program),
    cluster.getAccount(addresses.data),
  ]);
  return { buffer, program, data };
}

async function readRents(cluster: DeployCluster, image: Uint8Array): Promise<DeployRents> {
  const bytes = accountBytes(image);
  const [wallet, buffer, program, data] = await Promise.all([
    cluster.minimumBalance(bytes.wallet),
    cluster.minimumBalance(bytes.buffer),
    cluster.minimumBalance(bytes.program),
    cluster.minimumBalance(bytes.data),
  ]);
  return { wallet, buffer, program, data };
}

/** What a deployment would do and cost now. It sends nothing. @throws SolanaDeployError */
export async function planSolanaDeploy(
  cluster: DeployCluster,
  target: DeployTarget,
  isFinal: boolean,
): Promise<SolanaDeployPlan> {
  const [found, rents, account, addresses] = await Promise.all([
    readFound(cluster, target),
    readRents(cluster, target.image),
    cluster.getAccount(target.deployer),
    deployAddresses(target),
  ]);
  const steps = planSteps(target, found, isFinal);
  return {
    program: target.program,
    buffer: addresses.buffer,
    bytes: target.image.length,
    steps,
    costs: costsOf(steps, found, rents, cluster.unitPrice),
    balance: account?.lamports ?? 0n,
    status: programStatus(target.program, found),
  };
}

/** @returns null when there is no program at the address */
export async function readProgramStatus(cluster: DeployCluster, target: DeployTarget): Promise<ProgramStatus | null> {
  return programStatus(target.program, await readFound(cluster, target));
}

/** Whether the program has its config account: only the upgrade authority makes it, so a program that is final before never gets one. */
export async function isInitialized(cluster: DeployCluster, program: PublicKey): Promise<boolean> {
  const [config] = PublicKey.findProgramAddressSync([Buffer.from('config')], program);
  const account = await cluster.getAccount(config);
  return account?.owner.equals(program) === true && account.data.length > 0;
}

/** Before the program is final, more than its bytes may have to be right. Throws, or answers false, when something is not. */
export type HealthCheck = (status: ProgramStatus) => Promise<boolean> | boolean;

/**
 * Writes the program, deploys it, compares it byte by byte, and with `final` takes its upgrade authority away. What is done already is not
 * done again.
 * @param onStep receives each transaction when it is confirmed
 * @throws SolanaDeployError
 */
export async function deploySolanaProgram(
  cluster: DeployCluster,
  keys: DeployKeys,
  options: { final?: HealthCheck; onStep?: (step: SolanaDeployStep, signature: string) => void } = {},
): Promise<ProgramStatus> {
  const target: DeployTarget = {
    image: keys.image,
    program: keys.program.publicKey,
    deployer: keys.deployer.publicKey,
  };
  const { steps, costs, balance } = await planSolanaDeploy(cluster, target, options.final !== undefined);
  if (balance < costs.needed)
    throw new SolanaDeployError(`the deployer ${target.deployer} has ${balance} lamports and needs ${costs.needed}`);
  const send = async (step: SolanaDeployStep) => {
    // What an earlier step changed decides how much rent is missing.
    const found = await readFound(cluster, target);
    const instructions = await stepInstructions(step, target, found, await readRents(cluster, target.image));
    const signers = step.kind === 'deploy' ? [keys.deployer, keys.program] : [keys.deployer];
    const signature = await cluster.sendAndConfirm(instructions, signers, COMPUTE_UNITS[step.kind]);
    options.onStep?.(step, signature);
  };
  const has = (kind: SolanaDeployStep['kind']) => steps.some((step) => step.kind === kind);
  if (has('buffer')) await send({ kind: 'buffer' });
  if (has('deploy')) {
    await writeImage(cluster, target, keys, options.onStep);
    await send({ kind: 'deploy' });
  }
  const status = await requireDeployed(cluster, target);
  if (!options.final || status.authority === null) return status;
  if (!(await options.final(status)))
    throw new SolanaDeployError('the health check failed: the program is deployed, and its upgrade authority stays');
  await send({ kind: 'final' });
  const last = await requireDeployed(cluster, target);
  if (last.authority !== null) throw new SolanaDeployError('the upgrade authority is still there');
  return last;
}

/** Writes what differs, round by round, until nothing does: a write that got lost is sent again in the next round. */
async function writeImage(
  cluster: DeployCluster,
  target: DeployTarget,
  { deployer }: DeployKeys,
  onStep?: (step: SolanaDeployStep, signature: string) => void,
): Promise<void> {
  const address = (await deployAddresses(target)).buffer;
  let failure: unknown;
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = writesLeft(target, await cluster.getAccount(address));
    if (left.length === 0) return;
    await inFlight(left, async (step) => {
      const instructions = await stepInstructions(step, target, NOTHING, NO_RENTS);
      try {
        const signature = await cluster.sendAndConfirm(instructions, [deployer], COMPUTE_UNITS.write);
        onStep?.(step, signature);
      } catch (error) {
        failure = error;
      }
    });
  }
  if (writesLeft(target, await cluster.getAccount(address)).length > 0)
    throw new SolanaDeployError('the buffer is not complete; run it again, it goes on', { cause: failure });
}

/** A write depends on neither. */
const NOTHING: DeployFound = { buffer: null, program: null, data: null };
const NO_RENTS: DeployRents = { wallet: 0n, buffer: 0n, program: 0n, data: 0n };

async function inFlight<T>(items: T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]();
  const work = async () => {
    for (const item of left) await act(item);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

async function requireDeployed(cluster: DeployCluster, target: DeployTarget): Promise<ProgramStatus> {
  const status = await readProgramStatus(cluster, target);
  if (!status?.executable) throw new SolanaDeployError(`${target.program} is not executable`);
  if (!isImage(status.image, target.image))
    throw new SolanaDeployError(`${target.program} has other bytes than were sent`);
  return status;
}
