import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { findRedisServer } from './local/stack/redis.ts';
import { isLong } from './test/setup/long.ts';
import { LongestFirst } from './test/setup/order.ts';
import { report } from './test/setup/report.ts';

const common = {
  // Ends what hangs; speed is measured in bench/. A test that starts processes four times took 74 s on a machine of half the usual speed.
  testTimeout: isLong ? 10_800_000 : 180_000,
  hookTimeout: 180_000,
  slowTestThreshold: 5_000,
  // As long as `until` waits: Vitest's own second is over on a busy machine before another process, or a page, had its turn.
  expect: { poll: { timeout: 60_000 } },
  // A worker keeps what it imported for its next file: importing took a tenth of the run, and no module of ours keeps state of its own.
  isolate: false,
  alias: isLong
    ? [{ find: /^fast-check$/, replacement: join(import.meta.dirname, 'test/setup/longFastCheck.ts') }]
    : [],
};

/** The seam of the two backends: queues, limits, and a tip whose process is killed. What stands above it knows neither; leases, outages and token buckets start a Redis themselves. */
const SEAM = ['src/queues.db.test.ts', 'src/services/rateLimit.db.test.ts', 'test/kill/queuedTips.kill.test.ts'];

const postgres = {
  test: {
    ...common,
    name: 'postgres',
    include: ['{bots,local,prisma,src,test,tools,web/src,workers}/**/*.test.ts'],
    provide: { backend: 'postgres' as const },
  },
};
const redis = {
  test: { ...common, name: 'redis', include: SEAM, provide: { backend: 'redis' as const } },
};

export default defineConfig({
  test: {
    // Once for all projects: each has what the root was given.
    globalSetup: ['test/setup/global.ts'],
    projects: findRedisServer() ? [postgres, redis] : [postgres],
    // Two cores: tests of real processes wait half of their time, a third one fills it; more only make chains and processes wait for each other.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', report],
  },
});
