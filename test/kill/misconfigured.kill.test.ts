// What must not start: one clear line, exit code 1, no stack trace, and nothing done.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runBots } from '../../bots/run.ts';
import { ROLES, SOLANA_ROLES } from '../../local/stack/roles.ts';
import { type StackOptions, startStack } from '../../local/stack/stack.ts';
import { type Ctx, createContext, verifyChains } from '../../src/context.ts';
import { StartError } from '../../src/domain/errors.ts';
import { readEnv } from '../../src/env.ts';
import { runWorkers } from '../../workers/run.ts';
import { bundled, shellEnv } from '../setup/processes.ts';
import { startWorld, type World } from '../setup/world.ts';

type Process = 'api' | 'workers' | 'bots' | 'signer' | 'watchdog';
let world: World;
let folder: string;
let running: ChildProcess[] = [];
beforeAll(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'ampersat-wrong-'));
  chmodSync(folder, 0o711);
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running = [];
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Config = Record<string, unknown>;
/** A chains file like the world's with something else in it. */
function chainsFile(name: string, change: Config): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ base: { ...world.embedded[0]?.config, ...change } }));
  return file;
}

type Ended = { code: number | null; lines: string[] };

function ends(name: Process, env: Record<string, string>): Promise<Ended> {
  return run(bundled(name), [], { ...world.processEnv, PORT: '0', LOG_LEVEL: 'silent', ...env });
}

async function run(file: string, args: string[], env: Record<string, string>): Promise<Ended> {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...shellEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, lines: text.trim().split('\n') };
}

async function refused(name: Process, env: Record<string, string>, line: RegExp): Promise<void> {
  const { code, lines } = await ends(name, env);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(line);
  expect(code).toBe(1);
}

/**
 * The same by what every process does first (see src/process.ts), and by its own part where one is given, in this process. Each of the four is
 * started in fact once or twice: those show the one line, the exit code and the missing stack trace for all.
 */
async function refusedHere(
  env: Record<string, string>,
  line: RegExp,
  start: (ctx: Ctx) => Promise<void> = async () => {},
): Promise<void> {
  let ctx: Ctx | undefined;
  const started = (async () => {
    ctx = await createContext(readEnv({ ...world.processEnv, PORT: '0', LOG_LEVEL: 'silent', ...env }), 'test');
    await verifyChains(ctx);
    await start(ctx);
  })();
  const refusal: unknown = await started.then(
    () => 'it starts',
    (error: unknown) => error,
  );
  await ctx?.shutdown.close();
  expect(refusal).toBeInstanceOf(StartError);
  const { message } = refusal as StartError;
  expect(message).toMatch(line);
  expect(message).not.toContain('\n');
}

/** Production as it should be, with this machine's chain passed off as a real one. */
const production = () => ({
  AMPERSAT_MODE: 'production',
  CHAINS_FILE: chainsFile('production.json', { local: false }),
  BASE_URL: 'https://pay.example',
  EXECUTOR_KEYS: generatePrivateKey(),
  LINK_KEY: generatePrivateKey().slice(2),
  WEBHOOK_KEY: generatePrivateKey().slice(2),
  ADMIN_SECRET: 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa',
  WEBHOOK_ALLOW_LOOPBACK: 'false',
});

