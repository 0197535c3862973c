// One request of the API log: who called, what was sent and answered, and the command that calls again.
import type { RequestDetail } from '../../../../src/http/api/requestLogAnswers.ts';
import { ApiError } from '../../app/apiError.ts';
import { exactTime } from '../../app/format.ts';
import { Link, usePath } from '../../app/router.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyButton } from '../../ui/CopyField.tsx';
import { Fact, Facts } from '../../ui/Facts.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useModeOf } from '../business/workspaceApi.ts';
import { Json } from '../events/JsonBlock.tsx';
import { curlOf } from './curl.ts';
import { useRequest } from './requestsApi.ts';
import { durationWords, statusTone } from './requestWords.ts';

const REDACTED = '[redacted]';

export function RequestPage() {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  return <BusinessShell title="Request">{() => <OneRequest key={id} id={id} />}</BusinessShell>;
}

function OneRequest({ id }: { id: string }) {
  const { data, error, refetch } = useRequest(id);
  useModeOf(data);
  if (error instanceof ApiError && error.code === 'resource_missing')
    return (
      <EmptyNote title="Request not found">
        <p className="mb-4">
          The API log keeps requests for seven days. You can only see requests of your own workspace.
        </p>
        <ButtonLink href="/logs">Open the API log</ButtonLink>
      </EmptyNote>
    );
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data)
    return (
      <output aria-label="Loading the request" className="flex flex-col gap-6">
        <Skeleton className="h-24" />
        <Skeleton className="h-64" />
        <Skeleton className="h-96" />
      </output>
    );
  return (
    <>
      <header className="flex flex-col items-start gap-2">
        <h2 className="font-mono text-lg font-semibold break-all">
          {data.method} {data.path}
        </h2>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          <Pill tone={statusTone(data.status)}>{String(data.status)}</Pill>
          <span>{exactTime(Date.parse(data.created_at))}</span>
          <span>{durationWords(data.duration_ms)}</span>
          <span>{data.livemode ? 'live' : 'test mode'}</span>
          <Hex value={data.id} what="the request’s ID" />
        </p>
      </header>
      <About request={data} />
      <Body title="Request body" body={data.request_body} none={noRequestBody(data)} />
      <Body title="Response body" body={data.response_body} none="Responses without a body, and streams, have none." />
      <Repeat request={data} />
    </>
  );
}

function About({ request }: { request: RequestDetail }) {
  const { key, route, error_code, idempotency_key } = request;
  return (
    <Facts>
      <Fact name="API key">{key ? `${key.label} (sk_${key.mode}_…${key.last4})` : 'Deleted key'}</Fact>
      <Fact name="Route">
        {route ? (
          <Link href={`/logs?${new URLSearchParams({ route })}`} className="font-mono text-accent hover:underline">
            {route}
          </Link>
        ) : (
          'Unknown endpoint'
        )}
      </Fact>
      {error_code && (
        <Fact name="Error code">
          <Link href={`/docs/errors#${error_code}`} className="font-mono text-accent hover:underline">
            {error_code}
          </Link>
        </Fact>
      )}
      {idempotency_key && (
        <Fact name="Idempotency-Key">
          <span className="font-mono break-all">{idempotency_key}</span>
        </Fact>
      )}
    </Facts>
  );
}

function noRequestBody({ method, error_code }: RequestDetail): string {
  if (method !== 'POST') return `A ${method} has no body.`;
  return error_code === null ? 'The request had no body.' : 'The body could not be read, so it was not stored.';
}

function Body({ title, body, none }: { title: string; body: RequestDetail['request_body']; none: string }) {
  const text = body && pretty(body.text);
  return (
    <Card title={title} aside={text && <CopyButton value={text} what={title.toLowerCase()} />}>
      {text ? <Json text={text} className="max-h-128" /> : <p className="text-muted">{none}</p>}
      {body?.is_cut && <p className="text-sm text-muted">Cut: the log stores the first 4 KB of a body.</p>}
    </Card>
  );
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

function Repeat({ request }: { request: RequestDetail }) {
  const command = curlOf(request, window.location.origin);
  const isChanged = command.includes(REDACTED) || command.includes(encodeURIComponent(REDACTED));
  return (
    <Card
      title="Repeat it"
      aside={
        <CopyButton value={command} what="the request as a command">
          Copy as curl
        </CopyButton>
      }
    >
      <p className="text-sm text-muted">
        Set <code className="font-mono">AMPERSAT_KEY</code> to your API key first.
        {request.idempotency_key !== null && ' With the same Idempotency-Key, nothing is created twice.'}
      </p>
      {(isChanged || request.request_body?.is_cut) && (
        <p className="text-sm text-amber">
          This is not the whole request: fill in what was redacted or cut before you send it.
        </p>
      )}
      <Json text={command} />
    </Card>
  );
}
