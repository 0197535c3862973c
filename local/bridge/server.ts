// The bridges of the local stack: Across's filler and prices, and a Relay. With faults, and the wire formats of the real ones.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { CHAINS } from '../../src/domain/chains.ts';
import { foreignCall, listenOn, readBody, sendJson } from '../platforms/platformServer.ts';
import { type BridgeName, createFaults, type Faults, faultInput } from './faults.ts';
import { type Filler, startFiller } from './filler.ts';
import type { BridgeChain } from './ledger.ts';
import { type LocalRelay, startRelay } from './relay.ts';
import type { SolanaBridgeChain } from './solanaPlace.ts';

const MOST_BYTES = 256 * 1_024;

export type RunningBridges = {
  url: string;
  acrossUrl: string;
  relayUrl: string;
  chains: readonly BridgeChain[];
  faults: Faults;
  filler: Filler;
  relay: LocalRelay;
  close(): Promise<void>;
};

export type BridgesOptions = {
  chains: readonly BridgeChain[];
  /** Relay alone leads there. */
  solana?: SolanaBridgeChain | undefined;
  port?: number;
  /** Where Relay keeps its requests across restarts, and where it posts their changes. */
  dataFile?: string;
  webhookUrl?: string;
  /** Unix milliseconds, for delays and for what Relay signs. */
  clock?: () => number;
  /** False for bridges that look only on `look`. */
  every?: boolean;
  log?: (line: string) => void;
};

/** The roots of the two APIs. */
export const acrossRoot = (url: string) => `${url}/across/api`;
export const relayRoot = (url: string) => `${url}/relay`;

type Hub = { chains: readonly BridgeChain[]; faults: Faults; relay: LocalRelay };

export async function startBridges(options: BridgesOptions): Promise<RunningBridges> {
  const { chains, solana, port = 0, every = true, log = () => {}, dataFile, webhookUrl, clock } = options;
  const faults = createFaults();
  const [filler, relay] = await Promise.all([
    startFiller(chains, faults, { every, log, ...(clock ? { clock } : {}) }),
    startRelay({ chains, solana, faults, dataFile, webhookUrl, clock, every, log }),
  ]);
  const hub: Hub = { chains, faults, relay };
  const server = await listenOn({ name: 'bridges', host: '127.0.0.1', port }, (request, response) => {
    serve(hub, request, response).catch((error: unknown) => {
      log(`the local bridges: ${(error as Error).message}`);
      sendJson(response, 500, { message: 'the local bridges failed' });
    });
  });
  return {
    url: server.url,
    acrossUrl: acrossRoot(server.url),
    relayUrl: relayRoot(server.url),
    chains,
    faults,
    filler,
    relay,
    async close() {
      await server.close();
      await filler.close();
      await relay.close();
    },
  };
}

async function serve(hub: Hub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refusal = foreignCall([], request, response);
  if (refusal) return sendJson(response, 403, { message: refusal });
  const url = new URL(request.url ?? '/', 'http://local');
  if (url.pathname === '/_user/faults') return serveFaults(hub, request, response);
  if (url.pathname.startsWith('/across/api/'))
    return answerWith(hub, 'across', response, () => sendJson(response, ...across(hub, url)));
  if (url.pathname.startsWith('/relay/'))
    return answerWith(hub, 'relay', response, async () =>
      sendJson(response, ...(await relayAnswer(hub, url, request))),
    );
  sendJson(response, 404, { message: 'no such call' });
}

async function relayAnswer({ relay }: Hub, url: URL, request: IncomingMessage): Promise<[number, object]> {
  if (request.method === 'POST' && url.pathname === '/relay/quote/v2') {
    const body = await readBody(request, MOST_BYTES);
    return relay.quote(JSON.parse(body?.toString('utf8') ?? ''));
  }
  if (url.pathname === '/relay/intents/status/v3') return relay.status(url.searchParams.get('requestId') ?? '');
  return [404, { message: 'no such call' }];
}

async function serveFaults({ faults }: Hub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'DELETE') faults.clear();
  if (request.method === 'POST') {
    const body = await readBody(request, MOST_BYTES);
    const parsed = faultInput.safeParse(JSON.parse(body?.toString('utf8') ?? ''));
    if (!parsed.success) return sendJson(response, 400, { message: z.prettifyError(parsed.error) });
    faults.add(parsed.data);
  }
  sendJson(response, 200, { faults: faults.list() });
}

