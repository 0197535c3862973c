// The program on litesvm, without a network: instructions in, outcomes with named errors and decoded events out.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { address, lamports } from '@solana/kit';
import { MessageV0, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { type FailedTransactionMetadata, LiteSVM, Rent, type TransactionMetadata } from 'litesvm';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  LOADER_PROGRAM,
  programDataOf,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  tokenAccount,
  WRAPPED_SOL,
} from '../../src/chain/solana/addresses.ts';
import { programErrorName } from '../../src/chain/solana/errors.ts';
import { decodeEvent, type ProgramEvent } from '../../src/chain/solana/events.ts';
import { type SolanaAddress, solanaAddressBytes, solanaAddressOf } from '../../src/domain/solanaAddress.ts';
import { ROOT } from '../../src/root.ts';

export const PROGRAM_FILE = join(ROOT, 'contracts/solana/program.so');
export const NOW = 1_800_000_000;
const HALF_AN_HOUR = 1_800;
/** Lamports a byte, as on mainnet since SIMD-0437. */
const RENT_PER_BYTE = 5_080n;

export type Outcome = {
  /** Null when it succeeded; else the program's name for it, `token:<code>`, or what litesvm says. */
  error: string | null;
  events: ProgramEvent[];
  units: number;
  logs: string[];
};

export type Machine = {
  svm: LiteSVM;
  program: SolanaAddress;
  now(): number;
  later(seconds: number): void;
  /** Runs instructions as one transaction. Who is marked as a signer in them has signed. */
  run(...instructions: TransactionInstruction[]): Outcome;
  lamports(of: SolanaAddress): bigint;
  give(to: SolanaAddress, amount: bigint): void;
  data(of: SolanaAddress): Uint8Array | null;
  owner(of: SolanaAddress): SolanaAddress | null;
  /** Owner, lamports and data at once; null where there is no account, or one without lamports. */
  account(of: SolanaAddress): Seen;
  /** Every address that was written or named by a transaction. */
  touched: Set<SolanaAddress>;
  /** Keeps accounts, time and rent as they are. @returns what puts them back: starting another machine takes fifty times as long */
  checkpoint(): () => void;
};

export type Seen = { owner: SolanaAddress; lamports: bigint; data: Uint8Array } | null;

/** What litesvm's own reader wraps: it encodes each address again, which takes longer than the reading. */
type Reader = {
  inner: { getAccount(of: Uint8Array): { owner(): Uint8Array; lamports(): bigint; data(): Uint8Array } | null };
};

export function isSame(one: Seen, other: Seen): boolean {
  if (one === null || other === null) return one === other;
  return one.owner === other.owner && one.lamports === other.lamports && Buffer.compare(one.data, other.data) === 0;
}

/** These are never written. */
const PROGRAMS = new Set<SolanaAddress>([SYSTEM_PROGRAM, TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, LOADER_PROGRAM]);

const ADDRESS_BYTES = new Map<SolanaAddress, Uint8Array>();
const ADDRESSES = new Map<string, SolanaAddress>();

function bytesOfAddress(of: SolanaAddress): Uint8Array {
  const known = ADDRESS_BYTES.get(of);
  if (known) return known;
  const bytes = solanaAddressBytes(of);
  ADDRESS_BYTES.set(of, bytes);
  return bytes;
}

function addressOfBytes(bytes: Uint8Array): SolanaAddress {
  const key = Buffer.from(bytes).toString('latin1');
  const known = ADDRESSES.get(key);
  if (known) return known;
  const address = solanaAddressOf(bytes);
  ADDRESSES.set(key, address);
  return address;
}

/** An address that no other name has; on the curve or not, its key is not known and nothing here asks for a signature. */
export function named(name: string): SolanaAddress {
  return solanaAddressOf(createHash('sha256').update(`test ${name}`).digest());
}

const PAYER = named('fee payer');

export function startMachine(programFile = PROGRAM_FILE): Machine {
  const program = named('program');
  const svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n).withNativeMints();
  const setRent = () => svm.setRent(new Rent(RENT_PER_BYTE, 1, 50));
  setRent();
  svm.addProgram(address(program), readFileSync(programFile));
  let now = NOW + HALF_AN_HOUR;
  const setTime = () => {
    const clock = svm.getClock();
    clock.unixTimestamp = BigInt(now);
    svm.setClock(clock);
  };
  setTime();
  const machine: Machine = {
    svm,
    program,
    now: () => now,
    later(seconds) {
      now += seconds;
      setTime();
    },
    run(...instructions) {
      const message = MessageV0.compile({
        payerKey: new PublicKey(PAYER),
        instructions,
        recentBlockhash: PAYER,
        addressLookupTableAccounts: [],
      });
      const keys = message.staticAccountKeys.map((key) => key.toBase58());
      for (const key of keys) machine.touched.add(key);
      const signers = keys.slice(0, message.header.numRequiredSignatures);
      const answer = svm.sendTransaction({
        messageBytes: message.serialize(),
        signatures: Object.fromEntries(signers.map((signer) => [signer, null])),
      } as never);
      return outcomeOf(answer, keys, program);
    },
    lamports: (of) => svm.getBalance(address(of)) ?? 0n,
    give(to, amount) {
      const had = svm.getAccount(address(to));
      const [owner, data] = had.exists ? [had.programAddress, had.data] : [SYSTEM_PROGRAM, new Uint8Array()];
      put(machine, to, owner, data, (had.exists ? had.lamports : 0n) + amount);
    },
    data: (of) => machine.account(of)?.data ?? null,
    owner: (of) => machine.account(of)?.owner ?? null,
    account(of) {
      const account = (svm as unknown as Reader).inner.getAccount(bytesOfAddress(of));
      if (account === null || account.lamports() === 0n) return null;
      return { owner: addressOfBytes(account.owner()), lamports: account.lamports(), data: account.data() };
    },
    touched: new Set(),
    checkpoint() {
      const [kept, then] = [new Map([...machine.touched].map((at) => [at, machine.account(at)])), now];
      return () => {
        for (const at of machine.touched) {
          const [was, is] = [kept.get(at) ?? null, machine.account(at)];
          if (isSame(was, is) || PROGRAMS.has(at) || at === program) continue;
          put(machine, at, was?.owner ?? SYSTEM_PROGRAM, was?.data ?? new Uint8Array(), was?.lamports ?? 0n);
        }
        now = then;
        setTime();
        setRent();
      };
    },
  };
  machine.give(PAYER, 1_000_000_000_000_000n);
  return machine;
}

