// What was sent and received a day, in US dollars.
import { padAmount } from '../../app/format.ts';
import { Chart } from '../../ui/Chart.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useSummary } from './historyApi.ts';

const HEIGHT = 160;
/** The chart with its legend, so that nothing jumps when the data arrives. */
const WHOLE = 'h-[200px]';
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function SummaryChart({ days }: { days: number }) {
  const { data, error, refetch } = useSummary(days);
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data) return <Skeleton className={WHOLE} />;
  if (data.days.every(({ count }) => count === 0))
    return (
      <div className={`flex items-center justify-center ${WHOLE}`}>
        <EmptyNote title="No tips yet">Tips from the last {days} days appear here.</EmptyNote>
      </div>
    );
  return (
    <Chart
      title={`Sent and received in the last ${days} days, in US dollars`}
      summary={`Sent $${padAmount(data.sent_usd)}, received $${padAmount(data.received_usd)}, fees $${padAmount(data.fees_usd)}.`}
      height={HEIGHT}
      times={data.days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1_000)}
      formatTime={(seconds) => DAY.format(seconds * 1_000)}
      format={(value) => padAmount(value.toFixed(2))}
      series={[
        { label: 'Received', kind: 'bars', tone: 'accent', values: data.days.map((day) => Number(day.received_usd)) },
        { label: 'Sent', kind: 'bars', tone: 'amber', values: data.days.map((day) => Number(day.sent_usd)) },
      ]}
    />
  );
}
