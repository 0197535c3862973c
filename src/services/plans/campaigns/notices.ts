// Notices to the people that a campaign pays, where a bot may write to them: that a grant waits for their account, and that one was paid.
import type { Ctx } from '../../../context.ts';
import { sqlList, type Tx } from '../../../db.ts';
import { directChatsWith, type PlatformAccount } from '../../outbox/directMessages.ts';
import { bumpReplies, wantReplies } from '../../outbox/replies.ts';
import type { Campaign, Grant } from './views.ts';

const ID = /^(telegram|discord):id:(\d+)$/;

/** One message a grant: it is written when the grant waits or is paid, and changed when one that waited is paid. */
export async function notifyGrantees(ctx: Ctx, tx: Tx, campaign: Campaign, grants: readonly Grant[]): Promise<void> {
  if (grants.length === 0) return;
  const accounts = await accountsOf(tx, campaign, grants);
  const chats = await directChatsWith(tx, [
    ...new Map([...accounts.values()].map((one) => [keyOf(one), one])).values(),
  ]);
  const open = new Map(chats.filter(({ isClosed }) => !isClosed).map((one) => [keyOf(one), one.chat]));
  const inputs = grants.flatMap(({ id }) => {
    const account = accounts.get(id);
    const to = account && open.get(keyOf(account));
    return to ? [{ key: `grant:${id}`, to, replyTo: null, kind: 'grant' as const, data: { grantId: id } }] : [];
  });
  const known = await tx.reply.findMany({
    where: { key: { in: inputs.map(({ key }) => key) } },
    select: { key: true },
  });
  const before = new Set(known.map(({ key }) => key));
  await wantReplies(
    ctx,
    tx,
    inputs.filter(({ key }) => !before.has(key)),
  );
  await bumpReplies(ctx, tx, [...before]);
}

function keyOf({ platform, platformUserId }: PlatformAccount): string {
  return `${platform}:${platformUserId}`;
}

/** Not on X, where a message costs money; not to the sponsor itself, and none for those who turned notices off. */
async function accountsOf(tx: Tx, campaign: Campaign, grants: readonly Grant[]): Promise<Map<string, PlatformAccount>> {
  const accounts = new Map<string, PlatformAccount>();
  for (const { id, recipient } of grants) {
    const [, platform, platformUserId] = ID.exec(recipient) ?? [];
    if (platform && platformUserId) accounts.set(id, { platform, platformUserId });
  }
  const handleIds = grants.flatMap(({ id, handleId }) =>
    handleId !== null && handleId !== campaign.handleId && !accounts.has(id) ? handleId : [],
  );
  const connections =
    handleIds.length === 0
      ? []
      : await tx.connection.findMany({
          where: { handleId: { in: handleIds }, disconnectedAt: null, platform: { in: ['telegram', 'discord'] } },
          orderBy: [{ platform: 'desc' }, { id: 'asc' }],
        });
  const byHandle = new Map(connections.map((one) => [one.handleId, one]));
  for (const { id, handleId } of grants) {
    const account = handleId === null || accounts.has(id) ? undefined : byHandle.get(handleId);
    if (account) accounts.set(id, { platform: account.platform, platformUserId: account.platformUserId });
  }
  return withoutThoseWhoTurnedThemOff(tx, grants, accounts);
}

async function withoutThoseWhoTurnedThemOff(
  tx: Tx,
  grants: readonly Grant[],
  accounts: Map<string, PlatformAccount>,
): Promise<Map<string, PlatformAccount>> {
  const readers = [...[...accounts.values()].map(keyOf), ...grants.flatMap(({ handleId }) => handleId ?? [])];
  if (readers.length === 0) return accounts;
  const off = await tx.$queryRaw<
    { reader: string }[]
  >`select reader from received_off where reader in (${sqlList(readers)})`;
  const silent = new Set(off.map(({ reader }) => reader));
  for (const { id, handleId } of grants) {
    const account = accounts.get(id);
    if (account && (silent.has(keyOf(account)) || silent.has(handleId ?? ''))) accounts.delete(id);
  }
  return accounts;
}
