// On a narrow screen: switches between the chat and what happened.
import { Activity, MessageCircle } from 'lucide-react';
import { Pill } from '../ui/Pill.tsx';
import type { Trace } from './localApi.ts';
import { statusOf } from './traceWords.ts';

export type View = 'chat' | 'panel';

export function ViewBar({
  view,
  onView,
  trace,
}: {
  view: View;
  onView: (view: View) => void;
  trace: Trace | undefined;
}) {
  const status = trace && statusOf(trace);
  const look = (one: View) =>
    `flex min-h-12 items-center justify-center gap-2 text-sm font-medium ${view === one ? 'text-accent' : 'text-muted'}`;
  return (
    <nav
      aria-label="Views"
      className="grid grid-cols-2 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <button type="button" aria-pressed={view === 'chat'} className={look('chat')} onClick={() => onView('chat')}>
        <MessageCircle aria-hidden="true" className="size-5" />
        Chat
      </button>
      <button type="button" aria-pressed={view === 'panel'} className={look('panel')} onClick={() => onView('panel')}>
        {view === 'chat' && status ? <Pill tone={status.tone}>{status.words}</Pill> : <PanelName />}
      </button>
    </nav>
  );
}

function PanelName() {
  return (
    <>
      <Activity aria-hidden="true" className="size-5" />
      What happened
    </>
  );
}
