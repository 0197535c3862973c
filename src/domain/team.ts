// Teams: which roles there are, what each may do in a workspace, and through which routes. The one table that the service and the pages both read.
import type { Scope } from './apiKey.ts';

/** Each may do all that those before it may. */
export const ROLES = ['viewer', 'support', 'developer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/** Where an invited name is: a handle here, or a username of a platform. */
export const INVITE_PLATFORMS = ['ampersat', 'telegram', 'discord', 'x'] as const;
export type InvitePlatform = (typeof INVITE_PLATFORMS)[number];
export const INVITATION_DAYS = 7;
/** Members and open invitations of one workspace. */
export const MOST_MEMBERS = 100;

/** What there is to do in a workspace, and the least role that may. */
export const DOORS = {
  read: 'viewer',
  resend: 'support',
  refund: 'support',
  cancel_order: 'support',
  create_order: 'developer',
  links: 'developer',
  plans: 'developer',
  keys: 'developer',
  endpoints: 'developer',
  branding: 'developer',
  handle_page: 'developer',
  campaigns: 'owner',
  payout: 'owner',
  recipients: 'owner',
  members: 'owner',
} as const satisfies Record<string, Role>;
export type Door = keyof typeof DOORS;

/** A sentence for refusals and for the table of roles: “Only … can …”. */
export const DOOR_WORDS: Record<Door, string> = {
  read: 'see everything but secrets',
  resend: 'resend events and send test events',
  refund: 'prepare refunds and returns of unmatched payments',
  cancel_order: 'cancel orders',
  create_order: 'create orders',
  links: 'create and deactivate payment links',
  plans: 'create and change plans',
  keys: 'create, roll and revoke API keys',
  endpoints: 'change webhook endpoints and roll their secrets',
  branding: 'change the branding',
  handle_page: 'change the handle’s page',
  campaigns: 'run campaigns and make API keys that can',
  payout: 'change where payments go',
  recipients: 'change who can be paid by API',
  members: 'invite, change and remove members',
};

export function can(role: Role, door: Door): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(DOORS[door]);
}

/** A key can do no more than its maker: a campaign pays people without another signature. */
export function mayGive(role: Role, scope: Scope): boolean {
  return scope === 'campaigns' ? can(role, 'campaigns') : can(role, 'keys');
}

