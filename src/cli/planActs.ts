// What the people of the local stack do with plans: create one, subscribe to it without gas, change a subscription by a signature, and let time pass.
import { callClock } from './localClock.ts';
import { type LocalWalletCall, sendAs, signAs, type WalletTypedData } from './playWallet.ts';
import { notYet, type TriggerContext, waitFor } from './scene.ts';

export type Plan = {
  id: string;
  planKey: string;
  name: string;
  amount: string;
  currency: string;
  chain: string;
  period: number;
  status: string;
};
export type Subscription = { id: string; status: string; chargesPaid: number };
type Staged = { plan: Plan; transaction: LocalWalletCall | null };
type Prepared = {
  gasless: {
    permit: WalletTypedData | null;
    subscribe: WalletTypedData;
    submit: { nonce: string; deadline: number; permit: object | null; trial: boolean };
  } | null;
};
type Call = { id: string; status: string; failure: string | null };

const MONTH_S = 30 * 86_400;
/** Fields of a plan that are numbers. */
const COUNTS = new Set(['period', 'trial_days']);

/** The account's plan, active. */
export async function createPlan(scene: TriggerContext): Promise<Plan> {
  const { account, fields, tell } = scene;
  const given = Object.entries(fields).map(([name, value]) => [name, COUNTS.has(name) ? Number(value) : value]);
  const input = { name: 'Coffee club', amount: '5.00', chain: 'base', period: MONTH_S, ...Object.fromEntries(given) };
  const { plan, transaction } = await account.call<Staged>('POST', '/api/subscriptions/plans', input);
  if (!transaction)
    throw new Error(`Plans on ${plan.chain} are created on the pages: ${plan.id} waits there for its signature.`);
  const txHash = await sendAs(scene, account, { ...transaction, value: '0' });
  tell(`${account.name}’s wallet created the plan “${plan.name}”, ${plan.amount} ${plan.currency}: ${txHash}`);
  const body = { action: 'confirm_create', planKey: plan.planKey, txHash };
  const active = await waitFor(scene, 'The proof of the plan', async () => {
    const answer = await account
      .call<{ plan: Plan }>('POST', `/api/subscriptions/plans/${plan.id}`, body)
      .catch(notYet);
    return answer?.plan.status === 'active' ? answer.plan : null;
  });
  tell(`plan active: ${active.id}`);
  return active;
}

/** The other one subscribes with two signatures. */
export async function subscribe(scene: TriggerContext, plan: Plan): Promise<Subscription> {
  const { other, tell } = scene;
  const who = { plan: plan.id, subscriber: other.address };
  const path = '/api/subscriptions/subscribe';
  const { gasless } = await other.call<Prepared>('POST', `${path}/prepare`, who);
  if (!gasless) throw new Error(`${other.name}’s wallet cannot subscribe without gas`);
  const chainId = Number(gasless.subscribe.domain.chainId);
  const permit = gasless.permit && (await signAs(other, chainId, gasless.permit));
  const signature = await signAs(other, chainId, gasless.subscribe);
  const body = { ...who, ...gasless.submit, signature, ...(permit ? { permit_signature: permit } : {}) };
  const { request } = await other.call<{ request: Call }>('POST', path, body);
  tell(`${other.name} subscribed with two signatures`);
  const query = new URLSearchParams(who);
  const subscription = await waitFor(scene, 'The subscription', async () => {
    const now = await other.call<{ request: Call; subscription: Subscription | null }>(
      'GET',
      `${path}/${request.id}?${query}`,
    );
    if (now.request.failure !== null) throw new Error(now.request.failure);
    return now.subscription;
  });
  tell(`subscription active: ${subscription.id}`);
  return subscription;
}

/** A change that the subscriber signs. */
export async function manage({ other }: TriggerContext, what: object): Promise<void> {
  type Step = { typed_data: WalletTypedData; submit: object };
  const { typed_data: data, submit } = await other.call<Step>('POST', '/api/subscriptions/manage', what);
  const signature = await signAs(other, Number(data.domain.chainId), data);
  await other.call('POST', '/api/subscriptions/manage', { ...what, ...submit, signature });
}

export async function advance({ people, account, tell }: TriggerContext, seconds: number): Promise<void> {
  const { now } = await callClock(people, account.name, `${Math.ceil(seconds / 60)}m`);
  tell(`the clock shows ${now.slice(0, 16).replace('T', ' ')} UTC`);
}
