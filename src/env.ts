// The only reader of process.env: what may be configured, checked once at start.
import { Resolver } from 'node:dns';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isDevelopmentKey, isDevelopmentSecret, isDevelopmentSolanaKey } from './chain/signing/developmentKeys.ts';
import { CHAIN_NAMES, CHAINS, type ChainName } from './domain/chains.ts';
import { StartError } from './domain/errors.ts';
import { parseUnits } from './domain/money.ts';
import { ORDER_VALUE } from './domain/order.ts';
import { readSolanaAddress, readSolanaSecret, solanaSignatureOf } from './domain/solanaAddress.ts';
import { walletOriginProblem } from './domain/walletOrigin.ts';

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an EVM address');
const key = z.string().regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 lower-case hex digits');
/** Something drawn at random: long, with many different letters, and none of the words that stand in examples. */
const drawnSecret = z
  .string()
  .refine((text) => Buffer.byteLength(text) >= 32, 'must have at least 32 bytes. Draw one: openssl rand -hex 32')
  .refine(
    (text) => new Set(text).size >= 10 && !/change|example|passw|secret|admin|your/i.test(text),
    'is easy to guess. Draw one: openssl rand -hex 32',
  );

/** One chain of a deployment: where it is reached and which contracts serve it. `npm start` writes such a file for its local chains. */
const chainConfig = z.strictObject({
  rpcUrls: z.array(z.url()).min(1),
  usdc: address.optional(),
  wrappedNative: address.optional(),
  permit2: address.optional(),
  routers: z.strictObject({
    bot: address,
    escrow: address,
    payment: address,
    business: address,
    subscription: address,
  }),
  /** Across's contracts on this chain, left out where nothing is bridged through Across; and the adapter to which the bot router was wired, if any. */
  across: z.strictObject({ pool: address, periphery: address, adapter: address.optional() }).optional(),
  /** Relay's contracts and accounts that a wallet may pay or approve on this chain; left out, nothing is moved from or to it through Relay. */
  relay: z.array(address).min(1).max(16).optional(),
  /** Two independent feeds of the native asset in USD. */
  priceFeeds: z.array(address).min(2).max(4),
  /** Chainlink's uptime feed of a rollup's sequencer: while that is down, and for an hour after, the price feeds are not used. */
  sequencerFeed: address.optional(),
  confirmations: z.number().int().min(1).max(1000).optional(),
  pollMs: z.number().int().min(20).max(60_000).optional(),
  explorerUrl: z.url().optional(),
  /** Native units, such as "0.05": an executor key below it raises an alert. Left out, the alert counts transactions. */
  executorMinimum: z
    .string()
    .regex(/^\d+(\.\d{1,18})?$/, 'must be a decimal amount')
    .optional(),
  /** The block in which the routers were deployed: tabs are looked for from there on. Left out, from the first start on. */
  deployedAtBlock: z.number().int().min(0).optional(),
  /** A chain of the local stack: its money is play money. */
  local: z.boolean().default(false),
});
export type ChainConfig = z.infer<typeof chainConfig>;

const solanaAddress = z.string().refine((text) => readSolanaAddress(text) !== null, 'must be an address of Solana');
/** The same of a Solana cluster. */
const solanaConfig = z.strictObject({
  rpcUrls: z.array(z.url()).min(1),
  program: solanaAddress,
  usdc: solanaAddress.optional(),
  pollMs: z.number().int().min(20).max(60_000).optional(),
  explorerUrl: z.url().optional(),
  /** SOL, such as "0.5": an executor key below it raises an alert. */
  executorMinimum: z
    .string()
    .regex(/^\d+(\.\d{1,9})?$/, 'must be a decimal amount')
    .optional(),
  /** Chainlink feeds of SOL / USD on an EVM chain of this file. Without them nothing is sent in SOL. */
  priceFeeds: z
    .strictObject({
      chain: z.enum(CHAIN_NAMES.filter((name) => CHAINS[name].family === 'evm')),
      feeds: z.array(address).min(2).max(4),
    })
    .optional(),
  /** Relay's depository: the programs to which payers may deposit. */
  relay: z.array(solanaAddress).min(1).max(16).optional(),
  local: z.boolean().default(false),
});
export type SolanaConfig = z.infer<typeof solanaConfig>;

