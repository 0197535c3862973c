// How parameters of RPC calls are read: by position, strictly, with the error that a node has for each mistake.
import { base58 } from '@scure/base';
import { z } from 'zod';
import type { Faults } from '../faults.ts';
import { type Block, blockAt, type Commitment, type Ledger } from '../ledger.ts';
import { invalidParams, minContextSlotNotReached } from '../rpcErrors.ts';

export const API_VERSION = '4.3.0';

/** One answer's view of the chain. */
export type View = {
  ledger: Ledger;
  /** Slots that the node is behind. */
  behind: number;
  /** What recent priority fees are said to be, in micro-lamports a compute unit. */
  priorityFee: number | null;
  faults: Faults;
};
export type Method = (view: View, params: unknown[]) => unknown;

/** @throws RpcError for parameters that do not fit */
export function method<const Items extends readonly z.ZodType[]>(
  items: Items,
  run: (view: View, ...params: { [At in keyof Items]: z.infer<Items[At]> }) => unknown,
): Method {
  return (view, params) => {
    if (params.length > items.length)
      throw invalidParams(`Invalid parameters: Expected at most ${items.length} parameters, got ${params.length}.`);
    const values = items.map((item, at) => {
      const parsed = item.safeParse(withoutNulls(params[at]));
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      const message = issue?.message ?? 'invalid';
      // A sentence of ours is whole; Zod's own gets the place.
      if (message.startsWith('Invalid param')) throw invalidParams(message);
      const place = [`params[${at}]`, ...(issue?.path ?? []).map(String)].join('.');
      throw invalidParams(`Invalid params: ${place}: ${message}`);
    });
    return run(view, ...(values as { [At in keyof Items]: z.infer<Items[At]> }));
  };
}

/** Null stands for what is not given. */
function withoutNulls(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}

const sized = (bytes: number) =>
  z.string().superRefine((text, check) => {
    let length: number;
    try {
      length = text.length > 128 ? -1 : base58.decode(text).length;
    } catch {
      return check.addIssue('Invalid param: Invalid');
    }
    if (length !== bytes) check.addIssue('Invalid param: WrongSize');
  });
export const address = sized(32);
export const hash = sized(32);
export const signature = sized(64);
export const slotNumber = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const commitment = z.enum(['processed', 'confirmed', 'finalized'], {
  error: (issue) =>
    `unknown variant \`${String(issue.input)}\`, expected one of \`processed\`, \`confirmed\`, \`finalized\``,
});
export const contextFields = { commitment: commitment.optional(), minContextSlot: slotNumber.optional() };
export const contextConfig = z.object(contextFields).optional();

export type ContextConfig = { commitment?: Commitment | undefined; minContextSlot?: number | undefined } | undefined;

/** The block whose state answers. @throws RpcError when it is before the slot that the caller has seen */
export function blockFor({ ledger, behind }: View, config: ContextConfig, fallback: Commitment = 'finalized'): Block {
  const block = blockAt(ledger, config?.commitment ?? fallback, behind);
  if (config?.minContextSlot !== undefined && block.slot < config.minContextSlot)
    throw minContextSlotNotReached(block.slot);
  return block;
}

/** The same for what is only known of blocks that have been voted on. */
export function settledBlockFor(view: View, config: ContextConfig): Block {
  if (config?.commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  return blockFor(view, config);
}

export const withContext = <Value>({ slot }: Block, value: Value) => ({
  context: { apiVersion: API_VERSION, slot },
  value,
});
