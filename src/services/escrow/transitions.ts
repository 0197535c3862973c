// The only writer of escrow statuses: each transition that sends an event commits with it, in one transaction.
import { type Ctx, chainOf } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { EscrowAction, EscrowStatus } from '../../domain/escrow.ts';
import type { EscrowEvent } from '../../domain/events.ts';
import { formatUnits } from '../../domain/money.ts';
import { isLive } from '../chains.ts';
import { writeEvents } from '../events.ts';
import { type Transition, transition } from '../transitions.ts';

type Told = { event: EscrowEvent; from: EscrowStatus };
/** An escrow that was never opened sends no event, and neither does a reorg: the events of the replaced blocks were sent before. */
const EVENTS: Partial<Record<EscrowAction, Told>> = {
  confirm: { event: 'escrow.created', from: 'pending_create' },
  claim: { event: 'escrow.claimed', from: 'open' },
  refund: { event: 'escrow.refunded', from: 'open' },
};

/**
 * Moves tabs and tells their senders' workspaces, each of the three things once a tab, whatever a chain takes back and brings again.
 * A batch has at most one move a tab.
 * @returns those that moved: the others are in a status that does not allow it
 */
export async function moveEscrows(ctx: Ctx, tx: Tx, moves: Transition<'escrow'>[]): Promise<Set<string>> {
  const moved = await transition(ctx, tx, 'escrow', moves);
  const told = moves.filter(({ id, action }) => moved.has(id) && EVENTS[action]);
  if (told.length === 0) return moved;
  const rows = await tx.escrow.findMany({ where: { id: { in: told.map(({ id }) => id) } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const drafts = told.flatMap(({ id, action }) => {
    const [row, kind] = [byId.get(id), EVENTS[action]];
    if (!row?.senderHandleId || !kind) return [];
    const object = escrowObject(ctx, row);
    return {
      handleId: row.senderHandleId,
      livemode: object.livemode,
      type: kind.event,
      resourceId: id,
      uniqueKey: `${id}:${kind.event}`,
      object: { escrow: object },
      previous: { status: kind.from },
    };
  });
  await writeEvents(ctx, tx, drafts);
  return moved;
}

/** Moves one tab. @returns whether it moved */
export async function moveEscrow(ctx: Ctx, tx: Tx, move: Transition<'escrow'>): Promise<boolean> {
  return (await moveEscrows(ctx, tx, [move])).has(move.id);
}

export type EscrowObject = ReturnType<typeof escrowObject>;

/** A tab as its sender's programs know it. Amounts are canonical decimal strings, times ISO 8601 in UTC. The note is the sender's own. */
function escrowObject(ctx: Ctx, row: Row<'Escrow'>) {
  return {
    id: row.id,
    object: 'escrow' as const,
    status: row.status as EscrowStatus,
    amount: formatUnits(BigInt(row.units.toFixed(0)), row.decimals),
    currency: row.asset,
    chain: row.chain,
    handleSlug: row.handleSlug,
    recipient_label: row.recipientLabel,
    deadline: new Date(Number(row.deadline) * 1_000).toISOString(),
    revocable: row.revocable,
    note: row.note,
    onChainId: row.tabId,
    tx_hash: row.openTxHash,
    txHash: row.openTxHash,
    close_tx_hash: row.closeTxHash,
    paid_to: row.paidTo,
    created_at: row.createdAt.toISOString(),
    opened_at: row.openedAt?.toISOString() ?? null,
    closed_at: row.closedAt?.toISOString() ?? null,
    livemode: isLive(chainOf(ctx, row.chain)),
  };
}
