// Where a wallet is its owner's: a key everywhere, a contract only on the chains where its code has proven a signature. The same address can hold
// another code with other owners elsewhere.

export type WalletReach = { kind: string; provenChains: readonly string[] };

export function reaches({ kind, provenChains }: WalletReach, chain: string): boolean {
  return kind !== 'contract' || provenChains.includes(chain);
}
