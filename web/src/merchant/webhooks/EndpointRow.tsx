// One endpoint in the list: where it is, what it takes, how it stands and how its last day was; the whole row leads to it.
import { Link } from '../../app/router.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { shortUrl, standingOf } from './endpointWords.ts';
import type { ListedEndpoint } from './shapes.ts';
import { takesWords } from './typeWords.ts';

export function EndpointRow({ endpoint }: { endpoint: ListedEndpoint }) {
  const { word, tone } = standingOf(endpoint);
  const { delivered, failed_attempts: failed } = endpoint.last_24h;
  return (
    <li className="not-first:border-t border-line">
      <Link
        href={`/webhooks/${endpoint.id}`}
        className="flex min-h-16 items-center gap-3 rounded-lg px-2 py-3 -outline-offset-2! hover:bg-paper"
      >
        <span className="min-w-0 grow">
          <span title={endpoint.url} className="block font-medium break-all">
            {shortUrl(endpoint.url)}
          </span>
          {/* One line where there is room, so that the rows below stay where they are while an endpoint fails and recovers. */}
          <span className="block text-sm text-muted sm:truncate">
            {endpoint.status === 'enabled' && endpoint.failing_since && (
              <span className="text-amber max-sm:block">
                Failing since <TimeAgo at={endpoint.failing_since} />
                <span className="max-sm:hidden"> · </span>
              </span>
            )}
            <span className="max-sm:block max-sm:truncate">
              {endpoint.description && `${endpoint.description} · `}
              {takesWords(endpoint.enabled_events)}
            </span>
          </span>
        </span>
        <span className="flex shrink-0 flex-col items-end gap-1">
          <Pill tone={tone}>{word}</Pill>
          <span className="text-right text-sm text-muted">
            <span className="block amount sm:inline">{delivered.toLocaleString()} delivered</span>
            {failed > 0 && (
              <>
                <span className="max-sm:hidden">, </span>
                <span className="block text-brick amount sm:inline">
                  {failed.toLocaleString()} failed {failed === 1 ? 'attempt' : 'attempts'}
                </span>
              </>
            )}{' '}
            <span className="block amount sm:inline">in 24 hours</span>
          </span>
        </span>
      </Link>
    </li>
  );
}
