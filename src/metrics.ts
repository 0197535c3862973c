// The metrics: one table of every series that we give, and the only place that knows Prometheus. Most values are read from rows and probes on
// request, so a restart loses nothing; only HTTP requests are counted in this process.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

type Definition = { type: 'gauge' | 'counter'; help: string; labels: readonly string[] };

/** Every figure that is read on demand. Labels come from fixed sets or from configuration, never from what people type. */
export const FIGURES = {
  ampersat_up_figures: {
    type: 'gauge',
    help: 'Whether the figures of a part could be read (1) or are left out (0)',
    labels: ['part'],
  },
  ampersat_tips: {
    type: 'gauge',
    help: 'Legs that have not ended yet, by status',
    labels: ['status', 'platform', 'chain'],
  },
  ampersat_tips_total: {
    type: 'counter',
    help: 'Legs that have ended: settled or failed',
    labels: ['outcome', 'platform', 'chain'],
  },
  ampersat_tips_usd_total: {
    type: 'counter',
    help: 'What settled legs brought to their recipients, in USD at acceptance',
    labels: ['platform', 'chain'],
  },
  ampersat_fees_usd_total: {
    type: 'counter',
    help: 'Relay fees of settled legs, in USD at acceptance',
    labels: ['platform', 'chain'],
  },
  ampersat_commands: { type: 'gauge', help: 'Accepted commands by status', labels: ['status', 'platform'] },
  ampersat_queue_jobs: { type: 'gauge', help: 'Jobs in a queue by state', labels: ['queue', 'state'] },
  ampersat_queue_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest job that waits in a queue',
    labels: ['queue'],
  },
  ampersat_work_waiting: { type: 'gauge', help: 'Rows that wait for a step', labels: ['step'] },
  ampersat_work_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest row that waits for a step',
    labels: ['step'],
  },
  ampersat_inbox_waiting: {
    type: 'gauge',
    help: 'Messages that were stored and not worked on yet',
    labels: ['platform'],
  },
  ampersat_outbox_jobs: {
    type: 'gauge',
    help: 'Jobs that a transaction asked for and that are not in a queue yet',
    labels: [],
  },
  ampersat_replies_open: { type: 'gauge', help: 'Replies that have something to say', labels: ['platform'] },
  ampersat_replies_oldest_seconds: { type: 'gauge', help: 'Age of the oldest open reply', labels: ['platform'] },
  ampersat_replies_sent_total: { type: 'counter', help: 'Replies that a platform has shown', labels: ['platform'] },
  ampersat_replies_failed_total: {
    type: 'counter',
    help: 'Replies that a platform rejected permanently or that were given up',
    labels: ['platform'],
  },
  ampersat_receipt_seconds: {
    type: 'gauge',
    help: 'From a message to its receipt in the chat, last hour, by quantile',
    labels: ['quantile'],
  },
  ampersat_transactions: { type: 'gauge', help: 'Outgoing transactions by status', labels: ['chain', 'status'] },
  ampersat_reorgs_total: {
    type: 'counter',
    help: 'Transactions that a reorg took out of a block, or out of a final one',
    labels: ['chain'],
  },
  ampersat_executor_nonce: {
    type: 'gauge',
    help: 'The next nonce of a key: in our ledger, and by the chain’s count; not on Solana, which has none',
    labels: ['chain', 'executor', 'source'],
  },
  ampersat_executor_balance: {
    type: 'gauge',
    help: 'What a key holds for gas, in whole native units',
    labels: ['chain', 'executor'],
  },
  ampersat_executor_batches_left: {
    type: 'gauge',
    help: 'Full batches that a key can pay for at present prices',
    labels: ['chain', 'executor'],
  },
  ampersat_executor_open_slots: {
    type: 'gauge',
    help: 'Transactions of a key that are signed and not in a block',
    labels: ['chain', 'executor'],
  },
  ampersat_executor_paused: { type: 'gauge', help: 'Whether a key is out of use', labels: ['chain', 'executor'] },
  ampersat_rpc_up: {
    type: 'gauge',
    help: 'Whether an RPC endpoint, by its number in the configuration, is well',
    labels: ['chain', 'endpoint'],
  },
  ampersat_rpc_latency_seconds: {
    type: 'gauge',
    help: 'How long an RPC endpoint took for its newest block',
    labels: ['chain', 'endpoint'],
  },
  ampersat_rpc_head_block: {
    type: 'gauge',
    help: 'The newest block of an RPC endpoint; on Solana its confirmed slot',
    labels: ['chain', 'endpoint'],
  },
  ampersat_rpc_head_age_seconds: {
    type: 'gauge',
    help: 'Age of the newest block of an RPC endpoint',
    labels: ['chain', 'endpoint'],
  },
  ampersat_indexer_behind_blocks: {
    type: 'gauge',
    help: 'Final blocks that the indexer of a chain has not processed, as of its last poll; the feeds orders and tabs are read together',
    labels: ['chain', 'feed'],
  },
  ampersat_indexer_late_seconds: {
    type: 'gauge',
    help: 'How long ago the indexer had the newest final block',
    labels: ['chain', 'feed'],
  },
  ampersat_indexer_done_ratio: {
    type: 'gauge',
    help: 'What the indexer has of all blocks since its first, from 0 to 1',
    labels: ['chain', 'feed'],
  },
  ampersat_price_usd: { type: 'gauge', help: 'Price of the native asset in USD, when it is known', labels: ['chain'] },
  ampersat_price_age_seconds: { type: 'gauge', help: 'Age of the oldest answer of the price feeds', labels: ['chain'] },
  ampersat_price_stale: { type: 'gauge', help: 'Whether the price cannot be used', labels: ['chain'] },
  ampersat_process_instances: {
    type: 'gauge',
    help: 'Processes that said within the last half minute that they run',
    labels: ['process'],
  },
  ampersat_process_beat_age_seconds: {
    type: 'gauge',
    help: 'Time since the last heartbeat of a kind of process',
    labels: ['process'],
  },
  ampersat_process_started_seconds: {
    type: 'gauge',
    help: 'When the newest process of a kind started, Unix seconds',
    labels: ['process'],
  },
  ampersat_process_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory of the running processes of a kind',
    labels: ['process'],
  },
  ampersat_process_lag_seconds: {
    type: 'gauge',
    help: 'By how much the last beat of a kind of process was late',
    labels: ['process'],
  },
  ampersat_x_budget_usd: { type: 'gauge', help: 'What calls of X may cost today (UTC), in USD', labels: [] },
  ampersat_x_spent_usd: { type: 'gauge', help: 'What calls of X have cost today (UTC), in USD', labels: [] },
  ampersat_x_reserved_usd: {
    type: 'gauge',
    help: 'The worst case of calls of X that are under way or were never answered, in USD',
    labels: [],
  },
  ampersat_x_requests: { type: 'gauge', help: 'Calls of X today (UTC)', labels: [] },
  ampersat_x_state: {
    type: 'gauge',
    help: 'The state of the X budget: 1 for closed, warm, open or half_open',
    labels: ['state'],
  },
  ampersat_webhook_endpoints: {
    type: 'gauge',
    help: 'Endpoints of merchants: enabled, failing (enabled, without a recent successful delivery) or disabled',
    labels: ['status', 'mode'],
  },
  ampersat_webhook_attempts_total: {
    type: 'counter',
    help: 'Attempts to deliver an event: the class of the answer, or why there is none',
    labels: ['result'],
  },
  ampersat_webhook_attempt_seconds: {
    type: 'gauge',
    help: 'How long attempts that were answered took, last five minutes, by quantile',
    labels: ['quantile'],
  },
  ampersat_sessions: { type: 'gauge', help: 'Browsers that are signed in', labels: [] },
  ampersat_accounts: { type: 'gauge', help: 'Handles', labels: [] },
  ampersat_connections: { type: 'gauge', help: 'Connected platform accounts', labels: ['platform', 'may_spend'] },
  ampersat_alerts_active: { type: 'gauge', help: 'Alerts that are open, by kind', labels: ['kind'] },
} as const satisfies Record<string, Definition>;

