/** Failures to order: the next calls of a step are slow, refused, cut off, or answered with something else. */
import { z } from 'zod';

export const faultInput = z.object({
  /** `<platform>.<step>` (`discord.token`, `x.me`, `discord.revoke` …) or `*`. */
  method: z.string().min(1),
  /** An HTTP status; 0 drops the connection; 200 answers `body`, or only delays where there is none. */
  status: z.number().int().min(0).max(599),
  retry_after: z.number().int().positive().optional(),
  times: z.number().int().positive().default(1),
  delay_ms: z.number().int().nonnegative().default(0),
  /** What is answered instead, as it is. */
  body: z.string().optional(),
});
export type Fault = z.infer<typeof faultInput>;

/** Takes the fault that this call has to suffer, the earliest ordered first. */
export function takeFault(faults: Fault[], method: string): Fault | undefined {
  const index = faults.findIndex((fault) => fault.method === '*' || fault.method === method);
  const fault = faults[index];
  if (!fault) return undefined;
  fault.times -= 1;
  if (fault.times <= 0) faults.splice(index, 1);
  return fault;
}
