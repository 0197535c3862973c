// The steps of a payment as the command line shows them, against whatever order they are seen in.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PAYMENT_STEPS } from '../domain/checkout.ts';
import { stepTeller } from './paymentSteps.ts';

function toldOf(seen: readonly string[]): string[] {
  const told: string[] = [];
  const tell = stepTeller((words) => told.push(words));
  for (const step of seen) tell(step);
  return told;
}

const ALL = toldOf(PAYMENT_STEPS);

test('a step that lies before the last one is never shown, nor one twice', () => {
  expect(ALL).toEqual(['preparing the payment', 'payment submitted', 'in a block, waiting for confirmations']);
  expect(toldOf(['waiting', 'confirming', 'submitted', 'confirming', 'settled'])).toEqual([ALL[2]]);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PAYMENT_STEPS, 'waiting', 'ended')), (seen) => {
      const ranks = toldOf(seen).map((words) => ALL.indexOf(words));
      expect(ranks).toEqual([...new Set(ranks)].sort());
    }),
  );
});
