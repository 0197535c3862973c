// Two hosts, one process: the wallet's has its window and nothing else; the pages' has everything else and no window.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type Sending } from '../../test/setup/http.ts';
import { serveWorld } from '../../test/setup/visitor.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { PAGES } from '../domain/pages.ts';
import { WEB } from './documents.ts';

let world: World;
let base: string;
const WALLET = 'wallet.example';
beforeAll(async () => {
  world = await startWorld();
  Object.assign(world.ctx.env, { WALLET_ORIGIN: `https://${WALLET}` });
  base = await serveWorld(world);
});
afterAll(() => world.stop());

const at = (host: string, path: string, { headers = {}, ...sending }: Sending = {}) =>
  call(base + path, { ...sending, headers: { host, accept: 'text/html,*/*', ...headers } });
const ofPages = (path: string) => at(new URL(base).host, path);

describe('the wallet’s host', () => {
  test('serves its window under a policy that its opener can speak through, and nothing frames', async () => {
    const { status, headers, text } = await at(WALLET, '/');
    expect(status).toBe(200);
    expect(text).toContain(`<meta name="pages-origin" content="${base}">`);
    expect(text).not.toContain('wallet-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none');
    expect(headers.get('set-cookie')).toBeNull();
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    expect(policy).toContain("require-trusted-types-for 'script';trusted-types 'none'");
    expect(policy).not.toContain('unsafe');
    const [script = ''] = /\/assets\/[^"]+\.js/.exec(text) ?? [];
    expect((await at(WALLET, script)).status).toBe(200);
    expect((await at(WALLET, '/icon.svg')).status).toBe(200);
    expect(existsSync(join(WEB, 'wallet.html'))).toBe(true);
  });

  test('has the contracts of the deployment, and no other call', async () => {
    const { status, text } = await at(WALLET, '/api/config');
    expect([status, JSON.parse(text).object]).toEqual([200, 'config']);
    const session = { cookie: 'service-session=made-up' };
    for (const path of ['/api/session', '/api/handles/alice', '/v1/orders', '/healthz', '/metrics', '/api/auth/nonce'])
      expect([path, (await at(WALLET, path, { headers: session })).status]).toEqual([path, 404]);
    for (const path of ['/api/auth/nonce', '/api/auth/siwe', '/', '/api/config'])
      expect((await at(WALLET, path, { method: 'POST', body: '{}' })).status).toBe(404);
  });

  test('has no page, whatever name the browser gives the host', async () => {
    const paths = [...PAGES.map(({ path }) => path.replaceAll(/:\w+/g, 'alice')).filter((path) => path !== '/')];
    for (const path of [...paths, '/index.html', '/wallet.html', '/.well-known/webauthn', '/embed.js'])
      expect([path, (await at(WALLET, path)).status]).toEqual([path, 404]);
    for (const host of ['WALLET.example:8443', 'wallet.example.'])
      expect([host, (await at(host, '/account')).status]).toEqual([host, 404]);
    // Below it a page could ask for the same passkeys.
    for (const path of ['/', '/account', '/api/config']) expect((await at(`a.${WALLET}`, path)).status).toBe(404);
  });
});

describe('the pages’ host', () => {
  test('has no window of the wallet, and names its origin in each document', async () => {
    const { status, headers, text } = await ofPages('/account');
    expect(status).toBe(200);
    expect(text).toContain(`<meta name="wallet-origin" content="https://${WALLET}">`);
    expect(text).not.toContain('pages-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    expect((await ofPages('/wallet.html')).status).toBe(404);
    expect((await ofPages('/')).text).not.toContain('pages-origin');
  });
});
