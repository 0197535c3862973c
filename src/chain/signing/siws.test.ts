// Reading the text of Sign In With Solana: exactly what wallets write, and nothing beside it.
import { describe, expect, test } from 'vitest';
import { solanaSignInText } from '../../domain/solanaSignIn.ts';
import { readSolanaSignIn } from './siws.ts';

const ADDRESS = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
/** As the standard’s own library writes it. */
const WHOLE = `pay.example wants you to sign in with your Solana account:
${ADDRESS}

Sign in to Ampersat. This moves no money and allows nothing.

URI: https://pay.example
Version: 1
Chain ID: mainnet
Nonce: 0123456789abcdef
Issued At: 2026-11-27T12:00:00.000Z
Expiration Time: 2026-11-27T12:05:00Z
Not Before: 2026-11-27T14:00:00+02:00`;

describe('a message', () => {
  test('gives its fields', () => {
    expect(readSolanaSignIn(WHOLE)).toEqual({
      domain: 'pay.example',
      address: ADDRESS,
      uri: 'https://pay.example',
      version: '1',
      chainId: 'mainnet',
      nonce: '0123456789abcdef',
      issuedAt: Date.UTC(2026, 10, 27, 12),
      expirationTime: Date.UTC(2026, 10, 27, 12, 5),
      notBefore: Date.UTC(2026, 10, 27, 12),
    });
  });

  test('is the one that is written from the same fields', () => {
    const text = solanaSignInText({
      domain: 'pay.example',
      address: ADDRESS,
      statement: 'Sign in to Ampersat. This moves no money and allows nothing.',
      uri: 'https://pay.example',
      version: '1',
      chainId: 'mainnet',
      nonce: '0123456789abcdef',
      issuedAt: '2026-11-27T12:00:00.000Z',
      expirationTime: '2026-11-27T12:05:00Z',
      notBefore: '2026-11-27T14:00:00+02:00',
    });
    expect(text).toBe(WHOLE);
  });

  test('needs no statement, no end and no beginning', () => {
    const short = WHOLE.replace(/Sign in to .+\n\n/, '')
      .replace(/\nExpiration.+/, '')
      .replace(/\nNot Before.+/, '');
    expect(readSolanaSignIn(short)).toMatchObject({ address: ADDRESS, expirationTime: null, notBefore: null });
  });

  test.each<[string, (text: string) => string]>([
    ['nothing', () => ''],
    ['another kind of account', (text) => text.replace('Solana', 'Ethereum')],
    ['a scheme', (text) => `https://${text}`],
    ['text before', (text) => `Hello\n${text}`],
    ['text after', (text) => `${text}\nAnd I give away everything.`],
    ['a line break after', (text) => `${text}\n`],
    ['line breaks of Windows', (text) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text) => `\uFEFF${text}`],
    ['no URI', (text) => text.replace(/URI: .+\n/, '')],
    ['two URIs', (text) => text.replace('URI: ', 'URI: https://evil.example\nURI: ')],
    ['no nonce', (text) => text.replace(/Nonce: .+\n/, '')],
    ['two nonces', (text) => text.replace('Nonce: ', 'Nonce: aaaaaaaaaaaaaaaa\nNonce: ')],
    ['a short nonce', (text) => text.replace(/Nonce: .+/, 'Nonce: 1234567')],
    ['fields in another order', (text) => text.replace(/(Version: 1)\n(Chain ID: mainnet)/, '$2\n$1')],
    ['no chain', (text) => text.replace(/Chain ID: .+\n/, '')],
    ['no time of issue', (text) => text.replace(/Issued At: .+\n/, '')],
    ['a time that is none', (text) => text.replace(/Issued At: .+/, 'Issued At: 2026-13-45T12:00:00Z')],
    ['a time in words', (text) => text.replace(/Issued At: .+/, 'Issued At: tomorrow')],
    ['a statement of two lines', (text) => text.replace('Ampersat. ', 'Ampersat.\n')],
    ['a statement with hidden characters', (text) => text.replace('Ampersat', 'Amper\u202Esat')],
    ['an EVM address', (text) => text.replace(ADDRESS, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')],
    ['an address that is too short', (text) => text.replace(ADDRESS, ADDRESS.slice(2))],
    ['an address in lower case', (text) => text.replace(ADDRESS, ADDRESS.toLowerCase())],
    ['a request id', (text) => `${text}\nRequest ID: 1`],
    ['resources', (text) => `${text}\nResources:\n- https://evil.example`],
  ])('with %s is none', (_what, change) => {
    expect(readSolanaSignIn(change(WHOLE))).toBeNull();
  });
});
