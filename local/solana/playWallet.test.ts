// The play wallets of Solana: what they sign is what an independent client signs, and only for their own account.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { base58 } from '@scure/base';
import { SystemProgram, Transaction, Keypair as Web3Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { isSolanaSignature } from '../../src/chain/signing/ed25519.ts';
import { readSolanaSignIn } from '../../src/chain/signing/siws.ts';
import { keypairOf, localSolanaKey } from './keys.ts';
import { answerAsSolanaWallet } from './playWallet.ts';

const key = localSolanaKey('alice');
const other = keypairOf(randomBytes(32));
const ask = (method: string, ...params: unknown[]) => answerAsSolanaWallet({ key, rpcUrl: null }, { method, params });

/** Two signers: another account pays, this wallet sends. */
function transfer(): Transaction {
  const from = Web3Keypair.fromSecretKey(key.secretBytes).publicKey;
  const payer = Web3Keypair.fromSecretKey(other.secretBytes);
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: base58.encode(randomBytes(32)) });
  transaction.add(SystemProgram.transfer({ fromPubkey: from, toPubkey: payer.publicKey, lamports: 1 }));
  transaction.partialSign(payer);
  return transaction;
}
const wire = (transaction: Transaction) => transaction.serialize({ requireAllSignatures: false }).toString('base64');

test('signs texts and sign-ins with the account that it shows', async () => {
  expect(await ask('solana_accounts')).toEqual([key.address]);
  const signature = (await ask('solana_signMessage', key.address, 'Grüße')) as string;
  expect(isSolanaSignature({ address: key.address, text: 'Grüße', signature })).toBe(true);
  const input = {
    ...{ domain: 'pay.example', uri: 'https://pay.example', version: '1', chainId: 'localnet', nonce: 'a1b2c3d4' },
    ...{ statement: 'Hello.', issuedAt: '2026-11-27T12:00:00.000Z' },
  };
  const answer = (await ask('solana_signIn', input)) as { address: string; text: string; signature: string };
  expect(isSolanaSignature(answer)).toBe(true);
  expect(readSolanaSignIn(answer.text)).toMatchObject({
    domain: 'pay.example',
    nonce: 'a1b2c3d4',
    address: key.address,
  });
});

test('puts its signature beside those that a transaction has', async () => {
  const transaction = transfer();
  expect(transaction.verifySignatures()).toBe(false);
  const signed = Transaction.from(
    Buffer.from(String(await ask('solana_signTransaction', key.address, wire(transaction))), 'base64'),
  );
  expect(signed.verifySignatures()).toBe(true);
  expect(signed.signatures[0]?.signature).toEqual(transaction.signatures[0]?.signature);
});

test('hands a signed transaction to the chain, and answers with what that says', async () => {
  const calls: { method: string; params: [string, object] }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      calls.push(JSON.parse(body));
      const refused = calls.length > 1;
      response.end(JSON.stringify(refused ? { error: { code: -32002, message: 'no funds' } } : { result: 'sent' }));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const state = { key, rpcUrl: `http://127.0.0.1:${port}` };
  const request = { method: 'solana_signAndSendTransaction', params: [key.address, wire(transfer())] };
  try {
    expect(await answerAsSolanaWallet(state, request)).toBe('sent');
    expect(calls[0]?.method).toBe('sendTransaction');
    expect(Transaction.from(Buffer.from(calls[0]?.params[0] ?? '', 'base64')).verifySignatures()).toBe(true);
    await expect(answerAsSolanaWallet(state, request)).rejects.toMatchObject({ code: -32002, message: 'no funds' });
  } finally {
    server.close();
  }
});

test('refuses another account, a transaction of others, what is no transaction, and what it does not know', async () => {
  await expect(ask('solana_signMessage', other.address, 'x')).rejects.toMatchObject({ code: 4100 });
  await expect(ask('solana_signTransaction', other.address, wire(transfer()))).rejects.toMatchObject({ code: 4100 });
  const foreign = answerAsSolanaWallet(
    { key: localSolanaKey('bob'), rpcUrl: null },
    {
      method: 'solana_signTransaction',
      params: [localSolanaKey('bob').address, wire(transfer())],
    },
  );
  await expect(foreign).rejects.toMatchObject({ code: 4100 });
  await expect(ask('solana_signTransaction', key.address, 'AAAA')).rejects.toMatchObject({ code: -32602 });
  await expect(ask('solana_signAndSendTransaction', key.address, wire(transfer()))).rejects.toMatchObject({
    code: 4900,
  });
  await expect(ask('solana_exportKey')).rejects.toMatchObject({ code: 4200 });
});
