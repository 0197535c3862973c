// What deliveries are measured against: a bare loop of ten that reads the same events, signs and posts the same bodies, and writes one row for each with
// raw pg. It has no retry schedule, leases, filters or limits, and what fails is lost.
import pg from 'pg';
import { Agent, request } from 'undici';
import type { Row } from '../src/db.ts';
import { envelopeOf } from '../src/services/events.ts';
import { signatureHeaders } from '../src/services/webhooks/signatures.ts';

const AT_ONCE = 10;
const PAGE = 100;

type Task = { eventIds: [first: string, last: string]; url: string; secret: string };
type EventRow = { id: string; livemode: boolean; type: string; api_version: string; object: object; created_at: Date };

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: AT_ONCE });
const dispatcher = new Agent({ connections: AT_ONCE });

async function run({ eventIds: [first, last], url, secret }: Task): Promise<{ sent: number; ms: number }> {
  await pool.query('create table if not exists bench_attempt (like delivery_attempt including indexes)');
  await pool.query('truncate bench_attempt');
  const began = performance.now();
  let waiting: EventRow[] = [];
  let after = '';
  let sent = 0;
  let isRead = false;
  let reading: Promise<void> | undefined;
  const read = async () => {
    const { rows } = await pool.query<EventRow>(
      'select * from event where id >= $1 and id <= $2 and id > $3 order by id limit $4',
      [first, last, after, PAGE],
    );
    waiting = rows;
    after = rows.at(-1)?.id ?? after;
    isRead = rows.length < PAGE;
    reading = undefined;
  };
  const next = async (): Promise<EventRow | undefined> => {
    while (waiting.length === 0 && !isRead) {
      reading ??= read();
      await reading;
    }
    return waiting.shift();
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let row = await next(); row; row = await next()) {
        const at = new Date();
        const body = JSON.stringify(envelopeOf(rowOf(row), 1));
        const signed = signatureHeaders({
          id: row.id,
          timestampS: Math.floor(at.getTime() / 1_000),
          body,
          secrets: [secret],
        });
        const headers = { 'content-type': 'application/json', ...signed };
        const answer = await request(url, { method: 'POST', headers, body, dispatcher });
        const text = await answer.body.text();
        await pool.query(
          'insert into bench_attempt (event_id, endpoint_id, number, started_at, latency_ms, status, answer) values ($1, $2, 1, $3, $4, $5, $6)',
          [row.id, 'bare', at, Date.now() - at.getTime(), answer.statusCode, text],
        );
        sent += 1;
      }
    }),
  );
  return { sent, ms: performance.now() - began };
}

function rowOf(row: EventRow): Row<'Event'> {
  const { id, livemode, type, api_version: apiVersion, object, created_at: createdAt } = row;
  const none = { previous: null, requestId: null, idempotencyKey: null, isTest: false };
  return {
    id,
    livemode,
    type,
    apiVersion,
    object,
    createdAt,
    handleId: '',
    resourceId: '',
    uniqueKey: '',
    ...none,
  } as never;
}

process.on('message', (task: Task) => void run(task).then((done) => process.send?.(done)));
process.once('disconnect', () => process.exit(0));
process.send?.({ ready: 'bare' });
