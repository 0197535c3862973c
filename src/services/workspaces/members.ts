// The team of a workspace: who belongs to it, as what, and which secrets those still know who no longer may.
import { type Actor, actorIn, lockTeam } from '../../acting.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { can, isRole, type Role } from '../../domain/team.ts';
import { record } from '../audit.ts';
import { endInvitationsOf } from './invitations.ts';

/** `is_own`: the workspace's own account, an owner who cannot be removed. */
export type MemberView = {
  object: 'member';
  id: string;
  handle: string;
  role: Role;
  is_own: boolean;
  since: string;
};

/** A secret in force that was shown to a user who may no longer have such: it should be rolled. `known_by`: "@bob". */
export type KnownSecret = {
  object: 'api_key' | 'webhook_endpoint';
  id: string;
  name: string;
  livemode: boolean;
  known_by: string;
  /** An earlier secret of an endpoint, which ends by itself. */
  until: string | null;
};

/** The workspaces that an account may act for, its own first. */
export type TeamPlace = { handle: string; role: Role; is_own: boolean };

/** What a member is in a workspace; null for anyone else. The workspace's own account is always an owner. */
export async function roleIn(tx: Tx, workspaceId: string, accountId: string): Promise<Role | null> {
  if (accountId === workspaceId) return 'owner';
  const row = await tx.member.findUnique({ where: { handleId_accountId: { handleId: workspaceId, accountId } } });
  return row && isRole(row.role) ? row.role : null;
}

export async function listPlaces(ctx: Ctx, account: { id: string; slug: string }): Promise<TeamPlace[]> {
  const rows = await ctx.db.$queryRaw<{ slug: string; role: Role }[]>`
    select h.slug, m.role from member m join handle h on h.id = m.handle_id
    where m.account_id = ${account.id} order by h.slug`;
  return [
    { handle: account.slug, role: 'owner', is_own: true },
    ...rows.map(({ slug: handle, role }) => ({ handle, role, is_own: false })),
  ];
}

type MemberRow = { id: string; slug: string; role: Role; since: Date };

/** Its own account first, then by name. */
export async function listMembers(ctx: Ctx, workspaceId: string): Promise<MemberView[]> {
  const own = await ctx.db.handle.findUniqueOrThrow({ where: { id: workspaceId } });
  const rows = await ctx.db.$queryRaw<MemberRow[]>`
    select h.id, h.slug, m.role, m.since from member m join handle h on h.id = m.account_id
    where m.handle_id = ${workspaceId} order by h.slug`;
  const first = viewMember({ id: own.id, slug: own.slug, role: 'owner', since: own.createdAt }, workspaceId);
  return [first, ...rows.map((row) => viewMember(row, workspaceId))];
}

function viewMember({ id, slug, role, since }: MemberRow, workspaceId: string): MemberView {
  return { object: 'member', id, handle: slug, role, is_own: id === workspaceId, since: since.toISOString() };
}

/** @throws AppError `resource_missing`; `state_conflict` for the workspace's own account */
export async function changeRole(ctx: Ctx, workspaceId: string, memberId: string, role: Role): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, workspaceId);
    const member = await ownMember(tx, workspaceId, memberId);
    if (member.role === role) return;
    await tx.member.update({
      where: { handleId_accountId: { handleId: workspaceId, accountId: memberId } },
      data: { role },
    });
    const isInviter = !can(role, 'members');
    const withdrawn = await endInvitationsOf(ctx, tx, workspaceId, { id: memberId, slug: member.slug }, { isInviter });
    const left = {
      ...(can(role, 'keys') ? {} : await secretFacts(ctx, tx, workspaceId, memberId)),
      ...(isInviter || withdrawn.length > 0 ? { withdrawn_invitations: withdrawn } : {}),
    };
    await record(ctx, tx, {
      workspaceId,
      action: 'member.role_changed',
      object: { kind: 'member', id: memberId },
      about: { member: `@${member.slug}` },
      before: { role: member.role },
      after: { role, ...left },
    });
  });
}

/**
 * Ends a membership at once: what the member began before has ended, and what they begin later is refused.
 * @throws AppError `resource_missing`; `state_conflict` for the workspace's own account
 */
