// A local Relay: quotes, deposits, fills and reports in the wire format of the real one, and moves real tokens between the local chains.
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import {
  type Address,
  concatHex,
  encodeFunctionData,
  erc20Abi,
  getAbiItem,
  type Hex,
  isAddressEqual,
  size,
  slice,
  zeroAddress,
} from 'viem';
import { z } from 'zod';
import { CHAINS } from '../../src/domain/chains.ts';
import { sendAll } from '../chains/deploy/send.ts';
import { localKey } from '../stack/people.ts';
import type { Faults } from './faults.ts';
import { type BridgeChain, type Ledger, openLedger } from './ledger.ts';

const LOOK_EVERY_MS = 300;
/** Deposits of older requests are not looked for. */
const OPEN_MS = 4 * 3_600_000;
/** Micro-USD: gas of a fill, and the flat fee. Of 10,000: what a swap takes. */
const GAS_USD = 8_000n;
const FLAT_USD = 20_000n;
const SWAP_BPS = 15n;

export const RELAY_KEY = 'local-relay-key-without-any-power';

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text as Address);
const quoteInput = z.object({
  user: address,
  recipient: address,
  originChainId: z.number(),
  destinationChainId: z.number(),
  originCurrency: address,
  destinationCurrency: address,
  amount: z.string().regex(/^[1-9]\d{0,77}$/),
  tradeType: z.literal('EXACT_OUTPUT'),
  refundTo: address,
  slippageTolerance: z
    .string()
    .regex(/^\d{1,4}$/)
    .optional(),
});

type Status = 'waiting' | 'pending' | 'delayed' | 'success' | 'refund' | 'failure';
type Request = {
  id: Hex;
  createdAt: number;
  origin: number;
  destination: number;
  inputToken: Address;
  outputToken: Address;
  input: string;
  output: string;
  recipient: Address;
  refundTo: Address;
  status: Status;
  inHash: Hex | null;
  outHash: Hex | null;
  reason: string | null;
  /** What is to become of it, and when: Unix milliseconds. `returnsAt` is when what failed first goes back. */
  fate: 'fill' | 'refund' | 'fail' | 'fail_first' | 'nothing';
  at: number;
  returnsAt: number | null;
};

/** A failure that goes back later. */
const isOwed = ({ status, fate }: Request) => status === 'failure' && fate === 'refund';

export type LocalRelay = {
  quote(body: unknown): [number, object];
  status(requestId: string): [number, object];
  /** One look at every chain: what was paid in is filled. */
  look(): Promise<void>;
  close(): Promise<void>;
};

export type RelayOptions = {
  chains: readonly BridgeChain[];
  faults: Faults;
  dataFile?: string | undefined;
  webhookUrl?: string | undefined;
  clock?: (() => number) | undefined;
  every?: boolean;
  log?: (line: string) => void;
};

type Place = { ledger: Ledger; next: bigint };

/** The account that takes deposits and fills. */
export function solverAddress(): Address {
  return localKey('relay solver').address;
}

