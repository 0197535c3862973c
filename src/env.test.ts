import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toHex } from 'viem';
import { generatePrivateKey, mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keypairOf, localSolanaKey } from '../local/solana/keys.ts';
import { localKey, PEOPLE } from '../local/stack/people.ts';
import { ROLES } from '../local/stack/roles.ts';
import { scrub } from './domain/scrub.ts';
import { readEnv, secretsOf } from './env.ts';
import { createLog } from './log.ts';

const ADDRESS = '0x00000000000000000000000000000000000000aa';
const chain = {
  rpcUrls: ['http://127.0.0.1:1'],
  wrappedNative: ADDRESS,
  routers: { bot: ADDRESS, escrow: ADDRESS, payment: ADDRESS, business: ADDRESS, subscription: ADDRESS },
  priceFeeds: [ADDRESS, ADDRESS],
};
let folder: string;
let good: Record<string, string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ampersat-env-'));
  writeFileSync(join(folder, 'chains.json'), JSON.stringify({ base: chain }));
  writeFileSync(join(folder, 'local.json'), JSON.stringify({ base: { ...chain, local: true } }));
  writeFileSync(join(folder, 'broken.json'), '{');
  good = {
    DATABASE_URL: 'postgresql://a:b@127.0.0.1:5432/c',
    CHAINS_FILE: join(folder, 'chains.json'),
    BASE_URL: 'https://pay.example',
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('configuration', () => {
  test('has defaults that are safe', () => {
    const env = readEnv(good);
    expect(env).toMatchObject({ AMPERSAT_MODE: 'production', HOST: '127.0.0.1', MESSAGE_EPOCH: 1, LOG_LEVEL: 'info' });
    expect(env.chains.base?.rpcUrls).toEqual(['http://127.0.0.1:1']);
  });

  test('takes RPC endpoints from the environment, several by commas', () => {
    const env = readEnv({ ...good, RPC_URL_BASE: 'http://127.0.0.1:2, http://127.0.0.1:3' });
    expect(env.chains.base?.rpcUrls).toEqual(['http://127.0.0.1:2', 'http://127.0.0.1:3']);
  });

  test.each([
    ['DATABASE_URL', '', /DATABASE_URL is not set/],
    ['EXECUTOR_KEYS', '0x1234', /EXECUTOR_KEYS.*must be 0x and 64/],
    ['TELEGRAM_BOT_TOKEN', 'nonsense', /TELEGRAM_BOT_TOKEN must look like/],
    ['X_BOT_REFRESH_TOKEN', 'a-refresh-token-of-x', /X_BOT_REFRESH_TOKEN needs X_CLIENT_ID and X_CLIENT_SECRET/],
    ['X_DAILY_BUDGET_USD', '0', /X_DAILY_BUDGET_USD/],
    ['DISCORD_BOT_TOKEN', 'nonsense', /DISCORD_BOT_TOKEN must look like/],
    ['TELEGRAM_WEBHOOK_SECRET', 'short', /TELEGRAM_WEBHOOK_SECRET must be 32/],
    ['PORT', '70000', /PORT/],
    ['ADMIN_SECRET', 'x7Kp2', /ADMIN_SECRET must have at least 32 bytes/],
    ['ADMIN_SECRET', 'a'.repeat(40), /ADMIN_SECRET is easy to guess/],
    ['ADMIN_SECRET', 'please-change-this-0123456789-0123456789', /ADMIN_SECRET is easy to guess/],
    ['METRICS_TOKEN', 'short', /METRICS_TOKEN must have at least 32 bytes/],
    ['EXECUTOR_KEYS', `0x${'5f'.repeat(32)},0x${'5f'.repeat(32)}`, /EXECUTOR_KEYS has the same key twice/],
    ['ORDER_LEAST_USD', '1e3', /ORDER_LEAST_USD must be US dollars/],
    ['ORDER_MOST_USD', '0.00', /ORDER_MOST_USD must be above nothing/],
    ['ORDER_MOST_USD', '0.009', /ORDER_LEAST_USD is more than ORDER_MOST_USD/],
    ['BASE_URL', 'http://pay.example', /BASE_URL must begin with https:/],
    ['WALLET_ORIGIN', 'wallet', /WALLET_ORIGIN must be an origin, such as https/],
    ['WALLET_ORIGIN', 'http://wallet.localhost:8080', /WALLET_ORIGIN must begin with https:/],
    ['WALLET_ORIGIN', 'https://pay.example', /WALLET_ORIGIN has the host of BASE_URL/],
    ['WALLET_ORIGIN', 'https://wallet.pay.example', /WALLET_ORIGIN and BASE_URL are one below the other/],
    ['TELEGRAM_WEBHOOK_URL', 'http://pay.example/hook', /TELEGRAM_WEBHOOK_URL (needs|must begin)/],
    ['DISCORD_CLIENT_ID', 'ampersat', /DISCORD_CLIENT_ID must be a number/],
    ['DISCORD_CLIENT_SECRET', 'short', /DISCORD_CLIENT_SECRET must have at least 16/],
    ['DISCORD_CLIENT_SECRET', 'kW3vR8xT1bN6mZ4cQ9yL', /DISCORD_CLIENT_SECRET is set without DISCORD_CLIENT_ID/],
    ['X_CLIENT_SECRET', 'kW3vR8xT1bN6mZ4cQ9yL', /X_CLIENT_SECRET is set without X_CLIENT_ID/],
    ['TELEGRAM_LOGIN_KEY', '5f'.repeat(32), /TELEGRAM_LOGIN_KEY is set without TELEGRAM_BOT_ID/],
    ['TELEGRAM_LOGIN_KEY', '123456:ABC-DEF', /TELEGRAM_LOGIN_KEY must be the SHA-256/],
    ['DISCORD_OAUTH_ROOT', 'http://discord.example', /DISCORD_OAUTH_ROOT must begin with https:/],
    ['X_AUTHORIZE_ROOT', 'http://x.example', /X_AUTHORIZE_ROOT must begin with https:/],
    ['X_API_ROOT', 'http://x.example', /X_API_ROOT must begin with https:/],
    ['TELEGRAM_OAUTH_ROOT', 'http://telegram.example', /TELEGRAM_OAUTH_ROOT must begin with https:/],
    ['WEBHOOK_DNS_SERVERS', '10.0.0.2, dns.example', /WEBHOOK_DNS_SERVERS must be addresses by commas/],
    ['REDIS_URL', 'localhost:6379', /REDIS_URL must look like redis:/],
    ['TELEGRAM_WEBHOOK_URL', 'https://bot.example/hook', /needs TELEGRAM_WEBHOOK_SECRET/],
  ])('%s = %j is refused by name', (name, value, message) => {
    expect(() => readEnv({ ...good, [name]: value })).toThrow(message);
  });

  test('takes an origin of the wallet beside the pages, and none that the checkout’s pages reach', () => {
    const beside = { ...good, BASE_URL: 'https://pay.example.com', WALLET_ORIGIN: 'https://wallet.example.com' };
    expect(readEnv(beside).WALLET_ORIGIN).toBe('https://wallet.example.com');
    expect(() => readEnv({ ...beside, CHECKOUT_BASE: 'https://a.wallet.example.com' })).toThrow(
      /WALLET_ORIGIN and CHECKOUT_BASE are one below the other/,
    );
  });

  test.each(['redis://127.0.0.1:6379', 'rediss://:secret@redis.example:6380/2'])('takes REDIS_URL = %s', (url) => {
    expect(readEnv({ ...good, REDIS_URL: url }).REDIS_URL).toBe(url);
  });

  test('never shows a wrong value, which may be a secret', () => {
    const secret = `0x${'ab'.repeat(31)}`;
    expect(() => readEnv({ ...good, EXECUTOR_KEYS: secret })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(secret) }),
    );
  });

  test('says what is wrong with the chains file', () => {
    expect(() => readEnv({ ...good, CHAINS_FILE: join(folder, 'broken.json') })).toThrow(
      /CHAINS_FILE cannot be read as JSON/,
    );
    expect(() => readEnv({ ...good, CHAINS_FILE: join(folder, 'missing.json') })).toThrow(/CHAINS_FILE cannot be read/);
  });

  test('production refuses every key that the local stack, anvil or a tired hand gives out, and takes a drawn one', () => {
    const known = [
      ...[ROLES.deployer, ROLES.owner, ROLES.guardian, ROLES.treasury, ROLES.authority, ...ROLES.executors].map(
        (role) => role.key,
      ),
      ...PEOPLE.map((person) => person.key),
      '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
      ...Array.from({ length: 20 }, (_, addressIndex) => {
        const { key } = deriveJunk(addressIndex);
        return key;
      }),
      `0x${'0'.repeat(63)}1`,
    ];
    for (const key of known) {
      expect(() => readEnv({ ...good, EXECUTOR_KEYS: key }), key).toThrow(
        /EXECUTOR_KEYS has a key that everybody can know/,
      );
      const development = { ...good, AMPERSAT_MODE: 'development', EXECUTOR_KEYS: key };
      expect(readEnv(development).EXECUTOR_KEYS).toEqual([key]);
    }
    expect(readEnv({ ...good, EXECUTOR_KEYS: generatePrivateKey() }).EXECUTOR_KEYS).toHaveLength(1);
  });

  test.each([
    ['LINK_KEY', 'link key'],
    ['WEBHOOK_KEY', 'webhook key'],
  ])('production refuses the %s of the local stack, and takes a drawn one', (name, role) => {
    for (const value of [localKey(role).key.slice(2), `${'0'.repeat(63)}1`]) {
      expect(() => readEnv({ ...good, [name]: value })).toThrow(
        `${name} has a key that everybody can know, which production mode refuses. Draw your own: openssl rand -hex 32`,
      );
      expect(readEnv({ ...good, AMPERSAT_MODE: 'development', [name]: value })).toMatchObject({ [name]: value });
    }
    const drawn = 'f7'.repeat(32);
    expect(readEnv({ ...good, [name]: drawn })).toMatchObject({ [name]: drawn });
  });

  test('a cluster of Solana has a program and keys of 64 bytes; production refuses those of the local stack', () => {
    const program = localSolanaKey('program').address;
    const file = join(folder, 'solana.json');
    writeFileSync(file, JSON.stringify({ base: chain, solana: { rpcUrls: ['http://127.0.0.1:1'], program } }));
    const withSolana = { ...good, CHAINS_FILE: file };
    expect(readEnv({ ...withSolana, RPC_URL_SOLANA: 'http://127.0.0.1:4' }).solana).toMatchObject({
      program,
      rpcUrls: ['http://127.0.0.1:4'],
    });
    expect(readEnv(good).solana).toBeNull();
    const drawn = keypairOf(randomBytes(32));
    const env = readEnv({ ...withSolana, SOLANA_EXECUTOR_KEYS: drawn.secret });
    expect(env.SOLANA_EXECUTOR_KEYS?.map((bytes) => Buffer.from(bytes))).toEqual([Buffer.from(drawn.secretBytes)]);
    expect(secretsOf(env)).toContain(drawn.secret);
    expect(() => readEnv({ ...withSolana, SOLANA_EXECUTOR_KEYS: drawn.address })).toThrow(/64 bytes in base58/);
    for (const name of ['SOLANA_EXECUTOR_KEYS', 'SOLANA_AUTHORITY_KEY'])
      expect(() => readEnv({ ...withSolana, [name]: localSolanaKey('executor 1').secret }), name).toThrow(name);
    expect(() =>
      readEnv({ ...withSolana, SOLANA_EXECUTOR_KEYS: drawn.secret, AUTHORITY_KEY: generatePrivateKey() }),
    ).toThrow(/one process/);
    writeFileSync(file, JSON.stringify({ solana: { rpcUrls: ['http://127.0.0.1:1'], program: ADDRESS } }));
    expect(() => readEnv(withSolana)).toThrow(/must be an address of Solana/);
  });

  test('production refuses local chains, and a real token refuses them anywhere', () => {
    const local = { ...good, CHAINS_FILE: join(folder, 'local.json') };
    expect(() => readEnv(local)).toThrow(/names local chains/);
    const token = { ...local, AMPERSAT_MODE: 'development', TELEGRAM_BOT_TOKEN: '123456:abcdefghijklmnop' };
    expect(() => readEnv(token)).toThrow(/must not serve local chains/);
    const account = {
      ...local,
      AMPERSAT_MODE: 'development',
      X_CLIENT_ID: 'client',
      X_CLIENT_SECRET: 'a-client-secret-of-x',
      X_BOT_REFRESH_TOKEN: 'a-refresh-token-of-x',
    };
    for (const X_API_ROOT of [undefined, 'https://api.twitter.com'])
      expect(() => readEnv({ ...account, ...(X_API_ROOT ? { X_API_ROOT } : {}) })).toThrow(
        /real X account must not serve local chains/,
      );
    const env = readEnv({ ...account, X_API_ROOT: 'http://127.0.0.1:1' });
    expect(secretsOf(env)).toEqual(expect.arrayContaining(['a-client-secret-of-x', 'a-refresh-token-of-x']));
    const discord = {
      ...local,
      AMPERSAT_MODE: 'development',
      DISCORD_BOT_TOKEN: 'MTIzNDU2.abcdef.ghijklmnopqrstuvwxyz',
    };
    expect(() => readEnv(discord)).toThrow(/A real Discord token must not serve local chains/);
    expect(readEnv({ ...discord, DISCORD_API_ROOT: 'http://127.0.0.1:1/api' }).DISCORD_BOT_TOKEN).toBeDefined();
  });
});

