// JSON-RPC 2.0 over the methods of a node: single calls and batches, and the faults that answers have.
import { base58 } from '@scure/base';
import { z } from 'zod';
import type { Faults, FaultyCall } from './faults.ts';
import type { Ledger } from './ledger.ts';
import { ACCOUNT_METHODS } from './methods/accounts.ts';
import { CHAIN_METHODS } from './methods/chain.ts';
import { TRANSACTION_METHODS } from './methods/transactions.ts';
import { invalidRequest, methodNotFound, RpcError } from './rpcErrors.ts';

const METHODS = new Map(Object.entries({ ...CHAIN_METHODS, ...ACCOUNT_METHODS, ...TRANSACTION_METHODS }));
const MOST_BATCHED = 1_000;

const callInput = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.array(z.unknown()).nullish(),
});
export type RpcCall = z.infer<typeof callInput>;

export type Node = { ledger: Ledger; faults: Faults; log: (line: string) => void };

/** The calls in a body that has some, or the answer to one that has not. */
export function readCalls(body: unknown): unknown[] {
  return Array.isArray(body) ? body.slice(0, MOST_BATCHED) : [body];
}

/** @returns the answer to a body, undefined when it had notifications only */
export function answerBody(node: Node, body: unknown): unknown {
  if (!Array.isArray(body)) return answerCall(node, body);
  if (body.length === 0) return errorAnswer(null, invalidRequest());
  const answers = readCalls(body).map((one) => answerCall(node, one));
  return answers.filter((answer) => answer !== undefined);
}

function answerCall(node: Node, input: unknown): unknown {
  const parsed = callInput.safeParse(input);
  if (!parsed.success) return errorAnswer(null, invalidRequest());
  const { id, method: name, params } = parsed.data;
  try {
    const result = run(node, name, params ?? [], parsed.data);
    return id === undefined ? undefined : { jsonrpc: '2.0', result, id };
  } catch (error) {
    if (error instanceof RpcError) return errorAnswer(id ?? null, error);
    node.log(`the local Solana chain: ${name}: ${(error as Error).stack ?? String(error)}`);
    return errorAnswer(id ?? null, new RpcError(-32603, 'Internal error'));
  }
}

function run({ ledger, faults }: Node, name: string, params: unknown[], call: RpcCall): unknown {
  const found = METHODS.get(name);
  if (!found) throw methodNotFound();
  const about = describeCall(call);
  const behind = faults.take('stale', about)?.slots ?? 0;
  const priorityFee = name === 'getRecentPrioritizationFees' ? (faults.take('priority_fee', about)?.fee ?? null) : null;
  return found({ ledger, behind, priorityFee, faults }, params);
}

export function errorAnswer(id: string | number | null, { code, message, data }: RpcError) {
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}

/** What faults tell calls apart by. */
export function describeCall(input: unknown): FaultyCall {
  const parsed = callInput.safeParse(input);
  if (!parsed.success) return {};
  const { method: name, params } = parsed.data;
  const [first, second] = params ?? [];
  const texts = (Array.isArray(first) ? first : [first]).filter((one): one is string => typeof one === 'string');
  if (name !== 'sendTransaction') return { method: name, signatures: texts };
  const encoding = (second as { encoding?: unknown } | undefined)?.encoding;
  return { method: name, signatures: texts.flatMap((text) => firstSignature(text, encoding === 'base64')) };
}

function firstSignature(text: string, isBase64: boolean): string[] {
  try {
    const raw = isBase64 ? Buffer.from(text, 'base64') : base58.decode(text.slice(0, 2_000));
    return raw.length > 65 ? [base58.encode(raw.subarray(1, 65))] : [];
  } catch {
    return [];
  }
}
