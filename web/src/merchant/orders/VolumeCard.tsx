// What a merchant was paid in a period: gross, fees, refunds and net, and a bar a day.
import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import { padAmount } from '../../app/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { FigureTerm, SpanChoice } from '../business/figures.tsx';
import { NetChart } from './NetChart.tsx';
import { useVolume, type Volume } from './ordersApi.ts';
import { signedAmount } from './signedAmount.ts';

const SPANS = [7, 30, 90];

/** The chart is behind a button: the orders below are what a merchant comes for. */
export function VolumeCard() {
  const [days, setDays] = useState(30);
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, refetch } = useVolume(days);
  return (
    <section
      aria-labelledby="paid"
      className="flex flex-col gap-3 rounded-2xl border border-line bg-surface px-4 py-3 sm:px-6"
    >
      <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-4">
        <h2 id="paid" className="font-semibold">
          Paid to you
        </h2>
        <div className="flex items-center gap-1">
          <SpanChoice spans={SPANS} days={days} onDays={setDays} />
          <Button
            className="min-h-8! px-2!"
            aria-expanded={isOpen}
            aria-controls="chart"
            onClick={() => setIsOpen(!isOpen)}
          >
            <ChartColumn aria-hidden="true" className="size-4" />
            <span className="sr-only">Chart</span>
          </Button>
        </div>
      </header>
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className={FIGURES} />}
      {data && <Figures volume={data} />}
      <div id="chart" hidden={!isOpen}>
        {isOpen && data && <NetChart volume={data} />}
      </div>
    </section>
  );
}

/** As high as the figures, so that nothing jumps when they arrive. */
const FIGURES = 'h-[9.75rem] sm:h-20';

/** In USDC; what came in native assets is named beside it, in its own units. */
function Figures({ volume: { today, currencies, completed } }: { volume: Volume }) {
  const usdc = currencies.find(({ currency }) => currency === 'USDC');
  const others = currencies.filter(({ currency }) => currency !== 'USDC');
  const minus = (amount = '0.00') => (Number(amount) > 0 ? `−${padAmount(amount)}` : amount);
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
        <FigureTerm name="Gross" value={padAmount(usdc?.amount ?? '0.00')} />
        <FigureTerm name="Fees" value={minus(usdc?.fees)} />
        <FigureTerm name="Refunds" value={minus(usdc?.refunds)} />
        <FigureTerm name="Net volume" value={signedAmount(usdc?.net ?? '0.00')} />
      </dl>
      <p className="text-sm text-muted tabular-nums max-sm:min-h-10">
        {signedAmount(today.net)} USDC net today · {completed.paid.toLocaleString()} paid,{' '}
        {(completed.ended - completed.paid).toLocaleString()} expired or cancelled in 30 days
        {others.map(({ currency, net }) => ` · ${signedAmount(net)} ${currency} net`).join('')}
      </p>
    </>
  );
}
