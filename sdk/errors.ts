// The errors of the SDK: the service returned an error, it could not be reached, or a webhook signature is invalid.

type ErrorFacts = {
  code: string;
  status: number;
  type: string;
  param: string | null;
  requestId: string | null;
  requestLogUrl?: string | null;
  docUrl: string | null;
  isRetryable: boolean;
  retryAfterMs: number | null;
};

/** The service returned an error. Compare the `code`, which is stable; the message is for people. */
export class AmpersatError extends Error {
  readonly code: string;
  /** HTTP status of the response. */
  readonly status: number;
  readonly type: string;
  /** The parameter that caused the error. */
  readonly param: string | null;
  /** Include it when you contact support. */
  readonly requestId: string | null;
  /** The request in the API log of the dashboard; null where it had no valid key. */
  readonly requestLogUrl: string | null;
  /** Documentation of the error code. */
  readonly docUrl: string | null;
  /** Whether retrying the same call may succeed. */
  readonly isRetryable: boolean;
  /** Milliseconds to wait before a retry, from `Retry-After`; null without one. */
  readonly retryAfterMs: number | null;

  constructor(message: string, facts: ErrorFacts) {
    const { code, status, type, param, requestId, docUrl, isRetryable, retryAfterMs } = facts;
    super(message);
    this.name = 'AmpersatError';
    this.code = code;
    this.status = status;
    this.type = type;
    this.param = param;
    this.requestId = requestId;
    this.requestLogUrl = facts.requestLogUrl ?? null;
    this.docUrl = docUrl;
    this.isRetryable = isRetryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/** `timeout`: no response in time; `network`: no connection or response; `unreadable`: a response that is not from this service. */
export type ConnectionFailure = 'timeout' | 'network' | 'unreadable';

/** No response arrived, so the call may or may not have taken effect. Repeat it with the same `idempotencyKey`, as the client itself does. */
export class AmpersatConnectionError extends Error {
  readonly code: ConnectionFailure;

  constructor(code: ConnectionFailure, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AmpersatConnectionError';
    this.code = code;
  }
}

export type SignatureFailure = 'header_missing' | 'header_invalid' | 'signature_wrong' | 'too_old' | 'too_new';

/** The webhook is not from Ampersat, was modified, or is outside the tolerance. Answer 400 and ignore it. */
export class AmpersatSignatureError extends Error {
  readonly code: SignatureFailure;

  constructor(code: SignatureFailure, message: string) {
    super(message);
    this.name = 'AmpersatSignatureError';
    this.code = code;
  }
}
