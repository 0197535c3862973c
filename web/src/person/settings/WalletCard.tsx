// The payout wallet: which it is, a change that waits for its day, and the way to start one.
import { useState } from 'react';
import { chainLabel } from '../../../../src/domain/chains.ts';
import { exactTime, timeUntil } from '../../app/format.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import { ChangeWallet } from './ChangeWallet.tsx';
import { type PayoutWallet, useCancelChange, useWalletState, type WalletChange } from './walletApi.ts';

export function WalletCard({ account }: { account: OwnAccount }) {
  const { data, error, refetch } = useWalletState();
  const [isChanging, setIsChanging] = useState(false);
  return (
    <Card title="Wallet">
      <p className="text-sm text-muted">
        Payments to @{account.handle} go to this wallet, and your tips are sent from it.
      </p>
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-12" />}
      {data && (
        <>
          <p className="flex min-h-12 flex-wrap items-center gap-x-4 text-lg font-semibold">
            <Hex value={data.address} what="the payout wallet’s address" />
          </p>
          {data.kind === 'contract' && <ContractNote wallet={data} />}
          {data.change && <PendingChange change={data.change} />}
          {!data.change && !isChanging && (
            <Button className="self-start" onClick={() => setIsChanging(true)}>
              Change wallet
            </Button>
          )}
          {!data.change && isChanging && <ChangeWallet wallet={data} onClose={() => setIsChanging(false)} />}
        </>
      )}
    </Card>
  );
}

function ContractNote({ wallet }: { wallet: PayoutWallet }) {
  const chains = wallet.proven_chains.map(chainLabel);
  return (
    <p className="text-sm text-muted">
      This is a smart wallet. It can be paid on{' '}
      {chains.length > 0 ? `${chains.join(', ')}, where it has signed` : 'no network yet'}.
    </p>
  );
}

function PendingChange({ change }: { change: WalletChange }) {
  const now = useNow();
  const cancel = useCancelChange();
  const at = Date.parse(change.effective_at);
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg bg-amber-soft p-4 text-sm text-amber">
      <p className="flex flex-wrap items-center gap-x-2">
        <b className="font-semibold">The wallet will change {timeUntil(at, now)}</b>
        <time dateTime={change.effective_at}>({exactTime(at)})</time>
      </p>
      <p className="flex flex-wrap items-center gap-x-1">
        to <Hex value={change.new_address} what="the new wallet’s address" />
      </p>
      <p>Wasn’t you? Cancel it now, then sign out everywhere.</p>
      <Button
        className="self-start border-amber! text-amber!"
        disabled={cancel.isPending}
        onClick={() => cancel.mutate()}
      >
        {cancel.isPending ? 'Cancelling…' : 'Cancel the change'}
      </Button>
      {cancel.isError && <ErrorNote retry={() => cancel.mutate()}>{cancel.error.message}</ErrorNote>}
    </div>
  );
}
