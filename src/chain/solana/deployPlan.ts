// What a deployment of the Solana program still has to do, decided from what a cluster has: steps, their instructions, their costs.
import { createHash } from 'node:crypto';
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import {
  BUFFER_HEADER_BYTES,
  DATA_HEADER_BYTES,
  dataAddressOf,
  decodeLoaderAccount,
  deployBuffer,
  initializeBuffer,
  LOADER,
  PROGRAM_BYTES,
  removeAuthority,
  writeBuffer,
} from './loader.ts';

/** As many bytes as a transaction takes beside one signature, four accounts and the instructions that set its price. */
export const CHUNK_BYTES = 900;
const LAMPORTS_PER_SIGNATURE = 5_000n;

/** A deployment that cannot go on, with what to do about it. */
export class SolanaDeployError extends Error {
  override name = 'SolanaDeployError';
}

export type AccountState = { owner: PublicKey; lamports: bigint; data: Uint8Array; executable: boolean };
/** The deployer pays for everything and is the upgrade authority until the program is final. */
export type DeployTarget = { image: Uint8Array; program: PublicKey; deployer: PublicKey };
/** The accounts of a deployment as a cluster has them; null for those that do not exist. */
export type DeployFound = {
  buffer: AccountState | null;
  program: AccountState | null;
  data: AccountState | null;
};
/** What accounts must hold to exist, in lamports. */
export type DeployRents = Record<keyof ReturnType<typeof accountBytes>, bigint>;

/** One transaction. Writes may be sent in any order and again; all others once, in this order. */
export type SolanaDeployStep =
  | { kind: 'buffer' }
  | { kind: 'write'; offset: number; length: number }
  | { kind: 'deploy' }
  | { kind: 'final' };

export type ProgramStatus = {
  executable: boolean;
  /** Null when the program is final. */
  authority: PublicKey | null;
  /** The slot of the deployment. */
  slot: bigint;
  /** Without the zeros behind it, which a longer account has. */
  image: Buffer;
};

/** The buffer of a deployer and of exactly these bytes, so that an interrupted deployment finds it without a file of its own. */
export async function bufferAddress({ image, deployer }: DeployTarget): Promise<PublicKey> {
  return await PublicKey.createWithSeed(deployer, bufferSeed(image), LOADER);
}

function bufferSeed(image: Uint8Array): string {
  return createHash('sha256').update(image).digest('hex').slice(0, 32);
}

/** @returns null when there is no program @throws SolanaDeployError when something else is at the address */
export function programStatus(program: PublicKey, { program: account, data }: DeployFound): ProgramStatus | null {
  if (!account || account.owner.equals(SystemProgram.programId)) return null;
  const head = decodeLoaderAccount(account.data);
  const body = data && decodeLoaderAccount(data.data);
  if (!account.owner.equals(LOADER) || head?.kind !== 'program' || body?.kind !== 'data')
    throw new SolanaDeployError(`${program} is an account of another kind, owned by ${account.owner}`);
  return { executable: account.executable, authority: body.authority, slot: body.slot, image: body.image };
}

/** Whether the bytes of an account are an image, with nothing but zeros behind it. */
export function isImage(found: Uint8Array, image: Uint8Array): boolean {
  return (
    found.length >= image.length &&
    Buffer.compare(found.subarray(0, image.length), image) === 0 &&
    found.subarray(image.length).every((byte) => byte === 0)
  );
}

/**
 * What is left to do, as a list of transactions; empty when everything is done.
 * @param isFinal whether the upgrade authority is to be taken away
 * @throws SolanaDeployError when what exists is not this deployment's
 */
export function planSteps(target: DeployTarget, found: DeployFound, isFinal: boolean): SolanaDeployStep[] {
  const status = programStatus(target.program, found);
  if (status) {
    requireSame(target, status);
    if (!isFinal || status.authority === null) return [];
    if (!status.authority.equals(target.deployer))
      throw new SolanaDeployError(
        `the upgrade authority is ${status.authority}: only its key can make the program final`,
      );
    return [{ kind: 'final' }];
  }
  const steps: SolanaDeployStep[] = [...writesLeft(target, found.buffer), { kind: 'deploy' }];
  if (!isBuffer(found.buffer)) steps.unshift({ kind: 'buffer' });
  return isFinal ? [...steps, { kind: 'final' }] : steps;
}

function requireSame({ program, image }: DeployTarget, status: ProgramStatus): void {
  if (!isImage(status.image, image))
    throw new SolanaDeployError(
      `${program} has other bytes than this program (sha256 ${createHash('sha256').update(status.image).digest('hex')}): deploy with another program key`,
    );
}

function isBuffer(buffer: AccountState | null): buffer is AccountState {
  return buffer?.owner.equals(LOADER) ?? false;
}