export async function startRelay(options: RelayOptions): Promise<LocalRelay> {
  const { chains, faults, dataFile, webhookUrl, clock = Date.now, every = true, log = () => {} } = options;
  const opened = await Promise.all(
    chains.map(async (chain): Promise<[number, Place]> => {
      const ledger = await openLedger(chain, 'relay solver');
      return [chain.chainId, { ledger, next: await ledger.local.client.getBlockNumber({ cacheTime: 0 }) }];
    }),
  );
  const places = new Map(opened);
  const requests = new Map<string, Request>(readRequests(dataFile).map((request) => [request.id, request]));
  const save = () => writeRequests(dataFile, [...requests.values()], clock());
  const webhooks: Promise<void>[] = [];

  function change(request: Request, patch: Partial<Request>): void {
    Object.assign(request, patch);
    save();
    if (webhookUrl)
      webhooks.push(publish(webhookUrl, request, faults, clock).catch(() => log('a webhook was not taken')));
  }

  async function round(): Promise<void> {
    const now = clock();
    const open = [...requests.values()].filter(({ createdAt }) => now - createdAt < OPEN_MS);
    const waits = open.filter(({ status }) => status === 'waiting');
    for (const place of places.values()) {
      const mine = waits.filter(({ origin }) => origin === place.ledger.chainId);
      for (const { id, hash } of await readDeposits(place, mine)) take(id, hash);
    }
    for (const request of open)
      if (['pending', 'delayed'].includes(request.status) || isOwed(request)) await settle(request, now);
  }

  function take(id: Hex, hash: Hex): void {
    const request = requests.get(id);
    if (request?.status !== 'waiting') return;
    const fault = faults.transfer('relay');
    const fates = {
      never_filled: 'nothing',
      refunded: 'refund',
      drifted: 'refund',
      failed: 'fail',
      delayed: 'fill',
    } as const;
    const named = fault ? (fates[fault.kind as keyof typeof fates] ?? 'fill') : 'fill';
    const fate = named === 'fail' && fault && fault.ms > 0 ? 'fail_first' : named;
    const reason =
      fault?.kind === 'drifted'
        ? 'SLIPPAGE'
        : fate === 'refund'
          ? 'TTL_EXPIRED'
          : named === 'fail'
            ? 'BLOCKED_WALLET'
            : null;
    change(request, {
      status: fault?.kind === 'delayed' ? 'delayed' : 'pending',
      inHash: hash,
      fate,
      reason,
      at: clock() + (fate === 'fail_first' ? 0 : (fault?.ms ?? 0)),
      returnsAt: fate === 'fail_first' ? clock() + (fault?.ms ?? 0) : null,
    });
  }

  async function settle(request: Request, now: number): Promise<void> {
    const { fate, at, origin, destination, inputToken, outputToken, recipient, refundTo } = request;
    if (fate === 'nothing' || at > now) return;
    if (fate === 'fail') return change(request, { status: 'failure' });
    if (fate === 'fail_first')
      return change(request, { status: 'failure', fate: 'refund', at: request.returnsAt ?? 0 });
    const [chainId, to, token, amount] =
      fate === 'fill'
        ? [destination, recipient, outputToken, request.output]
        : [origin, refundTo, inputToken, request.input];
    const ledger = places.get(chainId)?.ledger;
    if (!ledger) return;
    const outHash = await pay(ledger, to, token, BigInt(amount));
    change(request, { status: fate === 'fill' ? 'success' : 'refund', outHash });
  }

  let running = Promise.resolve();
  const look = () => {
    const turn = running.then(round);
    running = turn.catch((error: unknown) => log(`the local Relay: ${(error as Error).message}`));
    return turn;
  };
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const again = () => {
    if (!closed)
      timer = setTimeout(
        () =>
          void look()
            .catch(() => {})
            .finally(again),
        LOOK_EVERY_MS,
      );
  };
  if (every) again();

  return {
    quote(body) {
      const parsed = quoteInput.safeParse(body);
      if (!parsed.success) return [400, { message: z.prettifyError(parsed.error), errorCode: 'INVALID_INPUT' }];
      const found = priceOf(parsed.data, chains);
      if (!found) return [400, { message: 'No route', errorCode: 'UNSUPPORTED_ROUTE' }];
      const {
        user,
        recipient,
        refundTo,
        originCurrency,
        destinationCurrency,
        amount,
        originChainId,
        destinationChainId,
      } = parsed.data;
      const request: Request = {
        id: `0x${randomBytes(32).toString('hex')}`,
        createdAt: clock(),
        origin: originChainId,
        destination: destinationChainId,
        inputToken: originCurrency,
        outputToken: destinationCurrency,
        input: String(found.input),
        output: amount,
        recipient,
        refundTo,
        status: 'waiting',
        inHash: null,
        outHash: null,
        reason: null,
        fate: 'fill',
        at: 0,
        returnsAt: null,
      };
      requests.set(request.id, request);
      save();
      return [200, quoteBody(request, user, found)];
    },
    status(requestId) {
      const request = requests.get(requestId.toLowerCase());
      if (!request) return [404, { message: 'Request not found', errorCode: 'REQUEST_NOT_FOUND' }];
      return [200, statusBody(request)];
    },
    look,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
      await Promise.all(webhooks);
    },
  };
}

