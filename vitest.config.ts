import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores: more workers only make real processes and chains wait for each other.
    maxWorkers: 2,
    reporters: ['default'],
    slowTestThreshold: 5_000,
  },
});
