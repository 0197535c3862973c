// `ampersat deploy` against a chain: a plan that sends nothing, a deployment that goes on where it stopped, and errors that say what to do.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestClient, http, type PublicClient } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningAnvil, startAnvil } from '../../local/chains/anvil.ts';
import { ACROSS_ROLE, deployAcross } from '../../local/chains/deploy/across.ts';
import { etchPermit2 } from '../../local/chains/deploy/permit2.ts';
import { openLocalChain } from '../../local/chains/deploy/send.ts';
import { deployUsdc, USDC_ROLE } from '../../local/chains/deploy/usdc.ts';
import { deployWrappedNative } from '../../local/chains/deploy/wrappedNative.ts';
import { localKey } from '../../local/stack/people.ts';
import { acrossAdapterAbi } from '../chain/routers/abis/AcrossAdapter.ts';
import { deployRouters, openDeployment, predictAdapter, predictRouters } from '../chain/routers/deploy.ts';
import type { Address, Hex } from '../chain/rpc/client.ts';
import { CHAINS, PERMIT2 } from '../domain/chains.ts';
import type { DeploymentFile } from '../services/operations/deployment.ts';
import { type DeployOptions, runDeploy } from './deploy.ts';

let anvil: RunningAnvil;
let usdc: Address;
let pool: Address;
let wrapped: Address;
let folder: string;
let key: Hex;
let deployer: Address;
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453, blockTimeSeconds: 0, mixedMining: true });
  const local = await openLocalChain(anvil.rpcUrl, localKey('deployer').key);
  usdc = await deployUsdc(await openLocalChain(anvil.rpcUrl, USDC_ROLE.key), { name: 'USD Coin', version: '2' });
  wrapped = await deployWrappedNative(local);
  const permit2 = await etchPermit2(local.client);
  const across = await openLocalChain(anvil.rpcUrl, ACROSS_ROLE.key);
  ({ pool } = await deployAcross(across, { wrappedNative: wrapped, permit2 }));
});
afterAll(() => anvil.stop());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ampersat-deploy-'));
  key = generatePrivateKey();
  deployer = privateKeyToAddress(key);
  await fund(10n ** 18n);
  return () => rmSync(folder, { recursive: true, force: true });
});

const fund = (value: bigint) =>
  createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl) }).setBalance({ address: deployer, value });
const roleOf = (name: string) => localKey(`deploy test ${name}`).address;
const roles = {
  owner: roleOf('owner'),
  guardian: roleOf('guardian'),
  treasury: roleOf('treasury'),
  authority: roleOf('authority'),
};
const executors = [roleOf('executor 1'), roleOf('executor 2')];
const file = () => JSON.parse(readFileSync(join(folder, 'base.json'), 'utf8')) as DeploymentFile;

/** Runs it. @returns exit code and lines */
async function run(change: Partial<DeployOptions> = {}, env: Record<string, string> = { DEPLOYER_KEY: key }) {
  const lines: string[] = [];
  const options = {
    chain: 'base',
    ...roles,
    executors: executors.join(','),
    rpcUrl: anvil.rpcUrl,
    usdc,
    wrappedNative: wrapped,
    out: folder,
    ...change,
  };
  const code = await runDeploy((line) => void lines.push(line), options, env);
  return { code, text: lines.join('\n') };
}

test('a plan names every address and the cost, and sends nothing', async () => {
  const { client } = await openLocalChain(anvil.rpcUrl, key);
  const before = await client.getBlockNumber({ cacheTime: 0 });
  const { code, text } = await run();
  expect(code).toBe(0);
  const routers = predictRouters(deployer);
  for (const [name, address] of Object.entries(routers))
    expect(text).toMatch(new RegExp(`${name} +${address} {2}about [\\d,]+ gas`));
  expect(text).toMatch(/together about 2\d,\d{3},\d{3} gas: 0\.\d+ ETH at the current price/);
  expect(text).toMatch(/the deployer has 1000\.00 ETH/);
  expect(text).toContain('Nothing was sent. Add --send to deploy.');
  expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(before);
  expect(existsSync(join(folder, 'base.json'))).toBe(false);
  // An address is enough for a plan.
  expect((await run({ deployer }, {})).text).toContain(routers.escrow);
});

test('a deployment is verified and written down, and a second one finds everything', async () => {
  const { code, text } = await run({ send: true });
  expect(code).toBe(0);
  expect(text).toContain('Code and wiring of all routers on base are this version’s.');
  expect(file()).toMatchObject({
    chain: 'base',
    chain_id: 8453,
    deployer,
    usdc,
    wrapped_native: wrapped,
    permit2: PERMIT2,
    roles: { ...roles, executors },
    routers: predictRouters(deployer),
  });
  const written = file();
  expect(Object.keys(written.transactions)).toHaveLength(6);
  const again = await run({ send: true });
  expect(again.code).toBe(0);
  expect(again.text.match(/stands already/g)).toHaveLength(6);
  expect(file()).toEqual(written);
});

