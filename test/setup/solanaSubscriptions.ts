// Plans and subscriptions on a Solana cluster in a world: wallets that act by themselves, and a clock that moves ours and the chain's together.
import { createHash } from 'node:crypto';
import { type Keypair, localSolanaKey } from '../../local/solana/keys.ts';
import type { SolanaOptions } from '../../local/solana/server.ts';
import { type SubscriptionOnChain, subscriptionOnChain } from '../../src/chain/plans.ts';
import { planOf, subscriptionOf, tokenAccount } from '../../src/chain/solana/addresses.ts';
import { setAllowance } from '../../src/chain/solana/spending.ts';
import { solanaPlanCall, solanaPlanKey } from '../../src/chain/solana/subscriptions.ts';
import { indexChain } from '../../src/services/operations/feed.ts';
import { reconcileChain } from '../../src/services/outgoing/reconcile.ts';
import { type ChargeRun, runCharges } from '../../src/services/plans/chargeRun.ts';
import type { Plan, Subscription } from '../../src/services/plans/views.ts';
import { joinSolana, type SolanaInWorld } from './solanaInWorld.ts';
import { transferUsdc } from './solanaTransfers.ts';
import { MONTH_S } from './subscriptions.ts';
import type { World } from './world.ts';

const MILLION = 1_000_000n;

export type SolanaPlanOf = { key: `0x${string}`; amount: bigint; period: number; creator: string };
export type SolanaSubscriptions = Awaited<ReturnType<typeof startSolanaSubscriptions>>;

/** On a cluster of its own, whose slots pass by hand. */
export async function startSolanaSubscriptions(world: World, options: SolanaOptions = {}) {
  return subscriptionsOnSolana(world, await joinSolana(world.ctx, { finalizedAfter: 4, ...options }));
}

