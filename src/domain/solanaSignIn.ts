// The text of Sign In With Solana, as wallets write it: that of EIP-4361 with an account of Solana.

export type SolanaSignInFields = {
  domain: string;
  address: string;
  statement: string | null;
  uri: string;
  version: string;
  chainId: string;
  nonce: string;
  /** ISO 8601, as in the two that follow. */
  issuedAt: string;
  expirationTime: string | null;
  notBefore: string | null;
};

export function solanaSignInText(fields: SolanaSignInFields): string {
  const { domain, address, statement, uri, version, chainId, nonce, issuedAt, expirationTime, notBefore } = fields;
  return [
    `${domain} wants you to sign in with your Solana account:`,
    address,
    '',
    ...(statement === null ? [] : [statement, '']),
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    ...(expirationTime === null ? [] : [`Expiration Time: ${expirationTime}`]),
    ...(notBefore === null ? [] : [`Not Before: ${notBefore}`]),
  ].join('\n');
}

/** Names of one cluster in messages: its own, the wallet standard's, and the one of CAIP-2 where it has one. */
const CLUSTERS: readonly (readonly string[])[] = [
  ['mainnet', 'solana:mainnet', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['localnet', 'solana:localnet'],
];

export type SolanaCluster = 'mainnet' | 'localnet';

export function isSameCluster(one: string, other: string): boolean {
  return one === other || CLUSTERS.some((names) => names.includes(one) && names.includes(other));
}
