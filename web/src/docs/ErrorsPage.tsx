// /docs/errors: the guide of docs/errors.md, and every code by its status, where the `doc_url` of an error leads.
import { guide } from '../../../docs/errors.md?guide';
import { ERRORS, type ErrorCode } from '../../../src/domain/errors.ts';
import { GuidePage } from './GuidePage.tsx';

const CODES = (Object.keys(ERRORS) as ErrorCode[]).sort((a, b) => ERRORS[a].status - ERRORS[b].status);
const STATUSES = [...new Set(CODES.map((code) => ERRORS[code].status))];
const ofStatus = (status: number) => CODES.filter((code) => ERRORS[code].status === status);

export function ErrorsPage() {
  const groups = STATUSES.map((status) => ({
    title: String(status),
    entries: ofStatus(status).map((code) => ({ id: code, text: code, mono: true })),
  }));
  return (
    <GuidePage guide={guide} groups={groups}>
      {STATUSES.map((status) => (
        <section key={status} aria-labelledby={`status-${status}`} className="flex flex-col gap-2">
          <h3 id={`status-${status}`} className="text-base font-semibold">
            {status}
          </h3>
          <dl className="border-t border-line">
            {ofStatus(status).map((code) => (
              <div
                key={code}
                id={code}
                className="flex scroll-mt-20 flex-col gap-1 border-b border-line py-3 target:border-l-2 target:border-l-accent target:pl-4"
              >
                <dt className="flex flex-wrap items-baseline gap-x-3">
                  <code className="font-mono font-semibold break-all">{code}</code>
                  <span className="text-sm text-muted">{ERRORS[code].type}</span>
                  {ERRORS[code].retryable && <span className="text-sm font-medium text-accent">Retryable</span>}
                </dt>
                <dd className="max-w-176 text-sm">{ERRORS[code].message}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </GuidePage>
  );
}