describe('production mode does not start', () => {
  test('with keys that everybody can know', () =>
    refused(
      'workers',
      { ...production(), EXECUTOR_KEYS: ROLES.executors[0]?.key ?? '' },
      /^EXECUTOR_KEYS has a key that everybody can know, which production mode refuses\. Draw your own/,
    ));

  test('without an admin secret, or with a short one', async () => {
    await refused('api', { ...production(), ADMIN_SECRET: '' }, /^ADMIN_SECRET is missing: .*openssl rand -hex 32$/);
    await refusedHere({ ...production(), ADMIN_SECRET: 'short' }, /ADMIN_SECRET must have at least 32 bytes/);
  });

  test('with webhooks that may go to this machine', () =>
    refusedHere(
      { ...production(), WEBHOOK_ALLOW_LOOPBACK: 'true' },
      /^WEBHOOK_ALLOW_LOOPBACK is set, which production/,
    ));

  test('on plain http, or on local chains', async () => {
    await refusedHere({ ...production(), BASE_URL: 'http://pay.example' }, /^BASE_URL must begin with https:\/\//);
    await refusedHere(
      { ...production(), CHAINS_FILE: world.processEnv['CHAINS_FILE'] ?? '' },
      /^CHAINS_FILE names local chains, which production mode refuses/,
    );
  });
});

describe('roles that share a key do not start', () => {
  test('the same executor key twice', () => {
    const key = ROLES.executors[0]?.key ?? '';
    return refusedHere({ EXECUTOR_KEYS: `${key},${key}` }, /^EXECUTOR_KEYS has the same key twice/);
  });

  test.each(['owner', 'guardian', 'treasury'] as const)('an executor key that is the %s', (role) => {
    const env = { EXECUTOR_KEYS: ROLES[role].key };
    const line = new RegExp(
      `^Chain configuration is wrong: an executor key of the routers on base is also the ${role} \\(0x\\w+\\): each role needs its own key\\.$`,
    );
    return refusedHere(env, line);
  });
});

describe('a chain that is not what it should be does not start', () => {
  test('without any endpoint that answers, within some ten seconds', async () => {
    const CHAINS_FILE = chainsFile('dead.json', { rpcUrls: ['http://127.0.0.1:1', 'http://127.0.0.1:2'] });
    const begin = performance.now();
    await refusedHere(
      { CHAINS_FILE },
      /^Base cannot be reached: none of its 2 RPC endpoint\(s\) answers\. Check RPC_URL_BASE or rpcUrls in CHAINS_FILE, or take base out of CHAINS_FILE\.$/,
    );
    const ms = performance.now() - begin;
    expect(ms).toBeGreaterThan(9_000);
    expect(ms).toBeLessThan(20_000);
  });

  test('with another network behind one of its endpoints', () => {
    const file = join(folder, 'other.json');
    writeFileSync(file, JSON.stringify({ 'base-sepolia': world.embedded[0]?.config }));
    return refused('bots', { CHAINS_FILE: file }, /the RPC endpoint of base-sepolia is chain 8453, not 84532\.$/);
  });

  test('with no code where the router should be', () => {
    const routers = { ...world.evmChain().routers, bot: '0x00000000000000000000000000000000000000aa' };
    return refusedHere(
      { CHAINS_FILE: chainsFile('empty.json', { routers }) },
      /the bot router has no code at 0x0+aa on base\.$/,
    );
  });

  test('with another contract where the router should be', () => {
    const routers = { ...world.evmChain().routers, bot: world.evmChain().usdc };
    return refusedHere(
      { CHAINS_FILE: chainsFile('foreign.json', { routers }) },
      /what stands at 0x\w+ on base is not this version's bot router\.$/,
    );
  });
});

describe('a process does not start', () => {
  test.each([
    [
      'workers',
      { DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/c' },
      /^The database of DATABASE_URL cannot be reached \(ECONNREFUSED\)\. Start it, or correct DATABASE_URL\.$/,
    ],
    [
      'bots',
      { TELEGRAM_BOT_TOKEN: '123456:wrong-token-of-nobody' },
      /^Telegram refuses TELEGRAM_BOT_TOKEN\. Copy the token of your bot from @BotFather again\.$/,
    ],
    ['signer', { EXECUTOR_KEYS: '' }, /^AUTHORITY_KEY and SOLANA_AUTHORITY_KEY are missing/],
    ['watchdog', { EXECUTOR_KEYS: '' }, /^GUARDIAN_KEY and SOLANA_GUARDIAN_KEY are missing/],
    [
      'watchdog',
      { SOLANA_GUARDIAN_KEY: SOLANA_ROLES.guardian.secret },
      /^SOLANA_GUARDIAN_KEY and EXECUTOR_KEYS are set for one process/,
    ],
    ['watchdog', { GUARDIAN_KEY: ROLES.guardian.key }, /^GUARDIAN_KEY and EXECUTOR_KEYS are set for one process/],
  ] as [Process, Record<string, string>, RegExp][])('%s with %j', refused);

  test.each([
    [{ AUTHORITY_KEY: generatePrivateKey() }, /^AUTHORITY_KEY and EXECUTOR_KEYS are set for one process/],
    [
      { REDIS_URL: 'redis://:hunter2@127.0.0.1:1' },
      /^(?!.*hunter2)Redis of REDIS_URL cannot be used \(ECONNREFUSED\)\. Start it, or correct REDIS_URL\.$/,
    ],
    [{ REDIS_URL: 'http://127.0.0.1:6379' }, /REDIS_URL must look like redis:\/\/host:6379/],
    [{ CHAINS_FILE: '/nowhere/chains.json' }, /^CHAINS_FILE cannot be read as JSON/],
  ] as [Record<string, string>, RegExp][])('of any kind with %j', refusedHere);
});

test.each([
  [{ TELEGRAM_BOT_TOKEN: '' }, /^TELEGRAM_BOT_TOKEN, DISCORD_BOT_TOKEN or X_BOT_REFRESH_TOKEN is missing/, runBots],
  [{ LINK_KEY: '' }, /^LINK_KEY is missing/, runBots],
  [{ EXECUTOR_KEYS: '' }, /^EXECUTOR_KEYS is missing/, runWorkers],
] as const)('a process does not start its own part with %j', refusedHere);

describe('the local stack does not start', () => {
  test('with options that it does not know: it shows those that it knows', async () => {
    const { code, lines } = await run(bundled('start'), ['--nonsense'], {});
    expect(lines.join('\n')).toMatch(/npm start -- \[options\]/);
    expect(lines.join('\n')).not.toContain('    at ');
    expect(code).toBe(1);
  });

  async function stackRefused(options: Partial<StackOptions>, message: string): Promise<void> {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    chmodSync(dataDir, 0o711);
    const starting = startStack({ dataDir, port: 0, chains: ['base'], fresh: false, env: {}, ...options });
    await expect(starting).rejects.toThrow(StartError);
    await expect(starting).rejects.toThrow(message);
  }

  test('without an EVM chain', () =>
    stackRefused({ chains: ['solana'] }, 'The local stack needs an EVM chain. Add one to --chains, such as base.'));

  test('on a port in use', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await stackRefused({ port }, `Port ${port} is in use. Stop the other program, or choose another`);
    server.close();
  });

  test('on a foreign database, which keeps what it has', async () => {
    const had = await world.ctx.db.handle.count();
    const env = { ...shellEnv(), DATABASE_URL: world.databaseUrl };
    await stackRefused({ env }, 'not one of a local stack, so nothing is seeded into it');
    await stackRefused({ env, fresh: true }, '--fresh would empty the database');
    expect(await world.ctx.db.handle.count()).toBe(had);
    expect(had).toBeGreaterThan(0);
  });
});

test('one endpoint of two that answers is enough, and nothing was done by those that did not start', async () => {
  expect(await world.ctx.db.beat.count()).toBe(0);
  expect(await world.ctx.db.executorKey.count()).toBe(0);
});
