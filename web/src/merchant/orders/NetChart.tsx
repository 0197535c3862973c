// What a merchant's wallet gained on each day of a period.
import { padAmount } from '../../app/format.ts';
import { Chart } from '../../ui/Chart.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import type { Volume } from './ordersApi.ts';

const HEIGHT = 160;
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function NetChart({ volume: { days } }: { volume: Volume }) {
  if (days.every(({ count, net }) => count === 0 && Number(net) === 0))
    return (
      <div className="flex h-[200px] items-center justify-center">
        <EmptyNote title="No payments yet">Paid orders from the last {days.length} days appear here.</EmptyNote>
      </div>
    );
  return (
    <Chart
      title={`Net payments on each of the last ${days.length} days, in USDC`}
      summary={`Net volume of the last ${days.length} days, in USDC.`}
      height={HEIGHT}
      times={days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1_000)}
      formatTime={(seconds) => DAY.format(seconds * 1_000)}
      format={(value) => padAmount(value.toFixed(2))}
      series={[{ label: 'Net volume, USDC', kind: 'bars', tone: 'accent', values: days.map(({ net }) => Number(net)) }]}
    />
  );
}
