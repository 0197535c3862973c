// One Solana cluster as the services see it: reading, signing and broadcasting, with time limits and several endpoints. No database here.
import { type KeyObject, sign } from 'node:crypto';
import {
  ComputeBudgetProgram,
  Connection,
  MessageV0,
  PublicKey,
  SendTransactionError,
  type TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import { CHAINS, type ChainFacts, type ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { type SolanaAddress, solanaAddressOf, solanaSignatureOf } from '../../domain/solanaAddress.ts';
import type { Address, BroadcastOutcome } from '../rpc/client.ts';
import { ed25519PrivateKey, ed25519PublicBytes } from '../signing/ed25519.ts';
import { configOf, spenderOf, vaultOf, WRAPPED_SOL } from './addresses.ts';
import type { FixedAccounts } from './instructions.ts';

export type SolanaChain = {
  family: 'solana';
  name: ChainName;
  facts: ChainFacts;
  /** In the order of the configuration. What must be believed, all of them have to say. */
  endpoints: Connection[];
  program: { id: SolanaAddress; fixed: FixedAccounts };
  usdc: SolanaAddress;
  wrappedNative: SolanaAddress;
  /** How often the chain is polled while something is open. */
  pollMs: number;
  explorerUrl: string;
  local: boolean;
  /** In SOL: an executor key below it raises an alert. */
  executorMinimum: string | null;
  /** Feeds of the price of SOL, on an EVM chain; null where it has none. */
  priceSource: { chain: ChainName; feeds: readonly Address[] } | null;
  /** Programs of Relay to which payers may deposit; empty where Relay is not used. */
  relay: readonly SolanaAddress[];
  /** Where wallets of the local stack reach the cluster; null where pages are given no endpoint. */
  publicRpcUrl: string | null;
};

export type SolanaChainConfig = {
  rpcUrls: string[];
  program: string;
  usdc?: string | undefined;
  pollMs?: number | undefined;
  explorerUrl?: string | undefined;
  executorMinimum?: string | undefined;
  priceFeeds?: { chain: ChainName; feeds: string[] } | undefined;
  relay?: readonly string[] | undefined;
  local: boolean;
};

const TIMEOUT_MS = 5_000;
const RETRY_DELAY_MS = 150;

export function createSolanaChain(name: ChainName, config: SolanaChainConfig): SolanaChain {
  const facts = CHAINS[name];
  const { program: id } = config;
  return {
    family: 'solana',
    name,
    facts,
    endpoints: config.rpcUrls.map(connect),
    program: {
      id,
      fixed: { config: configOf(id).address, spender: spenderOf(id).address, vault: vaultOf(id).address },
    },
    usdc: config.usdc ?? facts.usdc,
    wrappedNative: WRAPPED_SOL,
    pollMs: config.pollMs ?? facts.blockTimeMs,
    explorerUrl: config.explorerUrl ?? facts.explorerUrl,
    local: config.local,
    executorMinimum: config.executorMinimum ?? null,
    relay: config.relay ?? [],
    priceSource: config.priceFeeds ? { ...config.priceFeeds, feeds: config.priceFeeds.feeds as Address[] } : null,
    publicRpcUrl: config.local ? (config.rpcUrls[0] ?? null) : facts.publicRpcUrl,
  };
}

function connect(url: string): Connection {
  return new Connection(url, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: async (input, init) => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return bounded(await fetch(input as string, { ...(init as RequestInit), signal }));
    },
  });
}

/** Of an answer, so that one without an end fills no memory. As much as is taken of a node of EVM. */
const MOST_BYTES = 10_485_760;

