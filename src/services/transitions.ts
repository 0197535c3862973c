// The only writer of a status: looks the move up in the lifecycle's table, compares and sets, and notes the transition beside it.
// One statement moves any number of rows of a kind, because every step of a payment is done for a whole batch.

import type { Ctx } from '../context.ts';
import type { Json, Row, Tx } from '../db.ts';
import { sqlPart, sqlRows } from '../db.ts';
import { CLAIM, type ClaimAction, type ClaimStatus } from '../domain/claim.ts';
import { ESCROW, type EscrowAction } from '../domain/escrow.ts';
import { type Lifecycle, nextStatus, statusesAllowing } from '../domain/lifecycle.ts';
import { LINK, type LinkAction } from '../domain/link.ts';
import { LOGIN, type LoginAction } from '../domain/login.ts';
import { ORDER, ORDER_SUBMISSION, type OrderAction, type SubmissionAction } from '../domain/order.ts';
import { OUTGOING_TX, type OutgoingTxAction } from '../domain/outgoing.ts';
import { SPONSORED_CALL, type SponsoredAction } from '../domain/sponsoredCall.ts';
import { INTENT, type IntentAction, TIP, type TipAction } from '../domain/tip.ts';
import { WALLET_CHANGE, type WalletChangeAction } from '../domain/walletChange.ts';
import { traceOfMany } from './trace.ts';

/** What is written together with the status. JSON fields take what the column holds. */
type Patch<
  Model extends
    | 'Intent'
    | 'Tip'
    | 'OutgoingTx'
    | 'Link'
    | 'Login'
    | 'WalletChange'
    | 'Claim'
    | 'Escrow'
    | 'Order'
    | 'OrderSubmission',
  Field extends keyof Row<Model>,
> = {
  [F in Field]?: F extends 'detail' | 'failure' ? Json | null : Row<Model>[F];
};
type IntentPatch = Patch<
  'Intent',
  'detail' | 'senderHandleId' | 'confirmedAt' | 'validUntil' | 'attempts' | 'nextAttemptAt'
>;
type TipPatch = Patch<'Tip', 'failure' | 'outgoingTxId' | 'txHash' | 'leaseUntil' | 'settledAt'>;
type OutgoingTxPatch = Patch<
  'OutgoingTx',
  'executor' | 'nonce' | 'retryAt' | 'minedHash' | 'minedBlock' | 'minedBlockHash' | 'succeeded' | 'sentAt' | 'finalAt'
>;

type CallPatch = { outgoingTxId?: string; failure?: string };
type ClaimPatch = Patch<'Claim', 'recipient' | 'notAfter' | 'signature' | 'outgoingTxId'> & { failure?: string | null };
type EscrowPatch = Patch<
  'Escrow',
  'openTxHash' | 'closeTxHash' | 'paidTo' | 'openedAt' | 'closedAt' | 'openBlock' | 'closeBlock'
>;
type OrderPatch = Patch<'Order', 'payer' | 'txHash' | 'endedAt' | 'receivedUnits' | 'refundedUnits'>;
type SubmissionPatch = Patch<'OrderSubmission', 'outgoingTxId'> & { failure?: string | null };
type LinkPatch = Patch<'Link', 'handleId' | 'sessionId' | 'redeemedAt' | 'expiresAt'>;
type LoginPatch = Patch<'Login', 'verifier' | 'platformUserId' | 'username' | 'answerHash'>;
type WalletChangePatch = Patch<'WalletChange', 'endedAt'>;

/** One row's move. A batch has at most one move a row. */
export type Move<Action, Fields> = {
  id: string;
  action: Action;
  /** An action that comes first, in the same statement: the row passes the status between, and both transitions are noted. */
  through?: Action;
  patch?: Fields;
  /** Only from this status, of those that allow the action: for what was decided about a row as it was then. */
  from?: string | undefined;
};
export type IntentMove = Move<IntentAction, IntentPatch>;
export type TipMove = Move<TipAction, TipPatch>;
export type OutgoingTxMove = Move<OutgoingTxAction, OutgoingTxPatch>;
export type EscrowMove = Move<EscrowAction, EscrowPatch>;
export type OrderMove = Move<OrderAction, OrderPatch>;
export type SubmissionMove = Move<SubmissionAction, SubmissionPatch>;

