// The commands of whoever runs a deployment. Their code is loaded when one of them is called: it is most of the service.
import type { Command } from 'commander';
import type { DeployOptions } from './deploy.ts';
import { type Shell, writeLine } from './shell.ts';

export function addOperators(program: Command, shell: Shell): void {
  const executors = program
    .command('executors')
    .description('the executor keys of a deployment, read with its configuration');
  executors
    .command('list')
    .description('every key as the ledger and the chain have it')
    .action(async () => (await import('./executors.ts')).listExecutorKeys(shell));
  executors
    .command('resume')
    .description('puts a key that is out of use back; refused while the chain still says why it is out of use')
    .requiredOption('--chain <name>', 'such as base')
    .requiredOption('--address <address>', 'the address of the key')
    .option('--force', 'also when the chain counts more transactions than the ledger, which then follows the chain')
    .action(async (options: { chain: string; address: string; force?: boolean }) =>
      (await import('./executors.ts')).resumeExecutorKey(shell, options),
    );

  program
    .command('x')
    .description('the reading of X, with the configuration of the deployment')
    .command('resume')
    .description('reads X again after a halt; refused while the budget of the day has no room')
    .action(async () => (await import('./executors.ts')).resumeReading(shell));

  program
    .command('deploy')
    .description('deploys the routers to networks, at the same addresses on each; without --send it only says the cost')
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
    .action(async (options: DeployOptions) => {
      const write = (line: string) => writeLine(shell, shell.isJson ? JSON.stringify({ message: line }) : line);
      shell.exitCode = await (await import('./deploy.ts')).runDeploy(write, options, shell.source);
    });

  program
    .command('health <process>')
    .description('whether api, workers, bots or signer were heard of within the last half minute; exit code 1 when not')
    .action(async (name: string) => (await import('./executors.ts')).checkProcess(shell, name));
}
