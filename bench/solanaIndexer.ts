// How fast the indexer of Solana catches up after an outage: real payments of as many orders as on EVM, a transaction each, against a bare loop that lists
// and reads the same transactions and inserts the same rows.
import { Connection, PublicKey } from '@solana/web3.js';
import pg from 'pg';
import { callOf } from '../local/solana/cluster.ts';
import { settleAll } from '../local/solana/deployLocal.ts';
import { execute } from '../local/solana/genesis.ts';
import { giveSolana } from '../local/solana/grants.ts';
import { localSolanaKey } from '../local/solana/keys.ts';
import type { Stack } from '../local/stack/stack.ts';
import { orderIdHash } from '../src/chain/routers/payment.ts';
import { createSolanaChain, type SolanaChain } from '../src/chain/solana/client.ts';
import { SOL, solanaMoveCall } from '../src/chain/solana/orders.ts';
import { formatId } from '../src/domain/ids.ts';
import { catchUp, ORDERS, perSecond } from './indexer.ts';
import type { Row } from './main.ts';

const LAMPORTS = 2_000_000n;
const PAGE = 1_000;
const READ_AT_ONCE = 8;
/** As a slot of a busy cluster; a page of history has hundreds. */
const IN_A_SLOT = 50;
/** Of the program. */
const MOST_SECONDS = 300n * 86_400n;

/** The caller stops the workers first: they would index the slots while they are made. */
export async function measureSolanaIndexer(stack: Stack): Promise<Row[]> {
  const { solana } = stack;
  if (!solana) throw new Error('the bench has a Solana chain');
  const { rpcUrl, program, usdc } = solana;
  const chain = createSolanaChain('solana', { rpcUrls: [rpcUrl], program, usdc, pollMs: 200, local: true });
  const db = new pg.Client({ connectionString: stack.processEnv['DATABASE_URL'] ?? '' });
  await db.connect();
  try {
    await catchUp(stack, 'solana');
    const before = (await newest(chain)) ?? undefined;
    await payMany(stack, chain, await insertOrders(db, chain));
    const bare = await bareLoop(db, chain, before);
    const ours = await catchUp(stack, 'solana');
    const { rows } = await db.query(
      "select count(*)::int as count from payment_order where status = 'completed' and chain = 'solana' and id like 'ord_bensol%'",
    );
    if (rows[0]?.count !== ORDERS) throw new Error(`${rows[0]?.count} of ${ORDERS} orders were completed`);
    return [
      {
        name: 'payments that the indexer catches up with on Solana',
        value: perSecond(ours.ms),
        unit: '/s',
        baseline: perSecond(bare),
        ratio: Math.round((bare / ours.ms) * 100) / 100,
        note: `${ORDERS} settled orders, a transaction each, ${ours.cpuMs} ms of CPU time; baseline: a bare loop of getSignaturesForAddress, getTransaction and inserts of the same rows`,
      },
      {
        name: 'memory of the indexer while it catches up on Solana, peak',
        value: ours.megabytes,
        unit: 'MB',
        note: 'goal below 300',
      },
    ];
  } finally {
    await db.end();
  }
}

type Bench = { id: string; onChainId: `0x${string}`; deadline: bigint };

/** Orders in SOL, as many as are paid. */
async function insertOrders(db: pg.Client, chain: SolanaChain): Promise<Bench[]> {
  const {
    rows: [handle],
  } = await db.query("select id from handle where slug = 'bob'");
  const deadline = BigInt(Math.floor(Date.now() / 1_000)) + MOST_SECONDS;
  const orders = Array.from({ length: ORDERS }, (_, number): Bench => {
    const id = `ord_bensol${formatId('ord', number, new Uint8Array(10)).slice(-16)}${number.toString().padStart(4, '0')}`;
    return { id, onChainId: orderIdHash(id), deadline };
  });
  await db.query(
    `insert into payment_order (id, handle_id, recipient_id, livemode, origin, status, currency, chain, router, router_address, token, decimals, payee,
       units, fee_units, deadline, on_chain_id, created_at)
     select o.id, $1, $1, false, 'api', 'awaiting_payment', 'SOL', 'solana', 'payment', $2, $3, 9, $4, $5, 0, $6, o.hash, now()
     from unnest($7::text[], $8::text[]) as o(id, hash)`,
    [
      handle.id,
      chain.program.id,
      SOL,
      localSolanaKey('bob').address,
      String(LAMPORTS),
      String(deadline),
      orders.map(({ id }) => id),
      orders.map(({ onChainId }) => onChainId),
    ],
  );
  return orders;
}

