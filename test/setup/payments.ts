// The indexer of payments in a world, driven round by round, with what it leaves behind and what a replay from scratch would.
import { createPublicClient, type EIP1193RequestFn, fallback, http, keccak256, toHex } from 'viem';
import type { EvmChain, Hash, Hex } from '../../src/chain/rpc/client.ts';
import { rpcTransport } from '../../src/chain/rpc/transport.ts';
import { connectDb, type Db, type Row } from '../../src/db.ts';
import { indexChain } from '../../src/services/operations/feed.ts';
import { seededDatabase } from './database.ts';
import type { World } from './world.ts';

export type Payments = ReturnType<typeof paymentsOf>;
type Order = Row<'Order'>;

export function paymentsOf(world: World, chain: () => EvmChain = () => world.evmChain()) {
  const { db } = world.ctx;
  const rpc = <T>(method: string, ...params: unknown[]) =>
    (world.reader().request as EIP1193RequestFn)({ method, params } as never) as Promise<T>;
  const payments = {
    rpc,
    index: (on: EvmChain = chain()) => indexChain(world.ctx, on),
    /** Blocks enough for what is mined to be final, and our rows see it. */
    async settle() {
      await world.mine(3);
      await payments.caughtUp();
    },
    /** Until the newest final block is indexed. */
    async caughtUp(ctx = world.ctx) {
      for (;;) {
        const { at, target } = await indexChain(ctx, chain());
        if (at.block >= target) return;
      }
    },
    read: ({ id }: Pick<Order, 'id'>) => db.order.findUniqueOrThrow({ where: { id } }),
    status: async (order: Order) => (await payments.read(order)).status,
    received: async (order: Order) => (await payments.read(order)).receivedUnits.toFixed(),
    outcomes: async ({ id: orderId }: Order) =>
      (await db.orderLog.findMany({ where: { orderId }, orderBy: [{ block: 'asc' }, { logIndex: 'asc' }] })).map(
        ({ kind, outcome }) => `${kind} ${outcome}`,
      ),
    events: async ({ id: resourceId }: Order) =>
      (await db.event.findMany({ where: { resourceId }, orderBy: { id: 'asc' } })).map((row) => row.type),
    moves: async (resourceId: string) =>
      (await db.transition.findMany({ where: { resourceId }, orderBy: { id: 'asc' } })).map((row) => row.action),
    checkpoint: () => db.indexerCheckpoint.findUniqueOrThrow({ where: { chain: 'base' } }),
    /**
     * Takes the newest blocks back; what was in them is gone, except what is put into the new ones, by default each where it was. Anvil takes its
     * clock back to the last block that stays; a chain's time goes on.
     */
    async reorg(depth: number, again: Hash[] = [], into: (index: number) => number = (index) => index) {
      const raw = await Promise.all(again.map((hash) => rpc<Hex>('eth_getRawTransactionByHash', hash)));
      const time = async () => Number((await world.reader().getBlock({ blockTag: 'pending' })).timestamp);
      const before = await time();
      await rpc(
        'anvil_reorg',
        depth,
        raw.map((bytes, index) => [bytes, into(index)]),
      );
      await world.admin().increaseTime({ seconds: Math.max(0, before - (await time()) + 1) });
    },
    /** What a new database, with the orders as they were made, makes of the same chain. */
    async replayed(made: Order[]): Promise<object> {
      const { url, drop } = await seededDatabase();
      const other = connectDb(url, { max: 3 });
      try {
        const data = made.map((order) => Object.fromEntries(Object.entries(order).filter(([name]) => name !== 'at')));
        await other.order.createMany({ data: data as never });
        await payments.caughtUp({ ...world.ctx, db: other });
        return await stateOf(other, made);
      } finally {
        await other.$disconnect();
        await drop();
      }
    },
    state: (made: Order[]) => stateOf(db, made),
  };
  return payments;
}

/** All that the chain says about orders, as rows have it. */
async function stateOf(db: Db, made: Order[]) {
  const among = made.map(({ id }) => id);
  const [orders, logs] = await Promise.all([
    db.order.findMany({ where: { id: { in: among } }, orderBy: { id: 'asc' } }),
    db.orderLog.findMany({ where: { orderId: { in: among } }, orderBy: [{ block: 'asc' }, { logIndex: 'asc' }] }),
  ]);
  return {
    orders: orders.map(({ id, status, payer, txHash, endedAt, receivedUnits, refundedUnits }) => {
      return { id, status, payer, txHash, endedAt, received: receivedUnits.toFixed(), back: refundedUnits.toFixed() };
    }),
    logs: logs.map((log) => ({ ...log, units: log.units.toFixed(), feeUnits: log.feeUnits.toFixed() })),
  };
}

/** The same chain through other endpoints, tried in their order. */
export function chainThrough(of: EvmChain, urls: string[], more: Partial<EvmChain> = {}): EvmChain {
  const transports = urls.map((url) => rpcTransport(url, { retryCount: 0 }));
  return {
    ...of,
    client: createPublicClient({ transport: fallback(transports, { retryCount: 0 }), cacheTime: 0 }),
    endpoints: transports.map((transport) => createPublicClient({ transport, cacheTime: 0 })),
    ...more,
  };
}

/** The same chain, whose provider answers some block ranges with something else. */
export function chainWith(
  of: EvmChain,
  url: string,
  refusal: (from: number, to: number) => Record<string, unknown> | null,
): EvmChain {
  // Not rpcTransport, which makes its calls itself.
  const transport = http(url, {
    retryCount: 0,
    fetchFn: async (input, init) => {
      const body = JSON.parse(String(init?.body ?? '{}'));
      if (body.method !== 'eth_getLogs') return fetch(input, init);
      const [{ fromBlock, toBlock }] = body.params;
      const answer = refusal(Number(fromBlock), Number(toBlock));
      if (!answer) return fetch(input, init);
      const text = JSON.stringify({ jsonrpc: '2.0', id: body.id, ...answer });
      return new Response(text, { headers: { 'content-type': 'application/json' } });
    },
  });
  const client = createPublicClient({ transport, cacheTime: 0 });
  return { ...of, client, endpoints: [client] };
}

/** Code that writes the log that its calldata names: the topics, four or three of them, then the data. */
export const LOUDSPEAKER = {
  4: '0x608036036080600037606035604035602035600035608036036000a400',
  3: '0x606036036060600037604035602035600035606036036000a300',
} as const;

/** Any 32 bytes. */
export const someHash = (text: string): Hex => keccak256(toHex(text));
