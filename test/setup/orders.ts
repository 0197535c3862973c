// Orders in a world: rows with frozen terms, put there without the service that makes them, and payers who pay them by each way.
import { randomBytes } from 'node:crypto';
import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  type Hex,
  maxUint256,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { mintUsdc } from '../../local/chains/deploy/usdc.ts';
import { localKey } from '../../local/stack/people.ts';
import {
  depositAddress,
  encodePayment,
  encodeSweep,
  type OrderMeans,
  orderHash,
  orderIdHash,
} from '../../src/chain/routers/payment.ts';
import type { Address } from '../../src/chain/rpc/client.ts';
import { waitForReceipt } from '../../src/chain/rpc/receipts.ts';
import { rpcTransport } from '../../src/chain/rpc/transport.ts';
import { permitOf } from '../../src/chain/signing/authorizations.ts';
import { permitNonce } from '../../src/chain/signing/permits.ts';
import type { Row } from '../../src/db.ts';
import type { ChainName } from '../../src/domain/chains.ts';
import { formatId } from '../../src/domain/ids.ts';
import { orderFee } from '../../src/domain/order.ts';
import { type OrderRouter, orderData, orderStruct, type RouterOrderTerms } from '../../src/domain/typedData/orders.ts';
import { authorizationData, permit2WitnessData } from '../../src/domain/typedData/tokens.ts';
import { permitData, type TypedData } from '../../src/domain/typedData.ts';
import { localPerson, type World } from './world.ts';

/** `native` is `direct` of an order in the native asset; `sweep` pays to the deposit address and has another wallet sweep it. */
export type PayWay = 'direct' | 'native' | 'allowance' | 'eip2612' | 'eip3009' | 'permit2' | 'sweep';

export type OrderWishes = Partial<Row<'Order'>> & {
  /** Whose workspace it is and who is paid; "shop" is a business. */
  merchant?: string;
};

/** Sends for a payer who only signs. */
const RELAYER = localKey('relayer');

/** The terms of an order as its row froze them. */
export function termsOf(order: Row<'Order'>): RouterOrderTerms {
  return {
    orderId: order.onChainId as Hex,
    payee: order.payee as Address,
    token: order.token as Address,
    amount: BigInt(order.units.toFixed(0)),
    fee: BigInt(order.feeUnits.toFixed(0)),
    deadline: order.deadline,
  };
}

/** Inserts an order that waits for its payment: 1 USDC, an hour, unless wished otherwise. */
export async function orderRow(world: World, { merchant = 'bob', ...wishes }: OrderWishes = {}): Promise<Row<'Order'>> {
  const { ctx } = world;
  const chain = world.evmChain((wishes.chain ?? 'base') as ChainName);
  const person = localPerson(merchant);
  const { id: handleId } = await ctx.db.handle.findUniqueOrThrow({ where: { slug: merchant } });
  const router = (wishes.router ?? (person.kind === 'business' ? 'business' : 'payment')) as OrderRouter;
  const token = wishes.token ?? chain.usdc;
  const native = token === zeroAddress;
  // The id is drawn when the order is created, and lists rely on it.
  const at = wishes.createdAt === undefined ? ctx.clock.now() : new Date(wishes.createdAt).getTime();
  const id = wishes.id ?? formatId('ord', at, randomBytes(10));
  const units = String(wishes.units ?? 10n ** BigInt(chain.facts.usdcDecimals));
  const { timestamp } = await world.reader(chain.name).getBlock();
  return ctx.db.order.create({
    data: {
      id,
      handleId,
      recipientId: handleId,
      livemode: false,
      origin: 'dashboard',
      status: 'awaiting_payment',
      description: null,
      currency: native ? chain.facts.native : 'USDC',
      chain: chain.name,
      router,
      routerAddress: chain.routers[router],
      token,
      decimals: native ? chain.facts.nativeDecimals : chain.facts.usdcDecimals,
      payee: person.address,
      feeUnits: String(orderFee(router, BigInt(units))),
      deadline: timestamp + 3_600n,
      onChainId: orderIdHash(id),
      createdAt: new Date(at),
      ...(wishes as object),
      units,
    },
  });
}

/** An order whose deposit address was shown to a payer. */
export async function depositOrder(world: World, wishes: OrderWishes = {}): Promise<Row<'Order'> & { at: Address }> {
  const order = await orderRow(world, wishes);
  const at = depositAddress(world.evmChain(order.chain as ChainName), order.router as OrderRouter, termsOf(order));
  const shown = { depositAddress: at, depositShownAt: new Date(world.ctx.clock.now()) };
  return { ...(await world.ctx.db.order.update({ where: { id: order.id }, data: shown })), at };
}

