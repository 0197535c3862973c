// An escrow as operators see it: opened, claimed or sent back, with its transactions and its notices.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { transactionUrl } from '../chains.ts';
import { reservedFor } from '../escrow/rows.ts';
import { directChatsOf } from '../outbox/directMessages.ts';
import { repliesByKeys, replySteps } from './replies.ts';
import { type CaseStep, moveSteps, step, transactionSteps } from './steps.ts';

const MOST_CLAIMS = 50;
const NOTICES = ['tab_claimed', 'tab_refunded', 'tab_reminder', 'tab_name_hold'];

/** Everything that happened to an escrow, in no order. */
export async function escrowSteps(ctx: Ctx, escrow: Row<'Escrow'>): Promise<CaseStep[]> {
  const claims = await ctx.db.claim.findMany({
    where: { chain: escrow.chain, tabId: escrow.tabId },
    select: { id: true, outgoingTxId: true },
    orderBy: { createdAt: 'desc' },
    take: MOST_CLAIMS,
  });
  const txIds = [...claims.map(({ outgoingTxId }) => outgoingTxId), escrow.refundTxId].flatMap((id) => id ?? []);
  const [moves, claimMoves, txSteps, notices] = await Promise.all([
    moveSteps(ctx, 'escrow', [escrow.id], () => escrow.recipientLabel),
    moveSteps(
      ctx,
      'claim',
      claims.map(({ id }) => id),
    ),
    transactionSteps(ctx, [...new Set(txIds)]),
    noticesOf(ctx, escrow),
  ]);
  const inBlock = (name: string, hash: string | null, at: Date | null): CaseStep[] =>
    hash === null || at === null
      ? []
      : [
          step(`${escrow.id} ${name}`, at, name, {
            tx_hash: hash,
            explorer_url: transactionUrl(ctx, escrow.chain, hash),
          }),
        ];
  return [
    step(`${escrow.id} made`, escrow.createdAt, 'tab_staged', { detail: `for ${escrow.recipientLabel}` }),
    ...moves,
    ...inBlock('tab_opened_in', escrow.openTxHash, escrow.openedAt),
    ...claimMoves,
    ...txSteps,
    ...inBlock('tab_closed_in', escrow.closeTxHash, escrow.closedAt),
    ...notices.flatMap(replySteps),
  ];
}

async function noticesOf(ctx: Ctx, escrow: Row<'Escrow'>): Promise<Row<'Reply'>[]> {
  const handles = [escrow.senderHandleId, await reservedFor(ctx.db, escrow)].filter((id) => id !== null);
  const chats = (await ctx.db.$transaction((tx) => Promise.all(handles.map((id) => directChatsOf(tx, id))))).flat();
  return repliesByKeys(
    ctx,
    NOTICES.flatMap((kind) => chats.map(({ platform, chatId }) => `${kind}:${escrow.id}:${platform}:${chatId}`)),
  );
}
