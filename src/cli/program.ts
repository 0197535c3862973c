// The commands of `ampersat`, in the order in which its help tells them, and one run of them.
import { Command } from 'commander';
import { readCliEnv } from '../env.ts';
import { addCompletion } from './completion.ts';
import { addEvents } from './events.ts';
import { reportFailure } from './failure.ts';
import { addKeys } from './keys.ts';
import { addListen } from './listen.ts';
import { addLogs } from './logs.ts';
import { addOperators } from './operators.ts';
import { addOrders } from './orders.ts';
import type { Shell } from './shell.ts';
import { addTrigger } from './trigger.ts';
import { addWebhooks } from './webhooks.ts';

const INTRODUCTION = `Pay any @handle in stablecoins. The tools of merchants, and of whoever runs a deployment.

Which service and which key: --api-key and --base-url, else AMPERSAT_API_KEY and AMPERSAT_BASE_URL, else the local stack of \`npm start\`, as the account “shop”.`;

const ENDING = `
Exit codes: 0 it went well, 1 it failed (the service said no, or does not answer), 2 the command was wrong.

Examples:
  ampersat orders create --amount 25 --chain base --description "Two coffees"
  ampersat orders list --status completed --json
  ampersat listen --forward-to http://127.0.0.1:4242/webhooks
  ampersat logs --follow
  source <(ampersat completion bash)`;

/** What a run of the command line is given; tests give streams and an environment of their own. */
export type RunIo = Pick<Shell, 'stdin' | 'stdout' | 'stderr' | 'signal'> & {
  env?: Record<string, string | undefined>;
};

/** Runs one command. @returns the exit code */
export async function runCli(argv: string[], { env: source, ...io }: RunIo): Promise<number> {
  // Read before the command line itself is: what is wrong with it is told in JSON, too.
  const isJson = argv.includes('--json');
  const shell: Shell = { ...io, env: readCliEnv(source), source, isJson, exitCode: 0 };
  try {
    await buildProgram(shell).parseAsync(argv, { from: 'user' });
    return shell.exitCode;
  } catch (error) {
    return reportFailure(shell, error);
  }
}

export function buildProgram(shell: Shell): Command {
  const program = new Command('ampersat')
    .description(INTRODUCTION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void shell.stdout.write(text),
      writeErr: (text) => void (shell.isJson || shell.stderr.write(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Try --help.')
    .optionsGroup('Which service, and how to answer:')
    .option('--api-key <key>', 'sk_test_… or sk_live_… (AMPERSAT_API_KEY)')
    .option('--base-url <url>', 'where the service is (AMPERSAT_BASE_URL)')
    .option('--account <name>', 'of the local stack: shop, alice, bob or carol (default: shop)')
    .option('--data-dir <folder>', 'of the local stack (default: .ampersat)')
    .option('--json', 'one line of JSON for each result, and for an error on stderr')
    .addHelpText('after', ENDING);

  program.commandsGroup('For merchants:');
  addOrders(program, shell);
  addListen(program, shell);
  addTrigger(program, shell);
  addEvents(program, shell);
  addWebhooks(program, shell);
  addLogs(program, shell);
  addKeys(program, shell);

  addCompletion(program, shell);

  program.commandsGroup('For operators:');
  addOperators(program, shell);

  program.commandsGroup('For developers of bots:');
  program
    .command('parse')
    .description('reads chat messages as JSON lines and writes what each asks for as JSON lines')
    .addHelpText(
      'after',
      '\nExample:\n  echo \'{"platform":"telegram","text":"/tip @bob 5","ctx":{"chat":"dm","bot":{"id":"1","username":"ampersat_bot"},"sender":{"id":"2"}}}\' | ampersat parse',
    )
    .action(async () => (await import('./parse.ts')).runParse(shell.stdin, shell.stdout));
  return program;
}
