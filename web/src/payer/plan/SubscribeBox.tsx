// Subscribing: choosing a wallet, what it allows, then one press; and how it went.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findChain } from '../../../../src/domain/chains.ts';
import { comparable } from '../../../../src/domain/walletFamily.ts';
import { readClockOffset } from '../../app/api.ts';
import { ApiError } from '../../app/apiError.ts';
import { dayName, padAmount } from '../../app/format.ts';
import { spanWords } from '../../app/spans.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Fact, Facts } from '../../ui/Facts.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { type Step, Steps } from '../../ui/Steps.tsx';
import type { Wallet } from '../../wallet/wallets.ts';
import { useLanguage, wordsNow } from '../checkout/language.ts';
import { problemWords } from '../checkout/problems.ts';
import {
  ConnectNote,
  LARGE_BUTTON,
  NoWallet,
  PayerLine,
  usePayerWallet,
  useSolanaPayer,
  WalletList,
  WalletProblem,
} from '../checkout/usePayerWallet.tsx';
import { PlanPicture } from './PlanPicture.tsx';
import { type HostedPlan, type PreparedSubscription, prepare } from './planApi.ts';
import { type SubscribeEnd, type SubscribeStage, subscribeOnSolana, subscribeWallet } from './subscribeRun.ts';

const PERIODS = [1, 3, 6, 12, 24];
const USUAL_PERIODS = 12;

type Box = { hosted: HostedPlan; onDone: (end: SubscribeEnd) => void };

export function SubscribeBox(box: Box) {
  return findChain(box.hosted.plan.chain)?.family === 'solana' ? <OnSolana {...box} /> : <OnEvm {...box} />;
}

function OnSolana({ hosted, onDone }: Box) {
  const { wallets, connect, payer, forget } = useSolanaPayer();
  if (payer) {
    const { wallet, address } = payer;
    const start: Start = (prepared, onStage) => subscribeOnSolana({ wallet, prepared, onStage });
    return <FromWallet key={address} {...{ hosted, onDone, wallet, address, start }} onChange={forget} />;
  }
  return (
    <>
      <WalletList wallets={wallets} disabled={connect.isPending} onChoose={(next) => connect.mutate(next)} />
      {wallets.length === 0 && <NoWallet />}
      <ConnectNote connect={connect} />
    </>
  );
}

function OnEvm({ hosted, onDone }: Box) {
  const { wallets, connect, payer, forget } = usePayerWallet();
  if (payer) {
    const { wallet, address } = payer;
    const signer = { provider: wallet.provider, address };
    const start: Start = (prepared, onStage) =>
      subscribeWallet({ signer, prepared, chainLabel: hosted.chain_label, onStage });
    return <FromWallet key={address} {...{ hosted, onDone, wallet, address, start }} onChange={forget} />;
  }
  if (wallets === null) return <Skeleton className="h-14" />;
  return (
    <>
      <WalletList wallets={wallets} disabled={connect.isPending} onChoose={(next) => connect.mutate(next)} />
      {wallets.length === 0 && <NoWallet />}
      <ConnectNote connect={connect} />
    </>
  );
}

type Start = (prepared: PreparedSubscription, onStage: (stage: SubscribeStage) => void) => Promise<SubscribeEnd>;

