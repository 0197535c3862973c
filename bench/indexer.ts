// How fast the indexer of payments catches up after an outage, and what it needs for it: real payments of as many orders, against a bare loop that
// reads the same logs and inserts the same rows.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import {
  concatHex,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  pad,
  parseEther,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { NODE_FLAGS } from '../local/stack/children.ts';
import { localKey } from '../local/stack/people.ts';
import type { Stack } from '../local/stack/stack.ts';
import { encodePayment, orderIdHash } from '../src/chain/routers/payment.ts';
import { waitForReceipt } from '../src/chain/rpc/receipts.ts';
import type { ChainName } from '../src/domain/chains.ts';
import { formatId } from '../src/domain/ids.ts';
import { ROOT } from '../src/root.ts';
import type { Row } from './main.ts';

export const ORDERS = 20_000;
/** Payments of one transaction. */
const AT_ONCE = 100;
const UNITS = 1_000_000_000n;
/** Calls the contract that its calldata names first with each of the payloads of 196 bytes behind the value that goes with each. */
const BATCH = '0x36600060003760405b803611156029576000600060c4836020516000515af115602b5760c4016008565b005b600080fd';
const BATCH_AT = '0x00000000000000000000000000000000000ba7c4';
const DEADLINE = 4_000_000_000n;

/** The caller stops the workers first: they would index the blocks while they are made. */
export async function measureIndexer(stack: Stack): Promise<Row[]> {
  const chain = stack.chains.find(({ name }) => name === 'base');
  const rpcUrl = chain?.config.rpcUrls[0];
  if (!chain || !rpcUrl) throw new Error('the bench runs on base');
  const db = new pg.Client({ connectionString: stack.processEnv['DATABASE_URL'] ?? '' });
  await db.connect();
  try {
    await catchUp(stack, 'base');
    const from = await createPublicClient({ transport: http(rpcUrl) }).getBlockNumber();
    await payMany(rpcUrl, chain.config.routers.payment as Hex, await insertOrders(db, chain.config.routers.payment));
    const bare = await bareLoop(db, rpcUrl, chain.config.routers.payment as Hex, from);
    const ours = await catchUp(stack, 'base');
    const { rows } = await db.query(
      "select count(*)::int as count from payment_order where status = 'completed' and id like 'ord_bench%'",
    );
    if (rows[0]?.count !== ORDERS) throw new Error(`${rows[0]?.count} of ${ORDERS} orders were completed`);
    return [
      {
        name: 'payments that the indexer catches up with',
        value: perSecond(ours.ms),
        unit: '/s',
        baseline: perSecond(bare),
        ratio: Math.round((bare / ours.ms) * 100) / 100,
        note: `${ORDERS} settled orders, ${ours.cpuMs} ms of CPU time; baseline: a bare loop of eth_getLogs and inserts of the same rows`,
      },
      {
        name: 'memory of the indexer while it catches up, peak',
        value: ours.megabytes,
        unit: 'MB',
        note: 'goal below 300',
      },
    ];
  } finally {
    await db.end();
  }
}

/** Orders. */
export function perSecond(ms: number): number {
  return Math.round(ORDERS / (ms / 1_000));
}

/** A process of its own, out of the bundle as the workers are, so that its memory is its own. */
export function catchUp(stack: Stack, chain: ChainName): Promise<{ ms: number; cpuMs: number; megabytes: number }> {
  return new Promise((resolve, reject) => {
    const script = join(ROOT, 'dist/benchIndexer.mjs');
    const env = { ...process.env, ...stack.processEnv, LOG_LEVEL: 'error' };
    const child = spawn(process.execPath, [...NODE_FLAGS.workers, script, chain], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve(JSON.parse(said.trim().split('\n').at(-1) ?? '{}'));
      else reject(new Error(`the indexer ended with ${code}`));
    });
  });
}

