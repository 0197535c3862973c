// A run that uses every secret there is, with faults in it; afterwards no log line, metric or row of any table holds one of them.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localKey, TELEGRAM_BOT } from '../../local/stack/people.ts';
import { freePort } from '../../local/stack/ports.ts';
import { ROLES } from '../../local/stack/roles.ts';
import { handleKey } from '../../src/chain/routers/escrow.ts';
import { proveEscrow } from '../../src/chain/routers/openEscrows.ts';
import { askClaim, claimOf } from '../../src/services/escrow/claims.ts';
import { openEscrowByTip } from '../setup/escrows.ts';
import { begin, choose, type Logins, pathOf, startLogins } from '../setup/logins.ts';
import { bundled, processOf, type Runner, shellEnv, until } from '../setup/processes.ts';
import { type RpcProxy, startRpcProxy } from '../setup/rpcProxy.ts';
import { type Visitor, visitor } from '../setup/visitor.ts';
import { localPerson, type Shown, startWorld, type World } from '../setup/world.ts';

const RPC_KEY = 'rpc-provider-key-77f1c2';
const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';
const METRICS = 'tE7uY2iO9pA4sD6fG1hJ3kL8zX5cV0bn';
const DB_PASSWORD = 'database-pässword-51';
const CAROL = localPerson('carol').telegram.id;

let world: World;
let proxy: RpcProxy;
let workers: Runner;
let bots: Runner;
let signer: Runner;
let logins: Logins;
let api: { base: string; stop(): Promise<number | null> };
let secrets: Record<string, string>;
let env: Record<string, string>;
/** Takes alerts, and refuses the first few. */
const hook = createServer((_request, response) => void response.writeHead(hookTaken++ < 2 ? 500 : 200).end());
let hookTaken = 0;