/** @returns the chunks in which the buffer differs; all of them when there is no buffer @throws SolanaDeployError for another's buffer */
export function writesLeft(
  { image, deployer }: DeployTarget,
  buffer: AccountState | null,
): Extract<SolanaDeployStep, { kind: 'write' }>[] {
  const decoded = isBuffer(buffer) ? decodeLoaderAccount(buffer.data) : null;
  if (
    decoded &&
    (decoded.kind !== 'buffer' || decoded.image.length !== image.length || !decoded.authority?.equals(deployer))
  )
    throw new SolanaDeployError('the buffer of this deployment belongs to another deployer or has another size');
  const written = decoded?.kind === 'buffer' ? decoded.image : null;
  const chunks: Extract<SolanaDeployStep, { kind: 'write' }>[] = [];
  for (let offset = 0; offset < image.length; offset += CHUNK_BYTES) {
    const length = Math.min(CHUNK_BYTES, image.length - offset);
    const there = written?.subarray(offset, offset + length);
    if (!there || Buffer.compare(there, image.subarray(offset, offset + length)) !== 0)
      chunks.push({ kind: 'write', offset, length });
  }
  return chunks;
}

/** What a step's transaction may use at most, in compute units. Measured, and doubled. */
export const COMPUTE_UNITS = { buffer: 10_000, write: 6_000, deploy: 20_000, final: 6_000 };

/** @returns the instructions of a step; all are signed by the deployer, and `deploy` by the program's key as well */
export async function stepInstructions(
  step: SolanaDeployStep,
  target: DeployTarget,
  found: DeployFound,
  rents: DeployRents,
): Promise<TransactionInstruction[]> {
  const { image, program, deployer } = target;
  const buffer = await bufferAddress(target);
  switch (step.kind) {
    case 'buffer': {
      const place = { accountPubkey: buffer, basePubkey: deployer, seed: bufferSeed(image), programId: LOADER };
      return [
        ...topUp(deployer, buffer, found.buffer, rents.buffer),
        SystemProgram.allocate({ ...place, space: BUFFER_HEADER_BYTES + image.length }),
        initializeBuffer(buffer, deployer),
      ];
    }
    case 'write':
      return [writeBuffer(buffer, deployer, step.offset, image.subarray(step.offset, step.offset + step.length))];
    case 'deploy':
      return [
        ...topUp(deployer, program, found.program, rents.program),
        SystemProgram.allocate({ accountPubkey: program, space: PROGRAM_BYTES }),
        SystemProgram.assign({ accountPubkey: program, programId: LOADER }),
        deployBuffer({ payer: deployer, program, buffer, authority: deployer }, image.length),
      ];
    case 'final':
      return [removeAuthority(program, deployer)];
  }
}

/** Creating an account fails where a stranger sent a lamport before; adding what is missing never does. */
function topUp(from: PublicKey, to: PublicKey, found: AccountState | null, rent: bigint): TransactionInstruction[] {
  const missing = rent - (found?.lamports ?? 0n);
  return missing > 0n ? [SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports: missing })] : [];
}

/** Bytes of the accounts, for {@link DeployRents}. */
export function accountBytes(image: Uint8Array): { wallet: number; buffer: number; program: number; data: number } {
  return {
    wallet: 0,
    buffer: BUFFER_HEADER_BYTES + image.length,
    program: PROGRAM_BYTES,
    data: DATA_HEADER_BYTES + image.length,
  };
}

export type DeployCosts = {
  /** What the program's two accounts hold at the end. */
  rent: bigint;
  fees: bigint;
  /**
   * What the deployer must have, of which the rent of a wallet stays in it. The rent of the buffer comes back when the program is deployed, and
   * pays for its data.
   */
  needed: bigint;
};

/** @param microLamportsPerUnit the price of a compute unit, 0 for none */
export function costsOf(
  steps: SolanaDeployStep[],
  found: DeployFound,
  rents: DeployRents,
  microLamportsPerUnit: bigint,
): DeployCosts {
  const fees = steps.reduce((sum, { kind }) => {
    const signatures = kind === 'deploy' ? 2n : 1n;
    const price = (BigInt(COMPUTE_UNITS[kind]) * microLamportsPerUnit + 999_999n) / 1_000_000n;
    return sum + signatures * LAMPORTS_PER_SIGNATURE + price;
  }, 0n);
  if (!steps.some(({ kind }) => kind === 'deploy'))
    return { rent: 0n, fees, needed: steps.length > 0 ? fees + rents.wallet : 0n };
  const program = rents.program - (found.program?.lamports ?? 0n);
  const rent = (program > 0n ? program : 0n) + rents.data;
  return { rent, fees, needed: rent + fees + rents.wallet - (found.buffer?.lamports ?? 0n) };
}
/** The addresses to read before {@link planSteps}. */
export async function deployAddresses(target: DeployTarget): Promise<Record<keyof DeployFound, PublicKey>> {
  return { buffer: await bufferAddress(target), program: target.program, data: dataAddressOf(target.program) };
}
