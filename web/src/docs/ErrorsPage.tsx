// Every error code of the service, by its status: what `doc_url` of an answer leads to.
import { ERRORS, type ErrorCode } from '../../../src/domain/errors.ts';
import { DocsFrame } from './DocsFrame.tsx';
import { Words } from './Words.tsx';

const CODES = (Object.keys(ERRORS) as ErrorCode[]).sort((a, b) => ERRORS[a].status - ERRORS[b].status);
const STATUSES = [...new Set(CODES.map((code) => ERRORS[code].status))];
const ofStatus = (status: number) => CODES.filter((code) => ERRORS[code].status === status);

const INTRODUCTION = `An error is \`{"error": {"type", "code", "message", "param", "request_id", "doc_url"}}\`. Compare the \`code\`: it never changes. The \`message\` is for people and may
say more than it does here. Name the \`request_id\` when you ask about a call.`;

export function ErrorsPage() {
  const groups = STATUSES.map((status) => ({
    title: String(status),
    entries: ofStatus(status).map((code) => ({ id: code, text: code, mono: true })),
  }));
  return (
    <DocsFrame title="Errors" groups={groups}>
      <Words>{INTRODUCTION}</Words>
      {STATUSES.map((status) => (
        <section key={status} aria-labelledby={`status-${status}`} className="flex flex-col gap-2">
          <h2 id={`status-${status}`} className="text-lg font-semibold">
            {status}
          </h2>
          <dl className="border-t border-line">
            {ofStatus(status).map((code) => (
              <div
                key={code}
                id={code}
                className="flex scroll-mt-4 flex-col gap-1 border-b border-line py-3 target:border-l-2 target:border-l-accent target:pl-4"
              >
                <dt className="flex flex-wrap items-baseline gap-x-3">
                  <code className="font-mono font-semibold break-all">{code}</code>
                  <span className="text-sm text-muted">{ERRORS[code].type}</span>
                </dt>
                <dd className="max-w-160 text-sm">
                  {ERRORS[code].message}{' '}
                  <span className="text-muted">{ERRORS[code].retryable ? 'The same call may go well later.' : ''}</span>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </DocsFrame>
  );
}
