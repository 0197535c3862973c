import { Agent, request } from 'node:http';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mountPlayground } from '../../local/playground/playground.ts';
import type { LocalFile } from '../../local/stack/localFile.ts';
import { serveWorld, visitor } from '../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../test/setup/world.ts';
import { AppError } from '../domain/errors.ts';
import { serve } from './serve.ts';

let world: World;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  const local = {
    base_url: 'http://127.0.0.1:1',
    accounts: {},
    chains: {},
    platforms: { telegram: { bot: { id: 1 } } },
  } as unknown as LocalFile;
  Object.assign(world.ctx.env, { PORT: 0 });
  const port = await serve(world.ctx, {
    mount: (app) => {
      app.get('/fails', () => {
        throw new Error('select * from secret where key = 0xabc');
      });
      app.get('/refuses', () => {
        throw new AppError('state_conflict');
      });
      app.post('/echo', (req, res) => void res.json(req.body));
      mountPlayground(app, world.ctx, local);
    },
  });
  base = `http://127.0.0.1:${port}`;
  local.base_url = base;
});
afterAll(() => world.stop());

/** fetch does not let a Host be forged. */
function withHost(path: string, headers: Record<string, string>): Promise<number> {
  const url = new URL(base + path);
  return new Promise((resolve, reject) => {
    request({ host: url.hostname, port: url.port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('every answer', () => {
  test('carries a request id and a strict policy', async () => {
    const response = await fetch(`${base}/nothing`);
    expect(response.headers.get('request-id')).toMatch(/^req_[0-9a-z]{26}$/);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-powered-by')).toBeNull();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('404 as a page for a browser that opens what is not there, and as the envelope for calls', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const page = await fetch(`${base}/nothing-here`, { headers: browser });
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toContain('text/html');
    for (const path of ['/api/nothing', '/assets/nothing.js']) {
      const call = await fetch(base + path, { headers: browser });
      expect(call.status).toBe(404);
      expect(call.headers.get('content-type')).toContain('application/json');
    }
  });

  test('404 in the envelope where nothing is', async () => {
    const response = await fetch(`${base}/nothing`);
    expect(response.status).toBe(404);
    const body = await response.json();
    expect(body).toEqual({
      error: {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: 'Not found. Check the URL.',
        request_id: response.headers.get('request-id'),
        doc_url: `${world.ctx.env.BASE_URL}/docs/errors#resource_missing`,
      },
    });
  });

  test('500 tells nothing of our insides', async () => {
    const text = await (await fetch(`${base}/fails`)).text();
    expect(text).toContain('internal_error');
    expect(text).not.toMatch(/select|secret|0xabc|at /);
  });

  test('409 that no retry cures says so to the SDKs', async () => {
    const response = await fetch(`${base}/refuses`);
    expect(response.status).toBe(409);
    expect(response.headers.get('stripe-should-retry')).toBe('false');
  });

  test('400 for broken JSON, 413 above 64 KB', async () => {
    const post = (body: string) =>
      fetch(`${base}/echo`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect((await post('{')).status).toBe(400);
    expect((await post(JSON.stringify({ filler: 'x'.repeat(70_000) }))).status).toBe(413);
    expect((await post('{"a":1}')).status).toBe(200);
  });

  test('a megabyte is read of whoever is signed in, and of no other cookie', async () => {
    const base = await serveWorld(world);
    const post = (cookie: string) =>
      fetch(`${base}/api/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: base, cookie },
        body: JSON.stringify({ metadata: { filler: 'x'.repeat(200_000) } }),
      });
    expect((await post('service-session=made-up')).status).toBe(413);
    expect((await post('__Host-service-session=made-up; other=1')).status).toBe(413);
    const person = visitor(base);
    await person.signIn(privateKeyToAccount(localPerson('shop').key));
    const { status, body } = await person.post('/api/orders', { metadata: { filler: 'x'.repeat(200_000) } });
    expect([status, body.error.code]).not.toContain('body_too_large');
    expect(status).toBe(400);
  });

  test('keeps an idle connection for longer than proxies do', async () => {
    const agent = new Agent({ keepAlive: true });
    const header = await new Promise((resolve, reject) => {
      request(`${base}/healthz`, { agent }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.headers['keep-alive']));
      })
        .on('error', reject)
        .end();
    });
    agent.destroy();
    expect(header).toBe('timeout=75');
  });

  test('a taken port is one clear line', async () => {
    Object.assign(world.ctx.env, { PORT: Number(new URL(base).port) });
    await expect(serve(world.ctx)).rejects.toThrow(/is in use\. Stop the other program/);
  });
});

describe('the playground’s routes', () => {
  test('answer our own page on this machine', async () => {
    expect((await fetch(`${base}/api/local/stack`)).status).toBe(200);
    expect((await fetch(`${base}/api/local/trace?chat_id=1&message_id=x`)).status).toBe(400);
  });

  test('403 for a foreign origin and for a foreign host', async () => {
    expect((await fetch(`${base}/api/local/stack`, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect(await withHost('/api/local/stack', { host: 'evil.example' })).toBe(403);
  });
});