test('with Across’s pool tips may leave: the adapter is planned, deployed, written down and checked', async () => {
  const plan = await run({ acrossPool: pool, acrossTo: 'celo,ink' });
  expect(plan.text).toContain('tips may leave it by Across for celo, ink');
  expect((await run()).text).toContain('tips cannot leave it for other networks, which is final');
  const { code, text } = await run({ acrossPool: pool, acrossTo: 'celo,ink', send: true });
  expect([code, text]).toEqual([0, expect.stringMatching(/adapter +0x\w{40} {2}deployed in 0x/)]);
  const adapter = predictAdapter(deployer);
  expect(file().across).toEqual({ pool, adapter, to: ['celo', 'ink'] });
  expect(Object.keys(file().transactions)).toHaveLength(7);
  const { publicClient } = await openDeployment('base', anvil.rpcUrl);
  const at = { address: adapter, abi: acrossAdapterAbi, functionName: 'outputTokenOf' } as const;
  const output = (to: 'celo' | 'bsc') => publicClient.readContract({ ...at, args: [BigInt(CHAINS[to].chainId), usdc] });
  expect(await output('celo')).toBe(`0x${'0'.repeat(24)}${CHAINS.celo.usdc.slice(2).toLowerCase()}`);
  expect(BigInt(await output('bsc'))).toBe(0n);
  // Neither the routers nor the adapter can be wired otherwise afterwards.
  expect((await run({ acrossPool: pool, acrossTo: 'celo,ink', send: true })).code).toBe(0);
  expect((await run({ acrossPool: pool, send: true })).text).toMatch(
    /the bridge adapter at 0x\w+ leads to another token on chain 56; its wiring is final/,
  );
  expect((await run({ send: true })).text).toMatch(/has bridgeAdapter 0x\w+, expected 0x0{40}; its wiring is final/);
  expect((await run({ acrossPool: pool, acrossTo: 'base-sepolia' })).text).toBe(
    'Tips cannot go from base to base-sepolia. Leave it out of --across-to.',
  );
  expect((await run({ acrossPool: roles.owner })).text).toMatch(/no code at 0x\w+: Across’s SpokePool/);
});

test('one that was interrupted goes on, and keeps what it had written', async () => {
  const { publicClient, walletClient } = await openDeployment('base', anvil.rpcUrl, key);
  let count = 0;
  const stopped = deployRouters(
    {
      publicClient: publicClient as PublicClient,
      walletClient: walletClient!,
      roles: { ...roles, executors },
      tokens: { usdc, wrappedNative: wrapped, permit2: PERMIT2 },
      across: null,
    },
    () => {
      count += 1;
      if (count === 3) throw new Error('the power is gone');
    },
  );
  await expect(stopped).rejects.toThrow('the power is gone');
  const { text } = await run({ send: true });
  expect(text.match(/stands already/g)).toHaveLength(3);
  expect(text.match(/deployed in 0x/g)).toHaveLength(3);
  expect(file().routers).toEqual(predictRouters(deployer));
});

test('what is wrong is said in one line, and nothing is sent', async () => {
  const wrong: [Partial<DeployOptions>, RegExp, Record<string, string>?][] = [
    [{ chain: 'mars' }, /^Unknown network mars\. Networks: base, bsc, ink, celo, base-sepolia\.$/],
    [{ chain: 'solana' }, /^Unknown network solana/],
    [{ chain: 'base,celo' }, /^--rpc-url works with one network\. Set RPC_URL_BASE, RPC_URL_CELO instead\.$/],
    [{ chain: 'celo' }, /^Not deployed: the RPC endpoint of celo is chain 8453, not 42220\.$/],
    [{ rpcUrl: 'http://127.0.0.1:1' }, /^Not deployed: the RPC endpoint of base does not answer\.$/],
    [{ owner: '0x12' }, /^--owner has 0x12, which is no address/],
    [{ executors: `${executors[0]},` }, /^--executors has nothing, which is no address/],
    [{ guardian: roles.owner }, /^Not deployed: a router would refuse these roles or tokens: are all roles different/],
    [{ usdc: roles.owner }, /^Not deployed: no code at 0x\w+: USDC; check the address/],
    [{ usdc: wrapped }, /^Not deployed: USDC at 0x\w+ on base has 18 decimals, expected 6\.$/],
    [{}, /^No deployer\. Set DEPLOYER_KEY/, {}],
    [{}, /^DEPLOYER_KEY must be 0x and 64 lower-case hex digits\.$/, { DEPLOYER_KEY: 'secret' }],
    [{ send: true, deployer }, /^--send needs the key of the deployer in DEPLOYER_KEY\.$/, {}],
  ];
  for (const [change, message, env] of wrong) {
    const { code, text } = await run(change, env ?? { DEPLOYER_KEY: key });
    expect(text).toMatch(message);
    expect(code).toBe(1);
  }
  expect(existsSync(join(folder, 'base.json'))).toBe(false);
});

test('too little to pay with, and a file of another deployment, stop it before the first transaction', async () => {
  await fund(10n ** 12n);
  const poor = await run({ send: true });
  expect(poor.text).toMatch(/Not deployed: the deployer 0x\w+ has too little: fund it, then run this again\.$/);
  await fund(10n ** 18n);
  writeFileSync(join(folder, 'base.json'), JSON.stringify({ chain_id: 8453, deployer: roles.owner, transactions: {} }));
  const foreign = await run({ send: true });
  expect(foreign.text).toMatch(/base\.json is about another deployment \(deployer 0x\w+\); choose another --out\.$/);
  const { client } = await openLocalChain(anvil.rpcUrl, key);
  expect(await client.getTransactionCount({ address: deployer })).toBe(0);
});

test('what an earlier run deployed with other roles is not taken for this one, and nothing more is sent', async () => {
  const wrong = { owner: roleOf('another owner'), treasury: roleOf('another treasury') };
  expect((await run({ send: true, ...wrong })).code).toBe(0);
  for (const send of [true, false]) {
    const { code, text } = await run({ send });
    expect(code).toBe(1);
    expect(text).toMatch(
      new RegExp(
        `the escrow router at 0x\\w+ has the owner ${wrong.owner}, not ${roles.owner}. If that was changed on purpose since`,
      ),
    );
  }
  expect(file().roles).toMatchObject(wrong);
  const stranger = roleOf('executor 3');
  const missing = await run({ send: true, ...wrong, executors: stranger });
  expect(missing.text).toContain(`does not know ${stranger} as an executor`);
  expect((await run({ send: true, ...wrong })).code).toBe(0);
});
