// Whether a payment link accepts payments, and why not.
import { Pill } from '../../ui/Pill.tsx';
import type { PaymentLink } from './linksApi.ts';

export const STATE_WORDS: Record<PaymentLink['state'], string> = {
  active: 'Active',
  inactive: 'Inactive',
  expired: 'Expired',
  used_up: 'Used up',
};

export function LinkStatus({ state }: Pick<PaymentLink, 'state'>) {
  return <Pill tone={state === 'active' ? 'good' : 'quiet'}>{STATE_WORDS[state]}</Pill>;
}