/** The columns are those of the patch types above; `detail` is the one that the transition notes too. */
const INTENTS = {
  resource: 'intent',
  lifecycle: INTENT as Lifecycle<string, string>,
  table: sqlPart`intent`,
  columns: sqlPart`detail, sender_handle_id, confirmed_at, valid_until, attempts, next_attempt_at`,
  detail: 'detail',
};
const TIPS = {
  resource: 'tip',
  lifecycle: TIP as Lifecycle<string, string>,
  table: sqlPart`tip`,
  columns: sqlPart`failure, outgoing_tx_id, tx_hash, lease_until, settled_at`,
  detail: 'failure',
};
const OUTGOING_TXS = {
  resource: 'outgoing_tx',
  lifecycle: OUTGOING_TX as Lifecycle<string, string>,
  table: sqlPart`outgoing_tx`,
  columns: sqlPart`executor, nonce, retry_at, mined_hash, mined_block, mined_block_hash, succeeded, sent_at, final_at`,
  detail: 'detail',
};

const LINKS = {
  resource: 'link',
  lifecycle: LINK as Lifecycle<string, string>,
  table: sqlPart`link`,
  columns: sqlPart`handle_id, session_id, redeemed_at, expires_at`,
  detail: 'detail',
};

const LOGINS = {
  resource: 'login',
  lifecycle: LOGIN as Lifecycle<string, string>,
  table: sqlPart`login`,
  columns: sqlPart`verifier, platform_user_id, username, answer_hash`,
  detail: 'detail',
};

const WALLET_CHANGES = {
  resource: 'wallet_change',
  lifecycle: WALLET_CHANGE as Lifecycle<string, string>,
  table: sqlPart`wallet_change`,
  columns: sqlPart`ended_at`,
  detail: 'detail',
};

const CALLS = {
  resource: 'sponsored_call',
  lifecycle: SPONSORED_CALL as Lifecycle<string, string>,
  table: sqlPart`sponsored_call`,
  columns: sqlPart`outgoing_tx_id, failure`,
  detail: 'failure',
};

const CLAIMS = {
  resource: 'claim',
  lifecycle: CLAIM as Lifecycle<string, string>,
  table: sqlPart`claim`,
  columns: sqlPart`recipient, not_after, signature, outgoing_tx_id, failure`,
  detail: 'failure',
};

const ESCROWS = {
  resource: 'escrow',
  lifecycle: ESCROW as Lifecycle<string, string>,
  table: sqlPart`escrow`,
  columns: sqlPart`open_tx_hash, close_tx_hash, paid_to, opened_at, closed_at, open_block, close_block`,
  detail: 'detail',
};

const ORDERS = {
  resource: 'order',
  lifecycle: ORDER as Lifecycle<string, string>,
  table: sqlPart`payment_order`,
  columns: sqlPart`payer, tx_hash, ended_at, received_units, refunded_units`,
  detail: 'detail',
};

const ORDER_SUBMISSIONS = {
  resource: 'order_submission',
  lifecycle: ORDER_SUBMISSION as Lifecycle<string, string>,
  table: sqlPart`order_submission`,
  columns: sqlPart`outgoing_tx_id, failure`,
  detail: 'failure',
};

/** Moves intents. @returns those that moved: the others are in a status that does not allow the action, because somebody else was first */
export function advanceIntents(ctx: Ctx, tx: Tx, moves: IntentMove[]): Promise<Set<string>> {
  return advance(ctx, tx, INTENTS, moves);
}

/** Moves legs. Same answer as {@link advanceIntents}. */
export function advanceTips(ctx: Ctx, tx: Tx, moves: TipMove[]): Promise<Set<string>> {
  return advance(ctx, tx, TIPS, moves);
}

/** Moves outgoing transactions. Same answer as {@link advanceIntents}. */
export function advanceTxs(ctx: Ctx, tx: Tx, moves: OutgoingTxMove[]): Promise<Set<string>> {
  return advance(ctx, tx, OUTGOING_TXS, moves);
}

