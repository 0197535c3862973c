// A plan's page, for anyone: what it costs, how often, what a wallet allows, and the way to subscribe.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../app/apiError.ts';
import { firstAnswer } from '../../app/firstAnswer.ts';
import { padAmount } from '../../app/format.ts';
import { usePath } from '../../app/router.tsx';
import { spanWords } from '../../app/spans.ts';
import { Fact, Facts, Figure } from '../../ui/Facts.tsx';
import { EmptyNote, ErrorNote } from '../../ui/notices.tsx';
import { CheckoutFrame } from '../checkout/CheckoutFrame.tsx';
import { useLanguage, useWords } from '../checkout/language.ts';
import { Loading, NotFound } from '../checkout/Missing.tsx';
import { problemWords } from '../checkout/problems.ts';
import { PlanPicture } from './PlanPicture.tsx';
import { fetchHosted, type HostedPlan, planAt } from './planApi.ts';
import { Done, SubscribeBox } from './SubscribeBox.tsx';
import type { SubscribeEnd } from './subscribeRun.ts';

export function HostedPlanPage() {
  const words = useWords();
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useQuery({
    queryKey: ['hosted-plan', id],
    queryFn: ({ signal }) => fetchHosted(id, undefined, signal),
    initialData: () => firstAnswer<HostedPlan>(planAt(id)),
    initialDataUpdatedAt: 0,
  });
  const title = data ? `${data.plan.name} · Ampersat` : 'Subscribe · Ampersat';
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <CheckoutFrame livemode={data?.plan.livemode ?? true}>
      {data ? (
        <PlanView key={id} hosted={data} />
      ) : error instanceof ApiError && error.code === 'resource_missing' ? (
        <NotFound what="plan" />
      ) : error ? (
        <ErrorNote retry={() => void refetch()} retryWord={words.tryAgain}>
          {problemWords(error)}
        </ErrorNote>
      ) : (
        <Loading />
      )}
    </CheckoutFrame>
  );
}

function PlanView({ hosted }: { hosted: HostedPlan }) {
  const { words, language } = useLanguage();
  const [end, setEnd] = useState<SubscribeEnd | null>(null);
  const { plan, chain_label: network, creator_kind: kind } = hosted;
  if (end) return <Done end={end} plan={plan} chainLabel={network} />;
  const price = `${padAmount(plan.amount)} ${plan.currency}`;
  const span = spanWords(plan.period, language);
  return (
    <>
      <div className="flex flex-col items-center gap-2 text-center">
        <PlanPicture plan={plan} />
        <h1 className="flex flex-col items-center gap-2">
          <span className="text-base text-muted">
            {words.plan.subscribeTo} <b className="font-semibold break-words text-ink">{plan.name}</b>
          </span>
          <Figure amount={plan.amount} currency={plan.currency} />
          <span className="text-base text-muted">{words.plan.every(span)}</span>
        </h1>
        {plan.description && <p className="max-w-80 break-words whitespace-pre-line">{plan.description}</p>}
      </div>
      <Facts>
        <Fact name={words.plan.by}>
          {plan.creatorHandle === null ? (
            <code className="font-mono">{`${plan.creator.slice(0, 6)}…${plan.creator.slice(-4)}`}</code>
          ) : (
            <>
              @{plan.creatorHandle}
              {kind === 'business' && ` · ${words.business}`}
            </>
          )}
        </Fact>
        <Fact name={words.plan.price}>
          {price}, {words.plan.every(span)}
        </Fact>
        <Fact name={words.network}>{network}</Fact>
        <Fact name={words.fee}>{words.noFee}</Fact>
        {plan.trial_days > 0 && (
          <Fact name={words.plan.firstCharge}>{words.plan.trial(spanWords(plan.trial_days * 86_400, language))}</Fact>
        )}
      </Facts>
      <ul className="flex flex-col gap-1 text-center text-sm text-muted">
        <li>{words.plan.cancelAnyTime}</li>
        <li>{words.plan.promise}</li>
      </ul>
      {plan.status === 'active' ? (
        <SubscribeBox hosted={hosted} onDone={setEnd} />
      ) : plan.status === 'inactive' ? (
        <EmptyNote title={words.plan.inactive}>{words.plan.inactiveHelp}</EmptyNote>
      ) : (
        <EmptyNote title={words.plan.pending}>{words.plan.pendingHelp}</EmptyNote>
      )}
    </>
  );
}
