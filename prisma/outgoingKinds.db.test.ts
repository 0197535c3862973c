// The migration to outgoing kinds on a database of the version before it, with work under way: keys become columns, and what waits goes on.
import type pg from 'pg';
import { expect, test } from 'vitest';
import { migrateDb } from '../src/db.ts';
import { databaseBefore } from '../test/setup/database.ts';

const MIGRATION = '20261125214914_outgoing_kinds';
const AT = '2026-11-25T12:00:00Z';

/** A database as the version before left it. */
async function before(): Promise<{ url: string; client: pg.Client }> {
  const { url, client } = await databaseBefore(MIGRATION);
  // Only the rows that the migration reads: no handles, wallets and sessions around them.
  await client.query('set session_replication_role = replica');
  return { url, client };
}

/** Inserts a row; columns that are not named and may not be empty get a filling of their type. */
async function put(client: pg.Client, table: string, row: Record<string, unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null`,
    [table],
  );
  const filled = { ...Object.fromEntries(rows.map(({ name, type }) => [name, FILLING[type] ?? newWord()])), ...row };
  const names = Object.keys(filled).map((name) => `"${name}"`);
  const places = names.map((_, index) => `$${index + 1}`);
  await client.query(`insert into "${table}" (${names}) values (${places})`, Object.values(filled));
}

let words = 0;
/** Another one each time: some of the columns are unique. */
const newWord = () => `x${words++}`;

const FILLING: Record<string, unknown> = {
  integer: 0,
  bigint: 0,
  numeric: 0,
  boolean: false,
  jsonb: '{}',
  'timestamp with time zone': AT,
};

let nonce = 0;
const sent = (client: pg.Client, id: string, kind: string, business_key: string, status: string, more = {}) =>
  put(client, 'outgoing_tx', {
    id,
    chain: 'base',
    executor: '0xe',
    nonce: nonce++,
    kind,
    business_key,
    status,
    ...more,
  });

test('kind, subject and attempt come from the keys', async () => {
  const { url, client } = await before();
  await sent(client, 'otx_1', 'tips', 'tips:tip_a:1700000000000', 'final');
  await sent(client, 'otx_2', 'tips', 'tips:tip_a:1700000001000', 'sent', { created_at: '2026-11-25T13:00:00Z' });
  await sent(client, 'otx_3', 'tab', 'tips:tip_b:1700000000000', 'sent');
  await sent(client, 'otx_4', 'pause', 'pause:hdl_1:base:1700000000000:1', 'sent');
  await sent(client, 'otx_5', 'claim', 'claim:clm_1:0', 'lost');
  await sent(client, 'otx_6', 'claim', 'claim:clm_1:1', 'sent', { created_at: '2026-11-25T13:00:00Z' });
  await sent(client, 'otx_7', 'order', 'order:sbm_1', 'mined');
  await sent(client, 'otx_8', 'resume', 'sponsored:spc_1', 'sent');
  await sent(client, 'otx_9', 'tab_refund', 'sponsored:spc_2', 'sent');
  await sent(client, 'otx_a', 'tab_refund', 'tab_refund:base:0xabc:0', 'sent');
  await put(client, 'pause', {
    handle_id: 'hdl_1',
    chain: 'base',
    status: 'sent',
    attempt: 1,
    outgoing_tx_id: 'otx_4',
  });
  await put(client, 'escrow', { id: 'esc_1', chain: 'base', tab_id: '0xabc' });
  const use = 'tab_refund:base:0xabc';
  await put(client, 'sponsored_call', {
    id: 'spc_2',
    kind: 'tab_refund',
    chain: 'base',
    business_key: `${use}:2`,
    status: 'submitted',
  });

  expect(await migrateDb(url)).toContain(MIGRATION);
  const { rows } = await client.query('select id, kind, subject_id, attempt, status from outgoing_tx order by id');
  const { rows: pauses } = await client.query('select id from pause');
  expect(rows.map((row) => [row.id, row.kind, row.subject_id, row.attempt])).toEqual([
    ['otx_1', 'tips', 'tip_a', 0],
    ['otx_2', 'tips', 'tip_a', 1],
    ['otx_3', 'escrow_open', 'tip_b', 0],
    ['otx_4', 'pause', pauses[0].id, 0],
    ['otx_5', 'claim', 'clm_1', 0],
    ['otx_6', 'claim', 'clm_1', 1],
    ['otx_7', 'order', 'sbm_1', 0],
    ['otx_8', 'sponsored', 'spc_1', 0],
    ['otx_9', 'sponsored', 'spc_2', 0],
    ['otx_a', 'escrow_refund', 'esc_1', 0],
  ]);
  const calls = await client.query('select use, attempt from sponsored_call');
  expect(calls.rows).toEqual([{ use, attempt: 2 }]);
});

test('what was signed and not sent waits as a queued call, and an attestation is made again', async () => {
  const { url, client } = await before();
  const call = { chain: 'base', to_address: '0x1', data: '0x02', gas: 3 };
  await put(client, 'sponsored_call', {
    ...call,
    id: 'spc_1',
    kind: 'permit',
    business_key: 'permit:base:0xa:1:0',
    status: 'queued',
  });
  await put(client, 'order_submission', { ...call, id: 'sbm_1', status: 'queued' });
  await put(client, 'order_submission', { ...call, id: 'sbm_2', status: 'failed' });
  const attested = { recipient: '0x4', not_after: 5, signature: '0x06' };
  await put(client, 'claim', { id: 'clm_1', chain: 'base', status: 'attested', ...attested });
  await migrateDb(url);
  const { rows } = await client.query(
    `select kind, subject_id, attempt, chain, to_address, data, gas::int, status, executor, nonce from outgoing_tx order by kind`,
  );
  const queued = { ...call, attempt: 0, status: 'queued', executor: null, nonce: null };
  expect(rows).toEqual([
    { ...queued, kind: 'order', subject_id: 'sbm_1' },
    { ...queued, kind: 'sponsored', subject_id: 'spc_1' },
  ]);
  const claims = await client.query('select status, recipient, not_after, signature from claim');
  expect(claims.rows).toEqual([{ status: 'asked', recipient: null, not_after: null, signature: null }]);
});

test('what ended before its row had followed is followed once more, or is free again', async () => {
  const { url, client } = await before();
  for (const [n, status] of ['final', 'lost', 'sent'].entries()) {
    await sent(client, `otx_c${n}`, 'claim', `claim:clm_${n}:0`, status);
    await put(client, 'claim', {
      id: `clm_${n}`,
      chain: 'base',
      status: 'submitted',
      outgoing_tx_id: `otx_c${n}`,
    });
    await sent(client, `otx_o${n}`, 'order', `order:sbm_${n}`, status);
    await put(client, 'order_submission', {
      id: `sbm_${n}`,
      order_id: `ord_${n}`,
      status: 'submitted',
      outgoing_tx_id: `otx_o${n}`,
    });
    await put(client, 'payment_order', { id: `ord_${n}`, status: 'processing' });
    // An update of a pause checks what it refers to.
    await put(client, 'handle', { id: `hdl_${n}` });
    await sent(client, `otx_p${n}`, 'pause', `pause:hdl_${n}:base:1:1`, status);
    await put(client, 'pause', {
      handle_id: `hdl_${n}`,
      chain: 'base',
      status: 'sent',
      attempt: 1,
      outgoing_tx_id: `otx_p${n}`,
    });
  }
  // One whose row has followed stays as it is.
  await sent(client, 'otx_done', 'order', 'order:sbm_done', 'final');
  await put(client, 'order_submission', { id: 'sbm_done', status: 'settled', outgoing_tx_id: 'otx_done' });
  await migrateDb(url);
  const statuses = async (table: string) =>
    (await client.query(`select status from "${table}" order by id`)).rows.map((row) => row.status);
  const txs = await client.query('select id, status from outgoing_tx');
  expect(Object.fromEntries(txs.rows.map((row) => [row.id, row.status]))).toEqual({
    ...{ otx_c0: 'mined', otx_c1: 'lost', otx_c2: 'sent' },
    ...{ otx_o0: 'mined', otx_o1: 'lost', otx_o2: 'sent' },
    ...{ otx_p0: 'mined', otx_p1: 'lost', otx_p2: 'sent' },
    otx_done: 'final',
  });
  expect(await statuses('claim')).toEqual(['submitted', 'asked', 'submitted']);
  expect(await statuses('order_submission')).toEqual(['submitted', 'failed', 'submitted', 'settled']);
  expect(await statuses('payment_order')).toEqual(['processing', 'awaiting_payment', 'processing']);
  const pauses = await client.query('select status, attempt from pause order by handle_id');
  expect(pauses.rows.map((row) => [row.status, row.attempt])).toEqual([
    ['sent', 1],
    ['wanted', 2],
    ['sent', 1],
  ]);
});
