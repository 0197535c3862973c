// What a workspace was paid in one currency: gross, fees, refunds and net, each against the period before, and gross part by part.
import { padAmount } from '../../app/format.ts';
import { Card } from '../../ui/Card.tsx';
import { Chart } from '../../ui/Chart.tsx';
import { StatusTabs } from '../../ui/StatusTabs.tsx';
import { signedAmount } from '../orders/signedAmount.ts';
import { Against } from './Against.tsx';
import type { CurrencyMoney, Overview } from './overviewApi.ts';

const HEIGHT = 200;
const FORMATS = {
  hour: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' }),
};

export function MoneyCard({
  data,
  currency,
  onCurrency,
}: {
  data: Overview;
  currency: string;
  onCurrency: (currency: string) => void;
}) {
  const { currencies } = data;
  const shown = currencies.find((one) => one.currency === currency) ?? currencies[0] ?? NOTHING;
  return (
    <Card
      title="Paid to you"
      aside={
        currencies.length > 1 ? (
          <StatusTabs
            label="Currency"
            tabs={currencies.map((one) => ({ value: one.currency, label: one.currency }))}
            value={shown.currency}
            onValue={onCurrency}
          />
        ) : (
          <span className="text-sm text-muted">{shown.currency}</span>
        )
      }
    >
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-4">
        <Against
          name="Gross"
          value={padAmount(shown.gross)}
          before={padAmount(shown.before.gross)}
          change={shown.change.gross}
        />
        <Against name="Fees" value={minus(shown.fees)} before={minus(shown.before.fees)} change={shown.change.fees} />
        <Against
          name="Refunds"
          value={minus(shown.refunds)}
          before={minus(shown.before.refunds)}
          change={shown.change.refunds}
        />
        <Against
          name="Net"
          value={signedAmount(shown.net)}
          before={signedAmount(shown.before.net)}
          change={shown.change.net}
        />
      </dl>
      <Bars data={data} money={shown} />
      <p className="text-sm text-muted tabular-nums">
        {counted(shown.payments, 'payment')}, {counted(shown.refunded, 'refund')}. Each counts when it is final.
        {currencies.length > 1 && ' Currencies aren’t converted.'}
      </p>
    </Card>
  );
}

const ZERO = { gross: '0.00', fees: '0.00', refunds: '0.00', net: '0.00', payments: 0, refunded: 0 };
const NOTHING: CurrencyMoney = {
  currency: 'USDC',
  ...ZERO,
  parts: [],
  before: ZERO,
  change: { gross: null, fees: null, refunds: null, net: null },
};

const minus = (amount: string) => (/[1-9]/.test(amount) ? `−${padAmount(amount)}` : padAmount(amount));
const counted = (count: number, what: string) => `${count.toLocaleString()} ${what}${count === 1 ? '' : 's'}`;

function Bars({ data: { period }, money: { currency, parts } }: { data: Overview; money: CurrencyMoney }) {
  const times = period.parts.map((at) => (period.step === 'hour' ? Date.parse(at) : dayAt(at)) / 1_000);
  if (parts.every(({ gross }) => !/[1-9]/.test(gross)))
    // As high as the chart with the row below it.
    return (
      <p className="flex h-[15.5rem] items-center justify-center rounded-lg bg-sunken text-sm text-muted">
        No payments in this period.
      </p>
    );
  return (
    <Chart
      title={`Gross payments by ${period.step}, in ${currency}`}
      summary={`From ${period.from} to ${period.to}.`}
      height={HEIGHT}
      times={times}
      formatTime={(seconds) => FORMATS[period.step].format(seconds * 1_000)}
      format={(value) => padAmount(value.toFixed(2))}
      series={[
        { label: `Gross, ${currency}`, kind: 'bars', tone: 'accent', values: parts.map(({ gross }) => Number(gross)) },
      ]}
    />
  );
}

/** The day of a moment here, as the axis takes days: at midnight in UTC. */
function dayAt(at: string): number {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
}
