// What the pages make of wallets of Solana: those that write the sign-in text, those that only sign, and those that refuse or sign something else.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Keypair, keypairOf, signBytes } from '../../../../local/solana/keys.ts';
import { decodeTransaction, signTransaction } from '../../../../local/solana/wire.ts';
import { isSignedBySolana, isSolanaSignature } from '../../../../src/chain/signing/ed25519.ts';
import { readSolanaSignIn } from '../../../../src/chain/signing/siws.ts';
import { readSolanaSignature } from '../../../../src/domain/solanaAddress.ts';
import { askSolanaAccount, signInWith, signSolanaText, signSolanaTransaction } from './requests.ts';
import { fromBase64 } from './transaction.ts';
import type { SolanaWallet } from './wallets.ts';

const key = keypairOf(randomBytes(32));
const FIELDS = {
  domain: 'pay.example',
  statement: 'Hello.',
  uri: 'https://pay.example',
  version: '1',
  chainId: 'mainnet',
  nonce: 'a1b2c3d4e5',
  issuedAt: '2026-11-27T12:00:00.000Z',
  expirationTime: '2026-11-27T12:05:00.000Z',
};

const account = ({ address }: Keypair, chain = 'solana:mainnet') => ({ address, chains: [chain], features: [] });
const signed = (text: string) => {
  const signedMessage = new TextEncoder().encode(text);
  return { signedMessage, signature: signBytes(key, signedMessage) };
};
const signMessage = async ({ message }: { message: Uint8Array }) => [signed(new TextDecoder().decode(message))];

/** A wallet with these features beside connecting. */
function wallet(features: object, accounts: object[] = [account(key)]): SolanaWallet {
  const connect = async () => ({ accounts });
  const all = { 'standard:connect': { connect }, ...features };
  return { id: 'x', name: 'X', icon: null, standard: { accounts, features: all } as never };
}

it('has a wallet sign our text where it writes none', async () => {
  const { address, message, signature } = await signInWith(wallet({ 'solana:signMessage': { signMessage } }), FIELDS);
  expect(address).toBe(key.address);
  expect(isSolanaSignature({ address, text: message, signature })).toBe(true);
  expect(readSolanaSignIn(message)).toMatchObject({ domain: 'pay.example', nonce: 'a1b2c3d4e5', address });
});

it('takes the text that a wallet wrote, byte for byte', async () => {
  const text = 'whatever the wallet wrote\uFEFF';
  const signIn = async () => [{ account: account(key), ...signed(text) }];
  const answer = await signInWith(wallet({ 'solana:signIn': { signIn } }), FIELDS);
  expect(answer.message).toBe(text);
  expect(isSolanaSignature({ address: key.address, text, signature: answer.signature })).toBe(true);
});

it('refuses a wallet that signs another text than it was given', async () => {
  const other = wallet({ 'solana:signMessage': { signMessage: async () => [signed('another')] } });
  await expect(signSolanaText(other, key.address, 'this')).rejects.toMatchObject({ problem: 'failed' });
  await expect(signSolanaText(wallet({}), key.address, 'this')).rejects.toMatchObject({ problem: 'failed' });
});

it('says which account is needed, and takes a no as a no', async () => {
  const stranger = keypairOf(randomBytes(32));
  const one = wallet({ 'solana:signMessage': { signMessage } });
  await expect(signSolanaText(one, stranger.address, 'x')).rejects.toMatchObject({ problem: 'wrong_account' });
  for (const error of [Object.assign(new Error('No'), { code: 4001 }), new Error('User rejected the request.')]) {
    const no = wallet({ 'solana:signMessage': { signMessage: () => Promise.reject(error) } });
    await expect(signSolanaText(no, key.address, 'x')).rejects.toMatchObject({ problem: 'refused' });
  }
});

describe('a transaction that another key pays for', () => {
  const [payer, hash] = [keypairOf(randomBytes(32)), keypairOf(randomBytes(32)).address];
  const unsigned = (text: string) => {
    const accounts = [{ address: key.address, signer: true }];
    const raw = signTransaction([payer, key], hash, [{ program: hash, accounts, data: Buffer.from(text) }]);
    return new Uint8Array(raw).fill(0, 1, 1 + 2 * 64);
  };
  const transaction = unsigned('this');
  const base64 = Buffer.from(transaction).toString('base64');
  const signing = (bytes: Uint8Array) => ({
    'solana:signTransaction': {
      signTransaction: async () => {
        const signedTransaction = bytes.slice();
        signedTransaction.set(signBytes(key, decodeTransaction(bytes).messageBytes), 1 + 64);
        return [{ signedTransaction }];
      },
    },
  });

  it('gets the signature of the account, whatever its place', async () => {
    const signed = await signSolanaTransaction(wallet(signing(transaction)), key.address, base64);
    const { messageBytes, signatures } = decodeTransaction(fromBase64(signed));
    expect(messageBytes).toEqual(decodeTransaction(transaction).messageBytes);
    const signature = readSolanaSignature(signatures[1] ?? '') ?? new Uint8Array();
    expect(isSignedBySolana(key.address, messageBytes, signature)).toBe(true);
  });

  it('is refused where the wallet changed it, signed nothing, cannot sign or is set to another account', async () => {
    const ask = (features: object, address = key.address) => signSolanaTransaction(wallet(features), address, base64);
    await expect(ask(signing(unsigned('that')))).rejects.toThrow('changed the transaction');
    const silent = { signTransaction: async () => [{ signedTransaction: transaction }] };
    await expect(ask({ 'solana:signTransaction': silent })).rejects.toThrow('signed nothing');
    await expect(ask({})).rejects.toThrow('without sending it');
    await expect(ask(signing(transaction), payer.address)).rejects.toMatchObject({ problem: 'wrong_account' });
  });
});

it('finds the account of Solana among those that a wallet shares', async () => {
  const both = [account(keypairOf(randomBytes(32)), 'eip155:1'), account(key)];
  expect(await askSolanaAccount(wallet({}, both))).toBe(key.address);
  await expect(askSolanaAccount(wallet({}, []))).rejects.toMatchObject({ problem: 'refused' });
});
