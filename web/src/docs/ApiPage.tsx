// The reference of the public API, made in the browser from the OpenAPI document that the service itself gives.
import { ErrorNote, Skeleton } from '../ui/notices.tsx';
import { DocsFrame } from './DocsFrame.tsx';
import { EndpointSection } from './EndpointSection.tsx';
import { endpointsOf, useOpenApi } from './openApi.ts';
import { Words } from './Words.tsx';

const TITLE = 'API reference';

export function ApiPage() {
  const { data: document, error, refetch } = useOpenApi();
  if (!document)
    return (
      <DocsFrame title={TITLE} groups={[]} isWhole={false}>
        {error ? (
          <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>
        ) : (
          <div role="status" aria-label="Loading" className="flex min-h-dvh flex-col gap-4">
            <Skeleton className="h-6 w-80 max-w-full" />
            <Skeleton className="h-24" />
            <Skeleton className="h-64" />
          </div>
        )}
      </DocsFrame>
    );
  const endpoints = endpointsOf(document);
  const groups = document.tags.map(({ name }) => ({
    title: name,
    entries: endpoints
      .filter(({ tags }) => tags.includes(name))
      .map(({ operationId, summary }) => ({ id: operationId, text: summary })),
  }));
  return (
    <DocsFrame title={TITLE} groups={groups}>
      <section className="flex flex-col gap-4">
        <Words>{document.info.description}</Words>
        <p className="text-sm text-muted">
          Version {document.info.version}. For programs:{' '}
          <a href="/v1/openapi.json" className="text-accent underline underline-offset-2">
            the OpenAPI document
          </a>
          .
        </p>
      </section>
      {endpoints.map((endpoint) => (
        <EndpointSection key={endpoint.operationId} document={document} endpoint={endpoint} />
      ))}
    </DocsFrame>
  );
}
