// Orders in a world: a merchant's orders, and their outcome.
import type { Row } from '../../src/db.ts';
import type { SessionHandle, WalletKind } from '../../src/services/accounts/sessions.ts';
import { createOrder, type HowMade, type OrderWish } from '../../src/services/orders/orders.ts';
import type { World } from './world.ts';

export type Shop = ReturnType<typeof shopOf>;

export function shopOf(world: World) {
  const { db } = world.ctx;
  const orders = {
    idOf: async (slug: string) => (await db.handle.findUniqueOrThrow({ where: { slug } })).id,
    /** An order of a workspace: 25 USDC on Base by default. */
    async ask(slug: string, wish: Partial<OrderWish> = {}, how: Partial<HowMade> = {}) {
      const workspace = { id: await orders.idOf(slug) };
      return createOrder(world.ctx, workspace, { amount: '25', chain: 'base', ...wish }, { origin: 'api', ...how });
    },
    row: (id: string): Promise<Row<'Order'>> => db.order.findUniqueOrThrow({ where: { id } }),
    events: (resourceId: string) => db.event.findMany({ where: { resourceId }, orderBy: { id: 'asc' } }),
    typesOf: async (resourceId: string) => (await orders.events(resourceId)).map(({ type }) => type),
    /** Unix seconds, by our clock. */
    nowS: () => BigInt(Math.floor(world.ctx.clock.now() / 1_000)),
  };
  return orders;
}

/** A signed-in user, as services see them. */
export async function signedIn(world: World, slug: string): Promise<SessionHandle> {
  const handle = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug }, include: { wallets: true } });
  const wallet = handle.wallets.find(({ family }) => family === 'evm');
  return {
    id: handle.id,
    slug,
    preferredChain: handle.preferredChain,
    createdAt: handle.createdAt,
    wallet: wallet
      ? { address: wallet.address, kind: wallet.kind as WalletKind, provenChains: wallet.provenChains }
      : null,
  };
}
