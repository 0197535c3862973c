// One process that takes the payments of a chain in until it has caught up, and says how long that took and how much memory it needed.
import { createContext } from '../src/context.ts';
import { readEnv } from '../src/env.ts';
import { indexChain } from '../src/services/operations/feed.ts';

const ctx = await createContext(readEnv(process.env), 'bench', { queueNames: [] });
const { base } = ctx.chains;
if (!base) throw new Error('the bench runs on base');
const began = performance.now();
for (;;) {
  const { at, target } = await indexChain(ctx, base);
  if (at.block >= target) break;
}
const ms = performance.now() - began;
process.stdout.write(`${JSON.stringify({ ms, megabytes: Math.round(process.resourceUsage().maxRSS / 1_024) })}\n`);
await ctx.shutdown.close();
process.exit(0);
