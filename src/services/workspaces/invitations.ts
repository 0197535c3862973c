// Invitations to a team: by a handle here or a username of a platform. They wait for the account that proves to be that name, and never say whether
// there is one.
import { actorIn, lockTeam } from '../../acting.ts';
import { type Ctx, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { HANDLE_PATTERN } from '../../domain/handles.ts';
import { isId } from '../../domain/ids.ts';
import { INVITATION_DAYS, INVITE_PLATFORMS, type InvitePlatform, MOST_MEMBERS, type Role } from '../../domain/team.ts';
import { record } from '../audit.ts';

const DAY_MS = 86_400_000;
/** Of X and Telegram, and Discord’s, which has points. */
const USERNAME = /^[a-z0-9_.]{2,32}$/;

/** What an owner sees. `name`: "@alice" for a handle, "alice" on a platform. */
export type InvitationView = {
  object: 'invitation';
  id: string;
  platform: InvitePlatform;
  name: string;
  role: Role;
  invited_by: string;
  created_at: string;
  expires_at: string;
};
/** What the invited account sees. */
export type OwnInvitation = InvitationView & { workspace: string };

export type InvitationWish = { platform: string; name: string; role: Role };

/** @returns the platform and the name in its own form. @throws AppError `parameter_invalid` */
function readInvited({ platform, name }: Pick<InvitationWish, 'platform' | 'name'>): {
  platform: InvitePlatform;
  name: string;
} {
  const known = INVITE_PLATFORMS.find((one) => one === platform);
  if (!known)
    throw new AppError('parameter_invalid', `platform must be one of ${INVITE_PLATFORMS.join(', ')}.`, {
      param: 'platform',
    });
  const plain = name.trim().replace(/^@/, '').toLowerCase();
  const isName = known === 'ampersat' ? HANDLE_PATTERN.test(plain) : USERNAME.test(plain);
  if (!isName) throw new AppError('parameter_invalid', 'name must be a handle like @alice.', { param: 'name' });
  return { platform: known, name: plain };
}

/**
 * Invites a name once: the same again gives the invitation that is open, with the latest role. The answer is the same whether the name has an account.
 * @throws AppError `parameter_invalid`; `state_conflict` for a member, for the workspace itself, and for too many
 */
export async function invite(ctx: Ctx, workspaceId: string, wish: InvitationWish): Promise<InvitationView> {
  const { platform, name } = readInvited(wish);
  const { role } = wish;
  const inviterId = actorIn(workspaceId).id ?? workspaceId;
  return ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, workspaceId);
    const now = ctx.clock.now();
    // Only what every member can read in the list anyway is said about a name.
    if (platform === 'ampersat') await refuseMember(tx, workspaceId, name);
    const open = await tx.invitation.findFirst({ where: { ...openOf(ctx), handleId: workspaceId, platform, name } });
    if (open?.role === role) return viewOne(tx, open);
    if (!open) await refuseMore(ctx, tx, workspaceId);
    const times = { createdAt: new Date(now), expiresAt: new Date(now + INVITATION_DAYS * DAY_MS) };
    const row = open
      ? await tx.invitation.update({ where: { id: open.id }, data: { role, invitedById: inviterId } })
      : await tx.invitation.create({
          data: {
            id: newId(ctx, 'inv'),
            handleId: workspaceId,
            platform,
            name,
            platformUserId: platform === 'ampersat' ? null : await carrierOf(tx, platform, name),
            role,
            invitedById: inviterId,
            ...times,
          },
        });
    await record(ctx, tx, {
      workspaceId,
      action: 'invitation.created',
      object: { kind: 'invitation', id: row.id },
      ...(open && { before: { name: nameOf(row), role: open.role } }),
      after: { name: nameOf(row), role },
    });
    return viewOne(tx, row);
  });
}

async function refuseMember(tx: Tx, workspaceId: string, slug: string): Promise<void> {
  const [row] = await tx.$queryRaw<unknown[]>`
    select 1 from handle h where h.slug = ${slug} and (h.id = ${workspaceId}
      or exists (select 1 from member m where m.handle_id = ${workspaceId} and m.account_id = h.id))`;
  if (row) throw new AppError('state_conflict', `@${slug} is a member already.`, { param: 'name' });
}

