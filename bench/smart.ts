// Smart payments on five chains: the ways to pay that are listed, and a payment over a bridge from its signature to the completed order. Our API is a process
// of its own that believes X-Forwarded-For, so that each call comes from another visitor and is counted as such.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '../local/stack/ports.ts';
import type { Stack } from '../local/stack/stack.ts';
import { ROOT } from '../src/root.ts';
import { startServer } from './api.ts';
import { measureCandidates, measureColdPrices } from './candidates.ts';
import type { Row } from './main.ts';
import { measurePayments } from './smartPayments.ts';

export async function measureSmart(stack: Stack): Promise<Row[]> {
  const port = await freePort();
  const env = { ...stack.processEnv, PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, TRUST_PROXY: '1' };
  const movedDate = pathToFileURL(join(ROOT, 'dist/movedDate.mjs')).href;
  const api = await startServer('api.mjs', port, env, ['--import', movedDate]);
  try {
    const bench = { stack, api };
    const paid = await measurePayments(bench);
    await stack.children.workers.stop();
    return [...paid, ...(await measureCandidates(bench)), await measureColdPrices(bench)];
  } finally {
    api.stop();
  }
}
