/** The chains that may be typed behind `on`, what native asset each has and which kind of address it pays to. */
import { findChain } from '../chains.ts';
import type { Recipient, Unit } from './result.ts';

export function isChain(name: string): boolean {
  return findChain(name) !== undefined;
}

/** Words that would turn `on base` into another network than the one named. */
export function isTestNetworkWord(word: string): boolean {
  return /^\(?(?:sepolia|goerli|testnet|devnet|test)\)?$/.test(word);
}

export function isNetworkWord(word: string): boolean {
  return word === 'chain' || word === 'network' || word === 'mainnet';
}

/** Whether a unit exists on a chain; dollar units exist on all. */
export function chainHolds(chain: string, unit: Unit): boolean {
  return unit === 'USDC' || unit === 'USD' || findChain(chain)?.native === unit;
}

/** Whether an address can be paid on a chain. */
export function chainReaches(chain: string, address: string): boolean {
  return findChain(chain)?.family === (address.startsWith('0x') ? 'evm' : 'solana');
}

/** Whether an address can hold a unit on any chain. */
export function addressHolds(recipient: Recipient, unit: Unit): boolean {
  const isSolana = !recipient.value.startsWith('0x');
  return unit === 'USDC' || unit === 'USD' || isSolana === (unit === 'SOL');
}