async function refuseMore(ctx: Ctx, tx: Tx, workspaceId: string): Promise<void> {
  const [members, open] = [
    await tx.member.count({ where: { handleId: workspaceId } }),
    await tx.invitation.count({ where: { ...openOf(ctx), handleId: workspaceId } }),
  ];
  if (members + open >= MOST_MEMBERS)
    throw new AppError('state_conflict', `A team has up to ${MOST_MEMBERS} members and open invitations.`);
}

/** The account that carries a username now, if we have seen it: who takes the name later is not meant. */
async function carrierOf(tx: Tx, platform: string, username: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ platform_user_id: string }[]>`
    select u.platform_user_id from seen_username n join seen_user u using (platform, platform_user_id)
    where n.platform = ${platform} and n.username = ${username} and lower(u.username) = n.username and not u.is_bot
    order by n.last_seen_at desc limit 1`;
  return row?.platform_user_id ?? null;
}

const openOf = (ctx: Ctx) => ({ status: 'open', expiresAt: { gt: new Date(ctx.clock.now()) } });
const nameOf = ({ platform, name }: Pick<Row<'Invitation'>, 'platform' | 'name'>) =>
  platform === 'ampersat' ? `@${name}` : `${platform}:${name}`;

/** Open invitations of a workspace, the newest first. */
export async function listInvitations(ctx: Ctx, workspaceId: string): Promise<InvitationView[]> {
  const rows = await ctx.db.invitation.findMany({
    where: { ...openOf(ctx), handleId: workspaceId },
    orderBy: { id: 'desc' },
    take: MOST_MEMBERS,
  });
  return Promise.all(rows.map((row) => viewOne(ctx.db, row)));
}

/** Ends an open invitation. Once more changes nothing. @throws AppError `resource_missing`; `state_conflict` for one that was answered */
export async function withdraw(ctx: Ctx, workspaceId: string, id: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, workspaceId);
    const row = isId('inv', id) ? await tx.invitation.findFirst({ where: { id, handleId: workspaceId } }) : null;
    if (!row) throw new AppError('resource_missing', 'No such invitation.');
    if (row.status === 'withdrawn') return;
    if (row.status !== 'open') throw new AppError('state_conflict', 'This invitation was answered already.');
    await end(ctx, tx, row, 'withdrawn');
    await record(ctx, tx, {
      workspaceId,
      action: 'invitation.withdrawn',
      object: { kind: 'invitation', id },
      before: { name: nameOf(row), role: row.role },
    });
  });
}

type Account = { id: string; slug: string };

/** What is open for an account: by its handle, or by what it has connected now. */
export async function listOwnInvitations(ctx: Ctx, account: Account): Promise<OwnInvitation[]> {
  const rows = await meantRows(ctx, ctx.db, account);
  return Promise.all(
    rows.map(async (row) => ({ ...(await viewOne(ctx.db, row)), workspace: await slugOf(ctx.db, row.handleId) })),
  );
}

