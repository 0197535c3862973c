// The timeline of one complaint: every step, oldest first, with its transactions and its replies.
import { capitalised, exactTime } from '../app/format.ts';
import { Link, useSearch } from '../app/router.tsx';
import { Card } from '../ui/Card.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { Hex } from '../ui/Hex.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../ui/notices.tsx';
import { Pill } from '../ui/Pill.tsx';
import { useKnownError } from '../ui/useKnownError.ts';
import { useCase } from './casesApi.ts';
import { caseHref, PLATFORM_WORDS, statusTone, statusWords, stepWords } from './caseWords.ts';
import { OperatorFrame } from './OperatorFrame.tsx';

type Case = NonNullable<ReturnType<typeof useCase>['data']>;

const DOTS = { quiet: 'bg-edge', good: 'bg-accent', busy: 'bg-amber', bad: 'bg-brick' } as const;
const KINDS = { message: 'The message', order: 'The order', tab: 'The tab', reply: 'The reply' } as const;

export function CasePage() {
  const id = useSearch().get('id') ?? '';
  return id === '' ? <NoId /> : <OneCase id={id} />;
}

function NoId() {
  return (
    <OperatorFrame title="Timeline" error={null}>
      <EmptyNote title="No ID in this address">
        Search for a handle, transaction or ID above, then open a result to see its timeline.
      </EmptyNote>
    </OperatorFrame>
  );
}

function OneCase({ id }: { id: string }) {
  const query = useCase(id);
  const { error, retry } = useKnownError(query);
  const { data } = query;
  return (
    <OperatorFrame title={data ? capitalised(data.what) : 'Timeline'} error={query.error}>
      {error && <ErrorNote retry={retry}>{error.message}</ErrorNote>}
      {data ? <Whole one={data} /> : !error && <Loading />}
    </OperatorFrame>
  );
}

/** Lines that hold all of these values. */
function grepFor(words: string[]): string {
  const [first, ...rest] = words.map((word) => `'"${word}"'`);
  return [`grep -h ${first} *.log`, ...rest.map((word) => `grep ${word}`)].join(' | ');
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the timeline" className="flex flex-col gap-4">
      <Skeleton className="h-16" />
      <Skeleton className="h-72" />
    </div>
  );
}

function Whole({ one }: { one: Case }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
        <Pill tone={statusTone(one.status)}>{statusWords(one.status)}</Pill>
        {one.who && <span>{one.who}</span>}
        {one.platform && <span>{PLATFORM_WORDS[one.platform] ?? one.platform}</span>}
        {one.related.map(({ id, kind }) => (
          <Link key={id} href={caseHref(id)} className="inline-flex min-h-10 items-center text-accent hover:underline">
            {KINDS[kind]}
          </Link>
        ))}
      </div>
      {one.legs.length > 0 && <Legs legs={one.legs} />}
      <Card title="Timeline">
        {one.steps.length === 0 ? (
          <EmptyNote title="No steps yet">They appear as they happen.</EmptyNote>
        ) : (
          <ol aria-label="Steps" className="flex flex-col">
            {one.steps.map((step, index) => (
              <StepRow key={`${step.key} ${step.step}`} step={step} isLast={index === one.steps.length - 1} />
            ))}
          </ol>
        )}
      </Card>
      <Card title="In the logs">
        <CopyField label="Search command" value={grepFor(one.log)} />
      </Card>
    </>
  );
}

function Legs({ legs }: { legs: Case['legs'] }) {
  return (
    <Card title={legs.length === 1 ? 'Payment' : `${legs.length} payments`}>
      <ul className="flex flex-col">
        {legs.map((leg) => (
          <li
            key={leg.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line py-2 not-first:border-t"
          >
            <span className="min-w-0 break-words amount">
              {leg.amount} {leg.asset} to {leg.recipient}
            </span>
            <span className="flex flex-wrap items-center gap-3 text-sm text-muted amount">
              fee {leg.fee} · {leg.chain}
              <Pill tone={statusTone(leg.status)}>{statusWords(leg.status)}</Pill>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function StepRow({ step, isLast }: { step: Case['steps'][number]; isLast: boolean }) {
  return (
    <li className="relative flex gap-3 pb-4 last:pb-0">
      {!isLast && <span aria-hidden="true" className="absolute top-4 bottom-0 left-[0.4375rem] w-px bg-line" />}
      <span
        aria-hidden="true"
        className={`mt-1.5 size-3.5 shrink-0 rounded-full border-2 border-surface ${DOTS[step.tone]}`}
      />
      <div className="flex min-w-0 grow flex-col">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className={`font-medium ${step.tone === 'bad' ? 'text-brick' : ''}`}>{stepWords(step.step)}</span>
          <time dateTime={step.at} className="text-sm text-muted amount">
            {exactTime(Date.parse(step.at))}
          </time>
        </p>
        {step.detail && <p className="text-sm break-words text-muted">{step.detail}</p>}
        {step.tx_hash && (
          <p className="text-sm text-muted">
            <Hex value={step.tx_hash} what="the transaction" href={step.explorer_url} />
          </p>
        )}
      </div>
    </li>
  );
}
