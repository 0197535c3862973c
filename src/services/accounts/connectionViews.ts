// A handle's connections as its own page shows and ends them.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { directChatWith } from '../outbox/directMessages.ts';
import { wantReply } from '../outbox/replies.ts';
import { disconnectAccount } from './connections.ts';

export type ConnectionView = {
  id: string;
  platform: string;
  platform_user_id: string;
  username: string | null;
  can_spend: boolean;
  created_at: string;
};

/** What is connected now, the newest first. */
export async function listConnections(ctx: Ctx, handleId: string): Promise<ConnectionView[]> {
  const rows = await ctx.db.connection.findMany({
    where: { handleId, disconnectedAt: null },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(viewConnection);
}

export function viewConnection(row: Row<'Connection'>): ConnectionView {
  return {
    id: row.id,
    platform: row.platform,
    platform_user_id: row.platformUserId,
    username: row.username,
    can_spend: row.canSpend,
    created_at: row.createdAt.toISOString(),
  };
}

/** Ends a connection of the handle, in force at once, and tells its chat. @throws AppError `resource_missing` */
export async function disconnectFromPage(ctx: Ctx, handleId: string, id: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    const row = await tx.connection.findFirst({
      where: { id, handleId, disconnectedAt: null },
      include: { handle: { select: { slug: true } } },
    });
    if (!row || !(await disconnectAccount(ctx, tx, id, handleId)))
      throw new AppError('resource_missing', 'No such connection.');
    const chat = await directChatWith(tx, row.platform, row.platformUserId);
    if (!chat) return;
    const data = { handle: row.handle.slug };
    await wantReply(ctx, tx, { key: `disconnected:${id}`, to: chat, replyTo: null, kind: 'disconnected', data });
  });
  await ctx.queues.flush(ctx.db);
}
