// The playground beside the pages of the service, as the API of the local stack serves it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveWorld } from '../../test/setup/visitor.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { LOCAL_STACK, mountPage } from './page.ts';

let world: World;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world, { headHtml: LOCAL_STACK, mount: (app) => mountPage(app, world.ctx) });
});
afterAll(() => world.stop());

const open = (path: string) => fetch(base + path, { headers: { accept: 'text/html', 'accept-encoding': 'br, gzip' } });

describe('the page of the playground', () => {
  test('comes under the policy of the other pages, with its first frame', async () => {
    const [page, other] = await Promise.all([open('/playground'), open('/')]);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    for (const header of ['content-security-policy', 'referrer-policy', 'x-content-type-options'])
      expect([header, page.headers.get(header)]).toEqual([header, other.headers.get(header)]);
    const html = await page.text();
    expect(html).toContain('<title>Playground · Ampersat</title>');
    expect(html).toContain('Play money only.');
    expect(html).not.toMatch(/ style=|<script(?! type="module" crossorigin src=)/);
  });

  test('has its files beside it, compressed and for good', async () => {
    const files = [
      ...(await (await open('/playground')).text()).matchAll(/"(\/playground\/assets\/[^"]+\.(?:js|css))"/g),
    ];
    expect(files).toHaveLength(2);
    for (const [, file = ''] of files) {
      const response = await open(file);
      expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'br']);
      expect(response.headers.get('cache-control')).toBe('public,max-age=31536000,immutable');
    }
  });
});

test('every page of a local stack says where its chats are', async () => {
  for (const path of ['/', '/account', '/o/none', '/nothing'])
    expect([path, (await (await open(path)).text()).includes(LOCAL_STACK)]).toEqual([path, true]);
});
