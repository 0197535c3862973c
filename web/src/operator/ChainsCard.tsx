// The chains as this service sees them: each endpoint by its number in the configuration, and the price of the native asset.
import { padAmount } from '../app/format.ts';
import { Card } from '../ui/Card.tsx';
import { Pill } from '../ui/Pill.tsx';
import { sentence, shortAge, unitOf } from './figures.ts';
import type { ChainState } from './operationsApi.ts';

const INDEXED: Record<string, string> = { tabs: 'Tabs indexed', orders: 'Payments indexed' };

export function ChainsCard({ chains }: { chains: ChainState[] }) {
  return (
    <Card title="Networks">
      <ul className="flex flex-col">
        {chains.map((chain) => (
          <li
            key={chain.chain}
            className="flex flex-col gap-2 border-line py-4 not-first:border-t first:pt-0 last:pb-0"
          >
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <h3 className="font-medium">{chain.label}</h3>
              <Price chain={chain} />
            </div>
            {chain.endpoints.length === 0 && <p className="text-sm text-muted">Not checked yet.</p>}
            {chain.notes.map((note) => (
              <p key={note} className="text-sm break-words text-brick">
                {sentence(note)}
              </p>
            ))}
            <ul className="flex flex-col gap-1 text-sm">
              {chain.endpoints.map((endpoint) => (
                <li key={endpoint.number} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                  <span className="flex items-center gap-2">
                    Endpoint {endpoint.number}
                    <Pill tone={endpoint.problem === null ? 'good' : 'bad'}>
                      {endpoint.problem === null ? 'Healthy' : 'Down'}
                    </Pill>
                  </span>
                  <span className="text-muted amount">
                    {endpoint.problem ?? `${unitOf(chain)} ${endpoint.head} · ${endpoint.latency_ms} ms`}
                  </span>
                </li>
              ))}
              {chain.indexers.map((indexer) => (
                <li key={indexer.feed} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                  <span>{INDEXED[indexer.feed] ?? indexer.feed}</span>
                  <span className="text-muted amount">
                    {indexer.behind === '0'
                      ? `up to ${unitOf(chain)} ${indexer.block}`
                      : `${indexer.behind} ${unitOf(chain)}s behind · ${Math.floor(indexer.done * 100)}%`}
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Price({ chain }: { chain: ChainState }) {
  if (chain.price_problem !== null) return <span className="text-sm text-brick">{chain.price_problem}</span>;
  // Solana has no price feed yet.
  if (chain.price_usd === null)
    return <span className="text-sm text-muted">{unitOf(chain) === 'slot' ? chain.native : 'price unknown'}</span>;
  return (
    <span className="text-sm text-muted amount">
      {chain.native} ${padAmount(chain.price_usd)}
      {chain.price_age_seconds !== null && `, ${shortAge(chain.price_age_seconds)} old`}
    </span>
  );
}
