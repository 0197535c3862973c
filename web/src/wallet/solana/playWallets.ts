// The Solana wallets of the local stack's people, registered like those of extensions (Wallet Standard), answered by the local stack.
import { readSolanaAddress, readSolanaSignature } from '../../../../src/domain/solanaAddress.ts';
import type { SignInInput } from './requests.ts';
import { fromBase64 } from './transaction.ts';

/** One request to the play wallet of a person. */
export type AskWallet = (method: string, params: unknown[]) => Promise<unknown>;

const CHAINS = ['solana:localnet', 'solana:mainnet'] as const;
const FEATURES = [
  'solana:signIn',
  'solana:signMessage',
  'solana:signTransaction',
  'solana:signAndSendTransaction',
] as const;

/** Registers a wallet whether the page looks for wallets before this or after. */
export function registerPlayWallet(name: string, icon: string, ask: AskWallet): void {
  const wallet = playWallet(`${name}’s Solana wallet`, icon, ask);
  type Api = { register(...wallets: unknown[]): unknown };
  const register = (api: Api) => api.register(wallet);
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  addEventListener('wallet-standard:app-ready', (event) => void register((event as CustomEvent<Api>).detail));
}

type Account = { address: string; publicKey: Uint8Array; chains: readonly string[]; features: readonly string[] };

function playWallet(name: string, icon: string, ask: AskWallet) {
  let accounts: Account[] = [];
  const accountOf = (address: string): Account => ({
    address,
    publicKey: readSolanaAddress(address) ?? new Uint8Array(32),
    chains: CHAINS,
    features: FEATURES,
  });
  const connect = async () => {
    const [address = ''] = (await ask('solana_accounts', [])) as string[];
    if (accounts.length === 0) accounts = [accountOf(address)];
    return { accounts };
  };
  const transactions = async (method: string, inputs: { account: Account; transaction: Uint8Array }[]) => {
    const answers: string[] = [];
    for (const { account, transaction } of inputs)
      answers.push((await ask(method, [account.address, toBase64(transaction)])) as string);
    return answers;
  };
  return {
    version: '1.0.0',
    name,
    icon,
    chains: CHAINS,
    get accounts() {
      return accounts;
    },
    features: {
      'standard:connect': { version: '1.0.0', connect },
      'standard:events': { version: '1.0.0', on: () => () => undefined },
      'solana:signIn': {
        version: '1.0.0',
        signIn: async (...inputs: SignInInput[]) => {
          await connect();
          return Promise.all(
            inputs.map(async (input) => {
              const { address, text, signature } = (await ask('solana_signIn', [input])) as Record<string, string>;
              return { account: accountOf(address ?? ''), ...signed(text ?? '', signature ?? '') };
            }),
          );
        },
      },
      'solana:signMessage': {
        version: '1.1.0',
        signMessage: (...inputs: { account: Account; message: Uint8Array }[]) =>
          Promise.all(
            inputs.map(async ({ account, message }) => {
              const text = new TextDecoder().decode(message);
              return signed(text, (await ask('solana_signMessage', [account.address, text])) as string);
            }),
          ),
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async (...inputs: { account: Account; transaction: Uint8Array }[]) =>
          (await transactions('solana_signTransaction', inputs)).map((base64) => ({
            signedTransaction: fromBase64(base64),
          })),
      },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signAndSendTransaction: async (...inputs: { account: Account; transaction: Uint8Array }[]) =>
          (await transactions('solana_signAndSendTransaction', inputs)).map((signature) => ({
            signature: readSolanaSignature(signature) ?? new Uint8Array(64),
          })),
      },
    },
  };
}

function signed(text: string, signature: string) {
  const bytes = readSolanaSignature(signature) ?? new Uint8Array(64);
  return { signedMessage: new TextEncoder().encode(text), signature: bytes };
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
