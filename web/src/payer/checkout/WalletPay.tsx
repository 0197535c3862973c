// Paying from a wallet: choosing it, then one press, above which stands what it allows and for how long.
import { useQuery } from '@tanstack/react-query';
import { BRIDGE_LABELS } from '../../../../src/domain/smartLeg.ts';
import { ApiError } from '../../app/apiError.ts';
import { padAmount } from '../../app/format.ts';
import type { LegWallets } from '../../smart/smartRun.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import type { AnyWallet } from '../../wallet/anyWallet.ts';
import { WalletError } from '../../wallet/requests.ts';
import { useWalletChain } from '../../wallet/wallets.ts';
import { AWAY_ID, type Away, AwayButtonNote } from './Away.tsx';
import { askAgain, isOfSolana, type OrderNow, type Prepared, type PublicOrder, preparePayment } from './checkoutApi.ts';
import { useWords } from './language.ts';
import { PayWallets, SolanaPayWallets } from './PayWallets.tsx';
import { problemWords } from './problems.ts';
import { AlsoSolana, FromOther } from './smart/AlsoSolana.tsx';
import { PayWith } from './smart/PayWith.tsx';
import { SmartPay } from './smart/SmartPay.tsx';
import type { SmartRun } from './smart/useSmart.ts';
import { payersOf, useWays } from './smart/useWays.ts';
import { Terms } from './Terms.tsx';
import { TooLittle } from './TooLittle.tsx';
import { UnderWay } from './UnderWay.tsx';
import type { Pay } from './usePay.ts';
import {
  ConnectNote,
  LARGE_BUTTON,
  PayerLine,
  type SolanaPayer,
  usePayerWallet,
  useSolanaPayer,
  WalletProblem,
} from './usePayerWallet.tsx';
import type { Words } from './words/en.ts';

/** A figure that would break the button in two lines stands above it only. */
const LONG = 16;
const NO_PROGRESS = { step: 'waiting' as const, steps: [], tx_hash: null, explorer_url: null, failure: null };

export function WalletPay({
  now: { order, progress },
  pay,
  run,
  away,
  onAddress,
}: {
  now: OrderNow;
  pay: Pay;
  run: SmartRun;
  away: Away;
  onAddress: () => void;
}) {
  const evm = usePayerWallet();
  const solana = useSolanaPayer();
  const isSolana = isOfSolana(order);
  const { payer, connect, forget } = isSolana ? solana : evm;
  const wallets: LegWallets = {
    evm: evm.payer && { provider: evm.payer.wallet.provider, address: evm.payer.address },
    solana: solana.payer,
  };
  if (payer)
    return (
      <FromWallet
        order={order}
        {...payer}
        wallets={wallets}
        solana={isSolana ? null : solana}
        pay={pay}
        run={run}
        away={away}
        hasFailed={progress.failure !== null}
        onChange={() => {
          pay.mutation.reset();
          run.clear();
          forget();
        }}
        onAddress={onAddress}
      />
    );
  const usual = { disabled: connect.isPending, onAddress };
  return (
    <>
      {isSolana ? (
        <SolanaPayWallets wallets={solana.wallets} onChoose={(next) => solana.connect.mutate(next)} {...usual} />
      ) : (
        <PayWallets
          wallets={evm.wallets}
          chainId={order.chain_id}
          onChoose={(next) => evm.connect.mutate(next)}
          {...usual}
        />
      )}
      <ConnectNote connect={connect} />
      {isSolana ? (
        evm.payer && (
          <FromOther order={order} wallets={wallets} run={run} away={away}>
            <PayerLine {...evm.payer} onChange={run.give.isPending ? null : evm.forget} />
          </FromOther>
        )
      ) : solana.payer ? (
        <FromOther order={order} wallets={wallets} run={run} away={away}>
          <AlsoSolana solana={solana} disabled={run.give.isPending} />
        </FromOther>
      ) : (
        <AlsoSolana solana={solana} disabled={connect.isPending} />
      )}
    </>
  );
}

