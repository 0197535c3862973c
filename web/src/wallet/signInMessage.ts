// The text that signs in, by EIP-4361: from what the service gave for it, and the address that signs.
export type SignInStart = {
  nonce: string;
  domain: string;
  uri: string;
  statement: string;
  version: string;
  chains: { name: string; label: string; chain_id: number }[];
  solana: { chain_id: string };
  issued_at: string;
  expires_at: string;
};

export function signInMessage(fields: SignInStart, address: string, chainId: number): string {
  return [
    `${fields.domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    fields.statement,
    '',
    `URI: ${fields.uri}`,
    `Version: ${fields.version}`,
    `Chain ID: ${chainId}`,
    `Nonce: ${fields.nonce}`,
    `Issued At: ${fields.issued_at}`,
    `Expiration Time: ${fields.expires_at}`,
  ].join('\n');
}
