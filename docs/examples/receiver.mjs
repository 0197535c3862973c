// A webhook receiver in plain Node.js: it accepts only events signed with its secret within the last five minutes.
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
  // The signature covers the raw body: check it before parsing.
  const body = Buffer.concat(chunks);
  if (!isSigned(body, request.headers['service-signature'])) {
    console.log('refused: invalid signature. Is WEBHOOK_SECRET the secret of this sender?');
    return response.writeHead(400).end('invalid signature');
  }
  // Answer first, process later. The same event can arrive again: store the ids you have processed.
  response.writeHead(200).end();
  const event = JSON.parse(body);
  console.log(`verified ${event.type} ${event.id}`);
});

if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(WEBHOOK_SECRET)) {
  const state = WEBHOOK_SECRET === '' ? 'is not set' : 'is not a signing secret';
  console.error(
    `WEBHOOK_SECRET ${state}. Copy the one that \`listen\` prints: WEBHOOK_SECRET=whsec_… node docs/examples/receiver.mjs`,
  );
  process.exit(1);
}
server.on('error', (error) => {
  const isTaken = error.code === 'EADDRINUSE';
  console.error(
    isTaken
      ? `Port ${PORT} is in use. Choose another for both sides: PORT=4243 here, --forward-to 4243 there.`
      : error.message,
  );
  process.exit(1);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`waiting on http://127.0.0.1:${server.address().port}`));
