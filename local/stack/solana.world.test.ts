// The Solana chain of a whole stack, by another client library than ours: what local.json says is there, and its keys sign.
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getAddressEncoder,
  getBase58Encoder,
  getProgramDerivedAddress,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeConfig } from '../../src/chain/solana/accounts.ts';
import { startTestStack, type TestStack } from '../../test/setup/stack.ts';
import type { LocalSolanaChain } from './localFile.ts';

const TOKEN = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ATA = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const DAY_MS = 86_400_000;

let stack: TestStack;
let solana: LocalSolanaChain;
const connect = () => createSolanaRpc(solana.rpc_url);
let rpc: ReturnType<typeof connect>;
beforeAll(async () => {
  stack = await startTestStack({ more: ['solana'] });
  solana = stack.local.chains.solana as LocalSolanaChain;
  rpc = connect();
});
afterAll(() => stack?.stop());

const encode = (text: string) => getAddressEncoder().encode(address(text));
async function tokenAccountOf(owner: string) {
  const seeds = [owner, TOKEN, solana.usdc].map(encode);
  return (await getProgramDerivedAddress({ programAddress: ATA, seeds }))[0];
}
const usdcOf = async (owner: string) =>
  (await rpc.getTokenAccountBalance(await tokenAccountOf(owner), { commitment: 'confirmed' }).send()).value
    .uiAmountString;
const personOf = (name: string) => {
  const person = stack.local.accounts[name];
  if (!person) throw new Error(`no ${name}`);
  return person;
};

test('the config has the roles of local.json, and everyone who has a handle has SOL and USDC', async () => {
  const { local } = stack;
  expect(await rpc.getGenesisHash().send()).toBe(solana.genesis_hash);
  const programAddress = address(solana.program);
  const [config] = await getProgramDerivedAddress({ programAddress, seeds: [new TextEncoder().encode('config')] });
  const { value } = await rpc.getAccountInfo(config, { encoding: 'base64' }).send();
  expect(value?.owner).toBe(solana.program);
  expect(decodeConfig(Buffer.from(value?.data[0] ?? '', 'base64'))).toMatchObject({
    owner: local.solana?.owner,
    guardian: local.solana?.guardian,
    treasury: local.solana?.treasury,
    authority: local.solana?.authority,
    usdc: solana.usdc,
    executors: local.solana?.executors.map((key) => ({ key })),
  });
  for (const [name, { handle, solana_address }] of Object.entries(local.accounts)) {
    const { value: lamports } = await rpc.getBalance(address(solana_address)).send();
    expect([name, lamports]).toEqual([name, handle === null ? 0n : 10_000_000_000n]);
    if (handle !== null) expect(await usdcOf(solana_address)).toBe('1000');
  }
});

test('a key of local.json signs a transfer of USDC', async () => {
  const [alice, bob] = [personOf('alice'), personOf('bob')];
  const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(alice.solana_private_key));
  expect(signer.address).toBe(alice.solana_address);
  const [from, to] = await Promise.all([alice, bob].map(({ solana_address }) => tokenAccountOf(solana_address)));
  const data = Buffer.alloc(10);
  data[0] = 12;
  data.writeBigUInt64LE(25_500_000n, 1);
  data[9] = 6;
  const transfer = {
    programAddress: TOKEN,
    accounts: [
      { address: from!, role: AccountRole.WRITABLE } as const,
      { address: address(solana.usdc), role: AccountRole.READONLY } as const,
      { address: to!, role: AccountRole.WRITABLE } as const,
      { address: signer.address, role: AccountRole.READONLY_SIGNER, signer } as const,
    ],
    data,
  };
  const { value: latest } = await rpc.getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(signer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(latest, paid),
    (living) => appendTransactionMessageInstructions([transfer], living),
  );
  const signed = await signTransactionMessageWithSigners(message);
  assertIsTransactionWithBlockhashLifetime(signed);
  const rpcSubscriptions = createSolanaRpcSubscriptions(solana.ws_url);
  await sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(signed, { commitment: 'confirmed' });
  expect([await usdcOf(alice.solana_address), await usdcOf(bob.solana_address)]).toEqual(['974.5', '1025.5']);
});

test('the local clock moves the chain with all others', async () => {
  await stack.later(3 * DAY_MS);
  const slot = await rpc.getSlot({ commitment: 'finalized' }).send();
  const seconds = Number(await rpc.getBlockTime(slot).send());
  expect(Math.abs(seconds * 1_000 - (Date.now() + 3 * DAY_MS))).toBeLessThan(60_000);
});