beforeAll(async () => {
  world = await startWorld({
    anvil: { blockTimeSeconds: 1 },
    rpcUrls: {
      base: async (direct) => {
        proxy = await startRpcProxy(direct);
        return `${proxy.url}/v2/${RPC_KEY}`;
      },
    },
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/services/T0/hook-secret-93`;
  env = {
    DATABASE_URL: await withPassword(world.databaseUrl),
    PORT: String(port),
    BASE_URL: base,
    ADMIN_SECRET: ADMIN,
    METRICS_TOKEN: METRICS,
    ALERT_WEBHOOK_URL: hookUrl,
    ALERT_JAM_SECONDS: '2',
    LOG_LEVEL: 'debug',
  };
  logins = await startLogins(world, base);
  workers = processOf(world, 'workers', env);
  bots = processOf(world, 'bots', env);
  signer = processOf(world, 'signer', { ...env, EXECUTOR_KEYS: '', AUTHORITY_KEY: ROLES.authority.key });
  api = await startApi(base);
  await Promise.all([workers.start(), bots.start(), signer.start()]);
  secrets = {
    'an executor key': ROLES.executors[0]?.key.slice(2) ?? '',
    'the other executor key': ROLES.executors[1]?.key.slice(2) ?? '',
    'the key of the handle authority': ROLES.authority.key.slice(2),
    'the bot token': TELEGRAM_BOT.token,
    'the admin secret': ADMIN,
    'the token for metrics': METRICS,
    'the password of the database': DB_PASSWORD,
    'the password of the database, as its URL has it': encodeURIComponent(DB_PASSWORD),
    'the key of the RPC provider': RPC_KEY,
    'the address of the webhook': 'hook-secret-93',
    'the key of the links': world.processEnv['LINK_KEY'] ?? '',
    'the key of the webhooks': world.processEnv['WEBHOOK_KEY'] ?? '',
    'the client secret at Discord': logins.env['DISCORD_CLIENT_SECRET'] ?? '',
    'the client secret at X': logins.env['X_CLIENT_SECRET'] ?? '',
    'the key of Telegram logins': logins.env['TELEGRAM_LOGIN_KEY'] ?? '',
  };
});
afterAll(async () => {
  await Promise.all([workers?.stop(), bots?.stop(), signer?.stop(), api?.stop()]);
  await logins?.close();
  await world?.stop();
  await proxy?.close();
  hook.close();
});

/** The database behind a user whose password is a secret of this run. */
async function withPassword(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const user = `secret_${process.pid}`;
  await client.query(`create role ${user} superuser login password ${client.escapeLiteral(DB_PASSWORD)}`);
  await client.end();
  const next = new URL(url);
  next.username = user;
  next.password = DB_PASSWORD;
  return next.href;
}

async function startApi(base: string): Promise<typeof api> {
  const logs = join(world.folder, 'logs');
  mkdirSync(logs, { recursive: true });
  const out = openSync(join(logs, 'api.log'), 'a');
  const child = spawn(process.execPath, [bundled('api')], {
    env: { ...shellEnv(), ...world.processEnv, ...env, ...logins.env },
    stdio: ['ignore', out, out],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await until(async () => (await fetch(`${base}/healthz`).catch(() => null))?.ok ?? false, 'the API listens');
  return {
    base,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

const receipts = async () =>
  (await world.botSaid()).filter(({ text }) => text.startsWith('✅') && !text.includes('confirming'));
const lastTo = async (chat: number) => (await world.botSaid(chat)).at(-1) as Shown | undefined;

/** A tab for Bob’s handle is claimed: the signer’s key is used. */
async function claimATab(): Promise<void> {
  const chain = world.evmChain();
  const { timestamp } = await world.reader().getBlock();
  const { escrow } = await openEscrowByTip(world.ctx, chain, {
    messageKey: generatePrivateKey(),
    sender: localPerson('alice').address,
    token: chain.usdc,
    handleKey: handleKey('bob'),
    amount: 1_000_000n,
    deadline: timestamp + 7_200n,
    validUntil: timestamp + 900n,
  });
  const { id: bob } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'bob' } });
  await until(async () => (await proveEscrow(chain, escrow))?.state === 'open', 'the tab is open');
  const { id } = await askClaim(world.ctx, chain, escrow, bob);
  await until(async () => (await claimOf(world.ctx, id)).status === 'final', 'the claim is final');
}

/** Logs in at every platform, and at those that are asked for a token once more while they answer nonsense; notes what went back and forth. */
async function logIn(browser: Visitor): Promise<void> {
  for (const platform of ['discord', 'x', 'telegram']) {
    for (const fault of [null, { status: 200, body: '{"access_token":"token-of-a-broken-platform","token_type":7}' }]) {
      if (fault && platform === 'telegram') continue;
      if (fault) await logins.fail(`${platform}.token`, fault);
      const back = await choose(await begin(browser, platform), 'carol');
      const name = `${platform}, ${fault ? 'broken' : 'well'}`;
      secrets[`the state of ${name}`] = back.searchParams.get('state') ?? '';
      if (platform === 'telegram') {
        const result = back.hash.replace('#tgAuthResult=', '');
        secrets[`the answer of ${name}`] = result;
        const given = { state: back.searchParams.get('state'), result };
        expect((await browser.post('/api/auth/telegram/callback', given)).status).toBe(200);
      } else {
        secrets[`the code of ${name}`] = back.searchParams.get('code') ?? '';
        expect((await browser.get(pathOf(back))).status).toBe(fault ? 503 : 200);
      }
    }
  }
  secrets['the token of a broken platform'] = 'token-of-a-broken-platform';
  for (const { platform, token } of await logins.tokens()) secrets[`the token of ${platform}`] = token;
}

test('all of them are used, and none of them is seen', { timeout: 180_000 }, async () => {
  await claimATab();
  // Signing in, and a link from the chat.
  const carol = visitor(api.base);
  const signed = await carol.signedMessage(privateKeyToAccount(localKey('carol').key));
  expect((await carol.post('/api/auth/siwe', signed)).status).toBe(200);
  secrets['a session'] = carol.cookies.get('service-session') ?? '';
  secrets['a signature'] = signed.signature.slice(2);
  await world.type('carol', '/connect', { chat: CAROL });
  const linkOf = (message: Shown | undefined) =>
    message?.reply_markup?.inline_keyboard
      .flat()
      .find(({ url }) => url?.includes('/connect#'))
      ?.url?.split('#')[1];
  await until(async () => linkOf(await lastTo(CAROL)) !== undefined, 'the link');
  secrets['the secret of a link'] = linkOf(await lastTo(CAROL)) ?? '';
  expect((await carol.post('/api/links/preview', { secret: secrets['the secret of a link'] })).status).toBe(200);
  expect((await carol.post('/api/links/redeem', { secret: secrets['the secret of a link'] })).status).toBe(200);
  expect(
    (await carol.post('/api/links/redeem', { secret: `${secrets['the secret of a link']}x` })).status,
  ).toBeGreaterThanOrEqual(400);

  await logIn(carol);

  // An operator, right and wrong.
  const operator = visitor(api.base);
  expect((await operator.post('/api/operations/session', { secret: `${ADMIN}-wrong` })).status).toBe(401);
  expect((await operator.post('/api/operations/session', { secret: ADMIN })).status).toBe(200);
  secrets['a session of an operator'] = operator.cookies.get('service-operator') ?? '';
  expect((await operator.get('/api/operations/overview')).status).toBe(200);
  expect((await operator.get(`/metrics?token=${METRICS}`)).status).toBe(401);
  expect((await operator.get('/operations/queues/')).status).toBe(200);

  // A payment, with the platform and the chain failing on the way.
  await world.user('faults', { method: 'sendMessage', status: 500, times: 2 });
  await world.type('alice', '/tip @bob 5');
  await until(async () => (await receipts()).length === 1, 'a receipt in spite of the platform', 60_000);
  proxy.setDead(true);
  await world.type('bob', '/tip @alice 5');
  const chainDown = () => world.ctx.db.alert.count({ where: { kind: 'rpc_down' } });
  await until(async () => (await chainDown()) > 0, 'an alert', 60_000);
  proxy.setDead(false);
  await until(async () => (await receipts()).length === 2, 'a receipt in spite of the chain', 60_000);
  await until(
    async () => (await world.ctx.db.alert.count({ where: { raisedToldAt: { not: null } } })) > 0,
    'a notice',
    60_000,
  );
  await until(async () => (await world.ctx.db.sample.count()) > 0, 'samples', 60_000);
  const metrics = await fetch(`${api.base}/metrics`, { headers: { authorization: `Bearer ${METRICS}` } });
  expect(metrics.status).toBe(200);

  const places = new Map<string, string>([['metrics', await metrics.text()]]);
  for (const [table, rows] of await everyRow(world.databaseUrl)) places.set(`table ${table}`, rows);
  await Promise.all([workers.stop(), bots.stop()]);
  expect(await api.stop()).toBe(0);
  const logs = join(world.folder, 'logs');
  for (const file of readdirSync(logs)) places.set(file, readFileSync(join(logs, file), 'utf8'));

  // It was a run worth reading: faults were logged, requests were noted, rows were written.
  expect(places.get('workers.log')).toMatch(/does not answer|of no use/);
  expect(places.get('bots.log')).toContain('a reply waits');
  expect(places.get('api.log')).toContain('"route":"/api/links/redeem"');
  expect(places.get('api.log')).toContain('a platform did not answer a login as it should');
  expect(places.get('table public.login')).toContain('proven');
  expect([...places.keys()]).toEqual(
    expect.arrayContaining(['table public.alert', 'table public.sample', 'table public.inbox']),
  );
  for (const [what, secret] of Object.entries(secrets)) {
    expect(secret.length, what).toBeGreaterThan(8);
    for (const [place, text] of places)
      expect(text.toLowerCase().includes(secret.toLowerCase()), `${what} in ${place}`).toBe(false);
  }
});

/** Every table of the database with all of its rows as text. */
async function everyRow(url: string): Promise<[table: string, rows: string][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    const found: [string, string][] = [];
    for (const { name } of rows) {
      const { rows: content } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      found.push([name, content.map(({ row }) => row).join('\n')]);
    }
    return found;
  } finally {
    await client.end();
  }
}
