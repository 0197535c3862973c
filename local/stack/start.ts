// `npm start`: the local stack in the foreground, one summary, and an orderly end.
import { parseArgs } from 'node:util';
import { CHAIN_NAMES, CHAINS, type ChainName } from '../../src/domain/chains.ts';
import { StartError } from '../../src/domain/errors.ts';
import { type Stack, startStack } from './stack.ts';

const HELP = `npm start -- [options]
  --data-dir DIR   where everything is kept (default .ampersat)
  --port N         the web port, 0 for any free one (default 8080)
  --chains a,b     local chains (default base,base-sepolia; known: ${CHAIN_NAMES.filter((name) => CHAINS[name].family === 'evm').join(', ')})
  --fresh          forget everything first
  --help           this text
`;

function readOptions(argv: string[]) {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        'data-dir': { type: 'string', default: '.ampersat' },
        port: { type: 'string', default: '8080' },
        chains: { type: 'string', default: 'base,base-sepolia' },
        fresh: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new StartError('--port takes a number from 0 to 65535.');
    const chains = values.chains.split(',').map((name) => name.trim());
    for (const name of chains) {
      if (!(CHAIN_NAMES as string[]).includes(name))
        throw new StartError(`--chains: ${name} is not a chain. Known: ${CHAIN_NAMES.join(', ')}.`);
    }
    return {
      dataDir: values['data-dir'],
      port,
      chains: [...new Set(chains)] as ChainName[],
      fresh: values.fresh,
      help: values.help,
    };
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`${(error as Error).message}\n\n${HELP}`);
  }
}

function summary({ local, localFile, processEnv }: Stack, startedAt: number): string {
  const people = Object.entries(local.accounts).map(
    ([name, one]) => `${name}${one.connected ? '' : one.handle ? ' (not connected)' : ' (no account)'}`,
  );
  const { telegram, discord, x } = local.platforms;
  return [
    '',
    `Ampersat is up (${((performance.now() - startedAt) / 1_000).toFixed(1)} s). Type a tip: ${local.base_url}/playground`,
    '',
    `  Web          ${local.base_url}`,
    `  Telegram     ${telegram.url || 'the real one'} (bot @${telegram.bot.username}, group ${telegram.group_chat_id})`,
    `  Discord      ${discord.url || 'the real one'} (bot @${discord.bot.username}, channel ${discord.channel_id})`,
    `  X            ${x.url || 'the real one'} (bot @${x.bot.username})`,
    ...Object.entries(local.chains).map(
      ([name, chain]) => `  ${name.padEnd(12)} ${chain.rpc_url} (chain ${chain.chain_id})`,
    ),
    ...(processEnv['REDIS_URL'] ? ['  Queues       in the Redis of REDIS_URL'] : []),
    `  People       ${people.join(', ')}`,
    `  Details      ${localFile}, logs beside it`,
    '',
    'Ctrl-C stops all of it.',
    '',
  ].join('\n');
}

const startedAt = performance.now();
let stack: Stack | undefined;
let ending: Promise<void> | undefined;
let starting: Promise<Stack> | undefined;

function end(code: number): void {
  ending ??= (async () => {
    process.stdout.write('\nStopping…\n');
    await (stack ?? (await starting?.catch(() => undefined)))?.stop();
    process.stdout.write('Stopped.\n');
    process.exit(code);
  })();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
process.once('disconnect', () => end(0));

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  starting = startStack({ ...options, log: (line) => process.stdout.write(`  ${line}\n`) });
  stack = await starting;
  if (!ending) process.stdout.write(summary(stack, startedAt));
} catch (error) {
  if (!ending) {
    process.stderr.write(
      `${error instanceof StartError ? error.message : ((error as Error).stack ?? String(error))}\n`,
    );
    process.exit(1);
  }
}
