// Answers of probes.
import { z } from 'zod';

export const solanaSubs = z.strictObject({
  /** Whether a plan can be made on Solana and charged now. */
  ok: z.boolean(),
  /** Null where Solana is not configured. */
  program: z.string().nullable(),
  executable: z.boolean(),
  /** Whether no key can upgrade the program. */
  final: z.boolean(),
  config: z.strictObject({ initialized: z.boolean(), mint_ok: z.boolean(), paused: z.boolean() }),
  /** The newest confirmed slot, and how long ago it was. Null while the cluster does not answer. */
  slot: z.number().int().nullable(),
  lag_seconds: z.number().int().nullable(),
  checked_at: z.iso.datetime(),
});
export type SolanaSubs = z.infer<typeof solanaSubs>;