/** 64 bytes in base58, as wallets export them. */
const solanaSecret = z.string().transform((text, check) => {
  const bytes = readSolanaSecret(text.trim());
  if (bytes) return bytes;
  check.addIssue({ code: 'custom', message: 'must be keys of Solana: 64 bytes in base58' });
  return z.NEVER;
});

const secretKey = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits (32 random bytes)');

const usd = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be US dollars, such as 0.01')
  .transform((text) => parseUnits(text, 6) ?? 0n)
  .refine((micros) => micros > 0n, 'must be above nothing');

const schema = z.object({
  AMPERSAT_MODE: z.enum(['development', 'production']).default('production'),
  DATABASE_URL: z.url(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must look like redis://host:6379 or rediss://…' }).optional(),
  CHAINS_FILE: z.string().min(1),
  EXECUTOR_KEYS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(key).min(1))
    .optional(),
  /** The same on Solana, each the 64 bytes that wallets export, in base58. */
  SOLANA_EXECUTOR_KEYS: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(solanaSecret).min(1).max(8))
    .optional(),
  /** The handle authority's key: of the signer process, and of no other. */
  AUTHORITY_KEY: key.optional(),
  SOLANA_AUTHORITY_KEY: solanaSecret.optional(),
  /** The key of the routers' guardian, which may pause them and nothing else: of the watchdog process, and of no other. */
  GUARDIAN_KEY: key.optional(),
  /** The same of the program's guardian on Solana. */
  SOLANA_GUARDIAN_KEY: solanaSecret.optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  BASE_URL: z.url().default('http://127.0.0.1:8080'),
  /** Where people pay in a browser: the origin of checkout pages. BASE_URL when it is left out. */
  CHECKOUT_BASE: z.url().optional(),
  /** An origin for passkeys alone, which sign in a window there: scripts of the pages never have a key. The pages sign themselves when it is left out. */
  WALLET_ORIGIN: z.url({ protocol: /^https?$/, error: 'must be an origin, such as https://wallet.example' }).optional(),
  /** Lets buyers pay from a wallet on another device, through WalletConnect's relay; the pages talk to it only when this is set. */
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be the 32 hex digits of a WalletConnect project')
    .optional(),
  /** How many proxies of ours stand in front of the API: that many entries of X-Forwarded-For are believed. */
  TRUST_PROXY: z.coerce.number().int().min(0).max(5).default(0),
  /** Calls that wallets signed and our executors pay for: the most per chain in 24 hours. */
  SPONSORED_CALLS_PER_CHAIN: z.coerce.number().int().min(0).default(500),
  /** What one API key may do: so many requests a second, and so many at once after a pause. */
  API_RATE_PER_SECOND: z.coerce.number().int().min(1).max(1_000_000).default(100),
  API_RATE_BURST: z.coerce.number().int().min(1).max(1_000_000).default(200),
  /** Payments of orders that our executors pay the gas of: the most per chain, and of one merchant on a chain, in 24 hours. */
  SPONSORED_PAYMENTS_PER_CHAIN: z.coerce.number().int().min(0).default(10_000),
  SPONSORED_PAYMENTS_PER_HANDLE: z.coerce.number().int().min(0).default(1_000),
  /** What an order or a link may ask for, in US dollars, read as micro-USD. */
  ORDER_LEAST_USD: usd.default(ORDER_VALUE.least),
  ORDER_MOST_USD: usd.default(ORDER_VALUE.most),
  LINK_KEY: secretKey.optional(),
  /** Under which the signing secrets of webhook endpoints rest. Without it there are no webhooks. */
  WEBHOOK_KEY: secretKey.optional(),
  /** Lets webhooks go to this machine itself: for a desk, never in production mode. */
  WEBHOOK_ALLOW_LOOPBACK: z.stringbool().default(false),
  /** An HTTP proxy through which webhooks leave. */
  WEBHOOK_PROXY: z.url({ protocol: /^http$/, error: 'must look like http://proxy:3128' }).optional(),
  /** Name servers that resolve the hosts of webhooks, by commas; the system’s own when it is left out. */
  WEBHOOK_DNS_SERVERS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(areNameServers, 'must be addresses by commas, each with a port or without: 10.0.0.2,10.0.0.3:5353')
    .optional(),
  /** The most deliveries a second to one host, from each worker process. */
  WEBHOOK_HOST_PER_SECOND: z.coerce.number().int().min(1).max(1_000_000).default(100),
  MESSAGE_EPOCH: z.coerce.number().int().min(1).default(1),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{10,}$/, 'must look like 123456:ABC…')
    .optional(),
  TELEGRAM_API_ROOT: z.url().default('https://api.telegram.org'),
  TELEGRAM_WEBHOOK_URL: z.url().optional(),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{32,256}$/, 'must be 32 to 256 letters, digits, _ or -')
    .optional(),
  TELEGRAM_WEBHOOK_PORT: z.coerce.number().int().min(0).max(65535).default(8081),
  /** Logins at platforms, by which people show on our pages which account is theirs. One that has no id here is not offered. */
  DISCORD_CLIENT_ID: z
    .string()
    .regex(/^\d{1,20}$/, 'must be a number')
    .optional(),
  DISCORD_CLIENT_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  DISCORD_OAUTH_ROOT: z.url().default('https://discord.com'),
  X_CLIENT_ID: z.string().min(1).optional(),
  X_CLIENT_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  X_AUTHORIZE_ROOT: z.url().default('https://x.com'),
  X_API_ROOT: z.url().default('https://api.x.com'),
  TELEGRAM_BOT_ID: z
    .string()
    .regex(/^\d{1,20}$/, 'must be a number')
    .optional(),
  /** SHA-256 of the bot's token: enough to check a login, and not enough to speak for the bot. */
  TELEGRAM_LOGIN_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of the bot token, as 64 lower-case hex digits')
    .optional(),
  TELEGRAM_OAUTH_ROOT: z.url().default('https://oauth.telegram.org'),
  /** The bot's own account at X: where its login begins. Rotated tokens are kept sealed in the database. */
  X_BOT_REFRESH_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  /** What calls of X may cost in a UTC day. */
  X_DAILY_BUDGET_USD: z.coerce.number().min(0.5).max(100_000).default(10),
  /** Whether a post may have the address of the page that opens a tab for an unknown recipient: it costs as much as thirteen others. */
  X_CREATE_LINKS: z.stringbool().default(true),
  /** Whether a post may have the link of an order that was created on X. */
  X_ORDER_LINKS: z.stringbool().default(false),
  /** Pause between two looks for mentions; four times as long when the budget is nearly used. */
  X_POLL_SECONDS: z.coerce.number().min(0.2).max(3_600).default(15),
  DISCORD_BOT_TOKEN: z
    .string()
    .regex(/^[\w-]{6,}\.[\w-]{4,}\.[\w-]{10,}$/, 'must look like three words with points between them')
    .optional(),
  /** Read from Discord when it is left out. */
  DISCORD_APPLICATION_ID: z
    .string()
    .regex(/^\d{5,20}$/, 'must be the number of your application')
    .optional(),
  DISCORD_API_ROOT: z.url().default('https://discord.com/api'),
  /** Where Across tells its prices; and the integrator's id that production asks for. */
  ACROSS_API_ROOT: z.url().default('https://app.across.to/api'),
  ACROSS_INTEGRATOR_ID: z
    .string()
    .regex(/^0x[0-9a-fA-F]{4}$/, 'must be 0x and four hex digits')
    .optional(),
  /** Relay's API, and the key of it: it signs Relay's webhooks, too. */
  RELAY_API_ROOT: z.url().default('https://api.relay.link'),
  RELAY_API_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  /** Opens the operations page, the queues' board and the metrics. */
  ADMIN_SECRET: drawnSecret.optional(),
  /** Opens the metrics only: what a Prometheus server should be given instead of the admin secret. */
  METRICS_TOKEN: drawnSecret.optional(),
  ALERT_WEBHOOK_URL: z.url().optional(),
  /** Work that is older than this raises an alert. */
  ALERT_JAM_SECONDS: z.coerce.number().int().min(1).max(86_400).default(60),
  /** An executor key that can pay for fewer full batches than this at the chain's price raises an alert. */
  ALERT_EXECUTOR_TRANSACTIONS: z.coerce.number().int().min(1).max(1_000_000).default(50),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

