// The command line, `ampersat`: from a checkout `npm run -s ampersat -- <command>`.
import { Command } from 'commander';
import { runParse } from './parse.ts';

const program = new Command('ampersat')
  .description('Pay any @handle in stablecoins. Tools for developers and operators.')
  .showHelpAfterError('Try: ampersat --help');

program
  .command('parse')
  .description('reads chat messages as JSON lines on stdin and writes what each asks for as JSON lines on stdout')
  .addHelpText(
    'after',
    '\nExample:\n  echo \'{"platform":"telegram","text":"/tip @bob 5","ctx":{"chat":"dm","bot":{"id":"1","username":"ampersat_bot"},"sender":{"id":"2"}}}\' | ampersat parse',
  )
  .action(() => runParse(process.stdin, process.stdout));

await program.parseAsync();
