// Looks at every chain from outside of any payment and keeps the last look in the context, so that a page, a scrape or an alert never waits for a chain.

import { endpointProblem } from '../../chain/routers/verify.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import { type ChainProbe, probeChain } from '../../chain/rpc/probe.ts';
import type { Ctx } from '../../context.ts';

/** Looks at every chain that is configured. */
export async function lookAtChains(ctx: Ctx): Promise<void> {
  await Promise.all(Object.values(ctx.chains).map((chain) => lookAtChain(ctx, chain)));
}

/**
 * One look. An endpoint that comes back after it was away is compared with the registry and with our build as at start: one that became another
 * chain, or shows other contracts, ends this process, because whatever it would say could be taken for the truth.
 */
export async function lookAtChain(ctx: Ctx, chain: EvmChain): Promise<ChainProbe> {
  const previous = ctx.probes.get(chain.name);
  const keys = await ctx.db.executorKey
    .findMany({ where: { chain: chain.name }, select: { address: true } })
    .catch(() => [...(previous?.keys.keys() ?? [])].map((address) => ({ address })));
  const probe = await probeChain(
    chain,
    keys.map((key) => key.address),
    ctx.clock.now(),
    previous,
  );
  for (const [index, { problem, latencyMs }] of probe.endpoints.entries()) {
    const before = previous?.endpoints[index]?.problem ?? null;
    // The first look compares too: an endpoint may have been silent at start.
    if (previous && before === problem) continue;
    if (problem) ctx.log.warn({ chain: chain.name, endpoint: index, problem }, 'an RPC endpoint is of no use');
    else if (previous) ctx.log.info({ chain: chain.name, endpoint: index }, 'an RPC endpoint is back');
    const client = chain.endpoints[index];
    const wrong = client && latencyMs !== null ? await endpointProblem(chain, client).catch(() => null) : null;
    if (wrong) ctx.shutdown.fail(`Chain configuration is wrong: ${wrong}.`);
  }
  ctx.probes.set(chain.name, probe);
  return probe;
}
