// Each role at each door of a team: every route of a workspace names its door, and admits only the roles that may.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { can, DOOR_WORDS, DOORS, doorOf, ROLES, TEAM_ROUTES } from '../../domain/team.ts';
import { ROOT } from '../../root.ts';
import { ROUTES } from './routes.ts';

/** Routes of an account itself, of a payer, an operator or a visitor: they act for no workspace. */
const PERSONAL = [
  /^\/api\/(auth|operations|session|sessions|connections|links?|logins?|history|escrow|pay|checkout|solana|diag|config|wallet|waiting|spending|smart|teams|cron|receipts|handles?|health|relay|sends|balances)\b/,
  /^\/api\/settings$/,
  /^\/api\/subscriptions\/subs(\/:id)?$/,
  /^\/api\/subscriptions\/(trials?|allowances|switch|subscribe|permits|hosted)\b/,
];

let world: World;
let base: string;
const people: Record<string, Visitor> = {};
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  people['anonymous'] = visitor(base);
  for (const name of ['shop', 'alice', 'bob', 'carol', 'dave']) people[name] = await signedIn(name);
  const { db, clock } = world.ctx;
  expect((await (people['dave'] as Visitor).post('/api/handle', { handle: 'dave_o' })).status).toBeLessThan(300);
  const idOf = async (slug: string) => (await db.handle.findUniqueOrThrow({ where: { slug } })).id;
  const since = new Date(clock.now());
  const [handleId, viewer, support, developer] = await Promise.all(['shop', 'alice', 'bob', 'carol'].map(idOf));
  const rows = { viewer, support, developer, owner: await idOf('dave_o') };
  for (const [role, accountId] of Object.entries(rows)) {
    await db.member.create({ data: { handleId: handleId as string, accountId: accountId as string, role, since } });
  }
});
afterAll(() => world.stop());

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}

const BY_ROLE = { viewer: 'alice', support: 'bob', developer: 'carol', owner: 'dave' } as const;

/** What is mounted, with `:id` for each part of a path that varies. */
function mountedRoutes(): [method: string, path: string][] {
  const folder = join(ROOT, 'src/http/api');
  const written = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/\.(get|post|put|patch|delete)\(\s*'(\/api\/[^']+)'/g),
    ])
    .map(([, method = '', path = '']) => [method, path] as const);
  return [...written, ...ROUTES.map(({ method, path }) => [method, path] as const)].map(([method, path]) => [
    method.toUpperCase(),
    path.replaceAll(/\{\w+\}|:\w+/g, ':id'),
  ]);
}

/** Mounted under one name for several uses. */
const asTabled = (path: string) =>
  path === '/api/pictures/:id' ? ['/api/pictures/logo', '/api/pictures/page'] : [path];

test('each route is one of the table, or of an account itself', () => {
  const tabled = new Set(TEAM_ROUTES.map(([method, path]) => `${method} ${path.split('?')[0]}`));
  const mounted = mountedRoutes().flatMap(([method, path]) => asTabled(path).map((one) => `${method} ${one}`));
  const nowhere = mounted.filter(
    (name) => !tabled.has(name) && !PERSONAL.some((one) => one.test(name.split(' ')[1] ?? '')),
  );
  expect(nowhere).toEqual([]);
  expect([...tabled].filter((name) => !mounted.includes(name))).toEqual([]);
  // One that is in the table is never also taken for an account's own.
  const whole = TEAM_ROUTES.filter(([, path]) => !path.includes('?'));
  expect(whole.filter(([, path]) => PERSONAL.some((one) => one.test(path)))).toEqual([]);
});

test('each door has its words, and each is some route’s', () => {
  expect(Object.keys(DOOR_WORDS).sort()).toEqual(Object.keys(DOORS).sort());
  expect([...new Set(TEAM_ROUTES.map(([, , door]) => door))].sort()).toEqual(Object.keys(DOORS).sort());
});

/** A stream would stay open: its head is answered by the same admission. */
const methodOf = (method: string, path: string) => (path.endsWith('/stream') ? 'HEAD' : method);

async function knock(who: string, method: string, path: string, workspace = 'shop') {
  const [at = '', query] = path.replaceAll(':id', 'some_id').split('?');
  const search = [query && (query.includes('=') ? query : `${query}=some_id`), `workspace=${workspace}`];
  const body = method === 'GET' || method === 'HEAD' ? undefined : {};
  const answer = await (people[who] as Visitor).send(
    methodOf(method, path),
    `${at}?${search.filter(Boolean).join('&')}`,
    body,
  );
  return { status: answer.status, code: answer.body?.error?.code, message: answer.body?.error?.message };
}

test.each(TEAM_ROUTES.map(([method, path, door]) => [method, path, door] as const))(
  '%s %s: %s',
  async (method, path, door) => {
    const isHead = methodOf(method, path) === 'HEAD';
    for (const role of ROLES) {
      const { status, code } = await knock(BY_ROLE[role], method, path);
      const where = `${role} at ${method} ${path}: ${status} ${code}`;
      if (can(role, door)) {
        expect([401, 500], where).not.toContain(status);
        expect(code, where).not.toBe('role_required');
        expect(code, where).not.toBe('internal_error');
        // What is said of the parameter is the route's word: the name of the workspace is none of its own.
        if (code === 'parameter_unknown')
          expect((await knock(BY_ROLE[role], method, path)).message).not.toContain('workspace');
      } else {
        expect(status, where).toBe(403);
        if (!isHead) expect(code, where).toBe('role_required');
      }
    }
    expect((await knock('anonymous', method, path)).status).toBe(401);
    // A workspace of others and one that doesn’t exist get the same answer.
    const [stranger, unknown] = [
      await knock('shop', method, path, 'alice'),
      await knock('shop', method, path, 'unknown_slug'),
    ];
    expect([stranger.status, unknown.status]).toEqual([403, 403]);
    expect(unknown).toEqual(stranger);
  },
);

test('an account’s own routes act for no workspace', async () => {
  for (const path of ['/api/connections', '/api/history', '/api/settings', '/api/teams', '/api/spending']) {
    const answer = await (people['dave'] as Visitor).get(`${path}?workspace=shop`);
    expect([answer.status, answer.body.error?.code], path).toEqual([400, 'parameter_unknown']);
  }
  expect(doorOf('GET', '/api/subscriptions/subs')).toBeNull();
  expect(doorOf('GET', '/api/subscriptions/subs?as=creator')).toBe('read');
  expect(doorOf('POST', '/api/subscriptions/manage')).toBeNull();
});
