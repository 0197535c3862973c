// Switches between the chat and the trace on a narrow screen.
import { Activity, MessageCircle } from 'lucide-react';
import { Pill } from '../../../web/src/ui/Pill.tsx';
import type { statusOf } from './traceWords.ts';

export type View = 'chat' | 'panel';

export function ViewBar({
  view,
  onView,
  status,
}: {
  view: View;
  onView: (view: View) => void;
  status: ReturnType<typeof statusOf> | undefined;
}) {
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
        {view === 'chat' && status ? (
          <>
            <Activity aria-hidden="true" className="size-5" />
            <span className="sr-only">What happened:</span>
            <Pill tone={status.tone}>{status.words}</Pill>
          </>
        ) : (
          <PanelName />
        )}
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