/** The series that this process counts itself. */
export const COUNTED = {
  ampersat_http_requests_total: {
    type: 'counter',
    help: 'Answered HTTP requests by route template',
    labels: ['method', 'route', 'status'],
  },
  ampersat_http_request_seconds: {
    type: 'histogram',
    help: 'How long HTTP requests took by route template',
    labels: ['method', 'route'],
  },
} as const;

export type FigureName = keyof typeof FIGURES;
export type Figure = { name: FigureName; labels?: Record<string, string>; value: number };

export type Metrics = {
  /** @param route the template, never the path; @param ms how long it took */
  observeRequest(request: { method: string; route: string; status: number; ms: number }): void;
  /** Prometheus’ text with these figures. */
  render(figures: readonly Figure[]): Promise<string>;
  contentType: string;
};

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const requests = new Counter({
    name: 'ampersat_http_requests_total',
    help: COUNTED.ampersat_http_requests_total.help,
    labelNames: COUNTED.ampersat_http_requests_total.labels,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'ampersat_http_request_seconds',
    help: COUNTED.ampersat_http_request_seconds.help,
    labelNames: COUNTED.ampersat_http_request_seconds.labels,
    buckets: BUCKETS,
    registers: [registry],
  });
  const figures = new Map<FigureName, Gauge | Counter>();
  for (const [name, { type, help, labels }] of Object.entries(FIGURES)) {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    figures.set(name as FigureName, type === 'gauge' ? new Gauge(options) : new Counter(options));
  }
  let collecting = false;
  return {
    contentType: registry.contentType,
    observeRequest({ method, route, status, ms }) {
      requests.inc({ method, route, status: String(status) });
      durations.observe({ method, route }, ms / 1_000);
    },
    render(values) {
      // Node's own series watch the event loop: only a process that is scraped pays for that.
      if (!collecting) collectDefaultMetrics({ register: registry });
      collecting = true;
      // Without a pause between, so that two scrapes at once see whole figures.
      for (const [name, figure] of figures) {
        figure.reset();
        // A series without labels would start at zero by itself; one that could not be read is better left out.
        if (FIGURES[name].labels.length === 0) figure.remove();
      }
      for (const { name, labels = {}, value } of values) figures.get(name)?.inc(labels, value);
      return registry.metrics();
    },
  };
}