async function payMany({ solana }: Stack, chain: SolanaChain, orders: readonly Bench[]): Promise<void> {
  if (!solana) throw new Error('the bench has a Solana chain');
  const { ledger, ...local } = solana;
  // A local chain forgets old transactions; here all are read.
  ledger.mostTransactions = 2 * ORDERS;
  const payer = localSolanaKey('bench payer');
  giveSolana(ledger, local, payer, { lamports: 200_000_000_000n, usdc: 0n });
  const payee = localSolanaKey('bob').address;
  const treasury = local.roles.treasury.address;
  for (const [index, { onChainId, deadline }] of orders.entries()) {
    const terms = { orderId: onChainId, payee, token: SOL, amount: LAMPORTS, fee: 0n, deadline };
    const move = { name: 'pay', payer: payer.address } as const;
    const { instructions } = solanaMoveCall(chain, { router: 'payment', terms }, move, {
      treasury,
      funder: payer.address,
    });
    execute(ledger, [payer], instructions.map(callOf));
    // The slots of the chain pass meanwhile.
    if (index % IN_A_SLOT === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  settleAll(ledger);
}

async function newest({ endpoints: [at], program }: SolanaChain): Promise<string | null> {
  const [found] = (await at?.getSignaturesForAddress(new PublicKey(program.id), { limit: 1 }, 'finalized')) ?? [];
  return found?.signature ?? null;
}

/** @returns milliseconds */
async function bareLoop(db: pg.Client, chain: SolanaChain, until: string | undefined): Promise<number> {
  const at = new Connection(chain.endpoints[0]?.rpcEndpoint ?? '', 'finalized');
  const program = new PublicKey(chain.program.id);
  await db.query('create temporary table bench_log (like order_log including indexes)');
  const began = performance.now();
  let found = 0;
  for (let before: string | undefined; ; ) {
    const options = { limit: PAGE, ...(before !== undefined && { before }), ...(until !== undefined && { until }) };
    const page = await at.getSignaturesForAddress(program, options, 'finalized');
    for (let from = 0; from < page.length; from += READ_AT_ONCE) {
      const some = page.slice(from, from + READ_AT_ONCE);
      const read = await Promise.all(
        some.map(({ signature }) => at.getTransaction(signature, { maxSupportedTransactionVersion: 0 })),
      );
      const paid = read.flatMap((one, index) => {
        // Events are calls of the program to itself.
        const data = one?.meta?.innerInstructions?.at(-1)?.instructions.at(-1)?.data;
        return data === undefined ? [] : [{ signature: some[index]?.signature, slot: one?.slot, data }];
      });
      found += paid.length;
      await db.query(
        `insert into bench_log (chain, tx_hash, log_index, block, block_hash, block_time, kind, order_id, outcome, router, key, from_address, to_address,
           token, units, fee_units)
         select 'solana', l.tx, 0, l.slot, '', now(), 'settled', l.data, 'credited', $1, l.data, $1, $1, $1, 0, 0
         from unnest($2::text[], $3::bigint[], $4::text[]) as l(tx, slot, data)`,
        [chain.program.id, paid.map((one) => one.signature), paid.map((one) => one.slot), paid.map((one) => one.data)],
      );
    }
    before = page.at(-1)?.signature;
    if (page.length < PAGE) break;
  }
  if (found < ORDERS) throw new Error(`${found} of ${ORDERS} payments were found`);
  return performance.now() - began;
}
