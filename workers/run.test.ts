// Every topic has a loop: an idle one looks by itself once an hour only.
import { expect, test } from 'vitest';
import type { Ctx } from '../src/context.ts';
import { createLog } from '../src/log.ts';
import { TOPICS } from '../src/wakes.ts';
import { runWorkers } from './run.ts';

test('the workers listen to every topic but the signer’s', async () => {
  const heard = new Set<string>();
  const ctx = {
    env: { BASE_URL: 'http://127.0.0.1' },
    executors: [{}],
    chains: { base: { family: 'evm', name: 'base', pollMs: 100 } },
    solanaExecutors: [],
    queues: { consume: () => {} },
    log: createLog('test', 'silent'),
    shutdown: { closing: () => true, onClose: () => {} },
    wakes: { on: (topic: string) => heard.add(topic) },
  };
  await runWorkers(ctx as unknown as Ctx);
  expect([...heard].sort()).toEqual(TOPICS.filter((topic) => topic !== 'claims').sort());
});
