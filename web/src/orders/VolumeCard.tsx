// What was paid: three figures, how many orders were, and a bar a day.
import { useState } from 'react';
import { padAmount } from '../format.ts';
import { Card } from '../ui/Card.tsx';
import { Chart } from '../ui/Chart.tsx';
import { ErrorNote, Skeleton } from '../ui/notices.tsx';
import { useVolume, type Volume } from './ordersApi.ts';

const SPANS = [7, 30, 90];
const HEIGHT = 160;
/** The figures and the chart with its legend, so that nothing jumps when the data arrives. */
const WHOLE = 'h-[352px] sm:h-[284px]';
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function VolumeCard() {
  const [days, setDays] = useState(30);
  const { data, error, refetch } = useVolume(days);
  return (
    <Card title="Paid to you" aside={<Spans days={days} onDays={setDays} />}>
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className={WHOLE} />}
      {data && (
        <>
          <Figures volume={data} />
          <Bars volume={data} />
        </>
      )}
    </Card>
  );
}

function Spans({ days, onDays }: { days: number; onDays: (days: number) => void }) {
  return (
    <fieldset className="flex gap-1 print:hidden">
      <legend className="sr-only">How far back</legend>
      {SPANS.map((span) => (
        <label
          key={span}
          className="relative inline-flex min-h-8 cursor-pointer items-center rounded-lg px-2 text-sm text-muted has-checked:bg-soft has-checked:font-semibold has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="span"
            checked={span === days}
            onChange={() => onDays(span)}
            className="absolute inset-0 opacity-0"
          />
          {span} days
        </label>
      ))}
    </fieldset>
  );
}

function Figures({ volume: { today, last_7_days, last_30_days, completed } }: { volume: Volume }) {
  const share = completed.ended === 0 ? '–' : `${Math.round((completed.paid / completed.ended) * 100)} %`;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
      <Figure name="Today" value={padAmount(today.usd)} note={orders(today.count)} />
      <Figure name="7 days" value={padAmount(last_7_days.usd)} note={orders(last_7_days.count)} />
      <Figure name="30 days" value={padAmount(last_30_days.usd)} note={orders(last_30_days.count)} />
      <Figure name="Completed" value={share} note={`${completed.paid} of ${completed.ended} in 30 days`} />
    </dl>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="truncate text-lg font-semibold amount">{value}</dd>
      <dd className="truncate text-sm text-muted amount">{note}</dd>
    </div>
  );
}

function Bars({ volume }: { volume: Volume }) {
  const { days, currencies } = volume;
  const others = currencies.filter(({ currency }) => currency !== 'USDC');
  const sums = currencies.map(({ currency, amount }) => `${padAmount(amount)} ${currency}`).join(', ') || 'nothing yet';
  return (
    <>
      <Chart
        title={`Paid on each of the last ${days.length} days, in US dollars`}
        summary={`Together ${sums}.`}
        height={HEIGHT}
        times={days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1_000)}
        formatTime={(seconds) => DAY.format(seconds * 1_000)}
        format={(value) => value.toFixed(2)}
        series={[{ label: 'Paid, in USD', kind: 'bars', tone: 'accent', values: days.map((day) => Number(day.usd)) }]}
      />
      {others.length > 0 && (
        <p className="text-sm text-muted">
          And in these {days.length} days{' '}
          {others.map(({ currency, amount }) => `${padAmount(amount)} ${currency}`).join(', ')}, which the bars leave
          out.
        </p>
      )}
    </>
  );
}

function orders(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`;
}
