// `node local/program.mjs plan|deploy|status`: the committed Solana program and a cluster. Keys are read from files that the operator names.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Keypair, PublicKey } from '@solana/web3.js';
import {
  type DeployCluster,
  deploySolanaProgram,
  type HealthCheck,
  isInitialized,
  planSolanaDeploy,
  readProgramStatus,
} from '../../src/chain/solana/deploy.ts';
import { openSolanaCluster } from '../../src/chain/solana/deployCluster.ts';
import {
  type DeployTarget,
  isImage,
  type ProgramStatus,
  SolanaDeployError,
} from '../../src/chain/solana/deployPlan.ts';
import { BuildError } from './buildError.ts';
import { readBuild } from './record.ts';

type Say = (line: string) => void;
/** `open` is another cluster in tests. */
export type DeployRun = {
  say: Say;
  crate: string;
  words: string[];
  env?: NodeJS.ProcessEnv;
  open?: (rpcUrl: string, unitPrice: bigint) => DeployCluster;
};

const OPTIONS = {
  'rpc-url': { type: 'string' },
  keypair: { type: 'string' },
  'program-keypair': { type: 'string' },
  program: { type: 'string' },
  'unit-price': { type: 'string', default: '0' },
  final: { type: 'boolean', default: false },
} as const;

type Settings = {
  cluster: DeployCluster;
  image: Buffer;
  isFinal: boolean;
  program: PublicKey;
  programKey: Keypair | null;
  deployerKey: Keypair | null;
};

function readSettings({ words, env = process.env, crate, open = openSolanaCluster }: DeployRun): Settings {
  const values = parse(words);
  const rpcUrl = values['rpc-url'] ?? env['SOLANA_RPC_URL'];
  if (!rpcUrl) throw new BuildError('No RPC endpoint. Set SOLANA_RPC_URL, or pass --rpc-url.');
  if (!/^\d+$/.test(values['unit-price']))
    throw new BuildError('--unit-price is a whole number of millionths of a lamport per compute unit.');
  const programKey = readKey('program', values['program-keypair'] ?? env['SOLANA_PROGRAM_KEYPAIR']);
  const deployerKey = readKey('deployer', values.keypair ?? env['SOLANA_DEPLOYER_KEYPAIR']);
  const program = values.program ? readAddress(values.program) : programKey?.publicKey;
  if (!program)
    throw new BuildError(
      'No program. Set SOLANA_PROGRAM_KEYPAIR to the file of its key, or pass --program with its address.',
    );
  if (programKey && !programKey.publicKey.equals(program))
    throw new BuildError(`--program is ${program}, but the file has the key of ${programKey.publicKey}.`);
  const { image } = readBuild(crate);
  return {
    cluster: open(rpcUrl, BigInt(values['unit-price'])),
    image,
    isFinal: values.final,
    program,
    programKey,
    deployerKey,
  };
}

function parse(words: string[]) {
  try {
    return parseArgs({ args: words, options: OPTIONS }).values;
  } catch (error) {
    throw new BuildError(`${(error as Error).message} Options: ${Object.keys(OPTIONS).join(', ')}.`);
  }
}

/** @param path a file with a key as JSON, 64 numbers, as solana-keygen writes it */
function readKey(whose: string, path: string | undefined): Keypair | null {
  if (!path) return null;
  try {
    return Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(path, 'utf8')) as number[]));
  } catch {
    // Never with what the file has.
    throw new BuildError(`${path} has no key of the ${whose}: it is JSON with 64 numbers, as solana-keygen writes it.`);
  }
}

function readAddress(text: string): PublicKey {
  try {
    return new PublicKey(text);
  } catch {
    throw new BuildError(`--program has ${text}, which is no address.`);
  }
}

function requireKey(key: Keypair | null, whose: string, variable: string): Keypair {
  if (!key) throw new BuildError(`No key of the ${whose}. Set ${variable} to the file of its key.`);
  return key;
}

