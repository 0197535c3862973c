// What the routes of a team answer.
import { z } from 'zod';
import { AUDIT_ACTIONS, AUDIT_KINDS } from '../../domain/audit.ts';
import { INVITE_PLATFORMS, ROLES } from '../../domain/team.ts';

const role = z.enum(ROLES);

const place = z.strictObject({ handle: z.string(), role, is_own: z.boolean() });

const invitationFields = {
  object: z.literal('invitation'),
  id: z.string(),
  platform: z.enum(INVITE_PLATFORMS),
  name: z.string(),
  role,
  invited_by: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
};
const invitation = z.strictObject(invitationFields);
const ownInvitation = z.strictObject({ ...invitationFields, workspace: z.string() });

const member = z.strictObject({
  object: z.literal('member'),
  id: z.string(),
  handle: z.string(),
  role,
  is_own: z.boolean(),
  since: z.iso.datetime(),
});

const knownSecret = z.strictObject({
  object: z.enum(['api_key', 'webhook_endpoint']),
  id: z.string(),
  name: z.string(),
  livemode: z.boolean(),
  known_by: z.string(),
  until: z.iso.datetime().nullable(),
});

export const ownTeams = z.strictObject({ places: z.array(place), invitations: z.array(ownInvitation) });
export const joined = z.strictObject({ workspace: z.string() });
export const oneInvitation = z.strictObject({ invitation });
export const team = z.strictObject({
  workspace: z.string(),
  members: z.array(member),
  invitations: z.array(invitation),
  known_secrets: z.array(knownSecret),
});

const facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]));
const entry = z.strictObject({
  object: z.literal('audit_entry'),
  id: z.string(),
  created_at: z.iso.datetime(),
  livemode: z.boolean().nullable(),
  actor: z.strictObject({
    kind: z.enum(['member', 'api_key', 'service']),
    id: z.string().nullable(),
    name: z.string(),
  }),
  action: z.enum(AUDIT_ACTIONS),
  target: z.strictObject({ kind: z.enum(AUDIT_KINDS), id: z.string() }),
  before: facts.nullable(),
  after: facts.nullable(),
});
export const auditList = z.strictObject({
  object: z.literal('list'),
  data: z.array(entry),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

export type OwnTeams = z.infer<typeof ownTeams>;
export type OwnInvitationAnswer = z.infer<typeof ownInvitation>;
export type TeamAnswer = z.infer<typeof team>;
export type MemberAnswer = z.infer<typeof member>;
export type KnownSecretAnswer = z.infer<typeof knownSecret>;
export type AuditAnswer = z.infer<typeof entry>;
