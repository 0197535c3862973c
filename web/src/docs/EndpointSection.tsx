// One endpoint of the reference: what it does, what it takes, what it answers, and how to call it.
import { Example } from './Example.tsx';
import { type Field, Fields, fieldsOf } from './Fields.tsx';
import { type Endpoint, type OpenApi, resolve, sampleOf } from './openApi.ts';
import { Inline, Words } from './Words.tsx';

export function EndpointSection({ document, endpoint }: { document: OpenApi; endpoint: Endpoint }) {
  const { operationId, method, path, summary, description, parameters = [], requestBody, responses } = endpoint;
  const body = requestBody?.content?.['application/json']?.schema;
  const [status = '200'] = Object.keys(responses);
  const answer = responses[status]?.content?.['application/json']?.schema;
  const failures = Object.entries(responses).slice(1);
  const parametersIn = (place: string): Field[] =>
    parameters.flatMap(({ in: where, name, required = false, description: text, schema }) =>
      where === place ? [{ name, required, schema, description: text }] : [],
    );
  const isList = answer !== undefined && resolve(document, answer).properties?.['data'] !== undefined;
  return (
    <article
      id={operationId}
      aria-labelledby={`${operationId}-title`}
      className="flex scroll-mt-4 flex-col gap-6 border-t border-line pt-8"
    >
      <header className="flex flex-col gap-2">
        <h2 id={`${operationId}-title`} className="text-lg font-semibold">
          {summary}
        </h2>
        <p className="font-mono text-sm break-all">
          <span className="font-semibold text-accent">{method}</span> {path}
        </p>
        <Words className="text-muted">{description}</Words>
      </header>
      <div className="grid min-w-0 gap-6 min-[1200px]:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <Fields document={document} title="In the path" fields={parametersIn('path')} asked />
          <Fields document={document} title="In the query" fields={parametersIn('query')} asked />
          {body && <Fields document={document} title="In the body" fields={fieldsOf(document, body)} asked />}
          <Fields document={document} title="In the headers" fields={parametersIn('header')} asked />
          {answer && !isList && <Fields document={document} title="The answer" fields={fieldsOf(document, answer)} />}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Example title="Call" text={curlOf(document, endpoint)} />
          {answer && <Example title={`Answer, ${status}`} text={JSON.stringify(sampleOf(document, answer), null, 2)} />}
          <details className="rounded-2xl border border-line bg-surface px-4 py-3 text-sm">
            <summary className="font-semibold">Errors</summary>
            <dl className="flex flex-col gap-3 pt-3">
              {failures.map(([code, { description: words }]) => (
                <div key={code} className="flex gap-4">
                  <dt className="font-mono font-semibold">{code}</dt>
                  <dd className="flex min-w-0 flex-col gap-1">
                    {words.split('\n\n').map((line) => (
                      <p key={line} className="break-words">
                        <Inline>{line}</Inline>
                      </p>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        </div>
      </div>
    </article>
  );
}

/** How the ids begin that stand in paths. */
const PREFIXES: Record<string, string> = { order_id: 'ord', link_id: 'plk', endpoint_id: 'whs', event_id: 'evt' };

function curlOf(document: OpenApi, { method, path, requestBody }: Endpoint): string {
  const real = path.replace(
    /\{(\w+)\}/,
    (_whole, name: string) => `${PREFIXES[name] ?? 'ord'}_01jd3xkq8fz6m2v7w4t9y5c1bn`,
  );
  const address = `${document.servers[0]?.url ?? ''}${real}`;
  const schema = requestBody?.content?.['application/json']?.schema;
  const body = schema ? (sampleOf(document, schema, false) as object) : {};
  const hasBody = Object.keys(body).length > 0;
  const lines = [
    `curl ${method === 'GET' || hasBody ? '' : `-X ${method} `}${address}`,
    "-H 'Authorization: Bearer sk_test_…'",
    ...(method === 'POST' ? ["-H 'Idempotency-Key: 8d1c6f0e-order-7041'"] : []),
    ...(hasBody ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2)}'`] : []),
  ];
  return lines.join(' \\\n  ');
}
