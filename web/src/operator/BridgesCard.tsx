// The bridges: whether they answer, what is on its way over them and what came of the last day, and which route is slow.
import { CHAINS, type ChainName } from '../../../src/domain/chains.ts';
import { BRIDGE_LABELS } from '../../../src/domain/smartLeg.ts';
import { Card } from '../ui/Card.tsx';
import { Pill } from '../ui/Pill.tsx';
import { shortAge } from './figures.ts';
import type { BridgeState } from './operationsApi.ts';

export function BridgesCard({ bridges }: { bridges: BridgeState[] }) {
  return (
    <Card title="Bridges">
      <ul className="flex flex-col">
        {bridges.map((one) => (
          <li
            key={one.bridge}
            className="flex flex-col gap-1 border-line py-3 text-sm not-first:border-t first:pt-0 last:pb-0"
          >
            <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span className="text-base font-medium">{BRIDGE_LABELS[one.bridge]}</span>
              <Health bridge={one} />
            </span>
            <span className="text-muted">{underWay(one)}</span>
            <span className="text-muted">
              24 hours: {one.day.arrived.toLocaleString()} arrived · {one.day.refunded.toLocaleString()} refunded ·{' '}
              <span className={one.day.failed > 0 ? 'text-brick' : ''}>{one.day.failed.toLocaleString()} failed</span>
            </span>
            {one.quotes && (
              <span className="text-muted">
                Quotes left this minute: {one.quotes.prices} of {one.quotes.prices_of} for prices, {one.quotes.payments}{' '}
                of {one.quotes.payments_of} for payments
              </span>
            )}
            {one.slow.map(({ origin, destination, count, oldest_seconds }) => (
              <span key={`${origin} ${destination}`} className="text-brick">
                {CHAINS[origin as ChainName].label} → {CHAINS[destination as ChainName].label}: {count} waiting, the
                oldest for {shortAge(oldest_seconds)}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Health({ bridge: { problem, latency_ms } }: { bridge: BridgeState }) {
  if (problem === 'unknown') return <Pill tone="busy">Not checked yet</Pill>;
  if (problem !== null) return <Pill tone="bad">{`${problem.charAt(0).toUpperCase()}${problem.slice(1)}`}</Pill>;
  return <Pill tone="good">{latency_ms === null ? 'Answers' : `Answers in ${latency_ms} ms`}</Pill>;
}

function underWay({ under_way, oldest_seconds }: BridgeState): string {
  if (under_way === 0 || oldest_seconds === null) return 'Nothing on its way';
  return `${under_way.toLocaleString()} on the way, the slowest for ${shortAge(oldest_seconds)}`;
}
