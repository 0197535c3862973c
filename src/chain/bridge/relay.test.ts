// What Relay may ask a wallet to send: exactly what was requested, to its configured contracts. Everything else is refused.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { concatHex, encodeFunctionData, erc20Abi, type Hex, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { RATE_ONE } from '../../domain/smartPayment.ts';
import { quoteRelay, type RelayRequest, readQuote, readRelayWebhook, relayPrice } from './relay.ts';

const [PAYER, RECIPIENT, SOLVER, THIEF, USDC] = [1, 2, 3, 4, 5].map(
  (number) => `0x${String(number).repeat(40)}` as Hex,
) as [Hex, Hex, Hex, Hex, Hex];
const ID: Hex = `0x${'a'.repeat(64)}`;
const request: RelayRequest = {
  payer: PAYER,
  recipient: RECIPIENT,
  input: { chainId: 42220, token: USDC, decimals: 6 },
  output: { chainId: 8453, token: zeroAddress === USDC ? null : RECIPIENT, decimals: 6 },
  amount: 5_000_000n,
  slippageBps: 200,
};
const call = (functionName: 'approve' | 'transfer', to: Hex, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName, args: [to, amount] });
const item = (over: object = {}) => ({
  from: PAYER,
  to: USDC,
  data: concatHex([call('transfer', SOLVER, 5_030_000n), ID]),
  value: '0',
  chainId: 42220,
  ...over,
});

function answer({
  items = [item()] as object[],
  details = {},
  steps = undefined as object[] | undefined,
  inputToken = USDC as Hex,
} = {}) {
  return {
    steps: (steps ??
      items.map((data) => ({ id: 'deposit', kind: 'transaction', requestId: ID, items: [{ data }] }))) as never,
    fees: { relayerGas: { amount: 1n, amountUsd: '0.010000' } },
    details: {
      timeEstimate: 2.2,
      currencyIn: { currency: { chainId: 42220, address: inputToken, decimals: 6 }, amount: 5_030_000n },
      currencyOut: {
        currency: { chainId: 8453, address: RECIPIENT, decimals: 6 },
        amount: 5_000_000n,
        minimumAmount: 5_000_000n,
      },
      ...details,
    },
  };
}
const read = (given: ReturnType<typeof answer>, asked = request) => readQuote(given, asked, [SOLVER]);

test('a transfer with the request behind it', () => {
  const quote = read(answer());
  expect(quote).toMatchObject({ requestId: ID, input: 5_030_000n, etaS: 3 });
  expect(quote.calls).toEqual([{ purpose: 'pay', to: USDC, data: item().data, value: 0n }]);
});

test('an approval of a configured contract, then a call of it; steps without items are skipped', () => {
  const steps = [
    {
      id: 'approve',
      kind: 'transaction',
      requestId: ID,
      items: [{ data: item({ data: call('approve', SOLVER, 5_030_000n) }) }],
    },
    { id: 'nothing', kind: 'signature', items: [] },
    { id: 'deposit', kind: 'transaction', items: [{ data: item({ to: SOLVER, data: '0x12345678' }) }] },
  ];
  expect(read(answer({ steps })).calls.map(({ purpose }) => purpose)).toEqual(['approve', 'pay']);
});

test('the native asset, as the value of a call', () => {
  const native = { ...request, input: { ...request.input, token: null } };
  const given = answer({ inputToken: zeroAddress, items: [item({ to: SOLVER, data: ID, value: '5030000' })] });
  expect(read(given, native).calls[0]).toMatchObject({ to: SOLVER, value: 5_030_000n });
});

test.each([
  ['more than was quoted', { to: SOLVER, data: ID, value: '5030001' }],
  ['another contract', { to: THIEF, data: ID, value: '5030000' }],
])('refused of the native asset: %s', (_, over) => {
  const native = { ...request, input: { ...request.input, token: null } };
  expect(() => read(answer({ inputToken: zeroAddress, items: [item(over)] }), native)).toThrow(/something unexpected/);
});

const other = { currency: { chainId: 8453, address: RECIPIENT, decimals: 6 } };
test.each<[string, Parameters<typeof answer>[0]]>([
  ['a transfer to another account', { items: [item({ data: call('transfer', THIEF, 1n) })] }],
  ['more than was quoted', { items: [item({ data: call('transfer', SOLVER, 5_030_001n) })] }],
  ['an approval of another account', { items: [item({ data: call('approve', THIEF, 1n) }), item()] }],
  ['an approval of more', { items: [item({ data: call('approve', SOLVER, 2n ** 200n) }), item()] }],
  ['another function of the token', { items: [item({ data: '0x23b872dd' })] }],
  ['a call of another contract', { items: [item({ to: THIEF })] }],
  ['a call with value', { items: [item({ value: '1' })] }],
  ['another network', { items: [item({ chainId: 8453 })] }],
  ['another wallet', { items: [item({ from: THIEF })] }],
  ['no call', { items: [] }],
  ['an approval alone', { items: [item({ data: call('approve', SOLVER, 1n) })] }],
  ['two payments', { items: [item(), item()] }],
  ['a signature', { steps: [{ id: 'sign', kind: 'signature', requestId: ID, items: [{ data: {} }] }] }],
  ['no request', { steps: [{ id: 'deposit', kind: 'transaction', items: [{ data: item() }] }] }],
  ['less that arrives', { details: { currencyOut: { ...other, amount: 4_999_999n } } }],
  ['less that may arrive', { details: { currencyOut: { ...other, amount: 5_000_000n, minimumAmount: 4_900_000n } } }],
  [
    'another asset that arrives',
    { details: { currencyOut: { currency: { ...other.currency, address: THIEF }, amount: 5_000_000n } } },
  ],
  [
    'another chain on which it arrives',
    { details: { currencyOut: { currency: { ...other.currency, chainId: 1 }, amount: 5_000_000n } } },
  ],
])('refused: %s', (_, given) => {
  expect(() => read(answer(given))).toThrow(/something unexpected/);
});

