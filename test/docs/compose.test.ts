// docker-compose.yml against the code: every variable is one that the service or the file itself knows, every command's file exists, and nothing but
// the API is reachable from outside. (No Docker is needed for this, and none was used.)
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ENV_NAMES } from '../../src/env.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
type Service = {
  image: string;
  command?: string[];
  user?: string;
  env_file?: string;
  environment: Record<string, string>;
  ports?: string[];
  healthcheck: { test: string[] };
  read_only?: boolean;
  stop_grace_period?: string;
};
const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
const OURS = ['api', 'workers', 'bots', 'signer', 'watchdog'];
/** Variables of the containers that are not ours. */
const THEIRS = ['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB', 'REDIS_PASSWORD'];

test('it has the database, Redis and our five processes, each with a health check', () => {
  expect(Object.keys(compose.services).sort()).toEqual([
    'api',
    'bots',
    'postgres',
    'redis',
    'signer',
    'watchdog',
    'workers',
  ]);
  for (const [name, service] of Object.entries(compose.services)) {
    expect(service.healthcheck.test.length, name).toBeGreaterThan(1);
  }
});

test('every variable is known, and nothing secret is written in it', () => {
  for (const [name, { environment }] of Object.entries(compose.services)) {
    for (const [variable, value] of Object.entries(environment)) {
      expect(OURS.includes(name) ? ENV_NAMES : THEIRS, `${name}: ${variable}`).toContain(variable);
      if (/PASSWORD|SECRET|KEY|TOKEN/.test(variable)) expect(value).toMatch(/^(\$\{\w+:\?[^}]+\})?$/);
    }
  }
});

test('the files of its commands exist', () => {
  for (const name of OURS) {
    const service = compose.services[name];
    for (const words of [service?.command ?? [], service?.healthcheck.test ?? []]) {
      for (const word of words.filter((one) => /^[\w/]+\.mjs$/.test(one)))
        expect(existsSync(join(ROOT, word)), word).toBe(true);
    }
    expect(service?.command?.at(-1)).toMatch(/^dist\/(api|workers|bots|signer|watchdog)\.mjs$/);
  }
  for (const [, path = ''] of read('Dockerfile').matchAll(/^COPY --from=build \/app\/([\w./-]+)/gm)) {
    if (path === 'node_modules' || path === 'web/dist') continue;
    expect(existsSync(join(ROOT, path)), path).toBe(true);
  }
});

test('the keys are where they are needed only, and nobody is root', () => {
  const has = (name: string, variable: string) => compose.services[name]?.environment[variable] !== '';
  expect(OURS.filter((name) => has(name, 'EXECUTOR_KEYS'))).toEqual(['workers']);
  expect(OURS.filter((name) => has(name, 'TELEGRAM_BOT_TOKEN'))).toEqual(['bots']);
  expect(OURS.filter((name) => has(name, 'DISCORD_BOT_TOKEN'))).toEqual(['bots']);
  for (const secret of ['ADMIN_SECRET', 'DISCORD_CLIENT_SECRET', 'X_CLIENT_SECRET', 'TELEGRAM_LOGIN_KEY'])
    expect(
      OURS.filter((name) => has(name, secret)),
      secret,
    ).toEqual(['api']);
  expect(OURS.filter((name) => has(name, 'AUTHORITY_KEY'))).toEqual(['signer']);
  for (const key of ['GUARDIAN_KEY', 'SOLANA_GUARDIAN_KEY'])
    expect(
      OURS.filter((name) => has(name, key)),
      key,
    ).toEqual(['watchdog']);
  for (const name of OURS) expect(compose.services[name]).toMatchObject({ user: 'node', read_only: true });
  // What only the others may know is not even in the signer's and the watchdog's files.
  expect(OURS.filter((name) => compose.services[name]?.env_file === '.env')).toEqual(['api', 'workers', 'bots']);
  expect(compose.services['signer']?.env_file).toBe('.env.signer');
  expect(compose.services['watchdog']?.env_file).toBe('.env.watchdog');
});

test('only the API can be reached, and from this machine alone; Redis keeps what it has', () => {
  const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => `${name} ${port}`),
  );
  expect(published).toEqual(['api 127.0.0.1:8080:8080']);
  const redis = compose.services['redis']?.command?.join(' ') ?? '';
  expect(redis).toContain('--appendonly yes');
  expect(redis).toContain('--maxmemory-policy noeviction');
});

test('.env.example names every variable of the service once, and nothing that it does not know', () => {
  const named = [...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
  expect(new Set(named).size).toBe(named.length);
  const known = [...ENV_NAMES, 'POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'RPC_URL_BASE'];
  expect([...named].sort()).toEqual([...known].sort());
});
