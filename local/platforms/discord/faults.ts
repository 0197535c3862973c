/** Failures to order: the next calls of an operation are slow, refused, cut off, or carried out and then cut off. */

export type Fault = {
  /** An operation by its name in Discord's own description of its API (`create_message`), or `*`. */
  method: string;
  /** An HTTP status; 0 drops the connection; 200 only delays. */
  status: number;
  /** Seconds. */
  retryAfter?: number | undefined;
  /** How many calls are still to fail. */
  times: number;
  /** The call takes effect first, and then the answer is lost or replaced. */
  accept: boolean;
  delayMs: number;
  /** Discord's own error code. */
  code?: number | undefined;
  message?: string | undefined;
};

/** Takes the fault that this call has to suffer, the earliest ordered first. */
export function takeFault(faults: Fault[], operation: string): Fault | undefined {
  const index = faults.findIndex(({ method }) => method === '*' || method === operation);
  const fault = faults[index];
  if (!fault) return undefined;
  fault.times -= 1;
  if (fault.times <= 0) faults.splice(index, 1);
  return fault;
}

/** The answer of a refused call, as Discord words it. */
export function faultAnswer(fault: Fault): { body: Record<string, unknown>; headers: Record<string, string> } {
  const { status, retryAfter, code = 0, message } = fault;
  if (status === 429) {
    const wait = retryAfter ?? 1;
    return {
      body: { message: message ?? 'You are being rate limited.', retry_after: wait, global: false, code: 0 },
      headers: {
        'retry-after': String(Math.ceil(wait)),
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset-after': String(wait),
        'x-ratelimit-bucket': 'ordered',
        'x-ratelimit-scope': 'user',
      },
    };
  }
  return { body: { message: message ?? `${status}: ordered`, code }, headers: {} };
}
