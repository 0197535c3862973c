// What the local bridges do wrong on request: each fault is used up by what it meets, in the order in which they were given.
import { z } from 'zod';

export const BRIDGES = ['across', 'relay'] as const;
export type BridgeName = (typeof BRIDGES)[number];

/**
 * Of transfers: `delayed` arrive `ms` later, `never_filled` do not arrive, `refunded` go back, `failed` neither arrive nor go back
 * (with `ms` they do, after they failed), `drifted` deliver less than
 * was quoted. Of webhooks: `duplicate_webhook`, `reordered_webhook`, `no_webhook`. Of answers: `status` with an HTTP status, `slow` by `ms`, `away` with no answer,
 * `expensive` with a price of a twentieth more.
 */
const TRANSFER_FAULTS = ['delayed', 'never_filled', 'refunded', 'failed', 'drifted'] as const;
const WEBHOOK_FAULTS = ['duplicate_webhook', 'reordered_webhook', 'no_webhook'] as const;
const ANSWER_FAULTS = ['status', 'slow', 'away'] as const;
const PRICE_FAULTS = ['expensive'] as const;

export const faultInput = z.strictObject({
  bridge: z.enum(BRIDGES),
  kind: z.enum([...TRANSFER_FAULTS, ...WEBHOOK_FAULTS, ...ANSWER_FAULTS, ...PRICE_FAULTS]),
  times: z.number().int().min(1).max(1_000_000).default(1),
  ms: z.number().int().min(0).max(86_400_000).default(0),
  status: z.number().int().min(400).max(599).default(503),
});
export type Fault = z.infer<typeof faultInput>;

export type Faults = {
  add(fault: Fault): void;
  clear(): void;
  transfer(bridge: BridgeName): Fault | null;
  webhook(bridge: BridgeName): Fault | null;
  answer(bridge: BridgeName): Fault | null;
  price(bridge: BridgeName): Fault | null;
  list(): Fault[];
};

export function createFaults(): Faults {
  let faults: Fault[] = [];
  const take = (bridge: BridgeName, kinds: readonly string[]): Fault | null => {
    const found = faults.find((fault) => fault.bridge === bridge && kinds.includes(fault.kind));
    if (!found) return null;
    found.times -= 1;
    faults = faults.filter(({ times }) => times > 0);
    return found;
  };
  return {
    add: (fault) => void faults.push({ ...fault }),
    clear: () => {
      faults = [];
    },
    transfer: (bridge) => take(bridge, TRANSFER_FAULTS),
    webhook: (bridge) => take(bridge, WEBHOOK_FAULTS),
    answer: (bridge) => take(bridge, ANSWER_FAULTS),
    price: (bridge) => take(bridge, PRICE_FAULTS),
    list: () => faults,
  };
}