/** An answer as a fault leaves it. */
async function answerWith(
  { faults }: Hub,
  bridge: BridgeName,
  response: ServerResponse,
  answer: () => Promise<void> | void,
): Promise<void> {
  const fault = faults.answer(bridge);
  if (fault?.kind === 'away') return void response.socket?.destroy();
  if (fault?.kind === 'status')
    return sendJson(response, fault.status, { message: `Error ${fault.status}`, errorCode: 'SERVICE_UNAVAILABLE' });
  if (fault) await sleep(fault.ms);
  await answer();
}

/** Of the input, times 10^18: what Across's liquidity and its relayers ask for. */
const CAPITAL_PCT = 100_000_000_000_000n;
const LP_PCT = 50_000_000_000_000n;
/** A fill's gas, in micro-USD. */
const FILL_GAS = 15_000n;
const LIMITS = { least: 100_000n, most: 250_000_000_000n };

const feesQuery = z.object({
  inputToken: z.string(),
  outputToken: z.string(),
  originChainId: z.coerce.number(),
  destinationChainId: z.coerce.number(),
  amount: z.string().regex(/^\d+$/).transform(BigInt),
});

/** The status and body of an answer. */
function across({ chains, faults }: Hub, url: URL): [number, object] {
  if (!url.pathname.endsWith('/suggested-fees')) return [404, { message: 'no such call' }];
  const parsed = feesQuery.safeParse(Object.fromEntries(url.searchParams));
  if (!parsed.success)
    return [
      400,
      {
        type: 'AcrossApiError',
        code: 'INVALID_PARAM',
        message: z.prettifyError(parsed.error),
      },
    ];
  const { inputToken, outputToken, originChainId, destinationChainId, amount } = parsed.data;
  const [origin, destination] = [originChainId, destinationChainId].map((id) =>
    chains.find(({ chainId }) => chainId === id),
  );
  const isRoute =
    origin?.usdc.toLowerCase() === inputToken.toLowerCase() &&
    destination?.usdc.toLowerCase() === outputToken.toLowerCase();
  if (!origin || !destination || !isRoute || origin === destination)
    return [
      400,
      {
        type: 'AcrossApiError',
        code: 'ROUTE_NOT_ENABLED',
        message: 'This route is not enabled.',
      },
    ];
  const unit = 10n ** BigInt(CHAINS[origin.name].usdcDecimals - 6);
  const capitalPct = CAPITAL_PCT + (faults.price('across') ? 5n * 10n ** 16n : 0n);
  const total = (pct: bigint) => (amount * pct) / 10n ** 18n;
  const gas = FILL_GAS * unit;
  const gasPct = amount > 0n ? (gas * 10n ** 18n) / amount : 0n;
  const fee = (pct: bigint, units: bigint) => ({ pct: String(pct), total: String(units) });
  const body = {
    estimatedFillTimeSec: 2,
    capitalFeePct: String(capitalPct),
    relayGasFeePct: String(gasPct),
    lpFeePct: String(LP_PCT),
    timestamp: String(Math.floor(Date.now() / 1_000)),
    isAmountTooLow: amount < LIMITS.least * unit,
    spokePoolAddress: origin.across.pool,
    exclusiveRelayer: '0x0000000000000000000000000000000000000000',
    exclusivityDeadline: 0,
    totalRelayFee: fee(capitalPct + LP_PCT + gasPct, total(capitalPct + LP_PCT) + gas),
    relayerCapitalFee: fee(capitalPct, total(capitalPct)),
    relayerGasFee: fee(gasPct, gas),
    lpFee: fee(LP_PCT, total(LP_PCT)),
    limits: {
      minDeposit: String(LIMITS.least * unit),
      maxDeposit: String(LIMITS.most * unit),
      maxDepositInstant: String(LIMITS.most * unit),
      maxDepositShortDelay: String(LIMITS.most * unit),
      recommendedDepositInstant: String(LIMITS.most * unit),
    },
  };
  return [200, body];
}
