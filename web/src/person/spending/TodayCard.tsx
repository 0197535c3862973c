// What all chats together have spent of the handle's caps.
import type { SpendingOverview } from '../../../../src/http/api/spendingAnswers.ts';
import { dollars, padAmount, shareOf } from '../../app/format.ts';
import { Card } from '../../ui/Card.tsx';
import { Meter } from '../../ui/Meter.tsx';

export function TodayCard({ spending }: { spending: SpendingOverview }) {
  const { spent_24h_usd, day_cap, command_cap, tips_left_this_hour: left, tips_per_hour: all } = spending;
  return (
    <Card title="All chats together">
      <div className="grid gap-4 sm:grid-cols-2">
        <Meter
          label="Spent in 24 hours"
          used={`$${padAmount(spent_24h_usd)}`}
          of={`$${padAmount(day_cap)}`}
          share={shareOf(spent_24h_usd, day_cap)}
        />
        <Meter label="Tips this hour" used={String(all - left)} of={String(all)} share={all ? 1 - left / all : 0} />
      </div>
      <p className="text-sm text-muted">
        Up to <b className="font-medium text-ink amount">{dollars(command_cap)}</b> per command, fees included.
      </p>
    </Card>
  );
}
