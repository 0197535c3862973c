// The examples of the guides that exist in several languages: each runs as it is written, against a real service, and asks for the same as the others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../src/root.ts';
import { PLACEHOLDER_KEY } from '../../web/src/docs/callExamples.ts';
import type { Language } from '../../web/src/docs/languages.ts';
import { keyOf } from '../setup/api.ts';
import { type Asked, RUNNABLE, startExamples } from '../setup/examples.ts';
import { serveWorld } from '../setup/visitor.ts';
import { startWorld, type World } from '../setup/world.ts';

const FENCES: Record<string, Language> = { sh: 'curl', js: 'node', python: 'python', php: 'php' };
const PLACEHOLDER = 'http://127.0.0.1:8080';

/** Of a guide: the one run of blocks in all four languages. */
function examplesIn(path: string): { language: Language; text: string }[] {
  const markdown = readFileSync(join(ROOT, path), 'utf8');
  const [whole = ''] = /(^```(sh|js|python|php)\n[^`]*?^```\n){4}/ms.exec(markdown) ?? [];
  return [...whole.matchAll(/^```(\w+)\n(.*?)\n^```/gms)].map(([, fence = '', text = '']) => ({
    language: FENCES[fence] as Language,
    text,
  }));
}

let world: World;
let key: string;
let examples: Awaited<ReturnType<typeof startExamples>>;
beforeAll(async () => {
  world = await startWorld({ chains: ['base', 'base-sepolia'] });
  examples = await startExamples(await serveWorld(world));
  key = await keyOf(world, 'shop');
});
afterAll(async () => {
  examples.stop();
  await world.stop();
});

test.each([
  { path: 'docs/quickstart.md', status: 201, said: /\/o\/ord_\w+/ },
  { path: 'docs/going-live.md', status: 201, said: /\/o\/ord_\w+/ },
  { path: 'docs/errors.md', status: 400, said: /amount_out_of_range/ },
])('$path', async ({ path, status, said }) => {
  const found = examplesIn(path);
  expect(found.map(({ language }) => language)).toEqual(['curl', 'node', 'python', 'php']);
  const env = { AMPERSAT_API_KEY: key, AMPERSAT_BASE_URL: examples.origin, AMPERSAT_CHAIN: 'base-sepolia' };
  const asked: Asked[] = [];
  for (const [index, { language, text }] of found.filter(({ language: one }) => RUNNABLE.includes(one)).entries()) {
    const own = text
      .replaceAll(PLACEHOLDER, examples.origin)
      .replaceAll(PLACEHOLDER_KEY, key)
      // A form and JSON are two bodies, which one key does not take.
      .replaceAll(/cart-\d+/g, `${path}-${index}`);
    const ran = await examples.run(language, own, { env });
    expect(ran.code, ran.out).toBe(0);
    expect(ran.out).toMatch(said);
    const [one] = ran.asked;
    if (ran.asked.length !== 1 || !one) throw new Error(`${language} asked ${ran.asked.length} times`);
    expect(one.status).toBe(status);
    asked.push({ ...one, idempotencyKey: undefined });
  }
  expect(asked.length).toBeGreaterThanOrEqual(3);
  for (const one of asked) expect(one).toEqual(asked[0]);
});

test('run as it stands there, with the placeholder for a key: answered 401 in every language', async () => {
  for (const { language, text } of examplesIn('docs/quickstart.md')) {
    if (!RUNNABLE.includes(language)) continue;
    const { asked, out } = await examples.run(language, text.replaceAll(PLACEHOLDER, examples.origin));
    expect(
      asked.map(({ status }) => status),
      `${language}: ${out}`,
    ).toEqual([401]);
  }
});
