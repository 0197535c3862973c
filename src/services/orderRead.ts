// One order by its id, as every call of the API and every look at a checkout reads it: prepared, because Prisma's way costs several times the statement.
import type { Ctx } from '../context.ts';
import { decimalOf, type Prepared, type Row, runPrepared } from '../db.ts';

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
} satisfies Record<keyof Row<'Order'>, string>;

const COLUMN_LIST = Object.entries(COLUMNS)
  .map(([field, column]) => `${column} as "${field}"`)
  .join(', ');

const READ: Prepared = { name: 'read order', text: `select ${COLUMN_LIST} from payment_order where id = $1` };
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

export async function readOrder(ctx: Ctx, id: string): Promise<Row<'Order'> | null> {
  const [row] = (await runPrepared<Read>(ctx.db, READ, [id])).rows;
  return row ? rowOf(row) : null;
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