export async function removeMember(
  ctx: Ctx,
  workspaceId: string,
  memberId: string,
  by: Actor = actorIn(workspaceId),
): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, workspaceId);
    const { slug, role } = await ownMember(tx, workspaceId, memberId);
    const account = { id: memberId, slug };
    await tx.member.delete({ where: { handleId_accountId: { handleId: workspaceId, accountId: memberId } } });
    await record(ctx, tx, {
      workspaceId,
      by,
      action: by.id === memberId ? 'member.left' : 'member.removed',
      object: { kind: 'member', id: memberId },
      about: { member: `@${slug}` },
      before: { role },
      after: {
        ...(await secretFacts(ctx, tx, workspaceId, memberId)),
        withdrawn_invitations: await endInvitationsOf(ctx, tx, workspaceId, account, { isInviter: true }),
      },
    });
  });
}

async function ownMember(tx: Tx, workspaceId: string, memberId: string): Promise<{ slug: string; role: string }> {
  if (memberId === workspaceId) {
    const words = 'The workspace belongs to this account: it is always an owner and can’t be removed.';
    throw new AppError('state_conflict', words);
  }
  const [row] = await tx.$queryRaw<{ slug: string; role: string }[]>`
    select h.slug, m.role from member m join handle h on h.id = m.account_id
    where m.handle_id = ${workspaceId} and m.account_id = ${memberId}`;
  if (!row) throw new AppError('resource_missing', 'No such member.');
  return row;
}

/** For the entry of a member who leaves: what to roll. */
async function secretFacts(ctx: Ctx, tx: Tx, workspaceId: string, memberId: string) {
  const known = await secretsOf(ctx, tx, workspaceId, memberId);
  const idsOf = (kind: KnownSecret['object']) => known.filter(({ object }) => object === kind).map(({ id }) => id);
  return { known_keys: idsOf('api_key'), known_endpoints: idsOf('webhook_endpoint') };
}

type KnownRow = Omit<KnownSecret, 'until'> & { until: Date | null; known_by_id: string };

/** Secrets in force that other accounts than the workspace's own were shown. @param memberId only what this one was */
async function secretsOf(ctx: Ctx, tx: Tx, workspaceId: string, memberId: string | null): Promise<KnownRow[]> {
  const now = new Date(ctx.clock.now());
  return tx.$queryRaw<KnownRow[]>`
    with known as (
      select 'api_key' as object, id, label as name, mode = 'live' as livemode, made_by_id as by_id, expires_at as until
        from api_key where handle_id = ${workspaceId} and revoked_at is null
          and (expires_at is null or expires_at > ${now}::timestamptz)
      union all
      select 'webhook_endpoint', id, url, livemode, secret_by_id, null::timestamptz
        from webhook_endpoint where handle_id = ${workspaceId} and status <> 'deleted'
      union all
      select 'webhook_endpoint', id, url, livemode, former_by_id, former_until
        from webhook_endpoint where handle_id = ${workspaceId} and status <> 'deleted' and former_until > ${now}::timestamptz
    )
    select k.object, k.id, k.name, k.livemode, k.until, k.by_id as known_by_id, '@' || h.slug as known_by
      from known k join handle h on h.id = k.by_id
      where k.by_id <> ${workspaceId} and (${memberId}::text is null or k.by_id = ${memberId})
      order by h.slug, k.object, k.id`;
}

/** What to roll: of accounts that left, or whose role no longer has such secrets. */
export async function listKnownSecrets(ctx: Ctx, workspaceId: string): Promise<KnownSecret[]> {
  const [known, members] = await Promise.all([
    secretsOf(ctx, ctx.db, workspaceId, null),
    ctx.db.member.findMany({ where: { handleId: workspaceId } }),
  ]);
  const trusted = new Set(
    members.flatMap(({ accountId, role }) => (isRole(role) && can(role, 'keys') ? accountId : [])),
  );
  return known
    .filter(({ known_by_id }) => !trusted.has(known_by_id))
    .map(({ known_by_id: _, until, ...rest }) => ({ ...rest, until: until?.toISOString() ?? null }));
}
