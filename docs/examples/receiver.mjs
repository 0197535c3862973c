// A receiver of webhooks in plain Node: it takes nothing that was not signed with its secret within the last five minutes.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET = '', PORT = '4242' } = process.env;
const FIVE_MINUTES_S = 300;

/** The header is `t=<Unix seconds>,v1=<hex>`, with a second `v1` while a secret is being rolled. */
function isSigned(body, header = '') {
  const parts = header.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!(Math.abs(Date.now() / 1_000 - Number(time)) <= FIVE_MINUTES_S)) return false;
  const expected = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.`).update(body).digest();
  return parts.some(([name, hex = '']) => {
    const given = Buffer.from(hex, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  // The signature is over the bytes as they came, so they are not parsed before it was checked.
  const body = Buffer.concat(chunks);
  if (!isSigned(body, request.headers['service-signature'])) {
    console.log('refused: the signature does not fit');
    return response.writeHead(400).end('the signature does not fit');
  }
  // Answer first, work afterwards. The same id may come again: remember those that you have worked through.
  response.writeHead(200).end();
  const event = JSON.parse(body);
  console.log(`verified ${event.type} ${event.id}`);
});

if (WEBHOOK_SECRET === '')
  throw new Error('Say which secret signs: WEBHOOK_SECRET=whsec_… node docs/examples/receiver.mjs');
server.listen(Number(PORT), '127.0.0.1', () => console.log(`waiting on http://127.0.0.1:${server.address().port}`));
