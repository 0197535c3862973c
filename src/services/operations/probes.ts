// Looks at every chain from outside of any payment and keeps the last look in the context, so that a page, a scrape or an alert never waits for a chain.

import type { Chain } from '../../chain/chain.ts';
import { probeChain, wrongAtEndpoint } from '../../chain/probe.ts';
import type { Ctx } from '../../context.ts';

/** Looks at every chain that is configured. */
export async function lookAtChains(ctx: Ctx): Promise<void> {
  const keys = await ctx.db.executorKey.findMany({ select: { chain: true, address: true } }).catch(() => null);
  const ofChain = (name: string) => keys?.flatMap(({ chain, address }) => (chain === name ? [address] : []));
  await Promise.all(Object.values(ctx.chains).map((chain) => lookAtChain(ctx, chain, ofChain(chain.name))));
}

/**
 * One look. An endpoint that comes back after it was away is compared with the registry and with our build as at start: one that became another
 * chain, or shows other contracts, ends this process, because whatever it would say could be taken for the truth.
 * @param keys the executors' addresses; those of the last look while the database is away
 */
async function lookAtChain(ctx: Ctx, chain: Chain, keys: string[] | undefined): Promise<void> {
  const previous = ctx.probes.get(chain.name);
  const probe = await probeChain(chain, keys ?? [...(previous?.keys.keys() ?? [])], ctx.clock.now(), previous);
  for (const [index, { problem, latencyMs }] of probe.endpoints.entries()) {
    const before = previous?.endpoints[index]?.problem ?? null;
    // The first look compares too: an endpoint may have been silent at start.
    if (previous && before === problem) continue;
    if (problem) ctx.log.warn({ chain: chain.name, endpoint: index, problem }, 'an RPC endpoint is of no use');
    else if (previous) ctx.log.info({ chain: chain.name, endpoint: index }, 'an RPC endpoint is back');
    const wrong = latencyMs === null ? null : await wrongAtEndpoint(chain, index).catch(() => null);
    if (wrong) ctx.shutdown.fail(`Chain configuration is wrong: ${wrong}.`);
  }
  ctx.probes.set(chain.name, probe);
}
