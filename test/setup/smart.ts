// Smart payments in a world: local bridges over its chains, a payer who asks, chooses, signs and sends, and the workers that follow.
import { erc20Abi, type Hex, parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { solverAddress } from '../../local/bridge/evmPlace.ts';
import { fillerAddress } from '../../local/bridge/filler.ts';
import { RELAY_KEY } from '../../local/bridge/relay.ts';
import { startBridges } from '../../local/bridge/server.ts';
import { depositoryVault, solanaSolver } from '../../local/bridge/solanaPlace.ts';
import { refreshPrices } from '../../local/chains/deploy/chain.ts';
import { SOL_USD } from '../../local/chains/deploy/priceFeed.ts';
import { readAccount } from '../../local/solana/accounts.ts';
import { type Keypair, localSolanaKey } from '../../local/solana/keys.ts';
import type { LandedTransaction } from '../../local/solana/ledger.ts';
import { mintOf, tokenAccountOf } from '../../local/solana/tokens.ts';
import { localKey, PEOPLE } from '../../local/stack/people.ts';
import { ROLES } from '../../local/stack/roles.ts';
import type { Address } from '../../src/chain/rpc/client.ts';
import type { Row } from '../../src/db.ts';
import type { ChainName } from '../../src/domain/chains.ts';
import { familyOf } from '../../src/domain/walletFamily.ts';
import type { PreparedPaymentAnswer } from '../../src/http/api/smartAnswers.ts';
import { indexChain } from '../../src/services/operations/feed.ts';
import { noteDeposits } from '../../src/services/orders/indexing/deposits.ts';
import { watchDeposits } from '../../src/services/orders/payments/sweeps.ts';
import { reconcileChain } from '../../src/services/outgoing/reconcile.ts';
import { followLegs } from '../../src/services/smart/follow.ts';
import { bridgeChain, solanaBridgeChain } from './bridges.ts';
import { checkoutOf } from './checkout.ts';
import { giveUsdc, orderRow, sendAs } from './orders.ts';
import { signTransaction, walletOfPerson } from './signer.ts';
import { serveWorld, visitor } from './visitor.ts';
import { startWorld } from './world.ts';

/** Signs where a payment has no leg of EVM. */
const ANYONE = localKey('smart anyone').key;

export type SmartWorld = Awaited<ReturnType<typeof startSmartWorld>>;

/**
 * @param isLive with chains that make blocks and bridges that look by themselves, for processes; @param platforms with Discord and X as well;
 * @param solana with a Solana chain beside the others
 */
export async function startSmartWorld(
  names: ChainName[],
  { isLive = false, platforms = false, solana: withSolana = false } = {},
) {
  const world = await startWorld({
    chains: names,
    anvil: isLive ? { blockTimeSeconds: 1 } : {},
    ...(withSolana ? { solana: { finalizedAfter: 6, ...(isLive ? { slotMs: 2_000 } : {}) } } : {}),
    ...(platforms ? { discord: true, x: { env: { X_DAILY_BUDGET_USD: '1000' } } } : {}),
  });
  const bridges = await startBridges({
    chains: names.map((name) => bridgeChain(world.evmChain(name), world.anvilOf(name).rpcUrl)),
    solana: withSolana ? solanaBridgeChain(world.solana) : undefined,
    every: isLive,
    clock: world.ctx.clock.now,
  });
  const solana = withSolana ? world.solana : null;
  if (solana) await reconcileChain(world.ctx, solana.chain);
  const env = { ACROSS_API_ROOT: bridges.acrossUrl, RELAY_API_ROOT: bridges.relayUrl, RELAY_API_KEY: RELAY_KEY };
  Object.assign(world.ctx.env, env);
  const url = await serveWorld(world);
  const buyer = visitor(url);
  const checkout = checkoutOf(world, buyer);
  for (const name of names) await checkout.index(name);

  const payers = new Set<string>();
  const solanaPayers = new Map<string, { key: Keypair; name: string }>();
  const self = {
    world,
    url,
    /** What a process of the world is given. */
    env,
    bridges,
    buyer,
    checkout,
    /** A wallet with USDC, in whole units by chain, and gas where it is to send by itself. */
    async payer(name: string, funds: Partial<Record<ChainName, string>>, { gas = false } = {}) {
      const { key, address } = localKey(`smart ${name}`);
      payers.add(address);
      for (const [chain, amount] of Object.entries(funds) as [ChainName, string][]) {
        const { usdcDecimals } = world.evmChain(chain).facts;
        if (Number(amount) > 0) await giveUsdc(world, address, parseUnits(amount, usdcDecimals), chain);
        if (gas) await world.admin(chain).setBalance({ address, value: 10n ** 18n });
      }
      return { key, address };
    },
    /** A wallet of Solana: whole units of USDC, and SOL. */
    solanaPayer(name: string, { usdc = '0', sol = '0.01', isNew = false } = {}): Keypair {
      const full = `smart ${name}`;
      const grant = { lamports: parseUnits(sol, 9), usdc: parseUnits(usdc, 6) };
      const key = isNew ? localSolanaKey(full) : world.solana.person(full, grant);
      world.solana.step(3);
      solanaPayers.set(key.address, { key, name: full });
      return key;
    },
    /** An order of the shop's on Solana, in whole USDC. */
    async solanaOrder(amount: string, wishes: object = {}): Promise<Row<'Order'>> {
      const shop = visitor(url);
      await shop.signIn(walletOfPerson('shop'));
      const { body } = await shop.post('/api/orders', { amount, chain: 'solana', ...wishes });
      expect(body.error).toBeUndefined();
      return checkout.row(body.order.id);
    },
    /** An order of Bob's, in whole USDC. */
    order: (usdc: number, wishes: object = {}) =>
      orderRow(world, { merchant: 'bob', units: BigInt(usdc * 1e6) as never, ...wishes }),
    candidates: (body: object) => buyer.post('/api/pay/smart/candidates', body),
    pay: (body: object) => buyer.post('/api/pay/smart', body),
    leg: (payment: string, n: number, body: object) => buyer.post(`/api/pay/smart/${payment}/legs/${n}`, body),
    status: (payment: string) => buyer.get(`/api/pay/smart/status?id=${payment}`),
    statusOf: async (payment: string) => (await self.status(payment)).body,
    /** Signs or sends what each leg asks for. */
    async give(payment: PreparedPaymentAnswer, key: Hex = ANYONE, only?: number): Promise<void> {
      const account = privateKeyToAccount(key);
      for (const { n, chain, steps } of payment.legs) {
        if (only !== undefined && n !== only) continue;
        let sent: Hex | undefined;
        for (const step of steps) {
          if (step.kind === 'signature') {
            const signature = await account.signTypedData(step.typed_data as never);
            const answer = await self.leg(payment.id, n, { signature });
            expect([answer.status, answer.body.error]).toEqual([200, undefined]);
          } else if (step.kind === 'solana_transaction') {
            const answer = await self.leg(payment.id, n, { solana_transaction: self.signed(step) });
            expect([answer.status, answer.body.error]).toEqual([200, undefined]);
          } else {
            const call = { to: step.to as Address, data: step.data as Hex, value: BigInt(step.value) };
            sent = await sendAs(world, key, call, chain as ChainName);
          }
        }
        if (sent) expect((await self.leg(payment.id, n, { txHash: sent })).status).toBe(200);
      }
    },
    keyOf(address: string): Keypair {
      const payer = solanaPayers.get(address);
      if (!payer) throw new Error(`${address} is no payer of this world`);
      return payer.key;
    },
    /** By which its key is made. */
    nameOf: (address: string) => solanaPayers.get(address)?.name ?? '',
    /** As the wallet that it names signs it. */
    signed: ({ signed_by, solana_transaction }: { signed_by: string; solana_transaction: string }) =>
      signTransaction(self.keyOf(signed_by), solana_transaction),
    /** The newest transaction of a Solana account. */
    lastOf(address: string): LandedTransaction {
      const { ledger } = world.solana;
      const landed = ledger.transactions.get(ledger.byAddress.get(address)?.at(-1) ?? '');
      if (!landed) throw new Error(`${address} has no transaction`);
      return landed;
    },
    /** The cheapest candidate, paid for and given. */
    async begin(orderId: string, { key, address }: { key: Hex; address: Address }): Promise<PreparedPaymentAnswer> {
      const { body } = await self.candidates({ orderId, payer: [address] });
      expect(body.error).toBeUndefined();
      const prepared = await self.pay({ candidateId: body.data[0].id, orderId, payer: address });
      expect([prepared.status, prepared.body.error]).toEqual([201, undefined]);
      await self.give(prepared.body, key);
      return prepared.body;
    },
    /** The workers of every chain, once. */
    async work() {
      for (const name of names) await checkout.work(name);
      if (solana) await self.workSolana();
      await self.follow();
    },
    /** The workers of Solana, once, with slots enough for what they send to be confirmed. */
    async workSolana() {
      await watchDeposits(world.ctx, world.solana.chain, new Map());
      world.solana.step(3);
      await world.solana.sendNow();
      await world.solana.confirmSent();
    },
    /** Every leg is looked at, whose turn it is or not. */
    async follow() {
      await world.ctx.db.smartLeg.updateMany({ data: { nextLookAt: new Date(0) } });
      await followLegs(world.ctx);
    },
    /** The bridges look, once. */
    async bridge() {
      await bridges.filler.look();
      // A deposit is noted in one round and filled in the next.
      await bridges.relay.look();
      await bridges.relay.look();
    },
    async mine() {
      for (const name of names) await world.mine(world.evmChain(name).confirmations, name);
      if (solana) await solana.settleSent();
    },
    /** From what was given to the end: sent, filled, final, swept, indexed. */
    async settle() {
      await self.work();
      await self.mine();
      await self.work();
      await self.bridge();
      await self.mine();
      await self.work();
      for (const name of names) {
        await checkout.deposits(name);
        await checkout.finish(name);
      }
      if (!solana) return;
      await self.workSolana();
      await solana.settleSent();
      await indexChain(world.ctx, solana.chain);
      await noteDeposits(world.ctx, solana.chain, { ended: true });
    },
    /** Moves every clock. */
    async later(seconds: number) {
      await checkout.later(seconds, ...names);
      await Promise.all(names.map((name) => world.freshPrices(name)));
      const priced = solana?.chain.priceSource;
      if (!priced) return;
      const { rpcUrl } = world.anvilOf(priced.chain);
      await refreshPrices({ rpcUrl, feeds: priced.feeds, price: SOL_USD, owner: ROLES.deployer.key });
    },
    usdcOf: (who: Address, name: ChainName) => {
      const { usdc } = world.evmChain(name);
      return world.reader(name).readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [who] });
    },
    /** Everything that the parties have, by chain, in USD times 10^18. */
    async ledger(parties: readonly Address[]): Promise<bigint> {
      let sum = 0n;
      for (const name of names) {
        const { across, facts } = world.evmChain(name);
        const holders = [...parties, fillerAddress(), solverAddress(), ROLES.treasury.address, across?.pool as Address];
        for (const who of new Set(holders))
          sum += (await self.usdcOf(who, name)) * 10n ** BigInt(18 - facts.usdcDecimals);
      }
      return sum;
    },
    /**
     * USDC by chain that is at none of the parties: payers, people, bridges, the treasury, the orders' own addresses, routers and escrows. It does not
     * change, whatever fails.
     */
    async elsewhere(): Promise<Record<string, bigint>> {
      const orders = await world.ctx.db.order.findMany({ where: { depositAddress: { not: null } } });
      const addresses = orders.flatMap(({ depositAddress }) => depositAddress ?? []);
      const found = await Promise.all(
        names.map(async (name) => {
          const { usdc: address, across, routers } = world.evmChain(name);
          const holders = new Set<string>([
            ...payers,
            ...PEOPLE.map((one) => one.address),
            ...addresses.filter((address) => familyOf(address) === 'evm'),
            ...Object.values(routers),
            ...[fillerAddress(), solverAddress(), ROLES.treasury.address, across?.pool ?? '', across?.adapter ?? ''],
          ]);
          const erc20 = { address, abi: erc20Abi } as const;
          const reader = world.reader(name);
          const [supply, balances] = await Promise.all([
            reader.readContract({ ...erc20, functionName: 'totalSupply' }),
            reader.multicall({
              contracts: [...holders].map(
                (who) => ({ ...erc20, functionName: 'balanceOf', args: [who as Address] }) as const,
              ),
              deployless: true,
              batchSize: 4_096,
              allowFailure: false,
            }),
          ]);
          return [name, balances.reduce((left, held) => left - held, supply)] as const;
        }),
      );
      const onSolana = solana ? [['solana', self.elsewhereOnSolana(addresses)] as const] : [];
      return Object.fromEntries([...found, ...onSolana]);
    },
    /** The same of Solana, where Relay's depository has an account of its own. */
    elsewhereOnSolana(deposits: readonly string[]): bigint {
      const { ledger, usdc, roles, fixed, usdcOf, addressOf } = world.solana;
      const supply = mintOf(readAccount(ledger, usdc))?.supply ?? 0n;
      const deposited = tokenAccountOf(readAccount(ledger, depositoryVault(usdc)))?.amount ?? 0n;
      const holders = new Set([
        ...solanaPayers.keys(),
        ...PEOPLE.map(({ name }) => addressOf(name)),
        ...deposits.filter((address) => familyOf(address) === 'solana'),
        ...[solanaSolver(), roles.treasury.address, fixed.vault],
      ]);
      return [...holders].reduce((left, owner) => left - usdcOf(owner), supply - deposited);
    },
    async stop() {
      await bridges.close();
      await world.stop();
    },
  };
  return self;
}

/** What a candidate says in short: kind, and from where with how much arriving. */
export const shape = ({ kind, legs }: { kind: string; legs: { chain: string; via: string; arrives: string }[] }) => [
  kind,
  ...legs.map(({ chain, via, arrives }) => `${chain} ${via} ${arrives}`),
];

/**
 * The world of a test file. Before each case the bridges work and time has passed; after each, no one who takes no part has more or less USDC.
 * @param apart seconds between two cases
 */
export function aroundSmart(
  names: ChainName[],
  use: (smart: SmartWorld) => unknown,
  { apart = 61, solana = false }: { apart?: number; solana?: boolean } = {},
): void {
  let smart: SmartWorld;
  let before: Record<string, bigint>;
  beforeAll(async () => {
    smart = await startSmartWorld(names, { solana });
    await use(smart);
  });
  afterAll(() => smart.stop());
  beforeEach(async () => {
    await smart.later(apart);
    smart.bridges.faults.clear();
    before = await smart.elsewhere();
  });
  afterEach(async () => expect(await smart.elsewhere()).toEqual(before));
}
