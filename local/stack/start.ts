// `npm start`: the local stack in the foreground, one summary, and an orderly end.
import { StartError } from '../../src/domain/errors.ts';
import { evmChainsIn } from './localFile.ts';
import { HELP, readOptions } from './options.ts';
import { type Stack, startStack } from './stack.ts';

function summary({ local, localFile, processEnv }: Stack, startedAt: number): string {
  const people = Object.entries(local.accounts).map(
    ([name, one]) => `${name}${one.connected ? '' : one.handle ? ' (not connected)' : ' (no account)'}`,
  );
  const { telegram, discord, x } = local.platforms;
  const { solana } = local.chains;
  return [
    '',
    `Ampersat is up (${((performance.now() - startedAt) / 1_000).toFixed(1)} s). Type a tip: ${local.base_url}/playground`,
    '',
    `  Web          ${local.base_url}`,
    `  Telegram     ${telegram.url || 'the real one'} (bot @${telegram.bot.username}, group ${telegram.group_chat_id})`,
    `  Discord      ${discord.url || 'the real one'} (bot @${discord.bot.username}, channel ${discord.channel_id})`,
    `  X            ${x.url || 'the real one'} (bot @${x.bot.username})`,
    ...evmChainsIn(local).map(([name, chain]) => `  ${name.padEnd(12)} ${chain.rpc_url} (chain ${chain.chain_id})`),
    ...(solana ? [`  solana       ${solana.rpc_url} (program ${solana.program})`] : []),
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
