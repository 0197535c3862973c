// Where a wallet is its owner's: a key everywhere, a contract only on the chains where its code has proven a signature. The same address can hold
// another code with other owners elsewhere.

export type WalletReach = { kind: string; provenChains: string[] };

/** The only chains on which a contract wallet is this person's; null for a key, which is the same everywhere. */
export function provenOn({ kind, provenChains }: WalletReach): string[] | null {
  return kind === 'contract' ? provenChains : null;
}

export function reaches(wallet: WalletReach, chain: string): boolean {
  return provenOn(wallet)?.includes(chain) ?? true;
}
