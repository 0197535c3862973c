// How many payments one transaction has: so many that it finds room in a block.

/** The part of a block that one transaction may use, in percent. */
const BLOCK_SHARE = 60n;
/** Chains with EIP-7825 take no transaction above 16,777,216. */
const TX_GAS = 16_000_000n;

/** @param gasFor the gas limit of a transaction with so many @returns at least 1 */
export function batchSize(blockGas: bigint, most: number, gasFor: (count: number) => bigint): number {
  let count = most;
  const fits = () => gasFor(count) <= TX_GAS && gasFor(count) * 100n <= blockGas * BLOCK_SHARE;
  while (count > 1 && !fits()) count = Math.ceil(count / 2);
  return count;
}