function outcomeOf(
  answer: TransactionMetadata | FailedTransactionMetadata,
  keys: string[],
  program: SolanaAddress,
): Outcome {
  const failed = 'err' in answer;
  const meta = failed ? answer.meta() : answer;
  const events: ProgramEvent[] = [];
  for (const list of meta.innerInstructions()) {
    for (const inner of list) {
      const instruction = inner.instruction();
      if (keys[instruction.programIdIndex()] !== program) continue;
      const event = decodeEvent(instruction.data());
      if (event) events.push(event);
    }
  }
  return {
    error: failed ? errorOf(answer) : null,
    events: failed ? [] : events,
    units: Number(meta.computeUnitsConsumed()),
    logs: meta.logs(),
  };
}

function errorOf(failed: FailedTransactionMetadata): string {
  const error = failed.err();
  if (typeof error !== 'object' || !('err' in error)) return String(error);
  const reason = error.err();
  if (typeof reason !== 'object' || !('code' in reason)) return String(reason);
  return programErrorName(reason.code) ?? `token:${reason.code}`;
}

/** Puts the upgrade authority where the loader keeps it: `addProgram` leaves it out. */
export function setUpgradeAuthority(machine: Machine, authority: SolanaAddress | null): void {
  const { address: at } = programDataOf(machine.program);
  const data = Buffer.from(machine.data(at) ?? []);
  data[12] = authority === null ? 0 : 1;
  data.set(authority === null ? new Uint8Array(32) : solanaAddressBytes(authority), 13);
  put(machine, at, LOADER_PROGRAM, data);
}

/** Writes an account as it is to be, rent included. */
export function put(
  machine: Machine,
  at: SolanaAddress,
  owner: SolanaAddress,
  data: Uint8Array,
  lamportsOf?: bigint,
): void {
  machine.touched.add(at);
  machine.svm.setAccount({
    address: address(at),
    programAddress: address(owner),
    data,
    lamports: lamports(lamportsOf ?? rentOf(data.length)),
    executable: false,
    space: BigInt(data.length),
  });
}

export type TokenState = {
  mint: SolanaAddress;
  owner: SolanaAddress;
  amount?: bigint;
  delegate?: { to: SolanaAddress; amount: bigint };
  isFrozen?: boolean;
  closeAuthority?: SolanaAddress;
};

/** The 165 bytes of a token account. A wrapped SOL account is native. */
function tokenBytes({ mint, owner, amount = 0n, delegate, isFrozen, closeAuthority }: TokenState): Buffer {
  const data = Buffer.alloc(165);
  data.set(solanaAddressBytes(mint), 0);
  data.set(solanaAddressBytes(owner), 32);
  data.writeBigUInt64LE(amount, 64);
  if (delegate) {
    data.writeUInt32LE(1, 72);
    data.set(solanaAddressBytes(delegate.to), 76);
    data.writeBigUInt64LE(delegate.amount, 121);
  }
  data[108] = isFrozen ? 2 : 1;
  if (mint === WRAPPED_SOL) {
    data.writeUInt32LE(1, 109);
    data.writeBigUInt64LE(rentOf(165), 113);
  }
  if (closeAuthority) {
    data.writeUInt32LE(1, 129);
    data.set(solanaAddressBytes(closeAuthority), 133);
  }
  return data;
}

/** Writes a token account, the owner's associated one unless `at` names another. @returns its address */
export function putToken(
  machine: Machine,
  state: TokenState,
  at?: SolanaAddress,
  program = TOKEN_PROGRAM,
): SolanaAddress {
  const where = at ?? tokenAccount(state.owner, state.mint).address;
  const wrapped = state.mint === WRAPPED_SOL ? (state.amount ?? 0n) : 0n;
  put(machine, where, program, tokenBytes(state), rentOf(165) + wrapped);
  return where;
}

export const rentOf = (bytes: number): bigint => RENT_PER_BYTE * BigInt(128 + bytes);

export function balance(machine: Machine, account: SolanaAddress): bigint {
  const data = machine.data(account);
  return data && data.length >= 72 ? Buffer.from(data).readBigUInt64LE(64) : 0n;
}

/** A mint with 6 decimals whose supply means nothing. */
export function putMint(machine: Machine, at: SolanaAddress, program = TOKEN_PROGRAM): void {
  const data = Buffer.alloc(82);
  data.writeUInt32LE(1, 0);
  data.set(solanaAddressBytes(named('mint authority')), 4);
  data.writeBigUInt64LE(2n ** 62n, 36);
  data[44] = 6;
  data[45] = 1;
  data.writeUInt32LE(1, 46);
  data.set(solanaAddressBytes(named('freeze authority')), 50);
  put(machine, at, program, data);
}
