// The deploy script against a local Solana node over RPC: planned, killed in the middle, resumed, read back, made final, at the planned price.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Keypair, sendAndConfirmTransaction, Transaction } from '@solana/web3.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configOf, programDataOf, spenderOf, tokenAccount, vaultOf } from '../../src/chain/solana/addresses.ts';
import type { DeployCluster } from '../../src/chain/solana/deploy.ts';
import { planSolanaDeploy } from '../../src/chain/solana/deploy.ts';
import { clusterOf } from '../../src/chain/solana/deployCluster.ts';
import { buildInstruction } from '../../src/chain/solana/instructions.ts';
import { ROOT } from '../../src/root.ts';
import { SOL } from '../../test/setup/solana.ts';
import { readAccount } from '../solana/accounts.ts';
import { airdrop, createTokenAccount, placeMint } from '../solana/genesis.ts';
import { localSolanaKey } from '../solana/keys.ts';
import { type RunningSolana, startSolana } from '../solana/server.ts';
import { SOLANA_ROLES } from '../stack/roles.ts';
import { type DeployRun, runDeploy, runPlan, runStatus } from './deploy.ts';
import { readBuild } from './record.ts';

const crate = join(ROOT, 'contracts/solana');
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const usdc = localSolanaKey('usdc').address;
const [deployer, program, stranger] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
const id = program.publicKey.toBase58();
const SLOT_MS = 50;

let node: RunningSolana;
let folder: string;
let env: Record<string, string>;
let child: ChildProcess | null;
beforeEach(async () => {
  child = null;
  node = await startSolana({ slotMs: SLOT_MS, finalizedAfter: 4 });
  for (const key of [deployer, stranger]) airdrop(node.ledger, key.publicKey.toBase58(), 10 * SOL);
  folder = mkdtempSync(join(tmpdir(), 'ampersat-deploy-'));
  const file = (name: string, key: Keypair) => {
    writeFileSync(join(folder, name), JSON.stringify([...key.secretKey]));
    return join(folder, name);
  };
  env = {
    SOLANA_RPC_URL: node.url,
    SOLANA_DEPLOYER_KEYPAIR: file('deployer.json', deployer),
    SOLANA_PROGRAM_KEYPAIR: file('program.json', program),
  };
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await node.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The script's own cluster, which looks again sooner. */
const open = (rpcUrl: string): DeployCluster =>
  clusterOf(new Connection(rpcUrl, 'confirmed'), 0n, () => new Promise((resolve) => setTimeout(resolve, SLOT_MS)));
async function run(command: (run: DeployRun) => Promise<void>, ...words: string[]): Promise<string> {
  const lines: string[] = [];
  await command({ say: (line) => void lines.push(line), crate, words, env, open });
  return lines.join('\n');
}
const deployerHas = () => readAccount(node.ledger, deployer.publicKey.toBase58())?.lamports ?? 0n;
const passSlots = (count: number) => new Promise((resolve) => setTimeout(resolve, count * SLOT_MS));

/** The script as an operator runs it, ended by kill -9 once so many of its writes are confirmed. */
async function killedAfter(writes: number): Promise<void> {
  const running = spawn(process.execPath, [join(ROOT, 'local/program.mjs'), 'deploy'], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = running;
  let output = '';
  for await (const chunk of running.stdout) {
    output += String(chunk);
    if ([...output.matchAll(/^program: write \d+ confirmed/gm)].length >= writes) break;
  }
  const ended = once(running, 'exit');
  running.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

async function initialize(): Promise<void> {
  const fixed = { config: configOf(id).address, spender: spenderOf(id).address, vault: vaultOf(id).address };
  placeMint(node.ledger, { address: usdc, mintAuthority: stranger.publicKey.toBase58() });
  for (const mint of [usdc, WRAPPED_SOL]) await createTokenAccount(node.ledger, { owner: fixed.vault, mint });
  const { owner, guardian, authority, treasury, executors } = SOLANA_ROLES;
  const instruction = buildInstruction({ id, fixed }, 'initialize', {
    args: {
      owner: owner.address,
      guardian: guardian.address,
      authority: authority.address,
      treasury: treasury.address,
      executors: executors.length,
    },
    accounts: {
      payer: stranger.publicKey.toBase58(),
      upgradeAuthority: deployer.publicKey.toBase58(),
      programData: programDataOf(id).address,
      usdc,
      vaultUsdc: tokenAccount(fixed.vault, usdc).address,
      vaultWrapped: tokenAccount(fixed.vault, WRAPPED_SOL).address,
    },
    each: executors.map(({ address }) => ({ key: address })),
  });
  const connection = new Connection(node.url, { commitment: 'confirmed', wsEndpoint: node.wsUrl });
  // The vault's accounts are in the open block: a simulation in the last confirmed one does not know them.
  const unchecked = { skipPreflight: true };
  await sendAndConfirmTransaction(connection, new Transaction().add(instruction), [stranger, deployer], unchecked);
  const { _rpcWebSocket: socket } = connection as unknown as {
    _rpcWebSocket: { close(): void; reconnect: boolean };
  };
  socket.reconnect = false;
  socket.close();
}

test('a deployment that was killed goes on where it was, costs what was planned, and is final once it is initialized', async () => {
  const { image } = readBuild(crate);
  const target = { image, program: program.publicKey, deployer: deployer.publicKey };
  const planned = await planSolanaDeploy(open(node.url), target, true);
  const writes = planned.steps.filter(({ kind }) => kind === 'write').length;
  // A write carries about 900 bytes of the program.
  expect(writes).toBeGreaterThan(image.length / 1_000);
  expect(await run(runPlan, '--final')).toContain(
    `${writes + 3} transactions: 1 buffer, ${writes} write, 1 deploy, 1 final`,
  );
  expect(await run(runStatus)).toBe(`program ${id}\nnot deployed`);
  const before = deployerHas();

  await killedAfter(10);
  // What was under way lands or does not; then it is known which.
  await passSlots(6);
  const left = await planSolanaDeploy(open(node.url), target, true);
  const writesLeft = left.steps.filter(({ kind }) => kind === 'write').length;
  expect(writesLeft).toBeLessThanOrEqual(writes - 10);
  expect(left.steps).toHaveLength(writesLeft + 2);
  const deployed = await run(runDeploy);
  expect(deployed.match(/^write \d+ confirmed/gm)).toHaveLength(writesLeft);
  expect(deployed).toContain('its bytes are the committed program’s');
  expect(await run(runPlan)).toContain('nothing to do');

  await expect(run(runDeploy, '--final')).rejects.toThrow(/deployed, but not initialized/);
  await initialize();
  expect(await run(runDeploy, '--final')).toContain('final: no upgrade authority');
  expect(await run(runStatus)).toMatch(/^program \w+\ndeployed in slot \d+, executable\nfinal: no upgrade authority\n/);
  const wallet = BigInt(await new Connection(node.url).getMinimumBalanceForRentExemption(0));
  expect(before - deployerHas()).toBe(planned.costs.needed - wallet);
  expect(planned.costs.needed - wallet).toBe(planned.costs.rent + planned.costs.fees);
});
