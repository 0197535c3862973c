// A tab whose time is up: anybody may send it back to its sender, nobody has to sign for it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { actOnTab, noteTab, type TabView } from './tabsApi.ts';

/** @param isQuiet something else is the next step of this reader */
export function ReturnBox({ tab, isQuiet = false }: { tab: TabView; isQuiet?: boolean }) {
  const client = useQueryClient();
  const refund = useMutation({
    mutationFn: () => actOnTab(tab.id, { action: 'refund' }),
    onSuccess: (escrow) => noteTab(client, escrow),
  });
  const isMine = tab.role === 'sender';
  const failure = tab.refund?.status === 'failed' ? (tab.refund.failure ?? 'The last try did not get through.') : null;
  return (
    <Card title={isMine ? 'Its time is up' : isQuiet ? 'Or let it go' : 'Its time is up'}>
      <p className="text-sm">
        {isMine
          ? 'It goes back to your wallet. This happens by itself soon; one press does it now. Ampersat pays the network’s fee.'
          : `From now on anybody may send it back to ${tab.sender_label}, who locked it. It can go nowhere else, and costs you nothing.`}
      </p>
      <Button
        kind={isQuiet ? 'outlined' : 'filled'}
        className="min-h-12! text-base!"
        disabled={refund.isPending}
        onClick={() => refund.mutate()}
      >
        {refund.isPending ? 'One moment…' : isMine ? 'Take it back' : 'Send it back'}
      </Button>
      {refund.isError ? (
        <ErrorNote retry={() => refund.mutate()}>{refund.error.message}</ErrorNote>
      ) : (
        failure && !refund.isPending && <ErrorNote>{failure} The money is still in the tab.</ErrorNote>
      )}
    </Card>
  );
}
