// What operators see of Solana: its probe, its alerts by their real causes, its keys, and what the page, the metrics and the health check say of it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readAccount, writeAccount } from '../../../local/solana/accounts.ts';
import { startTestSolana } from '../../../test/setup/solana.ts';
import { type SolanaWorld, startSolanaWorld } from '../../../test/setup/solanaWorld.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { tokenAccount } from '../../chain/solana/addresses.ts';
import { createSolanaChain, type SolanaChain, solanaKeyOf } from '../../chain/solana/client.ts';
import type { Ctx } from '../../context.ts';
import { listAlerts } from '../alerts.ts';
import { pauseKey, putBackKey } from '../outgoing/keys.ts';
import { reconcileChain } from '../outgoing/reconcile.ts';
import { evaluateAlerts } from './alertChecks.ts';
import { readHealth } from './health.ts';
import { readFigures } from './metrics.ts';
import { readOverview } from './overview.ts';
import { lookAtChains } from './probes.ts';

const SOL = 1_000_000_000n;
const DAY_MS = 86_400_000;

let world: World;
let solana: SolanaWorld;
let chain: SolanaChain;
let ctx: Ctx;
beforeEach(async () => {
  world = await startWorld();
  solana = await startSolanaWorld({ slotMs: 0, finalizedAfter: 6, clock: () => world.ctx.clock.now() });
  chain = createSolanaChain('solana', {
    rpcUrls: [solana.node.url],
    program: solana.program,
    usdc: solana.usdc,
    local: true,
  });
  const solanaExecutors = solana.roles.executors.map(({ secretBytes }) => solanaKeyOf(secretBytes));
  ctx = { ...world.ctx, solanaExecutors, chains: { solana: chain } };
  await reconcileChain(ctx, chain);
});
afterEach(async () => {
  await solana.stop();
  await world.stop();
});

const firstAddress = () => solana.roles.executors[0]?.address ?? '';
/** A look after the newest slots. */
async function look(): Promise<string[]> {
  solana.step(3);
  return lookOnly();
}
async function lookOnly(): Promise<string[]> {
  await lookAtChains(ctx);
  await evaluateAlerts(ctx);
  return (await alerts()).map(({ kind, subject }) => `${kind} ${subject}`);
}
const alerts = () => listAlerts(ctx, { open: true, limit: 50 });
const messages = async () => (await alerts()).map(({ message }) => message);
function hold(address: string, lamports: bigint): void {
  const account = readAccount(solana.ledger, address);
  if (account) writeAccount(solana.ledger, address, { ...account, lamports });
}

test('a look knows the slot, the keys and what a batch costs; of a well cluster there is no alert', async () => {
  expect(await look()).toEqual([]);
  const probe = ctx.probes.get('solana');
  expect(probe?.endpoints).toMatchObject([{ problem: null, failures: 0 }]);
  expect(probe?.endpoints[0]?.head).toBeGreaterThan(0n);
  expect(probe?.endpoints[0]?.headAgeMs).toBeLessThan(3_000);
  expect(probe?.keys.get(firstAddress())).toEqual({ balance: 100n * SOL, nonce: null });
  // The rent of eight token accounts is most of it.
  expect(Number(probe?.batchCost) / Number(SOL)).toBeCloseTo(0.012, 3);
  expect(probe?.contracts).toEqual({ blocked: {}, changes: {}, powerless: {} });
});

test('a key that is low on SOL raises an alert, which ends when it is funded', async () => {
  hold(firstAddress(), SOL / 100n);
  expect(await look()).toEqual([`executor_low solana ${firstAddress()}`]);
  expect(await messages()).toEqual([expect.stringMatching(/ has 0\.01 SOL on Solana; the alarm is set at 0\.\d+\.$/)]);
  hold(firstAddress(), 5n * SOL);
  expect(await look()).toEqual([]);
  Object.assign(chain, { executorMinimum: '6' });
  expect(await look()).toEqual([`executor_low solana ${firstAddress()}`]);
  expect(await messages()).toEqual([`${firstAddress()} has 5.00 SOL on Solana; the alarm is set at 6.00.`]);
});