/** In the form in which the resolver reads them. */
function areNameServers(servers: string[]): boolean {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}

/** Every variable that is read, besides RPC_URL_<CHAIN>. */
export const ENV_NAMES = Object.keys(schema.shape);

export type Env = z.infer<typeof schema> & {
  chains: Partial<Record<ChainName, ChainConfig>>;
  solana: SolanaConfig | null;
};

/**
 * Reads and checks the configuration.
 * @throws StartError that names every variable that is missing or wrong and never shows a value
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues
      .map(
        (issue) =>
          `${issue.path.join('.')} ${given[String(issue.path[0])] === undefined ? 'is not set' : issue.message}`,
      )
      .join('; ');
    throw new StartError(`The configuration is not usable: ${problems}. See .env.example.`);
  }
  const env = parsed.data;
  if (env.TELEGRAM_WEBHOOK_URL && !env.TELEGRAM_WEBHOOK_SECRET) {
    throw new StartError('TELEGRAM_WEBHOOK_URL needs TELEGRAM_WEBHOOK_SECRET, so that only Telegram can call it.');
  }
  if (env.WALLET_ORIGIN) {
    const { BASE_URL, CHECKOUT_BASE } = env;
    const problem = walletOriginProblem(env.WALLET_ORIGIN, { BASE_URL, CHECKOUT_BASE });
    if (problem) throw new StartError(`WALLET_ORIGIN ${problem}.`);
  }
  if (env.ORDER_LEAST_USD > env.ORDER_MOST_USD) {
    throw new StartError('ORDER_LEAST_USD is more than ORDER_MOST_USD, so no order could be made.');
  }
  if (new Set(env.EXECUTOR_KEYS).size < (env.EXECUTOR_KEYS?.length ?? 0)) {
    throw new StartError('EXECUTOR_KEYS has the same key twice. Name each key once.');
  }
  for (const [secret, id] of LOGIN_SECRETS) {
    if (env[secret] && !env[id]) throw new StartError(`${secret} is set without ${id}: a login needs both.`);
  }
  const authority = (['AUTHORITY_KEY', 'SOLANA_AUTHORITY_KEY'] as const).find((name) => env[name]);
  const executors = (['EXECUTOR_KEYS', 'SOLANA_EXECUTOR_KEYS'] as const).find((name) => env[name]);
  if (authority && executors) {
    throw new StartError(
      `${authority} and ${executors} are set for one process. A process with both could pay out any tab: give each to its own process only.`,
    );
  }
  const other = authority ?? executors;
  const guardian = (['GUARDIAN_KEY', 'SOLANA_GUARDIAN_KEY'] as const).find((name) => env[name]);
  if (guardian && other) {
    throw new StartError(
      `${guardian} and ${other} are set for one process. The watchdog guards against a stolen key, so it has none of them: give it the guardian’s key alone.`,
    );
  }
  const { chains, solana } = readChains(env.CHAINS_FILE, given);
  const isLocal = Object.values(chains).some((chain) => chain.local) || solana?.local === true;
  if (env.AMPERSAT_MODE === 'production' && isLocal) {
    throw new StartError(
      'CHAINS_FILE names local chains, which production mode refuses. Use the file of a real network.',
    );
  }
  if (env.AMPERSAT_MODE === 'production') refuseDevelopment(env);
  if (isLocal && env.TELEGRAM_BOT_TOKEN && new URL(env.TELEGRAM_API_ROOT).hostname === 'api.telegram.org') {
    throw new StartError(
      'A real Telegram token must not serve local chains: people would be shown payments that are none.',
    );
  }
  if (env.X_BOT_REFRESH_TOKEN && !(env.X_CLIENT_ID && env.X_CLIENT_SECRET)) {
    throw new StartError('X_BOT_REFRESH_TOKEN needs X_CLIENT_ID and X_CLIENT_SECRET, the client that it was given to.');
  }
  if (isLocal && env.X_BOT_REFRESH_TOKEN && /(^|\.)(x|twitter)\.com$/.test(new URL(env.X_API_ROOT).hostname)) {
    throw new StartError('A real X account must not serve local chains: people would be shown payments that are none.');
  }
  if (isLocal && env.DISCORD_BOT_TOKEN && /(^|\.)discord(app)?\.com$/.test(new URL(env.DISCORD_API_ROOT).hostname)) {
    throw new StartError(
      'A real Discord token must not serve local chains: people would be shown payments that are none.',
    );
  }
  return { ...env, chains, solana };
}

/** What belongs together. An id alone is nothing secret: a process that offers no login may have it. */
const LOGIN_SECRETS = [
  ['DISCORD_CLIENT_SECRET', 'DISCORD_CLIENT_ID'],
  ['X_CLIENT_SECRET', 'X_CLIENT_ID'],
  ['TELEGRAM_LOGIN_KEY', 'TELEGRAM_BOT_ID'],
] as const;

