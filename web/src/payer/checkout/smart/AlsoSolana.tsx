// A wallet of Solana beside the one of EVM, or instead of it: what it has can pay too, alone or as a part.
import type { ReactNode } from 'react';
import { shortHex } from '../../../app/format.ts';
import type { LegWallets } from '../../../smart/smartRun.ts';
import { Button } from '../../../ui/Button.tsx';
import type { Away } from '../Away.tsx';
import type { PublicOrder } from '../checkoutApi.ts';
import { useWords } from '../language.ts';
import { type SolanaPayer, WalletProblem } from '../usePayerWallet.tsx';
import { PayWith } from './PayWith.tsx';
import { SmartPay } from './SmartPay.tsx';
import type { SmartRun } from './useSmart.ts';
import { payersOf, useWays } from './useWays.ts';

/** The wallets to choose from, or the one that was chosen. */
export function AlsoSolana({ solana, disabled }: { solana: SolanaPayer; disabled: boolean }) {
  const words = useWords();
  const { wallets, payer, connect, forget } = solana;
  if (payer)
    return (
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm" data-solana-payer={payer.address}>
        <span>
          {words.from} <b className="font-semibold">{payer.wallet.name}</b>
        </span>
        <code title={payer.address} className="font-mono text-muted">
          {shortHex(payer.address)}
        </code>
        <Button kind="plain" className="ml-auto min-h-8!" disabled={disabled} onClick={forget}>
          {words.change}
        </Button>
      </p>
    );
  return (
    <>
      {wallets.map((wallet) => (
        <Button
          key={wallet.id}
          className="min-h-12!"
          disabled={disabled || connect.isPending}
          onClick={() => connect.mutate(wallet)}
        >
          {words.smart.alsoFrom(wallet.name)}
        </Button>
      ))}
      {connect.isError && <WalletProblem error={connect.error} declined={words.declinedConnect} />}
    </>
  );
}

/** Paying with wallets of other networks than the order's own alone. `children` name them. */
export function FromOther({
  order,
  wallets,
  run,
  away,
  children,
}: {
  order: PublicOrder;
  wallets: LegWallets;
  run: SmartRun;
  away: Away;
  children: ReactNode;
}) {
  const words = useWords();
  const isBusy = run.give.isPending;
  const ways = useWays(order, payersOf(wallets), isBusy);
  return (
    <div className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4">
      {children}
      {ways.isShown && <PayWith {...ways} disabled={isBusy} />}
      {ways.picked ? (
        <SmartPay order={order} candidate={ways.picked} wallets={wallets} run={run} away={away} />
      ) : (
        !ways.isLoading && <p className="text-sm text-amber">{words.tooLittle}</p>
      )}
    </div>
  );
}
