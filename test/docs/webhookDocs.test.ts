// docs/webhooks.md against the code: its programs verify what we sign and nothing else, and its tables have what there is.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../local/stack/ports.ts';
import { AmpersatSignatureError, webhooks } from '../../sdk/index.ts';
import { MOST_ATTEMPTS, RETRY_SCHEDULE_S, SHOWN_FAILURES } from '../../src/domain/delivery.ts';
import { EVENT_TYPES } from '../../src/domain/events.ts';
import { drawSecret, signatureHeaders } from '../../src/services/webhooks/signatures.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code);
const rows = text.split('\n').filter((line) => line.startsWith('| '));

const secret = drawSecret();
const body = JSON.stringify({
  id: 'evt_1',
  type: 'order.completed',
  data: { object: { order: { id: 'ord_1', note: 'für ☕' } } },
});
const nowS = () => Math.floor(Date.now() / 1_000);
const headersAt = (timestampS: number, secrets = [secret]) =>
  Object.fromEntries(
    Object.entries(signatureHeaders({ id: 'evt_1', timestampS, body, secrets })).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
/** What a program is given, and whether it has to take it. */
const cases = () => [
  { takes: true, body, headers: headersAt(nowS()), secret },
  { takes: true, body, headers: headersAt(nowS(), [drawSecret(), secret]), secret },
  { takes: true, body, headers: headersAt(nowS(), [secret, drawSecret()]), secret },
  { takes: false, body: body.replace('☕', '☂'), headers: headersAt(nowS()), secret },
  { takes: false, body, headers: headersAt(nowS()), secret: drawSecret() },
  { takes: false, body, headers: headersAt(nowS() - 360), secret },
  {
    takes: false,
    body,
    headers: { ...headersAt(nowS()), 'service-signature': 'v1=00', 'webhook-signature': 'v1,00' },
    secret,
  },
];

let folder: string;
let started: ChildProcess | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ampersat-docs-'));
  mkdirSync(join(folder, 'programs'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'programs/node_modules'));
});
afterAll(() => {
  started?.kill();
  rmSync(folder, { recursive: true, force: true });
});
function save(name: string, code: string): string {
  const path = join(folder, 'programs', name);
  writeFileSync(path, code);
  return path;
}

describe('what reads an event', () => {
  type Read = (rawBody: Buffer, headers: Record<string, string>, secret: string) => unknown;

  test.each(blocks('js read').map((code, index) => [/from '([\w:]+)'/.exec(code)?.[1] ?? '', code, index] as const))(
    'by %s',
    async (_name, code, index) => {
      const { readEvent } = (await import(pathToFileURL(save(`read${index}.mjs`, code)).href)) as { readEvent: Read };
      for (const one of cases()) {
        const run = () => readEvent(Buffer.from(one.body), one.headers, one.secret);
        if (one.takes) expect(run()).toEqual(JSON.parse(body));
        else expect(run).toThrow();
      }
    },
  );

  test('by our own SDK', () => {
    expect(blocks('ts').join()).toContain('webhooks.constructEvent(rawBody, headers, secret)');
    for (const { takes, body: rawBody, headers, secret } of cases()) {
      const run = () => webhooks.constructEvent(rawBody, headers, secret);
      if (takes) expect(run()).toEqual(JSON.parse(body));
      else expect(run).toThrow(AmpersatSignatureError);
    }
  });

  test('there are four of them, and a receiver, and one in Python', () => {
    expect([blocks('js read'), blocks('js server'), blocks('python read')].map((list) => list.length)).toEqual([
      4, 1, 1,
    ]);
  });

  test.skipIf(spawnSync('python3', ['--version']).status !== 0)('in Python', () => {
    const program = save(
      'read.py',
      `${blocks('python read')[0]}
import sys
for one in json.load(sys.stdin):
    try:
        read = read_event(one["body"].encode(), one["headers"]["service-signature"], one["secret"])
        print("took", read["data"]["object"]["order"]["id"])
    except (ValueError, StopIteration):
        print("refused")
`,
    );
    const given = cases();
    const ran = spawnSync('python3', [program], { input: JSON.stringify(given), encoding: 'utf8' });
    expect(ran.stderr).toBe('');
    expect(ran.stdout.trim().split('\n')).toEqual(given.map(({ takes }) => (takes ? 'took ord_1' : 'refused')));
  });
});

