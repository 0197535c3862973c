import { defineConfig } from 'vitest/config';
import { findRedisServer } from './local/stack/redis.ts';

const common = {
  // Ends what hangs; speed is measured in bench/. A test that starts processes four times took 74 s on a machine of half the usual speed.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  slowTestThreshold: 5_000,
  // As long as `until` waits: Vitest's own second is over on a busy machine before another process, or a page, had its turn.
  expect: { poll: { timeout: 60_000 } },
  // A worker keeps what it imported for its next file: importing took a tenth of the run, and no module of ours keeps state of its own.
  isolate: false,
};

/** What is about a queue, a limit or a lease, and therefore has to hold on either backend; what only passes by one of them runs once. */
const MAIN_JOB = [
  'src/queues.db.test.ts',
  'src/services/{leases.world,rateLimit.db}.test.ts',
  'src/services/outgoing/executor.world.test.ts',
  'src/services/accounts/connectLinks.world.test.ts',
  'src/services/tips/{limits,restored,tips}.world.test.ts',
  'src/services/webhooks/{dispatcherLoop,endpoints,replays}.db.test.ts',
  'bots/delivery.world.test.ts',
  'bots/telegram/{adapter,store}.world.test.ts',
  'test/kill/{tips,webhooks,queues,thousand,telegramWebhook,start}.kill.test.ts',
];

const postgres = {
  test: {
    ...common,
    name: 'postgres',
    include: ['{bots,local,prisma,src,test,tools,web/src,workers}/**/*.test.ts'],
    provide: { backend: 'postgres' as const },
  },
};
const redis = {
  test: { ...common, name: 'redis', include: MAIN_JOB, provide: { backend: 'redis' as const } },
};

export default defineConfig({
  test: {
    // Once for all projects: each has what the root was given.
    globalSetup: ['test/setup/global.ts'],
    projects: findRedisServer() ? [postgres, redis] : [postgres],
    // Two cores: tests of real processes wait half of their time, a third one fills it; more only make chains and processes wait for each other.
    maxWorkers: 3,
    reporters: ['default'],
  },
});
