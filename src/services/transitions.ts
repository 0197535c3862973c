// The only writer of a status: looks the move up in the lifecycle's table, compares and sets, and notes the transition beside it.
// One statement moves any number of rows of a kind, because every step of a payment is done for a whole batch.

import type { Ctx } from '../context.ts';
import type { Json, Row, Tx } from '../db.ts';
import { sqlPart, sqlRows, sqlText } from '../db.ts';
import { BATCH } from '../domain/batch.ts';
import { CAMPAIGN, GRANT } from '../domain/campaign.ts';
import { CLAIM } from '../domain/claim.ts';
import { ESCROW } from '../domain/escrow.ts';
import { type Lifecycle, nextStatus, statusesAllowing } from '../domain/lifecycle.ts';
import { LINK } from '../domain/link.ts';
import { LOGIN } from '../domain/login.ts';
import { ORDER, ORDER_SUBMISSION } from '../domain/order.ts';
import { OUTGOING_TX } from '../domain/outgoing.ts';
import { PAUSE } from '../domain/pause.ts';
import { SEND } from '../domain/send.ts';
import { SMART_LEG, SMART_PAYMENT } from '../domain/smartLeg.ts';
import { SPONSORED_CALL } from '../domain/sponsoredCall.ts';
import { PLAN, SUBSCRIPTION, TRIAL } from '../domain/subscription.ts';
import { INTENT, TIP } from '../domain/tip.ts';
import { TREASURY_TRANSFER } from '../domain/treasuryTransfer.ts';
import { WALLET_CHANGE } from '../domain/walletChange.ts';
import { traceOfMany } from './trace.ts';

type Model =
  | 'Intent'
  | 'Tip'
  | 'OutgoingTx'
  | 'SponsoredCall'
  | 'Claim'
  | 'Escrow'
  | 'Order'
  | 'OrderSubmission'
  | 'Link'
  | 'Login'
  | 'Pause'
  | 'TreasuryTransfer'
  | 'WalletChange'
  | 'Plan'
  | 'Subscription'
  | 'ChargeBatch'
  | 'Trial'
  | 'Campaign'
  | 'Grant'
  | 'GrantBatch'
  | 'SmartPayment'
  | 'SmartLeg'
  | 'Send';
type Field<M extends Model> = Extract<keyof Row<M>, string>;
/** A JSON column takes what can be stored in it. */
type Value<Stored> = Row<'Intent'>['detail'] extends Stored ? Json | null : Stored;

const machineOf =
  <M extends Model>() =>
  <Status extends string, Action extends string, F extends Field<M>>(
    lifecycle: Lifecycle<Status, Action>,
    table: typeof NO_MESSAGE,
    fields: readonly F[],
  ) => ({ lifecycle, table, fields, patch: {} as { [Name in F]?: Value<Row<M>[Name]> } });

/** Every machine by its resource: its rules, its table, and the fields that may be written together with the status. */
const MACHINES = {
  intent: machineOf<'Intent'>()(INTENT, sqlPart`intent`, [
    'detail',
    'senderHandleId',
    'confirmedAt',
    'validUntil',
    'attempts',
    'nextAttemptAt',
  ]),
  tip: machineOf<'Tip'>()(TIP, sqlPart`tip`, ['failure', 'outgoingTxId', 'txHash', 'leaseUntil', 'settledAt']),
  outgoing_tx: machineOf<'OutgoingTx'>()(OUTGOING_TX, sqlPart`outgoing_tx`, [
    'executor',
    'nonce',
    'retryAt',
    'minedHash',
    'minedBlock',
    'minedBlockHash',
    'minedDigest',
    'nextLookAt',
    'unclearLooks',
    'succeeded',
    'sentAt',
    'finalAt',
  ]),
  sponsored_call: machineOf<'SponsoredCall'>()(SPONSORED_CALL, sqlPart`sponsored_call`, ['outgoingTxId', 'failure']),
  claim: machineOf<'Claim'>()(CLAIM, sqlPart`claim`, ['recipient', 'notAfter', 'signature', 'outgoingTxId', 'failure']),
  /** Written by services/escrow/transitions alone, because an event goes with it. */
  escrow: machineOf<'Escrow'>()(ESCROW, sqlPart`escrow`, [
    'openTxHash',
    'closeTxHash',
    'paidTo',
    'openedAt',
    'closedAt',
    'openBlock',
    'closeBlock',
  ]),
  /** Written by services/orders/transitions alone, because an event goes with it. */
  order: machineOf<'Order'>()(ORDER, sqlPart`payment_order`, [
    'payer',
    'txHash',
    'endedAt',
    'receivedUnits',
    'refundedUnits',
  ]),
  treasury_transfer: machineOf<'TreasuryTransfer'>()(TREASURY_TRANSFER, sqlPart`treasury_transfer`, [
    'moveKey',
    'outgoingTxId',
    'failure',
    'triedAt',
  ]),
  order_submission: machineOf<'OrderSubmission'>()(ORDER_SUBMISSION, sqlPart`order_submission`, [
    'outgoingTxId',
    'failure',
  ]),
  link: machineOf<'Link'>()(LINK, sqlPart`link`, ['handleId', 'sessionId', 'redeemedAt', 'expiresAt']),
  login: machineOf<'Login'>()(LOGIN, sqlPart`login`, ['verifier', 'platformUserId', 'username', 'answerHash']),
  pause: machineOf<'Pause'>()(PAUSE, sqlPart`pause`, ['attempt', 'outgoingTxId', 'since']),
  wallet_change: machineOf<'WalletChange'>()(WALLET_CHANGE, sqlPart`wallet_change`, ['endedAt']),
  /** Written by services/plans/planMirror alone, because an event goes with it. */
  plan: machineOf<'Plan'>()(PLAN, sqlPart`plan`, ['createTxHash', 'confirmedAt']),
  /** Written by services/plans/subscriptionMirror and services/plans/lapses, because events go with it. */
  subscription: machineOf<'Subscription'>()(SUBSCRIPTION, sqlPart`subscription`, [
    'lastChargedAt',
    'nextChargeAt',
    'chargesPaid',
    'paidUnits',
    'feeUnits',
    'endedAt',
    'endedBy',
    'haltReason',
    'endTxHash',
    'block',
    'logIndex',
    'failure',
    'failingSince',
    'failureNotices',
    'nextTryAt',
  ]),
  charge_batch: machineOf<'ChargeBatch'>()(BATCH, sqlPart`charge_batch`, ['outcomes', 'endedAt']),
  trial: machineOf<'Trial'>()(TRIAL, sqlPart`trial`, ['failure', 'tryAt']),
  campaign: machineOf<'Campaign'>()(CAMPAIGN, sqlPart`campaign`, [
    'totalUnits',
    'mostUnits',
    'recipients',
    'expiresAt',
    'openTxHash',
    'openedAt',
    'closedAt',
  ]),
  /** Paid by services/plans/campaigns/indexing alone, because an event goes with it. */
  grant: machineOf<'Grant'>()(GRANT, sqlPart`campaign_grant`, [
    'failure',
    'address',
    'handleId',
    'batchId',
    'opensAccount',
    'waiting',
    'nextTryAt',
    'txHash',
    'paidAt',
  ]),
  grant_batch: machineOf<'GrantBatch'>()(BATCH, sqlPart`grant_batch`, ['outcomes', 'endedAt']),
  smart_payment: machineOf<'SmartPayment'>()(SMART_PAYMENT, sqlPart`smart_payment`, ['endedAt']),
  smart_leg: machineOf<'SmartLeg'>()(SMART_LEG, sqlPart`smart_leg`, [
    'originHash',
    'originNonce',
    'destinationHash',
    'refundHash',
    'reason',
    'nextLookAt',
    'sentAt',
    'endedAt',
  ]),
  send: machineOf<'Send'>()(SEND, sqlPart`send`, ['callId', 'txHash', 'failure', 'endedAt']),
};