/** A transaction of a key that gets gas for it, and is in a block when this ends, unless nothing mines it. */
export async function sendAs(
  world: World,
  key: Hex,
  { unmined = false, ...call }: { to: Address; data?: Hex; value?: bigint; unmined?: boolean },
  name: ChainName = 'base',
): Promise<Hash> {
  const account = privateKeyToAccount(key);
  const { rpcUrl } = world.anvilOf(name);
  const reader = world.reader(name);
  if ((await reader.getBalance({ address: account.address })) < 10n ** 18n + (call.value ?? 0n))
    await world.admin(name).setBalance({ address: account.address, value: 10n ** 20n + (call.value ?? 0n) });
  const wallet = createWalletClient({ account, transport: rpcTransport(rpcUrl) });
  const hash = await wallet.sendTransaction({ ...call, chain: null, gas: 600_000n });
  if (!unmined)
    await waitForReceipt(createPublicClient({ transport: rpcTransport(rpcUrl), pollingInterval: 10 }), hash);
  return hash;
}

export async function giveUsdc(world: World, to: Address, amount: bigint, name: ChainName = 'base'): Promise<void> {
  const { usdc } = world.evmChain(name);
  await mintUsdc({ rpcUrl: world.anvilOf(name).rpcUrl, usdc, to: [to], amount });
}

/**
 * Pays an order for real, in the newest block: it is final some blocks later (`world.mine(3)`).
 * @param payer a person, or any name: it is given money
 * @param terms other terms than the order's own, for payments that must not count
 * @returns the transaction that settles it
 */
export async function payOrder(
  world: World,
  order: Row<'Order'>,
  payer: string,
  way: PayWay = 'direct',
  terms: RouterOrderTerms = termsOf(order),
): Promise<Hash> {
  const name = order.chain as ChainName;
  const chain = world.evmChain(name);
  const { key, address } = localKey(payer);
  const router = order.router as OrderRouter;
  const to = chain.routers[router];
  if (way === 'native')
    return sendAs(
      world,
      key,
      { to, data: encodePayment(terms, address, { way: 'direct' }), value: terms.amount },
      name,
    );
  await giveUsdc(world, address, terms.amount, name);
  if (way === 'sweep') {
    await sendToken(world, key, chain.usdc, depositAddress(chain, router, terms), terms.amount, name);
    return sendAs(world, RELAYER.key, { to, data: encodeSweep(terms) }, name);
  }
  const means = await signedMeans(world, order, payer, way, terms);
  const sender = way === 'direct' ? key : RELAYER.key;
  return sendAs(world, sender, { to, data: encodePayment(terms, address, means) }, name);
}

export function sendToken(world: World, key: Hex, token: Address, to: Address, amount: bigint, name?: ChainName) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });
  return sendAs(world, key, { to: token, data }, name);
}

/** What the payer signs, with the allowance that it needs. */
export async function signedMeans(
  world: World,
  order: Row<'Order'>,
  payer: string,
  way: Exclude<PayWay, 'native' | 'sweep'>,
  terms: RouterOrderTerms = termsOf(order),
): Promise<OrderMeans> {
  const name = order.chain as ChainName;
  const chain = world.evmChain(name);
  const { chainId, usdcDomain } = chain.facts;
  const { key, address } = localKey(payer);
  const router = order.router as OrderRouter;
  const to = chain.routers[router];
  const domain = usdcDomain ?? { name: 'USD Coin', version: '2' };
  const sign = (data: TypedData) => privateKeyToAccount(key).signTypedData(data as never);
  const allow = async (spender: Address) => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] });
    await sendAs(world, key, { to: chain.usdc, data }, name);
  };
  const signedOrder = () => sign(orderData(router, { chainId, contract: to }, terms, address));
  const { deadline } = terms;
  switch (way) {
    case 'direct':
      await allow(to);
      return { way };
    case 'allowance':
      await allow(to);
      return { way, orderSignature: await signedOrder() };
    case 'eip2612': {
      const permit = { value: terms.amount, deadline };
      const data = permitData({
        chainId,
        token: chain.usdc,
        tokenDomain: domain,
        owner: address,
        spender: to,
        value: permit.value,
        nonce: await permitNonce(chain, address),
        deadline: Number(deadline),
      });
      return { way, permit: permitOf(permit, await sign(data)), orderSignature: await signedOrder() };
    }
    case 'eip3009': {
      const window = { validAfter: 0n, validBefore: deadline };
      const call = { ...window, from: address, to, value: terms.amount, nonce: orderHash(terms, address) };
      const signature = await sign(authorizationData({ chainId, contract: chain.usdc }, domain, call));
      return { way, authorization: { ...window, signature } };
    }
    case 'permit2': {
      await allow(chain.permit2);
      const permit = { nonce: BigInt(orderHash(terms, address)), deadline };
      const data = permit2WitnessData(
        { chainId, contract: chain.permit2 },
        { ...permit, token: chain.usdc, amount: terms.amount, spender: to },
        orderStruct(terms, address),
      );
      return { way, permit: { ...permit, signature: await sign(data) } };
    }
  }
}
