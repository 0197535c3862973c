// Where a wallet is its owner's: a key everywhere, a contract only on the chains where its code has proven a signature. The same address can hold
// another code with other owners elsewhere.

import { CHAINS, type ChainName } from './chains.ts';
import type { WalletFamily } from './walletFamily.ts';

export type WalletReach = { kind: string; provenChains: string[] };

/** The only chains on which a contract wallet is this person's; null for a key, which is the same everywhere. */
export function provenOn({ kind, provenChains }: WalletReach): string[] | null {
  return kind === 'contract' ? provenChains : null;
}

export function reaches(wallet: WalletReach, chain: string): boolean {
  return provenOn(wallet)?.includes(chain) ?? true;
}

/** A wallet on the chains of its family, and the only ones of them where it is its owner's; null for all. */
export type Place = { address: string; on: string[] | null };
/** A handle's wallets, one of a family at most. */
export type Places = Partial<Record<WalletFamily, Place>>;

export function placesOf(wallets: readonly (WalletReach & { family: string; address: string })[]): Places {
  return Object.fromEntries(
    wallets.map((wallet) => [wallet.family, { address: wallet.address, on: provenOn(wallet) }]),
  ) as Places;
}

/** Null where there is no wallet of a chain's family. */
export function placeOn(places: Places, chain: ChainName): Place | null {
  return places[CHAINS[chain].family] ?? null;
}

/** Whether there is a wallet of the chain's family that is its owner's there. */
export function reachesOn(places: Places, chain: ChainName): boolean {
  const place = placeOn(places, chain);
  return place !== null && (place.on?.includes(chain) ?? true);
}