type Priced = { input: bigint; decimalsIn: number; decimalsOut: number; usdIn: bigint; usdOut: bigint };

/** USDC is a dollar, a native asset what its feed says; null for what is neither. */
function priceOf(
  { originChainId, destinationChainId, originCurrency, destinationCurrency, amount }: z.output<typeof quoteInput>,
  chains: readonly BridgeChain[],
): Priced | null {
  const [origin, destination] = [originChainId, destinationChainId].map((id) =>
    chains.find(({ chainId }) => chainId === id),
  );
  const from = origin && assetOf(origin, originCurrency);
  const to = destination && assetOf(destination, destinationCurrency);
  if (!from || !to || (origin === destination && from.kind === to.kind)) return null;
  const usdOut = (BigInt(amount) * to.microUsd) / 10n ** BigInt(to.decimals);
  const swap = from.kind === to.kind && from.microUsd === to.microUsd ? 0n : (usdOut * SWAP_BPS) / 10_000n + 1n;
  const usdIn = usdOut + GAS_USD + FLAT_USD + swap + 1n;
  const input = (usdIn * 10n ** BigInt(from.decimals) + from.microUsd - 1n) / from.microUsd;
  return { input, decimalsIn: from.decimals, decimalsOut: to.decimals, usdIn, usdOut };
}

function assetOf(chain: BridgeChain, token: Address): { kind: string; decimals: number; microUsd: bigint } | null {
  const { usdcDecimals, nativeDecimals, native } = CHAINS[chain.name];
  if (isAddressEqual(token, chain.usdc)) return { kind: 'USDC', decimals: usdcDecimals, microUsd: 1_000_000n };
  if (!isAddressEqual(token, zeroAddress)) return null;
  return { kind: native, decimals: nativeDecimals, microUsd: BigInt(Math.round(chain.nativeUsdPrice * 1e6)) };
}

const usd = (micros: bigint) => (Number(micros) / 1e6).toFixed(6);

/** A native deposit carries the request's id as its data, a token's transfer behind its arguments. */
function quoteBody(request: Request, user: Address, { input, decimalsIn, decimalsOut, usdIn, usdOut }: Priced): object {
  const solver = solverAddress();
  const isNative = isAddressEqual(request.inputToken, zeroAddress);
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [solver, input] });
  const data = isNative
    ? { from: user, to: solver, data: request.id, value: String(input), chainId: request.origin }
    : {
        from: user,
        to: request.inputToken,
        data: concatHex([transfer, request.id]),
        value: '0',
        chainId: request.origin,
      };
  const currency = (chainId: number, token: Address, decimals: number) => ({ chainId, address: token, decimals });
  const check = { endpoint: `/intents/status/v3?requestId=${request.id}`, method: 'GET' };
  return {
    steps: [
      {
        id: 'deposit',
        action: 'Confirm transaction in your wallet',
        description: 'Deposit funds for the relay',
        kind: 'transaction',
        requestId: request.id,
        items: [{ status: 'incomplete', data, check }],
      },
    ],
    fees: {
      relayerGas: { amount: '0', amountUsd: usd(GAS_USD) },
      relayer: { amount: '0', amountUsd: usd(GAS_USD + FLAT_USD) },
    },
    details: {
      operation: 'swap',
      timeEstimate: 2,
      currencyIn: {
        currency: currency(request.origin, request.inputToken, decimalsIn),
        amount: request.input,
        amountUsd: usd(usdIn),
      },
      currencyOut: {
        currency: currency(request.destination, request.outputToken, decimalsOut),
        amount: request.output,
        minimumAmount: request.output,
        amountUsd: usd(usdOut),
      },
    },
  };
}

