// One process that takes the payments of a chain in until it has caught up, and says how long that took and how much memory it needed.
import { chainOf, createContext } from '../src/context.ts';
import { readEnv } from '../src/env.ts';
import { indexChain } from '../src/services/operations/feed.ts';

const ctx = await createContext(readEnv(process.env), 'bench', { queueNames: [] });
const chain = chainOf(ctx, process.argv[2] ?? '');
const began = performance.now();
const cpuBefore = process.cpuUsage();
for (;;) {
  const { at, target } = await indexChain(ctx, chain);
  if (at.block >= target) break;
}
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(cpuBefore);
const cpuMs = Math.round((user + system) / 1_000);
process.stdout.write(
  `${JSON.stringify({ ms, cpuMs, megabytes: Math.round(process.resourceUsage().maxRSS / 1_024) })}\n`,
);
await ctx.shutdown.close();
process.exit(0);