/** Where people sign in, pay, and show who they are. */
const HTTPS_ONLY = [
  'BASE_URL',
  'CHECKOUT_BASE',
  'WALLET_ORIGIN',
  'TELEGRAM_WEBHOOK_URL',
  'DISCORD_OAUTH_ROOT',
  'X_AUTHORIZE_ROOT',
  'X_API_ROOT',
  'TELEGRAM_OAUTH_ROOT',
] as const;

const deploySchema = z.object({ DEPLOYER_KEY: key.optional() });

/** What a deployment takes from the environment: its key, and the first endpoint of each chain. @throws StartError */
export function readDeployEnv(source: Record<string, string | undefined> = process.env): {
  deployerKey: string | undefined;
  rpcUrlOf(chain: ChainName): string | undefined;
} {
  const parsed = deploySchema.safeParse({ DEPLOYER_KEY: source['DEPLOYER_KEY'] || undefined });
  if (!parsed.success) throw new StartError('DEPLOYER_KEY must be 0x and 64 lower-case hex digits.');
  return {
    deployerKey: parsed.data.DEPLOYER_KEY,
    rpcUrlOf: (chain) => source[rpcVariable(chain)]?.split(',')[0]?.trim() || undefined,
  };
}

/** What the command line takes from the environment: which service, which key, and whether the terminal shows colours. */
export type CliEnv = {
  apiKey: string | undefined;
  baseUrl: string | undefined;
  hasColours: boolean;
  /** `ampersat`, or the npm command that started it. */
  command: string;
};

