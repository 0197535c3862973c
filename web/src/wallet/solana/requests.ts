// What the pages request of a wallet of Solana (Wallet Standard); its refusals are worded as those of EVM wallets.
import { solanaSignatureOf } from '../../../../src/domain/solanaAddress.ts';
import type { SolanaSignInFields } from '../../../../src/domain/solanaSignIn.ts';
import { solanaSignInText } from '../../../../src/domain/solanaSignIn.ts';
import { shortHex } from '../../app/format.ts';
import { answerOf, WalletError } from '../requests.ts';
import { fromBase64, isSameBytes, readTransaction } from './transaction.ts';
import { isOfSolana, type SolanaAccount, type SolanaWallet } from './wallets.ts';

type Connect = { connect(input?: { silent?: boolean }): Promise<{ accounts: readonly SolanaAccount[] }> };
type SignedMessage = { signedMessage: Uint8Array; signature: Uint8Array };
type SignMessage = {
  signMessage(...inputs: { account: SolanaAccount; message: Uint8Array }[]): Promise<readonly SignedMessage[]>;
};
type SignTransaction = {
  signTransaction(
    ...inputs: { account: SolanaAccount; transaction: Uint8Array }[]
  ): Promise<readonly { signedTransaction: Uint8Array }[]>;
};
export type SignInInput = Partial<{
  [Field in Exclude<keyof SolanaSignInFields, 'address'>]: NonNullable<SolanaSignInFields[Field]>;
}>;
type SignIn = {
  signIn(...inputs: SignInInput[]): Promise<readonly (SignedMessage & { account: SolanaAccount })[]>;
};

export type SignedSignIn = { address: string; message: string; signature: string };

function feature<T>({ standard }: SolanaWallet, name: string): T | null {
  return (standard.features as Record<string, T | undefined>)[name] ?? null;
}

/** The account in use. The wallet may ask its owner whether this page may see it. */
async function connect(wallet: SolanaWallet): Promise<SolanaAccount> {
  const standard = feature<Connect>(wallet, 'standard:connect');
  const answer = await answerOf(async () => standard?.connect());
  const accounts = answer?.accounts.length ? answer.accounts : wallet.standard.accounts;
  const account = accounts.find(({ chains }) => isOfSolana(chains));
  if (!account) throw new WalletError('refused', 'Your wallet didn’t share a Solana account. Unlock it and try again.');
  return account;
}

/** @returns its address */
export async function askSolanaAccount(wallet: SolanaWallet): Promise<string> {
  return (await connect(wallet)).address;
}

/**
 * Signs a text with the account of this address.
 * @returns the signature in base58
 * @throws WalletError `wrong_account` when the wallet is set to another one
 */
export async function signSolanaText(wallet: SolanaWallet, address: string, text: string): Promise<string> {
  return signWith(wallet, await accountOf(wallet, address), text);
}

async function accountOf(wallet: SolanaWallet, address: string): Promise<SolanaAccount> {
  const current = await connect(wallet);
  const account = [current, ...wallet.standard.accounts].find((one) => one.address === address);
  if (account) return account;
  throw new WalletError('wrong_account', `Choose the account ${shortHex(address)} in your wallet, then try again.`);
}

/**
 * Signs a transaction that another key pays for and sends.
 * @param base64 without signatures
 * @returns the whole transaction with the account's signature, in base64
 * @throws WalletError `wrong_account` when the wallet is set to another one, `failed` when it signed anything else
 */
export async function signSolanaTransaction(wallet: SolanaWallet, address: string, base64: string): Promise<string> {
  const account = await accountOf(wallet, address);
  const signer = feature<SignTransaction>(wallet, 'solana:signTransaction');
  if (!signer)
    throw new WalletError('failed', 'Your wallet can’t sign a transaction without sending it. Use another wallet.');
  const transaction = fromBase64(base64);
  const [answer] = await answerOf(() => signer.signTransaction({ account, transaction }));
  const bytes = answer && new Uint8Array(answer.signedTransaction);
  const signed = bytes && readTransaction(bytes);
  if (!signed || !isSameBytes(signed.message, readTransaction(transaction).message))
    throw new WalletError('failed', 'Your wallet changed the transaction, so it can’t be sent. Use another wallet.');
  const signature = signed.signatureOf(address);
  if (!signature || signature.every((byte) => byte === 0))
    throw new WalletError('refused', 'Your wallet signed nothing. Unlock it and try again.');
  return btoa(String.fromCharCode(...bytes));
}

async function signWith(wallet: SolanaWallet, account: SolanaAccount, text: string): Promise<string> {
  const signer = feature<SignMessage>(wallet, 'solana:signMessage');
  if (!signer) throw new WalletError('failed', 'Your wallet can’t sign a text. Use another wallet.');
  const message = new TextEncoder().encode(text);
  const [signed] = await answerOf(() => signer.signMessage({ account, message }));
  if (!signed || textOf(signed) !== text)
    throw new WalletError('failed', 'Your wallet signed another text. Use another wallet.');
  return solanaSignatureOf(new Uint8Array(signed.signature));
}

/** Sign In With Solana: the wallet writes the text where it can, else it signs ours. The service checks what it signed. */
export async function signInWith(
  wallet: SolanaWallet,
  fields: SignInInput & Pick<SolanaSignInFields, 'domain' | 'uri' | 'version' | 'chainId' | 'nonce' | 'issuedAt'>,
): Promise<SignedSignIn> {
  const own = feature<SignIn>(wallet, 'solana:signIn');
  if (own) {
    const [signed] = await answerOf(() => own.signIn(fields));
    if (!signed) throw new WalletError('refused', 'Your wallet signed nothing. Unlock it and try again.');
    const signature = solanaSignatureOf(new Uint8Array(signed.signature));
    return { address: signed.account.address, message: textOf(signed), signature };
  }
  const account = await connect(wallet);
  const { statement = null, expirationTime = null, notBefore = null } = fields;
  const message = solanaSignInText({ ...fields, address: account.address, statement, expirationTime, notBefore });
  return { address: account.address, message, signature: await signWith(wallet, account, message) };
}

function textOf({ signedMessage }: SignedMessage): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(signedMessage);
}
