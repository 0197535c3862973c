// The layout around a window: the picker of the speaker, the window, and the trace; a narrow screen shows one view at a time.
import type { ReactNode } from 'react';
import { capitalised } from '../../../web/src/app/format.ts';
import type { Person, PlatformName, Stack } from './localApi.ts';
import { PeoplePicker } from './PeoplePicker.tsx';
import { TracePanel } from './panel/TracePanel.tsx';
import type { Inspection } from './useInspection.ts';
import { ViewBar } from './ViewBar.tsx';

/** Classes of playground.css with each platform's colours. */
const LOOKS: Record<PlatformName, string> = { telegram: 'look-telegram', discord: 'look-discord', x: 'look-x' };

export function Frame({
  stack,
  platform,
  people,
  speaker,
  onSpeaker,
  inspection,
  children,
}: {
  stack: Stack;
  platform: PlatformName;
  people: Person[];
  speaker: Person;
  onSpeaker: (name: string) => void;
  inspection: Inspection;
  children: ReactNode;
}) {
  const { selected, trace, final, status, pause, view, setView, wantsTransaction, setWantsTransaction } = inspection;
  const picker = <PeoplePicker people={people} speaker={speaker} paused={pause.paused} onPick={onSpeaker} />;
  return (
    <div className="flex min-h-0 grow flex-col">
      <main className="grid min-h-0 grow grid-rows-[minmax(0,1fr)] lg:grid-cols-[14rem_minmax(0,1fr)_minmax(0,1fr)]">
        <div className="border-r border-line px-2 py-4 max-lg:hidden">{picker}</div>
        <div className={`flex min-h-0 min-w-0 flex-col ${view === 'chat' ? '' : 'max-lg:hidden'}`}>
          <div className="border-b border-line px-2 py-2 lg:hidden">{picker}</div>
          <div className={`flex min-h-0 min-w-0 grow flex-col bg-surface text-ink ${LOOKS[platform]}`}>{children}</div>
        </div>
        <aside
          aria-label="What happened"
          className={`min-h-0 min-w-0 border-line lg:border-l ${view === 'panel' ? '' : 'max-lg:hidden'}`}
        >
          <TracePanel
            stack={stack}
            message={selected}
            trace={trace.data}
            final={final}
            wantsTransaction={wantsTransaction}
            onTransactionShown={() => setWantsTransaction(false)}
            error={trace.error}
            onRetry={() => void trace.refetch()}
            pausedName={pause.shown && capitalised(pause.shown)}
            onResume={() => pause.shown && pause.resume.mutate(pause.shown)}
            resuming={pause.resume.isPending}
            resumeError={pause.resume.error?.message ?? null}
          />
        </aside>
      </main>
      <ViewBar view={view} onView={setView} status={status} />
    </div>
  );
}
