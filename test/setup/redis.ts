// On which backend the suite of the moment runs, and a Redis of a test's own.
import { inject, onTestFinished } from 'vitest';
import { findRedisServer, type RunningRedis, startRedis } from '../../local/stack/redis.ts';

/** Tests that need a redis-server say that they are skipped where there is none. */
export const hasRedis = findRedisServer() !== undefined;
export const HOW_TO_INSTALL_REDIS = 'needs redis-server: apt-get install redis-server, or set REDIS_SERVER_PATH';

/** Empty on Postgres; on Redis, the server that all suites of this run share. */
export function backendEnv(): Record<string, string> {
  const url = inject('backend') === 'redis' ? inject('redisUrl') : undefined;
  return url ? { REDIS_URL: url } : {};
}

/** A server of its own, gone when the test ends. */
export async function redisForTest(options?: Parameters<typeof startRedis>[0]): Promise<RunningRedis> {
  const redis = await startRedis(options);
  onTestFinished(() => redis.stop());
  return redis;
}