function deriveJunk(addressIndex: number): { key: string } {
  const { getHdKey } = mnemonicToAccount(`${'test '.repeat(11)}junk`, { addressIndex });
  return { key: toHex(getHdKey().privateKey ?? new Uint8Array()) };
}

describe('what is logged', () => {
  test('has no address of a provider, no token and no key', () => {
    const text = scrub(
      `at https://rpc.example/v1/SECRET and /bot123456789:AAabcdefghij/getMe with 0x${'cd'.repeat(32)}`,
    );
    expect(text).toBe('at [url] and /bot[token]/getMe with [hex]');
  });

  test('has none of the configured secrets, wherever a line got them from', () => {
    const env = readEnv({
      ...good,
      DATABASE_URL: 'postgresql://ampersat:pa%2Fss"wördé99@db.internal:5432/c',
      EXECUTOR_KEYS: `0x${'5f3a'.repeat(16)}`,
      TELEGRAM_BOT_TOKEN: '123456:abcdefghijklmnop',
      DISCORD_BOT_TOKEN: 'MTIzNDU2.abcdef.ghijklmnopqrstuvwxyz',
      ADMIN_SECRET: '0123456789abcdef0123456789ABCDEF',
      DISCORD_CLIENT_ID: '118000000000000001',
      DISCORD_CLIENT_SECRET: 'discord-client-K3yK3yK3y',
      X_CLIENT_ID: 'abc',
      X_CLIENT_SECRET: 'x-client-K3yK3yK3yK3y',
      TELEGRAM_BOT_ID: '123456',
      TELEGRAM_LOGIN_KEY: 'c0de'.repeat(16),
      ALERT_WEBHOOK_URL: 'https://hooks.example/T0/B1/xyz',
      RPC_URL_BASE: 'https://rpc.example/v2/KEYKEYKEY',
    });
    const lines: string[] = [];
    const log = createLog('test', 'info', secretsOf(env), { write: (line) => void lines.push(line) });
    for (const secret of secretsOf(env)) {
      log.info({ deep: { in: [`a ${secret} b`] } }, `said ${secret}`);
      log.error({ err: new Error(`fetch of ${secret} failed`), token: secret }, 'x');
    }
    expect(secretsOf(env).length).toBeGreaterThanOrEqual(11);
    for (const name of ['DISCORD_CLIENT_SECRET', 'X_CLIENT_SECRET', 'TELEGRAM_LOGIN_KEY'] as const)
      expect(secretsOf(env)).toContain(env[name]);
    const text = lines.join('');
    for (const secret of secretsOf(env)) expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });
});
