// The processes that say that they run.
import { Card } from '../ui/Card.tsx';
import { EmptyNote } from '../ui/notices.tsx';
import { Pill } from '../ui/Pill.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { megabytes, shortAge } from './figures.ts';
import type { ProcessState } from './operationsApi.ts';

export function ProcessesCard({ processes }: { processes: ProcessState[] }) {
  return (
    <Card title="Processes">
      {processes.length === 0 && (
        <EmptyNote title="No processes seen">Start the workers, the bots and the API.</EmptyNote>
      )}
      <ul className="flex flex-col">
        {processes.map((one) => (
          <li
            key={one.process}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line py-3 text-sm not-first:border-t first:pt-0 last:pb-0"
          >
            <span className="flex items-center gap-2">
              <span className="text-base font-medium">{one.process}</span>
              <Pill tone={one.instances > 0 ? 'good' : 'bad'}>
                {one.instances > 0 ? `${one.instances} running` : `No heartbeat for ${shortAge(one.silent_seconds)}`}
              </Pill>
            </span>
            {one.instances > 0 && (
              <span className="text-muted amount">
                {megabytes(one.memory_bytes)} · {one.lag_ms} ms late · started <TimeAgo at={one.started_at} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
