// Examples of the documentation as programs that run: curl, Node.js with our SDK, Python and PHP, each in a process of its own; and a listener between
// them and the service, which notes what they ask.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../../src/root.ts';
import type { Language } from '../../web/src/docs/languages.ts';
import { shellEnv } from './processes.ts';

/** A call as the service got it. `body` is what JSON or a form says; `status` what was answered. */
export type Asked = {
  method: string;
  address: string;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  body: unknown;
  status: number;
};

const COMMANDS = { curl: 'curl', node: process.execPath, python: 'python3', php: 'php' };
const canRun = (command: string) => spawnSync(command, ['--version']).status === 0;
/** Those that this machine can run. PHP needs its curl extension. */
export const RUNNABLE = (Object.keys(COMMANDS) as Language[]).filter((language) =>
  language === 'php'
    ? /^curl$/m.test(spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout ?? '')
    : canRun(COMMANDS[language]),
);

export async function startExamples(service: string) {
  const folder = mkdtempSync(join(tmpdir(), 'ampersat-examples-'));
  const sdk = join(folder, 'node_modules/@ampersat/sdk');
  mkdirSync(sdk, { recursive: true });
  writeFileSync(join(sdk, 'package.json'), '{"name":"@ampersat/sdk","type":"module","exports":"./index.js"}');
  await build({
    entryPoints: [join(ROOT, 'sdk/index.ts')],
    outfile: join(sdk, 'index.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  const asked: Asked[] = [];
  let answered = () => {};
  const listener = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { host: _host, ...headers } = request.headers;
    const onward = httpRequest(service + request.url, { method: request.method, headers }, (answer) => {
      asked.push({ ...readCall(request, body), status: answer.statusCode ?? 0 });
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answered();
      answer.pipe(response);
    });
    response.on('close', () => onward.destroy());
    onward.on('error', () => response.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const running = new Set<ChildProcess>();

  /** Runs an example to its end, or for what has none until the service has answered it. */
  async function run(language: Language, text: string, { env = {}, hasEnd = true } = {}) {
    const before = asked.length;
    const child = start(folder, language, text, env);
    running.add(child);
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        out += chunk;
      });
    answered = () => {
      if (!hasEnd) child.kill();
    };
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    running.delete(child);
    return { code, out, asked: asked.slice(before) };
  }
  return {
    origin: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    run,
    stop() {
      for (const child of running) child.kill('SIGKILL');
      listener.closeAllConnections();
      listener.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function start(folder: string, language: Language, text: string, more: Record<string, string>): ChildProcess {
  const file = join(folder, { curl: 'call.sh', node: 'call.mjs', python: 'call.py', php: 'call.php' }[language]);
  writeFileSync(file, text);
  const env = { ...shellEnv(), ...more };
  // The shell becomes curl, so that it is curl that is ended.
  const parameters = language === 'curl' ? ['-c', `exec ${text.replace('curl ', 'curl -sS ')}`] : [file];
  return spawn(language === 'curl' ? 'sh' : COMMANDS[language], parameters, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function readCall({ method = '', url = '', headers }: IncomingMessage, body: Buffer): Omit<Asked, 'status'> {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  return {
    method,
    address: url,
    authorization: headers.authorization,
    idempotencyKey: headers['idempotency-key'] as string | undefined,
    body:
      body.length === 0
        ? {}
        : isForm
          ? Object.fromEntries(new URLSearchParams(body.toString()))
          : JSON.parse(body.toString()),
  };
}
