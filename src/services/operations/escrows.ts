// A tab as operators see it: opened, claimed or sent back, with its transactions and its notices.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { transactionUrl } from '../chains.ts';
import { reservedFor } from '../escrow/rows.ts';
import { directChatsOf } from '../outbox/directMessages.ts';
import { repliesByKeys, replySteps } from './replies.ts';
import { moveSteps, type Step, step, transactionSteps } from './steps.ts';

const MOST_CLAIMS = 50;
const NOTICES = ['tab_claimed', 'tab_refunded', 'tab_reminder', 'tab_name_hold'];

/** Everything that happened to a tab, in no order. */
export async function tabSteps(ctx: Ctx, tab: Row<'Escrow'>): Promise<Step[]> {
  const claims = await ctx.db.claim.findMany({
    where: { chain: tab.chain, tabId: tab.tabId },
    select: { id: true, outgoingTxId: true },
    orderBy: { createdAt: 'desc' },
    take: MOST_CLAIMS,
  });
  const txIds = [...claims.map(({ outgoingTxId }) => outgoingTxId), tab.refundTxId].flatMap((id) => id ?? []);
  const [moves, claimMoves, txSteps, notices] = await Promise.all([
    moveSteps(ctx, 'escrow', [tab.id], () => tab.recipientLabel),
    moveSteps(
      ctx,
      'claim',
      claims.map(({ id }) => id),
    ),
    transactionSteps(ctx, [...new Set(txIds)]),
    noticesOf(ctx, tab),
  ]);
  const inBlock = (name: string, hash: string | null, at: Date | null): Step[] =>
    hash === null || at === null
      ? []
      : [step(`${tab.id} ${name}`, at, name, { tx_hash: hash, explorer_url: transactionUrl(ctx, tab.chain, hash) })];
  return [
    step(`${tab.id} made`, tab.createdAt, 'tab_staged', { detail: `for ${tab.recipientLabel}` }),
    ...moves,
    ...inBlock('tab_opened_in', tab.openTxHash, tab.openedAt),
    ...claimMoves,
    ...txSteps,
    ...inBlock('tab_closed_in', tab.closeTxHash, tab.closedAt),
    ...notices.flatMap(replySteps),
  ];
}

async function noticesOf(ctx: Ctx, tab: Row<'Escrow'>): Promise<Row<'Reply'>[]> {
  const handles = [tab.senderHandleId, await reservedFor(ctx.db, tab)].filter((id) => id !== null);
  const chats = (await ctx.db.$transaction((tx) => Promise.all(handles.map((id) => directChatsOf(tx, id))))).flat();
  return repliesByKeys(
    ctx,
    NOTICES.flatMap((kind) => chats.map(({ platform, chatId }) => `${kind}:${tab.id}:${platform}:${chatId}`)),
  );
}
