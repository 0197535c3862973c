// Relay: its API quotes and reports, and moves any asset. What it asks a wallet to send is compared with the configured contracts before it is shown, and
// what it reports ends nothing: both chains do (see relayProof).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeFunctionData, erc20Abi, isAddressEqual, isHash, slice, zeroAddress } from 'viem';
import { z } from 'zod';
import { RATE_ONE } from '../../domain/smartPayment.ts';
import { readSolanaSignature } from '../../domain/solanaAddress.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';
import type { Chain } from '../chain.ts';
import type { Address, Hex } from '../rpc/client.ts';
import { SYSTEM_PROGRAM } from '../solana/addresses.ts';
import { type Deposit, readDeposit } from '../solana/relayDepository.ts';
import { BridgeRefusal, callBridge } from './http.ts';
import type { Price, PriceRequest } from './price.ts';

export type RelayApi = { root: string; key: string | undefined };

const units = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt);
const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value));
const address = z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value));
const usd = z.string().regex(/^-?\d{1,18}(\.\d{1,30})?$/);
const money = z.object({ amount: units, amountUsd: usd.optional() });
const side = money.extend({
  currency: z.object({ chainId: z.number(), address: z.string().max(64), decimals: z.number() }),
  minimumAmount: units.optional(),
});
const call = z.object({
  from: address,
  to: address,
  data: hex,
  value: z.union([units, z.undefined()]).transform((value) => value ?? 0n),
  chainId: z.number(),
});
/** What a wallet of Solana puts into one transaction. Tables only shorten it: the deposit that we take fits without them. */
const instructions = z.object({
  instructions: z
    .array(
      z.object({
        programId: z.string().max(64),
        keys: z.array(z.object({ pubkey: z.string().max(64), isSigner: z.boolean(), isWritable: z.boolean() })).max(64),
        data: z.string().max(4_096),
      }),
    )
    .min(1)
    .max(16),
  addressLookupTableAddresses: z.array(z.string()).optional(),
});
const quoteAnswer = z.object({
  steps: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      requestId: z.string().optional(),
      items: z.array(z.object({ data: z.unknown() })).optional(),
    }),
  ),
  fees: z.object({ relayerGas: money.optional(), relayer: money.optional() }),
  details: z.object({ timeEstimate: z.number().min(0).max(86_400).optional(), currencyIn: side, currencyOut: side }),
});

const QUOTE_WITHIN_MS = 6_000;
const STATUS_WITHIN_MS = 4_000;
const KEPT_MS = 25_000;
/** Micro-USD that Relay takes for each transfer, beside gas. */
const FLAT_FEE = 20_000n;
/** Above a tenth of the amount it is not worth sending. */
const MOST_RATE = 11n;

/** Relay's own id of Solana, and what stands for SOL there. */
const SOLANA_CHAIN_ID = 792_703_809;
const NATIVE_SOL = SYSTEM_PROGRAM;

/** `token` null for the native asset. */
export type RelaySide = { chainId: number; token: string | null; decimals: number };
export type RelayRequest = {
  payer: string;
  recipient: string;
  input: RelaySide;
  output: RelaySide;
  /** What must arrive, in smallest units. */
  amount: bigint;
  slippageBps: number;
};
export type RelayCall = { purpose: 'approve' | 'pay'; to: Address; data: Hex; value: bigint };
/** `calls` of a wallet of EVM; `deposit` is what a wallet of Solana signs instead. */
export type RelayQuote = {
  requestId: string;
  input: bigint;
  gasUsd: bigint;
  etaS: number;
  calls: RelayCall[];
  deposit: Pick<Deposit, 'program' | 'id'> | null;
};

export function relaySide(chain: Chain, token: string | null, decimals: number): RelaySide {
  return { chainId: chain.family === 'solana' ? SOLANA_CHAIN_ID : chain.facts.chainId, token, decimals };
}

function currencyOf({ chainId, token }: Pick<RelaySide, 'chainId' | 'token'>): string {
  return token ?? (chainId === SOLANA_CHAIN_ID ? NATIVE_SOL : zeroAddress);
}

/**
 * A quote for exactly that to arrive.
 * @param targets Relay's contracts on the origin, or its programs
 * @throws BridgeRefusal also for an answer that asks for anything else, AppError `provider_unavailable`
 */
