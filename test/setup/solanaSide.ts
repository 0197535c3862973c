// The Solana of a world: its chain in the context, and a wallet with money for everybody who has a handle.
import { PublicKey } from '@solana/web3.js';
import type { EmbeddedChain } from '../../local/chains/embeddedChains.ts';
import { PEOPLE } from '../../local/stack/people.ts';
import type { ProgramEvent } from '../../src/chain/solana/events.ts';
import { receiptOfSolana } from '../../src/chain/solana/transactions.ts';
import type { Ctx } from '../../src/context.ts';
import { type JoinOptions, joinSolana } from './solanaInWorld.ts';

/** `slotMs`: how long a slot takes; 0, where tests make them by hand. */
export type SolanaSideOptions = Pick<JoinOptions, 'finalizedAfter' | 'slotMs' | 'through' | 'more'>;
export type SolanaSide = Awaited<ReturnType<typeof openSolanaSide>>;

export async function openSolanaSide(ctx: Ctx, pricedOn: EmbeddedChain | undefined, options: SolanaSideOptions = {}) {
  const priceFeeds = pricedOn && { chain: pricedOn.name, feeds: pricedOn.solFeeds };
  const solana = await joinSolana(ctx, { finalizedAfter: 4, ...options, ...(priceFeeds && { priceFeeds }) });
  const { chain } = solana;
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
