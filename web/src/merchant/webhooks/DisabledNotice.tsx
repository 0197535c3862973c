// Says on every page of the account that an endpoint was disabled automatically, until it is enabled again or deleted.
import { Link, usePath } from '../../app/router.tsx';
import { isDisabledByUs, shortUrl } from './endpointWords.ts';
import { useAllEndpoints } from './webhooksApi.ts';

export function DisabledNotice() {
  const path = usePath();
  const ended = useAllEndpoints().data?.filter(isDisabledByUs) ?? [];
  const [first] = ended;
  // The endpoint's own page says it already.
  if (!first || (ended.length === 1 && path === `/webhooks/${first.id}`)) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber print:hidden"
    >
      <p className="min-w-0 grow basis-64">
        {ended.length > 1 ? (
          <>{ended.length} of your webhook endpoints were disabled. They receive no events until you enable them.</>
        ) : (
          <>
            Your webhook endpoint <b className="font-medium break-all">{shortUrl(first.url)}</b>
            {first.disabled_reason === 'gone'
              ? ' was disabled because it returned 410 Gone.'
              : ' was disabled after days without a successful delivery.'}{' '}
            It receives no events until you enable it.
          </>
        )}
      </p>
      <Link
        href={ended.length > 1 ? '/webhooks' : `/webhooks/${first.id}`}
        className="font-medium underline underline-offset-4"
      >
        {ended.length > 1 ? 'View endpoints' : 'View endpoint'}
      </Link>
    </div>
  );
}
