// What an endpoint is: its address, how it stands and what follows from that, and which events it takes.
import { exactTime } from '../../app/format.ts';
import { Pill } from '../../ui/Pill.tsx';
import { TimeAgo, useNow } from '../../ui/TimeAgo.tsx';
import { standingOf } from './endpointWords.ts';
import type { Endpoint } from './shapes.ts';
import { takesWords } from './typeWords.ts';

export function EndpointHead({ endpoint }: { endpoint: Endpoint }) {
  const { word, tone, sentence } = standingOf(endpoint);
  const { disabled_at, failing_since, former_secret_until: until } = endpoint;
  const now = useNow();
  return (
    <header className="flex flex-col items-start gap-2">
      <h2 title={endpoint.url} className="line-clamp-4 text-lg font-semibold tracking-tight break-all">
        {endpoint.url}
      </h2>
      {endpoint.description && <p className="break-words">{endpoint.description}</p>}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span role="status">
          <Pill tone={tone}>{word}</Pill>
        </span>
        {sentence && (
          <span className="text-sm text-muted">
            {endpoint.status === 'enabled' && failing_since && (
              <>
                Failing since <TimeAgo at={failing_since} />.{' '}
              </>
            )}
            {sentence}
            {disabled_at && (
              <>
                {' '}
                Disabled <TimeAgo at={disabled_at} />.
              </>
            )}
          </span>
        )}
      </p>
      <p className="text-sm text-muted">
        <span title={endpoint.enabled_events.join(', ')}>{takesWords(endpoint.enabled_events)}</span>
        {endpoint.livemode ? '' : ' · test'} · version {endpoint.api_version} · created{' '}
        <TimeAgo at={endpoint.created_at} />
      </p>
      {until && Date.parse(until) > now && (
        <p className="text-sm text-muted">The previous signing secret is valid until {exactTime(Date.parse(until))}.</p>
      )}
    </header>
  );
}
