// The playground's calls on a stack with a Solana chain: who has what where, what a transaction did, and resuming on every chain.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bucketOf, limitsOf, tokenAccount } from '../../src/chain/solana/addresses.ts';
import {
  broadcastSolana,
  compileMessage,
  createSolanaChain,
  newestLifetime,
  type SolanaChain,
  signMessageOf,
  solanaKeyOf,
} from '../../src/chain/solana/client.ts';
import { buildInstruction, type InstructionInput, type InstructionName } from '../../src/chain/solana/instructions.ts';
import { standingsOf } from '../../src/chain/solana/transactions.ts';
import { base58Bytes } from '../../src/domain/solanaAddress.ts';
import { startTestStack, type TestStack } from '../../test/setup/stack.ts';
import { localSolanaKey } from '../solana/keys.ts';
import { SOLANA_ROLES } from '../stack/roles.ts';
import { LIMITS } from '../stack/seed.ts';

type Row = { name: string; address: string; chain: string; asset: string; amount: string };
type Block = { chain: string; block: number; at: string };

let stack: TestStack;
let chain: SolanaChain;
beforeAll(async () => {
  stack = await startTestStack({ more: ['solana'] });
  const { rpc_url, program, usdc } = stack.local.chains.solana ?? { rpc_url: '', program: '', usdc: '' };
  chain = createSolanaChain('solana', { rpcUrls: [rpc_url], program, usdc, local: true });
}, 180_000);
afterAll(() => stack?.stop());

async function call<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(stack.baseUrl + path, {
    method: body ? 'POST' : 'GET',
    headers: { origin: stack.baseUrl, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}
const balances = () => call<{ balances: Row[]; blocks: Block[] }>('/api/local/balances');
const activity = () =>
  call<{ transactions: { hash: string; slot: number; effects: string[] }[] }>('/api/local/activity');

/** Signed by one person, and confirmed. */
async function send<Name extends InstructionName>(
  signer: string,
  secret: Uint8Array,
  name: Name,
  input: InstructionInput<Name>,
) {
  const call = { instructions: [buildInstruction(chain.program, name, input)], units: 100_000 };
  const { raw, signature } = signMessageOf(compileMessage(signer, call, 0, await newestLifetime(chain)), [
    solanaKeyOf(secret),
  ]);
  await broadcastSolana(chain, raw);
  await confirmed(signature);
  return signature;
}
const confirmed = (signature: string) =>
  expect.poll(async () => (await standingsOf(chain, [signature]))[0]?.succeeded, { timeout: 20_000 }).toBe(true);
const personOf = (name: string) => {
  const person = stack.local.accounts[name];
  if (!person) throw new Error(`no ${name}`);
  return { address: person.solana_address, secret: base58Bytes(person.solana_private_key) };
};

test('each person has an address, USDC and the native asset on every chain; the treasury too', async () => {
  const { people, chains } = await call<{ people: { name: string; solana_address: string }[]; chains: object[] }>(
    '/api/local/stack',
  );
  expect(people.find(({ name }) => name === 'alice')?.solana_address).toBe(localSolanaKey('alice').address);
  expect(chains).toEqual([
    { name: 'base', chain_id: 8453 },
    { name: 'solana', chain_id: 0 },
  ]);
  const rows = (await balances()).balances;
  const of = (name: string, chainName: string) =>
    rows.filter((row) => row.name === name && row.chain === chainName).map(({ asset, amount }) => `${amount} ${asset}`);
  expect(of('alice', 'solana')).toEqual(['1000.00 USDC', '10.00 SOL']);
  expect(of('alice', 'base')[0]).toBe('1000.00 USDC');
  expect(of('treasury', 'solana')[0]).toBe('0.00 USDC');
  expect(rows.find(({ name, chain: on }) => name === 'treasury' && on === 'solana')?.address).toBe(
    stack.local.solana?.treasury,
  );
});

test('the newest transactions on Solana are shown in words', async () => {
  const [alice, bob] = [personOf('alice'), personOf('bob')];
  const [executor] = SOLANA_ROLES.executors;
  if (!executor) throw new Error('an executor sends');
  const { program, usdc } = chain;
  const time = BigInt(Math.floor(Date.now() / 1_000));
  const messageKey = `0x${'07'.repeat(24)}${time.toString(16).padStart(16, '0')}` as const;
  const hash = await send(executor.address, executor.secretBytes, 'tip', {
    args: { validUntil: time + 900n },
    accounts: {
      executor: executor.address,
      treasury: tokenAccount(SOLANA_ROLES.treasury.address, usdc).address,
      bucket: bucketOf(program.id, time / 3_600n, 0).address,
    },
    each: [
      {
        messageKey,
        amount: 5_000_000n,
        fee: 50_000n,
        bump: tokenAccount(bob.address, usdc).bump,
        source: tokenAccount(alice.address, usdc).address,
        limits: limitsOf(program.id, alice.address).address,
        recipient: tokenAccount(bob.address, usdc).address,
      },
    ],
  });
  const { transactions } = await activity();
  expect(transactions[0]).toMatchObject({ hash, effects: ['Alice tipped Bob 5.00 USDC, fee 0.05 USDC'] });
  expect(transactions.flatMap(({ effects }) => effects)).toContain(
    `Alice set limits: ${LIMITS.perTip}.00 USDC a tip, ${LIMITS.perDay}.00 USDC in 24 hours`,
  );
  expect((await balances()).balances.find(({ name, chain: on }) => name === 'bob' && on === 'solana')?.amount).toBe(
    '1005.00',
  );
});

test('a person who is paused on Solana resumes there too, and only there where it is', async () => {
  const alice = personOf('alice');
  const first = await call<{ transactions: { chain: string; hash: string }[] }>('/api/local/resume', { name: 'alice' });
  expect(first.transactions.map((one) => one.chain)).toEqual(['base']);
  const limits = limitsOf(chain.program.id, alice.address).address;
  await send(alice.address, alice.secret, 'setPaused', {
    args: { paused: true },
    accounts: { signer: alice.address, limits },
  });
  const second = await call<{ transactions: { chain: string; hash: string }[] }>('/api/local/resume', {
    name: 'alice',
  });
  expect(second.transactions.map((one) => one.chain)).toEqual(['base', 'solana']);
  await confirmed(second.transactions[1]?.hash ?? '');
  expect((await activity()).transactions[0]?.effects).toEqual(['Alice’s spending was resumed by Alice']);
});

test('the clock of the stack moves the time that each chain shows', async () => {
  const timeOf = async () =>
    Object.fromEntries((await balances()).blocks.map((one) => [one.chain, Date.parse(one.at)]));
  const before = await timeOf();
  await stack.later(3 * 86_400_000);
  const after = await timeOf();
  for (const name of ['base', 'solana'])
    expect((after[name] ?? 0) - (before[name] ?? 0)).toBeGreaterThan(2.9 * 86_400_000);
});
