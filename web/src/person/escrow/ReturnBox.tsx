// An expired tab: anyone may return it to its sender, without a signature.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { actOnEscrow, noteEscrow } from './escrowApi.ts';

/** @param isQuiet something else is the next step of this reader */
export function ReturnBox({ escrow, isQuiet = false }: { escrow: EscrowView; isQuiet?: boolean }) {
  const client = useQueryClient();
  const refund = useMutation({
    mutationFn: () => actOnEscrow(escrow.id, { action: 'refund' }),
    onSuccess: (escrow) => noteEscrow(client, escrow),
  });
  const isMine = escrow.role === 'sender';
  const failure = escrow.refund?.status === 'failed' ? (escrow.refund.failure ?? 'The last attempt failed.') : null;
  return (
    <Card title={isMine ? 'Expired' : isQuiet ? 'Or return it' : 'Expired'}>
      <p className="text-sm">
        {isMine
          ? 'The money returns to your wallet automatically. You can also return it now. Ampersat pays the network fee.'
          : `You can return the money to ${escrow.sender_label}, who sent it. This costs you nothing.`}
      </p>
      <Button
        kind={isQuiet ? 'outlined' : 'filled'}
        className="min-h-12! text-base!"
        disabled={refund.isPending}
        onClick={() => refund.mutate()}
      >
        {refund.isPending ? 'One moment…' : isMine ? 'Take it back' : 'Return it'}
      </Button>
      {refund.isError ? (
        <ErrorNote retry={() => refund.mutate()}>{refund.error.message}</ErrorNote>
      ) : (
        failure && !refund.isPending && <ErrorNote>{failure} The money is still locked in the tab.</ErrorNote>
      )}
    </Card>
  );
}
