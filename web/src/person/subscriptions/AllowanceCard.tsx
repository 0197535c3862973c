// What subscriptions may still take of the wallet, on every chain, and the way to take the permission back.
import { useState } from 'react';
import { findChain } from '../../../../src/domain/chains.ts';
import { addAmounts, compareAmounts, padAmount } from '../../app/format.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useKnownError } from '../../ui/useKnownError.ts';
import { ManageStep } from './ManageStep.tsx';
import { type Allowance, useAllowances } from './subscriptionsApi.ts';

export function AllowanceCard({ account }: { account: OwnAccount }) {
  const query = useAllowances();
  const { error, retry } = useKnownError(query);
  const rows = query.data;
  if (error && !rows) return <ErrorNote retry={retry}>{error.message}</ErrorNote>;
  if (!rows) return <Skeleton className="h-32" />;
  if (rows.length === 0) return null;
  const known = rows.flatMap(({ allowance, unreachable }) => (allowance === null || unreachable ? [] : [allowance]));
  const isUnlimited = rows.some(({ allowance }) => allowance === null);
  return (
    <Card title="What may still be taken">
      {error && <ErrorNote retry={retry}>{error.message} This may be out of date.</ErrorNote>}
      <p>
        <span className="block text-xl font-semibold amount">
          {isUnlimited ? 'No limit' : `${padAmount(addAmounts(known))} USDC`}
        </span>
        <span className="text-sm text-muted">
          in all, by your subscriptions, each once a period
          {rows.some(({ shared }) => shared) ? ', and on Solana by tips within your limits' : ''}
        </span>
      </p>
      <ul className="flex flex-col">
        {rows.map((row) => (
          <Row key={row.chain} row={row} account={account} />
        ))}
      </ul>
    </Card>
  );
}

function Row({ row, account }: { row: Allowance; account: OwnAccount }) {
  const [isRevoking, setIsRevoking] = useState(false);
  const isNone = row.allowance === '0.00';
  const isLow = row.allowance !== null && row.subscriptions > 0 && compareAmounts(row.allowance, row.per_period) < 0;
  return (
    <li className="flex flex-col gap-3 border-line py-3 not-first:border-t">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <p className="font-medium">
            {row.label}
            {!row.livemode && ' (test)'}
          </p>
          {row.unreachable ? (
            <p className="text-sm text-amber">{row.label} isn’t responding right now.</p>
          ) : (
            <p className="text-sm text-muted">
              {row.allowance === null ? 'No limit' : `${padAmount(row.allowance)} USDC left`} ·{' '}
              {row.subscriptions === 1 ? '1 subscription takes' : `${row.subscriptions} subscriptions take`}{' '}
              {padAmount(row.per_period)} USDC a period · {padAmount(row.balance)} USDC in the wallet
            </p>
          )}
          {isLow && !row.unreachable && (
            <p className="text-sm text-amber">This doesn’t cover the next charges. Renew the allowance below.</p>
          )}
        </div>
        {!row.unreachable && !isNone && (
          <Button aria-expanded={isRevoking} onClick={() => setIsRevoking(!isRevoking)}>
            Revoke all
          </Button>
        )}
      </div>
      {isRevoking && (
        <ManageStep
          job={{ action: 'revoke', chain: row.chain }}
          chain={row.chain}
          address={account.wallets[findChain(row.chain)?.family ?? 'evm'] ?? account.address}
          why="which gave the allowance"
          kind="danger"
          button={`Revoke on ${row.label}`}
          allows={`From then on no subscription${row.shared ? ' and no tip' : ''} on ${row.label} can take anything from this wallet. Subscriptions are halted after a week unless you renew or cancel them.${
            row.permit ? ' Your wallet signs; Ampersat pays the network fee.' : ' Your wallet pays the network fee.'
          }`}
          isDone={async () => true}
          onDone={() => setIsRevoking(false)}
          onCancel={() => setIsRevoking(false)}
        />
      )}
    </li>
  );
}
