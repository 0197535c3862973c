// One line of a list for operators, which leads to its timeline.
import type { ReactNode } from 'react';
import { capitalised } from '../app/format.ts';
import { Link } from '../app/router.tsx';
import { Pill } from '../ui/Pill.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import type { Tone } from '../ui/tone.ts';
import { caseHref } from './caseWords.ts';

/** @param id of the timeline; without one the line leads nowhere */
export function CaseRow({
  id,
  at,
  what,
  note,
  status,
  aside,
}: {
  id: string | null;
  at: string;
  what: string;
  note: string;
  status?: { tone: Tone; words: string };
  aside?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line px-2 py-3 not-first:border-t">
      <span className="flex min-w-0 grow basis-64 flex-col">
        {id === null ? (
          <span className="font-medium break-words">{capitalised(what)}</span>
        ) : (
          <Link href={caseHref(id)} className="font-medium break-words hover:text-accent hover:underline">
            {capitalised(what)}
          </Link>
        )}
        <span className="text-sm break-words text-muted">{note}</span>
      </span>
      <span className="flex flex-wrap items-center gap-3 text-sm text-muted">
        <TimeAgo at={at} />
        {status && <Pill tone={status.tone}>{status.words}</Pill>}
        {aside}
      </span>
    </li>
  );
}
