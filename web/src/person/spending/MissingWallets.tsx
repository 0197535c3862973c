// The networks on which the handle could spend, had it a wallet of their family.
import { FAMILY_LABELS, WALLET_FAMILIES } from '../../../../src/domain/walletFamily.ts';
import type { SpendingOverview } from '../../../../src/http/api/spendingAnswers.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';

export function MissingWallets({ spending }: { spending: SpendingOverview }) {
  return WALLET_FAMILIES.map((family) => {
    const chains = spending.without_wallet.filter((chain) => chain.family === family);
    if (chains.length === 0) return null;
    const label = FAMILY_LABELS[family];
    return (
      <Card key={family} title={chains.map((chain) => chain.label).join(', ')}>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-sm text-muted">You have no {label} wallet yet. Add one to be paid and to tip there.</p>
          <ButtonLink href="/settings">{`Add ${family === 'evm' ? 'an' : 'a'} ${label} wallet`}</ButtonLink>
        </div>
      </Card>
    );
  });
}
