// What the public API is measured against: a bare Express handler that writes the same rows with raw pg in one transaction, and reads them. It knows no
// keys, limits, schemas or twins, and bad input gives a bad answer.
import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';
import { type Address, createPublicClient, erc20Abi } from 'viem';
import { rpcTransport } from '../src/chain/rpc/transport.ts';
import { formatId } from '../src/domain/ids.ts';
import { readEnv } from '../src/env.ts';

const HANDLE = process.env['BENCH_HANDLE'] ?? '';
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const app = express();

app.post('/v1/orders', express.json(), async (request, response) => {
  const { amount, chain, metadata } = request.body as { amount: string; chain: string; metadata: object };
  const id = formatId('ord', Date.now(), randomBytes(10));
  const now = new Date();
  const body = {
    id,
    object: 'order',
    status: 'awaiting_payment',
    checkout_url: `http://127.0.0.1/o/${id}`,
    amount,
    currency: 'USDC',
    chain,
    recipient: '@shop',
    recipient_address: `0x${'0'.repeat(40)}`,
    expires_at: now.toISOString(),
    metadata,
    created_at: now.toISOString(),
    livemode: false,
  };
  const text = JSON.stringify(body);
  const hash = createHash('sha256').update(JSON.stringify(request.body)).digest('hex');
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into idempotency_key (key_id, path, key, body_hash, status, body, created_at) values ($1, $2, $3, $4, 201, $5, $6)`,
      ['bare', '/v1/orders', request.headers['idempotency-key'], hash, text, now],
    );
    await client.query(
      `insert into payment_order (id, handle_id, recipient_id, livemode, origin, status, currency, chain, router, router_address, token, decimals, payee,
        units, fee_units, deadline, on_chain_id, metadata, created_at)
       values ($1, $2, $2, false, 'api', 'awaiting_payment', 'USDC', $3, 'payment', $4, $4, 6, $4, $5, 0, $6, $7, $8, $9)`,
      [
        id,
        HANDLE,
        chain,
        body.recipient_address,
        5_000_000,
        Math.floor(now.getTime() / 1_000) + 3_600,
        id,
        metadata,
        now,
      ],
    );
    await client.query(
      `insert into event (id, handle_id, livemode, type, api_version, resource_id, unique_key, object, created_at)
       values ($1, $2, false, 'order.created', '2026-11-20', $3, $3, $4, $5)`,
      [`evt_${id}`, HANDLE, id, { order: body }, now],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
  response.status(201).json(body);
});

app.get('/v1/orders', async (_request, response) => {
  const { rows } = await pool.query(
    'select * from payment_order where handle_id = $1 and livemode = false order by id desc limit 20',
    [HANDLE],
  );
  response.json({ object: 'list', data: rows, has_more: true, next_cursor: rows.at(-1)?.id });
});

app.get('/v1/orders/:id', async (request, response) => {
  const { rows } = await pool.query('select * from payment_order where id = $1', [request.params.id]);
  response.json(rows[0]);
});

/** What a list of candidates cannot do without: the order, what one wallet holds on every chain, what lies at the order's address, and the rows. */
const chains = Object.values(readEnv(process.env).chains).map(({ rpcUrls: [url], usdc }) => ({
  client: createPublicClient({ transport: rpcTransport(url, { batch: true }), cacheTime: 0 }),
  usdc: usdc as Address,
}));

app.post('/api/pay/smart/candidates', express.json(), async (request, response) => {
  const { orderId, payer } = request.body as { orderId: string; payer: [Address] };
  const { rows } = await pool.query('select * from payment_order where id = $1', [orderId]);
  const at = { abi: erc20Abi, functionName: 'balanceOf' } as const;
  const due = chains[0]?.client.readContract({ ...at, address: rows[0].token, args: [rows[0].payee] });
  const held = await Promise.all(
    chains.map(({ client, usdc: address }) =>
      Promise.all([client.readContract({ ...at, address, args: payer }), client.getBalance({ address: payer[0] })]),
    ),
  );
  const now = new Date();
  const data = held.map(([units]) => ({ id: formatId('cand', now.getTime(), randomBytes(10)), units: String(units) }));
  await pool.query(
    `insert into smart_candidate (id, order_id, recipient, chain, currency, due_units, payers, kind, legs, slippage_bps, created_at, expires_at)
     select c.id, $1, $2, 'base', 'USDC', 25000000, $3, 'single', c.legs, 200, $4, $4 from unnest($5::text[], $6::jsonb[]) as c(id, legs)`,
    [orderId, payer[0], payer, now, data.map(({ id }) => id), data.map((one) => JSON.stringify([one]))],
  );
  response.json({ object: 'list', due: String(await due), data });
});

const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ ready: 'bare', port: (server.address() as AddressInfo).port });
});
process.once('disconnect', () => process.exit(0));
