// The selected message: its trace, whether that is final, and which of the two views a narrow screen shows.

import { useState } from 'react';
import { readClockOffset } from '../../../web/src/app/api.ts';
import { capitalised } from '../../../web/src/app/format.ts';
import { isFinal, statusOf } from './traceWords.ts';
import { usePause } from './usePause.ts';
import { type Selected, useTrace } from './useTrace.ts';
import type { View } from './ViewBar.tsx';

/** @param author the name of its author's account in the local stack */
export function useInspection(selected: Selected | null, author: string | null, notify: (text: string) => void) {
  const [view, setView] = useState<View>('chat');
  /** A link to a transaction was followed, and the panel has not scrolled there yet. */
  const [wantsTransaction, setWantsTransaction] = useState(false);
  const trace = useTrace(selected);
  const final =
    trace.data !== undefined && isFinal(trace.data, selected?.sentAt ?? 0, trace.dataUpdatedAt + readClockOffset());
  const status = trace.data && statusOf(trace.data, final);
  const pause = usePause(author, trace.data, (resumed) =>
    notify(`${capitalised(resumed)}’s wallet has resumed spending.`),
  );
  return { selected, trace, final, status, pause, view, setView, wantsTransaction, setWantsTransaction };
}

export type Inspection = ReturnType<typeof useInspection>;
