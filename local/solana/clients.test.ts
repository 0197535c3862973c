// The two client libraries against the local Solana node, over HTTP and WebSocket: what works there works here.
import {
  AccountRole,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getSignatureFromTransaction,
  address as kitAddress,
  signature as kitSignature,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectWeb3, fundedKey, SOL, startTestSolana, type TestSolana } from '../../test/setup/solana.ts';
import { mintTokens, placeMint, tokenAddress } from './genesis.ts';
import { localSolanaKey } from './keys.ts';
import { stepSlots } from './slots.ts';

let node: TestSolana;
let web3: ReturnType<typeof connectWeb3>;
let payer: Keypair;
const circle = localSolanaKey('circle');
const usdc = localSolanaKey('usdc').address;
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

beforeAll(async () => {
  // web3.js keeps a block hash for 30 seconds: at this pace it is valid for longer.
  node = await startTestSolana({ slotMs: 250 });
  web3 = connectWeb3(node);
  const alice = fundedKey(node.ledger, 'alice', 100 * SOL);
  payer = Keypair.fromSecretKey(alice.secretBytes);
  placeMint(node.ledger, { address: usdc, mintAuthority: circle.address, freezeAuthority: circle.address });
  await mintTokens(node.ledger, { mint: usdc, authority: circle, owner: alice.address, amount: 50_000_000n });
  await mintTokens(node.ledger, { mint: usdc, authority: circle, owner: localSolanaKey('bob').address, amount: 1n });
  stepSlots(node.ledger, 5);
});
afterAll(async () => {
  web3?.close();
  await node?.close();
});

test('web3.js: an airdrop and a transfer, confirmed over WebSocket', async () => {
  const { connection } = web3;
  const to = Keypair.generate().publicKey;
  const sent = await connection.requestAirdrop(to, 2 * LAMPORTS_PER_SOL);
  const confirmed = await connection.confirmTransaction({
    signature: sent,
    ...(await connection.getLatestBlockhash()),
  });
  expect(confirmed.value.err).toBeNull();
  const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: LAMPORTS_PER_SOL });
  const signature = await sendAndConfirmTransaction(connection, new Transaction().add(transfer), [payer]);
  expect(await connection.getBalance(to)).toBe(3 * LAMPORTS_PER_SOL);
  const [status] = (await connection.getSignatureStatuses([signature])).value;
  expect(status).toMatchObject({ err: null });
});

test('web3.js: a USDC transfer with a memo and a reference is found by the reference, parsed, with token balances', async () => {
  const { connection } = web3;
  const reference = Keypair.generate().publicKey;
  const [from, to] = await Promise.all(
    ['alice', 'bob'].map(async (name) => new PublicKey(await tokenAddress(localSolanaKey(name).address, usdc))),
  );
  const data = Buffer.alloc(10);
  data[0] = 12;
  data.writeBigUInt64LE(2_500_000n, 1);
  data[9] = 6;
  const transfer = new TransactionInstruction({
    programId: new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
    data,
    keys: [
      { pubkey: from!, isSigner: false, isWritable: true },
      { pubkey: new PublicKey(usdc), isSigner: false, isWritable: false },
      { pubkey: to!, isSigner: false, isWritable: true },
      { pubkey: payer.publicKey, isSigner: true, isWritable: false },
      { pubkey: reference, isSigner: false, isWritable: false },
    ],
  });
  const memo = new TransactionInstruction({ programId: MEMO, data: Buffer.from('order:42'), keys: [] });
  const signature = await sendAndConfirmTransaction(connection, new Transaction().add(memo, transfer), [payer]);
  const [found] = await connection.getSignaturesForAddress(reference, {}, 'confirmed');
  expect(found).toMatchObject({ signature, err: null, memo: '[8] order:42' });
  const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(parsed?.transaction.message.instructions).toMatchObject([
    { program: 'spl-memo', parsed: 'order:42' },
    {
      program: 'spl-token',
      parsed: {
        type: 'transferChecked',
        info: { tokenAmount: { amount: '2500000', uiAmountString: '2.5' }, mint: usdc },
      },
    },
  ]);
  const amounts = (list: readonly { owner?: string; uiTokenAmount: { amount: string } }[] | null | undefined) =>
    Object.fromEntries((list ?? []).map(({ owner, uiTokenAmount }) => [owner, uiTokenAmount.amount]));
  const bob = localSolanaKey('bob').address;
  expect(amounts(parsed?.meta?.preTokenBalances)).toMatchObject({
    [bob]: '1',
    [payer.publicKey.toBase58()]: '50000000',
  });
  expect(amounts(parsed?.meta?.postTokenBalances)).toMatchObject({ [bob]: '2500001' });
  expect((await connection.getTokenAccountBalance(to!)).value.uiAmountString).toBe('2.500001');
  const held = await connection.getParsedTokenAccountsByOwner(new PublicKey(bob), { mint: new PublicKey(usdc) });
  expect(held.value[0]?.account.data.parsed.info.tokenAmount.amount).toBe('2500001');
  expect((await connection.getTokenSupply(new PublicKey(usdc))).value.amount).toBe('50000001');
});

