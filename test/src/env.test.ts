import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnv } from '../../src/env.ts';
import { scrub } from '../../src/log.ts';

const ADDRESS = '0x00000000000000000000000000000000000000aa';
const chain = {
  rpcUrls: ['http://127.0.0.1:1'],
  wrappedNative: ADDRESS,
  botRouter: ADDRESS,
  priceFeeds: [ADDRESS, ADDRESS],
};
let folder: string;
let good: Record<string, string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ampersat-env-'));
  writeFileSync(join(folder, 'chains.json'), JSON.stringify({ base: chain }));
  writeFileSync(join(folder, 'local.json'), JSON.stringify({ base: { ...chain, local: true } }));
  writeFileSync(join(folder, 'broken.json'), '{');
  good = { DATABASE_URL: 'postgresql://a:b@127.0.0.1:5432/c', CHAINS_FILE: join(folder, 'chains.json') };
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
    ['DATABASE_URL', '', /DATABASE_URL/],
    ['EXECUTOR_KEYS', '0x1234', /EXECUTOR_KEYS.*must be 0x and 64/],
    ['TELEGRAM_BOT_TOKEN', 'nonsense', /TELEGRAM_BOT_TOKEN must look like/],
    ['TELEGRAM_WEBHOOK_SECRET', 'short', /TELEGRAM_WEBHOOK_SECRET must be 32/],
    ['PORT', '70000', /PORT/],
    ['REDIS_URL', 'localhost:6379', /REDIS_URL must look like redis:/],
    ['TELEGRAM_WEBHOOK_URL', 'https://bot.example/hook', /needs TELEGRAM_WEBHOOK_SECRET/],
  ])('%s = %j is refused by name', (name, value, message) => {
    expect(() => readEnv({ ...good, [name]: value })).toThrow(message);
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

  test('production refuses local chains, and a real token refuses them anywhere', () => {
    const local = { ...good, CHAINS_FILE: join(folder, 'local.json') };
    expect(() => readEnv(local)).toThrow(/names local chains/);
    const token = { ...local, AMPERSAT_MODE: 'development', TELEGRAM_BOT_TOKEN: '123456:abcdefghijklmnop' };
    expect(() => readEnv(token)).toThrow(/must not serve local chains/);
  });
});

describe('what is logged', () => {
  test('has no address of a provider, no token and no key', () => {
    const text = scrub(
      `at https://rpc.example/v1/SECRET and /bot123456789:AAabcdefghij/getMe with 0x${'cd'.repeat(32)}`,
    );
    expect(text).toBe('at [url] and /bot[token]/getMe with [hex]');
  });
});
