/** Failures to order: the next calls of a method are slow, refused, cut off, or carried out and then cut off. */

export type Fault = {
  /** A method of the Bot API in any spelling of case, or `*`. */
  method: string;
  /** An HTTP status; 0 drops the connection; 200 only delays. */
  status: number;
  retryAfter?: number | undefined;
  /** How many calls are still to fail. */
  times: number;
  /** The call takes effect first, and then the answer is lost or replaced. */
  accept: boolean;
  delayMs: number;
  description?: string | undefined;
};

const DESCRIPTIONS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden: bot was blocked by the user',
  404: 'Not Found',
  409: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
};

/** Takes the fault that this call has to suffer, the earliest ordered first. */
export function takeFault(faults: Fault[], method: string): Fault | undefined {
  const index = faults.findIndex(
    (fault) => fault.method === '*' || fault.method.toLowerCase() === method.toLowerCase(),
  );
  const fault = faults[index];
  if (!fault) return undefined;
  fault.times -= 1;
  if (fault.times <= 0) faults.splice(index, 1);
  return fault;
}

/** The answer of a refused call, as Telegram words it. */
export function faultAnswer({ status, retryAfter, description }: Fault): Record<string, unknown> {
  const wait = retryAfter ?? 1;
  const text = description ?? (status === 429 ? `Too Many Requests: retry after ${wait}` : DESCRIPTIONS[status]);
  return {
    ok: false,
    error_code: status,
    description: text ?? `Error ${status}`,
    ...(status === 429 || retryAfter !== undefined ? { parameters: { retry_after: wait } } : {}),
  };
}
