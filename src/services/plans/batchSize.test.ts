import { expect, test } from 'vitest';
import { gasForGrants } from '../../chain/routers/campaign.ts';
import { gasForCharges } from '../../chain/routers/charges.ts';
import { batchSize } from './batchSize.ts';

/** EIP-7825. */
const CAP = 16_777_216n;

test.each([
  [30_000_000n, 150, 150],
  [400_000_000n, 150, 150],
  [400_000_000n, 200, 100],
  [10_000_000n, 150, 38],
  [400_000n, 150, 1],
])('in a block of %d gas, of %d at most: %d', (blockGas, most, count) => {
  expect(batchSize(blockGas, most, gasForCharges)).toBe(count);
});

test.each([gasForCharges, gasForGrants])('no transaction is above the cap of a transaction', (gasFor) => {
  for (let most = 1; most <= 1_000; most += 1)
    expect(gasFor(batchSize(10n ** 12n, most, gasFor))).toBeLessThanOrEqual(CAP);
});
