// Plans in figures: what recurs, who came and left, what fails; as charts over time, and what is to come.
import { useState } from 'react';
import { padAmount } from '../../app/format.ts';
import { Chart } from '../../ui/Chart.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { FigureTerm, SpanChoice } from '../business/figures.tsx';
import { type PlanFigures, usePlanFigures } from './plansApi.ts';

export const FIRST_SPAN = 30;
const SPANS = [FIRST_SPAN, 90, 365];
type View = 'mrr' | 'moves' | 'charged' | 'upcoming';
const VIEWS: [View, string][] = [
  ['mrr', 'MRR'],
  ['moves', 'New and ended'],
  ['charged', 'Charged'],
  ['upcoming', 'Upcoming'],
];
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function FiguresCard({ planId }: { planId?: string }) {
  const [days, setDays] = useState(FIRST_SPAN);
  const [view, setView] = useState<View>('mrr');
  const { data, error, refetch } = usePlanFigures(days, planId);
  return (
    <section
      aria-labelledby="figures"
      className="flex flex-col gap-4 rounded-2xl border border-line bg-surface px-4 py-3 sm:px-6"
    >
      <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-4">
        <h2 id="figures" className="font-semibold">
          Recurring revenue
        </h2>
        <SpanChoice spans={SPANS} days={days} onDays={setDays} />
      </header>
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-72" />}
      {data && (
        <>
          <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 lg:grid-cols-6">
            <FigureTerm name="MRR" value={padAmount(data.mrr)} hint="USDC in 30 days" />
            <FigureTerm
              name="Active"
              value={data.active.toLocaleString()}
              hint={data.trials > 0 ? `and ${data.trials.toLocaleString()} in trial` : undefined}
            />
            <FigureTerm name="New" value={data.started.toLocaleString()} />
            <FigureTerm name="Churned" value={data.ended.toLocaleString()} hint={churnWords(data)} />
            <FigureTerm name="Failing" value={data.failing.toLocaleString()} />
            <FigureTerm
              name="Next 30 days"
              value={padAmount(data.upcoming.amount)}
              hint={`USDC, ${data.upcoming.count === 1 ? '1 charge' : `${data.upcoming.count.toLocaleString()} charges`}`}
            />
          </dl>
          <Choice label="Chart" value={view} onValue={setView} choices={VIEWS} />
          <Plot view={view} figures={data} />
        </>
      )}
    </section>
  );
}

function churnWords({ churn }: PlanFigures): string | undefined {
  return churn === null ? undefined : `${(churn * 100).toFixed(1).replace(/\.0$/, '')} % of all`;
}

const money = (value: number) => padAmount(value.toFixed(2));
const timesOf = (days: { date: string }[]) => days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1_000);

function Plot({ view, figures: { days, upcoming } }: { view: View; figures: PlanFigures }) {
  const common = { height: 180, formatTime: (seconds: number) => DAY.format(seconds * 1_000) };
  const span = `the last ${days.length} days`;
  switch (view) {
    case 'mrr':
      return (
        <Chart
          {...common}
          title={`Monthly recurring revenue on ${span}, in USDC`}
          summary={`From ${padAmount(days[0]?.mrr ?? '0.00')} to ${padAmount(days.at(-1)?.mrr ?? '0.00')} USDC.`}
          times={timesOf(days)}
          format={money}
          series={[{ label: 'MRR, USDC', tone: 'accent', values: days.map(({ mrr }) => Number(mrr)) }]}
        />
      );
    case 'moves':
      return (
        <Chart
          {...common}
          title={`Subscriptions that started and ended on ${span}`}
          summary="New and ended subscriptions by day."
          times={timesOf(days)}
          series={[
            { label: 'New', kind: 'bars', tone: 'accent', values: days.map(({ started }) => started) },
            { label: 'Ended', kind: 'bars', tone: 'brick', values: days.map(({ ended }) => ended) },
          ]}
        />
      );
    case 'charged':
      return (
        <Chart
          {...common}
          title={`Charged on ${span}, in USDC`}
          summary="Charges by day, before fees."
          times={timesOf(days)}
          format={money}
          series={[
            {
              label: 'Charged, USDC',
              kind: 'bars',
              tone: 'accent',
              values: days.map(({ charged }) => Number(charged)),
            },
          ]}
        />
      );
    case 'upcoming':
      return (
        <Chart
          {...common}
          title="Charges of the next 30 days, in USDC"
          summary={`${upcoming.count} charges of ${padAmount(upcoming.amount)} USDC in all, if every one is paid.`}
          times={timesOf(upcoming.days)}
          format={money}
          series={[
            {
              label: 'Due, USDC',
              kind: 'bars',
              tone: 'amber',
              values: upcoming.days.map(({ amount }) => Number(amount)),
            },
          ]}
        />
      );
  }
}
