// The front door: the page of a handle with its card, a shop that gets its buyer back, and the shop's log of its own requests.
import type { PublicHandlePage } from '../../src/http/api/handlePageAnswers.ts';
import type { RequestDetail } from '../../src/http/api/requestLogAnswers.ts';
import { openBrowser } from './browser.ts';
import { moved, readLedger } from './ledger.ts';
import { ask, completed, named, type Order, sign, till } from './orders.ts';
import { check, type Tour, until } from './tour.ts';

const PNG = '89504e470d0a1a0a';
const CARD_SIDES = [1_200, 630];

export async function frontDoor(tour: Tour): Promise<void> {
  await ownPage(tour);
  await backToTheShop(tour);
  await ownRequests(tour);
}

async function ownPage(tour: Tour): Promise<void> {
  const { cast, local, tell } = tour;
  const { sven } = cast;
  const browser = await openBrowser(local, sven, cast.sessions[sven.name]);
  const line = 'I fix bicycles of the whole street';
  await browser.patch('/api/settings/page', {
    ...{ enabled: true, line, suggested_amounts: ['3', '5'], chain: 'base', currency: 'USDC' },
    ...{ show_messages: true, show_amounts: false },
  });
  const url = `${local.checkout_base}/@${sven.name}`;
  const html = await fetched(url);
  check(html.toString().includes(line), 'the page tells what it is without a script');
  const card = /property="og:image" content="([^"]+)"/.exec(html.toString())?.[1]?.replaceAll('&amp;', '&') ?? '';
  const picture = await fetched(card);
  check(picture.subarray(0, 8).toString('hex') === PNG, 'its card is a PNG');
  const sides = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
  check(sides.join() === CARD_SIDES.join(), `the card has 1200 × 630 pixels: ${sides.join(' × ')}`);

  const page = `${local.checkout_base}/api/checkout/handles/${sven.name}`;
  const words = { name: 'Alice', note: 'My brakes work again!', may_show: true };
  const { order } = await ask<{ order: { id: string } }>(page, { amount: '5', ...words });
  const before = await readLedger(tour);
  const alice = named('alice');
  await sign(tour, order.id, alice);
  const seen = await until('Alice’s words stand on the page', async () => {
    const answer = await ask<{ page: PublicHandlePage }>(page);
    return answer.page.messages.find(({ note }) => note === words.note);
  });
  check(seen.amount === null, 'Sven shows no amounts');
  const transaction = await moved(tour, before, { alice: '-5', sven: '5' });
  tell(
    'Sven switches on his page, whose link unfurls in chats with a card. Alice pays him 5 USDC there and leaves a few words, which he lets stand. Pages of people have no fee.',
    { page: url, card: `${picture.length} bytes`, words: `${seen.name}: ${seen.note}`, transaction },
  );
}

async function fetched(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  check(response.ok, `${url} answers: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

type Checkout = { order: { success_url: string | null; cancel_url: string | null } };

async function backToTheShop(tour: Tour): Promise<void> {
  const wish = {
    ...{ amount: '8.00', currency: 'USDC', chain: 'base', client_reference_id: 'cart-7041' },
    success_url: 'http://127.0.0.1:4242/thanks?order={ORDER_ID}',
    cancel_url: 'http://127.0.0.1:4242/cart',
    line_items: [
      { name: 'Green tea', quantity: 2, amount: '3.50' },
      { name: 'Shipping', quantity: 1, amount: '1.00' },
    ],
  };
  const elsewhere = { ...wish, success_url: 'http://shop.example/thanks' };
  const refused = await till(tour)('/orders', elsewhere).catch((error: Error) => error.message);
  check(String(refused).includes('success_url'), `a return address without TLS is refused: ${String(refused)}`);
  const order = await till(tour)<Order>('/orders', wish);
  const look = () => ask<Checkout>(`${tour.local.checkout_base}/api/checkout/${order.id}`);
  const waiting = (await look()).order;
  check(waiting.success_url === null && waiting.cancel_url === wish.cancel_url, 'unpaid, the way back is the cart');
  const before = await readLedger(tour);
  await sign(tour, order.id, named('alice'));
  await completed(tour, order.id);
  const transaction = await moved(tour, before, { alice: '-8', shop: '7.92', treasury: '0.08' });
  const paid = (await look()).order;
  const thanks = wish.success_url.replace('{ORDER_ID}', order.id);
  check(paid.success_url === thanks && paid.cancel_url === null, `paid, it is the thanks: ${paid.success_url}`);
  tour.tell(
    'Shop’s checkout lists what is bought, and leads back: to the cart until it is paid, to the thanks afterwards. A return address without TLS is refused.',
    { back: thanks, transaction },
  );
}

async function ownRequests(tour: Tour): Promise<void> {
  const { local } = tour;
  const key = local.accounts['shop']?.api_key ?? '';
  const answer = await fetch(`${local.base_url}/v1/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 'a lot', currency: 'USDC', chain: 'base', metadata: { note: key } }),
    signal: AbortSignal.timeout(30_000),
  });
  const { error } = (await answer.json()) as { error: { code: string; request_log_url?: string } };
  const url = error.request_log_url ?? '';
  const id = url.split('/').at(-1) ?? '';
  check(answer.status === 400 && id !== '', `the error leads to its entry: ${JSON.stringify(error)}`);
  const shop = await openBrowser(local, named('shop'), local.accounts['shop']?.session ?? undefined);
  const entry = await until('the request is logged', () =>
    shop.get<RequestDetail>(`/api/request_logs/${id}`).catch(() => null),
  );
  check(entry.status === 400 && entry.error_code === error.code, 'the log has the status and the code');
  const body = entry.request_body?.text ?? '';
  check(
    body.includes('a lot') && !JSON.stringify(entry).includes(key),
    `the log has the body without the key: ${body}`,
  );
  tour.tell(
    'Shop sends a wrong amount, and its key by mistake. The error links to the API log, which has the request without the key.',
    {
      entry: url,
      body,
    },
  );
}
