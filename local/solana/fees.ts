// What a transaction costs: 5,000 lamports a signature, and its compute unit price times its limit.
import { SYSTEM_PROGRAM } from './accounts.ts';
import type { Message } from './wire.ts';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const LAMPORTS_PER_SIGNATURE = 5_000;
/** The limit of what sets none, by program. */
const UNITS_OF_BUILTIN = 3_000;
const UNITS_OF_PROGRAM = 200_000;
const MOST_UNITS = 1_400_000;
const BUILTINS = new Set([
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET,
  'Vote111111111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);
/** Their first byte counts the signatures that they check; each costs as much as one of the transaction. */
const SIGNATURE_PROGRAMS = new Set([
  'KeccakSecp256k11111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);

export function feeOf(message: Message): number {
  const programs = message.instructions.map(({ programIdIndex, data }) => ({
    program: message.keys[programIdIndex] ?? '',
    data: Buffer.from(data),
  }));
  const checked = programs
    .filter(({ program }) => SIGNATURE_PROGRAMS.has(program))
    .reduce((sum, { data }) => sum + (data[0] ?? 0), 0);
  const { price, limit } = computeBudgetOf(programs);
  const priority = (price * BigInt(limit) + 999_999n) / 1_000_000n;
  return LAMPORTS_PER_SIGNATURE * (message.header.numRequiredSignatures + checked) + Number(priority);
}

/** In micro-lamports a compute unit. */
export function priorityPriceOf(message: Message): number {
  const programs = message.instructions.map(({ programIdIndex, data }) => ({
    program: message.keys[programIdIndex] ?? '',
    data: Buffer.from(data),
  }));
  return Number(computeBudgetOf(programs).price);
}

function computeBudgetOf(programs: { program: string; data: Buffer }[]): { price: bigint; limit: number } {
  let price = 0n;
  let limit: number | null = null;
  for (const { program, data } of programs) {
    if (program !== COMPUTE_BUDGET) continue;
    if (data[0] === 2 && data.length >= 5) limit = data.readUInt32LE(1);
    if (data[0] === 3 && data.length >= 9) price = data.readBigUInt64LE(1);
  }
  const own = programs.reduce(
    (sum, { program }) => sum + (BUILTINS.has(program) ? UNITS_OF_BUILTIN : UNITS_OF_PROGRAM),
    0,
  );
  return { price, limit: Math.min(limit ?? own, MOST_UNITS) };
}