export async function quoteRelay(
  api: RelayApi,
  request: RelayRequest,
  targets: readonly string[],
  signal?: AbortSignal,
): Promise<RelayQuote> {
  const { payer, recipient, input, output, amount, slippageBps } = request;
  const answer = await callBridge('Relay', quoteAnswer, {
    url: new URL(`${api.root.replace(/\/+$/, '')}/quote/v2`),
    method: 'POST',
    headers: keyOf(api),
    body: {
      user: payer,
      recipient,
      originChainId: input.chainId,
      destinationChainId: output.chainId,
      originCurrency: currencyOf(input),
      destinationCurrency: currencyOf(output),
      amount: String(amount),
      tradeType: 'EXACT_OUTPUT',
      refundTo: payer,
      slippageTolerance: String(slippageBps),
    },
    withinMs: QUOTE_WITHIN_MS,
    signal,
  });
  return readQuote(answer, request, targets);
}

/** @throws BridgeRefusal */
export function readQuote(
  { steps, fees, details }: z.output<typeof quoteAnswer>,
  { payer, input, output, amount }: RelayRequest,
  targets: readonly string[],
): RelayQuote {
  const { currencyIn, currencyOut, timeEstimate = 60 } = details;
  const isOurs = isSide(currencyIn.currency, input) && isSide(currencyOut.currency, output);
  const least = currencyOut.minimumAmount ?? currencyOut.amount;
  if (!isOurs || currencyOut.amount < amount || least < amount) throw odd('other amounts');
  const filled = steps.filter(({ items }) => (items ?? []).length > 0);
  const requestId = filled.map((one) => one.requestId).find((id) => id !== undefined);
  if (requestId === undefined || !/^0x[0-9a-fA-F]{64}$/.test(requestId)) throw odd('no request');
  const asked = filled.flatMap(({ kind, items }) => {
    if (kind !== 'transaction') throw odd(`a step of kind ${kind}`);
    return (items ?? []).map(({ data }) => data);
  });
  const given = { payer, input, amount: currencyIn.amount };
  const gas = microUsd((fees.relayerGas ?? fees.relayer)?.amountUsd ?? '0');
  const quote = {
    requestId: requestId.toLowerCase(),
    input: currencyIn.amount,
    gasUsd: gas,
    etaS: Math.ceil(timeEstimate),
  };
  return input.chainId === SOLANA_CHAIN_ID
    ? { ...quote, calls: [], deposit: depositOf(asked, given, targets) }
    : { ...quote, calls: callsOf(asked, given, targets as readonly Address[]), deposit: null };
}

type Given = { payer: string; input: RelaySide; amount: bigint };

function callsOf(asked: readonly unknown[], given: Given, targets: readonly Address[]): RelayCall[] {
  const calls = asked.map((data) => readCall(data, given, targets));
  if (
    calls.length === 0 ||
    calls.filter(({ purpose }) => purpose === 'pay').length !== 1 ||
    calls.at(-1)?.purpose !== 'pay'
  )
    throw odd('no single payment');
  return calls;
}

/** A wallet of Solana deposits exactly what was quoted, and signs for nothing else. */
function depositOf(
  asked: readonly unknown[],
  { payer, input, amount }: Given,
  programs: readonly string[],
): NonNullable<RelayQuote['deposit']> {
  const [only, ...others] = asked.map((data) => instructions.safeParse(data));
  if (!only?.success || others.length > 0) throw odd('no single transaction');
  const deposit = readDeposit(only.data.instructions, { payer, mint: input.token, amount }, programs);
  if (!deposit) throw odd('a transaction that is no plain deposit');
  return deposit;
}

function isSide(found: { chainId: number; address: string }, side: RelaySide): boolean {
  return found.chainId === side.chainId && isSameAddress(found.address, currencyOf(side));
}

/** A wallet approves or pays one of Relay's contracts, of its own money no more than was quoted. */
function readCall(data: unknown, { payer, input, amount }: Given, targets: readonly Address[]): RelayCall {
  const parsed = call.safeParse(data);
  if (!parsed.success) throw odd('a call that is none');
  const { from, to, data: bytes, value, chainId } = parsed.data;
  if (chainId !== input.chainId || !isSameAddress(from, payer)) throw odd('another wallet or network');
  const isTarget = (one: Address) => targets.some((target) => isAddressEqual(target, one));
  if (input.token === null) {
    if (!isTarget(to) || value > amount) throw odd('a call of another contract');
    return { purpose: 'pay', to, data: bytes, value };
  }
  if (value !== 0n) throw odd('a call with value');
  if (isTarget(to)) return { purpose: 'pay', to, data: bytes, value };
  if (!isSameAddress(to, input.token)) throw odd('a call of another contract');
  const { functionName, args } = tokenCall(bytes);
  const [whom, units] = args;
  if (!isTarget(whom) || units > amount) throw odd('a transfer to another account');
  return { purpose: functionName === 'approve' ? 'approve' : 'pay', to, data: bytes, value };
}