test('a cluster whose slots stand still is of no use until they go on', async () => {
  await look();
  world.later(120_000);
  await lookOnly();
  world.later(1_000);
  expect(await lookOnly()).toEqual(['rpc_down solana 0']);
  expect(await messages()).toEqual([expect.stringMatching(/^Endpoint 0 of Solana: its newest block is 12\d s old\.$/)]);
  expect((await readHealth(ctx)).parts).toContainEqual({
    name: 'chain solana',
    ok: false,
    problem: expect.stringMatching(/^its newest block is 12\d s old$/),
  });
  expect(await look()).toEqual([]);
});

test('an endpoint that is away, and one that is far behind another, are named by their number', async () => {
  const other = await startSolanaWorld({ slotMs: 0, clock: () => world.ctx.clock.now() });
  Object.assign(
    chain,
    createSolanaChain('solana', {
      rpcUrls: [solana.node.url, other.node.url],
      program: solana.program,
      usdc: solana.usdc,
      local: true,
    }),
  );
  solana.step(80);
  await lookOnly();
  other.step(1);
  expect(await lookOnly()).toEqual(['rpc_down solana 1']);
  expect(await messages()).toEqual([
    expect.stringMatching(/^Endpoint 1 of Solana: it is \d\d slots behind another endpoint\.$/),
  ]);
  other.step(80);
  expect(await lookOnly()).toEqual([]);
  await other.stop();
  await lookOnly();
  expect(await lookOnly()).toEqual(['rpc_down solana 1']);
  expect(await messages()).toEqual(['Endpoint 1 of Solana: does not answer.']);
  // The keys are known from the endpoint that answers.
  expect(ctx.probes.get('solana')?.keys.get(firstAddress())?.balance).toBe(100n * SOL);
});

test('an endpoint that comes back as another cluster ends the process', async () => {
  const failed: string[] = [];
  ctx.shutdown.onFail((reason) => failed.push(reason));
  await look();
  const empty = await startTestSolana({ clock: () => world.ctx.clock.now() });
  const { endpoints } = createSolanaChain('solana', {
    rpcUrls: ['http://127.0.0.1:1', empty.url],
    program: solana.program,
    local: true,
  });
  chain.endpoints = endpoints.slice(0, 1);
  await lookOnly();
  expect(failed).toEqual([]);
  chain.endpoints = endpoints.slice(1);
  await lookOnly();
  expect(failed).toEqual([`Chain configuration is wrong: Solana: there is no program at ${solana.program}.`]);
  await empty.close();
});

test('a pause of the program is shown with its end, and over after it', async () => {
  const { guardian } = solana.roles;
  solana.send(
    [guardian],
    solana.build('pause', { args: { seconds: 3_600n }, accounts: { guardian: guardian.address } }),
  );
  expect(await look()).toEqual(['chain_blocked solana paused']);
  expect(await messages()).toEqual([
    expect.stringMatching(/^Solana: new work is paused until 20\d\d-\d\d-\d\d \d\d:\d\d UTC\.$/),
  ]);
  const [card] = (await readOverview(ctx)).chains;
  expect(card?.notes).toEqual([expect.stringMatching(/^new work is paused until /)]);
  world.later(3_700_000);
  expect(await look()).toEqual([]);
});

test('an announced treasury and an announced handle authority are shown until they are in force or withdrawn', async () => {
  const { owner } = solana.roles;
  const [treasury, authority] = ['next treasury', 'next authority'].map((name) => solana.person(name).address) as [
    string,
    string,
  ];
  const announce = (what: 'announceTreasury' | 'announceAuthority', key: string) =>
    solana.send([owner], solana.build(what, { args: { key }, accounts: { owner: owner.address } }));
  announce('announceTreasury', treasury);
  announce('announceAuthority', authority);
  expect((await look()).sort()).toEqual(['role_announced solana authority', 'role_announced solana treasury']);
  expect((await messages()).join()).toContain(`the treasury becomes ${treasury}, from 20`);
  announce('announceAuthority', '11111111111111111111111111111111');
  expect(await look()).toEqual(['role_announced solana treasury']);
  world.later(2 * DAY_MS + 60_000);
  solana.step();
  solana.send([owner], solana.build('applyTreasury', { args: {}, accounts: { caller: owner.address } }));
  expect(await look()).toEqual([]);
});

