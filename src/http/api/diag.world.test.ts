// GET /api/diag/solana-subs: each fault of the cluster, of the program and of its config, as pages and monitors read it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { joinSolana, type SolanaInWorld } from '../../../test/setup/solanaInWorld.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { createSolanaChain } from '../../chain/solana/client.ts';

let world: World;
let solana: SolanaInWorld;
let anyone: Visitor;
beforeAll(async () => {
  world = await startWorld();
  solana = await joinSolana(world.ctx);
  anyone = visitor(await serveWorld(world));
});
afterAll(async () => {
  await solana.stop();
  await world.stop();
});
// What was answered a moment ago is not kept.
beforeEach(() => {
  world.later(10_000);
  solana.later(10_000);
  solana.step(3);
});

const PATH = '/api/diag/solana-subs';
const read = async () => (await anyone.get(PATH)).body;

test('a program that can take plans, in exactly these fields', async () => {
  const { status, body } = await anyone.get(PATH);
  expect(status).toBe(200);
  expect(body).toEqual({
    ok: true,
    program: solana.program,
    executable: true,
    final: expect.any(Boolean),
    config: { initialized: true, mint_ok: true, paused: false },
    slot: expect.any(Number),
    lag_seconds: expect.any(Number),
    checked_at: expect.stringMatching(/^20.*Z$/),
  });
  expect(body.lag_seconds).toBeLessThan(10);
});

test('is asked once in three seconds, whoever asks', async () => {
  const first = await read();
  solana.step(5);
  expect(await read()).toEqual(first);
  world.later(3_001);
  solana.later(3_001);
  solana.step(3);
  expect((await read()).slot).toBeGreaterThan(first.slot);
});

test('paused by the guardian', async () => {
  const { guardian, owner } = solana.roles;
  solana.send([guardian], solana.build('pause', { args: { seconds: 600n }, accounts: { guardian: guardian.address } }));
  solana.step(3);
  expect(await read()).toMatchObject({ ok: false, config: { initialized: true, mint_ok: true, paused: true } });
  solana.send([owner], solana.build('unpause', { args: {}, accounts: { owner: owner.address } }));
});

test('a cluster that stands still', async () => {
  world.later(61_000);
  const body = await read();
  expect([body.ok, body.lag_seconds >= 61]).toEqual([false, true]);
  solana.later(61_000);
  solana.step(3);
});

test.each([
  [
    'another mint',
    { usdc: 'So11111111111111111111111111111111111111112' },
    { executable: true, config: { initialized: true, mint_ok: false } },
  ],
  [
    'no program',
    { program: localSolanaKey('no program').address },
    { executable: false, config: { initialized: false } },
  ],
  ['no cluster', { rpcUrls: ['http://127.0.0.1:9'] }, { executable: false, slot: null, lag_seconds: null }],
] as const)('configured with %s', async (_, change, found) => {
  const { chain } = solana;
  world.ctx.chains.solana = createSolanaChain('solana', {
    ...solana.config,
    ...change,
    rpcUrls: [...('rpcUrls' in change ? change.rpcUrls : solana.config.rpcUrls)],
  });
  try {
    expect(await read()).toMatchObject({ ok: false, ...found });
  } finally {
    world.ctx.chains.solana = chain;
  }
});

test('not served: configured and well, but refused at the start; and not configured at all', async () => {
  const { chain } = solana;
  delete world.ctx.chains.solana;
  try {
    expect(await read()).toMatchObject({ ok: false, program: solana.program, executable: true });
    world.later(5_000);
    const { solana: config } = world.ctx.env;
    world.ctx.env.solana = null;
    expect(await read()).toMatchObject({ ok: false, program: null, executable: false, slot: null });
    world.ctx.env.solana = config;
  } finally {
    world.ctx.chains.solana = chain;
  }
});
