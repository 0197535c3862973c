// What may go wrong with a call: the service said no, it could not be reached, or a webhook is not of it.

type ErrorFacts = {
  code: string;
  status: number;
  type: string;
  param: string | null;
  requestId: string | null;
  docUrl: string | null;
  isRetryable: boolean;
  retryAfterMs: number | null;
};

/** The service said no. Compare the `code`, which never changes; the message is for people. */
export class AmpersatError extends Error {
  readonly code: string;
  /** Of the HTTP answer. */
  readonly status: number;
  readonly type: string;
  /** The parameter that is wrong. */
  readonly param: string | null;
  /** Name it when you ask us about the call. */
  readonly requestId: string | null;
  /** The page that says what the code means. */
  readonly docUrl: string | null;
  /** Whether retrying the same call may succeed. */
  readonly isRetryable: boolean;
  /** For how long the service asks for patience; null where it does not. */
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
    this.docUrl = docUrl;
    this.isRetryable = isRetryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/** `timeout`: no answer in time; `network`: none at all; `unreadable`: one that is not of this service. */
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

/** A webhook that is not from us, was changed on its way, or is older than you tolerate: answer 400 and do nothing. */
export class AmpersatSignatureError extends Error {
  readonly code: SignatureFailure;

  constructor(code: SignatureFailure, message: string) {
    super(message);
    this.name = 'AmpersatSignatureError';
    this.code = code;
  }
}
