// A tab that is prepared and not on the chain yet: its sender may go on where they stopped.
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { queryOf } from '../../app/api.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { isUnderWay, linkOf, stagedOf } from './draft.ts';

export function NotOpened({ escrow }: { escrow: EscrowView }) {
  if (escrow.role !== 'sender')
    return (
      <Card title="Not funded yet">
        <p className="text-sm">The sender hasn’t locked the money yet. Check again later.</p>
      </Card>
    );
  const staged = stagedOf(escrow.id);
  const isSent = isUnderWay(staged);
  const again = queryOf({ to: escrow.handleSlug, amount: escrow.amount, chain: escrow.chain, note: escrow.note });
  return (
    <Card title={isSent ? 'Opening' : 'Not funded yet'}>
      <p className="text-sm">
        {isSent
          ? 'The transaction was sent. The tab opens once it is confirmed.'
          : 'Your wallet hasn’t sent the transaction, so no money has left it. If you just sent it, wait a moment. Tabs that aren’t opened within a day are deleted.'}
      </p>
      <ButtonLink
        kind={isSent ? 'outlined' : 'filled'}
        className="min-h-12! text-base!"
        href={`/tabs/new${staged ? linkOf() : again}`}
      >
        {isSent ? 'View progress' : 'Continue'}
      </ButtonLink>
    </Card>
  );
}
