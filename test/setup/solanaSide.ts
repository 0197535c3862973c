// The Solana of a world: its chain in the context, and a wallet with money for everybody who has a handle.
import { PublicKey } from '@solana/web3.js';
import type { EmbeddedChain } from '../../local/chains/embeddedChains.ts';
import { PEOPLE } from '../../local/stack/people.ts';
import { createSolanaChain, type SolanaChain, solanaKeyOf } from '../../src/chain/solana/client.ts';
import type { ProgramEvent } from '../../src/chain/solana/events.ts';
import { receiptOfSolana } from '../../src/chain/solana/transactions.ts';
import type { Ctx } from '../../src/context.ts';
import { type SolanaWorld, startSolanaWorld } from './solanaWorld.ts';

export type SolanaSideOptions = {
  finalizedAfter?: number;
  /** How long a slot takes; 0, where tests make them by hand. */
  slotMs?: number;
  /** Puts something between us and the node: `direct` is its address. */
  through?: (direct: string) => Promise<string>;
  /** Further endpoints, such as one that lags. */
  more?: string[];
};
export type SolanaSide = Awaited<ReturnType<typeof openSolanaSide>>;

export async function openSolanaSide(
  ctx: Ctx,
  pricedOn: EmbeddedChain | undefined,
  { finalizedAfter = 4, slotMs = 0, through, more = [] }: SolanaSideOptions = {},
) {
  const solana: SolanaWorld = await startSolanaWorld({ slotMs, finalizedAfter });
  const direct = solana.node.url;
  /** As CHAINS_FILE has it. */
  const config = {
    rpcUrls: [through ? await through(direct) : direct, ...more],
    program: solana.program,
    usdc: solana.usdc,
    pollMs: 50,
    ...(pricedOn && { priceFeeds: { chain: pricedOn.name, feeds: pricedOn.solFeeds } }),
    local: true,
  };
  const chain: SolanaChain = createSolanaChain('solana', config);
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
    config,
    /** What processes of the world get. */
    env: { SOLANA_EXECUTOR_KEYS: solana.roles.executors.map(({ secret }) => secret).join(',') },
    /** Events of the program in all transactions that name an account. */
    async eventsOf(account: string): Promise<ProgramEvent[]> {
      const [endpoint] = chain.endpoints;
      const found = (await endpoint?.getSignaturesForAddress(new PublicKey(account), {}, 'confirmed')) ?? [];
      const receipts = await Promise.all(found.map(({ signature }) => receiptOfSolana(chain, signature)));
      return receipts.flatMap((receipt) => receipt?.events ?? []);
    },
    /** What a person who was given money has more than that, in USDC units. */
    gained: (name: string) => solana.usdcOf(solana.addressOf(name)) - 1_000_000_000n,
  };
}
