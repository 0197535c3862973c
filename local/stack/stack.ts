// Starts and stops the whole local stack: what is embedded first, then the seed, then our processes.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CHAINS, type ChainName } from '../../src/domain/chains.ts';
import { StartError } from '../../src/domain/errors.ts';
import type { ChainConfig, SolanaConfig } from '../../src/env.ts';
import type { BridgeChain } from '../bridge/ledger.ts';
import { RELAY_KEY } from '../bridge/relay.ts';
import { acrossRoot, relayRoot, startBridges } from '../bridge/server.ts';
import { SOL_USD } from '../chains/deploy/priceFeed.ts';
import { type EmbeddedChain, evmChainsOf, startChains } from '../chains/embeddedChains.ts';
import {
  type EmbeddedSolana,
  solanaChainConfig,
  solanaEnvironment,
  solanaGuardianEnvironment,
  solanaSignerEnvironment,
  startEmbeddedSolana,
} from '../chains/embeddedSolana.ts';
import { type RunningDiscord, startDiscordServer } from '../platforms/discord/server.ts';
import { startLocalLogins } from '../platforms/oauth/clients.ts';
import { type RunningTelegram, startTelegramServer } from '../platforms/telegram/server.ts';
import { type RunningX, startXServer } from '../platforms/x/server.ts';
import { startPostgres, wipePostgres } from '../postgres/postgres.ts';
import { localSolanaKey } from '../solana/keys.ts';
import { type ChildProcessHandle, startChild } from './children.ts';
import { type LocalClock, openClock } from './clock.ts';
import type { ClockReply, ClockRequest } from './clockRoute.ts';
import { claimDatabase, dropLocalData } from './databaseMark.ts';
import { type LocalFile, type LocalSolanaChain, writeLocalFile } from './localFile.ts';
import {
  DISCORD_BOT,
  DISCORD_CHANNEL,
  DISCORD_CHANNELS,
  DISCORD_GUILD,
  localKey,
  PEOPLE,
  TELEGRAM_BOT,
  TELEGRAM_GROUP,
  X_BOT,
} from './people.ts';
import { freePort, isPortFree } from './ports.ts';
import { lockDataDir, reapLeftovers } from './processes.ts';
import { forgetInRedis } from './redis.ts';
import { ROLES } from './roles.ts';
import { type Seeded, seed } from './seed.ts';
import { seedSolana } from './seedSolana.ts';

const PROCESSES = ['api', 'workers', 'bots', 'signer', 'watchdog'] as const;
/** The API checks logins by a hash of the bot's token; the token itself is the bots'. */
const NOT_API = { TELEGRAM_BOT_TOKEN: '', DISCORD_BOT_TOKEN: '', X_BOT_REFRESH_TOKEN: '' };
/** The signer's key is its own, and it has no other. */
const ONLY_SIGNER = {
  AUTHORITY_KEY: ROLES.authority.key,
  EXECUTOR_KEYS: '',
  TELEGRAM_BOT_TOKEN: '',
  X_BOT_REFRESH_TOKEN: '',
  X_CLIENT_SECRET: '',
  DISCORD_BOT_TOKEN: '',
  LINK_KEY: '',
  WEBHOOK_KEY: '',
};

/** The watchdog has the guardian's keys alone. */
const ONLY_WATCHDOG = { ...ONLY_SIGNER, AUTHORITY_KEY: '', GUARDIAN_KEY: ROLES.guardian.key, SOLANA_EXECUTOR_KEYS: '' };

export type StackOptions = {
  dataDir: string;
  /** 0 for any free port. */
  port: number;
  /** The name of this machine in BASE_URL (default 127.0.0.1). Passkeys belong to names: they work at `localhost` only. */
  host?: 'localhost' | '127.0.0.1';
  /** The host of the wallet's window, at the same port: a name of this machine beside that of the pages. The pages sign by themselves without it. */
  walletHost?: 'localhost';
  chains: ChainName[];
  fresh: boolean;
  env?: Record<string, string | undefined>;
  log?: (line: string) => void;
  /** Starts no process of ours: tests that run the services themselves. */
  withoutProcesses?: boolean;
};

export type Stack = {
  local: LocalFile;
  localFile: string;
  children: Record<(typeof PROCESSES)[number], ChildProcessHandle>;
  processEnv: Record<string, string>;
  /** What each process is given of it. */
  environments: Record<(typeof PROCESSES)[number], Record<string, string>>;
  chains: EmbeddedChain[];
  solana: EmbeddedSolana | null;
  clock: LocalClock;
  stop(): Promise<void>;
};