/** Orders in the native asset, as many as are paid. @returns the call that pays each */
async function insertOrders(db: pg.Client, router: string): Promise<Hex[]> {
  const {
    rows: [handle],
  } = await db.query("select id from handle where slug = 'bob'");
  const payee = localKey('bob').address;
  const calls: Hex[] = [];
  const ids: string[] = [];
  for (let number = 0; number < ORDERS; number++) {
    const id = `ord_bench${formatId('ord', number, new Uint8Array(10)).slice(-17)}${number.toString().padStart(4, '0')}`;
    const terms = {
      orderId: orderIdHash(id),
      payee,
      token: `0x${'00'.repeat(20)}` as Hex,
      amount: UNITS,
      fee: 0n,
      deadline: DEADLINE,
    };
    ids.push(id);
    calls.push(encodePayment(terms, payee, { way: 'direct' }));
  }
  await db.query(
    `insert into payment_order (id, handle_id, recipient_id, livemode, origin, status, currency, chain, router, router_address, token, decimals, payee,
       units, fee_units, deadline, on_chain_id, created_at)
     select o.id, $1, $1, false, 'api', 'awaiting_payment', 'ETH', 'base', 'payment', $2, '0x' || repeat('0', 40), 18, $3, $4, 0, $5, o.hash, now()
     from unnest($6::text[], $7::text[]) as o(id, hash)`,
    [handle.id, router, payee, String(UNITS), String(DEADLINE), ids, ids.map(orderIdHash)],
  );
  return calls;
}

async function payMany(rpcUrl: string, router: Hex, calls: Hex[]): Promise<void> {
  const account = privateKeyToAccount(localKey('payer').key);
  const admin = createTestClient({ mode: 'anvil', transport: http(rpcUrl) });
  await admin.setCode({ address: BATCH_AT, bytecode: BATCH });
  await admin.setBalance({ address: BATCH_AT, value: parseEther('1') });
  await admin.setBalance({ address: account.address, value: parseEther('1000') });
  const wallet = createWalletClient({ account, transport: http(rpcUrl) });
  const reader = createPublicClient({ transport: http(rpcUrl), pollingInterval: 20 });
  for (let at = 0; at < calls.length; at += AT_ONCE) {
    const data = concatHex([pad(router), pad(toHex(UNITS)), ...calls.slice(at, at + AT_ONCE)]);
    const hash = await wallet.sendTransaction({ to: BATCH_AT, data, chain: null, gas: 15_000_000n });
    const { status } = await waitForReceipt(reader, hash);
    if (status !== 'success') throw new Error('a batch of payments reverted');
  }
  await admin.mine({ blocks: 20 });
}

/** @returns milliseconds */
async function bareLoop(db: pg.Client, rpcUrl: string, address: Hex, from: bigint): Promise<number> {
  const reader = createPublicClient({ transport: http(rpcUrl) });
  const to = await reader.getBlockNumber();
  await db.query('create temporary table bench_log (like order_log including indexes)');
  const began = performance.now();
  let found = 0;
  for (let at = from + 1n; at <= to; at += 20n) {
    const logs = await reader.getLogs({ address, fromBlock: at, toBlock: at + 19n < to ? at + 19n : to });
    found += logs.length;
    const column = (of: (log: (typeof logs)[number]) => unknown) => logs.map(of);
    await db.query(
      `insert into bench_log (chain, tx_hash, log_index, block, block_hash, block_time, kind, order_id, outcome, router, key, from_address, to_address,
         token, units, fee_units)
       select 'base', l.tx, l.index, l.block, l.hash, now(), 'settled', l.id, 'credited', $1, l.key, $1, $1, $1, 0, 0
       from unnest($2::text[], $3::int[], $4::bigint[], $5::text[], $6::text[], $7::text[]) as l(tx, index, block, hash, id, key)`,
      [
        address,
        column((log) => log.transactionHash),
        column((log) => log.logIndex),
        column((log) => String(log.blockNumber)),
        column((log) => log.blockHash),
        column((log) => log.topics[2]),
        column((log) => log.topics[1]),
      ],
    );
  }
  if (found < ORDERS) throw new Error(`${found} of ${ORDERS} logs were found`);
  return performance.now() - began;
}
