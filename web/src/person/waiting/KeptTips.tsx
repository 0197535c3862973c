// The kept tips, each in its place until its outcome, so that nothing jumps when one is answered.

import { Check, Info, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { PendingTipView } from '../../../../src/http/api/waitingAnswers.ts';
import { Link } from '../../app/router.tsx';
import { sumsOf, TipCard } from './TipCard.tsx';
import type { Answer } from './tipsApi.ts';

/**
 * @param seen see {@link useSeen}
 * @param tips what is kept now
 * @param hasOtherStep another part of the page has the next step, so no button here is filled
 */
export function KeptTips({
  seen,
  tips,
  hasOtherStep,
}: {
  seen: PendingTipView[];
  tips: PendingTipView[];
  hasOtherStep: boolean;
}) {
  const [answers, setAnswers] = useState<Record<string, Answer['action']>>({});
  const open = seen.filter(({ id }) => !answers[id] && tips.some((tip) => tip.id === id));
  // What can be sent comes before what waits for something else.
  const next = open.find(({ fingerprint }) => fingerprint !== null) ?? open[0];
  return seen.map((tip) => {
    const answer = answers[tip.id];
    if (answer === 'confirm')
      return (
        <Outcome key={tip.id} icon={Check} look="bg-soft text-accent">
          <b className="font-semibold">{wordsOf(tip)} is being sent.</b> You get a message in the chat when it arrives.{' '}
          <HistoryLink />
        </Outcome>
      );
    if (answer === 'decline')
      return (
        <Outcome key={tip.id} icon={X} look="bg-sunken text-muted">
          {wordsOf(tip)} was declined. You haven’t been charged.
        </Outcome>
      );
    if (!open.includes(tip))
      return (
        <Outcome key={tip.id} icon={Info} look="bg-amber-soft text-amber">
          {wordsOf(tip)} was already confirmed or declined, or it has expired. See your history. <HistoryLink />
        </Outcome>
      );
    return (
      <TipCard
        key={tip.id}
        tip={tip}
        isNext={!hasOtherStep && tip === next}
        onAnswered={(id, { action }) => setAnswers((known) => ({ ...known, [id]: action }))}
      />
    );
  });
}

/** Whatever was listed since the page was opened, as it was listed last. */
export function useSeen(tips: PendingTipView[]): PendingTipView[] {
  const [seen, setSeen] = useState<PendingTipView[]>([]);
  const known = new Map(seen.map((tip) => [tip.id, tip]));
  if (tips.every((tip) => known.get(tip.id) === tip)) return seen;
  for (const tip of tips) known.set(tip.id, tip);
  const next = [...known.values()];
  setSeen(next);
  return next;
}

function wordsOf({ legs, kind }: PendingTipView): string {
  const what = kind === 'tip' ? 'Your tip' : 'Your payment';
  if (legs.length === 0) return what;
  const sums = sumsOf(legs.map(({ amount, asset }) => [amount, asset]));
  return `${what} of ${sums} to ${legs.length === 1 ? legs[0]?.label : `${legs.length} people`}`;
}

function HistoryLink() {
  return (
    <Link href="/history" className="font-medium whitespace-nowrap underline underline-offset-4">
      View history
    </Link>
  );
}

/** It takes the place of the button that was pressed, so it takes the focus too and is read out. */
function Outcome({ icon: Icon, look, children }: { icon: typeof Check; look: string; children: ReactNode }) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) line.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div
      ref={line}
      tabIndex={-1}
      role="status"
      className={`flex gap-3 rounded-2xl px-4 py-3 outline-none sm:px-6 ${look}`}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <p className="min-w-0 break-words">{children}</p>
    </div>
  );
}
