// Whether a payment link accepts payments.
import { Pill } from '../../ui/Pill.tsx';

export function LinkStatus({ active }: { active: boolean }) {
  return <Pill tone={active ? 'good' : 'quiet'}>{active ? 'Active' : 'Inactive'}</Pill>;
}
