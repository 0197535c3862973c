// What the public API is measured against: a bare Express handler that writes the same rows with raw pg in one transaction, and reads them. It knows no
// keys, limits, schemas or twins, and bad input gives a bad answer.
import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';
import { formatId } from '../src/domain/ids.ts';

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

const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ ready: 'bare', port: (server.address() as AddressInfo).port });
});
process.once('disconnect', () => process.exit(0));
