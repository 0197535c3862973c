// A shop’s program receives webhooks: it registers its address, an order is paid, the event arrives signed, and again when it requests a replay.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAmpersat, webhooks as sdk } from '../../sdk/index.ts';
import { named, sign } from './orders.ts';
import { check, type Tour, until } from './tour.ts';

type Arrived = { headers: Record<string, string | string[] | undefined>; body: Buffer };

export async function webhooks(tour: Pick<Tour, 'local' | 'tell'>): Promise<void> {
  const { local, tell } = tour;
  const apiKey = local.accounts['shop']?.api_key;
  check(typeof apiKey === 'string', 'the shop has a key');
  const shop = createAmpersat({ apiKey, baseUrl: local.base_url });
  const program = await startProgram();
  const wish = { url: program.url, enabled_events: ['order.completed' as const], description: 'The tour' };
  const { id, secret } = await shop.webhookEndpoints.create(wish);
  try {
    check(typeof secret === 'string', 'the secret is shown once, to the creator of the endpoint');
    const order = await shop.orders.create({ amount: '12.00', currency: 'USDC', chain: 'base' });
    const way = await sign(tour, order.id, named('alice'));
    const [first] = await program.arrived(order.id, 1);
    const event = sdk.constructEvent(first.body, first.headers, secret);
    check(event.type === 'order.completed', `it receives that the order is paid: ${event.type}`);
    check('order' in event.data.object && event.data.object.order.id === order.id, 'the event names the order');
    check(sdk.verifyStandard(first.body, first.headers, secret).id === event.id, 'Standard Webhooks verify, too');
    const changed = Buffer.from(first.body.toString().replace('12.00', '21.00'));
    check(
      isRefused(() => sdk.constructEvent(changed, first.headers, secret)),
      'a changed amount does not verify',
    );
    tell(
      'Shop’s program registers its address. Alice pays 12 USDC, and the program receives a signed event: changed by one figure, it would be refused.',
      { endpoint: id, order: order.id, way, event: event.id },
    );
    await until('the delivery is in the log', async () => {
      const { data } = await shop.webhookDeliveries.list({ endpoint: id, event: event.id });
      return data[0]?.status === 'delivered' && data[0].attempt_count === 1;
    });
    await shop.events.replay(event.id, { endpoint: id });
    const [, second] = await program.arrived(order.id, 2);
    check(second !== undefined, 'it came again');
    check(second.headers['webhook-id'] === event.id, 'it is the same event');
    const again = sdk.constructEvent(second.body, second.headers, secret);
    check(again.id === event.id && again.created === event.created, 'with the same facts');
    tell('The program asks for it again. The same event comes a second time, with the same id and signed afresh.', {
      'webhook-id': String(second.headers['webhook-id']),
    });
  } finally {
    await shop.webhookEndpoints.delete(id);
    await program.close();
  }
}

async function startProgram() {
  const all: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    all.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    /** What came about an order, once so much of it is there: others may be paid meanwhile. */
    arrived: (orderId: string, count: number) =>
      until('the event arrives', async () => {
        const found = all.filter(({ body }) => body.includes(orderId));
        return found.length >= count && (found as [Arrived, ...Arrived[]]);
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isRefused(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch {
    return true;
  }
}
