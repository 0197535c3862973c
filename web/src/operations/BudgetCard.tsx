// What calls of X cost: today against the budget, and the last days as a chart.
import { ConfirmButton } from '../settings/ConfirmButton.tsx';
import { Card } from '../ui/Card.tsx';
import { Chart } from '../ui/Chart.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { Pill } from '../ui/Pill.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { share } from './figures.ts';
import { useResumeX, type XBudget } from './operationsApi.ts';

const STATES = {
  closed: { tone: 'good', label: 'Read as usual' },
  warm: { tone: 'busy', label: 'Read less often' },
  open: { tone: 'bad', label: 'Not read' },
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
      {halted !== null && <Halted halted={halted} />}
      {budget.resumes.map(({ at, by, halted: reason }) => (
        <p key={at} className="text-sm text-muted">
          Read again <TimeAgo at={at} /> by {by}, after a halt of the {reason === 'credits' ? 'credit' : 'budget'}.
        </p>
      ))}
      {budget.over.map(({ author_id, posts, ignored, spent_usd }) => (
        <p key={author_id} className="text-sm amount">
          <a className="underline" href={`https://x.com/i/user/${author_id}`} target="_blank" rel="noopener noreferrer">
            Author {author_id}
          </a>{' '}
          has used their {usd(budget.share_usd)} of today: {posts.toLocaleString()} posts, {ignored.toLocaleString()} of
          them ignored, {usd(spent_usd)}.
        </p>
      ))}
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

function Halted({ halted }: { halted: NonNullable<XBudget['halted']> }) {
  const resume = useResumeX();
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-brick">
        {halted === 'credits' ? 'X has no credit for us.' : 'The rest is kept for receipts.'} New commands are read
        after 00:00 UTC, or when you resume.
      </p>
      <div>
        <ConfirmButton
          label="Resume reading X"
          question={halted === 'credits' ? 'Is there credit again?' : 'Reading goes on if the budget has room.'}
          yes="Resume"
          busy={resume.isPending}
          onYes={() => resume.mutate(null)}
        >
          Resume
        </ConfirmButton>
      </div>
      {resume.error && <ErrorNote>{resume.error.message}</ErrorNote>}
    </div>
  );
}

function usd(amount: number): string {
  return `${amount.toFixed(2)} USD`;
}
