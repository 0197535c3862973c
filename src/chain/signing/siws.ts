// Sign In With Solana: the text that a wallet signs, read strictly.
import { readSolanaAddress } from '../../domain/solanaAddress.ts';
import { solanaSignInText } from '../../domain/solanaSignIn.ts';
import type { SignInTerms } from './siwe.ts';

export type SolanaSignInMessage = SignInTerms & {
  /** Base58. */
  address: string;
  chainId: string;
};

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)`;
/** The statement is one line of visible characters, so that no field can hide in it. */
const MESSAGE = new RegExp(
  [
    String.raw`^(?<domain>[^\s/?#@]+) wants you to sign in with your Solana account:`,
    '(?<address>[1-9A-HJ-NP-Za-km-z]{32,44})',
    String.raw`(?:\n(?<statement>[^\p{C}\p{Zl}\p{Zp}]+)\n)?`,
    String.raw`URI: (?<uri>\S+)`,
    String.raw`Version: (?<version>\S+)`,
    String.raw`Chain ID: (?<chainId>\S+)`,
    'Nonce: (?<nonce>[A-Za-z0-9]{8,})',
    String.raw`Issued At: (?<issuedAt>${TIME})(?:\nExpiration Time: (?<expirationTime>${TIME}))?(?:\nNot Before: (?<notBefore>${TIME}))?$`,
  ].join(String.raw`\n`),
  'u',
);

/**
 * The fields of a message, or null when it is not exactly such a message: what is read is written again and must give the same text. Request ids and
 * resources are not part of it: the service asks for none.
 */
export function readSolanaSignIn(text: string): SolanaSignInMessage | null {
  const read = MESSAGE.exec(text)?.groups;
  if (!read) return null;
  const { domain = '', address = '', uri = '', version = '', chainId = '', nonce = '', issuedAt = '' } = read;
  const [statement, expirationTime, notBefore] = [read['statement'], read['expirationTime'], read['notBefore']].map(
    (part) => part ?? null,
  ) as [string | null, string | null, string | null];
  const fields = { domain, address, uri, version, chainId, nonce };
  if (solanaSignInText({ ...fields, statement, issuedAt, expirationTime, notBefore }) !== text) return null;
  const times = { issuedAt: Date.parse(issuedAt), expirationTime: msOf(expirationTime), notBefore: msOf(notBefore) };
  if (Object.values(times).some(Number.isNaN) || readSolanaAddress(address) === null) return null;
  return { ...fields, ...times };
}

function msOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}
