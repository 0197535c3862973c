// Failed deliveries of all endpoints: each can be resent, or all of them.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Allowed } from '../../app/team/Allowed.tsx';
import { ConfirmButton } from '../../person/settings/ConfirmButton.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote, ErrorNote } from '../../ui/notices.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useMode } from '../business/workspaceApi.ts';
import { DeliveryList } from './DeliveryList.tsx';
import { addFailed, replayedWords } from './deliveryWords.ts';
import { addressesOf } from './endpointWords.ts';
import { useLive, WEBHOOKS_KEY } from './live.ts';
import type { Endpoint } from './shapes.ts';
import { replayFailed, useEndpoints } from './webhooksApi.ts';

export function FailedPage() {
  return <BusinessShell title="Failed deliveries">{() => <Failed />}</BusinessShell>;
}

function Failed() {
  useLive();
  const mode = useMode();
  const { data } = useEndpoints();
  const endpoints = data ?? [];
  const failed = addFailed(endpoints.map((one) => one.failed));
  const enabled = endpoints.filter(({ status }) => status === 'enabled');
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p className="max-w-160 text-muted">
          Deliveries that failed after all retries, or were pending when their endpoint was disabled. They aren’t
          retried automatically.
        </p>
        {failed.count > 0 && <ReplayAll endpoints={enabled} />}
      </div>
      <DeliveryList
        filters={{ status: 'failed', mode }}
        whereOf={addressesOf(data)}
        empty={
          <EmptyNote title="No failed deliveries">
            <p className="mb-4">Deliveries that fail after seven attempts appear here, so that you can resend them.</p>
            <ButtonLink href="/webhooks">View webhooks</ButtonLink>
          </EmptyNote>
        }
      />
    </>
  );
}

const EPOCH = new Date(0).toISOString();

function ReplayAll({ endpoints }: { endpoints: Endpoint[] }) {
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: async () => {
      let count = 0;
      for (const { id } of endpoints) count += (await replayFailed(id, EPOCH)).count;
      return count;
    },
    onSettled: () => client.invalidateQueries({ queryKey: WEBHOOKS_KEY }),
  });
  return (
    <div className="flex flex-col items-start gap-2">
      <Allowed door="resend">
        <ConfirmButton
          question={`Resend all? Only deliveries to enabled endpoints are resent.`}
          yes="Resend"
          busy={replay.isPending}
          onYes={() => replay.mutate()}
        >
          Resend all…
        </ConfirmButton>
      </Allowed>
      {replay.isSuccess && (
        <p role="status" className="text-sm text-muted">
          {replay.data === 0 ? 'None of them belongs to an enabled endpoint.' : replayedWords(replay.data)}
        </p>
      )}
      {replay.isError && <ErrorNote>{replay.error.message}</ErrorNote>}
    </div>
  );
}
