// The deliveries of one endpoint, the newest first: all, pending or failed, and the way to resend those that failed.

import { useState } from 'react';
import type { DeliveryStatus } from '../../../../src/domain/delivery.ts';
import { navigate, useSearch } from '../../app/router.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { StatusTabs } from '../../ui/StatusTabs.tsx';
import { DeliveryList } from './DeliveryList.tsx';
import { ReplayForm } from './ReplayForm.tsx';
import type { Endpoint } from './shapes.ts';

const SHOWN = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
];

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
          <StatusTabs label="Status" tabs={SHOWN} value={status ?? ''} onValue={show} />
          <Allowed quiet door="resend">
            <Button aria-expanded={isReplaying} onClick={() => setIsReplaying(!isReplaying)}>
              Resend failed…
            </Button>
          </Allowed>
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
    return <EmptyNote title="No failed deliveries">Deliveries fail after seven attempts over about a day.</EmptyNote>;
  if (status === 'pending')
    return (
      <EmptyNote title="No pending deliveries">Deliveries that are queued or will be retried appear here.</EmptyNote>
    );
  return (
    <EmptyNote title="No deliveries yet">
      Send a test event to check your endpoint. New events appear here automatically.
    </EmptyNote>
  );
}