function FromWallet({
  hosted: { plan },
  wallet,
  address,
  start,
  onDone,
  onChange,
}: Box & {
  wallet: Pick<Wallet, 'name' | 'icon'>;
  address: string;
  start: Start;
  onChange: () => void;
}) {
  const { words, language } = useLanguage();
  const [periods, setPeriods] = useState(USUAL_PERIODS);
  const [run, setRun] = useState<{ steps: Step[]; endedAt: number | null }>({ steps: [], endedAt: null });
  const prepared = useQuery({
    queryKey: ['subscribe', plan.id, comparable(address), periods],
    queryFn: ({ signal }) => prepare({ plan: plan.id, subscriber: address, periods }, signal),
    // A nonce is good until the wallet does something else.
    refetchOnWindowFocus: ({ state }) => state.data?.funded === false,
    retry: false,
  });
  const note = (stage: SubscribeStage) => {
    const [now = '', after = ''] = wordsNow().plan.steps[stage];
    setRun(({ steps }) => ({ steps: [...steps, { key: stage, now, after, at: Date.now() }], endedAt: null }));
  };
  const subscribe = useMutation({
    mutationFn: async () => {
      setRun({ steps: [], endedAt: null });
      note('prepare');
      // Prepared again on the press: its deadline counts from here.
      const fresh = await prepare({ plan: plan.id, subscriber: address, periods });
      return start(fresh, note);
    },
    onSettled: () => setRun((known) => ({ ...known, endedAt: Date.now() })),
    onSuccess: onDone,
    onError: () => void prepared.refetch(),
  });
  const { data } = prepared;
  const money = (amount: string) => `${padAmount(amount)} ${plan.currency}`;
  const isTrial = Boolean(data?.trial && data.gasless);
  return (
    <div className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4">
      <PayerLine wallet={wallet} address={address} onChange={subscribe.isPending ? null : onChange} />
      {prepared.error instanceof ApiError && prepared.error.code === 'state_conflict' ? (
        <>
          <p role="status" className="rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber">
            {problemWords(prepared.error)}
          </p>
          <ButtonLink className="min-h-12!" href="/subscriptions">
            {words.plan.manage}
          </ButtonLink>
        </>
      ) : prepared.isError ? (
        <ErrorNote retry={() => void prepared.refetch()} retryWord={words.tryAgain}>
          {problemWords(prepared.error)}
        </ErrorNote>
      ) : !data ? (
        <>
          <Skeleton className="h-20" />
          <Skeleton className="h-14" />
        </>
      ) : (
        <>
          <SelectField
            label={words.plan.periods}
            value={String(periods)}
            disabled={subscribe.isPending}
            onChange={(event) => setPeriods(Number(event.target.value))}
          >
            {PERIODS.map((count) => (
              <option key={count} value={count}>
                {words.plan.charges(count)} ({spanWords(plan.period * count, language)})
              </option>
            ))}
          </SelectField>
          <p className="text-sm text-muted">
            {!data.transaction
              ? words.plan.allows(money(data.allowance.amount))
              : data.transaction.submit.value === undefined
                ? words.plan.allowsAlready
                : words.plan.allowsShared(money(data.allowance.total))}
          </p>
          {data.trial && data.gasless && (
            <p className="text-sm">
              {words.plan.firstCharge}: {words.plan.trialEnds(dayName(Date.parse(data.trial.ends_at)))}
            </p>
          )}
          {plan.trial_days > 0 && !data.trial && <p className="text-sm text-muted">{words.plan.trialUsed}</p>}
          {!isTrial && (
            <p className="text-sm">
              {words.plan.nextCharge}: {dayName(Date.now() + readClockOffset() + plan.period * 1_000)}
            </p>
          )}
          {!data.funded && !isTrial && (
            <p role="status" className="rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber">
              {words.plan.tooLittle(money(data.balance), money(plan.amount))}
            </p>
          )}
          <Button
            kind="filled"
            className={LARGE_BUTTON}
            disabled={subscribe.isPending || (!data.funded && !isTrial)}
            onClick={() => subscribe.mutate()}
          >
            {subscribe.isPending
              ? words.plan.waiting
              : isTrial
                ? words.plan.startTrial
                : words.plan.subscribeFor(money(plan.amount))}
          </Button>
          <p className="text-center text-sm text-muted">
            {data.transaction
              ? words.plan.gaslessOne
              : data.gasless
                ? data.gasless.permit
                  ? words.plan.gasless
                  : words.plan.gaslessOne
                : data.closed === 'delegation_legacy'
                  ? words.plan.legacy
                  : words.plan.own}
          </p>
        </>
      )}
      {run.steps.length > 0 && <Steps {...run} failed={subscribe.isError} />}
      {subscribe.isError && <WalletProblem error={subscribe.error} declined={words.declinedPay} />}
    </div>
  );
}

/** It takes the place of the offer. */
export function Done({ end, plan, chainLabel }: { end: SubscribeEnd; plan: HostedPlan['plan']; chainLabel: string }) {
  const { words, language } = useLanguage();
  const isTrial = end.kind === 'trial';
  const next = isTrial ? end.endsAt : end.subscription.next_charge_at;
  const day = next === null ? '' : dayName(Date.parse(next));
  return (
    <section aria-live="polite" className="flex flex-col gap-4">
      <div className="flex flex-col items-center gap-2 text-center">
        <PlanPicture plan={plan} />
        <h1 className="text-lg font-semibold">{isTrial ? words.plan.trialStarted : words.plan.subscribed}</h1>
        <p className="break-words text-muted">{plan.name}</p>
        {isTrial && <p className="text-sm">{words.plan.trialDone(day)}</p>}
      </div>
      <Facts>
        <Fact name={isTrial ? words.plan.firstCharge : words.plan.nextCharge}>{day}</Fact>
        <Fact name={words.plan.price}>
          {padAmount(plan.amount)} {plan.currency}, {words.plan.every(spanWords(plan.period, language))}
        </Fact>
        <Fact name={words.network}>{chainLabel}</Fact>
      </Facts>
      {plan.return_url && (
        <ButtonLink kind="filled" className={LARGE_BUTTON} href={plan.return_url}>
          {words.plan.goOn}
        </ButtonLink>
      )}
      <ButtonLink className="min-h-12!" href="/subscriptions">
        {words.plan.manage}
      </ButtonLink>
    </section>
  );
}
