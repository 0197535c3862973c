/** The chains that may be typed behind `on`, what native asset each has and which kind of address it pays to. */
import { type ChainName, findChain } from '../chains.ts';
import type { Recipient, Unit } from './result.ts';

/** What people call a chain beside its own name. */
const ALIASES: ReadonlyMap<string, ChainName> = new Map([
  ['bnb', 'bsc'],
  ['binance', 'bsc'],
  ['sol', 'solana'],
]);

export function isChain(name: string): boolean {
  return findChain(name) !== undefined;
}

/** The chain that a word behind `on` names. */
export function chainNamed(word: string): ChainName | undefined {
  return findChain(word)?.name ?? ALIASES.get(word);
}

/** Words that would turn `on base` into another network than the one named. */
export function isTestNetworkWord(word: string): boolean {
  return /^\(?(?:sepolia|goerli|testnet|devnet|test)\)?$/.test(word);
}

/** What may stand behind the name of a chain: `BNB Smart Chain`. */
export function isNetworkWord(word: string): boolean {
  return word === 'chain' || word === 'network' || word === 'mainnet' || word === 'smart';
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
