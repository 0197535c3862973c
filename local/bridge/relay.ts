// A local Relay: quotes, deposits, fills and reports in the wire format of the real one, and moves real tokens between the local chains.
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { openEvmPlace } from './evmPlace.ts';
import type { Faults } from './faults.ts';
import type { BridgeChain } from './ledger.ts';
import type { RelayPlace } from './place.ts';
import { openSolanaPlace, type SolanaBridgeChain } from './solanaPlace.ts';

const LOOK_EVERY_MS = 300;
/** Deposits of older requests are not looked for. */
const OPEN_MS = 4 * 3_600_000;
/** Micro-USD: gas of a fill, and the flat fee. Of 10,000: what a swap takes. */
const GAS_USD = 8_000n;
const FLAT_USD = 20_000n;
const SWAP_BPS = 15n;

export const RELAY_KEY = 'local-relay-key-without-any-power';

/** Of a chain of any family: which of them it is of is for the chain to say. */
const address = z.string().regex(/^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/);
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
  id: string;
  /** By what the depository of Solana knows it. */
  orderId: string;
  createdAt: number;
  origin: number;
  destination: number;
  inputToken: string;
  outputToken: string;
  input: string;
  output: string;
  recipient: string;
  refundTo: string;
  status: Status;
  inHash: string | null;
  outHash: string | null;
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
  solana?: SolanaBridgeChain | undefined;
  faults: Faults;
  dataFile?: string | undefined;
  webhookUrl?: string | undefined;
  clock?: (() => number) | undefined;
  every?: boolean;
  log?: (line: string) => void;
};

export async function startRelay(options: RelayOptions): Promise<LocalRelay> {
  const { chains, solana, faults, dataFile, webhookUrl, clock = Date.now, every = true, log = () => {} } = options;
  const opened: RelayPlace[] = await Promise.all(chains.map(openEvmPlace));
  if (solana) opened.push(await openSolanaPlace(solana));
  const places = new Map(opened.map((place) => [place.chainId, place]));
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
      const mine = waits.filter(({ origin }) => origin === place.chainId);
      for (const { id, hash } of await place.readDeposits(mine)) take(id, hash);
    }
    for (const request of open)
      if (['pending', 'delayed'].includes(request.status) || isOwed(request)) await settle(request, now);
  }

  function take(id: string, hash: string): void {
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
    const place = places.get(chainId);
    if (!place) return;
    const outHash = await place.pay(to, token, BigInt(amount));
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
      const found = priceOf(parsed.data, places);
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
        orderId: `0x${randomBytes(32).toString('hex')}`,
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
      return [200, quoteBody(places, request, user, found)];
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

type Priced = {
  input: bigint;
  decimalsIn: number;
  decimalsOut: number;
  usdIn: bigint;
  usdOut: bigint;
  /** Of the fill, with what it costs to open the recipient's account. */
  gasUsd: bigint;
};

/** USDC is a dollar, a native asset what its feed says; null for what is neither, and for an address of another family. */
function priceOf(wish: z.output<typeof quoteInput>, places: ReadonlyMap<number, RelayPlace>): Priced | null {
  const { originChainId, destinationChainId, originCurrency, destinationCurrency, amount } = wish;
  const [origin, destination] = [places.get(originChainId), places.get(destinationChainId)];
  const from = origin?.assetOf(originCurrency);
  const to = destination?.assetOf(destinationCurrency);
  if (!origin || !destination || !from || !to || (origin === destination && from.kind === to.kind)) return null;
  const { user, refundTo, recipient } = wish;
  if (!origin.isAddress(user) || !origin.isAddress(refundTo) || !destination.isAddress(recipient)) return null;
  const usdOut = (BigInt(amount) * to.microUsd) / 10n ** BigInt(to.decimals);
  const swap = from.kind === to.kind && from.microUsd === to.microUsd ? 0n : (usdOut * SWAP_BPS) / 10_000n + 1n;
  const gasUsd = GAS_USD + destination.openingUsd(recipient, destinationCurrency);
  const usdIn = usdOut + gasUsd + FLAT_USD + swap + 1n;
  const input = (usdIn * 10n ** BigInt(from.decimals) + from.microUsd - 1n) / from.microUsd;
  return { input, decimalsIn: from.decimals, decimalsOut: to.decimals, usdIn, usdOut, gasUsd };
}

const usd = (micros: bigint) => (Number(micros) / 1e6).toFixed(6);

function quoteBody(
  places: ReadonlyMap<number, RelayPlace>,
  request: Request,
  user: string,
  { input, decimalsIn, decimalsOut, usdIn, usdOut, gasUsd }: Priced,
): object {
  const data = places.get(request.origin)?.depositData(request, user, input);
  const currency = (chainId: number, token: string, decimals: number) => ({ chainId, address: token, decimals });
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
      relayerGas: { amount: '0', amountUsd: usd(gasUsd) },
      relayer: { amount: '0', amountUsd: usd(gasUsd + FLAT_USD) },
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
