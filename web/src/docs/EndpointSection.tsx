// One endpoint of the reference: what it does, what it takes, what it answers, and how to call it.
import { examplesOf } from './callExamples.ts';
import { Code, Examples } from './Example.tsx';
import { callOf } from './endpointCall.ts';
import { type Field, Fields, fieldsOf } from './Fields.tsx';
import { type Endpoint, type OpenApi, resolve, sampleOf } from './openApi.ts';
import { TryIt } from './TryIt.tsx';
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
      className="flex scroll-mt-20 flex-col gap-6 mt-4 border-t border-line pt-8"
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
          <Fields document={document} title="Path parameters" fields={parametersIn('path')} asked />
          <Fields document={document} title="Query parameters" fields={parametersIn('query')} asked />
          {body && <Fields document={document} title="Body" fields={fieldsOf(document, body)} asked />}
          <Fields document={document} title="Headers" fields={parametersIn('header')} asked />
          {answer && !isList && <Fields document={document} title="Response" fields={fieldsOf(document, answer)} />}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Examples examples={examplesOf(callOf(document, endpoint))} />
          {answer && <Code title={`Response ${status}`} text={JSON.stringify(sampleOf(document, answer), null, 2)} />}
          <TryIt document={document} endpoint={endpoint} />
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
