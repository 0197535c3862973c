import { defineConfig } from 'vitest/config';
import { findRedisServer } from './local/redis.ts';

const common = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  slowTestThreshold: 5_000,
};

/** What pays, and therefore has to hold on either backend. */
const MAIN_JOB = [
  'test/services/*.test.ts',
  'test/bots/*.test.ts',
  'test/src/queues.test.ts',
  'test/e2e/{kill,queues,thousand,webhook,start}.test.ts',
];

/** These start their own Redis, so once is enough. */
const OWN_SERVER = ['test/services/{leases,outage}.test.ts'];

const postgres = {
  test: { ...common, name: 'postgres', include: ['test/**/*.test.ts'], provide: { backend: 'postgres' as const } },
};
const redis = {
  test: { ...common, name: 'redis', include: MAIN_JOB, exclude: OWN_SERVER, provide: { backend: 'redis' as const } },
};

export default defineConfig({
  test: {
    // Once for all projects: each has what the root was given.
    globalSetup: ['test/setup/global.ts'],
    projects: findRedisServer() ? [postgres, redis] : [postgres],
    // Two cores: more workers only make real processes and chains wait for each other.
    maxWorkers: 2,
    reporters: ['default'],
  },
});