/** @param movesAlone the world's clock does not move the cluster's */
export async function subscriptionsOnSolana(world: World, solana: SolanaInWorld, { movesAlone = true } = {}) {
  const { ctx } = world;
  const { chain, program } = solana;
  let plans = 0;
  const place = (owner: string) => tokenAccount(owner, chain.usdc).address;
  const addressesOf = (name: string, { key }: Pick<SolanaPlanOf, 'key'>) => {
    const { address } = localSolanaKey(name);
    return { plan: planOf(program, key).address, subscription: subscriptionOf(program, key, address).address };
  };

  const self = {
    solana,
    chain,
    key: localSolanaKey,
    addressesOf,
    /** Someone with 1,000 USDC who allows the program nothing, unless it is more. */
    person(name: string, { usdc = 1_000n * MILLION, allows = 0n }: { usdc?: bigint; allows?: bigint } = {}): Keypair {
      const key = solana.person(name, { lamports: 1_000_000_000n, usdc });
      if (allows > 0n) self.approve(name, allows);
      return key;
    },
    /** Gives a handle its Solana wallet. */
    async wallet(slug: string, name = slug): Promise<string> {
      const { address } = localSolanaKey(name);
      const { id: handleId } = await ctx.db.handle.findUniqueOrThrow({ where: { slug } });
      await ctx.db.wallet.upsert({
        where: { handleId_family: { handleId, family: 'solana' } },
        create: { handleId, family: 'solana', address, createdAt: new Date(ctx.clock.now()) },
        update: { address },
      });
      return address;
    },
    usdc: (name: string) => solana.usdcOf(localSolanaKey(name).address),
    treasury: () => solana.usdcOf(solana.roles.treasury.address),
    approve(name: string, amount: bigint): void {
      const key = localSolanaKey(name);
      solana.send([key], setAllowance(chain, key.address, amount));
    },
    allowance(name: string): bigint {
      const data = Buffer.from(solana.data(place(localSolanaKey(name).address)) ?? Buffer.alloc(165));
      return data.readUInt32LE(72) === 1 ? data.readBigUInt64LE(121) : 0n;
    },
    /** All USDC but so many units go to another wallet. */
    spend(name: string, left = 0n): void {
      transferUsdc(solana, name, localSolanaKey('mallory').address, self.usdc(name) - left);
    },
    /** A plan that a wallet creates without us. */
    create(creator: string, { amount = 2n * MILLION, period = MONTH_S } = {}): SolanaPlanOf & { hash: string } {
      plans += 1;
      const key = localSolanaKey(creator);
      const hash = createHash('sha256').update(`plan ${plans} ${Math.random()}`).digest('hex');
      const terms = { creator: key.address, planIdHash: `0x${hash}` as const, amount, period };
      const { instructions } = solanaPlanCall(
        chain,
        { name: 'create', plan: terms, opensAccount: false },
        { treasury: '', payer: key.address },
      );
      const landed = solana.send([key], ...instructions);
      return { key: solanaPlanKey(chain, terms), amount, period, creator, hash: landed.signature };
    },
    setPlan(plan: SolanaPlanOf, state: 'active' | 'inactive'): string {
      const key = localSolanaKey(plan.creator);
      const move = { name: 'set_plan', creator: key.address, planKey: plan.key, state } as const;
      return solana.send([key], ...solanaPlanCall(chain, move, { treasury: '', payer: key.address }).instructions)
        .signature;
    },
    /** The wallet subscribes by itself; what it allows stays. */
    subscribe(name: string, plan: SolanaPlanOf): string {
      const key = localSolanaKey(name);
      const { creator, key: planKey, amount, period } = plan;
      const call = solanaPlanCall(
        chain,
        {
          name: 'subscribe',
          subscriber: key.address,
          creator: localSolanaKey(creator).address,
          planKey,
          amount,
          period,
          allowance: null,
        },
        { treasury: solana.roles.treasury.address, payer: key.address },
      );
      return solana.send([key], ...call.instructions).signature;
    },
    /** Anyone charges. */
    foreignCharge(by: string, name: string, plan: SolanaPlanOf): string {
      const caller = localSolanaKey(by);
      const accounts = {
        caller: caller.address,
        ...addressesOf(name, plan),
        source: place(localSolanaKey(name).address),
        creator: place(localSolanaKey(plan.creator).address),
        treasury: place(solana.roles.treasury.address),
      };
      return solana.send([caller], solana.build('charge', { args: {}, accounts })).signature;
    },
    cancel(by: string, name: string, plan: SolanaPlanOf): string {
      const key = localSolanaKey(by);
      const { subscription } = addressesOf(name, plan);
      const accounts = { signer: key.address, subscription };
      return solana.send([key], solana.build('cancel', { args: {}, accounts })).signature;
    },
    index: () => indexChain(ctx, chain),
    /** Sends what is queued; what landed is final; our rows see it. */
    async settle() {
      await solana.run();
      await self.index();
    },
    /** Everything is sent and final while an answer is waited for. */
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
    charge: (): Promise<ChargeRun> => self.whileWorking(runCharges(ctx, 'solana', { minedWithinMs: 8_000 })),
    /** Moves our clock and the chain's. */
    later(seconds: number): void {
      world.later(seconds * 1_000);
      if (movesAlone) solana.later(seconds * 1_000);
      solana.step(3);
    },
    plan: ({ key }: Pick<SolanaPlanOf, 'key'>): Promise<Plan | null> =>
      ctx.db.plan.findUnique({ where: { chain_planKey: { chain: 'solana', planKey: key } } }),
    rows: (name: string, { key }: Pick<SolanaPlanOf, 'key'>): Promise<Subscription[]> =>
      ctx.db.subscription.findMany({
        where: { planKey: key, subscriber: localSolanaKey(name).address },
        orderBy: { startedAt: 'asc' },
      }),
    async row(name: string, plan: Pick<SolanaPlanOf, 'key'>): Promise<Subscription> {
      const [row] = (await self.rows(name, plan)).slice(-1);
      if (!row) throw new Error(`${name} does not subscribe`);
      return row;
    },
    onChain: (name: string, { key }: Pick<SolanaPlanOf, 'key'>): Promise<SubscriptionOnChain> =>
      subscriptionOnChain(chain, { planKey: key, subscriber: localSolanaKey(name).address }),
    events: async (resourceId: string) =>
      (await ctx.db.event.findMany({ where: { resourceId }, orderBy: { id: 'asc' } })).map(({ type }) => type),
    calls: (kind: string) =>
      ctx.db.outgoingTx.findMany({ where: { chain: 'solana', kind }, orderBy: { createdAt: 'asc' } }),
    stop: () => solana.stop(),
  };
  solana.step(3);
  await reconcileChain(ctx, chain);
  return self;
}
