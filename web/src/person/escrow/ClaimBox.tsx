// The recipient's part: where the money goes, then one press.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { findChain } from '../../../../src/domain/chains.ts';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { padAmount } from '../../app/format.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { actOnEscrow, noteEscrow } from './escrowApi.ts';

export function ClaimBox({ escrow }: { escrow: EscrowView }) {
  const client = useQueryClient();
  const claim = useMutation({
    mutationFn: () => actOnEscrow(escrow.id, { action: 'claim' }),
    onSuccess: (escrow) => noteEscrow(client, escrow),
  });
  const isOnSolana = findChain(escrow.chain)?.family === 'solana';
  if (!escrow.pays_to)
    return (
      <Card title="This tab is for you">
        <p className="text-sm">
          {isOnSolana
            ? 'You have no Solana wallet yet. Add one in the settings, then claim this tab.'
            : `Your wallet can’t be paid on ${escrow.chain_label} yet. Sign once for that network first.`}{' '}
          The money stays here until then.
        </p>
        <ButtonLink kind="filled" href="/settings">
          Wallet settings
        </ButtonLink>
      </Card>
    );
  const failure = escrow.claim?.status === 'failed' ? (escrow.claim.failure ?? 'The last attempt failed.') : null;
  return (
    <Card title="This tab is for you">
      <p className="flex flex-wrap items-center gap-x-1 text-sm">
        Paid to your wallet <Hex value={escrow.pays_to} what="your wallet’s address" /> on {escrow.chain_label}, in
        full. Ampersat pays the network fee; you don’t need to sign anything.
      </p>
      <Button kind="filled" className="min-h-12! text-base!" disabled={claim.isPending} onClick={() => claim.mutate()}>
        {claim.isPending ? 'Claiming…' : `Claim ${padAmount(escrow.amount)} ${escrow.currency}`}
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