function bounded(answer: Response): Response {
  let size = 0;
  const counted = answer.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size > MOST_BYTES) controller.error(new Error(`an answer has more than ${MOST_BYTES} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted ?? null, answer);
}

/** Runs a read at the first endpoint that answers. @throws AppError `provider_unavailable` */
export async function readingSolana<T>(chain: SolanaChain, read: (at: Connection) => Promise<T>): Promise<T> {
  let cause: unknown;
  for (const [index, endpoint] of [...chain.endpoints, ...chain.endpoints.slice(0, 1)].entries()) {
    try {
      if (index === chain.endpoints.length) await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      return await read(endpoint);
    } catch (error) {
      cause = error;
    }
  }
  throw new AppError('provider_unavailable', `${chain.facts.label} does not answer`, { cause });
}

/** An ed25519 key of ours. */
export type SolanaKey = { address: SolanaAddress; key: KeyObject };

/** @param secret the 64 bytes that wallets export: the seed, then the public key. @throws RangeError when they do not belong together */
export function solanaKeyOf(secret: Uint8Array): SolanaKey {
  const key = ed25519PrivateKey(secret.subarray(0, 32));
  const publicKey = ed25519PublicBytes(key);
  if (secret.length !== 64 || !publicKey.equals(secret.subarray(32)))
    throw new RangeError('a key of Solana is 64 bytes: its seed and its address');
  return { address: solanaAddressOf(publicKey), key };
}

/** The key's signature over these bytes. */
export function signBytes({ key }: SolanaKey, bytes: Uint8Array): Uint8Array {
  return sign(null, bytes, key);
}

/** What a transaction does; its block hash and its fees come when it is signed. */
export type SolanaCall = { instructions: TransactionInstruction[]; units: number };

/** A block hash, and the last block height at which a transaction with it can land. */
export type SolanaLifetime = { blockhash: string; lastValidHeight: bigint };

/** @throws AppError `provider_unavailable` */
export async function newestLifetime(chain: SolanaChain): Promise<SolanaLifetime> {
  const { blockhash, lastValidBlockHeight } = await readingSolana(chain, (at) => at.getLatestBlockhash('confirmed'));
  return { blockhash, lastValidHeight: BigInt(lastValidBlockHeight) };
}

/** Micro-lamports a compute unit that are never exceeded: at 200,000 units about 0.0002 SOL. */
export const HIGHEST_UNIT_PRICE = 1_000_000;
/** Where no priority is paid for, this much is offered all the same: blocks are filled by price. */
const LEAST_UNIT_PRICE = 1_000;

/**
 * What to pay for a compute unit: the upper quartile of what recent blocks took for these accounts, more with each attempt that did not land.
 * @returns micro-lamports
 * @throws AppError `provider_unavailable`
 */
export async function unitPrice(
  chain: SolanaChain,
  writable: readonly SolanaAddress[],
  attempt: number,
): Promise<number> {
  const fees = await readingSolana(chain, (at) =>
    at.getRecentPrioritizationFees({ lockedWritableAccounts: writable.slice(0, 64).map((one) => new PublicKey(one)) }),
  );
  const sorted = fees.map(({ prioritizationFee }) => prioritizationFee).sort((a, b) => a - b);
  const market = sorted[Math.floor(sorted.length * 0.75)] ?? 0;
  return Math.min(HIGHEST_UNIT_PRICE, Math.max(LEAST_UNIT_PRICE, market) * 2 ** Math.min(attempt, 10));
}

/** The bytes that are signed. */
export function compileMessage(
  payer: SolanaAddress,
  { instructions, units }: SolanaCall,
  price: number,
  { blockhash }: Pick<SolanaLifetime, 'blockhash'>,
): MessageV0 {
  return MessageV0.compile({
    payerKey: new PublicKey(payer),
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price }),
      ...instructions,
    ],
    recentBlockhash: blockhash,
    addressLookupTableAccounts: [],
  });
}

/** The most bytes of a transaction. */
export const TRANSACTION_BYTES = 1_232;

/** Whether a call fits a transaction that a key of ours pays for. */
export function fitsTransaction(payer: SolanaAddress, call: SolanaCall): boolean {
  try {
    const message = compileMessage(payer, call, HIGHEST_UNIT_PRICE, { blockhash: WRAPPED_SOL });
    return 1 + 64 * message.header.numRequiredSignatures + message.serialize().length <= TRANSACTION_BYTES;
  } catch {
    return false;
  }
}

/** Adds our signatures to a transaction's others. Nothing leaves the process. @returns its bytes in base64 and its signature, which names it */
export function signMessageOf(
  message: MessageV0,
  keys: readonly SolanaKey[],
  others: ReadonlyMap<SolanaAddress, Uint8Array> = new Map(),
): { raw: string; signature: string } {
  const bytes = message.serialize();
  const transaction = new VersionedTransaction(message);
  for (const [index, account] of message.staticAccountKeys.slice(0, message.header.numRequiredSignatures).entries()) {
    const address = account.toBase58();
    const key = keys.find((one) => one.address === address);
    const signature = key ? signBytes(key, bytes) : others.get(address);
    if (signature) transaction.signatures[index] = signature;
  }
  return {
    raw: Buffer.from(transaction.serialize()).toString('base64'),
    signature: solanaSignatureOf(transaction.signatures[0] ?? new Uint8Array(64)),
  };
}

/** Sends signed bytes. Sending the same bytes again is always harmless. Our own simulation came before, so the node's is left out. */
export async function broadcastSolana(chain: SolanaChain, raw: string): Promise<BroadcastOutcome> {
  const outcomes = await Promise.all(
    chain.endpoints.map(async (endpoint): Promise<BroadcastOutcome> => {
      try {
        await endpoint.sendRawTransaction(Buffer.from(raw, 'base64'), { skipPreflight: true, maxRetries: 0 });
        return { kind: 'sent' };
      } catch (error) {
        const text = error instanceof SendTransactionError ? error.transactionError.message : String(error);
        if (/already been processed/i.test(text)) return { kind: 'sent' };
        return { kind: 'unknown', reason: 'no clear answer from the node' };
      }
    }),
  );
  return outcomes.find(({ kind }) => kind === 'sent') ?? outcomes[0] ?? { kind: 'unknown', reason: 'no endpoint' };
}
