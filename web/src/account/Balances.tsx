// What the wallet holds: the sum of all chains, large, and each chain below.
import { addAmounts, padAmount } from '../format.ts';
import { isReachable, usdcOf, useSpending } from '../spending/spendingApi.ts';
import { ErrorNote, Skeleton } from '../ui/notices.tsx';

export function Balances() {
  const { data, error, refetch } = useSpending();
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  const chains = data?.chains ?? [];
  const known = chains.filter(isReachable);
  const sum = addAmounts(known.map((chain) => usdcOf(chain)?.balance ?? '0'));
  return (
    <div className="flex flex-col gap-4">
      <p className="min-h-12 text-2xl font-semibold tracking-tight amount">
        {data ? (
          <>
            {sum} <span className="text-lg font-medium text-muted">USDC</span>
          </>
        ) : (
          <Skeleton className="h-12 w-56" />
        )}
      </p>
      <ul className="flex min-h-6 flex-wrap gap-x-6 gap-y-1 text-sm">
        {known.map((chain) => (
          <li key={chain.chain} className="text-muted">
            {chain.label}{' '}
            <span className="font-medium text-ink amount">{padAmount(usdcOf(chain)?.balance ?? '0')}</span>
          </li>
        ))}
        {chains
          .filter((chain) => chain.unreachable)
          .map((chain) => (
            <li key={chain.chain} className="text-amber">
              {chain.label} does not answer
            </li>
          ))}
      </ul>
    </div>
  );
}
