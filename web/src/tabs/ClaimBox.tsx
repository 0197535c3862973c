// The recipient's part: where the money goes, then one press.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { padAmount } from '../format.ts';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Hex } from '../ui/Hex.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { actOnTab, noteTab, type TabView } from './tabsApi.ts';

export function ClaimBox({ tab }: { tab: TabView }) {
  const client = useQueryClient();
  const claim = useMutation({
    mutationFn: () => actOnTab(tab.id, { action: 'claim' }),
    onSuccess: (escrow) => noteTab(client, escrow),
  });
  if (!tab.pays_to)
    return (
      <Card title="It is for you">
        <p className="text-sm">
          Your wallet cannot be paid on {tab.chain_label} yet: it has to sign once for that chain first. The money stays
          here meanwhile.
        </p>
        <ButtonLink kind="filled" href="/settings">
          To the settings of your wallet
        </ButtonLink>
      </Card>
    );
  const failure = tab.claim?.status === 'failed' ? (tab.claim.failure ?? 'The last try did not get through.') : null;
  return (
    <Card title="It is for you">
      <p className="flex flex-wrap items-center gap-x-1 text-sm">
        It is paid to your wallet <Hex value={tab.pays_to} what="your wallet’s address" /> on {tab.chain_label}, in
        full. Ampersat pays the network’s fee, and your wallet has nothing to sign.
      </p>
      <Button kind="filled" className="min-h-12! text-base!" disabled={claim.isPending} onClick={() => claim.mutate()}>
        {claim.isPending ? 'Asking for it…' : `Claim ${padAmount(tab.amount)} ${tab.currency}`}
      </Button>
      {claim.isError ? (
        <ErrorNote retry={() => claim.mutate()}>{claim.error.message}</ErrorNote>
      ) : (
        failure &&
        !claim.isPending && <ErrorNote retry={() => claim.mutate()}>{failure} It is still yours to claim.</ErrorNote>
      )}
    </Card>
  );
}
