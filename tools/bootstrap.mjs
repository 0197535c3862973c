// The first thing that every npm script runs: Node's own modules only. It installs what is missing, builds what is stale, then hands over.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { isStale, ROOT, setStamp } from './stamps.mjs';

const [command = 'start', ...args] = process.argv.slice(2);

// `npm run -s ampersat -- parse` owns stdout, so progress goes to stderr.
const say = (line) => process.stderr.write(`${line}\n`);
const fail = (line) => {
  say(line);
  process.exit(1);
};

function run(what, file, parameters, hint, env = {}) {
  const result = spawnSync(file, parameters, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status === 0) return;
  say(`${result.stdout ?? ''}${result.stderr ?? ''}`.trim().split('\n').slice(-20).join('\n'));
  fail(`${what} failed. ${hint}`);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Node ${process.versions.node} is too old: Ampersat needs 20.19 or newer.`);
}

const DEPENDENCIES = ['package.json', 'package-lock.json'];

/**
 * `npm ci` refuses a lock file whose optional packages for other systems a registry does not serve, so `npm install` does the work and
 * what it installed is compared with the lock file, package by package.
 */
function installDependencies() {
  if (!isStale('dependencies', DEPENDENCIES, 'node_modules/tsx/package.json')) return;
  say('Installing dependencies (once, it takes a few minutes)…');
  // Nothing here depends on install scripts: what they would do is done by this file and by the local stack.
  const parameters = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  run('npm install', 'npm', parameters, 'Check the network and try again.');
  const strays = strayPackages();
  if (strays.length > 0)
    fail(
      `These packages are not as package-lock.json has them: ${strays.slice(0, 5).join(', ')}. Delete node_modules and try again.`,
    );
  setStamp('dependencies', DEPENDENCIES);
}

function strayPackages() {
  const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')).packages;
  const locked = read('package-lock.json');
  const installed = read('node_modules/.package-lock.json');
  return Object.entries(installed)
    .filter(([path, found]) => {
      const wanted = locked[path];
      // The binaries of another system than the one that wrote the lock file: their parents pin them exactly.
      if (!wanted) return !found.optional;
      return (
        wanted.version !== found.version ||
        (wanted.integrity && found.integrity && wanted.integrity !== found.integrity)
      );
    })
    .map(([path]) => path);
}

function generateClient() {
  const inputs = ['prisma/schema.prisma', 'package-lock.json'];
  if (!isStale('prisma', inputs, 'src/generated/prisma/client.ts')) return;
  say('Generating the database client…');
  run(
    'prisma generate',
    process.execPath,
    ['node_modules/prisma/build/index.js', 'generate'],
    'Check prisma/schema.prisma.',
    {
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
    },
  );
  setStamp('prisma', inputs);
}

function buildContracts() {
  const inputs = ['contracts/src', 'contracts/foundry.toml'];
  if (!isStale('contracts', inputs, 'src/chain/routers/abis')) return;
  say('Checking the contracts…');
  run('The contract build', process.execPath, ['tools/contracts.mjs', 'build'], 'Read the compiler message above.');
  setStamp('contracts', inputs);
}

function buildWeb() {
  // The guides are in it.
  buildPages('web', 'the web pages', ['docs', 'sdk/README.md'], 'web/dist');
}

/** A part of the local stack: no deployment has it. */
function buildPlayground() {
  buildPages('local/playground/web', 'the playground', ['local/playground/web'], 'local/playground/dist');
}

function buildPages(folder, name, sources, output) {
  const inputs = ['web', 'src/domain', 'package-lock.json', ...sources];
  const step = folder.replaceAll('/', '-');
  if (!isStale(step, inputs, `${output}/index.html`)) return;
  say(`Building ${name}…`);
  run(
    'vite build',
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', '--config', `${folder}/vite.config.ts`],
    'Read the message above.',
  );
  setStamp(step, inputs);
}

/** What users run is bundled, and so is what measures it; tests are not, so that they see the sources. */
const ENTRY = {
  // It only seeds and watches: see LIFTOFF in local/stack/children.ts.
  start: ['--liftoff-only', 'dist/start.mjs'],
  demo: ['dist/demo.mjs'],
  cli: ['dist/cli.mjs'],
  // It stands where `npm start` does.
  bench: ['--liftoff-only', 'dist/bench.mjs'],
  test: ['--import', 'tsx', 'test/run.ts'],
};

/** What is taken is said before minutes of installing, not after. The stack looks again itself, which also names a stack that runs already. */
async function checkPort() {
  const options = { port: { type: 'string', default: '8080' }, help: { type: 'boolean' } };
  // What is wrong with the options is for local/stack/start to say.
  const { values } = parseArgs({ args, options, strict: false });
  const port = Number(values.port);
  if (values.help || !Number.isInteger(port) || port < 0 || port > 65_535) return;
  const server = createServer();
  const failure = await new Promise((resolve) => {
    server.once('error', resolve).listen(port, '127.0.0.1', () => resolve(null));
  });
  server.close();
  if (failure?.code === 'EADDRINUSE')
    fail(`Port ${port} is in use. Stop the other program, or choose another: npm start -- --port 8090`);
}

checkNode();
const entry = ENTRY[command];
if (!entry) fail(`Unknown command ${command}. Known: ${Object.keys(ENTRY).join(', ')}.`);
if (command === 'start' && isStale('dependencies', DEPENDENCIES, 'node_modules/tsx/package.json')) await checkPort();
installDependencies();
generateClient();
if (command !== 'cli') {
  buildContracts();
  buildWeb();
  buildPlayground();
}
run('The bundle', process.execPath, ['tools/bundle.mjs'], 'Read the message above.');

// The channel tells the child when this process was killed, so that nothing is left behind.
const child = spawn(process.execPath, [...entry, ...args], {
  cwd: ROOT,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...process.env, NODE_NO_WARNINGS: '1' },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // A terminal sends Ctrl-C to the child as well; a second one does no harm.
  process.on(signal, () => child.kill(signal));
}
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