test('a frozen token account of the treasury is shown', async () => {
  const { address } = tokenAccount(solana.roles.treasury.address, solana.usdc);
  const account = readAccount(solana.ledger, address);
  if (!account) throw new Error('the treasury has an account');
  const data = Buffer.from(account.data);
  data[108] = 2;
  writeAccount(solana.ledger, address, { ...account, data });
  expect(await look()).toEqual(['chain_blocked solana treasury USDC']);
  expect((await messages())[0]).toMatch(/the treasury’s token account for USDC is frozen/);
  writeAccount(solana.ledger, address, account);
  expect(await look()).toEqual([]);
});

test('a key that the owner removed has no power, nor has a new one before its day', async () => {
  const { owner } = solana.roles;
  const send = (what: 'removeExecutor' | 'addExecutor', key: string) =>
    solana.send([owner], solana.build(what, { args: { key }, accounts: { owner: owner.address } }));
  send('removeExecutor', firstAddress());
  expect(await look()).toEqual([`executor_powerless solana ${firstAddress()}`]);
  expect((await readOverview(ctx)).executors.find(({ address }) => address === firstAddress())).toMatchObject({
    paused_reason: null,
    power_problem: 'the program does not know it as an executor',
  });
  send('addExecutor', firstAddress());
  expect(await look()).toEqual([`executor_powerless solana ${firstAddress()}`]);
  expect(await messages()).toEqual([expect.stringMatching(/: it is an executor from 20\d\d-.* UTC on\.$/)]);
  world.later(DAY_MS + 60_000);
  expect(await look()).toEqual([]);
  // One that is no longer ours stays in the rows, and is no trouble.
  send('removeExecutor', firstAddress());
  ctx = { ...ctx, solanaExecutors: ctx.solanaExecutors.slice(1) };
  expect(await look()).toEqual([]);
});

test('a paused key is shown with its reason, and put back once the program knows it', async () => {
  const key = { chain: 'solana', address: firstAddress(), force: false, by: 'a test' };
  await pauseKey(ctx, chain, firstAddress(), 'for a test');
  expect(await look()).toEqual([`executor_paused solana ${firstAddress()}`]);
  const { owner } = solana.roles;
  const accounts = { owner: owner.address };
  solana.send([owner], solana.build('removeExecutor', { args: { key: firstAddress() }, accounts }));
  solana.step(3);
  await expect(putBackKey(ctx, key)).rejects.toMatchObject({
    code: 'state_conflict',
    detail: expect.stringContaining('does not know it'),
  });
  solana.send([owner], solana.build('addExecutor', { args: { key: firstAddress() }, accounts }));
  world.later(DAY_MS + 60_000);
  solana.step(3);
  await putBackKey(ctx, key);
  expect(await look()).toEqual([]);
  await expect(putBackKey(ctx, { ...key, address: firstAddress().toLowerCase() })).rejects.toMatchObject({
    code: 'resource_missing',
  });
});

test('the page and the metrics show the cluster and its keys', async () => {
  await look();
  const { chains, executors } = await readOverview(ctx);
  expect(chains).toMatchObject([
    { chain: 'solana', label: 'Solana', native: 'SOL', notes: [], endpoints: [{ problem: null }] },
  ]);
  expect(executors).toHaveLength(solana.roles.executors.length);
  expect(executors[0]).toMatchObject({
    balance: '100.00',
    symbol: 'SOL',
    ledger_nonce: null,
    chain_nonce: null,
    explorer_url: null,
  });
  Object.assign(chain, { local: false });
  expect((await readOverview(ctx)).executors[0]?.explorer_url).toMatch(
    /^https:\/\/solscan\.io\/account\/[1-9A-Za-z]{32,44}$/,
  );
  const names = (await readFigures(ctx)).filter(({ labels }) => labels?.['chain'] === 'solana').map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'ampersat_rpc_head_block',
      'ampersat_executor_balance',
      'ampersat_executor_batches_left',
      'ampersat_reorgs_total',
    ]),
  );
  expect(names).not.toContain('ampersat_executor_nonce');
});
