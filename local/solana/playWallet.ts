// What a wallet of Solana answers to a page, with real signatures of a key that anyone may know: for the local stack and for tests. The page's side is
// web/src/wallet/solana/playWallets.ts, which speaks the Wallet Standard.
import { base58 } from '@scure/base';
import { type SolanaSignInFields, solanaSignInText } from '../../src/domain/solanaSignIn.ts';
import { type WalletRequest, WalletRpcError } from '../chains/walletRpc.ts';
import { type Keypair, signBytes } from './keys.ts';
import { decodeTransaction, WireError } from './wire.ts';

export type SolanaWalletState = {
  key: Keypair;
  /** Null where the stack has no chain of Solana. */
  rpcUrl: string | null;
};

/** Texts are UTF-8, signatures and addresses base58, transactions base64. @throws WalletRpcError */
export async function answerAsSolanaWallet(
  { key, rpcUrl }: SolanaWalletState,
  { method, params }: WalletRequest,
): Promise<unknown> {
  const requireOwn = (address: unknown) => {
    if (address !== key.address) throw new WalletRpcError(4100, 'The account is not this wallet’s.');
  };
  switch (method) {
    case 'solana_accounts':
      return [key.address];
    case 'solana_signIn': {
      const text = signInText(key.address, params[0] as SignInInput);
      return { address: key.address, text, signature: signText(key, text) };
    }
    case 'solana_signMessage':
      requireOwn(params[0]);
      return signText(key, String(params[1]));
    case 'solana_signTransaction':
      requireOwn(params[0]);
      return signed(key, String(params[1])).toString('base64');
    case 'solana_signAndSendTransaction':
      requireOwn(params[0]);
      return sendTransaction(rpcUrl, signed(key, String(params[1])));
    default:
      throw new WalletRpcError(4200, `The wallet does not know ${method}.`);
  }
}

/** All but the domain may be left to the wallet; ours is given all that counts. */
type SignInInput = Partial<Omit<SolanaSignInFields, 'address'>>;

function signInText(address: string, input: SignInInput): string {
  const { domain = '', uri = '', version = '1', chainId = '', nonce = '', issuedAt = '' } = input;
  const { statement = null, expirationTime = null, notBefore = null } = input;
  return solanaSignInText({
    ...{ domain, address, statement, uri, version, chainId, nonce },
    ...{ issuedAt, expirationTime, notBefore },
  });
}

function signText(key: Keypair, text: string): string {
  return base58.encode(new Uint8Array(signBytes(key, Buffer.from(text))));
}

/** The transaction with this wallet's signature in its place. */
function signed(key: Keypair, base64: string): Buffer {
  const raw = Buffer.from(base64, 'base64');
  const { message, messageBytes } = readTransaction(raw);
  const place = message.keys.indexOf(key.address);
  const { numRequiredSignatures } = message.header;
  if (place < 0 || place >= numRequiredSignatures)
    throw new WalletRpcError(4100, 'The transaction needs no signature of this wallet.');
  const start = raw.length - messageBytes.length - (numRequiredSignatures - place) * 64;
  raw.set(signBytes(key, messageBytes), start);
  return raw;
}

function readTransaction(raw: Uint8Array) {
  try {
    return decodeTransaction(raw);
  } catch (error) {
    if (error instanceof WireError) throw new WalletRpcError(-32602, error.message);
    throw error;
  }
}

/** @returns its signature */
async function sendTransaction(rpcUrl: string | null, transaction: Buffer): Promise<string> {
  if (rpcUrl === null) throw new WalletRpcError(4900, 'This stack has no chain of Solana.');
  const params = [transaction.toString('base64'), { encoding: 'base64', preflightCommitment: 'confirmed' }];
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = (await response.json()) as { result?: string; error?: { code: number; message: string } };
  if (answer.result === undefined)
    throw new WalletRpcError(answer.error?.code ?? -32603, answer.error?.message ?? 'The chain gave no answer.');
  return answer.result;
}
