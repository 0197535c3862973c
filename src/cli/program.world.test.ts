// The command line as a whole: its help, its completion in a real shell, its colours, and the commands of operators.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../../local/stack/roles.ts';
import { keyOf } from '../../test/setup/api.ts';
import { type CommandLine, commandLine } from '../../test/setup/cli.ts';
import { startFlaky } from '../../test/setup/flaky.ts';
import { serveWorld } from '../../test/setup/visitor.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { ROOT } from '../root.ts';
import { buildProgram } from './program.ts';
import type { Shell } from './shell.ts';

const bare = commandLine({});
const BANNED =
  /stands here|for good|any more|of now|by itself|w?g[eo](es|nt)? well|told of|\btake[sn]?\b|\bma[dk]es?\b|if you like|whoever|whatever|somebody|nobody|anew|is over|moments|\bchain says\b/i;

test('the help of every command is there, and says it all for a newcomer', async () => {
  const { code, out } = await bare(['--help']);
  expect(code).toBe(0);
  for (const part of [
    'For merchants:',
    'For operators:',
    'Exit codes: 0 success, 1 request failed, 2 invalid usage',
    'Examples:',
    'AMPERSAT_API_KEY',
    'npm start',
  ])
    expect(out).toContain(part);
  for (const line of [
    'orders',
    'orders create',
    'events resend',
    'webhooks roll',
    'logs',
    'keys create',
    'completion',
    'executors resume',
    'x resume',
    'deploy',
    'parse',
  ])
    expect(await bare([...line.split(' '), '--help']), line).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: ampersat /),
    });
  const groups = out.split(/^(?=For |Other)/m);
  const named = groups.map((group) => [...group.matchAll(/^ {2}(\w+)[ <[]/gm)].map(([, name]) => name));
  expect(named[1]).toEqual([
    ...['orders', 'links', 'plans', 'subscriptions', 'campaigns'],
    ...['keys', 'webhooks', 'events', 'listen', 'trigger', 'clock', 'logs'],
  ]);
  expect(named[2]).toEqual(['executors', 'x', 'transfers', 'deploy', 'health']);
  expect(await bare(['help'])).toMatchObject({ code: 0, out, err: '' });
  expect(await bare([])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('For merchants:') });
});

test('commands are shown as they can be pasted, however npm was asked for them', async () => {
  for (const [env, typed] of [
    [{ npm_command: 'run', npm_lifecycle_event: 'ampersat' }, 'npm run -s ampersat --'],
    [{ npm_command: 'exec', npm_lifecycle_event: 'npx' }, 'npx ampersat'],
    [{ npm_command: 'test', npm_lifecycle_event: 'test' }, 'ampersat'],
  ] as const) {
    const run = commandLine(env);
    const help = (await run(['orders', 'create', '--help'])).out;
    expect(help.startsWith(`Usage: ${typed} orders create `)).toBe(true);
    expect(help).toContain(`\n  ${typed} orders create --amount 25 `);
    expect((await run(['trigger'])).err).toContain(`List them: ${typed} trigger --list`);
  }
});

test('every description is a sentence in the imperative, and no word of it is banned', () => {
  const shell = { env: { hasColours: false }, isJson: false, isWide: false } as Shell;
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  for (const command of all(buildProgram(shell))) {
    const name = command.name();
    const texts = [
      command.description(),
      ...command.options.map(({ description }) => description),
      ...command.registeredArguments.map(({ description }) => description),
    ].filter((text) => text !== '');
    for (const text of texts) {
      expect(text, name).toMatch(/^[A-Z]|^sk_/);
      expect(text, name).not.toMatch(BANNED);
    }
    // “Create an order”, not “Creates an order”.
    if (name !== 'ampersat') expect(command.description(), name).not.toMatch(/^\w+[^s]s\b/);
  }
});

