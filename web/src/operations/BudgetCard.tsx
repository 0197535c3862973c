// What calls of X cost: today against the budget, and the last days as a chart.
import { Card } from '../ui/Card.tsx';
import { Chart } from '../ui/Chart.tsx';
import { Pill } from '../ui/Pill.tsx';
import { share } from './figures.ts';
import type { XBudget } from './operationsApi.ts';

const STATES = {
  closed: { tone: 'good', label: 'Read as usual' },
  warm: { tone: 'busy', label: 'Read less often' },
  open: { tone: 'bad', label: 'Not read until midnight UTC' },
  half_open: { tone: 'busy', label: 'One look decides' },
} as const;
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function BudgetCard({ budget }: { budget: XBudget }) {
  const { state, halted, days } = budget;
  const { tone, label } = STATES[state];
  const highest = Math.max(0, ...days.map((one) => one.spent_usd));
  const haltedDays = days.filter((one) => one.halted).length;
  return (
    <Card title="X: budget of the day">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="text-base font-medium amount">
          {usd(budget.spent_usd)} of {usd(budget.budget_usd)}
        </span>
        <Pill tone={tone}>{label}</Pill>
      </div>
      <p className="text-sm text-muted amount">
        {share(budget.spent_usd, budget.budget_usd)} used · {budget.requests.toLocaleString()} calls ·{' '}
        {usd(budget.reserved_usd)} set aside
      </p>
      {halted !== null && (
        <p className="text-sm text-brick">
          {halted === 'credits' ? 'X has no credit for us.' : 'The rest is kept for receipts.'} New commands are read
          after 00:00 UTC.
        </p>
      )}
      <Chart
        title="Spent at X a day, in USD"
        summary={`At most ${usd(highest)} in a day; halted on ${haltedDays} of ${days.length} days.`}
        times={days.map((one) => Date.parse(`${one.day}T00:00:00Z`) / 1_000)}
        format={(amount) => amount.toFixed(2)}
        formatTime={(seconds) => DAY.format(seconds * 1_000)}
        series={[
          { label: 'Spent', kind: 'bars', values: days.map((one) => one.spent_usd) },
          { label: 'Budget', tone: 'muted', values: days.map((one) => one.budget_usd) },
        ]}
      />
    </Card>
  );
}

function usd(amount: number): string {
  return `${amount.toFixed(2)} USD`;
}
