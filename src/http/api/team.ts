// The team of a workspace and its audit log; and the teams and invitations of an account.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { AUDIT_KINDS } from '../../domain/audit.ts';
import { AppError } from '../../domain/errors.ts';
import { ROLES } from '../../domain/team.ts';
import { handleOfSlug } from '../../services/accounts/sessions.ts';
import { auditCsv, listEntries } from '../../services/workspaces/auditViews.ts';
import {
  answerInvitation,
  invite,
  listInvitations,
  listOwnInvitations,
  withdraw,
} from '../../services/workspaces/invitations.ts';
import {
  changeRole,
  listKnownSecrets,
  listMembers,
  listPlaces,
  removeMember,
} from '../../services/workspaces/members.ts';
import { fileName, sendCsv } from '../csv.ts';
import { pageOf } from '../list.ts';
import { countOf, momentOf, optional, parseQuery } from '../parse.ts';
import { requireHandle } from '../session.ts';
import { type Route, route, signatures } from './route.ts';
import { auditList, joined, oneInvitation, ownTeams, team } from './teamAnswers.ts';

const teamOf = async (ctx: Ctx, { id, slug }: { id: string; slug: string }) => ({
  workspace: slug,
  members: await listMembers(ctx, id),
  invitations: await listInvitations(ctx, id),
  known_secrets: await listKnownSecrets(ctx, id),
});

const own = route({
  method: 'get',
  path: '/api/teams',
  access: 'handle',
  answer: ownTeams,
  status: 200,
  errors: [],
  run: async (ctx, { caller: { handle } }) => ({
    places: await listPlaces(ctx, handle),
    invitations: await listOwnInvitations(ctx, handle),
  }),
});

const answer = route({
  method: 'post',
  path: '/api/teams/invitations/{invitation_id}',
  access: 'handle',
  limit: signatures,
  body: z.strictObject({ action: z.enum(['accept', 'decline']) }),
  answer: joined,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  run: async (ctx, { caller: { handle }, id, body }) => ({
    workspace: await answerInvitation(ctx, handle, id, body.action),
  }),
});

/** Each member may leave, whatever their role. */
const leave = route({
  method: 'delete',
  path: '/api/teams/{handle_id}',
  access: 'handle',
  answer: ownTeams,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  async run(ctx, { caller: { handle }, id }) {
    const workspace = await handleOfSlug(ctx, id);
    if (!workspace) throw new AppError('resource_missing', 'No such member.');
    const by = { kind: 'member' as const, id: handle.id, name: `@${handle.slug}` };
    await removeMember(ctx, workspace.id, handle.id, by);
    return { places: await listPlaces(ctx, handle), invitations: await listOwnInvitations(ctx, handle) };
  },
});

const read = route({
  method: 'get',
  path: '/api/team',
  access: 'handle',
  answer: team,
  status: 200,
  errors: [],
  run: (ctx, { caller: { handle } }) => teamOf(ctx, handle),
});

const ONE_MEMBER = '/api/team/members/{member_id}';

const change = route({
  method: 'patch',
  path: ONE_MEMBER,
  access: 'handle',
  limit: signatures,
  body: z.strictObject({ role: z.enum(ROLES) }),
  answer: team,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  async run(ctx, { caller: { handle }, id, body }) {
    await changeRole(ctx, handle.id, id, body.role);
    return teamOf(ctx, handle);
  },
});

const remove = route({
  method: 'delete',
  path: ONE_MEMBER,
  access: 'handle',
  answer: team,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  async run(ctx, { caller: { handle }, id }) {
    await removeMember(ctx, handle.id, id);
    return teamOf(ctx, handle);
  },
});

const invitations = route({
  method: 'post',
  path: '/api/team/invitations',
  access: 'handle',
  limit: signatures,
  body: z.strictObject({ platform: z.string().max(20), name: z.string().max(60), role: z.enum(ROLES) }),
  answer: oneInvitation,
  status: 201,
  errors: ['state_conflict'],
  run: async (ctx, { caller: { handle }, body }) => ({ invitation: await invite(ctx, handle.id, body) }),
});

const withdrawn = route({
  method: 'delete',
  path: '/api/team/invitations/{invitation_id}',
  access: 'handle',
  answer: team,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  async run(ctx, { caller: { handle }, id }) {
    await withdraw(ctx, handle.id, id);
    return teamOf(ctx, handle);
  },
});

const filters = {
  actor: optional(z.string().max(60)),
  kind: optional(z.enum(AUDIT_KINDS)),
  object: optional(z.string().max(60)),
  from: optional(momentOf),
  before: optional(momentOf),
};

const log = route({
  method: 'get',
  path: '/api/audit_log',
  access: 'handle',
  query: z.strictObject({
    ...filters,
    limit: countOf(1, 100).default(25),
    cursor: z.string().max(200).optional(),
  }),
  answer: auditList,
  status: 200,
  errors: [],
  async run(ctx, { caller: { handle }, query }) {
    const { data, nextCursor } = await listEntries(ctx, handle.id, query);
    return pageOf(data, nextCursor);
  },
});

export const TEAM_ROUTES: readonly Route[] = [own, answer, leave, read, change, remove, invitations, withdrawn, log];

export function mountAuditFile(app: Express, ctx: Ctx): void {
  app.get('/api/audit_log.csv', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const lines = auditCsv(ctx, handle.id, parseQuery(request, z.strictObject(filters)));
    await sendCsv(ctx, response, fileName('audit-log', handle.slug, null), lines);
  });
}