const sol = (units: bigint) => `${units / 10n ** 9n}.${String(units % 10n ** 9n).padStart(9, '0')} SOL`;
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** What a deployment would do, and what it costs; it sends nothing. */
export async function runPlan(run: DeployRun): Promise<void> {
  const { cluster, image, isFinal, program, deployerKey } = readSettings(run);
  const deployer = requireKey(deployerKey, 'deployer', 'SOLANA_DEPLOYER_KEYPAIR').publicKey;
  const plan = await translated(() => planSolanaDeploy(cluster, { image, program, deployer }, isFinal));
  const { costs, steps, balance } = plan;
  run.say(`program ${plan.program}, ${plan.bytes.toLocaleString('en')} bytes, sha256 ${hashOf(image)}`);
  run.say(`buffer ${plan.buffer}`);
  if (plan.status) sayStatus(run.say, plan.status, image);
  if (steps.length === 0) {
    run.say('nothing to do');
    return;
  }
  const countOf = (kind: string) => steps.filter((step) => step.kind === kind).length;
  const counts = [...new Set(steps.map(({ kind }) => kind))].map((kind) => `${countOf(kind)} ${kind}`);
  run.say(`${steps.length} transactions: ${counts.join(', ')}`);
  run.say(
    `rent ${sol(costs.rent)}, fees ${sol(costs.fees)}; the deployer ${deployer} has ${sol(balance)}, needs ${sol(costs.needed)}`,
  );
  run.say('nothing was sent; run deploy');
}

/** Deploys, or goes on where an earlier run stopped. With --final, `health` has to agree: by default, the program must be initialized. */
export async function runDeploy(run: DeployRun, health?: HealthCheck): Promise<void> {
  const { cluster, image, isFinal, programKey, deployerKey } = readSettings(run);
  const program = requireKey(programKey, 'program', 'SOLANA_PROGRAM_KEYPAIR');
  const deployer = requireKey(deployerKey, 'deployer', 'SOLANA_DEPLOYER_KEYPAIR');
  const initialized: HealthCheck = async () => {
    if (await isInitialized(cluster, program.publicKey)) return true;
    throw new SolanaDeployError(
      'the program is deployed, but not initialized, which needs its upgrade authority: that stays',
    );
  };
  const status = await translated(() =>
    deploySolanaProgram(
      cluster,
      { image, program, deployer },
      {
        ...(isFinal ? { final: health ?? initialized } : {}),
        onStep: (step, signature) =>
          run.say(`${step.kind}${step.kind === 'write' ? ` ${step.offset}` : ''} confirmed in ${signature}`),
      },
    ),
  );
  run.say(`program ${program.publicKey}`);
  sayStatus(run.say, status, image);
}

/** What a cluster has at the program's address. */
export async function runStatus(run: DeployRun): Promise<void> {
  const { cluster, image, program } = readSettings(run);
  // Of the three accounts, the buffer alone depends on the deployer: it is not read for a status.
  const target: DeployTarget = { image, program, deployer: program };
  const status = await translated(() => readProgramStatus(cluster, target));
  run.say(`program ${program}`);
  if (status) sayStatus(run.say, status, image);
  else run.say('not deployed');
}

function sayStatus(say: Say, { executable, authority, slot, image: found }: ProgramStatus, image: Uint8Array): void {
  say(`deployed in slot ${slot}, ${executable ? 'executable' : 'not executable'}`);
  say(authority ? `upgrade authority ${authority}` : 'final: no upgrade authority');
  say(
    isImage(found, image)
      ? `its bytes are the committed program’s, sha256 ${hashOf(image)}`
      : `its bytes are others than the committed program’s: sha256 ${hashOf(found)}`,
  );
}

async function translated<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof SolanaDeployError) {
      const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
      throw new BuildError(`${error.message}${cause}.`);
    }
    throw error;
  }
}
