// One EVM chain as the services see it: reading, signing and broadcasting, with time limits and several endpoints. No database here.
import {
  type Address,
  BaseError,
  createPublicClient,
  fallback,
  type Hash,
  type Hex,
  keccak256,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { CHAINS, type ChainFacts, type ChainName, PERMIT2 } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import type { RouterName, Routers } from '../routers/code.ts';
import { answersUntil, PATIENCE_MS } from './answers.ts';
import { rpcTransport } from './transport.ts';

export type EvmChain = {
  family: 'evm';
  name: ChainName;
  facts: ChainFacts;
  client: PublicClient;
  /** One client an endpoint, in the order of the configuration: for questions on which all of them must agree, and for measuring each. */
  endpoints: PublicClient[];
  usdc: Address;
  wrappedNative: Address;
  permit2: Address;
  routers: Routers;
  /** Across's SpokePool and SpokePoolPeriphery, and our adapter, through which tips leave this chain. */
  across: { pool: Address; periphery: Address; adapter: Address | null } | null;
  /** What of Relay's a wallet may pay or approve; empty where Relay is not used. */
  relay: Address[];
  priceFeeds: Address[];
  /** Whether the sequencer of a rollup is up; null where no feed says so. */
  sequencerFeed: Address | null;
  confirmations: number;
  /** How often the chain is polled while something is open. */
  pollMs: number;
  explorerUrl: string;
  local: boolean;
  /** The native balance, in whole units, below which an executor key counts as low on gas; null for a number of transactions. */
  executorMinimum: string | null;
  /** The block in which the routers were deployed: where looking for their events begins; null for now. */
  deployedAtBlock: number | null;
};

export type EvmChainConfig = {
  rpcUrls: string[];
  usdc?: string | undefined;
  wrappedNative?: string | undefined;
  permit2?: string | undefined;
  routers: Readonly<Record<RouterName, string>>;
  across?: { pool: string; periphery: string; adapter?: string | undefined } | undefined;
  relay?: string[] | undefined;
  priceFeeds: string[];
  sequencerFeed?: string | undefined;
  confirmations?: number | undefined;
  pollMs?: number | undefined;
  explorerUrl?: string | undefined;
  executorMinimum?: string | undefined;
  deployedAtBlock?: number | undefined;
  local: boolean;
};

export type Fees = { maxFee: bigint; priorityFee: bigint };

/** What a node said to a broadcast. `unknown` means that the bytes may or may not have arrived. */
export type BroadcastOutcome =
  | { kind: 'sent' }
  | { kind: 'fee_too_low' | 'nonce_too_low' | 'refused' | 'unknown'; reason: string };

export function createEvmChain(name: ChainName, config: EvmChainConfig): EvmChain {
  const facts = CHAINS[name];
  const transports = config.rpcUrls.map((url) =>
    rpcTransport(url, { timeout: 5_000, retryCount: 1, retryDelay: 150, batch: true }),
  );
  const [first, ...others] = transports;
  return {
    family: 'evm',
    name,
    facts,
    // A list of several builds one for each request.
    client: createPublicClient({
      transport: first && others.length === 0 ? first : fallback(transports, { retryCount: 0 }),
      cacheTime: 0,
    }),
    endpoints: transports.map((transport) => createPublicClient({ transport, cacheTime: 0 })),
    usdc: (config.usdc ?? facts.usdc) as Address,
    wrappedNative: (config.wrappedNative ?? facts.wrappedNative) as Address,
    permit2: (config.permit2 ?? PERMIT2) as Address,
    routers: config.routers as Routers,
    across: config.across
      ? {
          pool: config.across.pool as Address,
          periphery: config.across.periphery as Address,
          adapter: (config.across.adapter ?? null) as Address | null,
        }
      : null,
    relay: (config.relay ?? []) as Address[],
    priceFeeds: config.priceFeeds as Address[],
    sequencerFeed: (config.sequencerFeed ?? null) as Address | null,
    confirmations: config.confirmations ?? facts.confirmations,
    pollMs: config.pollMs ?? Math.max(250, Math.floor(facts.blockTimeMs / 2)),
    explorerUrl: config.explorerUrl ?? facts.explorerUrl,
    executorMinimum: config.executorMinimum ?? null,
    deployedAtBlock: config.deployedAtBlock ?? null,
    local: config.local,
  };
}

/** Runs a read. @throws AppError `provider_unavailable` when the chain does not answer; reverts pass through unchanged */
export async function reading<T>(chain: EvmChain, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isRevert(error)) throw error;
    throw new AppError('provider_unavailable', `${chain.facts.label} does not answer`, { cause: error });
  }
}

