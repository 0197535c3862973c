/** The chains that may be typed behind `on`, what native asset each has and which kind of address it pays to. */
import type { Recipient, Unit } from './result.ts';

type Chain = { native: Unit; isSolana: boolean };

const CHAINS: ReadonlyMap<string, Chain> = new Map([
  ['base', { native: 'ETH', isSolana: false }],
  ['bsc', { native: 'BNB', isSolana: false }],
  ['ink', { native: 'ETH', isSolana: false }],
  ['celo', { native: 'CELO', isSolana: false }],
  ['solana', { native: 'SOL', isSolana: true }],
  ['base-sepolia', { native: 'ETH', isSolana: false }],
]);

export function isChain(name: string): boolean {
  return CHAINS.has(name);
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
  return unit === 'USDC' || unit === 'USD' || CHAINS.get(chain)?.native === unit;
}

/** Whether an address can be paid on a chain. */
export function chainReaches(chain: string, address: string): boolean {
  return CHAINS.get(chain)?.isSolana === !address.startsWith('0x');
}

/** Whether an address can hold a unit on any chain. */
export function addressHolds(recipient: Recipient, unit: Unit): boolean {
  const isSolana = !recipient.value.startsWith('0x');
  return unit === 'USDC' || unit === 'USD' || isSolana === (unit === 'SOL');
}
