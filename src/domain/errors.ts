// The one error class of the service and the catalogue of its codes.

type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'api_error'
  | 'chain_error';

type ErrorRow = { status: number; type: ErrorType; retryable: boolean; message: string };

/** code → HTTP status, type, whether the same call may succeed later, and the sentence a caller reads. */
export const ERRORS = {
  parameter_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'A parameter has a value that is not allowed.',
  },
  parameter_missing: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'A parameter that is needed is missing.',
  },
  parameter_unknown: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'A parameter is not known here.',
  },
  signature_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The signature does not fit: sign again with the wallet of this account.',
  },
  sign_in_expired: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This sign-in is over or was used. Start it again.',
  },
  session_required: {
    status: 401,
    type: 'authentication_error',
    retryable: false,
    message: 'Sign in with your wallet first.',
  },
  admin_secret_invalid: {
    status: 401,
    type: 'authentication_error',
    retryable: false,
    message: 'Send the admin secret: Authorization: Bearer …',
  },
  handle_required: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'Choose your handle first.',
  },
  origin_not_allowed: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'This can be done from our own pages only.',
  },
  link_inactive: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This link was used or is over. Ask the bot for a new one.',
  },
  login_over: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This login was used or is over. Nothing was connected by it; start it again.',
  },
  login_cancelled: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'You stopped there, so nothing was connected.',
  },
  media_type_unsupported: {
    status: 415,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Send JSON, with Content-Type application/json.',
  },
  call_refused: {
    status: 402,
    type: 'chain_error',
    retryable: false,
    message: 'The chain would refuse this call.',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    retryable: true,
    message: 'That was too often. Wait a little, then try again.',
  },
  resource_missing: {
    status: 404,
    type: 'invalid_request_error',
    retryable: false,
    message: 'There is nothing here. Check the address.',
  },
  handle_not_found: {
    status: 404,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Nobody has this handle. Check how it is written.',
  },
  not_reserved_handle: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'This tab is for somebody else. Sign in as, or connect, the account that it names.',
  },
  amount_out_of_range: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The amount is too small or too large.',
  },
  unsupported_chain: {
    status: 422,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This chain is not served here.',
  },
  tx_not_found: {
    status: 422,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The chain does not show this transaction yet. Wait until it is in a block, then say so again.',
  },
  tx_mismatch: {
    status: 422,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This transaction did something else.',
  },
  body_too_large: {
    status: 413,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The body is larger than 64 KB.',
  },
  provider_unavailable: {
    status: 503,
    type: 'api_error',
    retryable: true,
    message: 'A chain or platform does not answer at the moment. Try again shortly.',
  },
  refund_before_deadline: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'It can be refunded by anybody only after its deadline.',
  },
  unsupported_asset: {
    status: 422,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This chain does not take that asset.',
  },
  order_not_cancellable: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Only an order that is awaiting payment can be cancelled.',
  },
  order_not_payable: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This order cannot be paid any more. Ask for a new one.',
  },
  payment_in_flight: {
    status: 409,
    type: 'invalid_request_error',
    retryable: true,
    message: 'A payment is on its way already. Wait until it has arrived.',
  },
  delegation_legacy: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'Your wallet runs code that does not know its own key, so this signature is worth nothing there. Send it yourself instead.',
  },
  order_not_refundable: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Only an order that was paid can be refunded, and not above what was paid.',
  },
  recipient_not_allowed: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'This workspace may not name that recipient. Allow it in the dashboard first.',
  },
  api_key_invalid: {
    status: 401,
    type: 'authentication_error',
    retryable: false,
    message: 'Send a key of the dashboard: Authorization: Bearer sk_test_…',
  },
  scope_missing: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'This key lacks a scope that this needs.',
  },
  mode_mismatch: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'Test keys work on test chains only, live keys on live chains only.',
  },
  version_unknown: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'There is no such version of the API.',
  },
  idempotency_key_reused: {
    status: 400,
    type: 'idempotency_error',
    retryable: false,
    message: 'This idempotency key was used with another body. Take a new key.',
  },
  idempotency_in_progress: {
    status: 409,
    type: 'idempotency_error',
    retryable: true,
    message: 'A request with this idempotency key is still running. Try again shortly.',
  },
  url_not_allowed: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Webhooks do not go to this URL. Name one with https, without a password, at a usual port.',
  },
  private_address: {
    status: 422,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This does not lead to a public address, and webhooks go nowhere else. Name one on the internet.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This address does not know that method.',
  },
  state_conflict: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The resource is not in a state that allows this.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    retryable: true,
    message: 'Something went wrong on our side. Nothing was lost; try again.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

type AppErrorOptions = {
  cause?: unknown;
  /** The parameter that is wrong, as the caller named it. */
  param?: string;
  /** When the same call may succeed, in milliseconds from now. */
  retryAfterMs?: number;
};

/** A failure with a code of the catalogue. `detail` is for people and logs: never a secret, an address of an RPC or a token. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly param: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, detail?: string, options: AppErrorOptions = {}) {
    super(detail ?? ERRORS[code].message, options);
    this.name = 'AppError';
    this.code = code;
    this.detail = detail;
    this.param = options.param;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What is asked for is away for now: asking again later may succeed. */
export function isAway(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'provider_unavailable';
}

/** A start-up that cannot go on: one line that says what to do, exit code 1, no stack trace. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}
