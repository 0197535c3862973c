// A workspace as a year of business leaves it: orders of every end, over several networks and links, with failed payments and refunds.
import { createHash } from 'node:crypto';
import type { Db } from '../src/db.ts';
import type { ChainName } from '../src/domain/chains.ts';
import { formatId } from '../src/domain/ids.ts';

const DAY_MS = 86_400_000;
const DAYS = 400;
const LINKS = 40;
const AT_ONCE = 5_000;
const ADDRESS = `0x${'ab'.repeat(20)}`;
const USDC = { currency: 'USDC', decimals: 6, least: 1_000_000n };
const ETH = { currency: 'ETH', decimals: 18, least: 1_000_000_000_000_000n };

type Drawn = ReturnType<typeof drawOrder>;

/** The same figures in each run: `index` decides everything. */
function drawOrder(index: number, count: number, now: number) {
  const bytes = createHash('sha256').update(String(index)).digest();
  const share = (at: number) => (bytes[at] ?? 0) / 256;
  const at = now - Math.floor(((count - index) / count) * DAYS * DAY_MS);
  const asset = share(0) < 0.9 ? USDC : ETH;
  const chain: ChainName = asset === ETH || share(1) < 0.6 ? 'base' : 'base-sepolia';
  const status =
    share(2) < 0.68 ? 'completed' : share(2) < 0.9 ? 'expired' : share(2) < 0.97 ? 'cancelled' : 'awaiting_payment';
  const units = asset.least + (asset.least * BigInt(bytes.readUInt16BE(3))) / 100n;
  return {
    id: formatId('ord', at, bytes.subarray(8, 18)),
    on_chain_id: `0x${createHash('sha256').update(`on chain ${index}`).digest('hex')}`,
    at: new Date(at).toISOString(),
    ended_at: status === 'awaiting_payment' ? null : new Date(at + 60_000 + (bytes[5] ?? 0) * 10_000).toISOString(),
    opened_at: share(6) < 0.8 ? new Date(at + 5_000).toISOString() : null,
    status,
    chain,
    link: share(7) < 0.4 ? (bytes[18] ?? 0) % LINKS : null,
    units: String(units),
    fee: String(units / 100n),
    refunded: status === 'completed' && share(19) < 0.03 ? String(units / 2n) : '0',
    failed: share(20) < 0.04,
    tx_hash: `0x${createHash('sha256').update(`transaction ${index}`).digest('hex')}`,
    ...asset,
    least: undefined,
  };
}

/** @param livemode of all of them */
export async function insertOrders(
  db: Db,
  { handleId, count, now, livemode = false }: { handleId: string; count: number; now: number; livemode?: boolean },
): Promise<void> {
  const links = Array.from({ length: LINKS }, (_, index) => formatId('plk', now + index, Buffer.alloc(10, index)));
  await db.paymentLink.createMany({
    data: links.map((id, index) => ({
      id,
      handleId,
      livemode,
      label: `Product ${index + 1}`,
      openAmount: true,
      currency: 'USDC',
      chain: 'base',
      recipientId: handleId,
      createdAt: new Date(now - DAYS * DAY_MS),
    })),
  });
  for (let first = 0; first < count; first += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - first);
    const drawn = Array.from({ length }, (_, index) => drawOrder(first + index, count, now));
    await insertPage(db, { handleId, livemode, links }, drawn);
  }
  // As autovacuum would have done by then.
  for (const table of ['payment_order', 'order_log', 'order_submission'])
    await db.$executeRawUnsafe(`vacuum analyze ${table}`);
}

async function insertPage(
  db: Db,
  { handleId, livemode, links }: { handleId: string; livemode: boolean; links: string[] },
  drawn: Drawn[],
): Promise<void> {
  const rows = JSON.stringify(drawn.map((one) => ({ ...one, link: one.link === null ? null : links[one.link] })));
  const columns = `id text, on_chain_id text, at timestamptz, ended_at timestamptz, opened_at timestamptz, status text, chain text, link text,
    units numeric, fee numeric, refunded numeric, failed boolean, tx_hash text, currency text, decimals int`;
  await db.$executeRawUnsafe(
    `insert into payment_order (id, handle_id, recipient_id, livemode, origin, link_id, status, description, currency, chain, router, router_address,
      token, decimals, payee, units, fee_units, deadline, on_chain_id, metadata, refunded_units, payer, tx_hash, created_at, ended_at, opened_at,
      opens_recorded)
    select id, $2, $2, $3, 'api', link, status, 'Order of the bench', currency, chain, 'business', '${ADDRESS}', '${ADDRESS}', decimals, '${ADDRESS}',
      units, fee, extract(epoch from at)::bigint + 3600, on_chain_id, '{"cart": "7041", "customer": "cus_29481"}'::jsonb, refunded, '${ADDRESS}',
      case status when 'completed' then tx_hash end, at, ended_at, opened_at, true
    from jsonb_to_recordset($1::jsonb) as o(${columns})`,
    rows,
    handleId,
    livemode,
  );
  await db.$executeRawUnsafe(
    `insert into order_submission (id, order_id, chain, payer, way, to_address, data, gas, status, failure, created_at, expires_at)
    select 'sub_' || id, id, chain, '${ADDRESS}', 'eip3009', '${ADDRESS}', '0x', 100000, 'failed', 'The network rejected this payment.', at, at
    from jsonb_to_recordset($1::jsonb) as o(${columns}) where failed`,
    rows,
  );
  await db.$executeRawUnsafe(
    `insert into order_log (chain, tx_hash, log_index, block, block_hash, block_time, kind, order_id, outcome, router, to_address, token, units)
    select chain, tx_hash, 1, 1, tx_hash, ended_at + interval '1 day', 'refunded', id, 'credited', '${ADDRESS}', '${ADDRESS}', '${ADDRESS}', refunded
    from jsonb_to_recordset($1::jsonb) as o(${columns}) where refunded > 0`,
    rows,
  );
}
