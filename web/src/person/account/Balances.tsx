// What the wallet holds on the networks of the mode that is looked at: their sum, large, and each network below. Other money stands apart.

import type { SpendingOverview } from '../../../../src/http/api/spendingAnswers.ts';
import { addAmounts, padAmount } from '../../app/format.ts';
import { useMode, useWorkspace } from '../../merchant/business/workspaceApi.ts';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { isReachable, usdcOf, useSpending } from '../spending/spendingApi.ts';

import { NoEvmWallet } from './NoEvmWallet.tsx';

type Chains = SpendingOverview['chains'];

export function Balances() {
  const { data, error, refetch } = useSpending();
  const { isPending } = useWorkspace();
  const mode = useMode();
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (data?.chains.length === 0) return <NoEvmWallet />;
  const isKnown = data !== undefined && !isPending;
  const chains = isKnown ? data.chains.filter(({ livemode }) => mode === null || livemode === (mode === 'live')) : [];
  const others = isKnown ? data.chains.filter((chain) => !chains.includes(chain)) : [];
  return (
    <div className="flex flex-col gap-4">
      <p className="min-h-12 text-2xl font-semibold tracking-tight amount">
        {isKnown ? (
          <>
            {sumOf(chains)} <span className="text-lg font-medium text-muted">USDC</span>
          </>
        ) : (
          <Skeleton className="h-12 w-56" />
        )}
      </p>
      <ul className="flex min-h-6 flex-wrap gap-x-6 gap-y-1 text-sm">
        {chains.map((chain) => (
          <li key={chain.chain} className={chain.unreachable ? 'text-amber' : 'text-muted'}>
            {chain.label}{' '}
            {isReachable(chain) ? (
              <span className="font-medium text-ink amount">{padAmount(usdcOf(chain)?.balance ?? '0')}</span>
            ) : (
              'is unreachable'
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <p className="text-sm text-muted">
          {mode === 'live' ? 'Test networks' : 'Live networks'}:{' '}
          <span className="amount">
            {sumOf(others)} USDC{mode === 'live' && ', not real money'}
          </span>
        </p>
      )}
    </div>
  );
}

function sumOf(chains: Chains): string {
  return padAmount(addAmounts(chains.filter(isReachable).map((chain) => usdcOf(chain)?.balance ?? '0')));
}
