// The summary of a payment: amount, recipients, fees and time to finality.
import { ArrowRight, X } from 'lucide-react';
import { chainLabel } from '../../../../src/domain/chains.ts';
import { addAmounts, seconds } from '../../../../web/src/app/format.ts';
import { Avatar } from '../../../../web/src/ui/Avatar.tsx';
import { Pill } from '../../../../web/src/ui/Pill.tsx';
import type { Tone } from '../../../../web/src/ui/tone.ts';
import type { Leg, Trace } from '../localApi.ts';
import { codeWords, milestones } from '../traceWords.ts';

type Line = Pick<Leg, 'amount' | 'fee' | 'asset' | 'chain' | 'recipient'> & { leg: Leg | null };

export function Payment({ trace, sender }: { trace: Trace; sender: string }) {
  const lines = linesOf(trace);
  const first = lines[0];
  if (!first) return null;
  const sameAsset = lines.every((line) => line.asset === first.asset);
  const { paidMs, finalMs, asked } = milestones(trace);
  const refused = trace.intent?.detail?.refused ?? [];
  const doubts = trace.intent?.status === 'awaiting_confirmation' ? (trace.intent.detail?.doubts ?? []) : [];
  return (
    <section aria-label="Payment" className="flex flex-col gap-3 rounded-2xl border border-line bg-surface p-4">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
        {sameAsset && (
          <p className="text-xl font-semibold amount">
            {addAmounts(lines.map((line) => line.amount))} {first.asset}
          </p>
        )}
        <p className="text-sm text-muted tabular-nums">
          {paidMs !== null && <span className="font-semibold text-accent">paid in {seconds(paidMs)}</span>}
          {finalMs !== null && `, final in ${seconds(finalMs)}`}
          {asked && paidMs !== null && ' after the answer'}
        </p>
      </div>
      <ul className="flex flex-col gap-3">
        {lines.map((line) => (
          <li key={line.leg?.id ?? line.recipient} className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
            <Avatar name={sender} size="small" />
            <ArrowRight aria-label="to" className="size-4 text-muted" />
            <Avatar name={line.recipient.replace('@', '')} size="small" />
            <span className="font-medium">{line.recipient}</span>
            <span className="text-muted tabular-nums max-sm:order-last max-sm:basis-full">
              {lines.length > 1 && `${line.amount} ${line.asset}, `}fee {line.fee} {line.asset}
              {line.leg?.crossing && ` and ${line.leg.crossing.bridge_fee} ${line.asset} for the bridge`}, on{' '}
              {chainLabel(line.chain)}
            </span>
            {line.leg && (
              <span className="ml-auto">
                <LegPill leg={line.leg} />
              </span>
            )}
            {line.leg?.failure && (
              <span className="basis-full text-brick">Not sent: {codeWords(line.leg.failure.code)}.</span>
            )}
          </li>
        ))}
        {refused.map(({ label, refusal }) => (
          <li key={label} className="flex items-center gap-2 text-sm">
            <Avatar name={sender} size="small" />
            <X aria-label="not to" className="size-4 text-brick" />
            <Avatar name={label.replace('@', '')} size="small" />
            <span className="font-medium">{label}</span>
            <span className="text-brick">{codeWords(refusal.code)}</span>
          </li>
        ))}
      </ul>
      {doubts.length > 0 && (
        <p className="rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber">
          The bot asks first: {doubts.map(codeWords).join('; ')}. Answer with the button in the chat.
        </p>
      )}
    </section>
  );
}

/** The legs, or the plan that awaits confirmation while there are none. */
function linesOf(trace: Trace): Line[] {
  if (trace.legs.length > 0) return trace.legs.map((leg) => ({ ...leg, leg }));
  const plan = trace.intent?.detail?.plan ?? [];
  return plan.map((planned) => ({ ...planned, recipient: planned.label, leg: null }));
}

function LegPill({ leg: { status, crossing } }: { leg: Leg }) {
  const sent = LEG_WORDS[status];
  if (!crossing || status === 'failed') return <Pill tone={sent.tone}>{sent.words}</Pill>;
  if (crossing.status === 'succeeded') return <Pill tone="good">{`arrived on ${chainLabel(crossing.chain)}`}</Pill>;
  if (crossing.status === 'refunded') return <Pill tone="quiet">came back</Pill>;
  return <Pill tone="busy">{`on its way to ${chainLabel(crossing.chain)}`}</Pill>;
}

const LEG_WORDS: Record<Leg['status'], { words: string; tone: Tone }> = {
  ready: { words: 'preparing', tone: 'busy' },
  submitted: { words: 'on its way', tone: 'busy' },
  mined: { words: 'confirming', tone: 'good' },
  settled: { words: 'final', tone: 'good' },
  failed: { words: 'not sent', tone: 'bad' },
};
