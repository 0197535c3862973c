// A tab that is prepared and not on the chain yet: its sender may go on where they stopped.
import { queryOf } from '../api.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { linkOf, stagedOf } from './draft.ts';
import type { TabView } from './tabsApi.ts';

export function NotOpened({ tab }: { tab: TabView }) {
  if (tab.role !== 'sender')
    return (
      <Card title="Not opened yet">
        <p className="text-sm">Its sender has prepared it, but locked nothing yet. Look again later.</p>
      </Card>
    );
  const staged = stagedOf(tab.id);
  const again = queryOf({ to: tab.handleSlug, amount: tab.amount, chain: tab.chain, note: tab.note });
  return (
    <Card title={staged?.txHash ? 'On its way to the chain' : 'Not opened yet'}>
      <p className="text-sm">
        {staged?.txHash
          ? 'Your wallet has sent it. As soon as the chain has confirmed it, it shows here as open.'
          : 'Your wallet has not sent it, so nothing left it. If you just did send it, wait a moment. What is not opened within a day is dropped.'}
      </p>
      <ButtonLink
        kind={staged?.txHash ? 'outlined' : 'filled'}
        className="min-h-12! text-base!"
        href={`/tabs/new${staged ? linkOf() : again}`}
      >
        {staged?.txHash ? 'Look at how it goes' : 'Open it'}
      </ButtonLink>
    </Card>
  );
}
