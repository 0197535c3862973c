// Chains of both families behind one set of verbs, so that one test tells orders on each of them: payers sign and send, the merchant refunds, the workers
// go round until everything is final.
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { localKey } from '../../local/stack/people.ts';
import type { ChainName } from '../../src/domain/chains.ts';
import { noteDeposits } from '../../src/services/orders/indexing/deposits.ts';
import { watchDeposits } from '../../src/services/orders/payments/sweeps.ts';
import { reconcileChain } from '../../src/services/outgoing/reconcile.ts';
import { checkoutOf } from './checkout.ts';
import { giveUsdc, sendAs, sendToken } from './orders.ts';
import { signTransaction, walletOfPerson } from './signer.ts';
import { FINALIZED_AFTER, startSolanaTabs } from './solanaTabs.ts';
import { transferUsdc } from './solanaTransfers.ts';
import { serveWorld, visitor } from './visitor.ts';
import { localPerson, startWorld } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Body = any;

export const PLACES = ['base', 'bsc', 'solana'] as const;
export type PlaceName = (typeof PLACES)[number];

export type OrderPlace = {
  chain: PlaceName;
  /** Smallest units of a USDC amount in decimals. */
  units(amount: string): bigint;
  addressOf(name: string): string;
  /** More USDC for a wallet, and the little of the native asset that wallets have. */
  fund(name: string, amount: string): Promise<void>;
  usdcOf(name: string): Promise<bigint>;
  /** Takes all USDC of a payer away. */
  drain(name: string): Promise<void>;
  /** What the payer's wallet signs for an order, to submit. */
  sign(order: Body, name: string): Promise<Record<string, unknown>>;
  /** A transfer from a wallet to an order's own address. */
  transfer(to: string, name: string, amount: string): Promise<void>;
  /** One look at addresses that were handed out. */
  look(): Promise<void>;
  /** The executor's turn: everything that is queued is sent. */
  send(): Promise<void>;
  /** Looks, sends, and follows all of it to final blocks, twice: what a deposit brought is swept and indexed. */
  work(): Promise<void>;
  /** The merchant does what `POST path` prepared, from its own wallet or by a transaction that it signs. @returns a hash that the chain knows */
  carryOut(path: string, prepared: Body, more?: object): Promise<string>;
  later(seconds: number): Promise<void>;
};

