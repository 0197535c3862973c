// No page may stand where the wallet's passkeys reach: at its host, whatever the port, or below it.
import { expect, test } from 'vitest';
import { walletOriginProblem, walletPlaceOf } from './walletOrigin.ts';

const problem = (wallet: string, base: string) => walletOriginProblem(wallet, { BASE_URL: base });

test.each([
  ['https://wallet.example.com', 'https://pay.example.com'],
  ['https://wallet.example', 'https://pay.example:8443'],
  ['http://wallet.localhost:8080', 'http://app.localhost:8080'],
  ['http://localhost:8080', 'http://127.0.0.1:8080'],
  // Ends alike, and is no name below it.
  ['https://pay.example', 'https://notpay.example'],
])('%s may be the wallet of %s', (wallet, base) => {
  expect(problem(wallet, base)).toBeNull();
});

test.each([
  ['the same host', 'https://pay.example', 'https://pay.example', /has the host of BASE_URL/],
  ['the same at another port', 'https://pay.example:444', 'https://pay.example', /has the host of BASE_URL/],
  ['the same with its closing dot', 'https://pay.example', 'https://pay.example.', /has the host of BASE_URL/],
  ['pages below it', 'https://example.com', 'https://pay.example.com', /one below the other/],
  ['below the pages', 'https://wallet.pay.example', 'https://pay.example', /one below the other/],
  ['below localhost', 'http://wallet.localhost:1', 'http://localhost:1', /one below the other/],
  ['no TLS', 'http://wallet.example', 'https://pay.example', /begin with https/],
  ['an address', 'https://10.0.0.1', 'https://pay.example', /names, not to IP addresses/],
  ['an address of IPv6', 'https://[::1]', 'https://pay.example', /names, not to IP addresses/],
  ['a path', 'https://wallet.example/w', 'https://pay.example', /an origin alone/],
  ['a slash', 'https://wallet.example/', 'https://pay.example', /an origin alone/],
  ['a password', 'https://a:b@wallet.example', 'https://pay.example', /an origin alone/],
])('refuses %s', (_name, wallet, base, message) => {
  expect(problem(wallet, base)).toMatch(message);
});

test.each([
  ['wallet.example', 'wallet'],
  ['Wallet.Example:8443', 'wallet'],
  ['wallet.example.', 'wallet'],
  ['a.wallet.example', 'below'],
  ['notwallet.example', 'elsewhere'],
  ['pay.example', 'elsewhere'],
  [undefined, 'elsewhere'],
])('a request to %s is for: %s', (host, place) => {
  expect(walletPlaceOf('https://wallet.example', host)).toBe(place);
});
