// Plans and subscriptions in a world: wallets that create, subscribe and cancel by themselves, and a clock that moves ours and the chain's together.
import { createWalletClient, encodeFunctionData, erc20Abi, type Hash, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  encodeCancel,
  encodeCreatePlan,
  encodeSetPlan,
  encodeSubscribe,
  planIdHash,
  planKeyOf,
  readSubscription,
} from '../../src/chain/routers/subscription.ts';
import type { Address } from '../../src/chain/rpc/client.ts';
import { rpcTransport } from '../../src/chain/rpc/transport.ts';
import { indexChain } from '../../src/services/operations/feed.ts';
import { type ChargeRun, runCharges } from '../../src/services/plans/chargeRun.ts';
import type { Plan, Subscription } from '../../src/services/plans/views.ts';
import { localPerson, type World } from './world.ts';

export const DAY_S = 86_400;
export const MONTH_S = 30 * DAY_S;

export type OwnPlan = { key: Hex; amount: bigint; period: number; creator: string };
export type Subscriptions = ReturnType<typeof subscriptionsOf>;

export function subscriptionsOf(world: World) {
  const chain = () => world.evmChain();
  let plans = 0;

  async function send(name: string, to: Address, data: Hex): Promise<Hash> {
    const wallet = createWalletClient({
      account: privateKeyToAccount(localPerson(name).key),
      transport: rpcTransport(world.anvilOf().rpcUrl),
    });
    const hash = await wallet.sendTransaction({ to, data, chain: null, gas: 600_000n });
    await world.taken();
    return hash;
  }
  const router = () => chain().routers.subscription;

  const self = {
    send,
    router,
    /** Moves our clock and the chain's. */
    async later(seconds: number) {
      world.later(seconds * 1_000);
      await world.admin().increaseTime({ seconds });
      await world.mine(1);
    },
    approve: (name: string, amount: bigint) =>
      send(
        name,
        chain().usdc,
        encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [router(), amount] }),
      ),
    /** A plan that a wallet creates without us. */
    async create(creator: string, { amount = 2_000_000n, period = MONTH_S } = {}): Promise<OwnPlan & { hash: Hash }> {
      plans += 1;
      const id = planIdHash(`a plan of another program ${plans} ${Math.random()}`);
      const terms = {
        creator: localPerson(creator).address as Address,
        planIdHash: id,
        token: chain().usdc,
        amount,
        period,
      };
      const hash = await send(creator, router(), encodeCreatePlan(terms));
      return { key: planKeyOf(chain(), terms), amount, period, creator, hash };
    },
    subscribe: (name: string, { key, amount, period }: Pick<OwnPlan, 'key' | 'amount' | 'period'>) =>
      send(
        name,
        router(),
        encodeSubscribe(
          { planKey: key, subscriber: localPerson(name).address as Address, amount, period },
          { way: 'direct' },
        ),
      ),
    cancel: (by: string, subscriber: string, { key }: Pick<OwnPlan, 'key'>) =>
      send(by, router(), encodeCancel({ planKey: key, subscriber: localPerson(subscriber).address as Address })),
    setPlan: (plan: OwnPlan, state: 'active' | 'inactive') =>
      send(plan.creator, router(), encodeSetPlan(plan.key, state)),
    index: () => indexChain(world.ctx, chain()),
    /** Sends what is queued; blocks enough for it to be final; our rows see it. */
    async settle() {
      await world.send();
      await world.watch();
      await world.mine(3);
      await world.watch();
      await self.index();
    },
    /** Everything is sent, mined and final while an answer is waited for. */
    async whileWorking<T>(answer: Promise<T>): Promise<T> {
      let isOver = false;
      const done = answer.finally(() => {
        isOver = true;
      });
      done.catch(() => {});
      while (!isOver) {
        await self.settle();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await self.settle();
      return done;
    },
    charge: (): Promise<ChargeRun> => self.whileWorking(runCharges(world.ctx, 'base', { minedWithinMs: 8_000 })),
    plan: ({ key }: Pick<OwnPlan, 'key'>): Promise<Plan | null> =>
      world.ctx.db.plan.findUnique({ where: { chain_planKey: { chain: 'base', planKey: key } } }),
    /** All of a wallet's to a plan, the oldest first. */
    rows: (name: string, { key }: Pick<OwnPlan, 'key'>): Promise<Subscription[]> =>
      world.ctx.db.subscription.findMany({
        where: { planKey: key, subscriber: localPerson(name).address },
        orderBy: { startedAt: 'asc' },
      }),
    row: async (name: string, plan: Pick<OwnPlan, 'key'>): Promise<Subscription> => {
      const [row] = (await self.rows(name, plan)).slice(-1);
      if (!row) throw new Error(`${name} does not subscribe`);
      return row;
    },
    onChain: (name: string, { key }: Pick<OwnPlan, 'key'>) =>
      readSubscription(chain(), { planKey: key, subscriber: localPerson(name).address as Address }),
    events: async (resourceId: string) =>
      (await world.ctx.db.event.findMany({ where: { resourceId }, orderBy: { id: 'asc' } })).map(({ type }) => type),
  };
  return self;
}
