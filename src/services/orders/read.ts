// One order by its id, as every call of the API and every look at a checkout reads it: prepared, because Prisma's way costs several times the statement.
import type { Ctx } from '../../context.ts';
import { decimalOf, type Prepared, type Row, runPrepared, sqlText, type Tx } from '../../db.ts';

/** All columns by name: a prepared statement with a star breaks when a migration adds one. */
const COLUMNS = {
  id: 'id',
  handleId: 'handle_id',
  recipientId: 'recipient_id',
  livemode: 'livemode',
  origin: 'origin',
  linkId: 'link_id',
  status: 'status',
  description: 'description',
  currency: 'currency',
  chain: 'chain',
  router: 'router',
  routerAddress: 'router_address',
  token: 'token',
  decimals: 'decimals',
  payee: 'payee',
  units: 'units',
  feeUnits: 'fee_units',
  deadline: 'deadline',
  onChainId: 'on_chain_id',
  metadata: 'metadata',
  depositAddress: 'deposit_address',
  depositShownAt: 'deposit_shown_at',
  receivedUnits: 'received_units',
  refundedUnits: 'refunded_units',
  payer: 'payer',
  txHash: 'tx_hash',
  chat: 'chat',
  createdAt: 'created_at',
  endedAt: 'ended_at',
  successUrl: 'success_url',
  cancelUrl: 'cancel_url',
  clientReferenceId: 'client_reference_id',
  lineItems: 'line_items',
  embedOrigins: 'embed_origins',
  openedAt: 'opened_at',
  opensRecorded: 'opens_recorded',
} satisfies Record<keyof Row<'Order'>, string>;

const COLUMN_LIST = Object.entries(COLUMNS)
  .map(([field, column]) => `${column} as "${field}"`)
  .join(', ');

/** Id by id, through a function with an opaque row count: PostgreSQL plans “id = any($1)” again for every call once the table is large. */
const READ: Prepared = {
  name: 'read orders',
  text: `select o.* from jsonb_array_elements_text($1::jsonb) as asked (id)
    cross join lateral (select ${COLUMN_LIST} from payment_order where id = asked.id offset 0) o`,
};
const READ_PAGE: Prepared = {
  name: 'read page of orders',
  text: `select ${COLUMN_LIST} from payment_order where handle_id = $1 and livemode = $2 and id < $3 order by id desc limit $4`,
};
/** Above every id, in every collation: a sign that is no letter may sort below them. */
const TOP = `ord_${'z'.repeat(27)}`;

/** pg gives numbers that JavaScript cannot hold as their digits. */
type Read = Omit<Row<'Order'>, Large | 'deadline'> & Record<Large | 'deadline', string>;
type Large = 'units' | 'feeUnits' | 'receivedUnits' | 'refundedUnits';
/** An order to be shown: a list is read for its digits, and has no use for numbers that can be reckoned with. */
export type ShownOrder = Omit<Row<'Order'>, Large> & Record<Large, { toFixed(places: number): string }>;

type Reading = { ids: Set<string>; rows: Promise<ReadonlyMap<string, Read>> };
/** Those that have not begun yet, of each process's own context. */
const readings = new WeakMap<Ctx, Reading>();

/**
 * The order as it is now. One statement reads all orders that are requested in one turn of the event loop, and begins after the last request:
 * under load it serves many calls, and each gets a state no older than its call.
 */
export async function readOrder(ctx: Ctx, id: string): Promise<Row<'Order'> | null> {
  const reading = readings.get(ctx) ?? gather(ctx);
  reading.ids.add(id);
  const row = (await reading.rows).get(id);
  return row ? rowOf(row) : null;
}

function gather(ctx: Ctx): Reading {
  const ids = new Set<string>();
  async function read(): Promise<ReadonlyMap<string, Read>> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    // Requests from here on belong to the next statement.
    readings.delete(ctx);
    const { rows } = await runPrepared<Read>(ctx.db, READ, [JSON.stringify([...ids])]);
    return new Map(rows.map((row) => [row.id, row]));
  }
  const reading = { ids, rows: read() };
  readings.set(ctx, reading);
  return reading;
}

/** The newest orders of a workspace in one mode, below an id where there is one. */
export async function readNewest(
  ctx: Ctx,
  {
    workspaceId,
    livemode,
    below = TOP,
    count,
  }: { workspaceId: string; livemode: boolean; below?: string | undefined; count: number },
): Promise<ShownOrder[]> {
  const { rows } = await runPrepared<Read>(ctx.db, READ_PAGE, [workspaceId, livemode, below, count]);
  return rows.map(shownOf);
}

/** Orders as a transaction has them now, in no order. Past Prisma's layers, which cost more than the statement. */
export function readInTx(tx: Tx, ids: string[]): Promise<Row<'Order'>[]> {
  return tx.$queryRaw<Row<'Order'>[]>`select ${sqlText(COLUMN_LIST)} from payment_order where id = any(${ids}::text[])`;
}

function rowOf(row: Read): Row<'Order'> {
  const decimal = (digits: string) => decimalOf(BigInt(digits));
  return {
    ...row,
    units: decimal(row.units),
    feeUnits: decimal(row.feeUnits),
    receivedUnits: decimal(row.receivedUnits),
    refundedUnits: decimal(row.refundedUnits),
    deadline: BigInt(row.deadline),
  };
}

function shownOf(row: Read): ShownOrder {
  const digits = (text: string) => ({ toFixed: () => text });
  return {
    ...row,
    units: digits(row.units),
    feeUnits: digits(row.feeUnits),
    receivedUnits: digits(row.receivedUnits),
    refundedUnits: digits(row.refundedUnits),
    deadline: BigInt(row.deadline),
  };
}
