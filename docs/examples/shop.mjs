// A shop in plain Node.js: sells tea by a redirect to the checkout, or in a window that reports back, and ships nothing because of a redirect.
// AMPERSAT_URL=http://localhost:8080 AMPERSAT_KEY=sk_test_… node docs/examples/shop.mjs
import { createServer } from 'node:http';

const {
  AMPERSAT_URL = 'http://localhost:8080',
  AMPERSAT_KEY = '',
  CHAIN = 'base-sepolia',
  PORT = '4243',
} = process.env;
const SHOP = `http://127.0.0.1:${PORT}`;

async function api(method, path, body) {
  const headers = { authorization: `Bearer ${AMPERSAT_KEY}`, 'content-type': 'application/json' };
  const answer = await fetch(`${AMPERSAT_URL}/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.error.message);
  return json;
}

const tea = {
  amount: '8.00',
  chain: CHAIN,
  line_items: [
    { name: 'Green tea', quantity: 2, amount: '3.50' },
    { name: 'Shipping', quantity: 1, amount: '1.00' },
  ],
  success_url: `${SHOP}/thanks?order={ORDER_ID}`,
  cancel_url: `${SHOP}/?cancelled`,
};

/** Made once: each press on it is an order of its own. */
const link = await api('POST', '/payment_links', { ...tea, label: 'Green tea' });

/** Where the checkout is: its window opens from there alone. */
const { origin } = new URL(link.url);

const page = (body) => `<!doctype html><meta charset="utf-8"><title>Tea shop</title>
<meta name="viewport" content="width=device-width">
<body style="font: 16px system-ui; max-width: 40rem; margin: 2rem auto; padding: 0 1rem">${body}`;

const shopPage = (cancelled) =>
  page(`<h1>Tea shop</h1>
${cancelled ? '<p>Nothing was paid. Your cart is still here.</p>' : ''}
<p>Two green teas and shipping, 8 USDC.</p>
<form method="post" action="/buy"><button>Pay on the checkout page</button></form>
<p><a href="${link.url}" data-ampersat><img src="${origin}/button.svg" alt="Pay with Ampersat" width="196" height="48"></a></p>
<p id="said" role="status"></p>
<script src="${origin}/embed.js"></script>
<script>
  // Words for the buyer only: the order's truth is what the server reads.
  const said = document.getElementById('said');
  addEventListener('ampersat:order', ({ detail }) => { said.textContent = 'The checkout says: ' + detail.status; });
  addEventListener('ampersat:closed', ({ detail }) => {
    if (detail?.status !== 'completed') said.textContent = 'The checkout was closed. If you paid, it shows here in a moment: reload the page of your order before you pay again.';
  });
</script>`);

/** The redirect says nothing: anyone can open this page. The order is read with the key; shipping waits for the webhook (receiver.mjs). */
async function thanksPage(id) {
  if (!/^ord_[0-9a-z]{26}$/.test(id)) return page('<h1>No such order</h1>');
  const { status } = await api('GET', `/orders/${id}`);
  if (status === 'completed') return page('<h1>Thank you!</h1><p>Your tea is paid.</p>');
  return page(
    `<h1>Almost there</h1><p>Your payment is ${status === 'processing' ? 'being confirmed' : 'not here yet'}.</p>`,
  );
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', SHOP);
  const html = (text) => response.setHeader('content-type', 'text/html; charset=utf-8').end(text);
  try {
    if (request.method === 'POST' && url.pathname === '/buy') {
      const order = await api('POST', '/orders', { ...tea, client_reference_id: `cart-${Date.now()}` });
      return response.writeHead(303, { location: order.checkout_url }).end();
    }
    if (url.pathname === '/thanks') return html(await thanksPage(url.searchParams.get('order') ?? ''));
    if (url.pathname === '/') return html(shopPage(url.searchParams.has('cancelled')));
    response.writeHead(404).end();
  } catch (error) {
    response.writeHead(500).end(error.message);
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The shop is at ${SHOP}`));