export function readCliEnv(source: Record<string, string | undefined> = process.env): CliEnv {
  return {
    apiKey: source['AMPERSAT_API_KEY'] || undefined,
    baseUrl: source['AMPERSAT_BASE_URL'] || undefined,
    hasColours: !source['NO_COLOR'] && source['TERM'] !== 'dumb',
    command: commandOf(source),
  };
}

/** How the command line was started, so that the commands that it shows can be pasted. npm says so to what it runs. */
function commandOf(source: Record<string, string | undefined>): string {
  if (source['npm_lifecycle_event'] === 'ampersat') return 'npm run -s ampersat --';
  return source['npm_command'] === 'exec' ? 'npx ampersat' : 'ampersat';
}

/** Where the endpoints of a chain may stand in the environment. */
export function rpcVariable(chain: string): string {
  return `RPC_URL_${chain.toUpperCase().replaceAll('-', '_')}`;
}

/** What is fine on a desk and not where money is. @throws StartError */
function refuseDevelopment(env: z.infer<typeof schema>): void {
  if (env.WEBHOOK_ALLOW_LOOPBACK) {
    throw new StartError(
      'WEBHOOK_ALLOW_LOOPBACK is set, which production mode refuses: merchants could reach what listens on this machine.',
    );
  }
  for (const name of ['EXECUTOR_KEYS', 'AUTHORITY_KEY', 'GUARDIAN_KEY'] as const) {
    if ([env[name] ?? []].flat().some((one) => isDevelopmentKey(one as `0x${string}`))) throw knownToAll(name);
  }
  for (const name of ['SOLANA_EXECUTOR_KEYS', 'SOLANA_AUTHORITY_KEY', 'SOLANA_GUARDIAN_KEY'] as const) {
    const keys = env[name] ?? [];
    if ((Array.isArray(keys) ? keys : [keys]).some(isDevelopmentSolanaKey)) throw knownToAll(name);
  }
  for (const name of ['LINK_KEY', 'WEBHOOK_KEY'] as const) {
    if (env[name] !== undefined && isDevelopmentSecret(env[name])) throw knownToAll(name);
  }
  for (const name of HTTPS_ONLY) {
    const url = env[name];
    if (url !== undefined && new URL(url).protocol !== 'https:') {
      throw new StartError(`${name} must begin with https:// in production mode: people sign in and pay there.`);
    }
  }
}