type Machines = typeof MACHINES;
type Resource = keyof Machines;
type ActionOf<Name extends Resource> =
  Machines[Name]['lifecycle'] extends Lifecycle<infer _, infer Action> ? Action : never;
type PatchOf<Name extends Resource> = Machines[Name]['patch'];

/** One row's transition. A batch has at most one a row. */
export type Transition<Name extends Resource> = {
  id: string;
  action: ActionOf<Name>;
  /** An action that comes first, in the same statement: the row passes the status between, and both transitions are noted. */
  through?: ActionOf<Name>;
  patch?: PatchOf<Name>;
  /** Only from this status, of those that allow the action: for what was decided about a row as it was then. */
  from?: string | undefined;
};

/** @returns whether the row made the transition, see {@link transition} */
export async function transitionOne<Name extends Resource>(
  ctx: Ctx,
  tx: Tx,
  resource: Name,
  id: string,
  action: ActionOf<Name>,
  patch: PatchOf<Name> = {},
): Promise<boolean> {
  return (await transition(ctx, tx, resource, [{ id, action, patch }])).has(id);
}

type Moved = {
  id: string;
  path: string;
  from_status: string;
  platform: string | null;
  message_id: string | null;
  sender_id: string | null;
};

/** Where the log finds the chat message of a row: an intent's own, or that of a leg's intent. */
const MESSAGES: Readonly<Record<string, typeof NO_MESSAGE>> = {
  intent: sqlPart`left join intent i on i.id = m.id`,
  tip: sqlPart`left join tip l on l.id = m.id left join intent i on i.id = l.intent_id`,
};
const NO_MESSAGE = sqlPart`cross join (select null as platform, null as message_id, null as sender_id) i`;

/**
 * Rows are locked in the order of their ids, so two batches that share rows wait for each other and cannot deadlock.
 * @returns the rows that made their transition: the others have a status that does not allow the action, because another process was first
 */
export async function transition<Name extends Resource>(
  ctx: Ctx,
  tx: Tx,
  resource: Name,
  moves: Transition<Name>[],
): Promise<Set<string>> {
  if (moves.length === 0) return new Set();
  const { table, fields } = MACHINES[resource];
  const lifecycle = MACHINES[resource].lifecycle as Lifecycle<string, string>;
  const columns = sqlText(fields.map(columnOf).join(', '));
  const wanted = moves.map(({ id, patch = {}, from, ...move }) => ({
    id,
    path: pathOf(move).join(' '),
    seen: from,
    patch: Object.fromEntries(Object.entries(patch).map(([name, value]) => [columnOf(name), value])),
    detail: noteOf(patch),
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

/** Of what is written, the part that the transition notes too. */
function noteOf(patch: object): unknown {
  const { detail, failure } = patch as { detail?: unknown; failure?: unknown };
  return failure === undefined ? detail : failure;
}

function pathOf({ through, action }: { through?: string | undefined; action: string }): string[] {
  return through === undefined ? [action] : [through, action];
}

/** Where a path of actions leads from each status, and the single transitions on the way. */
type Rule = { path: string; from_status: string; to_status: string };
type Step = { path: string; start: string; position: number; action: string; from_status: string; to_status: string };

function rulesOf(
  lifecycle: Lifecycle<string, string>,
  moves: { through?: string | undefined; action: string }[],
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
