// Says that something waits for the reader, and leads there; nothing where nothing waits.
import { Gift } from 'lucide-react';
import { ButtonLink } from '../ui/Button.tsx';
import { useTabs } from './tabsApi.ts';
import { claimable, sumOf } from './waiting.ts';

export function WaitingHint() {
  const { data } = useTabs('recipient');
  const waiting = claimable(data?.pages.flatMap((page) => page.escrows) ?? []);
  const [only] = waiting;
  if (!only) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-2xl bg-soft px-4 py-3 sm:px-6"
    >
      <p className="flex min-w-0 items-center gap-3">
        <Gift aria-hidden="true" className="size-5 shrink-0 text-accent" />
        <span>
          <b className="font-semibold amount">{sumOf(waiting)}</b> {waiting.length === 1 ? 'waits' : 'wait'} for you
          {waiting.length === 1 ? `, from ${only.sender_label}` : ` in ${waiting.length} tabs`}.
        </span>
      </p>
      <ButtonLink href={waiting.length === 1 ? `/tabs/${only.id}` : '/tabs'}>Look and claim</ButtonLink>
    </div>
  );
}
