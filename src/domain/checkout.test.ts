// What the checkout decides by itself.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  LAST_PAYMENT_MS,
  PAYMENT_STEPS,
  type PaymentFacts,
  type PaymentStep,
  type PaymentStepName,
  paymentStep,
  paymentUri,
  whyNotPayable,
} from './checkout.ts';
import { nextStatus } from './lifecycle.ts';
import { ORDER, ORDER_SUBMISSION, type OrderAction, type OrderStatus, type SubmissionAction } from './order.ts';

test('an address to pay to is asked for by EIP-681, for a token and for the native asset', () => {
  const address = '0x00000000000000000000000000000000000000aa';
  const ask = { chainId: 8453, address, units: 25_000_000n };
  expect(paymentUri({ ...ask, token: '0xbb' })).toBe(`ethereum:0xbb@8453/transfer?address=${address}&uint256=25000000`);
  expect(paymentUri({ ...ask, token: null })).toBe(`ethereum:${address}@8453?value=25000000`);
});

test('only an order that waits, with time left, can be paid; every other state says why in words of its own', () => {
  const end = 1_000_000;
  expect(whyNotPayable('awaiting_payment', end, end - LAST_PAYMENT_MS)).toBeNull();
  expect(whyNotPayable('awaiting_payment', end, end - LAST_PAYMENT_MS + 1)).toMatch(/nearly over/);
  expect(whyNotPayable('awaiting_payment', end, end + 1)).toMatch(/has expired/);
  const ended = (Object.keys(ORDER) as OrderStatus[]).filter((status) => Object.keys(ORDER[status]).length === 0);
  expect(ended.map((status) => whyNotPayable(status, end, 0)?.split(' ')[0])).toEqual(['This', 'This', 'The']);
});

describe('the step that a payment is at', () => {
  type Model = PaymentFacts & { inBlock: boolean };
  type Move = (now: Model) => Model | null;
  const order =
    (action: OrderAction): Move =>
    (now) => {
      const status = nextStatus(ORDER, now.status, action);
      return status && { ...now, status };
    };
  const sending =
    (action: SubmissionAction, more: (now: Model) => Partial<Model> = () => ({})): Move =>
    (now) => {
      const status = now.sending && nextStatus(ORDER_SUBMISSION, now.sending.status, action);
      return status && now.sending && { ...now, ...more(now), sending: { ...now.sending, status } };
    };
  /** What the rows of an order go through, each as its writer does it; the chain is looked at at any moment. */
  const MOVES: Record<string, Move> = {
    sign: (now) =>
      now.status === 'awaiting_payment' && (now.sending === null || now.sending.status === 'failed')
        ? { ...now, sending: { status: 'queued', mined: false }, inBlock: false }
        : null,
    sendAlone: sending('submit'),
    takeOrder: (now) => (now.sending?.status === 'submitted' ? order('submit')(now) : null),
    mine: (now) =>
      now.sending?.status === 'submitted' ? { ...now, inBlock: true, sending: { ...now.sending, mined: true } } : null,
    reorg: (now) => (now.inBlock ? { ...now, inBlock: false } : null),
    finalise: (now) => (now.inBlock && now.status === 'processing' ? sending('settle')(now) : null),
    settle: (now) => (now.sending?.status === 'settled' ? order('settle')(now) : null),
    fail: sending('fail'),
    release: (now) => (now.sending?.status === 'failed' ? order('release')(now) : null),
    expire: (now) => (now.sending === null || now.sending.status === 'failed' ? order('expire')(now) : null),
  };
  const START: Model = { status: 'awaiting_payment', sending: null, own: null, inBlock: false };
  const rank = (step: PaymentStep) => PAYMENT_STEPS.indexOf(step as PaymentStepName);

  test('never goes back but by a failure, whatever happens in whatever order', () => {
    let confirmed = 0;
    fc.assert(
      fc.property(fc.array(fc.nat(100), { maxLength: 40 }), (choices) => {
        let now = START;
        for (const choice of choices) {
          const possible = Object.entries(MOVES).flatMap(([name, move]) => {
            const next = move(now);
            return next ? [{ name, next }] : [];
          });
          const taken = possible[choice % possible.length];
          if (!taken) break;
          const { name, next } = taken;
          const [before, after] = [paymentStep(now), paymentStep(next)];
          if (after === 'confirming') confirmed += 1;
          const isNewTry = next.sending?.status === 'failed' || after === 'ended';
          if (!isNewTry)
            expect([name, rank(after) >= rank(before), before, after]).toEqual([name, true, before, after]);
          now = next;
        }
      }),
      { numRuns: 2_000 },
    );
    expect(confirmed).toBeGreaterThan(200);
  });

  test('a payment that is final stays at its last step until the order is completed', () => {
    const facts = { status: 'processing', sending: { status: 'settled', mined: true }, own: null } as const;
    expect(paymentStep(facts)).toBe('confirming');
    expect(paymentStep({ ...facts, status: 'completed' })).toBe('settled');
  });

  test('a payer’s own transaction is followed while the order waits', () => {
    const facts = { status: 'awaiting_payment', sending: null } as const;
    expect(paymentStep({ ...facts, own: null })).toBe('waiting');
    expect(paymentStep({ ...facts, own: { mined: false } })).toBe('submitted');
    expect(paymentStep({ ...facts, own: { mined: true } })).toBe('confirming');
  });
});
