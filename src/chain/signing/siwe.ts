// Sign-In with Ethereum (EIP-4361): the text that a wallet signs, read strictly.
import { createSiweMessage, parseSiweMessage, type SiweMessage } from 'viem/siwe';

/** What a sign-in message says in either family of chains. */
export type SignInTerms = {
  domain: string;
  uri: string;
  version: string;
  nonce: string;
  /** Unix milliseconds. */
  issuedAt: number;
  expirationTime: number | null;
  notBefore: number | null;
};
export type SignInMessage = SignInTerms & { address: `0x${string}`; chainId: number };

const TIME_LINE = /^(Issued At|Expiration Time|Not Before): (.+)$/gm;

/**
 * The fields of a message, or null when it is not exactly such a message: what is read is written again and must give the same text, so
 * that nothing stands in it which a person saw and we did not.
 */
export function readSignInMessage(text: string): SignInMessage | null {
  try {
    const fields = parseSiweMessage(text) as SiweMessage;
    if (createSiweMessage(fields) !== withPlainTimes(text)) return null;
    const { domain, address, uri, version, chainId, nonce, issuedAt, expirationTime, notBefore, scheme } = fields;
    if (scheme !== undefined || issuedAt === undefined) return null;
    return {
      domain,
      address,
      uri,
      version,
      chainId,
      nonce,
      issuedAt: issuedAt.getTime(),
      expirationTime: expirationTime?.getTime() ?? null,
      notBefore: notBefore?.getTime() ?? null,
    };
  } catch {
    return null;
  }
}

/** Times may be written without milliseconds or in another zone. */
function withPlainTimes(text: string): string {
  return text.replace(TIME_LINE, (_line, name: string, time: string) => `${name}: ${new Date(time).toISOString()}`);
}
