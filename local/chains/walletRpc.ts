// What a wallet answers to a page (EIP-1193), with real signatures of a key that everybody may know: for the local stack and for tests.
import { createWalletClient, type Hex, http } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';

export type WalletRequest = { method: string; params: unknown[] };

/** `chainId` is the network that the wallet is set to; a page may change it to one of `chains`. */
export type WalletState = {
  account: PrivateKeyAccount;
  chainId: number;
  chains: { chainId: number; rpcUrl: string }[];
};

/** The codes are those of EIP-1193 and EIP-1474. */
export class WalletRpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws WalletRpcError */
export async function answerAsWallet(state: WalletState, { method, params }: WalletRequest): Promise<unknown> {
  const { account } = state;
  const rpcUrl = () => state.chains.find((chain) => chain.chainId === state.chainId)?.rpcUrl ?? '';
  const requireOwn = (address: unknown) => {
    if (String(address).toLowerCase() !== account.address.toLowerCase())
      throw new WalletRpcError(4100, 'The account is not this wallet’s.');
  };
  switch (method) {
    case 'eth_requestAccounts':
    case 'eth_accounts':
      // Many wallets give lower case.
      return [account.address.toLowerCase()];
    case 'eth_chainId':
      return `0x${state.chainId.toString(16)}`;
    case 'wallet_switchEthereumChain': {
      const wanted = Number((params[0] as { chainId: Hex }).chainId);
      if (!state.chains.some((chain) => chain.chainId === wanted))
        throw new WalletRpcError(4902, 'Unrecognized chain ID.');
      state.chainId = wanted;
      return null;
    }
    case 'personal_sign':
      requireOwn(params[1]);
      return account.signMessage({ message: { raw: params[0] as Hex } });
    case 'eth_signTypedData_v4': {
      requireOwn(params[0]);
      const data = JSON.parse(params[1] as string);
      if (Number(data.domain.chainId) !== state.chainId)
        throw new WalletRpcError(
          -32602,
          `Provided chainId "${data.domain.chainId}" must match the active chainId "${state.chainId}"`,
        );
      return account.signTypedData(data);
    }
    case 'eth_sendTransaction': {
      const { from, to, data, value } = params[0] as { from: Hex; to: Hex; data: Hex; value: Hex };
      requireOwn(from);
      const client = createWalletClient({ account, transport: http(rpcUrl(), { timeout: 10_000 }) });
      return client.sendTransaction({ to, data, value: BigInt(value), chain: null });
    }
    case 'eth_getTransactionReceipt':
      return callRpc(rpcUrl(), method, params);
    default:
      throw new WalletRpcError(4200, `The wallet does not know ${method}.`);
  }
}

async function callRpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  });
  return ((await response.json()) as { result: unknown }).result;
}

/** What a page gets: the result, or the error as a wallet throws it. */
export async function answerOrError(
  answer: () => Promise<unknown>,
): Promise<{ result: unknown } | { error: { code: number; message: string } }> {
  try {
    return { result: await answer() };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    return { error: { code: typeof code === 'number' ? code : -32603, message } };
  }
}
