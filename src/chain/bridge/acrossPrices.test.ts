// What Across's API says of its price: what is too little or too dear is none, and what is asked always suffices for the relayer.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenFor } from '../../domain/smartPayment.ts';
import { acrossPrice } from './acrossPrices.ts';

let server: Server;
let said: object;
let asked: URL;
beforeAll(async () => {
  server = createServer((request, response) => {
    asked = new URL(request.url ?? '', 'http://local');
    response.setHeader('content-type', 'application/json').end(JSON.stringify(said));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(() => void server.close());

const part = (pct: string, total: string) => ({ pct, total });
const fees = (over: object = {}) => ({
  relayerCapitalFee: part('100000000000000', '1000'),
  relayerGasFee: part('0', '3001'),
  lpFee: part('33333333333333', '300'),
  isAmountTooLow: false,
  estimatedFillTimeSec: 2.2,
  limits: { minDeposit: '500000', maxDeposit: '1000000000' },
  ...over,
});
async function price(answer: object, [inputDecimals, outputDecimals]: [number, number] = [6, 6]) {
  said = answer;
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return acrossPrice(
    { root, integratorId: undefined },
    {
      ...{ origin: 1, destination: 2, amount: 10_000_000n, inputDecimals, outputDecimals },
      ...{ inputToken: `0x${'1'.repeat(40)}`, outputToken: `0x${'2'.repeat(40)}` },
    },
    1_000,
  );
}
const must = async (answer: object, decimals?: [number, number]) => {
  const found = await price(answer, decimals);
  if (!found) throw new Error('a price');
  return found;
};

describe('Across’s price', () => {
  test('is none where the amount is too low, and above a tenth of it', async () => {
    expect(await price(fees({ isAmountTooLow: true }))).toBeNull();
    expect(await price(fees({ lpFee: part('100000000000000001', '1') }))).toBeNull();
    expect(await price(fees({ lpFee: part('99900000000000000', '1') }))).not.toBeNull();
    expect(asked.searchParams.get('amount')).toBe('10000000');
  });

  test('leaves the relayer at least what it asked for, whatever the amount', async () => {
    for (const [decimals, scale] of [
      [[6, 6], 1n],
      [[18, 6], 10n ** 12n],
    ] as [[number, number], bigint][]) {
      const found = await must(fees({ relayerGasFee: part('0', String(3001n * scale)) }), decimals);
      for (let arrives = 1_000_000n; arrives < 1_000_400n; arrives += 1n) {
        const input = givenFor(found, arrives);
        const kept = 10n ** 18n - 133_333_333_333_333n;
        const left = input * kept - 3001n * scale * 10n ** 18n;
        expect(left >= arrives * scale * 10n ** 18n, `${arrives}`).toBe(true);
      }
    }
  });

  test('has the limits of what may be deposited', async () => {
    const { least, most } = await must(fees());
    const out = (input: bigint) => (input * (10n ** 18n - 133_333_333_333_333n)) / 10n ** 18n - 3001n;
    expect([least, most]).toEqual([out(500_000n) + 1n, out(1_000_000_000n)]);
  });
});
