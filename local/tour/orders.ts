// A shop is paid: by an order of its program and a signature, through a link whose sum the buyer types, and by an ordinary transfer after a word in
// a chat. Everything goes through the same addresses as in a browser or in another program.
import { type Address, createWalletClient, erc20Abi, http, parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { waitForReceipt } from '../../src/chain/rpc/receipts.ts';
import { openLocalChain } from '../chains/deploy/send.ts';
import { PEOPLE, type Person } from '../stack/people.ts';
import { answered } from './chat.ts';
import { moved, readLedger } from './ledger.ts';
import { check, type Tour, until } from './tour.ts';

export type Order = { id: string; status: string; checkout_url: string; amount_received: string; payer: string | null };
type TypedData = { types: Record<string, unknown>; [part: string]: unknown };
type Sign = { name: string; typed_data: TypedData };
type Prepared = {
  payment: { way: string; gasless: boolean; sign?: Sign[]; submit: object | null } | null;
  deposit: { address: Address; units: string } | null;
};

export const named = (name: string): Person => {
  const person = PEOPLE.find((one) => one.name === name);
  check(person !== undefined, `the stack knows ${name}`);
  return person;
};

/** A program of the shop, with its key. */
export function till({ local }: Pick<Tour, 'local'>) {
  const key = local.accounts['shop']?.api_key;
  check(typeof key === 'string' && key.startsWith('sk_test_'), 'the shop has a test key');
  return async <T>(path: string, body?: object): Promise<T> =>
    ask<T>(`${local.base_url}/v1${path}`, body, { authorization: `Bearer ${key}` });
}

export async function ask<T>(url: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
  const post = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const given = { ...headers, ...(body ? { 'content-type': 'application/json', origin: new URL(url).origin } : {}) };
  const response = await fetch(url, { ...post, headers: given, signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** What the checkout page and a wallet do together: ask what to sign, sign it, hand it in. @returns how it was paid */
export async function sign({ local }: Pick<Tour, 'local'>, orderId: string, who: Person): Promise<string> {
  const checkout = `${local.checkout_base}/api/checkout`;
  const { payment } = await ask<Prepared>(checkout, { order_id: orderId, payer: who.address });
  check(payment?.gasless === true && payment.submit !== null, 'the checkout offers a way without gas');
  const signatures: string[] = [];
  for (const { typed_data } of payment.sign ?? []) signatures.push(await signed(who, typed_data));
  await ask(`${checkout}/${orderId}/submit`, { ...payment.submit, signatures });
  return payment.way;
}

/** What a wallet makes of typed data. */
export function signed({ key }: Person, { types, ...data }: TypedData): Promise<string> {
  const { EIP712Domain: _, ...named } = types;
  return privateKeyToAccount(key).signTypedData({ ...data, types: named } as never);
}

export async function orders(tour: Tour): Promise<void> {
  await byProgram(tour);
  await byLink(tour);
  await byChat(tour);
}

async function byProgram(tour: Tour): Promise<void> {
  const shop = till(tour);
  const alice = named('alice');
  const wish = { amount: '25.00', currency: 'USDC', chain: 'base', metadata: { table: '7' } };
  const order = await shop<Order>('/orders', wish);
  check(order.status === 'awaiting_payment', `the order waits for its payment: ${order.status}`);
  const [before, nonce] = [await readLedger(tour), await sentBy(tour, alice)];
  const way = await sign(tour, order.id, alice);
  const paid = await completed(tour, order.id);
  check(paid.payer?.toLowerCase() === alice.address.toLowerCase(), 'the shop sees that Alice paid');
  check((await sentBy(tour, alice)) === nonce, 'Alice’s wallet sent no transaction');
  const transaction = await moved(tour, before, { alice: '-25', shop: '24.75', treasury: '0.25' });
  tour.tell(
    'Shop’s program creates an order of 25 USDC by API. Alice signs once, and pays no gas. Shop has 24.75: one hundredth of a business’s order is the fee.',
    { order: order.id, way, transaction },
  );
}

async function byLink(tour: Tour): Promise<void> {
  const shop = till(tour);
  const alice = named('alice');
  const wish = {
    label: 'Tip jar',
    open_amount: true,
    min_amount: '1',
    max_amount: '50',
    currency: 'USDC',
    chain: 'base',
  };
  const link = await shop<{ id: string; url: string }>('/payment_links', wish);
  const start = `${tour.local.checkout_base}/api/checkout/links/${link.id}`;
  const tooMuch = await ask(start, { amount: '51' }).catch((error: Error) => error.message);
  check(String(tooMuch).includes('answered 400'), `51 is above the link’s cap: ${String(tooMuch)}`);
  const { order } = await ask<{ order: Order }>(start, { amount: '3' });
  const before = await readLedger(tour);
  await sign(tour, order.id, alice);
  await completed(tour, order.id);
  const transaction = await moved(tour, before, { alice: '-3', shop: '2.97', treasury: '0.03' });
  const { data } = await shop<{ data: Order[] }>(`/payment_links/${link.id}/orders`);
  check(data.length === 1 && data[0]?.id === order.id, 'the link shows its order');
  await shop(`/payment_links/${link.id}/deactivate`, {});
  tour.tell(
    'A link of Shop lets the buyer type the sum, from 1 to 50 USDC. Alice types 51, which is refused, then 3.',
    {
      link: link.url,
      transaction,
    },
  );
}

async function byChat(tour: Tour): Promise<void> {
  const { telegram } = tour.chats;
  const written = await telegram.write(named('shop'), telegram.command('order 7.50 for a bicycle bell'));
  const shown = await answered(telegram, written, ({ text }) => text.includes('requests 7.50 USDC on Base'));
  const id = /\/o\/(ord_\w+)/.exec(shown.text)?.[1] ?? '';
  check(id !== '', `the chat shows a link: ${shown.text}`);
  const { deposit } = await ask<Prepared>(`${tour.local.checkout_base}/api/checkout`, { order_id: id, way: 'deposit' });
  check(deposit?.units === '7500000', 'the checkout shows an address of this order’s own');
  const before = await readLedger(tour);
  const transfer = await send(tour, named('alice'), deposit.address, '7.5');
  const told = await answered(telegram, written, ({ text }) => text.includes('is paid'));
  const swept = await moved(tour, before, { alice: '-7.5', shop: '7.425', treasury: '0.075' });
  check(!/alice|\b0x/i.test(told.text), `the chat does not say who paid: ${told.text}`);
  const said = await telegram.answers(written);
  check(said.filter(({ text }) => text.includes('is paid')).length === 1, 'the notice is sent once');
  tour.tell(
    'Telegram: Shop says “/order 7.50 for a bicycle bell”. Alice sends that much to the order’s own address, as from any wallet. The chat gets the notice that it is paid.',
    { order: id, told: told.text.replaceAll('\n', ' / '), transfer, transactions: swept },
  );
}

/** The shop looks until its order is paid. */
export function completed(tour: Pick<Tour, 'local'>, id: string): Promise<Order> {
  let last: Order | null = null;
  return until(
    'the order is completed',
    async () => {
      last = await till(tour)<Order>(`/orders/${id}`);
      return last.status === 'completed' && last;
    },
    () => `it is ${last?.status}`,
  );
}

export function sentBy({ client }: Tour, { address }: Person): Promise<number> {
  return client.getTransactionCount({ address });
}

async function send({ client, local }: Tour, who: Person, to: Address, amount: string): Promise<string> {
  const { rpc_url: rpcUrl = '', usdc } = local.chains['base'] ?? {};
  await openLocalChain(rpcUrl, who.key);
  const wallet = createWalletClient({ account: privateKeyToAccount(who.key), transport: http(rpcUrl) });
  const hash = await wallet.writeContract({
    address: usdc as Address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [to, parseUnits(amount, 6)],
    chain: null,
  });
  const receipt = await waitForReceipt(client, hash, { withinMs: 30_000 });
  check(receipt.status === 'success', `the transfer ${hash} succeeded`);
  return hash;
}