/** Moves one intent. @returns whether it moved */
export async function advanceIntent(ctx: Ctx, tx: Tx, id: string, action: IntentAction, patch: IntentPatch = {}) {
  return (await advanceIntents(ctx, tx, [{ id, action, patch }])).has(id);
}

/** Moves one leg. @returns whether it moved */
export async function advanceTip(ctx: Ctx, tx: Tx, id: string, action: TipAction, patch: TipPatch = {}) {
  return (await advanceTips(ctx, tx, [{ id, action, patch }])).has(id);
}

/** Moves one outgoing transaction. @returns whether it moved */
export async function advanceTx(ctx: Ctx, tx: Tx, id: string, action: OutgoingTxAction, patch: OutgoingTxPatch = {}) {
  return (await advanceTxs(ctx, tx, [{ id, action, patch }])).has(id);
}

/** Moves a one-time link. @returns whether it moved */
export async function advanceLink(ctx: Ctx, tx: Tx, id: string, action: LinkAction, patch: LinkPatch = {}) {
  return (await advance(ctx, tx, LINKS, [{ id, action, patch }])).has(id);
}

/** Moves a login at a platform. @returns whether it moved */
export async function advanceLogin(ctx: Ctx, tx: Tx, id: string, action: LoginAction, patch: LoginPatch = {}) {
  return (await advance(ctx, tx, LOGINS, [{ id, action, patch }])).has(id);
}

/** Moves a change of a payout wallet. @returns whether it moved */
export async function advanceWalletChange(
  ctx: Ctx,
  tx: Tx,
  id: string,
  action: WalletChangeAction,
  patch: WalletChangePatch = {},
) {
  return (await advance(ctx, tx, WALLET_CHANGES, [{ id, action, patch }])).has(id);
}

/** Moves a call that a wallet signed. @returns whether it moved */
export async function advanceCall(ctx: Ctx, tx: Tx, id: string, action: SponsoredAction, patch: CallPatch) {
  return (await advance(ctx, tx, CALLS, [{ id, action, patch }])).has(id);
}

/** Moves a claim. @returns whether it moved */
export async function advanceClaim(
  ctx: Ctx,
  tx: Tx,
  id: string,
  action: ClaimAction,
  patch: ClaimPatch = {},
  from?: ClaimStatus,
) {
  return (await advance(ctx, tx, CLAIMS, [{ id, action, patch, from }])).has(id);
}

/** Moves tabs; services/escrow/transitions is the only caller, because an event goes with it. Same answer as {@link advanceIntents}. */
export function advanceEscrows(ctx: Ctx, tx: Tx, moves: EscrowMove[]): Promise<Set<string>> {
  return advance(ctx, tx, ESCROWS, moves);
}

/** Moves orders; services/orders/transitions is the only caller, because an event goes with it. Same answer as {@link advanceIntents}. */
export function advanceOrders(ctx: Ctx, tx: Tx, moves: OrderMove[]): Promise<Set<string>> {
  return advance(ctx, tx, ORDERS, moves);
}

/** Moves payments of orders that we send. Same answer as {@link advanceIntents}. */
export function advanceSubmissions(ctx: Ctx, tx: Tx, moves: SubmissionMove[]): Promise<Set<string>> {
  return advance(ctx, tx, ORDER_SUBMISSIONS, moves);
}

type Kind = typeof INTENTS;
type Moved = {
  id: string;
  path: string;
  from_status: string;
  platform: string | null;
  message_id: string | null;
  sender_id: string | null;
};

/** Where the log finds the chat message of a row: an intent's own, or that of a leg's intent. */
const MESSAGES: Readonly<Record<string, typeof TIPS.table>> = {
  intent: sqlPart`left join intent i on i.id = m.id`,
  tip: sqlPart`left join tip l on l.id = m.id left join intent i on i.id = l.intent_id`,
};
const NO_MESSAGE = sqlPart`cross join (select null as platform, null as message_id, null as sender_id) i`;

