// The steps of a payment as the command line tells them: forward only, in the order of the one notion of them.
import { PAYMENT_STEPS, type PaymentStepName } from '../domain/checkout.ts';

const STEP_WORDS: Record<PaymentStepName, string | null> = {
  preparing: 'preparing the payment',
  submitted: 'payment submitted',
  confirming: 'in a block, waiting for confirmations',
  // Told with its transaction, by who follows the payment.
  settled: null,
};

/** @returns a listener for each observed step; one that lies before the last is not printed again */
export function stepTeller(tell: (words: string) => void): (step: string) => void {
  let last = -1;
  return (step) => {
    const at = PAYMENT_STEPS.indexOf(step as PaymentStepName);
    if (at <= last) return;
    last = at;
    const words = STEP_WORDS[PAYMENT_STEPS[at] as PaymentStepName];
    if (words !== null) tell(words);
  };
}
