// A Solana chain with everything on it, and people with money: what tests of Solana begin with. Its slots pass by hand.
import type { TransactionInstruction } from '@solana/web3.js';
import { readBuild } from '../../local/program/record.ts';
import { readAccount } from '../../local/solana/accounts.ts';
import { callOf } from '../../local/solana/cluster.ts';
import { deployLocalSolana, type LocalSolana, type SolanaRoles, settleAll } from '../../local/solana/deployLocal.ts';
import { execute } from '../../local/solana/genesis.ts';
import { giveSolana, giveWrapped, type SolanaGrant } from '../../local/solana/grants.ts';
import { type Keypair, localSolanaKey } from '../../local/solana/keys.ts';
import type { LandedTransaction, Ledger } from '../../local/solana/ledger.ts';
import type { SolanaOptions } from '../../local/solana/server.ts';
import { advanceClock, stepSlots } from '../../local/solana/slots.ts';
import { tokenAccountOf } from '../../local/solana/tokens.ts';
import { SOLANA_ROLES } from '../../local/stack/roles.ts';
import { bucketOf, limitsOf, SYSTEM_PROGRAM, tabOf, tokenAccount } from '../../src/chain/solana/addresses.ts';
import { buildInstruction, type InstructionInput, type InstructionName } from '../../src/chain/solana/instructions.ts';
import { ROOT } from '../../src/root.ts';
import { startTestSolana, type TestSolana } from './solana.ts';

const MILLION = 1_000_000n;
/** Of one signature. */
const DRAIN_FEE = 5_000n;
/** What a person has unless a test says otherwise: 10 SOL, and 1,000 USDC within wide limits. */
const USUAL: SolanaGrant = {
  lamports: 10_000_000_000n,
  usdc: 1_000n * MILLION,
  limits: { perTip: 1_000n * MILLION, perDay: 1_000n * MILLION, maxFee: MILLION },
};

export type SolanaWorld = LocalSolana & {
  node: TestSolana;
  ledger: Ledger;
  roles: SolanaRoles;
  addressOf(name: string): string;
  /** Addresses of the program. */
  limitsOf(owner: string): string;
  bucketOf(hour: bigint): string;
  tabOf(tabId: `0x${string}`): string;
  /** Someone with money; limits left out, they allow the program nothing. */
  person(name: string, grant?: SolanaGrant): Keypair;
  build<Name extends InstructionName>(name: Name, input: InstructionInput<Name>): TransactionInstruction;
  /** Lands in the open block; the first signer pays. @throws Error when it fails */
  send(signers: readonly Keypair[], ...instructions: TransactionInstruction[]): LandedTransaction;
  /** USDC that the program may take of any key in a day. */
  allow(key: Keypair, perDay: bigint): void;
  /** Wrapped SOL that the program may take, of someone whom person() made. */
  allowWrapped(name: string, lamports: bigint): void;
  /** In units and lamports, in the open block. */
  usdcOf(owner: string): bigint;
  wrappedOf(owner: string): bigint;
  lamportsOf(owner: string): bigint;
  /** Takes all SOL of a key but the fee of that. */
  drain(key: Keypair): void;
  data(address: string): Uint8Array | null;
  /** Unix seconds of the chain. */
  now(): number;
  step(slots?: number): void;
  /** Everything is final. */
  settle(): void;
  /** Moves the chain's clock. */
  later(ms: number): void;
  stop(): Promise<void>;
};

export async function startSolanaWorld(options: SolanaOptions = {}): Promise<SolanaWorld> {
  const node = await startTestSolana(options);
  const { ledger } = node;
  const { image } = readBuild(`${ROOT}/contracts/solana`);
  const local = await deployLocalSolana(ledger, { image, roles: SOLANA_ROLES });
  const { program, fixed, usdc } = local;
  const heldOf = (owner: string, mint: string) =>
    tokenAccountOf(readAccount(ledger, tokenAccount(owner, mint).address))?.amount ?? 0n;
  return {
    ...local,
    node,
    ledger,
    roles: SOLANA_ROLES,
    limitsOf: (owner) => limitsOf(program, owner).address,
    bucketOf: (hour) => bucketOf(program, hour, 0).address,
    tabOf: (tabId) => tabOf(program, tabId).address,
    addressOf: (name) => localSolanaKey(name).address,
    person(name, grant = USUAL) {
      const key = localSolanaKey(name);
      giveSolana(ledger, local, key, grant);
      return key;
    },
    allow(key, perDay) {
      giveSolana(ledger, local, key, { lamports: 0n, usdc: 0n, limits: { perTip: perDay, perDay, maxFee: 0n } });
    },
    allowWrapped(name, lamports) {
      const limits = { perTip: lamports, perDay: lamports, maxFee: lamports };
      giveWrapped(ledger, local, localSolanaKey(name), { lamports, limits });
    },
    build: (name, input) => buildInstruction({ id: program, fixed }, name, input),
    send: (signers, ...instructions) => execute(ledger, signers, instructions.map(callOf)),
    usdcOf: (owner) => heldOf(owner, usdc),
    wrappedOf: (owner) => heldOf(owner, local.wrappedNative),
    lamportsOf: (owner) => readAccount(ledger, owner)?.lamports ?? 0n,
    drain(key) {
      const lamports = BigInt(readAccount(ledger, key.address)?.lamports ?? 0n) - DRAIN_FEE;
      const data = Buffer.alloc(12);
      data.writeUInt32LE(2);
      data.writeBigUInt64LE(lamports, 4);
      const accounts = [
        { address: key.address, signer: true, writable: true },
        { address: local.issuer.address, writable: true },
      ];
      execute(ledger, [key], [{ program: SYSTEM_PROGRAM, accounts, data }]);
    },
    data: (address) => readAccount(ledger, address)?.data ?? null,
    now: () => Number(ledger.svm.getClock().unixTimestamp),
    step: (slots = 1) => stepSlots(ledger, slots),
    settle: () => settleAll(ledger),
    later: (ms) => advanceClock(ledger, ms),
    stop: () => node.close(),
  };
}
