// The only text that a passkey signs is the sign-in of the site that it stands on.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { SIGN_IN_STATEMENT } from '../../../../src/domain/signInStatement.ts';
import { explainSignIn } from './signInText.ts';

const OWN = '0xFD6f7973fDe51A82f7a664Fd6E0a255eF0f11647';
const LINES = [
  'pay.example wants you to sign in with your Ethereum account:',
  OWN,
  '',
  SIGN_IN_STATEMENT,
  '',
  'URI: https://pay.example',
  'Version: 1',
  'Chain ID: 8453',
  'Nonce: 0123456789abcdef',
  'Issued At: 2026-11-29T12:00:00.000Z',
  'Expiration Time: 2026-11-29T12:05:00.000Z',
];

beforeAll(() => void vi.stubGlobal('location', { host: 'pay.example', origin: 'https://pay.example' }));
afterAll(() => void vi.unstubAllGlobals());

const withLine = (index: number, line: string) => LINES.with(index, line).join('\n');

it('says where, and with which wallet', () => {
  const { title, text, facts } = explainSignIn(LINES.join('\n'), OWN);
  expect(title).toBe('Sign in at pay.example');
  expect(text).toContain('Sign in to Ampersat.');
  expect(facts).toEqual([{ name: 'Wallet', value: OWN }]);
});

it.each([
  ['any other text', 'I owe you 5 USDC.'],
  ['another site', withLine(0, 'evil.example wants you to sign in with your Ethereum account:')],
  ['another account', withLine(1, '0x0000000000000000000000000000000000000001')],
  ['another address of a page', withLine(5, 'URI: https://evil.example')],
  ['another statement', withLine(3, 'I owe you 5 USDC.')],
  ['another version', withLine(6, 'Version: 2')],
  ['no time', LINES.slice(0, -1).join('\n')],
  ['more lines', [...LINES, 'Resources:', '- https://evil.example'].join('\n')],
  ['a statement of two lines', withLine(3, 'Sign in.\nAnd pay.')],
])('refuses %s', (_name, text) => {
  expect(() => explainSignIn(text, OWN)).toThrow('signs no text but the sign-in');
});
