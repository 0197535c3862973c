// How a payer pays: what it signed, as the routers take it. One of four gasless ways, or a transaction of its own.
import { type Hex, parseSignature } from 'viem';

/** EIP-2612, for any spender. */
export type Permit = { value: bigint; deadline: bigint; v: number; r: Hex; s: Hex };
/** Permit2 over one transfer: any unused number of the owner's, and the last Unix second. */
export type Permit2 = { nonce: bigint; deadline: bigint; signature: Hex };
/** Permit2 over draws that recur; `expiration` and `deadline` in Unix seconds. */
export type Permit2Allowance = {
  amount: bigint;
  expiration: number;
  nonce: number;
  deadline: bigint;
  signature: Hex;
};
/** EIP-3009; usable after the first second and before the second. */
export type Authorization = { validAfter: bigint; validBefore: bigint; signature: Hex };

/** No permit: the subscription router tries none whose deadline is zero. */
export const NO_PERMIT: Permit = {
  value: 0n,
  deadline: 0n,
  v: 0,
  r: `0x${'00'.repeat(32)}`,
  s: `0x${'00'.repeat(32)}`,
};

/** @param signature 65 bytes of a key; what only a contract wallet understands cannot go as three numbers. @throws when it is none */
export function permitOf({ value, deadline }: { value: bigint; deadline: bigint }, signature: Hex): Permit {
  const { r, s, yParity } = parseSignature(signature);
  return { value, deadline, v: 27 + yParity, r, s };
}