export async function startStack(options: StackOptions): Promise<Stack> {
  const { env = process.env, log = () => {} } = options;
  const evmNames = evmChainsOf(options.chains);
  const dataDir = resolve(options.dataDir);
  // The account that PostgreSQL runs as has to get through; what is private in here is private by itself.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const lock = lockFolder(dataDir);
  const closers: (() => Promise<unknown> | unknown)[] = [() => lock.release()];
  const children = {} as Stack['children'];
  const stop = async () => {
    for (const child of Object.values(children)) child.expectEnd();
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    for (const left of await reapLeftovers(dataDir)) log(`ended ${left.name}, left over from a killed run`);
    const basePort = await choosePort(options.port);
    if (options.fresh) await makeFresh(dataDir, env);

    const database = env['DATABASE_URL'] ?? (await embeddedPostgres(dataDir, closers, log));
    await claimDatabase(database, { embedded: env['DATABASE_URL'] === undefined });
    if (options.fresh && env['REDIS_URL']) await forgetInRedis(env['REDIS_URL'], database);
    const baseUrl = `http://${options.host ?? '127.0.0.1'}:${basePort}`;
    const clock = openClock(join(dataDir, 'clock.json'));
    const [chains, solana, telegram, discord, x, logins] = await Promise.all([
      startChains({ dataDir, names: evmNames, env, closers, log }),
      options.chains.includes('solana')
        ? startEmbeddedSolana({ dataDir, origins: ownOrigins(baseUrl), clock: clock.now, closers, log })
        : null,
      embeddedTelegram(dataDir, baseUrl, env, closers, clock.now),
      embeddedDiscord(dataDir, baseUrl, env, closers, clock.now),
      embeddedX(dataDir, baseUrl, env, closers, clock.now),
      startLocalLogins({ baseUrl, env, clock: clock.now }),
    ]);
    closers.push(() => logins.server.close());

    const bridges = await planBridges(chains, solana, env);
    // One chain alone has no Relay beside it.
    if (!bridges && !env['RELAY_API_ROOT']) for (const { config } of chains) delete config.relay;
    const chainsFile = join(dataDir, 'chains.json');
    writeFileSync(chainsFile, JSON.stringify(chainConfigs(chains, solana), null, 2), { mode: 0o600 });
    const token = env['TELEGRAM_BOT_TOKEN'] ?? TELEGRAM_BOT.token;
    const localFile = join(dataDir, 'local.json');
    const processEnv: Record<string, string> = {
      AMPERSAT_MODE: 'development',
      AMPERSAT_LOCAL_FILE: localFile,
      DATABASE_URL: database,
      CHAINS_FILE: chainsFile,
      EXECUTOR_KEYS: env['EXECUTOR_KEYS'] ?? ROLES.executors.map((role) => role.key).join(','),
      HOST: '127.0.0.1',
      PORT: String(basePort),
      BASE_URL: baseUrl,
      ...(options.walletHost && { WALLET_ORIGIN: `http://${options.walletHost}:${basePort}` }),
      LINK_KEY: env['LINK_KEY'] ?? localKey('link key').key.slice(2),
      WEBHOOK_KEY: env['WEBHOOK_KEY'] ?? localKey('webhook key').key.slice(2),
      WEBHOOK_ALLOW_LOOPBACK: env['WEBHOOK_ALLOW_LOOPBACK'] ?? 'true',
      TELEGRAM_BOT_TOKEN: token,
      TELEGRAM_API_ROOT: telegram?.url ?? env['TELEGRAM_API_ROOT'] ?? 'https://api.telegram.org',
      DISCORD_BOT_TOKEN: env['DISCORD_BOT_TOKEN'] ?? DISCORD_BOT.token,
      DISCORD_API_ROOT: discord ? `${discord.url}/api` : (env['DISCORD_API_ROOT'] ?? 'https://discord.com/api'),
      ...(bridges?.env ?? {}),
      ...solanaEnvironment(solana),
      ADMIN_SECRET: env['ADMIN_SECRET'] ?? adminSecret(dataDir),
      LOG_LEVEL: env['LOG_LEVEL'] ?? 'info',
    };
    const passedOn = [
      'REDIS_URL',
      'TELEGRAM_WEBHOOK_URL',
      'TELEGRAM_WEBHOOK_SECRET',
      'TELEGRAM_WEBHOOK_PORT',
      'MESSAGE_EPOCH',
      'DISCORD_APPLICATION_ID',
      'WEBHOOK_HOST_PER_SECOND',
    ];
    for (const name of passedOn) {
      if (env[name]) processEnv[name] = env[name];
    }
    await clock.bind({
      chains,
      solana: solana?.ledger ?? null,
      databaseUrl: database,
      onMoved: (offsetMs) => {
        for (const child of Object.values(children)) child.send({ clock: offsetMs });
      },
    });
    const keysFile = join(dataDir, 'api-keys.json');
    const [seeded] = await Promise.all([
      seed(processEnv, chains, readKeys(keysFile), clock),
      solana && seedSolana(solana),
      bridges && openBridges({ dataDir, baseUrl, chains, solana, port: bridges.port, closers, log, clock: clock.now }),
    ]);
    writeFileSync(keysFile, `${JSON.stringify(seeded.apiKeys, null, 2)}\n`, { mode: 0o600 });
    if (telegram) await openDirectChats(telegram.url);
    const local: LocalFile = {
      ...describe(baseUrl, database, chains, solana, telegram, discord, x, seeded),
      oauth_url: logins.server.url,
      bridges_url: bridges?.url ?? null,
      admin_secret: processEnv['ADMIN_SECRET'] ?? '',
    };
    const environments: Stack['environments'] = {
      api: { ...processEnv, ...NOT_API, ...logins.env },
      workers: { ...processEnv, X_BOT_REFRESH_TOKEN: '' },
      bots: { ...processEnv, ...(x ? ownX(x, env['X_POLL_SECONDS']) : {}), WEBHOOK_KEY: '' },
      watchdog: { ...processEnv, ...ONLY_WATCHDOG, ...(solana ? solanaGuardianEnvironment(solana) : {}) },
      signer: { ...processEnv, ...ONLY_SIGNER, ...(solana ? solanaSignerEnvironment(solana) : {}) },
    };
    if (!options.withoutProcesses) {
      writeLocalFile(localFile, local);
      const logs = join(dataDir, 'logs');
      mkdirSync(logs, { recursive: true, mode: 0o700 });
      const started = await Promise.all(
        PROCESSES.map(async (name) => {
          const child = startChild({
            name,
            env: { ...env, ...environments[name] },
            logs,
            dataDir,
            log,
            clockOffsetMs: clock.offsetMs,
          });
          closers.push(() => child.stop());
          await child.ready;
          return [name, child] as const;
        }),
      );
      for (const [name, child] of started) {
        children[name] = child;
        local.processes[name] = child.pid();
        child.onMessage((message) => void answerClock(clock, child, message));
        child.onRestart((pid) => {
          local.processes[name] = pid;
          writeLocalFile(localFile, local);
        });
      }
    }
    writeLocalFile(localFile, local);
    closers.push(() => rmSync(localFile, { force: true }));
    return { local, localFile, children, processEnv, environments, chains, solana, clock, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The API's process asks for the clock to be moved. */
async function answerClock(clock: LocalClock, child: ChildProcessHandle, message: object): Promise<void> {
  const { advanceClock: wanted } = message as Partial<ClockRequest>;
  if (!wanted) return;
  const error = await clock.advance(wanted.ms).then(
    () => null,
    (failure: unknown) => (failure instanceof RangeError ? failure.message : `The clock didn’t move: ${failure}`),
  );
  const reply: ClockReply = { clockAdvanced: { id: wanted.id, error } };
  child.send(reply);
}

/** The operators' secret of this stack: drawn once, kept for its owner alone. */
function adminSecret(dataDir: string): string {
  const file = join(dataDir, 'admin-secret');
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/** The keys of the start before; none where that was killed while it wrote them down. */
function readKeys(file: string): Seeded['apiKeys'] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

function lockFolder(dataDir: string): { release(): void } {
  try {
    return lockDataDir(dataDir);
  } catch (cause) {
    throw new StartError((cause as Error).message, { cause });
  }
}

async function choosePort(wanted: number): Promise<number> {
  if (wanted === 0) return freePort();
  if (await isPortFree(wanted)) return wanted;
  throw new StartError(`Port ${wanted} is in use. Stop the other program, or choose another: npm start -- --port 8090`);
}

async function makeFresh(dataDir: string, env: Record<string, string | undefined>): Promise<void> {
  if (env['DATABASE_URL']) await dropLocalData(env['DATABASE_URL']);
  else await wipePostgres(join(dataDir, 'postgres'));
  for (const part of [
    'chains',
    'telegram.jsonl',
    'discord.jsonl',
    'x.jsonl',
    'relay.json',
    'logs',
    'chains.json',
    'local.json',
    'api-keys.json',
    'clock.json',
  ]) {
    rmSync(join(dataDir, part), { recursive: true, force: true });
  }
}

async function embeddedPostgres(
  dataDir: string,
  closers: (() => unknown)[],
  log: (line: string) => void,
): Promise<string> {
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), database: 'ampersat', log });
  closers.push(() => postgres.stop());
  return postgres.url;
}

async function embeddedTelegram(
  dataDir: string,
  baseUrl: string,
  env: Record<string, string | undefined>,
  closers: (() => unknown)[],
  clock: () => number,
): Promise<RunningTelegram | null> {
  if (env['TELEGRAM_BOT_TOKEN']) return null;
  const server = await startTelegramServer({
    dataFile: join(dataDir, 'telegram.jsonl'),
    bots: [TELEGRAM_BOT],
    clock,
    allowedOrigins: ownOrigins(baseUrl),
  });
  closers.push(() => server.close());
  return server;
}

async function embeddedDiscord(
  dataDir: string,
  baseUrl: string,
  env: Record<string, string | undefined>,
  closers: (() => unknown)[],
  clock: () => number,
): Promise<RunningDiscord | null> {
  if (env['DISCORD_BOT_TOKEN']) return null;
  const server = await startDiscordServer({
    dataFile: join(dataDir, 'discord.jsonl'),
    bot: DISCORD_BOT,
    guild: DISCORD_GUILD,
    clock,
    channels: DISCORD_CHANNELS,
    people: PEOPLE.map(({ discord }) => discord),
    allowedOrigins: ownOrigins(baseUrl),
  });
  closers.push(() => server.close());
  return server;
}

/** Where the bridges will be, and what processes are given of them; null for one chain alone, which has nowhere to bridge to. */
async function planBridges(
  chains: EmbeddedChain[],
  solana: EmbeddedSolana | null,
  env: Record<string, string | undefined>,
): Promise<{ port: number; url: string; env: Record<string, string> } | null> {
  if (env['ACROSS_API_ROOT'] || (chains.length < 2 && !solana)) return null;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  return {
    port,
    url,
    env: { ACROSS_API_ROOT: acrossRoot(url), RELAY_API_ROOT: relayRoot(url), RELAY_API_KEY: RELAY_KEY },
  };
}

async function openBridges({
  dataDir,
  baseUrl,
  chains,
  solana,
  closers,
  ...rest
}: {
  dataDir: string;
  baseUrl: string;
  chains: EmbeddedChain[];
  solana: EmbeddedSolana | null;
  port: number;
  closers: (() => unknown)[];
  log: (line: string) => void;
  clock: () => number;
}): Promise<void> {
  const bridges = await startBridges({
    ...rest,
    chains: chains.map(bridgeChainOf),
    ...(solana && { solana: { ...solana, solUsdPrice: SOL_USD } }),
    dataFile: join(dataDir, 'relay.json'),
    webhookUrl: `${baseUrl}/api/pay/smart/relay`,
  });
  closers.push(() => bridges.close());
}

function bridgeChainOf({ name, config, nativeUsdPrice }: EmbeddedChain): BridgeChain {
  const { chainId } = CHAINS[name];
  const [rpcUrl = ''] = config.rpcUrls;
  const pool = config.across?.pool as BridgeChain['across']['pool'];
  return { name, chainId, rpcUrl, usdc: config.usdc as BridgeChain['usdc'], across: { pool }, nativeUsdPrice };
}

/** Our own pages, by both names of this machine. */
const ownOrigins = (baseUrl: string) =>
  ['127.0.0.1', 'localhost'].map((host) => baseUrl.replace(/\/\/[^:]+/, `//${host}`));

/** Looks as often as the local server likes: nothing there costs anything. */
const LOCAL_RATE_LIMITS = { mentions: 100_000, createPost: 100_000, sendDm: 100_000, dmEvents: 100_000, user: 100_000 };

async function embeddedX(
  dataDir: string,
  baseUrl: string,
  env: Record<string, string | undefined>,
  closers: (() => unknown)[],
  clock: () => number,
): Promise<RunningX | null> {
  if (env['X_BOT_REFRESH_TOKEN']) return null;
  const server = await startXServer({
    dataFile: join(dataDir, 'x.jsonl'),
    bots: [X_BOT],
    clock,
    people: PEOPLE.map(({ x }) => ({ ...x, name: x.username })),
    allowedOrigins: ownOrigins(baseUrl),
    rateLimits: LOCAL_RATE_LIMITS,
  });
  closers.push(() => server.close());
  return server;
}

function ownX(x: RunningX, pollSeconds = '5'): Record<string, string> {
  return {
    X_API_ROOT: x.url,
    X_CLIENT_ID: X_BOT.clientId,
    X_CLIENT_SECRET: X_BOT.clientSecret,
    X_BOT_REFRESH_TOKEN: X_BOT.refreshToken,
    X_POLL_SECONDS: pollSeconds,
  };
}

/** People connect in the direct chat, so the bot may write to them there. */
async function openDirectChats(url: string): Promise<void> {
  for (const { connected, name, telegram } of PEOPLE) {
    if (!connected) continue;
    const chat = await fetch(`${url}/_user/messages?chat_id=${telegram.id}`);
    if (((await chat.json()) as unknown[]).length > 0) continue;
    await fetch(`${url}/_user/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chat_id: telegram.id, from: { ...telegram, first_name: name }, text: '/start' }),
    });
  }
}

function chainConfigs(
  chains: EmbeddedChain[],
  solana: EmbeddedSolana | null,
): Record<string, ChainConfig | SolanaConfig> {
  const ofEvm = Object.fromEntries(chains.map((chain) => [chain.name, chain.config]));
  return solana ? { ...ofEvm, solana: solanaChainConfig(solana, chains[0]) } : ofEvm;
}

function describe(
  baseUrl: string,
  database: string,
  chains: EmbeddedChain[],
  solana: EmbeddedSolana | null,
  telegram: RunningTelegram | null,
  discord: RunningDiscord | null,
  x: RunningX | null,
  { sessions, apiKeys }: Seeded,
): Omit<LocalFile, 'admin_secret' | 'oauth_url' | 'bridges_url'> {
  return {
    base_url: baseUrl,
    checkout_base: baseUrl,
    database_url: database,
    accounts: Object.fromEntries(
      PEOPLE.map(
        ({ name, handle, kind, address, key, connected, telegram: onTelegram, discord: onDiscord, x: onX }) => [
          name,
          {
            handle,
            kind,
            evm_address: address,
            evm_private_key: key,
            solana_address: localSolanaKey(name).address,
            solana_private_key: localSolanaKey(name).secret,
            connected,
            session: sessions[name] ?? null,
            api_key: apiKeys[name] ?? null,
            telegram: onTelegram,
            discord: onDiscord,
            x: onX,
          },
        ],
      ),
    ),
    chains: {
      ...Object.fromEntries(
        chains.map(({ name, config, permit2 }) => [
          name,
          {
            chain_id: CHAINS[name].chainId,
            rpc_url: config.rpcUrls[0] ?? '',
            usdc: config.usdc ?? CHAINS[name].usdc,
            permit2,
            wrapped_native: config.wrappedNative ?? CHAINS[name].wrappedNative,
            routers: config.routers,
          },
        ]),
      ),
      ...(solana ? { solana: describeSolana(solana) } : {}),
    },
    platforms: {
      telegram: {
        url: telegram?.url ?? '',
        bot_token: telegram ? TELEGRAM_BOT.token : '',
        bot: { id: TELEGRAM_BOT.id, username: TELEGRAM_BOT.username },
        group_chat_id: TELEGRAM_GROUP,
      },
      discord: {
        url: discord?.url ?? '',
        gateway_url: discord?.gatewayUrl ?? '',
        token: discord ? DISCORD_BOT.token : '',
        application_id: DISCORD_BOT.id,
        guild_id: DISCORD_GUILD.id,
        channel_id: DISCORD_CHANNEL,
        bot: { id: DISCORD_BOT.id, username: DISCORD_BOT.username },
      },
      x: { url: x?.url ?? '', bot: { id: X_BOT.id, username: X_BOT.username } },
    },
    executors: ROLES.executors.map((role) => role.address),
    guardian: ROLES.guardian.address,
    treasury: ROLES.treasury.address,
    authority: ROLES.authority.address,
    solana: solana && {
      executors: solana.roles.executors.map((role) => role.address),
      authority: solana.roles.authority.address,
      guardian: solana.roles.guardian.address,
      treasury: solana.roles.treasury.address,
      owner: solana.roles.owner.address,
    },
    processes: {},
  };
}

function describeSolana({
  rpcUrl,
  wsUrl,
  program,
  usdc,
  wrappedNative,
  genesisHash,
}: EmbeddedSolana): LocalSolanaChain {
  return {
    chain_id: 0,
    rpc_url: rpcUrl,
    ws_url: wsUrl,
    program,
    usdc,
    wrapped_native: wrappedNative,
    genesis_hash: genesisHash,
  };
}
