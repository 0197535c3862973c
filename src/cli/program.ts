// The commands of `ampersat`, in the order in which its help lists them, and one run of them.
import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { readCliEnv } from '../env.ts';
import { addCampaigns } from './campaigns.ts';
import { addCompletion } from './completion.ts';
import { addEvents } from './events.ts';
import { reportFailure } from './failure.ts';
import { addKeys } from './keys.ts';
import { addLinks } from './links.ts';
import { addListen } from './listen.ts';
import { addClock } from './localClock.ts';
import { addLogs } from './logs.ts';
import { addOperators } from './operators.ts';
import { addOrders } from './orders.ts';
import { addPlans, addSubscriptions } from './plans.ts';
import type { Shell } from './shell.ts';
import { addTrigger } from './trigger.ts';
import { addWebhooks } from './webhooks.ts';

const INTRODUCTION = `Accept stablecoin payments to any @handle.

Connects to --base-url with --api-key (or AMPERSAT_BASE_URL and AMPERSAT_API_KEY). Without them, connects to the local stack (npm start) as “shop”.`;

const ENDING = `
IDs can be given in full or as tables show them.

Exit codes: 0 success, 1 request failed, 2 invalid usage

Examples:
  ampersat orders create --amount 25 --chain base-sepolia --description "Two coffees"
  ampersat orders list --status completed --json
  ampersat listen --forward-to localhost:3000/webhooks
  ampersat logs --follow
  source <(ampersat completion bash)`;

const HELP = ['help [command]', 'Show help for a command'] as const;

/** One run of the command line; tests give streams and an environment of their own. */
export type RunIo = Pick<Shell, 'stdin' | 'stdout' | 'stderr' | 'signal'> & {
  env?: Record<string, string | undefined>;
};

/** Runs one command. @returns the exit code */
export async function runCli(argv: string[], { env: source, ...io }: RunIo): Promise<number> {
  // Read before the command line itself is parsed, so that its errors are JSON, too.
  const [isJson, isWide] = [argv.includes('--json'), argv.includes('--wide')];
  const shell: Shell = { ...io, env: readCliEnv(source), source, isJson, isWide, exitCode: 0 };
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
      // Help and examples.
      writeOut: (text) =>
        void shell.stdout.write(
          text.replace(/(?<=^Usage: |^ {2}|\| |\()ampersat (?=[a-z[])/gm, `${shell.env.command} `),
        ),
      writeErr: (text) => void (shell.isJson || shell.stderr.write(text)),
      outputError: (text, write) => write(plainUsage(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Try --help.')
    .helpOption('-h, --help', 'Show help')
    .helpCommand(...HELP)
    .version(manifest.version, '-v, --version', 'Show the version')
    .optionsGroup('Connection and output:')
    .option('--api-key <key>', 'API key, sk_test_… or sk_live_… (AMPERSAT_API_KEY)')
    .option('--base-url <url>', 'URL of the service (AMPERSAT_BASE_URL)')
    .option('--account <name>', 'Account on the local stack: shop, alice, bob or carol (default: shop)')
    .option('--data-dir <folder>', 'Data folder of the local stack (default: .ampersat)')
    .option('--json', 'Print one line of JSON per result; errors as JSON on stderr')
    .option('--wide', 'Show full IDs in tables')
    .addHelpText('after', ENDING);

  program.commandsGroup('For merchants:');
  addOrders(program, shell);
  addLinks(program, shell);
  addPlans(program, shell);
  addSubscriptions(program, shell);
  addCampaigns(program, shell);
  addKeys(program, shell);
  addWebhooks(program, shell);
  addEvents(program, shell);
  addListen(program, shell);
  addTrigger(program, shell);
  addClock(program, shell);
  addLogs(program, shell);

  program.commandsGroup('For operators:');
  addOperators(program, shell);

  program.commandsGroup('Other:');
  addCompletion(program, shell);
  program
    .command('parse')
    .description('Parse chat messages: JSON lines in, JSON lines out')
    .addHelpText(
      'after',
      '\nExample:\n  echo \'{"platform":"telegram","text":"/tip @bob 5","ctx":{"chat":"dm","bot":{"id":"1","username":"ampersat_bot"},"sender":{"id":"2"}}}\' | ampersat parse',
    )
    .action(async () => (await import('./parse.ts')).runParse(shell.stdin, shell.stdout));
  // Once more, for its group.
  program.helpCommand(...HELP);
  return program;
}

/** commander names an argument by its place in the program. */
function plainUsage(text: string): string {
  return text.replace(/command-argument value ('.*?' is invalid) for argument '(\w+)'/, '$1 for <$2>');
}
