// The period of the overview: one of a few, or two days; and its file.
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { PeriodName } from '../../../../src/domain/overview.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { StatusTabs } from '../../ui/StatusTabs.tsx';
import { dayFault, type Wanted, writeWanted } from './overviewApi.ts';

const TABS: { value: PeriodName; label: string }[] = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '12m', label: '12 months' },
  { value: 'custom', label: 'Custom' },
];

export function PeriodBar({ wanted, now, csv }: { wanted: Wanted; now: number; csv: string | null }) {
  return (
    <div className="flex flex-col gap-3 print:hidden">
      <div className="flex items-center justify-between gap-2">
        <StatusTabs
          label="Period"
          tabs={TABS}
          value={wanted.period}
          onValue={(value) =>
            writeWanted({ ...wanted, period: TABS.find((tab) => tab.value === value)?.value ?? '30d' })
          }
        />
        <ButtonLink
          href={csv ?? ''}
          download
          title="Download CSV"
          aria-disabled={csv === null}
          className={`shrink-0 px-3! ${csv === null ? 'pointer-events-none opacity-50' : ''}`}
        >
          <Download aria-hidden="true" className="size-4" />
          <span className="sr-only">Download CSV</span>
        </ButtonLink>
      </div>
      {wanted.period === 'custom' && <Days wanted={wanted} now={now} />}
    </div>
  );
}

/** What is typed stays in its field while it makes no period: a year grows digit by digit. */
function Days({ wanted, now }: { wanted: Wanted; now: number }) {
  const [typed, setTyped] = useState({ from: wanted.from, to: wanted.to });
  const fault = dayFault({ ...wanted, ...typed }, now);
  const type = (name: 'from' | 'to') => (event: { target: { value: string } }) => {
    const next = { ...typed, [name]: event.target.value };
    setTyped(next);
    if (!dayFault({ ...wanted, ...next }, now)) writeWanted({ ...wanted, ...next });
  };
  const wordsOf = (name: 'from' | 'to') =>
    fault?.param === name ? `The ${name === 'from' ? 'first' : 'last'} day ${fault.words}.` : null;
  return (
    <div className="grid max-w-120 grid-cols-2 items-start gap-3">
      <Field label="First day" type="date" value={typed.from} error={wordsOf('from')} onChange={type('from')} />
      <Field label="Last day" type="date" value={typed.to} error={wordsOf('to')} onChange={type('to')} />
    </div>
  );
}