describe('a price', () => {
  const quote = { requestId: ID, input: 5_030_000n, gasUsd: 10_000n, etaS: 3, calls: [] };
  const MICRO = 10n ** 18n;
  test('flat part, and the rest in proportion', () => {
    const price = relayPrice(quote, { amount: 5_000_000n }, MICRO, MICRO, 1_000);
    expect(price).toMatchObject({ fixed: 30_000n, rate: RATE_ONE, etaS: 3, expiresAt: 26_000 });
  });
  test('a price far above the worth is none', () => {
    expect(relayPrice({ ...quote, input: 9_000_000n }, { amount: 5_000_000n }, MICRO, MICRO, 0)).toBeNull();
  });
});

describe('a webhook', () => {
  const body = JSON.stringify({
    event: 'request.status.updated',
    data: { requestId: ID.toUpperCase().replace('0X', '0x') },
  });
  const sign = (timestamp: string, text = body, key = 'a key') => ({
    timestamp,
    signature: createHmac('sha256', key).update(`${timestamp}.${text}`).digest('hex'),
  });
  const now = 1_800_000_000_000;
  test.each([String(now), String(now / 1_000)])('signed at %s', (at) => {
    expect(readRelayWebhook('a key', sign(at), body, now)).toBe(ID);
  });
  test.each([
    ['another key', sign(String(now), body, 'other'), body],
    ['another body', sign(String(now)), `${body} `],
    ['an old one', sign(String(now - 301_000)), body],
    ['one of the future', sign(String(now + 301_000)), body],
    ['no time', sign('soon'), body],
    ['no signature', { timestamp: String(now), signature: '' }, body],
    [
      'another event',
      sign(String(now), '{"event":"x","data":{"requestId":"y"}}'),
      '{"event":"x","data":{"requestId":"y"}}',
    ],
    ['no JSON', sign(String(now), 'x'), 'x'],
  ])('refused: %s', (_, signed, text) => {
    expect(readRelayWebhook('a key', signed, text, now)).toBeNull();
  });
});

test('an approval after the payment, and another asset that leaves, are refused', () => {
  const steps = [
    { id: 'deposit', kind: 'transaction', requestId: ID, items: [{ data: item({ to: SOLVER, data: '0x12345678' }) }] },
    { id: 'approve', kind: 'transaction', items: [{ data: item({ data: call('approve', SOLVER, 1n) }) }] },
  ];
  expect(() => read(answer({ steps }))).toThrow(/something unexpected/);
  expect(() => read(answer({ inputToken: THIEF }))).toThrow(/something unexpected/);
  const currency = { chainId: 1, address: USDC, decimals: 6 };
  expect(() => read(answer({ details: { currencyIn: { currency, amount: 5_030_000n } } }))).toThrow(
    /something unexpected/,
  );
});

test('a price is of amounts near the one that was quoted', () => {
  const quote = { requestId: ID, input: 5_030_000n, gasUsd: 10_000n, etaS: 3, calls: [] };
  const price = relayPrice(quote, { amount: 6_400_000n }, 10n ** 18n, 10n ** 18n, 0);
  expect(price).toMatchObject({ least: 100_001n, most: 12_800_000n });
});

test('what Relay is asked for: exactly that to arrive, and what fails back to the payer', async () => {
  const asked: object[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req
      .on('data', (chunk) => chunks.push(chunk))
      .on('end', () => {
        asked.push(JSON.parse(Buffer.concat(chunks).toString()));
        res.writeHead(400).end('{}');
      });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(quoteRelay({ root, key: undefined }, request, [SOLVER])).rejects.toThrow();
  server.close();
  expect(asked).toEqual([
    {
      ...{ user: PAYER, recipient: RECIPIENT, originChainId: 42220, destinationChainId: 8453 },
      ...{ originCurrency: USDC, destinationCurrency: RECIPIENT, amount: '5000000', tradeType: 'EXACT_OUTPUT' },
      ...{ refundTo: PAYER, slippageTolerance: '200' },
    },
  ]);
});
