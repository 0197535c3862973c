// Plans that a workspace creates and people subscribe to, over the API.
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { mintUsdc } from '../../local/chains/deploy/usdc.ts';
import { signPrepared, walletOfPerson } from './signer.ts';
import { MONTH_S, type Subscriptions } from './subscriptions.ts';
import type { Visitor } from './visitor.ts';
import type { World } from './world.ts';

export const PLANS = '/api/subscriptions/plans';
export const MANAGE = '/api/subscriptions/manage';
export const SUBSCRIBE = '/api/subscriptions/subscribe';
export const WISH = { name: 'Coffee club', amount: '2.50', chain: 'base', period: MONTH_S };
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
export type Any = any;

export type Subscribing = ReturnType<typeof subscribingOf>;

/** @param shop the creator, signed in @param anyone whose browser it is */
export function subscribingOf(world: World, subs: Subscriptions, { shop, anyone }: { shop: Visitor; anyone: Visitor }) {
  async function staged(wish: object = {}): Promise<Any> {
    const answer = await shop.post(PLANS, { ...WISH, ...wish });
    expect(answer.status).toBe(201);
    return answer.body;
  }

  async function activePlan(wish: object = {}): Promise<Any> {
    const { plan, transaction } = await staged(wish);
    await subs.send('shop', transaction.to, transaction.data);
    await subs.settle();
    return plan;
  }

  /** Subscribes without gas; the row once it is final. */
  async function subscribed(plan: Any, name = 'alice', more: object = {}): Promise<Any> {
    const { call } = await signedSubscription(plan, walletOfPerson(name), more);
    expect(call.status).toBe(201);
    await subs.settle();
    return subs.row(name, { key: plan.planKey });
  }

  async function unsentSubscription(plan: Any, account: PrivateKeyAccount, more: object = {}) {
    const who = { plan: plan.id, subscriber: account.address, ...more };
    const { body: prepared, status } = await anyone.post(`${SUBSCRIBE}/prepare`, who);
    expect([status, prepared.closed]).toEqual([200, null]);
    const { permit, subscribe, submit } = prepared.gasless;
    const signature = await signPrepared({ typed_data: subscribe, submit }, account);
    const permitSignature = permit ? await signPrepared({ typed_data: permit, submit }, account) : undefined;
    const body = { ...who, ...submit, signature, ...(permitSignature ? { permit_signature: permitSignature } : {}) };
    return { prepared, body };
  }

  async function signedSubscription(plan: Any, account: PrivateKeyAccount, more: object = {}) {
    const { prepared, body } = await unsentSubscription(plan, account, more);
    return { prepared, body, call: await anyone.post(SUBSCRIBE, body) };
  }

  async function fresh(usdc: bigint): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey());
    if (usdc > 0n)
      await mintUsdc({
        rpcUrl: world.anvilOf().rpcUrl,
        usdc: world.evmChain().usdc,
        to: [account.address],
        amount: usdc,
      });
    await world.taken();
    return account;
  }

  /** What `POST /api/subscriptions/manage` is sent, signed. */
  async function signedManage(who: Visitor, name: string, what: object) {
    const { body, status } = await who.post(MANAGE, what);
    expect(status, JSON.stringify(body)).toBe(200);
    const signature = await signPrepared(body, walletOfPerson(name));
    return { what, body: { ...what, ...body.submit, signature } };
  }

  return { signedManage, staged, activePlan, subscribed, unsentSubscription, signedSubscription, fresh };
}