/** “Only developers and owners can create API keys.” */
export function refusalWords(door: Door): string {
  const least = ROLES.indexOf(DOORS[door]);
  const names = ROLES.slice(least).map((role) => (role === 'support' ? 'support members' : `${role}s`));
  const last = names.pop();
  const who = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
  return `Only ${who} can ${DOOR_WORDS[door]}. An owner can change your role under Team.`;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** By method and path, `:id` for any segment. `?a=b`: only with this in the query. What is not listed is of an account itself, and of no team. */
export const TEAM_ROUTES: readonly [Method, string, Door][] = [
  ['GET', '/api/workspace', 'read'],
  ['POST', '/api/workspace/business/prepare', 'payout'],
  ['POST', '/api/workspace/business', 'payout'],
  ['POST', '/api/workspace/recipients/prepare', 'recipients'],
  ['POST', '/api/workspace/recipients', 'recipients'],
  ['GET', '/api/branding', 'read'],
  ['PATCH', '/api/branding', 'branding'],
  ['PUT', '/api/pictures/logo', 'branding'],
  ['DELETE', '/api/pictures/logo', 'branding'],
  ['GET', '/api/settings/page', 'read'],
  ['PATCH', '/api/settings/page', 'handle_page'],
  ['GET', '/api/settings/page/messages', 'read'],
  ['PATCH', '/api/settings/page/messages/:id', 'handle_page'],
  ['PUT', '/api/pictures/page', 'handle_page'],
  ['DELETE', '/api/pictures/page', 'handle_page'],
  ['GET', '/api/orders', 'read'],
  ['GET', '/api/orders.csv', 'read'],
  ['GET', '/api/orders/counts', 'read'],
  ['GET', '/api/volume', 'read'],
  ['POST', '/api/orders', 'create_order'],
  ['GET', '/api/orders/:id', 'read'],
  ['POST', '/api/orders/:id/cancel', 'cancel_order'],
  ['POST', '/api/orders/:id/refund', 'refund'],
  ['POST', '/api/orders/:id/deposit', 'refund'],
  ['GET', '/api/overview', 'read'],
  ['GET', '/api/overview.csv', 'read'],
  ['GET', '/api/search', 'read'],
  ['GET', '/api/payment_links', 'read'],
  ['POST', '/api/payment_links', 'links'],
  ['GET', '/api/payment_links/:id', 'read'],
  ['GET', '/api/payment_links/:id/orders', 'read'],
  ['POST', '/api/payment_links/:id/deactivate', 'links'],
  ['GET', '/api/subscriptions/plans', 'read'],
  ['POST', '/api/subscriptions/plans', 'plans'],
  ['GET', '/api/subscriptions/plans/:id', 'read'],
  ['POST', '/api/subscriptions/plans/:id', 'plans'],
  ['POST', '/api/subscriptions/manage?as=creator', 'plans'],
  ['GET', '/api/subscriptions/subs/:id/charges?as=creator', 'read'],
  ['GET', '/api/spending/requests/:id?of=workspace', 'read'],
  ['GET', '/api/subscriptions/figures', 'read'],
  ['GET', '/api/subscriptions/subs?as=creator', 'read'],
  ['GET', '/api/subscriptions/subs?planId', 'read'],
  ['GET', '/api/subscriptions/subs.csv', 'read'],
  ['GET', '/api/campaigns', 'read'],
  ['POST', '/api/campaigns', 'campaigns'],
  ['GET', '/api/campaigns/:id', 'read'],
  ['POST', '/api/campaigns/:id', 'campaigns'],
  ['GET', '/api/campaigns/:id/opening', 'read'],
  ['GET', '/api/campaigns/:id/take_back', 'read'],
  ['GET', '/api/campaigns/:id/grants', 'read'],
  ['POST', '/api/campaigns/:id/grants', 'campaigns'],
  ['GET', '/api/campaigns/:id/grants.csv', 'read'],
  ['GET', '/api/keys', 'read'],
  ['POST', '/api/keys', 'keys'],
  ['POST', '/api/keys/:id/roll', 'keys'],
  ['POST', '/api/keys/:id/revoke', 'keys'],
  ['GET', '/api/webhooks', 'read'],
  ['POST', '/api/webhooks', 'endpoints'],
  ['GET', '/api/webhooks/stream', 'read'],
  ['GET', '/api/webhooks/:id', 'read'],
  ['PATCH', '/api/webhooks/:id', 'endpoints'],
  ['DELETE', '/api/webhooks/:id', 'endpoints'],
  ['POST', '/api/webhooks/:id/roll', 'endpoints'],
  ['POST', '/api/webhooks/:id/test', 'resend'],
  ['POST', '/api/webhooks/:id/replay', 'resend'],
  ['GET', '/api/webhooks/:id/figures', 'read'],
  ['GET', '/api/webhooks/:id/failed', 'read'],
  ['GET', '/api/deliveries', 'read'],
  ['GET', '/api/events', 'read'],
  ['GET', '/api/events/:id', 'read'],
  ['POST', '/api/events/:id/replay', 'resend'],
  ['GET', '/api/request_logs', 'read'],
  ['GET', '/api/request_logs/:id', 'read'],
  ['GET', '/api/request_log_routes', 'read'],
  ['GET', '/api/team', 'read'],
  ['PATCH', '/api/team/members/:id', 'members'],
  ['DELETE', '/api/team/members/:id', 'members'],
  ['POST', '/api/team/invitations', 'members'],
  ['DELETE', '/api/team/invitations/:id', 'members'],
  ['GET', '/api/audit_log', 'read'],
  ['GET', '/api/audit_log.csv', 'read'],
];

const READY = TEAM_ROUTES.map(([method, path, door]) => {
  const [at = '', query] = path.split('?');
  const [name = '', value] = query?.split('=') ?? [];
  const pattern = new RegExp(`^${at.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}/?$`, 'i');
  const fits = (search: URLSearchParams) =>
    query === undefined || (value === undefined ? search.has(name) : search.get(name) === value);
  return { method, pattern, fits, door };
});

/** The door that a call goes through; null for one of an account itself. @param path from “/api” on, with its query */
export function doorOf(method: string, path: string): Door | null {
  const [at = '', query = ''] = path.split('?');
  const asked = method === 'HEAD' ? 'GET' : method;
  const search = new URLSearchParams(query);
  return READY.find((one) => one.method === asked && one.pattern.test(at) && one.fits(search))?.door ?? null;
}