/** By the id where it was known when the invitation was made, and by the name where it was not. */
async function meantRows(
  ctx: Ctx,
  tx: Tx,
  account: Account,
  only: { id?: string; handleId?: string } = {},
): Promise<Row<'Invitation'>[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    with names as (
      select c.platform, c.platform_user_id, lower(coalesce(u.username, c.username)) as name
        from connection c left join seen_user u using (platform, platform_user_id)
        where c.handle_id = ${account.id} and c.disconnected_at is null
    )
    select i.id from invitation i where i.platform = 'ampersat' and i.name = ${account.slug}
    union
    select i.id from invitation i join names n on n.platform = i.platform
      where i.name = n.name and i.platform_user_id is null or i.platform_user_id = n.platform_user_id`;
  return tx.invitation.findMany({
    where: { AND: [openOf(ctx), { id: { in: rows.map(({ id }) => id) }, handleId: { not: account.id } }, only] },
    orderBy: { id: 'desc' },
    take: 100,
  });
}

/**
 * Answers an invitation that is for this account. A member who accepts one has its role from then on.
 * @returns the workspace's handle
 * @throws AppError `resource_missing` for one of another account; `state_conflict` for one that expired, was withdrawn or answered
 */
export async function answerInvitation(
  ctx: Ctx,
  account: Account,
  id: string,
  answer: 'accept' | 'decline',
): Promise<string> {
  const known = isId('inv', id) ? await ctx.db.invitation.findUnique({ where: { id } }) : null;
  if (!known) throw missing();
  const workspaceId = known.handleId;
  return ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, workspaceId);
    const [row] = await meantRows(ctx, tx, account, { id });
    if (!row) throw await refusalOf(tx, account, id);
    const by = { kind: 'member' as const, id: account.id, name: `@${account.slug}` };
    await end(ctx, tx, row, answer === 'accept' ? 'accepted' : 'declined');
    const member = { handleId: workspaceId, accountId: account.id };
    if (answer === 'decline') {
      await record(ctx, tx, {
        ...{ workspaceId, by, action: 'invitation.declined', object: { kind: 'invitation', id } },
        before: { name: nameOf(row), role: row.role },
      });
      return slugOf(tx, workspaceId);
    }
    const before = await tx.member.findUnique({ where: { handleId_accountId: member } });
    // Two names of one account: the role of the invitation that was accepted last counts.
    await tx.member.upsert({
      where: { handleId_accountId: member },
      create: { ...member, role: row.role, since: new Date(ctx.clock.now()) },
      update: { role: row.role },
    });
    await record(ctx, tx, {
      ...{ workspaceId, by, action: 'member.joined', object: { kind: 'member', id: account.id } },
      ...(before && { before: { handle: account.slug, role: before.role } }),
      after: { handle: account.slug, role: row.role },
    });
    return slugOf(tx, workspaceId);
  });
}

/**
 * For a member whose role changes or ends: what would let the account in by another of its names, and, with `isInviter`, what it invited.
 * @returns their IDs
 */
export async function endInvitationsOf(
  ctx: Ctx,
  tx: Tx,
  handleId: string,
  account: Account,
  { isInviter }: { isInviter: boolean },
): Promise<string[]> {
  const meant = (await meantRows(ctx, tx, account, { handleId })).map(({ id }) => id);
  const rows = await tx.invitation.updateManyAndReturn({
    where: {
      ...{ handleId, status: 'open' },
      OR: [{ id: { in: meant } }, ...(isInviter ? [{ invitedById: account.id }] : [])],
    },
    data: { status: 'withdrawn', endedAt: new Date(ctx.clock.now()) },
  });
  return rows.map(({ id }) => id);
}

const missing = () => new AppError('resource_missing', 'No such invitation.');

/** To the account that answered it, or to which it was offered under its own handle, why it is over; to anyone else, that there is none. */
async function refusalOf(tx: Tx, account: Account, id: string): Promise<AppError> {
  const row = await tx.invitation.findUnique({ where: { id } });
  const isOwn = row?.platform === 'ampersat' && row.name === account.slug;
  if (!row || !isOwn) return missing();
  const words = {
    accepted: 'You’ve accepted this invitation already.',
    declined: 'You’ve declined this invitation. Ask for a new one.',
    withdrawn: 'This invitation was withdrawn. Ask for a new one.',
    open: 'This invitation has expired. Ask for a new one.',
  } as Record<string, string>;
  return new AppError('state_conflict', words[row.status]);
}

async function end(ctx: Ctx, tx: Tx, { id }: { id: string }, status: 'accepted' | 'declined' | 'withdrawn') {
  await tx.invitation.update({ where: { id }, data: { status, endedAt: new Date(ctx.clock.now()) } });
}

async function slugOf(tx: Tx, handleId: string): Promise<string> {
  return (await tx.handle.findUniqueOrThrow({ where: { id: handleId }, select: { slug: true } })).slug;
}

async function viewOne(tx: Tx, row: Row<'Invitation'>): Promise<InvitationView> {
  return {
    object: 'invitation',
    id: row.id,
    platform: row.platform as InvitePlatform,
    name: row.platform === 'ampersat' ? `@${row.name}` : row.name,
    role: row.role as Role,
    invited_by: `@${await slugOf(tx, row.invitedById)}`,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  };
}
