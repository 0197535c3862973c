// What calls of X cost: today against the budget, and the last days as a chart.
import { ConfirmButton } from '../person/settings/ConfirmButton.tsx';
import { Card } from '../ui/Card.tsx';
import { Chart } from '../ui/Chart.tsx';
import { EmptyNote, ErrorNote } from '../ui/notices.tsx';
import { Pill } from '../ui/Pill.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { share } from './figures.ts';
import { useResumeX, type XBudget } from './operationsApi.ts';

const STATES = {
  closed: { tone: 'good', label: 'Normal' },
  warm: { tone: 'busy', label: 'Reduced' },
  open: { tone: 'bad', label: 'Paused' },
  half_open: { tone: 'busy', label: 'Testing' },
} as const;
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function BudgetCard({ budget }: { budget: XBudget }) {
  const { state, halted, days } = budget;
  const { tone, label } = STATES[state];
  const highest = Math.max(0, ...days.map((one) => one.spent_usd));
  const haltedDays = days.filter((one) => one.halted).length;
  return (
    <Card title="X budget today">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="text-base font-medium amount">
          {usd(budget.spent_usd)} of {usd(budget.budget_usd)}
        </span>
        <Pill tone={tone}>{label}</Pill>
      </div>
      <p className="text-sm text-muted amount">
        {share(budget.spent_usd, budget.budget_usd)} used · {budget.requests.toLocaleString()} calls ·{' '}
        {usd(budget.reserved_usd)} reserved
      </p>
      {halted !== null && <Halted halted={halted} />}
      {budget.resumes.map(({ at, by, halted: reason }) => (
        <p key={at} className="text-sm text-muted">
          Resumed X <TimeAgo at={at} /> by {by} after a {reason === 'credits' ? 'credit' : 'budget'} halt.
        </p>
      ))}
      {budget.over.map(({ author_id, posts, ignored, spent_usd }) => (
        <p key={author_id} className="text-sm amount">
          <a className="underline" href={`https://x.com/i/user/${author_id}`} target="_blank" rel="noopener noreferrer">
            Author {author_id}
          </a>{' '}
          reached their daily share of {usd(budget.share_usd)}: {posts.toLocaleString()} posts,{' '}
          {ignored.toLocaleString()} of them ignored, {usd(spent_usd)}.
        </p>
      ))}
      {highest === 0 ? (
        <EmptyNote title="No spend yet">Calls of X cost nothing in the last {days.length} days.</EmptyNote>
      ) : (
        <Chart
          title="X spend per day"
          summary={`Up to ${usd(highest)} in a day; halted on ${haltedDays} of ${days.length} days.`}
          times={days.map((one) => Date.parse(`${one.day}T00:00:00Z`) / 1_000)}
          format={usd}
          formatTime={(seconds) => DAY.format(seconds * 1_000)}
          series={[
            { label: 'Spent', kind: 'bars', values: days.map((one) => one.spent_usd) },
            { label: 'Budget', tone: 'muted', values: days.map((one) => one.budget_usd) },
          ]}
        />
      )}
    </Card>
  );
}

function Halted({ halted }: { halted: NonNullable<XBudget['halted']> }) {
  const resume = useResumeX();
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-brick">
        {halted === 'credits' ? 'No X credit left.' : 'The rest is reserved for receipts.'} New commands are read after
        00:00 UTC, or when you resume.
      </p>
      <div>
        <ConfirmButton
          label="Resume reading X"
          question={halted === 'credits' ? 'Has credit been added?' : 'Reading resumes if the budget has room.'}
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

const DOLLARS = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

function usd(amount: number): string {
  return `$${DOLLARS.format(amount)}`;
}
