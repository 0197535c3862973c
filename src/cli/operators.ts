// The commands of operators. Their code is loaded when one of them is called: it is most of the service.
import type { Command } from 'commander';
import type { DeployOptions } from './deploy.ts';
import { type Shell, writeLine } from './shell.ts';

export function addOperators(program: Command, shell: Shell): void {
  const executors = program.command('executors').description('Manage the executor keys of a deployment');
  executors
    .command('list')
    .description('List executor keys with their nonces and balances')
    .action(async () => (await import('./executors.ts')).listExecutorKeys(shell));
  executors
    .command('resume')
    .description('Resume a paused executor key')
    .requiredOption('--chain <name>', 'Network, such as base')
    .requiredOption('--address <address>', 'Address of the key')
    .option('--force', 'Also if the chain’s nonce is ahead of the ledger’s; the ledger then follows the chain')
    .action(async (options: { chain: string; address: string; force?: boolean }) =>
      (await import('./executors.ts')).resumeExecutorKey(shell, options),
    );

  program
    .command('x')
    .description('Manage the X integration')
    .command('resume')
    .description('Resume reading X after a halt, within the daily budget')
    .action(async () => (await import('./executors.ts')).resumeReading(shell));

  const transfers = program.command('transfers').description('Manage what payers sent to the treasury');
  transfers
    .command('list')
    .description('List transfers that name no order or could not be passed on, newest first')
    .option('--all', 'Also those that were passed on or returned')
    .action(async ({ all = false }: { all?: boolean }) =>
      (await import('./executors.ts')).listTreasuryTransfers(shell, all),
    );
  transfers
    .command('return <transfer>')
    .description('Return a transfer that names no order to the wallet that sent it')
    .action(async (id: string) => (await import('./executors.ts')).returnTreasuryTransfer(shell, id));

  program
    .command('deploy')
    .description('Deploy the routers; without --send, show the plan and its cost')
    .requiredOption('--chain <names>', 'Networks, comma-separated: base, bsc, ink, celo, base-sepolia')
    .requiredOption('--owner <address>', 'Adds executors and changes treasury and authority, each after a delay')
    .requiredOption('--guardian <address>', 'May pause new payments')
    .requiredOption('--treasury <address>', 'Receives the fees')
    .requiredOption('--authority <address>', 'Attests who a tab is for')
    .requiredOption('--executors <addresses>', 'Executors from the start, comma-separated; later ones wait 24 hours')
    .option('--deployer <address>', 'For a plan without DEPLOYER_KEY')
    .option('--rpc-url <url>', 'RPC endpoint (default: RPC_URL_<CHAIN>)')
    .option('--usdc <address>', 'USDC of a local chain')
    .option('--wrapped-native <address>', 'Wrapped native asset of a local chain')
    .option('--across-pool <address>', 'SpokePool of Across, by which tips can leave for other networks; final')
    .option('--across-to <networks>', 'Where tips can go, by name with commas; all without it')
    .option('--out <folder>', 'Folder for the deployment files', 'deployments')
    .option('--send', 'Deploy what is missing; continues an interrupted run')
    .action(async (options: DeployOptions) => {
      const write = (line: string) => writeLine(shell, shell.isJson ? JSON.stringify({ message: line }) : line);
      shell.exitCode = await (await import('./deploy.ts')).runDeploy(write, options, shell.source);
    });

  program
    .command('health <process>')
    .description('Check that api, workers, bots, signer or watchdog was active in the last 30 seconds')
    .action(async (name: string) => (await import('./executors.ts')).checkProcess(shell, name));
}
