// The Solana of a world: its chain in the context, and a wallet with money for everybody who has a handle.
import type { EmbeddedChain } from '../../local/chains/embeddedChains.ts';
import { PEOPLE } from '../../local/stack/people.ts';
import { createSolanaChain, type SolanaChain, solanaKeyOf } from '../../src/chain/solana/client.ts';
import type { Ctx } from '../../src/context.ts';
import { type SolanaWorld, startSolanaWorld } from './solanaWorld.ts';

export type SolanaSideOptions = {
  finalizedAfter?: number;
  /** Puts something between us and the node: `direct` is its address. */
  through?: (direct: string) => Promise<string>;
  /** Further endpoints, such as one that lags. */
  more?: string[];
};
export type SolanaSide = Awaited<ReturnType<typeof openSolanaSide>>;

export async function openSolanaSide(
  ctx: Ctx,
  pricedOn: EmbeddedChain | undefined,
  { finalizedAfter = 4, through, more = [] }: SolanaSideOptions = {},
) {
  const solana: SolanaWorld = await startSolanaWorld({ slotMs: 0, finalizedAfter });
  const direct = solana.node.url;
  const chain: SolanaChain = createSolanaChain('solana', {
    rpcUrls: [through ? await through(direct) : direct, ...more],
    program: solana.program,
    usdc: solana.usdc,
    pollMs: 50,
    ...(pricedOn && { priceFeeds: { chain: pricedOn.name, feeds: pricedOn.solFeeds } }),
    local: true,
  });
  ctx.chains.solana = chain;
  ctx.solanaExecutors.push(...solana.roles.executors.map(({ secretBytes }) => solanaKeyOf(secretBytes)));
  for (const { name, handle: slug, connected } of PEOPLE) {
    if (slug === null) continue;
    const { address } = connected
      ? solana.person(name)
      : solana.person(name, { lamports: 10_000_000_000n, usdc: 1_000_000_000n });
    const handle = await ctx.db.handle.findUniqueOrThrow({ where: { slug } });
    const createdAt = new Date(ctx.clock.now());
    await ctx.db.wallet.create({ data: { handleId: handle.id, family: 'solana', address, createdAt } });
  }
  solana.settle();
  return {
    ...solana,
    chain,
    /** What somebody who was given money has more than that, in USDC units. */
    gained: (name: string) => solana.usdcOf(solana.addressOf(name)) - 1_000_000_000n,
  };
}
