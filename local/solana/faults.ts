// What the local Solana node does wrong on request: each fault is used up by what it meets, in the order in which they were given.
import { z } from 'zod';
import { blockAt, type Ledger, MOST_BEHIND } from './ledger.ts';
import { expireHashes } from './slots.ts';

/**
 * Of transactions: `drop` answers a signature and the transaction never lands, `fork` removes a landed one again after `slots`,
 * `lost_answer` does what was requested and resets the connection. Of answers: `rate_limit` is status 429 with Retry-After `seconds`, `away` resets
 * the connection, `slow` waits `ms`, `stale` answers as a node that is `slots` behind, `priority_fee` says recent fees were `fee`
 * micro-lamports a unit. Of the chain: `slow_slots` take `ms`, `expire` ends all recent block hashes at once.
 */
const KINDS = [
  'drop',
  'fork',
  'lost_answer',
  'rate_limit',
  'away',
  'slow',
  'stale',
  'priority_fee',
  'slow_slots',
  'expire',
] as const;
export type FaultKind = (typeof KINDS)[number];

export const faultInput = z.strictObject({
  kind: z.enum(KINDS),
  times: z.number().int().min(1).max(1_000_000).default(1),
  /** Only calls of this RPC method. */
  method: z.string().optional(),
  /** Only calls about this transaction. */
  signature: z.string().optional(),
  ms: z.number().int().min(0).max(86_400_000).default(1_000),
  slots: z.number().int().min(1).max(MOST_BEHIND).default(1),
  seconds: z.number().int().min(0).max(3_600).default(1),
  fee: z.number().int().min(0).max(1_000_000_000).default(10_000),
});
export type Fault = z.infer<typeof faultInput>;
/** A call as faults tell them apart. */
export type FaultyCall = { method?: string; signatures?: readonly string[] };

export type Faults = {
  add(fault: z.input<typeof faultInput>): void;
  clear(): void;
  list(): Fault[];
  /** The first of a kind that fits, used once. */
  take(kind: FaultKind, call?: FaultyCall): Fault | null;
  /** The same, not used. */
  peek(kind: FaultKind, call?: FaultyCall): Fault | null;
  /** Dooms a landed transaction for which there is a fork. */
  landed(signature: string): void;
};

export function createFaults(ledger: Ledger): Faults {
  let faults: Fault[] = [];
  const peek = (kind: FaultKind, { method, signatures = [] }: FaultyCall = {}) =>
    faults.find(
      (fault) =>
        fault.kind === kind &&
        (fault.method === undefined || fault.method === method) &&
        (fault.signature === undefined || signatures.includes(fault.signature)),
    ) ?? null;
  const take = (kind: FaultKind, call?: FaultyCall) => {
    const found = peek(kind, call);
    if (!found) return null;
    found.times -= 1;
    faults = faults.filter(({ times }) => times > 0);
    return found;
  };
  function landed(signature: string): void {
    const slot = ledger.transactions.get(signature)?.slot;
    const fault = slot === undefined ? null : take('fork', { method: 'sendTransaction', signatures: [signature] });
    if (fault && slot !== undefined)
      ledger.doomed.set(signature, slot + Math.min(fault.slots, ledger.finalizedAfter - 1));
  }
  return {
    take,
    peek,
    landed,
    add(input) {
      const fault = faultInput.parse(input);
      if (fault.kind === 'expire') return expireHashes(ledger);
      faults.push(fault);
      const known = fault.kind === 'fork' && fault.signature ? ledger.transactions.get(fault.signature) : undefined;
      if (known && known.slot > blockAt(ledger, 'finalized').slot) landed(known.signature);
    },
    clear() {
      faults = [];
    },
    list: () => faults,
  };
}