test('the receiver takes what we sign, and answers 400 to what we did not', async () => {
  const port = await freePort();
  const program = save('server.mjs', blocks('js server')[0] ?? '');
  started = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  started.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  const post = (headers: Record<string, string>, sent = body) =>
    fetch(`http://127.0.0.1:${port}/webhooks`, {
      method: 'POST',
      body: sent,
      headers: { ...headers, 'content-type': 'application/json' },
    });
  await expect
    .poll(() =>
      post({}).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(400);
  expect((await post(headersAt(nowS()))).status).toBe(200);
  expect((await post(headersAt(nowS()), body.replace('ord_1', 'ord_2'))).status).toBe(400);
  await expect.poll(() => said).toBe('paid: ord_1\n');
});

test.each([
  ['a port that is taken', { WEBHOOK_SECRET: secret }, /^Port \d+ is in use\. .*PORT=4243 .*--forward-to 4243/],
  ['no secret', {}, /^WEBHOOK_SECRET is not set\. .*WEBHOOK_SECRET=whsec_/],
  ['the guide’s placeholder', { WEBHOOK_SECRET: 'whsec_YOUR_SECRET' }, /^WEBHOOK_SECRET is not a signing secret\. /],
])('the example receiver says in one line what is wrong: %s', async (_name, env, words) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const receiver = join(import.meta.dirname, '../../docs/examples/receiver.mjs');
  const ran = spawn(process.execPath, [receiver], {
    env: { PATH: process.env['PATH'], PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  ran.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(ran, 'close');
  taken.close();
  expect(code).toBe(1);
  expect(said).toMatch(words);
  expect(said.trim().split('\n')).toHaveLength(1);
});

test.skipIf(spawnSync('php', ['--version']).status !== 0)(
  'in PHP: its page takes what we sign, answers 400 to what we did not, and takes nothing without a secret',
  async () => {
    const page = save('page.php', `<?php\n${blocks('php server')[0]}\necho $event['data']['object']['order']['note'];`);
    const serve = async (env: Record<string, string>) => {
      const port = await freePort();
      const child = spawn('php', ['-S', `127.0.0.1:${port}`, page], {
        env: { PATH: process.env['PATH'], ...env },
        stdio: 'ignore',
      });
      onTestFinished(() => void child.kill());
      return async ({ body, headers }: { body: string; headers: Record<string, string> }) => {
        const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
        return [answer.status, await answer.text()];
      };
    };
    const post = await serve({ WEBHOOK_SECRET: secret });
    const unsigned = () => post({ body, headers: {} }).catch(() => []);
    await expect.poll(unsigned).toEqual([400, '']);
    for (const one of cases().filter((given) => given.secret === secret))
      expect(await post(one)).toEqual(one.takes ? [200, 'für ☕'] : [400, '']);

    const open = await serve({});
    const t = nowS();
    const forged = {
      'service-signature': `t=${t},v1=${createHmac('sha256', '').update(`${t}.${body}`).digest('hex')}`,
    };
    await expect.poll(() => open({ body, headers: forged }).catch(() => [])).toEqual([500, '']);
  },
);

test('it has every type of event, and none that is not one', () => {
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, type]) => type),
  );
  expect(named.sort()).toEqual([...EVENT_TYPES].sort());
});

test('it has every reason for which there is no answer, and no other', () => {
  const from = text.split('An attempt without a response shows one of these reasons:')[1]?.split('\n## ')[0] ?? '';
  expect([...from.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name).sort()).toEqual([...SHOWN_FAILURES].sort());
  const api = JSON.parse(readFileSync(join(root, 'docs/api/openapi.json'), 'utf8'));
  const { failure } = api.components.schemas.WebhookAttempt.properties;
  expect(JSON.stringify(failure)).toContain(JSON.stringify(SHOWN_FAILURES));
});

test('it has the retry schedule', () => {
  const units: Record<string, number> = { minute: 60, hour: 3_600 };
  const schedule = rows.flatMap((row) => {
    const [, count, unit = ''] = /^\| \d+ \| (\d+) (minute|hour)s? \|$/.exec(row) ?? [];
    return count ? [Number(count) * (units[unit] ?? 0)] : [];
  });
  expect(schedule.length).toBe(MOST_ATTEMPTS - 1);
  expect(schedule).toEqual([...RETRY_SCHEDULE_S]);
});