function FromWallet({
  order,
  wallet,
  address,
  wallets,
  solana,
  pay,
  run,
  away,
  hasFailed,
  onChange,
  onAddress,
}: {
  order: PublicOrder;
  wallet: AnyWallet;
  address: string;
  /** This one, and any other that has shown itself. */
  wallets: LegWallets;
  /** Null where it is the wallet that pays. */
  solana: SolanaPayer | null;
  pay: Pay;
  run: SmartRun;
  away: Away;
  /** An attempt without a transaction of the wallet's own did not get through. */
  hasFailed: boolean;
  onChange: () => void;
  onAddress: () => void;
}) {
  const words = useWords();
  const { mutation, way, stages } = pay;
  const evmWallet = 'provider' in wallet ? wallet : null;
  const chainId = useWalletChain(evmWallet, mutation.isPending);
  const prepared = useQuery({
    queryKey: ['prepared', order.id, address.toLowerCase(), way],
    queryFn: ({ signal }) => preparePayment(order.id, { payer: address, way }, signal),
    // What was prepared is good until it says otherwise; only a balance is worth looking at again.
    refetchOnWindowFocus: ({ state }) => Boolean(state.data?.too_little),
    refetchInterval: ({ state }) => askAgain(state.error, state.data?.too_little ? 10_000 : false),
  });
  const { data } = prepared;
  const isBusy = mutation.isPending || run.give.isPending;
  const ways = useWays(order, payersOf(wallets), isBusy);
  const isElsewhere = chainId !== null && chainId !== order.chain_id;
  const figure = padAmount(order.amount);
  const payIt = figure.length > LONG ? words.payNow : words.payAmount(`${figure} ${order.currency}`);
  return (
    <>
      <div className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4">
        <PayerLine wallet={wallet} address={address} onChange={isBusy ? null : onChange} />
        {solana && <AlsoSolana solana={solana} disabled={isBusy} />}
        {ways.isShown && <PayWith {...ways} disabled={isBusy} />}
        {ways.unavailable.length > 0 && (
          <p role="status" className="text-sm text-amber">
            {words.smart.unavailable(ways.unavailable.map((via) => BRIDGE_LABELS[via]))}
          </p>
        )}
        {ways.elsewhere ? (
          <SmartPay order={order} candidate={ways.elsewhere} wallets={wallets} run={run} away={away} />
        ) : prepared.isError ? (
          <ErrorNote retry={() => void prepared.refetch()} retryWord={words.tryAgain}>
            {problemWords(prepared.error)}
          </ErrorNote>
        ) : !data || (data.too_little && ways.isLoading) ? (
          <>
            <Skeleton className="h-10" />
            <Skeleton className="h-12" />
          </>
        ) : data.too_little ? (
          <TooLittle
            order={order}
            {...data.too_little}
            elsewhere={ways.held}
            isLooking={prepared.isFetching}
            onLook={() => void prepared.refetch()}
          />
        ) : (
          <>
            <Terms prepared={data} isFallback={way === 'direct'} />
            {isElsewhere && !mutation.isPending && (
              <p className="text-sm text-amber">{words.onOtherNetwork(order.chain_label)}</p>
            )}
            <Button
              kind="filled"
              className={LARGE_BUTTON}
              disabled={mutation.isPending || away !== null}
              aria-describedby={away ? AWAY_ID : undefined}
              onClick={() =>
                mutation.mutate({
                  payer: 'provider' in wallet ? { provider: wallet.provider, address } : { solana: wallet, address },
                  prepared: data,
                  at: prepared.dataUpdatedAt,
                })
              }
            >
              {mutation.isPending ? words.waiting : isElsewhere ? words.switchAndPay(order.chain_label) : payIt}
            </Button>
            {!mutation.isPending && <AwayButtonNote away={away} />}
          </>
        )}
        {mutation.isError && (
          <WalletProblem
            error={mutation.error}
            declined={words.declinedPay}
            wordsOf={(error) => payProblem(words, error, data)}
          />
        )}
        {evmWallet &&
          data?.payment?.gasless &&
          !mutation.isPending &&
          (hasFailed || mutation.error instanceof ApiError) && (
            <Button kind="plain" className="self-center" onClick={pay.sendDirectly}>
              {words.sendYourself}
            </Button>
          )}
      </div>
      {mutation.isPending && stages.length > 0 && <UnderWay pay={pay} progress={NO_PROGRESS} />}
      {!isBusy && (
        <Button className="min-h-12!" onClick={onAddress}>
          {evmWallet ? words.fromAnotherWallet : words.scanOrSend}
        </Button>
      )}
    </>
  );
}

/** Why it did not work, and that nothing is lost. */
function payProblem(words: Words, error: Error, prepared: Prepared | undefined): string {
  const isUnknown = error instanceof WalletError && error.problem === 'unknown_chain';
  return isUnknown ? words.unknownNetwork(prepared?.chain.label ?? '') : problemWords(error);
}
