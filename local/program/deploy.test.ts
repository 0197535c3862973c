// The commands that deploy: what they print, where keys come from, and what is wrong in one line.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { address, lamports } from '@solana/kit';
import { Keypair, PublicKey } from '@solana/web3.js';
import { beforeEach, expect, test } from 'vitest';
import { type LitesvmCluster, litesvmCluster } from '../../test/setup/litesvmCluster.ts';
import { crateOf } from './crates.fixture.ts';
import { type DeployRun, runDeploy, runPlan, runStatus } from './deploy.ts';
import { writeImage } from './image.ts';
import { sha256 } from './record.ts';

const code = Buffer.from('b700000000000000' + '9500000000000000', 'hex');
const [deployer, program] = [Keypair.generate(), Keypair.generate()];
let image: Buffer;
let crate: string;
let cluster: LitesvmCluster;
let env: Record<string, string>;
beforeEach(() => {
  image = writeImage({ code, data: randomBytes(2_000), entry: 0 });
  crate = crateOf('', { 'program.json': JSON.stringify({ sha256: sha256(image), bytes: image.length }) });
  writeFileSync(join(crate, 'program.so'), image);
  const file = (name: string, key: Keypair) => {
    writeFileSync(join(crate, name), JSON.stringify([...key.secretKey]));
    return join(crate, name);
  };
  env = {
    SOLANA_RPC_URL: 'http://127.0.0.1:1',
    SOLANA_DEPLOYER_KEYPAIR: file('deployer.json', deployer),
    SOLANA_PROGRAM_KEYPAIR: file('program.json.key', program),
  };
  cluster = litesvmCluster();
  cluster.fund(deployer.publicKey, 1);
});

/** The config account, as the program makes it. */
function initialize(): void {
  const [config] = PublicKey.findProgramAddressSync([Buffer.from('config')], program.publicKey);
  cluster.svm.setAccount({
    address: address(config.toBase58()),
    programAddress: address(program.publicKey.toBase58()),
    lamports: lamports(10_000_000n),
    data: new Uint8Array([1, 255]),
    executable: false,
    space: 2n,
  });
}

async function run(command: (run: DeployRun) => Promise<void>, ...words: string[]): Promise<string> {
  const lines: string[] = [];
  await command({ say: (line) => void lines.push(line), crate, words, env, open: () => cluster });
  return lines.join('\n');
}

test('a plan, a deployment, its status, and what is final', async () => {
  const plan = await run(runPlan, '--final');
  expect(plan).toContain(`program ${program.publicKey}, 2,192 bytes, sha256 ${sha256(image)}`);
  expect(plan).toContain('6 transactions: 1 buffer, 3 write, 1 deploy, 1 final');
  expect(plan).toMatch(
    /rent 0\.\d{9} SOL, fees 0\.000035000 SOL; the deployer \w+ has 1\.000000000 SOL, needs 0\.\d{9} SOL/,
  );
  expect(cluster.sent).toEqual([]);
  const key = program.publicKey.toBase58();
  expect(await run(runStatus)).toBe(`program ${key}\nnot deployed`);
  const deployed = await run(runDeploy);
  expect(deployed).toContain('write 1800 confirmed in transaction');
  expect(deployed).toContain(`upgrade authority ${deployer.publicKey}`);
  expect(deployed).toContain(`its bytes are the committed program’s, sha256 ${sha256(image)}`);
  expect(await run(runPlan)).toContain('nothing to do');
  expect(await run(runPlan, '--final')).toContain('1 transactions: 1 final');
  await expect(run(runDeploy, '--final')).rejects.toThrow(
    /^the program is deployed, but not initialized, .*: that stays\.$/,
  );
  initialize();
  expect(await run(runDeploy, '--final')).toContain('final: no upgrade authority');
  // An address is enough for a status.
  env = { SOLANA_RPC_URL: 'http://127.0.0.1:1' };
  expect(await run(runStatus, '--program', key)).toMatch(
    /deployed in slot \d+, executable\nfinal: no upgrade authority/,
  );
});

test('a status says when the bytes are others', async () => {
  await run(runDeploy);
  const other = writeImage({ code, data: randomBytes(2_000), entry: 0 });
  writeFileSync(join(crate, 'program.so'), other);
  writeFileSync(join(crate, 'program.json'), JSON.stringify({ sha256: sha256(other), bytes: other.length }));
  expect(await run(runStatus)).toContain(`its bytes are others than the committed program’s: sha256 ${sha256(image)}`);
  await expect(run(runDeploy)).rejects.toThrow(
    /has other bytes than this program .*: deploy with another program key\.$/,
  );
});

test('a failing health check leaves the upgrade authority', async () => {
  await expect(run((one) => runDeploy(one, () => false), '--final')).rejects.toThrow(/^the health check failed/);
  expect(await run(runStatus)).toContain(`upgrade authority ${deployer.publicKey}`);
});

test('what is wrong is said in one line, without a key', async () => {
  writeFileSync(join(crate, 'broken.json'), '[1, 2, 3]');
  const wrong: [Record<string, string>, string[], RegExp][] = [
    [{ SOLANA_RPC_URL: '' }, [], /^No RPC endpoint\. Set SOLANA_RPC_URL, or pass --rpc-url\.$/],
    [{ SOLANA_PROGRAM_KEYPAIR: '' }, [], /^No program\. Set SOLANA_PROGRAM_KEYPAIR/],
    [{ SOLANA_DEPLOYER_KEYPAIR: '' }, [], /^No key of the deployer\. Set SOLANA_DEPLOYER_KEYPAIR/],
    [
      { SOLANA_DEPLOYER_KEYPAIR: join(crate, 'broken.json') },
      [],
      /broken\.json has no key of the deployer: it is JSON with 64/,
    ],
    [{}, ['--program', 'mars'], /^--program has mars, which is no address\.$/],
    [{}, ['--program', deployer.publicKey.toBase58()], /^--program is \w+, but the file has the key of \w+\.$/],
    [{}, ['--unit-price', '1.5'], /^--unit-price is a whole number/],
    [{}, ['--finally'], /Options: rpc-url, keypair, program-keypair, program, unit-price, final\.$/],
  ];
  const usual = env;
  for (const [change, words, sentence] of wrong) {
    env = { ...usual, ...change };
    await expect(run(runPlan, ...words)).rejects.toThrow(sentence);
  }
  expect(cluster.sent).toEqual([]);
});