/** A shop that sells on every chain, a buyer, and an API for both. */
export async function startOrderPlaces() {
  const world = await startWorld({ chains: ['base', 'bsc'] });
  const tabs = await startSolanaTabs(world);
  await tabs.walletOf('shop');
  await reconcileChain(world.ctx, tabs.chain);
  const base = await serveWorld(world);
  const [shop, buyer] = [visitor(base), visitor(base)];
  await shop.signIn(walletOfPerson('shop'));
  const checkout = checkoutOf(world, buyer);

  const later = async (seconds: number) => {
    await checkout.later(seconds);
    tabs.solana.later(seconds * 1_000);
    tabs.solana.step(FINALIZED_AFTER + 1);
  };

  const prepared = async ({ id }: Body, payer: string): Promise<Body> => {
    const { body } = await buyer.post('/api/checkout', { order_id: id, payer });
    if (body.error) throw new Error(body.error.message);
    return body;
  };

  function evm(chain: ChainName & PlaceName): OrderPlace {
    const { usdc, facts, confirmations, permit2 } = world.evmChain(chain);
    const units = (amount: string) => parseUnits(amount, facts.usdcDecimals);
    const keyOf = (name: string) => (name === 'shop' ? localPerson('shop') : localKey(name));
    const look = async () => void (await checkout.deposits(chain));
    const place: OrderPlace = {
      chain,
      units,
      addressOf: (name) => keyOf(name).address,
      async fund(name, amount) {
        const { key, address } = keyOf(name);
        await giveUsdc(world, address, units(amount), chain);
        // What lets it sign on a chain whose USDC knows no signatures.
        const args = [permit2, units(amount)] as const;
        await sendAs(
          world,
          key,
          { to: usdc, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }) },
          chain,
        );
      },
      usdcOf: (name) =>
        name === 'treasury'
          ? world.usdc('treasury', chain)
          : world.reader(chain).readContract({
              address: usdc,
              abi: erc20Abi,
              functionName: 'balanceOf',
              args: [keyOf(name).address],
            }),
      async drain(name) {
        await sendToken(
          world,
          keyOf(name).key,
          usdc,
          localKey('whom it went to').address,
          await place.usdcOf(name),
          chain,
        );
      },
      async sign(order, name) {
        const { address, key } = localKey(name);
        const body = await prepared(order, address);
        return checkout.sign({ body } as never, key);
      },
      transfer: async (to, name, amount) =>
        void (await sendToken(world, localKey(name).key, usdc, to as `0x${string}`, units(amount), chain)),
      look,
      send: () => world.send(chain),
      async work() {
        for (let round = 0; round < 2; round++) {
          await look();
          await checkout.finish(chain);
        }
      },
      async carryOut(_path, given) {
        const { key } = localPerson('shop');
        if (given.approval) await sendAs(world, key, { to: usdc, data: given.approval.data }, chain);
        const hash = await sendAs(world, key, { to: given.to, data: given.data, value: BigInt(given.value) }, chain);
        await world.mine(confirmations, chain);
        await checkout.index(chain);
        return hash;
      },
      later,
    };
    return place;
  }

  const watch = async () => {
    await watchDeposits(world.ctx, tabs.chain, new Map());
    await noteDeposits(world.ctx, tabs.chain, { ended: true });
  };
  const solana: OrderPlace = {
    chain: 'solana',
    units: (amount) => parseUnits(amount, 6),
    addressOf: (name) => (name === 'treasury' ? tabs.solana.roles.treasury.address : localSolanaKey(name).address),
    async fund(name, amount) {
      tabs.solana.person(name, { lamports: 10_000_000n, usdc: parseUnits(amount, 6) });
      tabs.solana.step(3);
    },
    usdcOf: async (name) => tabs.solana.usdcOf(solana.addressOf(name)),
    async drain(name) {
      const held = tabs.solana.usdcOf(localSolanaKey(name).address);
      transferUsdc(tabs.solana, name, localSolanaKey('whom it went to').address, held);
      tabs.solana.step(3);
    },
    async sign(order, name) {
      const key = localSolanaKey(name);
      const { payment } = await prepared(order, key.address);
      return { ...payment.submit, solana_transaction: signTransaction(key, payment.transaction.solana_transaction) };
    },
    async transfer(to, name, amount) {
      transferUsdc(tabs.solana, name, to, parseUnits(amount, 6));
      tabs.solana.step(FINALIZED_AFTER + 3);
    },
    look: watch,
    send: () => tabs.send(),
    async work() {
      for (let round = 0; round < 2; round++) {
        tabs.solana.step(FINALIZED_AFTER + 3);
        await watch();
        await tabs.send();
        await tabs.settle();
      }
      await watch();
    },
    async carryOut(path, given, more = {}) {
      const solana_transaction = signTransaction(localSolanaKey('shop'), given.solana_transaction);
      const { body } = await shop.post(path, { ...given.submit, ...more, solana_transaction });
      if (body.error) throw new Error(body.error.message);
      await tabs.send();
      await tabs.settle();
      await watch();
      return (await tabs.calls()).at(-1)?.attempts[0]?.hash ?? '';
    },
    later,
  };

  await checkout.index('base');
  await checkout.index('bsc');
  const places: Record<PlaceName, OrderPlace> = { base: evm('base'), bsc: evm('bsc'), solana };
  return {
    world,
    shop,
    buyer,
    places,
    async stop() {
      await tabs.stop();
      await world.stop();
    },
  };
}
