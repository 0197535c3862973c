// The wakes of a process: one connection that listens to PostgreSQL's NOTIFY, and the loops that it wakes. It is optional (a pooler may refuse LISTEN) and
// may break at any moment: what is due wakes the loops as well (services/operations/dueWork).
import pg from 'pg';
import type { Log } from './log.ts';

/** What loops wait for; a payload of the channel. */
export const TOPICS = [
  'outgoing',
  'sent',
  'mined',
  'final',
  'expected',
  'pauses',
  'claims',
  'names',
  'refunds',
  'deposits',
  'received',
  'alerts',
  'retries',
  'charges',
  'trials',
  'grants',
  'legs',
  'sends',
] as const;
export type Topic = (typeof TOPICS)[number];

export const WAKE_CHANNEL = 'ampersat_wake';

const RECONNECT_MS = { least: 500, most: 30_000 };
const CONNECT_WITHIN_MS = 5_000;

export type Wakes = {
  /** Calls `listener` whenever a transaction that woke the topic has committed, and after each reconnection, because something may have been missed. */
  on(topic: Topic, listener: () => void): void;
  /** Calls the listeners of a topic in this process. */
  wake(topic: Topic): void;
  close(): Promise<void>;
};

/** Connects with the first listener, so a process without loops opens no connection. */
export function createWakes(databaseUrl: string, log: Log): Wakes {
  const listeners = new Map<string, (() => void)[]>();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let state: 'idle' | 'open' | 'closed' = 'idle';

  const all = () => [...listeners.values()].flat();
  const call = (ones: (() => void)[]) => {
    for (const one of ones) one();
  };

  async function connect(): Promise<void> {
    if (state === 'closed') return;
    const next = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: CONNECT_WITHIN_MS,
      keepAlive: true,
    });
    let over = false;
    const lost = (err?: unknown) => {
      if (over) return;
      over = true;
      next.end().catch(() => {});
      retry(err);
    };
    next.on('error', lost);
    next.on('end', () => lost());
    next.on('notification', ({ payload = '' }) => call(listeners.get(payload) ?? []));
    try {
      await next.connect();
      await next.query(`listen ${WAKE_CHANNEL}`);
    } catch (err) {
      return lost(err);
    }
    if (over) return;
    client = next;
    failures = 0;
    call(all());
  }

  function retry(err: unknown): void {
    client = null;
    if (state === 'closed') return;
    failures += 1;
    if (failures === 1)
      log.warn(
        { err },
        'the connection that wakes loops is lost; what is due is found every ten seconds until it is back',
      );
    const pause = Math.min(RECONNECT_MS.least * 2 ** (failures - 1), RECONNECT_MS.most);
    timer = setTimeout(() => void connect(), pause).unref();
  }

  return {
    on(topic, listener) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
      if (state !== 'idle') return;
      state = 'open';
      void connect();
    },
    wake: (topic) => call(listeners.get(topic) ?? []),
    async close() {
      state = 'closed';
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
