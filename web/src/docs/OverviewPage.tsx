// /docs: where the documentation begins. Addresses of the reference from before it had a page of its own (/docs#createOrder) still lead to it.
import { useEffect } from 'react';
import { Link, navigate } from '../app/router.tsx';
import { DocsFrame } from './DocsFrame.tsx';
import { DOCS } from './places.ts';

export function OverviewPage() {
  useEffect(() => {
    if (/^#\w+$/.test(location.hash)) navigate(`/docs/api${location.hash}`, { replace: true });
  }, []);
  return (
    <DocsFrame title="Documentation" groups={[]}>
      <p className="max-w-176 text-muted">
        Accept stablecoins with a checkout link, a payment link or a chat command. Buyers pay from any wallet; the money
        settles directly to yours.
      </p>
      <ul className="grid gap-4 sm:grid-cols-2">
        {DOCS.map(({ href, title, summary }) => (
          <li key={href}>
            <Link
              href={href}
              className="flex h-full flex-col gap-1 rounded-2xl border border-line bg-surface p-4 hover:border-accent"
            >
              <h2 className="font-semibold text-accent">{title}</h2>
              <p className="text-sm text-muted">{summary}</p>
            </Link>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">
        For programs:{' '}
        <a href="/v1/openapi.json" className="text-accent underline underline-offset-2">
          the OpenAPI document
        </a>
        .
      </p>
    </DocsFrame>
  );
}
