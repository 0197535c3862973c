// The command line, `ampersat`: from a checkout `npm run -s ampersat -- <command>`.
import { Command } from 'commander';
import { type DeployOptions, runDeploy } from './deploy.ts';
import { checkProcess, listKeys, resumeKeys } from './keys.ts';
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

const write = (line: string) => void process.stdout.write(`${line}\n`);
const exitWith = (code: number) => {
  process.exitCode = code;
};

const keys = program.command('keys').description('the executor keys of this deployment, read with its configuration');
keys
  .command('list')
  .description('every key as the ledger and the chain have it, one line of JSON each')
  .action(async () => exitWith(await listKeys(write)));
keys
  .command('resume')
  .description('puts a key that is out of use back; refused while the chain still says why it is out of use')
  .requiredOption('--chain <name>', 'such as base')
  .requiredOption('--address <address>', 'the address of the key')
  .option('--force', 'also when the chain counts more transactions than the ledger, which then follows the chain')
  .action(async (options: { chain: string; address: string; force?: boolean }) =>
    exitWith(await resumeKeys(write, options)),
  );

program
  .command('deploy')
  .description(
    'deploys the routers to networks, at the same addresses on each; without --send it only says what that would do and cost',
  )
  .requiredOption('--chain <names>', 'one or several, by commas: base, bsc, ink, celo, base-sepolia')
  .requiredOption('--owner <address>', 'adds executors, changes treasury and authority, each after its delay')
  .requiredOption('--guardian <address>', 'may pause new work')
  .requiredOption('--treasury <address>', 'gets the fees')
  .requiredOption('--authority <address>', 'attests who a tab is for')
  .requiredOption('--executors <addresses>', 'in force at once, by commas; later ones wait 24 hours')
  .option('--deployer <address>', 'for a plan without DEPLOYER_KEY')
  .option('--rpc-url <url>', 'instead of RPC_URL_<CHAIN>')
  .option('--usdc <address>', 'another one than the registry has, on a local chain')
  .option('--wrapped-native <address>', 'another one than the registry has, on a local chain')
  .option('--out <folder>', 'where the file of each network is written', 'deployments')
  .option('--send', 'deploys what is missing; a run that was interrupted goes on')
  .action(async (options: DeployOptions) => exitWith(await runDeploy(write, options)));

program
  .command('health <process>')
  .description('whether api, workers, bots or signer were heard of within the last half minute; exit code 1 when not')
  .action(async (name: string) => exitWith(await checkProcess(write, name)));

await program.parseAsync();
