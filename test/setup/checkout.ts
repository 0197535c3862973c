// The checkout in a world: a payer with a key who asks what to sign, signs it and submits it, and the workers that send it, step by step.

import {
  createPublicClient,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbiParameters,
  parseUnits,
  zeroHash,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { localKey } from '../../local/stack/people.ts';
import { rpcTransport } from '../../src/chain/rpc/transport.ts';
import { evmChains } from '../../src/context.ts';
import type { Row } from '../../src/db.ts';
import type { ChainName } from '../../src/domain/chains.ts';
import { indexChain } from '../../src/services/operations/feed.ts';
import { watchDeposits } from '../../src/services/orders/payments/sweeps.ts';
import { giveUsdc, sendAs } from './orders.ts';
import type { Answer, Visitor } from './visitor.ts';
import type { World } from './world.ts';

export type Checkout = ReturnType<typeof checkoutOf>;
type Signing = { payer: string; wish?: object };
type Call = { to: Hex; data: Hex; value: Hex };

export function checkoutOf(world: World, buyer: Visitor) {
  const rounds = new Map();
  const self = {
    /** Moves our clock and the chains'. */
    async later(seconds: number, ...names: ChainName[]) {
      world.later(seconds * 1_000);
      for (const name of names.length > 0 ? names : (Object.keys(evmChains(world.ctx)) as ChainName[])) {
        await world.admin(name).increaseTime({ seconds });
        await world.mine(1, name);
      }
    },
    /** Funds a wallet: whole units. */
    async fund(payer: string, amount: string, name: ChainName = 'base') {
      const { facts } = world.evmChain(name);
      await giveUsdc(world, localKey(payer).address, parseUnits(amount, facts.usdcDecimals), name);
      return localKey(payer).address;
    },
    prepare: (orderId: string, wish: object = {}) => buyer.post('/api/checkout', { order_id: orderId, ...wish }),
    submit: (orderId: string, body: object) => buyer.post(`/api/checkout/${orderId}/submit`, body),
    /** What a payer submits after signing. */
    async signed(orderId: string, { payer, wish = {} }: Signing): Promise<Record<string, unknown>> {
      const { key, address } = localKey(payer);
      const prepared = await self.prepare(orderId, { payer: address, ...wish });
      expect(prepared.body.error).toBeUndefined();
      return self.sign(prepared, key);
    },
    async sign(prepared: Answer, key: Hex): Promise<Record<string, unknown>> {
      const account = privateKeyToAccount(key);
      const { payment } = prepared.body;
      const signatures: Hex[] = [];
      for (const { typed_data } of payment.sign) signatures.push(await account.signTypedData(typed_data));
      return { ...payment.submit, signatures };
    },
    async pay(orderId: string, signing: Signing): Promise<Answer> {
      return self.submit(orderId, await self.signed(orderId, signing));
    },
    /** What the payer's wallet sends by itself. @returns the hash of the last call */
    async send(prepared: Answer, payer: string, name: ChainName = 'base'): Promise<Hex> {
      let hash: Hex = '0x';
      for (const { to, data, value } of prepared.body.payment.calls as Call[])
        hash = await sendAs(world, localKey(payer).key, { to, data, value: BigInt(value) }, name);
      return hash;
    },
    /** The workers, once. */
    async work(name: ChainName = 'base') {
      await world.send(name);
      await world.watch(name);
    },
    conclude: (name: ChainName = 'base') => world.watch(name),
    /** What was sent becomes final, and our rows see it. */
    async finish(name: ChainName = 'base') {
      await self.work(name);
      await world.mine(world.evmChain(name).confirmations, name);
      await world.watch(name);
      await self.conclude(name);
      await self.index(name);
    },
    /** Indexes final blocks; the first call only starts. */
    index: (name: ChainName = 'base') => indexChain(world.ctx, world.evmChain(name)),
    /** Takes an account's USDC away, past every rule of the token. */
    async drain(who: Hex, name: ChainName = 'base') {
      const slot = keccak256(encodeAbiParameters(parseAbiParameters('address, uint256'), [who, 9n]));
      await world.admin(name).setStorageAt({ address: world.evmChain(name).usdc, index: slot, value: zeroHash });
    },
    /** Sends what waits, and has the chain refuse it: between the look at it and its block the payer's money goes. */
    async refuse(payer: Hex) {
      await world.admin().setAutomine(false);
      await world.admin().setIntervalMining({ interval: 0 });
      await world.send();
      await self.drain(payer);
      await world.mine(1);
      await world.admin().setAutomine(true);
      await world.watch();
    },
    deposits: (name: ChainName = 'base') => watchDeposits(world.ctx, world.evmChain(name), rounds),
    row: (id: string): Promise<Row<'Order'>> => world.ctx.db.order.findUniqueOrThrow({ where: { id } }),
    submissions: (id: string) =>
      world.ctx.db.orderSubmission.findMany({ where: { orderId: id }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
    balance: (who: Hex, name: ChainName = 'base') =>
      createPublicClient({ transport: rpcTransport(world.anvilOf(name).rpcUrl), cacheTime: 0 }).getBalance({
        address: who,
      }),
  };
  return self;
}
