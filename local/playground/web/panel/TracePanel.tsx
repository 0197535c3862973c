// The trace of the selected message, from its text to the settled payment, and the balances of all accounts.
import { Pause } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { clockTime, exactTime } from '../../../../web/src/app/format.ts';
import { Button } from '../../../../web/src/ui/Button.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../../../web/src/ui/notices.tsx';
import { Pill } from '../../../../web/src/ui/Pill.tsx';
import type { Stack, Trace } from '../localApi.ts';
import { codeWords, statusOf } from '../traceWords.ts';
import type { Selected } from '../useTrace.ts';
import { BalanceChanges } from './BalanceChanges.tsx';
import { BalancesNow } from './BalancesNow.tsx';
import { Payment } from './Payment.tsx';
import { Reading } from './Reading.tsx';
import { Section } from './Section.tsx';
import { SolanaActivity } from './SolanaActivity.tsx';
import { Timeline } from './Timeline.tsx';
import { TRANSACTIONS, Transactions } from './Transactions.tsx';

export function TracePanel({
  stack,
  message,
  trace,
  final,
  wantsTransaction,
  onTransactionShown,
  error,
  onRetry,
  pausedName,
  onResume,
  resuming,
  resumeError,
}: {
  stack: Stack;
  /** The selected message; null in a chat without commands. */
  message: Selected | null;
  trace: Trace | undefined;
  /** The trace can no longer change. */
  final: boolean;
  /** Scrolls to the transaction once it exists. */
  wantsTransaction: boolean;
  onTransactionShown: () => void;
  error: Error | null;
  onRetry: () => void;
  /** The account that this message paused, or whose pause refused it. */
  pausedName: string | null;
  onResume: () => void;
  resuming: boolean;
  resumeError: string | null;
}) {
  const top = useRef<HTMLDivElement>(null);
  const shownId = message && JSON.stringify(message.ref);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another message starts at its top
  useEffect(() => {
    top.current?.scrollTo({ top: 0 });
  }, [shownId]);
  useEffect(() => {
    const section = wantsTransaction && trace && document.getElementById(TRANSACTIONS);
    if (!section) return;
    section.scrollIntoView();
    onTransactionShown();
  }, [wantsTransaction, trace, onTransactionShown]);
  return (
    <div ref={top} className="h-full overflow-y-auto overscroll-contain quiet-scroll">
      <div className="flex flex-col gap-4 p-4">
        {message ? (
          <>
            <PanelHeader message={message} status={trace && statusOf(trace, final)} />
            {error && <ErrorNote retry={onRetry}>{error.message}</ErrorNote>}
            {pausedName && <PausedNote name={pausedName} onResume={onResume} resuming={resuming} />}
            {resumeError && <ErrorNote retry={onResume}>{resumeError}</ErrorNote>}
            {trace ? (
              <TraceBody stack={stack} trace={trace} message={message} final={final} />
            ) : (
              !error && <LoadingTrace />
            )}
          </>
        ) : (
          <EmptyNote title="Nothing happened yet">
            Pick a suggestion under the chat and send it. You see here how it was read, each step with its time, and
            whose balance changed.
          </EmptyNote>
        )}
        <BalancesNow stack={stack} />
        <SolanaActivity stack={stack} />
      </div>
    </div>
  );
}

function PanelHeader({ message, status }: { message: Selected; status: ReturnType<typeof statusOf> | undefined }) {
  const at = message.sentAt;
  return (
    <header className="flex flex-col gap-1">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">What happened</h2>
        <span aria-live="polite">{status && <Pill tone={status.tone}>{status.words}</Pill>}</span>
      </div>
      <p className="truncate text-sm text-muted">
        {message.who} typed <span className="font-medium text-ink">{message.text}</span> at{' '}
        <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
          {clockTime(at)}
        </time>
      </p>
    </header>
  );
}

function TraceBody({
  stack,
  trace,
  message,
  final,
}: {
  stack: Stack;
  trace: Trace;
  message: Selected;
  final: boolean;
}) {
  if (!trace.inbox && final)
    return (
      <p className="text-sm text-muted">
        This isn’t a command, so the bot ignored it. A command starts like <code>/tip @bob 5</code>.
      </p>
    );
  const refusal = trace.intent?.detail?.refusal;
  const silent = trace.inbox?.outcome?.startsWith('error') && !trace.reply && final;
  return (
    <>
      <Payment trace={trace} sender={message.who} />
      {refusal && (
        <p className="rounded-lg bg-brick-soft px-4 py-2 text-sm text-brick">
          Nothing was charged: {codeWords(refusal.code)}.
        </p>
      )}
      {silent && (
        <p className="rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber">
          The bot didn’t reply: it answers errors once in ten minutes in a group, once a day on X.
        </p>
      )}
      {trace.reply?.failure && <UnshownNote trace={trace} sender={message.who} />}
      {trace.balances.length > 0 && <BalanceChanges changes={trace.balances} />}
      <Timeline trace={trace} final={final} />
      {trace.transactions.length > 0 && <Transactions stack={stack} trace={trace} />}
      {trace.command && <Reading command={trace.command} trace={trace} />}
    </>
  );
}

/** A Telegram bot can't start a conversation. */
function UnshownNote({ trace, sender }: { trace: Trace; sender: string }) {
  const neverMet = /initiate conversation/.test(trace.reply?.failure ?? '');
  return (
    <p className="rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber">
      {neverMet
        ? `The reply goes to ${sender}’s direct chat, but ${sender} has to open it first. Open the chat “Ampersat” and send /help.`
        : `The reply couldn’t be shown: ${trace.reply?.failure}.`}
    </p>
  );
}

function PausedNote({ name, onResume, resuming }: { name: string; onResume: () => void; resuming: boolean }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
      <p className="flex min-w-0 grow basis-48 items-center gap-2">
        <Pause aria-hidden="true" className="size-4 shrink-0" />
        {name} has paused all spending. Only {name}’s wallet can resume it.
      </p>
      <Button kind="filled" disabled={resuming} onClick={onResume}>
        {resuming ? 'Resuming…' : `Resume as ${name}`}
      </Button>
    </div>
  );
}

function LoadingTrace() {
  return (
    <Section title="Loading">
      <output aria-label="Loading what happened" className="flex flex-col gap-3">
        <Skeleton className="h-12" />
        <Skeleton className="h-40" />
      </output>
    </Section>
  );
}
