// The bot's login at X: tokens that are renewed in good time, once, kept sealed, and what a lost answer leaves.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { X_BOT } from '../../local/stack/people.ts';
import {
  bindTokens,
  loginProblem,
  readTokens,
  seedHashOf,
  storeTokens,
  type XTokens,
} from '../../src/services/chat/xLogin.ts';
import { sealUnbound } from '../../test/setup/unboundSeal.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { createX } from './adapter.ts';

const HOUR = 3_600_000;
let world: World;
beforeAll(async () => {
  world = await startWorld({ x: true });
});
afterAll(() => world.stop());
beforeEach(() => world.x.clearFaults());

const tokens = () => readTokens(world.ctx, seedHashOf(X_BOT.refreshToken));

describe('tokens', () => {
  test('rest sealed: no row holds them, and another key opens nothing', async () => {
    const known = await tokens();
    expect(known?.accessToken.length).toBeGreaterThan(20);
    const rows = JSON.stringify(await world.ctx.db.xLogin.findMany());
    expect(rows).not.toContain(known?.accessToken);
    expect(rows).not.toContain(known?.refreshToken);
    expect(rows).not.toContain(X_BOT.refreshToken);
    const other = { ...world.ctx, env: { ...world.ctx.env, LINK_KEY: 'ab'.repeat(32) } };
    expect(await readTokens(other, seedHashOf(X_BOT.refreshToken))).toBeNull();
  });

  test('of an earlier version are bound to their login by the next process, once', async () => {
    const known = await tokens();
    const { LINK_KEY = '' } = world.ctx.env;
    const sealedTokens = sealUnbound(LINK_KEY, 'ampersat x tokens', JSON.stringify(known));
    await world.ctx.db.sealingMark.deleteMany();
    await world.ctx.db.xLogin.updateMany({ data: { sealedTokens } });
    expect(await tokens()).toBeNull();
    await bindTokens(world.ctx);
    expect(await tokens()).toEqual(known);
    await world.ctx.db.xLogin.updateMany({ data: { sealedTokens } });
    await bindTokens(world.ctx);
    expect(await tokens()).toBeNull();
    await storeTokens(world.ctx, seedHashOf(X_BOT.refreshToken), known as XTokens);
  });

  test('are renewed before they end, and used by the next process', async () => {
    const before = await tokens();
    world.later(1.5 * HOUR);
    expect(await world.x.poll()).toBe('nothing');
    const after = await tokens();
    expect(after?.refreshToken).not.toBe(before?.refreshToken);
    await world.x.restart();
    expect(await world.x.poll()).toBe('nothing');
    expect((await tokens())?.refreshToken).toBe(after?.refreshToken);
  });

  test('are renewed once by processes that find out together', async () => {
    const other = await createX(world.ctx, X_BOT.refreshToken, () => {});
    world.later(1.5 * HOUR);
    const results = await Promise.all([world.x.poll(), other.poll(), world.x.adapter.currentUsername?.(X_BOT.id)]);
    expect(results).toEqual(['nothing', 'nothing', X_BOT.username]);
    world.later(1.5 * HOUR);
    expect(await other.poll()).toBe('nothing');
    expect(await world.x.poll()).toBe('nothing');
    expect(await loginProblem(world.ctx)).toBeNull();
  });

  test('that X refuses before their time are renewed, and the call is made again', async () => {
    const before = await tokens();
    await world.x.fault({ method: 'mentions', status: 401 });
    expect(await world.x.poll()).toBe('nothing');
    expect((await tokens())?.accessToken).not.toBe(before?.accessToken);
  });

  test('are asked for again after an outage', async () => {
    world.later(1.5 * HOUR);
    await world.x.fault({ method: 'token', status: 503 });
    // The old one is good for another half hour.
    expect(await world.x.poll()).toBe('nothing');
    const before = await tokens();
    world.later(40_000);
    expect(await world.x.poll()).toBe('nothing');
    expect((await tokens())?.refreshToken).not.toBe(before?.refreshToken);
  });

  test('are never written into the log', async () => {
    const lines: string[] = [];
    const { log } = world.ctx;
    const write = (...given: unknown[]) =>
      void lines.push(
        JSON.stringify(given, (_key, value) =>
          value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value,
        ),
      );
    for (const level of ['warn', 'error', 'info', 'debug'] as const) Object.assign(log, { [level]: write });
    await world.x.fault({ method: 'mentions', status: 500 });
    await world.x.poll();
    world.later(10_000);
    await world.x.fault({ method: 'mentions', status: 0 });
    await world.x.poll();
    const known = await tokens();
    expect(lines.length).toBeGreaterThan(1);
    for (const secret of [known?.accessToken, known?.refreshToken, X_BOT.refreshToken, X_BOT.clientSecret])
      expect(lines.join('\n')).not.toContain(secret);
    world.later(10_000);
  });

  test('whose answer is lost go on until they end, tell an operator, and a new login mends it', async () => {
    world.later(1.5 * HOUR);
    await world.x.fault({ method: 'token', status: 0, accept: true });
    expect(await world.x.poll()).toBe('nothing');
    world.later(40_000);
    expect(await world.x.poll()).toBe('nothing');
    expect(await loginProblem(world.ctx)).toMatch(/X takes the refresh token no more/);
    const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
    await world.run();
    expect(await world.x.botSaid(post.conversation_id)).toHaveLength(1);
    world.later(HOUR);
    expect(await world.x.poll()).toBe('failed');
    const { refresh_token: seed } = await world.x.user<{ refresh_token: string }>('tokens', {});
    const anew = await createX(world.ctx, seed, () => {});
    expect(await anew.poll()).toBe('nothing');
    expect(await loginProblem(world.ctx)).toBeNull();
  });
});
