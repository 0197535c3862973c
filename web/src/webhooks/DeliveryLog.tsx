// The deliveries of one endpoint, the newest first: all of them, those that wait, those that failed for good, and the way to replay these.
import { useState } from 'react';
import type { DeliveryStatus } from '../../../src/domain/delivery.ts';
import { navigate, useSearch } from '../router.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyNote } from '../ui/notices.tsx';
import { DeliveryList } from './DeliveryList.tsx';
import { ReplayForm } from './ReplayForm.tsx';
import type { Endpoint } from './shapes.ts';

const SHOWN = [
  ['', 'All'],
  ['pending', 'Waiting'],
  ['failed', 'Failed'],
] as const;

export function DeliveryLog({ endpoint }: { endpoint: Endpoint }) {
  const asked = useSearch().get('show');
  const status: DeliveryStatus | null = asked === 'pending' || asked === 'failed' ? asked : null;
  const [isReplaying, setIsReplaying] = useState(false);
  const show = (next: string) =>
    navigate(next ? `${location.pathname}?show=${next}` : location.pathname, { replace: true });
  return (
    <section aria-labelledby="deliveries" className="flex min-w-0 flex-col gap-3">
      <header className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="deliveries" className="font-semibold">
          Deliveries
        </h2>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <fieldset className="flex gap-1">
            <legend className="sr-only">Which deliveries</legend>
            {SHOWN.map(([value, word]) => (
              <label
                key={value}
                className="relative inline-flex min-h-8 cursor-pointer items-center rounded-lg px-2 text-sm text-muted has-checked:bg-soft has-checked:font-semibold has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
              >
                <input
                  type="radio"
                  name="show"
                  value={value}
                  checked={(status ?? '') === value}
                  onChange={() => show(value)}
                  className="absolute inset-0 opacity-0"
                />
                {word}
              </label>
            ))}
          </fieldset>
          <Button aria-expanded={isReplaying} onClick={() => setIsReplaying(!isReplaying)}>
            Replay the failed…
          </Button>
        </div>
      </header>
      {isReplaying && <ReplayForm endpoint={endpoint} onCancel={() => setIsReplaying(false)} />}
      <DeliveryList
        filters={{ endpoint: endpoint.id, ...(status && { status }) }}
        empty={<Nothing status={status} />}
      />
    </section>
  );
}

function Nothing({ status }: { status: DeliveryStatus | null }) {
  if (status === 'failed')
    return <EmptyNote title="Nothing failed">What does not get through in a day and a bit stands here.</EmptyNote>;
  if (status === 'pending')
    return <EmptyNote title="Nothing waits">What is on its way, or will be tried again, stands here.</EmptyNote>;
  return (
    <EmptyNote title="No deliveries yet">
      Send a test event to see how your server takes it. What happens from now on comes by itself.
    </EmptyNote>
  );
}
