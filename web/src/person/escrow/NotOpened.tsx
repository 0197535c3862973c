// A tab that is prepared and not on the chain yet: its sender may go on where they stopped.
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { queryOf } from '../../app/api.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { linkOf, stagedOf } from './draft.ts';

export function NotOpened({ escrow }: { escrow: EscrowView }) {
  if (escrow.role !== 'sender')
    return (
      <Card title="Not funded yet">
        <p className="text-sm">The sender hasn’t locked the money yet. Check again later.</p>
      </Card>
    );
  const staged = stagedOf(escrow.id);
  const again = queryOf({ to: escrow.handleSlug, amount: escrow.amount, chain: escrow.chain, note: escrow.note });
  return (
    <Card title={staged?.txHash ? 'Opening' : 'Not funded yet'}>
      <p className="text-sm">
        {staged?.txHash
          ? 'Your wallet sent the transaction. The tab opens once it is confirmed.'
          : 'Your wallet hasn’t sent the transaction, so no money has left it. If you just sent it, wait a moment. Tabs that aren’t opened within a day are deleted.'}
      </p>
      <ButtonLink
        kind={staged?.txHash ? 'outlined' : 'filled'}
        className="min-h-12! text-base!"
        href={`/tabs/new${staged ? linkOf() : again}`}
      >
        {staged?.txHash ? 'View progress' : 'Continue'}
      </ButtonLink>
    </Card>
  );
}
