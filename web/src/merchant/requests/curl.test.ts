// The command that repeats a request: what a shell makes of it is what was called, whatever stands in it.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOf } from './curl.ts';

const ORIGIN = 'https://pay.example';
/** The arguments with which a shell would start curl. */
function argumentsIn(shell: string[], command: string): string[] {
  const [program = '', ...rest] = shell;
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}\n`;
  const env = { PATH: process.env['PATH'], AMPERSAT_KEY: 'sk_test_abc' };
  return execFileSync(program, rest, { input: script, env, stdio: ['pipe', 'pipe', 'ignore'] })
    .toString()
    .split('\0')
    .slice(0, -1);
}

const NASTY = `it's "quoted" $HOME \`id\` $(id) \\ !! !x \n new line; rm -rf / # & | > < * ? ~ é 😀 '\\'' end`;

test.each([
  ['sh', ['sh']],
  ['bash', ['bash']],
  ['bash with history expansion', ['bash', '-H']],
])('of a POST, by %s', (_name, shell) => {
  const body = JSON.stringify({ note: NASTY });
  const path = `/v1/orders?metadata[a]=1&q=${NASTY.replaceAll('\n', '')}`;
  const idempotency_key = NASTY.replace(/[^ -~]/g, '');
  const command = curlOf({ method: 'POST', path, idempotency_key, request_body: { text: body } }, ORIGIN);
  expect(argumentsIn(shell, command)).toEqual([
    ...['--globoff', '-X', 'POST', ORIGIN + path, '-H', 'Authorization: Bearer sk_test_abc'],
    ...['-H', `Idempotency-Key: ${idempotency_key}`, '-H', 'Content-Type: application/json', '--data-raw', body],
  ]);
});

test('of a GET and a HEAD, without a body', () => {
  const request = { path: '/v1/orders', idempotency_key: null, request_body: null };
  expect(curlOf({ ...request, method: 'GET' }, ORIGIN)).toBe(
    `curl --globoff -X GET 'https://pay.example/v1/orders' \\\n  -H "Authorization: Bearer $AMPERSAT_KEY"`,
  );
  expect(curlOf({ ...request, method: 'HEAD' }, ORIGIN)).toContain('--head');
});