/** Relay writes the request's id behind a transfer. */
function tokenCall(data: Hex): { functionName: 'approve' | 'transfer'; args: readonly [Address, bigint] } {
  try {
    const decoded = decodeFunctionData({ abi: erc20Abi, data: slice(data, 0, 68) });
    if (decoded.functionName === 'approve' || decoded.functionName === 'transfer') return decoded;
  } catch {
    // It is none of the token's functions.
  }
  throw odd('a call of the token that is no payment');
}

function odd(what: string): BridgeRefusal {
  return new BridgeRefusal('UNEXPECTED', `Relay asks for something unexpected: ${what}`, false);
}

function microUsd(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6)) + 1n;
}

/**
 * What a quote says about other amounts nearby: its flat part by gas and fee, the rest in proportion.
 * @param inputValue USD of one unit of the input, times 10^24
 */
export function relayPrice(
  { input, gasUsd, etaS }: Pick<RelayQuote, 'input' | 'gasUsd' | 'etaS'>,
  { amount }: Pick<PriceRequest, 'amount'>,
  inputValue: bigint,
  outputValue: bigint,
  nowMs: number,
): Price | null {
  const flat = ((gasUsd + FLAT_FEE) * 10n ** 18n) / inputValue;
  const fixed = flat < input ? flat : input;
  const rate = ((input - fixed) * RATE_ONE + amount - 1n) / amount;
  if (rate * inputValue * 10n > outputValue * RATE_ONE * MOST_RATE) return null;
  // Within a factor of the amount that was quoted.
  return {
    fixed,
    rate: rate > 0n ? rate : 1n,
    least: amount / 64n + 1n,
    most: amount * 2n,
    etaS,
    expiresAt: nowMs + KEPT_MS,
  };
}

export type RelayState = {
  status: 'waiting' | 'pending' | 'success' | 'refund' | 'failure';
  /** Transactions on the origin, and what Relay sent: on either chain. Hashes, or signatures on Solana. */
  inHashes: string[];
  outHashes: string[];
  reason: string | null;
};

const hashes = z
  .array(z.string())
  .nullish()
  .transform((list) => (list ?? []).filter((name) => isHash(name) || readSolanaSignature(name) !== null));
const statusAnswer = z.object({
  status: z.string(),
  inTxHashes: hashes,
  txHashes: hashes,
  failReason: z.string().nullish(),
  refundFailReason: z.string().nullish(),
});

/** @throws BridgeRefusal, AppError `provider_unavailable` */
export async function relayState(api: RelayApi, requestId: string, signal?: AbortSignal): Promise<RelayState> {
  const url = new URL(`${api.root.replace(/\/+$/, '')}/intents/status/v3`);
  url.searchParams.set('requestId', requestId);
  const call = { url, headers: keyOf(api), withinMs: STATUS_WITHIN_MS, signal };
  const { status, inTxHashes, txHashes, failReason } = await callBridge('Relay', statusAnswer, call);
  return { status: stateOf(status), inHashes: inTxHashes, outHashes: txHashes, reason: failReason ?? null };
}

function stateOf(status: string): RelayState['status'] {
  if (status === 'success' || status === 'failure') return status;
  if (status === 'refund' || status === 'refunded') return 'refund';
  return status === 'waiting' ? 'waiting' : 'pending';
}

function keyOf({ key }: RelayApi): Record<string, string> {
  return key === undefined ? {} : { 'x-api-key': key };
}

/** How old a webhook may be. */
const WEBHOOK_AGE_MS = 5 * 60_000;
const webhookBody = z.object({ event: z.string(), data: z.object({ requestId: z.string() }) });

/** @returns the request that a webhook is about; null where its signature, its age or its form is wrong */
export function readRelayWebhook(
  key: string,
  { timestamp, signature }: { timestamp: string; signature: string },
  body: string,
  nowMs: number,
): string | null {
  const expected = createHmac('sha256', key).update(`${timestamp}.${body}`).digest();
  const given = Buffer.from(signature, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const at = Number(timestamp) < 1e12 ? Number(timestamp) * 1_000 : Number(timestamp);
  if (!(Math.abs(nowMs - at) <= WEBHOOK_AGE_MS)) return null;
  try {
    const { event, data } = webhookBody.parse(JSON.parse(body));
    return event === 'request.status.updated' ? data.requestId.toLowerCase() : null;
  } catch {
    return null;
  }
}
