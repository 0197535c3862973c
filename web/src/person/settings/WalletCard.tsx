// A payout wallet of one family: which it is, a change that waits for its day, and the way to start one.
import { useState } from 'react';
import { chainLabel } from '../../../../src/domain/chains.ts';
import type { WalletFamily } from '../../../../src/domain/walletFamily.ts';
import type { PayoutWallet, PayoutWallets, PendingWalletChange } from '../../../../src/http/api/walletAnswers.ts';
import { exactTime, timeUntil } from '../../app/format.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import { SetUpSpending } from '../spending/SetUpSpending.tsx';
import { useSpending } from '../spending/spendingApi.ts';
import { ChangeWallet } from './ChangeWallet.tsx';
import { NewSolanaWallet } from './NewSolanaWallet.tsx';
import { TopUpSol } from './TopUpSol.tsx';
import { WrapSol } from './WrapSol.tsx';
import { useCancelChange, useWalletState } from './walletApi.ts';

const WORDS = {
  evm: {
    title: 'EVM wallet',
    none: 'Add an EVM wallet to be paid and to tip on Base and other EVM networks.',
    add: 'Add an EVM wallet',
    change: 'Change wallet',
    what: 'the payout wallet’s address',
  },
  solana: {
    title: 'Solana wallet',
    none: 'Add a Solana wallet to be paid on Solana. You can sign in with it, too.',
    add: 'Add a Solana wallet',
    change: 'Change Solana wallet',
    what: 'the Solana wallet’s address',
  },
};

export function WalletCard({ account, family }: { account: OwnAccount; family: WalletFamily }) {
  const { data, error, refetch } = useWalletState();
  const [isChanging, setIsChanging] = useState(false);
  const words = WORDS[family];
  const wallet = data?.[family];
  const about =
    family === 'evm'
      ? `Payments to @${account.handle} go to this wallet, and your tips are sent from it.`
      : `Payments to @${account.handle} on Solana go to this wallet, and your tips there are sent from it.`;
  // The wallets of this browser are the way to add one of Solana: one press each.
  const isOpen = isChanging || (family === 'solana' && wallet?.address === null);
  const New = family === 'evm' ? ChangeWallet : NewSolanaWallet;
  return (
    <Card title={family === 'evm' && data && isOnly(data) ? 'Wallet' : words.title}>
      <p className="text-sm text-muted">{wallet && wallet.address === null ? words.none : about}</p>
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-12" />}
      {wallet && (
        <>
          {wallet.address !== null && (
            <p className="flex min-h-12 flex-wrap items-center gap-x-4 text-lg font-semibold">
              <Hex value={wallet.address} what={words.what} href={wallet.explorer_url} />
            </p>
          )}
          {wallet.kind === 'contract' && <ContractNote wallet={wallet} />}
          {wallet.change && (
            <PendingChange family={family} change={wallet.change} isAddition={wallet.address === null} />
          )}
          {!wallet.change && !isOpen && (
            <Button className="self-start" onClick={() => setIsChanging(true)}>
              {wallet.address === null ? words.add : words.change}
            </Button>
          )}
          {!wallet.change && isOpen && <New wallet={wallet} onClose={() => setIsChanging(false)} />}
          {wallet.address !== null && !wallet.change && !isChanging && <SetUpSpending family={family} />}
          {family === 'solana' && wallet.address !== null && !isChanging && <SolMoves evmAddress={data.evm.address} />}
        </>
      )}
    </Card>
  );
}

/** Moves of SOL, where Solana is served. */
function SolMoves({ evmAddress }: { evmAddress: string | null }) {
  const { data } = useSpending();
  if (!data?.chains.some(({ family }) => family === 'solana')) return null;
  return (
    <>
      {evmAddress !== null && <TopUpSol evmAddress={evmAddress} />}
      <WrapSol />
    </>
  );
}

/** Who has one wallet need not know of which family it is. */
function isOnly({ evm, solana }: PayoutWallets): boolean {
  return evm.address !== null && solana.address === null;
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

function PendingChange({
  family,
  change,
  isAddition,
}: {
  family: WalletFamily;
  change: PendingWalletChange;
  isAddition: boolean;
}) {
  const now = useNow();
  const cancel = useCancelChange(family);
  const at = Date.parse(change.effective_at);
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg bg-amber-soft p-4 text-sm text-amber">
      <p className="flex flex-wrap items-center gap-x-2">
        <b className="font-semibold">
          The wallet will {isAddition ? 'be added' : 'change'} {timeUntil(at, now)}
        </b>
        <time dateTime={change.effective_at}>({exactTime(at)})</time>
      </p>
      <p className="flex flex-wrap items-center gap-x-1">
        {!isAddition && 'to '}
        <Hex value={change.new_address} what="the new wallet’s address" />
      </p>
      <p>Wasn’t you? Cancel it now, then sign out everywhere.</p>
      <Button
        className="self-start border-amber! text-amber!"
        disabled={cancel.isPending}
        onClick={() => cancel.mutate()}
      >
        {cancel.isPending ? 'Cancelling…' : isAddition ? 'Don’t add it' : 'Cancel the change'}
      </Button>
      {cancel.isError && <ErrorNote retry={() => cancel.mutate()}>{cancel.error.message}</ErrorNote>}
    </div>
  );
}