/** Rows are locked in the order of their ids, so that two batches that meet wait for each other instead of in a circle. */
async function advance(
  ctx: Ctx,
  tx: Tx,
  kind: Kind,
  moves: Move<string, Record<string, unknown>>[],
): Promise<Set<string>> {
  if (moves.length === 0) return new Set();
  const { resource, lifecycle, table, columns } = kind;
  const wanted = moves.map(({ id, patch = {}, from, ...move }) => ({
    id,
    path: pathOf(move).join(' '),
    seen: from,
    patch: Object.fromEntries(Object.entries(patch).map(([name, value]) => [columnOf(name), value])),
    detail: patch[kind.detail],
  }));
  const { rules, steps } = rulesOf(lifecycle, moves);
  const moved = await tx.$queryRaw<Moved[]>`
    with wanted as (
      select * from jsonb_to_recordset(${sqlRows(wanted)}) as w(id text, path text, seen text, patch jsonb, detail jsonb)
    ), rules as (
      select * from jsonb_to_recordset(${sqlRows(rules)}) as r(path text, from_status text, to_status text)
    ), steps as (
      select * from jsonb_to_recordset(${sqlRows(steps)}) as s(path text, start text, position int, action text, from_status text, to_status text)
    ), held as (
      select id, status from ${table} where id in (select id from wanted) order by id for update
    ), moved as (
      update ${table} t
        set status = r.to_status, (${columns}) = (select ${columns} from jsonb_populate_record(t, w.patch))
        from wanted w join held h on h.id = w.id join rules r on r.path = w.path and r.from_status = h.status
        where t.id = w.id and h.status = coalesce(w.seen, h.status)
        returning t.id, r.path, r.from_status, w.detail
    ), noted as (
      insert into transition (resource, resource_id, action, from_status, to_status, at, detail)
        select ${resource}, m.id, s.action, s.from_status, s.to_status, ${new Date(ctx.clock.now())}::timestamptz, m.detail
        from moved m join steps s on s.path = m.path and s.start = m.from_status order by m.id, s.position
    )
    select m.id, m.path, m.from_status, i.platform, i.message_id, i.sender_id
      from moved m ${MESSAGES[resource] ?? NO_MESSAGE}`;
  logMoves(ctx, resource, moved, steps);
  return new Set(moved.map((row) => row.id));
}

function pathOf({ through, action }: Pick<Move<string, unknown>, 'through' | 'action'>): string[] {
  return through === undefined ? [action] : [through, action];
}

/** Where a path of actions leads from each status, and the single transitions on the way. */
type Rule = { path: string; from_status: string; to_status: string };
type Step = { path: string; start: string; position: number; action: string; from_status: string; to_status: string };

function rulesOf(
  lifecycle: Lifecycle<string, string>,
  moves: Pick<Move<string, unknown>, 'through' | 'action'>[],
): { rules: Rule[]; steps: Step[] } {
  const paths = new Map(moves.map((move) => [pathOf(move).join(' '), pathOf(move)]));
  const rules: Rule[] = [];
  const steps: Step[] = [];
  for (const [path, actions] of paths) {
    for (const start of statusesAllowing(lifecycle, actions[0] ?? '')) {
      const taken: Step[] = [];
      let status = start;
      for (const [position, action] of actions.entries()) {
        const next = nextStatus(lifecycle, status, action);
        if (next === null) break;
        taken.push({ path, start, position, action, from_status: status, to_status: next });
        status = next;
      }
      if (taken.length < actions.length) continue;
      rules.push({ path, from_status: start, to_status: status });
      steps.push(...taken);
    }
  }
  return { rules, steps };
}

/** One line for all rows that made the same transition. */
function logMoves(ctx: Ctx, resource: string, moved: Moved[], steps: Step[]): void {
  for (const { path, start, action, from_status, to_status } of steps) {
    const rows = moved.filter((row) => row.path === path && row.from_status === start);
    const [first] = rows;
    if (!first) continue;
    const ids = rows.length === 1 ? first.id : rows.map((row) => row.id);
    const messages = traceOfMany(
      ctx,
      rows.flatMap(({ platform, message_id, sender_id }) =>
        platform === null ? [] : [{ platform, messageId: message_id, senderId: sender_id }],
      ),
    );
    ctx.log.info({ [resource]: ids, ...messages, from: from_status, to: to_status }, action);
  }
}

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
