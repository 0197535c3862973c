// The watchdog: what it has read of each network, by each endpoint, whether its key could pause new work there, and what it found.
import { Card } from '../ui/Card.tsx';
import { Pill } from '../ui/Pill.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { sentence, shortAge, unitOf } from './figures.ts';
import type { WatchState } from './operationsApi.ts';

/** Its looks are seconds apart. */
const LATE_SECONDS = 60;

export function WatchdogCard({ watched }: { watched: WatchState[] }) {
  return (
    <Card title="Watchdog">
      <ul className="flex flex-col">
        {watched.map((one) => (
          <li
            key={one.chain}
            className="flex flex-col gap-1 border-line py-3 text-sm not-first:border-t first:pt-0 last:pb-0"
          >
            <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span className="text-base font-medium">{one.label}</span>
              <State watched={one} />
            </span>
            {one.problem !== null && one.problem !== 'unknown' && (
              <span className="text-brick">{sentence(one.problem)}</span>
            )}
            {one.endpoints.map((endpoint) => (
              <span
                key={endpoint.number}
                className={isLate(endpoint) || endpoint.unproven > 0 ? 'text-brick' : 'text-muted'}
              >
                {readBy(endpoint, unitOf(one))}
              </span>
            ))}
            {one.found.length === 0 && one.endpoints.length > 0 && (
              <span className="text-muted">Nothing but our own transactions</span>
            )}
            {one.found.map(({ hash, executor, seen_at, paused_at }) => (
              <span key={hash} className="flex flex-col text-brick">
                <span className="break-all font-mono">{hash}</span>
                <span>
                  {executor ? `Signed by ${executor.slice(0, 10)}…` : 'Shown by two endpoints'},{' '}
                  <TimeAgo at={seen_at} /> · {paused_at ? 'new work is paused' : 'pausing new work'}
                </span>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function State({ watched: { problem, endpoints, found } }: { watched: WatchState }) {
  if (found.some(({ paused_at }) => paused_at === null)) return <Pill tone="bad">Pausing</Pill>;
  if (problem === 'unknown' || endpoints.length === 0) return <Pill tone="bad">Not watched</Pill>;
  if (problem !== null) return <Pill tone="bad">Could not pause</Pill>;
  if (endpoints.every(isLate)) return <Pill tone="bad">Behind</Pill>;
  return <Pill tone="good">Watching</Pill>;
}

type Endpoint = WatchState['endpoints'][number];
const isLate = ({ late_seconds }: Endpoint) => late_seconds > LATE_SECONDS;

function readBy(endpoint: Endpoint, unit: string): string {
  const { number, block, late_seconds, problem, unproven } = endpoint;
  const read = isLate(endpoint)
    ? `behind for ${shortAge(late_seconds)}${problem ? `: ${problem}` : ''}`
    : `read up to ${unit} ${Number(block).toLocaleString()}`;
  return `Endpoint ${number}: ${read}${unproven > 0 ? ` · ${unproven} that nothing else confirms` : ''}`;
}