test('web3.js: pages of signatures, newest first, failed ones too', async () => {
  const { connection } = web3;
  const to = Keypair.generate().publicKey;
  const sent: string[] = [];
  for (const amount of [1, 200_000, 1, 1].map((factor) => factor * LAMPORTS_PER_SOL)) {
    const { blockhash } = await connection.getLatestBlockhash();
    const transfer = SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: to,
      lamports: amount + sent.length,
    });
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(transfer);
    transaction.sign(payer);
    sent.push(await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true }));
  }
  const read = async (page: { before?: string; until?: string; limit?: number }) =>
    (await connection.getSignaturesForAddress(to, page, 'confirmed')).map(({ signature }) => signature);
  await expect.poll(() => read({})).toEqual(sent.toReversed());
  expect(await read({ limit: 2 })).toEqual([sent[3], sent[2]]);
  expect(await read({ before: sent[2]! })).toEqual([sent[1], sent[0]]);
  expect(await read({ until: sent[1]! })).toEqual([sent[3], sent[2]]);
  const failed = await connection.getSignaturesForAddress(to, { before: sent[2]!, limit: 1 }, 'confirmed');
  expect(failed).toMatchObject([{ signature: sent[1], err: { InstructionError: [0, { Custom: 1 }] } }]);
});

test('web3.js: a version 0 transaction with a lookup table is indexed by the keys of the table', async () => {
  const { connection } = web3;
  const to = Keypair.generate().publicKey;
  const recentSlot = await connection.getSlot('finalized');
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority: payer.publicKey,
    payer: payer.publicKey,
    recentSlot,
  });
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable: table,
    authority: payer.publicKey,
    payer: payer.publicKey,
    addresses: [to, MEMO],
  });
  await sendAndConfirmTransaction(connection, new Transaction().add(create, extend), [payer]);
  const { value: lookup } = await connection.getAddressLookupTable(table);
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 10_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2_000_000 }),
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: LAMPORTS_PER_SOL }),
    ],
  }).compileToV0Message([lookup!]);
  const transaction = new VersionedTransaction(message);
  transaction.sign([payer]);
  const simulated = await connection.simulateTransaction(transaction, { sigVerify: true });
  expect(simulated.value).toMatchObject({ err: null, unitsConsumed: 450 });
  const signature = await connection.sendTransaction(transaction);
  await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight });
  expect((await connection.getSignaturesForAddress(to, {}, 'confirmed'))[0]?.signature).toBe(signature);
  const landed = await connection.getTransaction(signature, {
    maxSupportedTransactionVersion: 0,
    commitment: 'confirmed',
  });
  expect(landed?.version).toBe(0);
  expect(landed?.meta?.loadedAddresses?.writable.map(String)).toEqual([to.toBase58()]);
  expect(landed?.meta?.fee).toBe(5_000 + 20_000);
  await expect(connection.getTransaction(signature, { commitment: 'confirmed' } as never)).rejects.toThrow(
    /Transaction version \(0\) is not supported/,
  );
  const fees = await connection.getRecentPrioritizationFees();
  expect(Math.max(...fees.map(({ prioritizationFee }) => prioritizationFee))).toBe(2_000_000);
});

