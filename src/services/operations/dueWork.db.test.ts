// What wakes an idle loop when no notification does: each topic by a row that is due, none by rows that are not.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type OwnDatabase } from '../../../test/setup/database.ts';
import type { Ctx } from '../../context.ts';
import { connectDb, type Db, disconnectDb } from '../../db.ts';
import { BRIDGE_FAILURE } from '../../domain/smartLeg.ts';
import type { Topic } from '../../wakes.ts';
import { wakeDue } from './dueWork.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const past = new Date(NOW - 1_000);
const future = new Date(NOW + 60_000);
let database: OwnDatabase;
let client: pg.Client;
let db: Db;
let woken: Topic[] = [];
beforeAll(async () => {
  database = await freshDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // A row of one table alone: what it refers to does not matter here.
  await client.query('set session_replication_role = replica');
  db = connectDb(database.url, { max: 1 });
});
afterAll(async () => {
  await client.end();
  await disconnectDb(db);
  await database.drop();
});
afterEach(async () => {
  const { rows } = await client.query<{ names: string }>(
    "select string_agg(quote_ident(tablename), ', ') as names from pg_tables where schemaname = 'public'",
  );
  await client.query(`truncate ${rows[0]?.names}`);
  woken = [];
});

const due = () => {
  const ctx = {
    db,
    chains: { base: {} },
    clock: { now: () => NOW },
    wakes: { wake: (topic: Topic) => woken.push(topic) },
  };
  return wakeDue(ctx as unknown as Ctx);
};

const FILLERS: Record<string, unknown> = { boolean: false, jsonb: {}, ARRAY: [], 'timestamp with time zone': past };

/** A row with these columns; what else must not be null gets any value of its type. */
async function insert(table: string, given: Record<string, unknown>): Promise<void> {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null and is_identity = 'NO'`,
    [table],
  );
  const filled = Object.fromEntries(
    columns.map(({ name, type }) => [name, FILLERS[type] ?? (type === 'text' ? `${table} ${name}` : 1)]),
  );
  const row = { ...filled, ...given };
  const names = Object.keys(row).map((name) => pg.escapeIdentifier(name));
  const values = names.map((_, index) => `$${index + 1}`);
  await client.query(`insert into ${table} (${names}) values (${values})`, Object.values(row));
}

test.each<[string, string, Record<string, unknown>]>([
  ['outgoing', 'outgoing_tx', { chain: 'base', status: 'queued' }],
  ['sent', 'outgoing_tx', { chain: 'base', status: 'signed' }],
  ['sent', 'outgoing_tx', { chain: 'base', status: 'sent' }],
  ['mined', 'outgoing_tx', { chain: 'base', status: 'mined' }],
  ['pauses', 'pause', { status: 'wanted' }],
  ['names', 'claim', { status: 'asked', held_until: past }],
  ['refunds', 'escrow', { status: 'open', deadline: Math.floor(NOW / 1_000) }],
  ['refunds', 'escrow', { status: 'open', deadline: Math.floor(NOW / 1_000) + 60, refund_asked_at: past }],
  ['expected', 'payment_order', { chain: 'base', status: 'awaiting_payment', deposit_shown_at: null }],
  ['expected', 'payment_order', { chain: 'base', status: 'processing', deposit_shown_at: past }],
  ['expected', 'escrow', { status: 'pending_create', open_tx_hash: '0x', created_at: past }],
  ['expected deposits', 'payment_order', { chain: 'base', status: 'awaiting_payment', deposit_shown_at: past }],
  ['legs', 'smart_leg', { chain: 'base', status: 'sent', next_look_at: past }],
  [
    'legs',
    'smart_leg',
    { chain: 'base', status: 'failed', reason: BRIDGE_FAILURE, ended_at: past, next_look_at: past },
  ],
  ['received', 'received_leg', { due_at: past }],
  ['alerts', 'alert', { next_tell_at: past }],
  ['retries', 'intent', { status: 'accepted', next_attempt_at: future }],
  ['retries', 'intent', { status: 'awaiting_confirmation', next_attempt_at: past }],
  ['retries', 'intent', { status: 'waiting', next_attempt_at: past }],
  ['retries', 'tip', { chain: 'base', status: 'ready' }],
  ['retries', 'reply', { open: true, next_attempt_at: past }],
  ['retries', 'link', { status: 'redeemed', expires_at: past }],
  ['retries', 'wallet_change', { status: 'pending', effective_at: past }],
  ['retries', 'outbox', {}],
])('%s: woken by a row of %s with %j', async (topic, table, row) => {
  await insert(table, row);
  expect([await due(), woken]).toEqual([topic.split(' '), topic.split(' ')]);
});

test('what is over, not due yet, or on a chain that is not served, wakes nothing', async () => {
  await insert('outgoing_tx', { id: 'otx_2', chain: 'celo', subject_id: 'other', status: 'queued' });
  await insert('outgoing_tx', { chain: 'base', status: 'final' });
  await insert('outgoing_tx', {
    id: 'otx_3',
    chain: 'base',
    subject_id: 'a third',
    status: 'mined',
    next_look_at: future,
  });
  await insert('pause', { status: 'held' });
  await insert('claim', { status: 'asked', held_until: future });
  await insert('escrow', { status: 'open', deadline: Math.floor(NOW / 1_000) + 60, refund_asked_at: null });
  await insert('payment_order', { chain: 'base', status: 'completed', deposit_shown_at: past });
  await insert('received_leg', { due_at: future });
  await insert('alert', { next_tell_at: future });
  await insert('intent', { status: 'waiting', next_attempt_at: future });
  await insert('tip', { chain: 'base', status: 'settled' });
  await insert('reply', { open: false, next_attempt_at: past });
  await insert('link', { status: 'open', expires_at: future });
  await insert('wallet_change', { status: 'pending', effective_at: future });
  expect([await due(), woken]).toEqual([[], []]);
});
