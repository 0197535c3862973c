// All that failed for good, across the endpoints: each can be sent again, or all of them.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useMode } from '../business/workspaceApi.ts';
import { ConfirmButton } from '../settings/ConfirmButton.tsx';
import { ButtonLink } from '../ui/Button.tsx';
import { EmptyNote, ErrorNote } from '../ui/notices.tsx';
import { DeliveryList } from './DeliveryList.tsx';
import { addFailed, failedWords, replayedWords } from './deliveryWords.ts';
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
          What no attempt got through, and what waited for a webhook that was disabled. Nothing of it is tried again by
          itself.
        </p>
        {failed.count > 0 && <ReplayAll words={failedWords(failed)} endpoints={enabled} />}
      </div>
      <DeliveryList
        filters={{ status: 'failed', mode }}
        whereOf={addressesOf(data)}
        empty={
          <EmptyNote title="Nothing failed">
            <p className="mb-4">
              Whatever your servers did not take in seven attempts stands here, ready to be sent again.
            </p>
            <ButtonLink href="/webhooks">To your webhooks</ButtonLink>
          </EmptyNote>
        }
      />
    </>
  );
}

const EPOCH = new Date(0).toISOString();

function ReplayAll({ words, endpoints }: { words: string; endpoints: Endpoint[] }) {
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
      <ConfirmButton
        question={`${words}. Those of enabled webhooks are sent again.`}
        yes="Replay them"
        busy={replay.isPending}
        onYes={() => replay.mutate()}
      >
        Replay all…
      </ConfirmButton>
      {replay.isSuccess && (
        <p role="status" className="text-sm text-muted">
          {replay.data === 0 ? 'None of them is for a webhook that is enabled.' : replayedWords(replay.data)}
        </p>
      )}
      {replay.isError && <ErrorNote>{replay.error.message}</ErrorNote>}
    </div>
  );
}