describe('completion', () => {
  let script: string;
  beforeAll(async () => {
    script = (await bare(['completion', 'bash'])).out;
  });

  /** What bash offers behind these words, the last of which is being typed. */
  function offered(...words: string[]): string[] {
    const asked = `source <(printf '%s' "$SCRIPT"); COMP_WORDS=(ampersat "$@"); COMP_CWORD=$#; _ampersat; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['--norc', '-c', asked, 'bash', ...words], {
      env: { ...process.env, SCRIPT: script },
      encoding: 'utf8',
    });
    return out.split('\n').filter((word) => word !== '');
  }

  test('bash is offered commands, their flags, and the values that there are', () => {
    expect(offered('')).toEqual(
      expect.arrayContaining(['orders', 'events', 'webhooks', 'logs', 'keys', 'executors', '--json']),
    );
    expect(offered('or')).toEqual(['orders']);
    expect(offered('orders', 'c')).toEqual(['create', 'cancel']);
    expect(offered('orders', 'create', '--ch')).toEqual(['--chain']);
    expect(offered('orders', 'create', '--chain', 'b')).toEqual(['base', 'bsc', 'base-sepolia']);
    expect(offered('--json', 'orders', 'list', '--status', 'comp')).toEqual(['completed']);
    expect(offered('orders', 'list', '--status', 'completed', '--ac')).toEqual(['--account']);
    expect(offered('orders', 'create', '--description', '')).toEqual([]);
    expect(offered('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
    expect(offered('keys', '')).not.toContain('orders');
    expect(offered('nothing', 'q')).toEqual([]);
  });

  test('zsh has the same script behind its bridge, fish its own; another shell is wrong usage', async () => {
    expect((await bare(['completion', 'zsh'])).out).toContain(script);
    const fish = (await bare(['completion', 'fish'])).out;
    expect(fish).toMatch(/^complete -c ampersat -f -n "__ampersat_at 'orders'" -a create -d '[^']+'$/m);
    expect(fish).toMatch(
      /^complete -c ampersat -n "__ampersat_at 'orders create'" -l chain -x -a 'base bsc [^']+' -d '[^']+'$/m,
    );
    for (const line of fish.split('\n')) expect((line.match(/'/g) ?? []).length % 2, line).toBe(0);
    expect((await bare(['completion', 'csh'])).code).toBe(2);
  });

  /** Runs a program of a shell with one of our scripts as `$SCRIPT`. */
  const shell = async (name: 'zsh' | 'fish', args: string[]) => {
    const env = { ...process.env, SCRIPT: (await bare(['completion', name])).out };
    const { stdout, stderr } = spawnSync(name, args, { env, encoding: 'utf8' });
    return { lines: stdout.split('\n').filter(Boolean), stderr };
  };
  const has = (name: string) => spawnSync(name, ['--version']).status === 0;

  test.skipIf(!has('fish'))('fish offers the same, and says nothing else', async () => {
    const asked = [
      'or',
      'orders create --ch',
      'orders create --chain b',
      '--json orders list --status comp',
      'orders list --status completed --ac',
      'orders create --description ',
      'completion ',
      'logs --he',
    ];
    const program = 'echo $SCRIPT | source; for line in $argv; complete -C "ampersat $line"; echo .; end';
    const { lines, stderr } = await shell('fish', ['--no-config', '-c', program, ...asked]);
    expect(stderr).toBe('');
    const offers = lines.map((line) => line.split('\t')[0]).join(' ');
    expect(offers.split('.').map((part) => part.trim())).toEqual([
      'orders',
      '--chain',
      'base base-sepolia bsc',
      'completed',
      '--account',
      '',
      'bash fish zsh',
      '--help',
      '',
    ]);
  });

  test.skipIf(!has('zsh'))('zsh takes the script and completes ampersat with it', async () => {
    const program = 'autoload -Uz compinit && compinit -u -D; eval "$SCRIPT"; print -r -- $_comps[ampersat]';
    expect(await shell('zsh', ['-f', '-c', program])).toEqual({ lines: ['_bash_complete -F _ampersat'], stderr: '' });
  });
});

describe('in a world', () => {
  let world: World;
  let env: Record<string, string>;
  let operator: CommandLine;
  beforeAll(async () => {
    world = await startWorld();
    env = { AMPERSAT_BASE_URL: await serveWorld(world), AMPERSAT_API_KEY: await keyOf(world, 'alice') };
    operator = commandLine(world.processEnv);
    await commandLine(env)('orders create --amount 1 --chain base'.split(' '));
  });
  afterAll(() => world.stop());

  test('colours are for a terminal, and not against NO_COLOR', async () => {
    const terminal = () => Object.assign(new PassThrough(), { isTTY: true });
    const list = ['orders', 'list'];
    const coloured = '\u001b[';
    expect((await commandLine(env)(list, { out: terminal() })).out).toContain(coloured);
    expect((await commandLine(env)(list)).out).not.toContain(coloured);
    expect((await commandLine({ ...env, NO_COLOR: '1' })(list, { out: terminal() })).out).not.toContain(coloured);
    expect((await commandLine({ ...env, TERM: 'dumb' })(list, { out: terminal() })).out).not.toContain(coloured);
    expect((await commandLine(env)([...list, '--json'], { out: terminal() })).out).not.toContain(coloured);
  });

  test('a key that cannot be one is wrong usage, in a line', async () => {
    for (const key of ['sk_test_…', '']) {
      const ran = await commandLine({})(['orders', 'list', '--base-url', 'http://127.0.0.1:1', '--api-key', key]);
      expect(ran).toEqual(
        expect.objectContaining({ code: 2, out: '', err: expect.stringMatching(/^apiKey must be .+\n$/) }),
      );
    }
  });

  test('a command that is stopped says nothing and has an exit code of its own', async () => {
    expect(await commandLine(env)(['orders', 'list'], { signal: AbortSignal.abort() })).toMatchObject({
      code: 130,
      out: '',
      err: '',
    });
  });

  test('the bundled program ends as its reader, its terminal or its work says', async () => {
    const begin = (argv: string[]) => {
      const child = spawn(process.execPath, [join(ROOT, 'dist/cli.mjs'), ...argv], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let err = '';
      child.stderr.on('data', (chunk) => {
        err += chunk;
      });
      return {
        child,
        err: () => err,
        ended: new Promise((resolve) => child.on('close', (code) => resolve([code, err]))),
      };
    };
    const list = begin(['orders', 'list', '--json']);
    const [line] = await once(list.child.stdout, 'data');
    expect(JSON.parse(String(line))).toMatchObject({ object: 'order' });
    expect(await list.ended).toEqual([0, '']);
    expect(await begin(['orders', 'get', 'ord_nothing']).ended).toEqual([
      1,
      expect.stringContaining('resource_missing'),
    ]);

    const gone = begin(['orders', 'list']);
    gone.child.stdout.destroy();
    expect((await gone.ended) as unknown[]).toEqual([expect.toBeOneOf([0, 130]), '']);

    const unheard = begin(['orders', 'list', '--nothing']);
    unheard.child.stderr.destroy();
    expect(await unheard.ended).toEqual([2, '']);

    const front = await startFlaky(env['AMPERSAT_BASE_URL'] ?? '');
    const follow = begin(['logs', '--follow', '--base-url', front.url]);
    const waiting = 'Waiting for new delivery attempts. Press Ctrl-C to stop.\n';
    await expect.poll(follow.err).toBe(waiting);
    await expect.poll(() => front.heard.length).toBeGreaterThan(3);
    follow.child.kill('SIGINT');
    expect(await follow.ended).toEqual([0, waiting]);
    await front.stop();
  });

  test('executors are listed and put back; what stands against it is exit code 1', async () => {
    const address = ROLES.executors[0]?.address ?? '0x';
    const nextNonce = await world.reader().getTransactionCount({ address });
    await world.ctx.db.executorKey.create({ data: { chain: 'base', address, nextNonce } });
    const list = await operator(['executors', 'list']);
    expect(list.code).toBe(0);
    expect(list.out).toMatch(new RegExp(`base +${address} +1000.00 ETH +\\d+ +\\d+ +\\d+ +\\S+ +active`));
    const [row] = (await operator(['executors', 'list', '--json'])).json;
    expect(row).toMatchObject({
      chain: 'base',
      nextNonce: expect.any(Number),
      balance: '1000.00',
      symbol: 'ETH',
      powerProblem: null,
    });
    const resume = ['executors', 'resume', '--chain', 'base', '--address', address];
    expect(await operator(resume)).toMatchObject({
      code: 1,
      out: '',
      err: 'This key is already in use.\n',
    });
    await world.ctx.db.executorKey.updateMany({ where: { address }, data: { pausedReason: 'a test' } });
    expect((await operator(resume)).out).toBe(`Resumed ${address} on base.\n`);
    const unknown = await operator([...resume.slice(0, 3), 'mars', ...resume.slice(4), '--json']);
    expect([unknown.code, JSON.parse(unknown.err).error.code]).toEqual([1, 'resource_missing']);
  });

  test('X is read again; what stands against it is exit code 1', async () => {
    const { db, clock } = world.ctx;
    expect(await operator(['x', 'resume'])).toMatchObject({
      code: 1,
      out: '',
      err: 'X is not halted. There is nothing to resume.\n',
    });
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    // The budget is the one of the process that makes the calls, not the one of the shell.
    const row = { day, budgetMicros: 20_000_000n, spentMicros: 19_500_000n, halted: 'budget' };
    await db.xBudgetDay.create({ data: row });
    const refused = await operator(['x', 'resume', '--json']);
    expect([refused.code, JSON.parse(refused.err).error.code]).toEqual([1, 'state_conflict']);
    expect(refused.err).toMatch(/19\.50 of 20\.00 USD .*X_DAILY_BUDGET_USD of the bots to 20\.69 or more/);
    await db.xBudgetDay.update({ where: { day }, data: { spentMicros: 1_000_000n } });
    expect((await operator(['x', 'resume'])).out).toBe(`Resumed reading X. Spent $1.00 of $20.00 on ${day} (UTC).\n`);
    expect(await db.xBudgetDay.findUnique({ where: { day } })).toMatchObject({
      halted: null,
      budgetMicros: 20_000_000n,
    });
    const noted = await db.transition.findFirstOrThrow({ where: { resource: 'x_budget' } });
    expect(noted).toMatchObject({ action: 'resume', detail: { by: 'command line', halted: 'budget' } });
  });

  test('health says whether a process sent a heartbeat', async () => {
    expect(await operator(['health', 'bots'])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^bots is not healthy: /),
    });
    expect((await operator(['health', 'bots', '--json'])).json).toEqual([
      { process: 'bots', runs: false, problem: expect.any(String) },
    ]);
    expect(await bare(['health', 'bots'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The configuration is not usable: DATABASE_URL/),
    });
  });
});
