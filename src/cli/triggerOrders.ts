// What causes the events of an order: its merchant’s key creates it, a buyer pays it as on the checkout page, the merchant’s wallet refunds it.
import type { CreateOrderParams, Order } from '../../sdk/index.ts';
import { findChain } from '../domain/chains.ts';
import { StartError } from '../domain/errors.ts';
import type { OrderEvent } from '../domain/events.ts';
import { type LocalPerson, ownerOf } from './localPeople.ts';
import { stepTeller } from './paymentSteps.ts';
import { type LocalWalletCall, sendAs, signAs, signWholeAs, type WalletTypedData } from './playWallet.ts';
import { payeeOf, sendRefund } from './refund.ts';
import { type Trigger, type TriggerContext, waitFor } from './scene.ts';

type Prepared = {
  chain: { chain_id: number };
  too_little: { balance: string; needed: string; currency: string } | null;
  payment:
    | { gasless: true; way: string; sign: { typed_data: WalletTypedData }[]; submit: object }
    | { gasless: true; way: string; transaction: { solana_transaction: string }; submit: { payer: string } }
    | { gasless: false; calls: (LocalWalletCall & { kind: 'approve' | 'pay' })[] }
    | null;
};
type Progress = { order: Order; progress: { step: string; tx_hash: string | null; failure: string | null } };

/** The minimum of the API, in seconds. */
const SHORTEST_LIFE_S = 60;
/** An order expires once blocks have passed its deadline, and were read. */
const EXPIRY_GRACE_MS = 120_000;

export const ORDER_CAUSES: Record<OrderEvent, Trigger> = {
  'order.created': {
    about: 'Creates an order',
    run: async (scene) => (await create(scene)).id,
  },
  'order.completed': {
    about: 'Creates an order and pays it',
    async run(scene) {
      const order = await create(scene);
      await pay(scene, order);
      return order.id;
    },
  },
  'order.cancelled': {
    about: 'Creates an order and cancels it',
    async run(scene) {
      const order = await create(scene);
      await scene.api.orders.cancel(order.id);
      scene.tell(`${scene.account.name} cancelled it`);
      return order.id;
    },
  },
  'order.expired': {
    about: 'Creates an order that expires after one minute and waits',
    async run(scene) {
      const order = await create(scene, { expires_in: SHORTEST_LIFE_S });
      await expire(scene, order);
      return order.id;
    },
  },
  'order.refunded': {
    about: 'Creates an order, pays it and refunds it in full',
    async run(scene) {
      const order = await create(scene);
      await pay(scene, order);
      await refund(scene, order);
      return order.id;
    },
  },
};

async function create({ api, account, fields, tell }: TriggerContext, more: object = {}): Promise<Order> {
  const { currency = 'USDC' } = fields;
  // A chain's own coin is worth more than a dollar.
  const amount = currency === 'USDC' ? '25.00' : '0.01';
  const order = await api.orders.create({ amount, currency, chain: 'base', ...more, ...fields } as CreateOrderParams);
  tell(`${account.name} created an order of ${order.amount} ${order.currency} on ${order.chain}: ${order.id}`);
  return order;
}

async function pay(scene: TriggerContext, order: Order): Promise<void> {
  const { other: payer, tell } = scene;
  const ask = { order_id: order.id, payer: addressOn(payer, order.chain) };
  const { payment, chain, too_little: short } = await payer.call<Prepared>('POST', '/api/checkout', ask);
  if (short)
    throw new StartError(
      `${payer.name} has ${short.balance} ${short.currency} on ${order.chain} but needs ${short.needed}. Set a smaller amount.`,
    );
  if (!payment) throw new StartError(`${payer.name}’s wallet can’t pay this order.`);
  const path = `/api/checkout/${order.id}`;
  if ('transaction' in payment) {
    const { submit, transaction } = payment;
    const solana_transaction = await signWholeAs(payer, submit.payer, transaction.solana_transaction);
    await payer.call('POST', `${path}/submit`, { ...submit, solana_transaction });
    tell(`${payer.name} signed and pays no network fee (${payment.way})`);
  } else if (payment.gasless) {
    const signatures: string[] = [];
    for (const { typed_data } of payment.sign) signatures.push(await signAs(payer, chain.chain_id, typed_data));
    await payer.call('POST', `${path}/submit`, { ...payment.submit, signatures });
    tell(`${payer.name} signed and pays no network fee (${payment.way})`);
  } else {
    for (const { kind, ...call } of payment.calls) {
      const tx_hash = await sendAs(scene, payer, call);
      tell(`${payer.name} sent ${kind === 'pay' ? 'the payment' : 'an approval'}: ${tx_hash}`);
      if (kind === 'pay') await payer.call('POST', `${path}/submit`, { tx_hash });
    }
  }
  await follow(scene, path);
}

function addressOn({ name, address, solanaAddress }: LocalPerson, chain: string): string {
  if (findChain(chain)?.family !== 'solana') return address;
  if (solanaAddress !== null) return solanaAddress;
  throw new StartError(`${name} has no Solana wallet: the local stack runs without Solana.`);
}

/** Tells the steps of a payment as its checkout page shows them, until the order is completed. */
async function follow({ tell, ...scene }: TriggerContext, path: string): Promise<void> {
  const tellStep = stepTeller(tell);
  await waitFor(scene, 'The payment', async () => {
    const { order, progress } = await scene.other.call<Progress>('GET', path);
    if (progress.failure) throw new StartError(`The payment failed: ${progress.failure}.`);
    if (order.status === 'completed') {
      tell(`completed by ${progress.tx_hash}`);
      return true;
    }
    tellStep(progress.step);
    return null;
  });
}

async function expire(scene: TriggerContext, order: Order): Promise<void> {
  const lifeMs = Date.parse(order.expires_at) - Date.parse(order.created_at);
  scene.tell(`waiting ${Math.round(lifeMs / 1_000)} s until it expires, and for the block after it`);
  await waitFor(
    scene,
    'The expiry of the order',
    async () => ((await scene.api.orders.get(order.id)).status === 'expired' ? true : null),
    lifeMs + EXPIRY_GRACE_MS,
  );
  scene.tell('it expired without a payment');
}

async function refund(scene: TriggerContext, { id }: Order): Promise<void> {
  const wanted = await scene.api.orders.refund(id, {}, { signal: scene.signal });
  // A business may be paid to another wallet than its handle’s own.
  const paidTo = payeeOf(wanted);
  const wallet = ownerOf(scene.people, paidTo);
  if (!wallet)
    throw new StartError(`The order was paid to ${paidTo}, which is not a play wallet. Refund it from that wallet.`);
  await sendRefund(scene, wallet, wanted);
}