/** What one block has room for. @throws AppError `provider_unavailable` */
export async function blockGas(chain: EvmChain): Promise<bigint> {
  return (await reading(chain, () => chain.client.getBlock())).gasLimit;
}

/** Whether an error is the contract's own word (a revert) and not a fault on the way to it. */
export function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const cause = error.walk((inner) => {
    const { name, code } = inner as { name?: string; code?: number };
    return name === 'ContractFunctionRevertedError' || name === 'ExecutionRevertedError' || code === 3;
  });
  return cause !== null;
}

/** The least that an endpoint asks for: no other one has a say in what a key pays. @throws AppError `provider_unavailable` */
export async function currentFees(chain: EvmChain): Promise<Fees> {
  const asked = chain.endpoints.map(feesBy);
  const [first, ...others] = await answersUntil(asked, ({ length }) => length === asked.length, PATIENCE_MS);
  if (!first) throw new AppError('provider_unavailable', `${chain.facts.label} does not answer`);
  return others.reduce((least, fees) => (fees.maxFee < least.maxFee ? fees : least), first);
}

async function feesBy(client: PublicClient): Promise<Fees> {
  const [block, priorityFee] = await Promise.all([client.getBlock(), client.estimateMaxPriorityFeePerGas()]);
  return { maxFee: (block.baseFeePerGas ?? 0n) * 2n + priorityFee, priorityFee };
}

/** A fee above this many times the market is not offered: waiting is cheaper, and a runaway bump could empty the key. */
const HIGHEST_FEE_FACTOR = 10n;

/** Whether another attempt may be signed: its fees stay within what the market could make of them. */
export function isWorthBidding(next: Fees, market: Fees): boolean {
  return (
    next.maxFee <= market.maxFee * HIGHEST_FEE_FACTOR &&
    next.priorityFee <= higher(market.priorityFee, 1_000_000_000n) * HIGHEST_FEE_FACTOR
  );
}

function higher(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Both fees at least an eighth higher, so that every node takes the replacement, and never below the market. */
export function bumpedFees(previous: Fees, market: Fees): Fees {
  const bump = (fee: bigint) => fee + fee / 8n + 1n;
  return {
    maxFee: higher(bump(previous.maxFee), market.maxFee),
    priorityFee: higher(bump(previous.priorityFee), market.priorityFee),
  };
}

export type Call = { to: Address; data: Hex; gas: bigint; nonce: number };

/** Signs an EIP-1559 call; nothing leaves the process. */
export async function signCall(
  chain: EvmChain,
  account: PrivateKeyAccount,
  call: Call,
  fees: Fees,
): Promise<{ raw: Hex; hash: Hash }> {
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: chain.facts.chainId,
    to: call.to,
    data: call.data,
    gas: call.gas,
    nonce: call.nonce,
    value: 0n,
    maxFeePerGas: fees.maxFee,
    maxPriorityFeePerGas: fees.priorityFee,
  });
  return { raw, hash: keccak256(raw) };
}

/** The receipt, or null while there is none. */
export async function receiptOf(chain: EvmChain, hash: Hash): Promise<TransactionReceipt | null> {
  return reading(chain, async () => {
    try {
      return await chain.client.getTransactionReceipt({ hash });
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    }
  });
}

/** The newest block that every endpoint has; null when one of them lags so far that what it shows may be long over. */
export async function commonBlock(chain: EvmChain): Promise<bigint | null> {
  const heads = await Promise.all(chain.endpoints.map((client) => client.getBlockNumber({ cacheTime: 0 })));
  const least = heads.reduce((low, head) => (head < low ? head : low));
  const newest = heads.reduce((most, head) => (head > most ? head : most));
  return newest - least > BigInt(chain.confirmations) ? null : least;
}

export async function headBlock(chain: EvmChain): Promise<bigint> {
  return reading(chain, () => chain.client.getBlockNumber({ cacheTime: 0 }));
}

/** The hash of the block at a height, as hexadecimal text, or null while there is none. */
export async function blockHash(
  chain: EvmChain,
  number: bigint,
  client: PublicClient = chain.client,
): Promise<Hash | null> {
  return reading(chain, async () => {
    const params = [`0x${number.toString(16)}`, false] as const;
    // Without the client's reading of every field: only the hash is needed, and it is read often.
    const block = await client.request({ method: 'eth_getBlockByNumber', params: [...params] });
    return block?.hash ?? null;
  });
}

/** Accounts of private keys: deriving one takes milliseconds, so it is done once at start. */
export function accountsOf(keys: readonly string[]): PrivateKeyAccount[] {
  return keys.map((key) => privateKeyToAccount(key as Hex));
}

export type { Address, Hash, Hex, PrivateKeyAccount, PublicClient, TransactionReceipt };
