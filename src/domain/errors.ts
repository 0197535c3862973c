// The one error class of the service and the catalogue of its codes.

type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'api_error'
  | 'chain_error';

type ErrorRow = { status: number; v1Status?: number; type: ErrorType; retryable: boolean; message: string };

/** code → HTTP status (under /v1 another one where SDKs choose their error class by it), type, whether the same call may succeed later, and the sentence a caller reads. */
export const ERRORS = {
  parameter_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'A parameter has an invalid value.',
  },
  parameter_missing: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'A required parameter is missing.',
  },
  parameter_unknown: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Unknown parameter.',
  },
  signature_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Invalid signature. Sign again with this account’s wallet.',
  },
  sign_in_expired: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This sign-in request has expired. Please start again.',
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
  role_required: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'Your role in this workspace doesn’t allow this. An owner can change it under Team.',
  },
  business_required: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'Campaigns are for business workspaces. Change the kind of yours under /workspace.',
  },
  origin_not_allowed: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'This request must come from an Ampersat page.',
  },
  account_changed: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Another account is signed in now. Nothing was changed. Reload the page and try again.',
  },
  link_inactive: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This link has expired or was already used. Ask the bot for a new one.',
  },
  link_expired: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This payment link has expired. Contact the merchant.',
  },
  link_used_up: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This payment link has been used as often as it may be. Contact the merchant.',
  },
  login_over: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This login link has expired or was already used. Nothing was connected. Please start again.',
  },
  login_cancelled: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'You cancelled the login. Nothing was connected.',
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
    message: 'The network would reject this transaction.',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    retryable: true,
    message: 'Too many requests. Wait a moment and try again.',
  },
  resource_missing: {
    status: 404,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Not found. Check the URL.',
  },
  handle_not_found: {
    status: 404,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Handle not found. Check the spelling.',
  },
  not_reserved_handle: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'This tab is for another account. Sign in as that account, or connect it.',
  },
  amount_out_of_range: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The amount is outside the allowed range.',
  },
  unsupported_chain: {
    status: 422,
    v1Status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This chain isn’t supported.',
  },
  tx_not_found: {
    status: 422,
    v1Status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The transaction isn’t confirmed yet. Try again once it is in a block.',
  },
  tx_mismatch: {
    status: 422,
    v1Status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This transaction doesn’t match the refund.',
  },
  body_too_large: {
    status: 413,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The request body is larger than allowed: 64 KB, or 1 MB where metadata or grants can be sent.',
  },
  provider_unavailable: {
    status: 503,
    type: 'api_error',
    retryable: true,
    message: 'A network or platform isn’t responding. Try again shortly.',
  },
  refund_before_deadline: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This tab can’t be refunded before its deadline.',
  },
  unsupported_asset: {
    status: 422,
    v1Status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This currency isn’t supported on this chain.',
  },
  order_not_cancellable: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Only orders with status awaiting_payment can be cancelled.',
  },
  order_not_payable: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This order can no longer be paid. Ask for a new one.',
  },
  payment_in_flight: {
    status: 409,
    type: 'invalid_request_error',
    retryable: true,
    message: 'A payment for this order is already in progress. Wait for it to complete.',
  },
  delegation_legacy: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This wallet’s delegation can’t verify the signature. Send the transaction from your wallet instead.',
  },
  order_not_refundable: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Only paid orders can be refunded, up to the amount paid.',
  },
  recipient_not_allowed: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'This recipient isn’t on your allow list. Add it under Workspace first.',
  },
  api_key_invalid: {
    status: 401,
    type: 'authentication_error',
    retryable: false,
    message: 'No API key provided. Send it as `Authorization: Bearer sk_test_…`. Create one at /keys.',
  },
  scope_missing: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'This API key doesn’t have the required scope.',
  },
  mode_mismatch: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'Test keys work on test chains, live keys on live chains.',
  },
  version_unknown: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Unknown API version.',
  },
  idempotency_key_reused: {
    status: 400,
    type: 'idempotency_error',
    retryable: false,
    message: 'This idempotency key was already used with different parameters. Use a new key.',
  },
  idempotency_in_progress: {
    status: 409,
    type: 'idempotency_error',
    retryable: true,
    message: 'A request with this idempotency key is still in progress. Try again shortly.',
  },
  url_not_allowed: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This webhook URL isn’t allowed. Use https, without a username or password, on an allowed port.',
  },
  private_address: {
    status: 422,
    v1Status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Webhook URLs must resolve to a public IP address.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Method not allowed.',
  },
  quote_expired: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This price is no longer valid. Choose again from the current ones.',
  },
  state_conflict: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The resource’s current state doesn’t allow this.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    retryable: true,
    message: 'Something went wrong on our side. Nothing was lost; try again.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** The HTTP status of an error under /v1. */
export function v1StatusOf(code: ErrorCode): number {
  const row: ErrorRow = ERRORS[code];
  return row.v1Status ?? row.status;
}

type AppErrorOptions = {
  cause?: unknown;
  /** The parameter that is wrong, as the caller named it. */
  param?: string;
  /** When the same call may succeed, in milliseconds from now. */
  retryAfterMs?: number;
  more?: Readonly<Record<string, unknown>>;
};

/** A failure with a code of the catalogue. `detail` is for people and logs: never a secret, an address of an RPC or a token. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly param: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** What the caller needs to go on, beside the error in the answer. */
  readonly more: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, detail?: string, options: AppErrorOptions = {}) {
    super(detail ?? ERRORS[code].message, options);
    this.name = 'AppError';
    this.code = code;
    this.detail = detail;
    this.param = options.param;
    this.retryAfterMs = options.retryAfterMs;
    this.more = options.more;
  }
}

/** The provider is unavailable: a retry may succeed. */
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
