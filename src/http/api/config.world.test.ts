// What pages are told of the deployment, and whom they may talk to: nobody else, unless WalletConnect is configured.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { evmChains } from '../../context.ts';
import { createApp } from '../app.ts';

const PROJECT = '0123456789abcdef0123456789abcdef';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

async function ask(projectId: string | undefined) {
  const ctx = { ...world.ctx, env: { ...world.ctx.env, WALLETCONNECT_PROJECT_ID: projectId } };
  const server = createApp(ctx).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}/api/config`);
  const answer = { policy: response.headers.get('content-security-policy') ?? '', body: await response.json() };
  server.close();
  return answer;
}

it('keeps pages to their own origin where nothing is configured', async () => {
  const { policy, body } = await ask(undefined);
  const { usdc, wrappedNative, routers } = evmChains(world.ctx).base ?? {};
  const own = { name: 'base', chain_id: 8453, usdc, wrapped_native: wrappedNative, routers };
  expect(body).toEqual({ object: 'config', walletconnect_project_id: null, chains: [own] });
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("trusted-types 'none'");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('walletconnect');
});

it('opens the way to the relay where a project is configured', async () => {
  const { policy, body } = await ask(PROJECT);
  expect(body).toMatchObject({ object: 'config', walletconnect_project_id: PROJECT });
  expect(policy).toContain("connect-src 'self' wss://relay.walletconnect.org;");
  expect(policy).toContain('frame-src https://verify.walletconnect.org');
  expect(policy).not.toMatch(/unsafe|\*/);
});
