// /docs/webhooks: the guide of docs/webhooks.md, and every event with an example of what is sent.
import { guide } from '../../../docs/webhooks.md?guide';
import { ErrorNote, Skeleton } from '../ui/notices.tsx';
import { Code } from './Example.tsx';
import { samplesOf } from './eventSamples.ts';
import { GuidePage } from './GuidePage.tsx';
import { useOpenApi } from './openApi.ts';

export function WebhooksPage() {
  const { data: document, error, refetch } = useOpenApi();
  const samples = document ? samplesOf(document) : [];
  const groups = [
    { title: 'Event payloads', entries: samples.map(({ type }) => ({ id: type, text: type, mono: true })) },
  ];
  return (
    <GuidePage guide={guide} groups={document ? groups : []} isWhole={Boolean(document)}>
      <section aria-labelledby="event-payloads" className="flex flex-col gap-6">
        <h2 id="event-payloads" className="mt-6 scroll-mt-20 text-lg font-semibold tracking-tight">
          Event payloads
        </h2>
        <p className="max-w-176">The body of the POST for each event, with example values.</p>
        {!document && !error && <Skeleton className="h-dvh" />}
        {error && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
        {samples.map(({ type, description, payload }) => (
          <section key={type} aria-labelledby={type} className="flex flex-col gap-2">
            <h3 id={type} className="scroll-mt-20 font-mono font-semibold">
              <a href={`#${type}`} className="hover:text-accent">
                {type}
              </a>
            </h3>
            <p className="text-muted">{description}</p>
            <details>
              <summary className="min-h-8 content-center text-sm text-accent">Example payload</summary>
              <Code title={type} text={JSON.stringify(payload, null, 2)} />
            </details>
          </section>
        ))}
      </section>
    </GuidePage>
  );
}
