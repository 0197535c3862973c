// A local Solana chain for tests whose slots pass by hand, and what tests send to it without a client library.

import { Connection, type ConnectionConfig } from '@solana/web3.js';
import { airdrop } from '../../local/solana/genesis.ts';
import { type Keypair, localSolanaKey } from '../../local/solana/keys.ts';
import { blockAt, type Ledger } from '../../local/solana/ledger.ts';
import { type RunningSolana, type SolanaOptions, startSolana } from '../../local/solana/server.ts';
import { decodeTransaction, signTransaction, type WireTransaction } from '../../local/solana/wire.ts';

const SYSTEM = '11111111111111111111111111111111';
export const SOL = 1_000_000_000;

export type RpcAnswer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };
export type TestSolana = RunningSolana & {
  /** The whole answer to one call. */
  call(method: string, ...params: unknown[]): Promise<RpcAnswer>;
  /** Its result. @throws Error for an error */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  rpc(method: string, ...params: unknown[]): Promise<any>;
  user(path: string, body?: object, method?: string): Promise<Response>;
};

export async function startTestSolana(options: SolanaOptions = {}): Promise<TestSolana> {
  const node = await startSolana({ slotMs: 0, finalizedAfter: 4, ...options });
  const call = async (method: string, ...params: unknown[]) => {
    const response = await post(node.url, { jsonrpc: '2.0', id: 1, method, params });
    return (await response.json()) as RpcAnswer;
  };
  return {
    ...node,
    call,
    async rpc(method, ...params) {
      const { result, error } = await call(method, ...params);
      if (error) throw new Error(`${error.code} ${error.message}`);
      return result;
    },
    user: (path, body, method = 'POST') =>
      fetch(`${node.url}/_user/${path}`, {
        method,
        ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
      }),
  };
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** A key with SOL. */
export function fundedKey(ledger: Ledger, name: string, lamports = 10 * SOL): Keypair {
  const key = localSolanaKey(name);
  airdrop(ledger, key.address, lamports);
  return key;
}

export type Transfer = { from: Keypair; to: string; lamports: number; hash: string };

/** With the newest block hash of the ledger, unless another is given. */
export function transferOf(ledger: Ledger, transfer: Omit<Transfer, 'hash'> & { hash?: string }): WireTransaction {
  return signTransfer({ hash: blockAt(ledger, 'processed').hash, ...transfer });
}

export function signTransfer({ from, to, lamports, hash }: Transfer): WireTransaction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(BigInt(lamports), 4);
  const accounts = [
    { address: from.address, signer: true, writable: true },
    { address: to, writable: true },
  ];
  return decodeTransaction(signTransaction([from], hash, [{ program: SYSTEM, accounts, data }]));
}

export const base64Of = ({ raw }: WireTransaction) => Buffer.from(raw).toString('base64');
export const nameOf = ({ signatures }: WireTransaction) => signatures[0] as string;

/** web3.js keeps on connecting until it is closed. */
export function connectWeb3(
  node: RunningSolana,
  config: ConnectionConfig = {},
): { connection: Connection; close(): void } {
  const connection = new Connection(node.url, { commitment: 'confirmed', wsEndpoint: node.wsUrl, ...config });
  const { _rpcWebSocket: socket } = connection as unknown as {
    _rpcWebSocket: { close(): void; reconnect: boolean };
  };
  return {
    connection,
    close() {
      socket.reconnect = false;
      socket.close();
    },
  };
}