test('web3.js: accounts, logs and slots are pushed', async () => {
  const { connection } = web3;
  const to = Keypair.generate().publicKey;
  const seen = { account: 0, logs: '', slots: 0, program: '' };
  const subscriptions = [
    connection.onAccountChange(to, ({ lamports: balance }) => {
      seen.account = balance;
    }),
    connection.onProgramAccountChange(SystemProgram.programId, ({ accountId }) => {
      if (accountId.equals(to)) seen.program = accountId.toBase58();
    }),
  ];
  const logs = connection.onLogs(to, ({ signature }) => {
    seen.logs = signature;
  });
  const slots = connection.onSlotChange(() => {
    seen.slots++;
  });
  await expect.poll(() => seen.slots).toBeGreaterThan(2);
  const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: LAMPORTS_PER_SOL });
  const signature = await sendAndConfirmTransaction(connection, new Transaction().add(transfer), [payer]);
  await expect.poll(() => seen).toMatchObject({ account: LAMPORTS_PER_SOL, logs: signature, program: to.toBase58() });
  for (const one of subscriptions) await connection.removeAccountChangeListener(one);
  await connection.removeOnLogsListener(logs);
  await connection.removeSlotChangeListener(slots);
});

test('web3.js: a transaction with a durable nonce lands after every block hash of its time has expired, once', async () => {
  const { connection } = web3;
  const nonce = Keypair.generate();
  const create = SystemProgram.createNonceAccount({
    fromPubkey: payer.publicKey,
    noncePubkey: nonce.publicKey,
    authorizedPubkey: payer.publicKey,
    lamports: LAMPORTS_PER_SOL,
  });
  await sendAndConfirmTransaction(connection, create, [payer, nonce]);
  const account = await connection.getNonce(nonce.publicKey);
  const to = Keypair.generate().publicKey;
  const transaction = new Transaction({
    feePayer: payer.publicKey,
    nonceInfo: {
      nonce: account!.nonce,
      nonceInstruction: SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: payer.publicKey }),
    },
  }).add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: LAMPORTS_PER_SOL }));
  transaction.sign(payer);
  node.faults.add({ kind: 'expire' });
  await connection.sendRawTransaction(transaction.serialize());
  await expect.poll(() => connection.getBalance(to)).toBe(LAMPORTS_PER_SOL);
  await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow(/already been processed/);
  const { value } = await connection.simulateTransaction(transaction);
  expect(value.err).not.toBeNull();
});

test('kit: sent and confirmed, read back with exact numbers', async () => {
  const rpc = createSolanaRpc(node.url);
  const rpcSubscriptions = createSolanaRpcSubscriptions(node.wsUrl);
  const alice = await createKeyPairSignerFromBytes(localSolanaKey('alice').secretBytes);
  const to = kitAddress(localSolanaKey('kit recipient').address);
  const { value: latest } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayerSigner(alice, one),
    (one) => setTransactionMessageLifetimeUsingBlockhash(latest, one),
    (one) =>
      appendTransactionMessageInstructions(
        [
          {
            programAddress: kitAddress(SystemProgram.programId.toBase58()),
            accounts: [
              { address: alice.address, role: AccountRole.WRITABLE_SIGNER, signer: alice },
              { address: to, role: AccountRole.WRITABLE },
            ],
            data: new Uint8Array(Buffer.from('0200000000ca9a3b00000000', 'hex')),
          },
        ],
        one,
      ),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  assertIsTransactionWithBlockhashLifetime(transaction);
  await sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(transaction, { commitment: 'finalized' });
  expect((await rpc.getBalance(to, { commitment: 'finalized' }).send()).value).toBe(1_000_000_000n);
  const signature = kitSignature(getSignatureFromTransaction(transaction));
  const read = await rpc
    .getTransaction(signature, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0, commitment: 'finalized' })
    .send();
  expect(read?.meta?.fee).toBe(5_000n);
  const { value } = await rpc.getAccountInfo(to, { encoding: 'base64' }).send();
  expect(value).toMatchObject({ lamports: 1_000_000_000n, owner: SystemProgram.programId.toBase58(), space: 0n });
  expect(await rpc.getBlock(read!.slot, { maxSupportedTransactionVersion: 0 }).send()).toMatchObject({
    transactions: expect.arrayContaining([
      expect.objectContaining({ transaction: expect.objectContaining({ signatures: [signature] }) }),
    ]),
  });
});
