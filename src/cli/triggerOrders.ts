// What causes the events of an order: its merchant's key makes it, somebody pays it as on the checkout page, the merchant's wallet refunds it.
import type { CreateOrderParams, Order } from '../../sdk/index.ts';
import { StartError } from '../domain/errors.ts';
import { ownerOf } from './localPeople.ts';
import { sendAs, signAs, type TypedData, type WalletCall } from './playWallet.ts';
import { type Cause, notYet, type Scene, waitFor } from './scene.ts';

type Prepared = {
  chain: { chain_id: number };
  too_little: { balance: string; needed: string; currency: string } | null;
  payment:
    | { gasless: true; way: string; sign: { typed_data: TypedData }[]; submit: object }
    | { gasless: false; calls: (WalletCall & { kind: 'approve' | 'pay' })[] }
    | null;
};
type Progress = { order: Order; progress: { step: string; tx_hash: string | null; failure: string | null } };
type Refund = WalletCall & { amount: string; currency: string; from: string; approval: WalletCall | null };

/** The least that the API takes: seconds. */
const SHORTEST_LIFE_S = 60;
/** An order expires once blocks have passed its deadline, and were read. */
const EXPIRY_GRACE_MS = 120_000;

export const ORDER_CAUSES: { [type: string]: Cause } = {
  'order.created': {
    about: 'makes an order',
    run: async (scene) => (await make(scene)).id,
  },
  'order.completed': {
    about: 'makes an order and pays it',
    async run(scene) {
      const order = await make(scene);
      await pay(scene, order);
      return order.id;
    },
  },
  'order.cancelled': {
    about: 'makes an order and cancels it',
    async run(scene) {
      const order = await make(scene);
      await scene.api.orders.cancel(order.id);
      scene.tell(`${scene.account.name} cancelled it`);
      return order.id;
    },
  },
  'order.expired': {
    about: 'makes an order of the shortest life, one minute, and waits for its end',
    async run(scene) {
      const order = await make(scene, { expires_in: SHORTEST_LIFE_S });
      await expire(scene, order);
      return order.id;
    },
  },
  'order.refunded': {
    about: 'makes an order, pays it, and refunds all of it',
    async run(scene) {
      const order = await make(scene);
      await pay(scene, order);
      await refund(scene, order);
      return order.id;
    },
  },
};

async function make({ api, account, fields, tell }: Scene, more: object = {}): Promise<Order> {
  const { currency = 'USDC' } = fields;
  // A chain's own coin is worth more than a dollar.
  const amount = currency === 'USDC' ? '25.00' : '0.01';
  const order = await api.orders.create({ amount, currency, chain: 'base', ...more, ...fields } as CreateOrderParams);
  tell(`${account.name} asks for ${order.amount} ${order.currency} on ${order.chain}: ${order.id}`);
  return order;
}

async function pay(scene: Scene, order: Order): Promise<void> {
  const { other: payer, tell } = scene;
  const ask = { order_id: order.id, payer: payer.address };
  const { payment, chain, too_little: short } = await payer.call<Prepared>('POST', '/api/checkout', ask);
  if (short)
    throw new StartError(
      `${payer.name} has ${short.balance} ${short.currency} on ${order.chain}; this needs ${short.needed}. Set a smaller amount.`,
    );
  if (!payment) throw new StartError(`${payer.name}’s wallet cannot pay this order.`);
  const path = `/api/checkout/${order.id}`;
  if (payment.gasless) {
    const signatures: string[] = [];
    for (const { typed_data } of payment.sign) signatures.push(await signAs(payer, chain.chain_id, typed_data));
    await payer.call('POST', `${path}/submit`, { ...payment.submit, signatures });
    tell(`${payer.name} signed, and pays no gas (${payment.way})`);
  } else {
    for (const { kind, ...call } of payment.calls) {
      const tx_hash = await sendAs(scene, payer, call);
      tell(`${payer.name} sent ${kind === 'pay' ? 'the payment' : 'an approval'}: ${tx_hash}`);
      if (kind === 'pay') await payer.call('POST', `${path}/submit`, { tx_hash });
    }
  }
  await follow(scene, path);
}

const STEP_WORDS: { [step: string]: string } = {
  submitted: 'the payment is on its way',
  confirming: 'it is in a block, waiting for more',
};

/** Tells the steps of a payment as its checkout page shows them, until the order is completed. */
async function follow({ tell, ...scene }: Scene, path: string): Promise<void> {
  let last = '';
  await waitFor(scene, 'The payment', async () => {
    const { order, progress } = await scene.other.call<Progress>('GET', path);
    if (progress.failure) throw new StartError(`The payment did not work: ${progress.failure}.`);
    if (order.status === 'completed') {
      tell(`completed by ${progress.tx_hash}`);
      return true;
    }
    const words = STEP_WORDS[progress.step];
    if (words && progress.step !== last) tell(words);
    last = progress.step;
    return null;
  });
}

async function expire(scene: Scene, order: Order): Promise<void> {
  const lifeMs = Date.parse(order.expires_at) - Date.parse(order.created_at);
  scene.tell(`waiting until ${order.expires_at}, in ${Math.round(lifeMs / 1_000)} s, and for the block after it`);
  await waitFor(
    scene,
    'The end of the order',
    async () => ((await scene.api.orders.get(order.id)).status === 'expired' ? true : null),
    lifeMs + EXPIRY_GRACE_MS,
  );
  scene.tell('nobody paid it in time');
}

/** As the dashboard has the merchant's wallet do it. */
async function refund(scene: Scene, { id }: Order): Promise<void> {
  const { account, people, tell } = scene;
  const path = `/api/orders/${id}/refund`;
  const { refund: call } = await account.call<{ refund: Refund }>('POST', path, {});
  // A business may be paid to another wallet than its handle's own.
  const wallet = ownerOf(people, call.from);
  if (!wallet)
    throw new StartError(`The order was paid to ${call.from}, which is no play wallet, so nothing here can refund it.`);
  if (call.approval) await sendAs(scene, wallet, call.approval);
  const txHash = await sendAs(scene, wallet, call);
  tell(`${wallet.name}’s wallet sent ${call.amount} ${call.currency} back: ${txHash}`);
  await waitFor(scene, 'The proof of the refund', () =>
    account.call<object>('POST', path, { action: 'confirm', txHash }).catch(notYet),
  );
}
