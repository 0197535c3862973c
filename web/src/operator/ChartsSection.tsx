// How it was: charts over a span that the operator chooses. Each can be read as a table.
import { useId, useState } from 'react';
import { shortHex } from '../app/format.ts';
import { Card } from '../ui/Card.tsx';
import { Chart } from '../ui/Chart.tsx';
import { toneAt } from '../ui/chartLooks.ts';
import { EmptyNote, ErrorNote, Skeleton } from '../ui/notices.tsx';
import type { Series } from '../ui/usePlot.ts';
import { onGrid, shortAge, timesOf } from './figures.ts';
import { type Charts, SPANS, useCharts } from './operationsApi.ts';

const STEP_LABELS: Record<string, string> = {
  inbox: 'Inbox',
  intents: 'Commands',
  legs: 'Payments to sign',
  transactions: 'Transactions',
  replies: 'Replies',
  deliveries: 'Webhooks',
};

export function ChartsSection() {
  const [minutes, setMinutes] = useState<number>(60);
  const { data, error, refetch } = useCharts(minutes);
  return (
    <section aria-label="Over time" className="flex min-w-0 flex-col gap-4">
      <Spans chosen={minutes} choose={setMinutes} />
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      <div className="grid min-w-0 gap-4 sm:gap-6 lg:grid-cols-2">
        {data ? <AllCharts charts={data} /> : !error && <Skeletons />}
      </div>
    </section>
  );
}

function Spans({ chosen, choose }: { chosen: number; choose: (minutes: number) => void }) {
  const name = useId();
  return (
    <fieldset className="flex flex-wrap gap-1 self-start rounded-lg bg-sunken p-1">
      <legend className="sr-only">Time span</legend>
      {SPANS.map(({ minutes, label }) => (
        <label
          key={minutes}
          className="flex min-h-8 cursor-pointer items-center rounded-md px-3 text-sm text-muted has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={minutes === chosen}
            onChange={() => choose(minutes)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function Skeletons() {
  return ['tips', 'receipts', 'work', 'replies', 'rpc', 'balances'].map((key) => (
    <Skeleton key={key} className="h-72" />
  ));
}

function AllCharts({ charts }: { charts: Charts }) {
  const times = timesOf(charts);
  const perMinute = 60 / charts.step_seconds;
  const paid = charts.tips.reduce((sum, one) => sum + one.settled, 0);
  const failed = charts.tips.reduce((sum, one) => sum + one.failed, 0);
  const slowest = Math.max(0, ...charts.receipts.map((one) => one.p99));
  const rate = (values: [number, number][]) => onGrid(times, values, 0).map((count) => count * perMinute);
  return (
    <>
      <ChartCard
        title="Tips per minute"
        summary={`${paid} paid, ${failed} failed.`}
        empty={paid + failed === 0 && 'No tips in this period.'}
        times={times}
        format={(value) => (Number.isInteger(value) ? String(value) : value.toFixed(1))}
        series={[
          { label: 'Paid', kind: 'bars', values: rate(charts.tips.map((one) => [one.at, one.settled])) },
          {
            label: 'Failed',
            kind: 'bars',
            tone: 'brick',
            values: rate(charts.tips.map((one) => [one.at, one.failed])),
          },
        ]}
      />
      <ChartCard
        title="From message to receipt"
        summary={`p99 up to ${shortAge(slowest)}.`}
        empty={charts.receipts.length === 0 && 'No receipts in this period.'}
        times={times}
        format={shortAge}
        series={[
          {
            label: 'p50',
            values: onGrid(
              times,
              charts.receipts.map((one) => [one.at, one.p50] as const),
              null,
            ),
          },
          {
            label: 'p99',
            tone: 'amber',
            values: onGrid(
              times,
              charts.receipts.map((one) => [one.at, one.p99] as const),
              null,
            ),
          },
        ]}
      />
      <SampleChart
        charts={charts}
        times={times}
        name="ampersat_work_oldest_seconds"
        title="Oldest work, by step"
        format={shortAge}
        missing={0}
        labelOf={(subject) => STEP_LABELS[subject]}
      />
      <SampleChart
        charts={charts}
        times={times}
        name="ampersat_work_waiting"
        title="Replies to send"
        format={(value) => String(Number(value.toFixed(1)))}
        missing={0}
        labelOf={(subject) => (subject === 'replies' ? 'Replies' : undefined)}
      />
      <SampleChart
        charts={charts}
        times={times}
        name="ampersat_rpc_latency_seconds"
        title="RPC latency, by endpoint"
        format={(value) => `${Number((value * 1_000).toPrecision(3))} ms`}
        labelOf={(subject) => subject.replace(/ (\d+)$/, ' · $1')}
      />
      <SampleChart
        charts={charts}
        times={times}
        name="ampersat_executor_balance"
        title="Executor balances"
        format={(value) => String(Number(value.toPrecision(4)))}
        labelOf={(subject) => subject.replace(/\w+$/, shortHex)}
      />
    </>
  );
}

/** One line a subject of a sampled figure. A subject without a label is left out. */
function SampleChart({
  charts,
  times,
  name,
  title,
  format,
  missing = null,
  labelOf = (subject) => subject,
}: {
  charts: Charts;
  times: number[];
  name: string;
  title: string;
  format: (value: number) => string;
  missing?: number | null;
  labelOf?: (subject: string) => string | undefined;
}) {
  const samples = charts.samples.filter((one) => one.name === name && labelOf(one.subject));
  const highest = Math.max(0, ...samples.flatMap((one) => one.points.map(([, value]) => value)));
  return (
    <ChartCard
      title={title}
      summary={`Up to ${format(highest)}.`}
      empty={samples.length === 0 && 'Workers record it twice a minute.'}
      times={times}
      format={format}
      series={samples.map((one, index) => ({
        label: labelOf(one.subject) ?? '',
        tone: toneAt(index),
        values: onGrid(times, one.points, missing),
      }))}
    />
  );
}

function ChartCard({
  title,
  summary,
  empty,
  times,
  series,
  format,
}: {
  title: string;
  summary: string;
  empty: string | false;
  times: number[];
  series: Series[];
  format: (value: number) => string;
}) {
  return (
    <Card title={title}>
      <div className="min-h-50">
        {empty ? (
          <EmptyNote title="No data">{empty}</EmptyNote>
        ) : (
          <Chart title={title} summary={summary} times={times} series={series} format={format} />
        )}
      </div>
    </Card>
  );
}