function statusBody({ status, inHash, outHash, reason, destination, origin }: Request): object {
  return {
    status,
    inTxHashes: inHash ? [inHash] : [],
    txHashes: outHash ? [outHash] : [],
    originChainId: origin,
    destinationChainId: destination,
    ...(reason === null ? {} : { failReason: reason }),
  };
}

/** Looks only at blocks that came while something was waited for. */
async function readDeposits(place: Place, waits: readonly Request[]): Promise<{ id: Hex; hash: Hex }[]> {
  const { ledger } = place;
  const { client } = ledger.local;
  const head = await client.getBlockNumber({ cacheTime: 0 });
  if (head < place.next) place.next = head;
  // A request of any age may be paid at any time, and its block may be the newest that was seen.
  if (waits.length === 0) {
    place.next = head;
    return [];
  }
  const solver = solverAddress();
  const found: { id: Hex; hash: Hex }[] = [];
  for (let number = place.next; number <= head; number += 1n) {
    const { transactions } = await client.getBlock({ blockNumber: number, includeTransactions: true });
    for (const { to, input, hash, value } of transactions) {
      const isNative = to !== null && isAddressEqual(to, solver) && size(input) === 32;
      const isToken = to !== null && isAddressEqual(to, ledger.usdc) && size(input) === 100;
      const id = isNative ? input : isToken ? slice(input, 68) : null;
      const request = waits.find((one) => one.id === id);
      if (!request) continue;
      const paid = isNative ? value : await tokenPaid(place, hash);
      if (paid >= BigInt(request.input)) found.push({ id: request.id, hash });
    }
  }
  place.next = head + 1n;
  return found;
}

async function tokenPaid({ ledger }: Place, hash: Hex): Promise<bigint> {
  const { client } = ledger.local;
  const { blockNumber, status } = await client.getTransactionReceipt({ hash });
  if (status !== 'success') return 0n;
  const logs = await client.getLogs({
    address: ledger.usdc,
    event: getAbiItem({ abi: erc20Abi, name: 'Transfer' }),
    args: { to: solverAddress() },
    fromBlock: blockNumber,
    toBlock: blockNumber,
    strict: true,
  });
  return logs.filter(({ transactionHash }) => transactionHash === hash).reduce((sum, { args }) => sum + args.value, 0n);
}

async function pay({ local }: Ledger, to: Address, token: Address, amount: bigint): Promise<Hex> {
  const isNative = isAddressEqual(token, zeroAddress);
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });
  const [hash] = await sendAll(local, [isNative ? { to, data: '0x', value: amount } : { to: token, data }]);
  if (!hash) throw new Error('a payment has a transaction');
  return hash;
}

async function publish(url: string, request: Request, faults: Faults, clock: () => number): Promise<void> {
  const fault = faults.webhook('relay');
  if (fault?.kind === 'no_webhook') return;
  const bodyOf = (status: string) =>
    JSON.stringify({
      event: 'request.status.updated',
      timestamp: clock(),
      data: { requestId: request.id, ...statusBody(request), status },
    });
  const bodies = [bodyOf(request.status)];
  if (fault?.kind === 'duplicate_webhook') bodies.push(bodies[0] ?? '');
  // The one before comes once more, after the one that replaced it.
  if (fault?.kind === 'reordered_webhook') bodies.push(bodyOf('pending'));
  for (const body of bodies) {
    const timestamp = String(clock());
    const signature = createHmac('sha256', RELAY_KEY).update(`${timestamp}.${body}`).digest('hex');
    await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-signature-timestamp': timestamp,
        'x-signature-sha256': signature,
      },
      body,
      signal: AbortSignal.timeout(5_000),
    });
  }
}

function readRequests(file: string | undefined): Request[] {
  if (file === undefined) return [];
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Request[];
  } catch {
    return [];
  }
}

/** Whole or not at all; what is long over is dropped. */
function writeRequests(file: string | undefined, requests: readonly Request[], now: number): void {
  if (file === undefined) return;
  const kept = requests.filter(({ createdAt }) => now - createdAt < OPEN_MS);
  writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
