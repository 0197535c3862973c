// What the wallets hold on the networks of the mode that is looked at: one total in USD, large, and each network below. Other money stands apart.
import { Fragment } from 'react';
import type { Balances as BalancesAnswer } from '../../../../src/http/api/balanceAnswers.ts';
import { padAmount, shortAmount } from '../../app/format.ts';
import { useMode } from '../../merchant/business/workspaceApi.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { type ChainHoldings, useBalances, useOwnChains } from '../money/moneyApi.ts';
import { NoEvmWallet } from './NoEvmWallet.tsx';

type Total = NonNullable<BalancesAnswer['live']>;

export function Balances() {
  const { data, error, refetch } = useBalances();
  const mode = useMode();
  const chains = useOwnChains();
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (data?.chains.length === 0) return <NoEvmWallet />;
  const total = mode && data?.[mode];
  const other = mode && data?.[mode === 'live' ? 'test' : 'live'];
  return (
    <div className="flex flex-col gap-4">
      <p className="min-h-12 text-2xl font-semibold tracking-tight amount">
        {chains ? inCents(total?.total_usd ?? '0') : <Skeleton className="h-12 w-56" />}
      </p>
      {total && <Missing total={total} />}
      <ul className="flex min-h-12 flex-wrap content-start gap-x-6 gap-y-1 text-sm">
        {chains?.map((chain) => (
          <li key={chain.chain} className={chain.unreachable ? 'text-amber' : 'text-muted'}>
            {chain.label} <Held chain={chain} />
          </li>
        ))}
      </ul>
      {other && (
        <p className="text-sm text-muted">
          {mode === 'live' ? 'Test networks' : 'Live networks'}:{' '}
          <span className="amount">
            {inCents(other.total_usd)}
            {mode === 'live' && ', not real money'}
          </span>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <ButtonLink href="/receive">Receive</ButtonLink>
        <ButtonLink href="/send">Send</ButtonLink>
      </div>
    </div>
  );
}

/** What is had is cut off, never rounded up. */
function inCents(usd: string): string {
  return `$${padAmount(usd.replace(/(\.\d\d)\d+$/, '$1'))}`;
}

/** What the total leaves out is named, not counted as nothing. */
function Missing({ total: { unreachable, unpriced } }: { total: Total }) {
  const missing = [
    ...unreachable.map((label) => `${label}, which is unreachable`),
    ...unpriced.map((asset) => `${asset}, which has no price at the moment`),
  ];
  if (missing.length === 0) return null;
  return <p className="text-sm text-amber">Without {missing.join('; ')}.</p>;
}

function Held({ chain: { unreachable, holdings } }: { chain: ChainHoldings }) {
  if (unreachable) return <>is unreachable</>;
  return (
    <span className="font-medium text-ink">
      {holdings.map(({ amount, asset, kind }, at) => (
        <Fragment key={asset + kind}>
          {at > 0 && ', '}
          <span className="amount">
            {shortAmount(amount, asset)} {kind === 'wrapped' && 'wrapped '}
            {asset}
          </span>
        </Fragment>
      ))}
    </span>
  );
}