function knownToAll(name: string): StartError {
  return new StartError(
    `${name} has a key that everybody can know, which production mode refuses. Draw your own: openssl rand -hex 32`,
  );
}

/** The values that must never be seen in a log: the log takes them out of every line. */
export function secretsOf(env: Env): string[] {
  const urls = [
    env.DATABASE_URL,
    env.REDIS_URL,
    env.ALERT_WEBHOOK_URL,
    env.WEBHOOK_PROXY,
    ...Object.values(env.chains).flatMap((chain) => chain.rpcUrls),
    ...(env.solana?.rpcUrls ?? []),
  ].filter((url) => url !== undefined);
  const passwords = urls.map((url) => new URL(url).password).flatMap((text) => [text, decodeURIComponent(text)]);
  const others = [
    env.TELEGRAM_BOT_TOKEN,
    env.TELEGRAM_WEBHOOK_SECRET,
    env.X_BOT_REFRESH_TOKEN,
    env.DISCORD_BOT_TOKEN,
    env.LINK_KEY,
    env.WEBHOOK_KEY,
    env.RELAY_API_KEY,
    env.DISCORD_CLIENT_SECRET,
    env.X_CLIENT_SECRET,
    env.TELEGRAM_LOGIN_KEY,
    env.ADMIN_SECRET,
    env.METRICS_TOKEN,
    env.AUTHORITY_KEY?.slice(2),
    env.GUARDIAN_KEY?.slice(2),
    ...[...(env.SOLANA_EXECUTOR_KEYS ?? []), env.SOLANA_AUTHORITY_KEY, env.SOLANA_GUARDIAN_KEY].flatMap((secret) =>
      secret ? [solanaSignatureOf(secret)] : [],
    ),
  ];
  return [...urls, ...passwords, ...others, ...(env.EXECUTOR_KEYS ?? []).map((one) => one.slice(2))].filter(
    (text) => text !== undefined && text.length >= 8,
  ) as string[];
}

/** Each chain by the schema of its family. */
const CHAIN_SCHEMAS = Object.fromEntries(
  CHAIN_NAMES.map((name) => [name, CHAINS[name].family === 'solana' ? solanaConfig : chainConfig]),
) as Record<Exclude<ChainName, 'solana'>, typeof chainConfig> & { solana: typeof solanaConfig };

function readChains(path: string, source: Record<string, string | undefined>): Pick<Env, 'chains' | 'solana'> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new StartError('CHAINS_FILE cannot be read as JSON. Name the file that describes your chains.', { cause });
  }
  const parsed = z.strictObject(CHAIN_SCHEMAS).partial().safeParse(content);
  if (!parsed.success) throw new StartError(`CHAINS_FILE is not usable: ${z.prettifyError(parsed.error)}`);
  for (const [name, chain] of Object.entries(parsed.data)) {
    const override = source[rpcVariable(name)];
    if (override) chain.rpcUrls = override.split(',').map((url) => url.trim());
  }
  const { solana = null, ...chains } = parsed.data;
  return { chains, solana };
}
