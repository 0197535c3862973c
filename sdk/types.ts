// Generated from docs/api/openapi.json by local/sdkTypes.ts; do not edit.

/** The version of the API that these types are of. */
export const API_VERSION = '2026-11-20';

/** Something that happened. The type says what `data.object` holds. */
export type AmpersatEvent =
  | OrderCreatedEvent
  | OrderCompletedEvent
  | OrderCancelledEvent
  | OrderExpiredEvent
  | OrderRefundedEvent
  | EscrowCreatedEvent
  | EscrowClaimedEvent
  | EscrowRefundedEvent;
export type RefundOrderAnswer = Refund | Order;

/** An order was made. */
export interface OrderCreatedEvent {
  /** The event. The same event may come more than once: take each id once. */
  id: string;
  object: 'event';
  /** In which version it is written. */
  api_version: string;
  type: 'order.created';
  /** When it happened, in Unix seconds. */
  created: number;
  /** The same. ISO 8601 in UTC. */
  created_at: string;
  /** False on test chains and on local ones. */
  livemode: boolean;
  /** Endpoints that have not taken it yet. */
  pending_webhooks: number;
  request: {
    /** The call that caused it; null where none did. */
    id: string | null;
    /** The Idempotency-Key of that call. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      order: Order;
    };
    previous_attributes?: OrderChanges;
  };
}

/** A request for one payment. */
export interface Order {
  /** The order. */
  id: string;
  object: 'order';
  /** Where it is. Nothing leads out of completed, expired and cancelled. */
  status: 'awaiting_payment' | 'processing' | 'completed' | 'expired' | 'cancelled';
  /** Give this to the buyer: the page on which it is paid. */
  checkout_url: string;
  /** What the payer gives. */
  amount: string;
  /** USDC or a native asset. */
  currency: 'USDC' | 'ETH' | 'BNB' | 'CELO';
  /** The chain on which it is paid. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'base-sepolia';
  /** The handle that is paid. */
  recipient: string;
  /** Where the money goes; frozen when the order was made. */
  recipient_address: string;
  /** Until when it can be paid. ISO 8601 in UTC. */
  expires_at: string;
  /** As you gave it. */
  metadata: {
    [k: string]: string;
  };
  /** When it was made. ISO 8601 in UTC. */
  created_at: string;
  /** False on test chains and on local ones. */
  livemode: boolean;
  /** What the buyer reads. */
  description: string | null;
  /** The payment link that it was started from. */
  payment_link: string | null;
  txHash: string | null;
  /** What has arrived in final blocks. */
  amount_received: string;
  /** What is still missing. */
  amount_due: string;
  /** What was sent back. */
  amount_refunded: string;
  payer: string | null;
  completed_at: string | null;
}

/** What was before: the status, or of a refund the amount_refunded. */
export interface OrderChanges {
  /** The order. */
  id?: string;
  object?: 'order';
  /** Where it is. Nothing leads out of completed, expired and cancelled. */
  status?: 'awaiting_payment' | 'processing' | 'completed' | 'expired' | 'cancelled';
  /** Give this to the buyer: the page on which it is paid. */
  checkout_url?: string;
  /** What the payer gives. */
  amount?: string;
  /** USDC or a native asset. */
  currency?: 'USDC' | 'ETH' | 'BNB' | 'CELO';
  /** The chain on which it is paid. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'base-sepolia';
  /** The handle that is paid. */
  recipient?: string;
  /** Where the money goes; frozen when the order was made. */
  recipient_address?: string;
  /** Until when it can be paid. ISO 8601 in UTC. */
  expires_at?: string;
  /** As you gave it. */
  metadata?: {
    [k: string]: string;
  };
  /** When it was made. ISO 8601 in UTC. */
  created_at?: string;
  /** False on test chains and on local ones. */
  livemode?: boolean;
  /** What the buyer reads. */
  description?: string | null;
  /** The payment link that it was started from. */
  payment_link?: string | null;
  txHash?: string | null;
  /** What has arrived in final blocks. */
  amount_received?: string;
  /** What is still missing. */
  amount_due?: string;
  /** What was sent back. */
  amount_refunded?: string;
  payer?: string | null;
  completed_at?: string | null;
}

/** An order was paid, in a final block. */
export interface OrderCompletedEvent {
  /** The event. The same event may come more than once: take each id once. */
  id: string;
  object: 'event';
  /** In which version it is written. */
  api_version: string;
  type: 'order.completed';
  /** When it happened, in Unix seconds. */
  created: number;
  /** The same. ISO 8601 in UTC. */
  created_at: string;
  /** False on test chains and on local ones. */
  livemode: boolean;
  /** Endpoints that have not taken it yet. */
  pending_webhooks: number;
  request: {
    /** The call that caused it; null where none did. */
    id: string | null;
    /** The Idempotency-Key of that call. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      order: Order;
    };
    previous_attributes?: OrderChanges;
  };
}

/** An order was cancelled before anybody began to pay. */
export interface OrderCancelledEvent {
  /** The event. The same event may come more than once: take each id once. */
  id: string;
  object: 'event';
  /** In which version it is written. */
  api_version: string;
  type: 'order.cancelled';
  /** When it happened, in Unix seconds. */
  created: number;
  /** The same. ISO 8601 in UTC. */
  created_at: string;
  /** False on test chains and on local ones. */
  livemode: boolean;
  /** Endpoints that have not taken it yet. */
  pending_webhooks: number;
  request: {
    /** The call that caused it; null where none did. */
    id: string | null;
    /** The Idempotency-Key of that call. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      order: Order;
    };
    previous_attributes?: OrderChanges;
  };
}

/** The time of an order is over, and nobody paid. */
export interface OrderExpiredEvent {
  /** The event. The same event may come more than once: take each id once. */
  id: string;
  object: 'event';
  /** In which version it is written. */
  api_version: string;
  type: 'order.expired';
  /** When it happened, in Unix seconds. */
  created: number;
  /** The same. ISO 8601 in UTC. */
  created_at: string;
  /** False on test chains and on local ones. */
  livemode: boolean;
  /** Endpoints that have not taken it yet. */
  pending_webhooks: number;
  request: {
    /** The call that caused it; null where none did. */
    id: string | null;
    /** The Idempotency-Key of that call. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      order: Order;
    };
    previous_attributes?: OrderChanges;
  };
}

/** A refund of an order is in a final block. There is one for each. */
export interface OrderRefundedEvent {
  /** The event. The same event may come more than once: take each id once. */
  id: string;
  object: 'event';
  /** In which version it is written. */
  api_version: string;
  type: 'order.refunded';
  /** When it happened, in Unix seconds. */
  created: number;
  /** The same. ISO 8601 in UTC. */
  created_at: string;
  /** False on test chains and on local ones. */
  livemode: boolean;
  /** Endpoints that have not taken it yet. */
  pending_webhooks: number;
  request: {
    /** The call that caused it; null where none did. */
    id: string | null;
    /** The Idempotency-Key of that call. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      order: Order;
    };
    previous_attributes?: OrderChanges;
  };
}

/** A tab of the workspace was opened, in a final block. */
export interface EscrowCreatedEvent {
  /** The event. The same event may come more than once: take each id once. */
  id: string;
  object: 'event';
  /** In which version it is written. */
  api_version: string;
  type: 'escrow.created';
  /** When it happened, in Unix seconds. */
  created: number;
  /** The same. ISO 8601 in UTC. */
  created_at: string;
  /** False on test chains and on local ones. */
  livemode: boolean;
  /** Endpoints that have not taken it yet. */
  pending_webhooks: number;
  request: {
    /** The call that caused it; null where none did. */
    id: string | null;
    /** The Idempotency-Key of that call. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      escrow: Escrow;
    };
    previous_attributes?: EscrowChanges;
  };
}

/** Money that waits on-chain for somebody, until it is claimed or goes back. */
export interface Escrow {
  /** The tab. */
  id: string;
  object: 'escrow';
  /** Claimed is paid out to whom it was for, refunded is back with its sender. */
  status: 'pending_create' | 'open' | 'claimed' | 'refunded';
  /** What is locked. */
  amount: string;
  /** USDC or a native asset. */
  currency: 'USDC' | 'ETH' | 'BNB' | 'CELO';
  /** The chain on which it is. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Whom it is for, as it was named; null where only the chain knows. */
  handleSlug: string | null;
  /** The same for people. */
  recipient_label: string;
  /** From when on anybody may send it back to its sender. ISO 8601 in UTC. */
  deadline: string;
  /** Whether its sender may take it back before. */
  revocable: boolean;
  /** What its sender wrote. */
  note: string | null;
  /** The tab, as the router knows it. */
  onChainId: string;
  txHash: string | null;
  close_tx_hash: string | null;
  paid_to: string | null;
  /** When it was staged. ISO 8601 in UTC. */
  created_at: string;
  opened_at: string | null;
  closed_at: string | null;
  /** False on test chains and on local ones. */
  livemode: boolean;
}

/** What was before: the status. */
export interface EscrowChanges {
  /** The tab. */
  id?: string;
  object?: 'escrow';
  /** Claimed is paid out to whom it was for, refunded is back with its sender. */
  status?: 'pending_create' | 'open' | 'claimed' | 'refunded';
  /** What is locked. */
  amount?: string;
  /** USDC or a native asset. */
  currency?: 'USDC' | 'ETH' | 'BNB' | 'CELO';
  /** The chain on which it is. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Whom it is for, as it was named; null where only the chain knows. */
  handleSlug?: string | null;
  /** The same for people. */
  recipient_label?: string;
  /** From when on anybody may send it back to its sender. ISO 8601 in UTC. */
  deadline?: string;
  /** Whether its sender may take it back before. */
  revocable?: boolean;
  /** What its sender wrote. */
  note?: string | null;
  /** The tab, as the router knows it. */
  onChainId?: string;
  txHash?: string | null;
  close_tx_hash?: string | null;
  paid_to?: string | null;
  /** When it was staged. ISO 8601 in UTC. */
  created_at?: string;
  opened_at?: string | null;
  closed_at?: string | null;
  /** False on test chains and on local ones. */
  livemode?: boolean;
}

/** A tab of the workspace was paid out to whom it is for. */
export interface EscrowClaimedEvent {
  /** The event. The same event may come more than once: take each id once. */
  id: string;
  object: 'event';
  /** In which version it is written. */
  api_version: string;
  type: 'escrow.claimed';
  /** When it happened, in Unix seconds. */
  created: number;
  /** The same. ISO 8601 in UTC. */
  created_at: string;
  /** False on test chains and on local ones. */
  livemode: boolean;
  /** Endpoints that have not taken it yet. */
  pending_webhooks: number;
  request: {
    /** The call that caused it; null where none did. */
    id: string | null;
    /** The Idempotency-Key of that call. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      escrow: Escrow;
    };
    previous_attributes?: EscrowChanges;
  };
}

/** A tab of the workspace went back to its sender. */
export interface EscrowRefundedEvent {
  /** The event. The same event may come more than once: take each id once. */
  id: string;
  object: 'event';
  /** In which version it is written. */
  api_version: string;
  type: 'escrow.refunded';
  /** When it happened, in Unix seconds. */
  created: number;
  /** The same. ISO 8601 in UTC. */
  created_at: string;
  /** False on test chains and on local ones. */
  livemode: boolean;
  /** Endpoints that have not taken it yet. */
  pending_webhooks: number;
  request: {
    /** The call that caused it; null where none did. */
    id: string | null;
    /** The Idempotency-Key of that call. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      escrow: Escrow;
    };
    previous_attributes?: EscrowChanges;
  };
}

/** A page of a list, newest first. */
export interface OrderList {
  object: 'list';
  data: Order[];
  /** Whether there is another page. */
  has_more: boolean;
  /** For the next page; null on the last one. */
  next_cursor: string | null;
}

/** The transaction with which a wallet refunds an order. */
export interface Refund {
  object: 'order.refund';
  order: string;
  /** The chain on which it is paid. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'base-sepolia';
  /** The contract, also “to”. */
  router: string;
  function: 'refund';
  args: {
    terms: {
      /** The order, as the router knows it. */
      orderId: string;
      /** To whom it was paid. */
      payee: string;
      /** USDC, or the zero address for the native asset. */
      token: string;
      /** Smallest units. */
      amount: string;
      /** Smallest units. */
      fee: string;
      /** Unix seconds. */
      deadline: string;
    };
    /** Who gets it. */
    to: string;
    /** Smallest units. */
    amount: string;
  };
  /** EIP-155. */
  chainId: number;
  /** The wallet to which the order was paid: the only one that may call. */
  from: string;
  /** The contract. */
  to: string;
  /** What the transaction carries. */
  data: string;
  /** Wei. */
  value: string;
  /** Who gets it. */
  refund_to: string;
  /** How much. */
  amount: string;
  /** USDC or a native asset. */
  currency: 'USDC' | 'ETH' | 'BNB' | 'CELO';
  /** What the wallet sends first; null where its allowance is enough. */
  approval: {
    /** EIP-155. */
    chainId: number;
    /** The same wallet. */
    from: string;
    /** The token. */
    to: string;
    /** What the transaction carries. */
    data: string;
    /** Wei. */
    value: string;
    /** The token. */
    token: string;
    /** The router. */
    spender: string;
    /** Smallest units. */
    amount: string;
  } | null;
}

/** A reusable address for payments. */
export interface PaymentLink {
  /** The payment link. */
  id: string;
  object: 'payment_link';
  /** Give this to buyers. */
  url: string;
  /** Whether it takes new payments. */
  active: boolean;
  /** What it is for. */
  label: string;
  amount: string | null;
  /** USDC or a native asset. */
  currency: 'USDC' | 'ETH' | 'BNB' | 'CELO';
  /** The chain on which it is paid. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'base-sepolia';
  /** The handle that is paid. */
  recipient: string;
  /** Whether the buyer types the figure. */
  open_amount: boolean;
  min_amount: string | null;
  max_amount: string | null;
  /** As you gave it. */
  metadata: {
    [k: string]: string;
  };
  /** False on test chains and on local ones. */
  livemode: boolean;
  /** When it was made. ISO 8601 in UTC. */
  created_at: string;
  deactivated_at: string | null;
}

/** A page of a list, newest first. */
export interface PaymentLinkList {
  object: 'list';
  data: PaymentLink[];
  /** Whether there is another page. */
  has_more: boolean;
  /** For the next page; null on the last one. */
  next_cursor: string | null;
}

/** A page of a list, newest first. */
export interface EventList {
  object: 'list';
  data: AmpersatEvent[];
  /** Whether there is another page. */
  has_more: boolean;
  /** For the next page; null on the last one. */
  next_cursor: string | null;
}

/** An endpoint with the secret that was just drawn for it. */
export interface NewWebhookEndpoint {
  /** The endpoint. */
  id: string;
  object: 'webhook_endpoint';
  /** Where events are posted to. */
  url: string;
  /** Your own words. */
  description: string | null;
  /** The types that it is told of; “*” alone for all. */
  enabled_events: (
    | '*'
    | 'order.created'
    | 'order.completed'
    | 'order.cancelled'
    | 'order.expired'
    | 'order.refunded'
    | 'escrow.created'
    | 'escrow.claimed'
    | 'escrow.refunded'
    | 'subscription.plan_created'
    | 'subscription.started'
    | 'subscription.charged'
    | 'subscription.cancelled'
    | 'subscription.halted'
    | 'campaign.grant_paid'
  )[];
  /** The version in which its events are written. */
  api_version: string;
  /** Nothing is sent to one that is disabled. */
  status: 'enabled' | 'disabled';
  /** by_owner: by you. gone: it answered 410. failing: nothing went well there for five days. */
  disabled_reason: ('by_owner' | 'gone' | 'failing') | null;
  disabled_at: string | null;
  failing_since: string | null;
  /** Whether it is told of events in live mode, or of those in test mode. */
  livemode: boolean;
  former_secret_until: string | null;
  /** When it was made. ISO 8601 in UTC. */
  created_at: string;
  /** Shown now and never again. It is left out when the call is repeated with its Idempotency-Key. */
  secret?: string;
}

/** A page of a list, newest first. */
export interface WebhookEndpointList {
  object: 'list';
  data: WebhookEndpoint[];
  /** Whether there is another page. */
  has_more: boolean;
  /** For the next page; null on the last one. */
  next_cursor: string | null;
}

/** A URL that is told of events. */
export interface WebhookEndpoint {
  /** The endpoint. */
  id: string;
  object: 'webhook_endpoint';
  /** Where events are posted to. */
  url: string;
  /** Your own words. */
  description: string | null;
  /** The types that it is told of; “*” alone for all. */
  enabled_events: (
    | '*'
    | 'order.created'
    | 'order.completed'
    | 'order.cancelled'
    | 'order.expired'
    | 'order.refunded'
    | 'escrow.created'
    | 'escrow.claimed'
    | 'escrow.refunded'
    | 'subscription.plan_created'
    | 'subscription.started'
    | 'subscription.charged'
    | 'subscription.cancelled'
    | 'subscription.halted'
    | 'campaign.grant_paid'
  )[];
  /** The version in which its events are written. */
  api_version: string;
  /** Nothing is sent to one that is disabled. */
  status: 'enabled' | 'disabled';
  /** by_owner: by you. gone: it answered 410. failing: nothing went well there for five days. */
  disabled_reason: ('by_owner' | 'gone' | 'failing') | null;
  disabled_at: string | null;
  failing_since: string | null;
  /** Whether it is told of events in live mode, or of those in test mode. */
  livemode: boolean;
  former_secret_until: string | null;
  /** When it was made. ISO 8601 in UTC. */
  created_at: string;
}

/** An endpoint that is gone. */
export interface DeletedWebhookEndpoint {
  /** The endpoint. */
  id: string;
  object: 'webhook_endpoint';
  deleted: true;
}

/** Failed deliveries that are sent once more. */
export interface WebhookReplay {
  object: 'webhook_replay';
  /** The endpoint. */
  endpoint: string;
  /** How many deliveries are on their way again. */
  count: number;
}

/** A page of a list, newest first. */
export interface WebhookDeliveryList {
  object: 'list';
  data: WebhookDelivery[];
  /** Whether there is another page. */
  has_more: boolean;
  /** For the next page; null on the last one. */
  next_cursor: string | null;
}

/** An event on its way to an endpoint. */
export interface WebhookDelivery {
  /** The delivery. */
  id: string;
  object: 'webhook_delivery';
  /** The event. */
  event: string;
  /** What happened. */
  event_type:
    | 'order.created'
    | 'order.completed'
    | 'order.cancelled'
    | 'order.expired'
    | 'order.refunded'
    | 'escrow.created'
    | 'escrow.claimed'
    | 'escrow.refunded'
    | 'subscription.plan_created'
    | 'subscription.started'
    | 'subscription.charged'
    | 'subscription.cancelled'
    | 'subscription.halted'
    | 'campaign.grant_paid';
  /** What the event is about, such as an order. */
  resource: string;
  /** The endpoint. */
  endpoint: string;
  /** pending: it is tried again. failed: for good, unless it is replayed. */
  status: 'pending' | 'delivered' | 'failed';
  /** Why it failed for good: every try did, or its endpoint was disabled, deleted, or answered 410. */
  failure: ('exhausted' | 'endpoint_disabled' | 'endpoint_deleted' | 'gone') | null;
  /** Tries so far, also over replays. */
  attempt_count: number;
  next_attempt_at: string | null;
  /** A test event, which is tried once. */
  is_test: boolean;
  /** When it was made. ISO 8601 in UTC. */
  created_at: string;
  ended_at: string | null;
  /** The newest first, at most 20. */
  attempts: WebhookAttempt[];
}

/** One try to deliver an event. */
export interface WebhookAttempt {
  /** From 1, also over replays. */
  number: number;
  /** When it began. ISO 8601 in UTC. */
  started_at: string;
  /** How long it took, in milliseconds. */
  latency_ms: number;
  /** The HTTP status; null when no answer came. */
  status: number | null;
  /** Why no answer came. secret_unreadable: nothing was sent; roll the secret. */
  failure:
    | (
        | 'timeout'
        | 'refused'
        | 'reset'
        | 'not_found'
        | 'tls'
        | 'url_refused'
        | 'proxy'
        | 'network'
        | 'secret_unreadable'
      )
    | null;
  /** The first 2 KB of the answer. */
  answer: string | null;
}

/** What went wrong. */
export interface ErrorBody {
  error: {
    type: string;
    /** It never changes: compare this one. */
    code: string;
    /** For people. It may change. */
    message: string;
    /** The parameter that is wrong. */
    param?: string;
    /** Name it when you ask us about a call. */
    request_id: string;
    /** What the code means. */
    doc_url: string;
  };
}

export interface CreateOrderParams {
  /** What the payer gives: a decimal string, digits with at most one point, at most six decimals for USDC and eighteen for a native asset. */
  amount: string;
  /** USDC, which is the default, or the native asset of the chain: ETH, BNB, CELO. */
  currency?: string;
  /** The chain on which it is paid: base, bsc, ink, celo, base-sepolia. */
  chain: string;
  /** The handle that is paid, by default the workspace of the key. Another one has to be allowed in the dashboard first. */
  recipient?: string;
  /** Seconds until it expires; 3600 when left out. */
  expires_in?: number;
  /** Shown to the buyer: plain text of at most 280 characters. */
  description?: string | null;
  /** Your own notes, which come back as they were given: up to 50 keys of 40 characters, values of 500. */
  metadata?: {
    [k: string]: string;
  };
}

export interface ListOrdersParams {
  /** Only orders in this status. */
  status?: 'awaiting_payment' | 'processing' | 'completed' | 'expired' | 'cancelled';
  /** How many at most. */
  limit?: number;
  /** The next_cursor of the page before. */
  cursor?: string;
}

export interface RefundOrderParams {
  /** Left out for the call, “confirm” once it is sent. */
  action?: 'confirm';
  /** With action=confirm: the transaction that refunded. */
  txHash?: string;
  /** How much goes back; all that is left when it is left out. */
  amount?: string;
  /** To whom, when several sent money to the order’s own address: one of them. */
  to?: string;
}

export interface CreatePaymentLinkParams {
  /** What it is for: plain text of at most 280 characters, shown to the buyer. */
  label: string;
  /** What each payer gives: a decimal string, digits with at most one point, at most six decimals for USDC and eighteen for a native asset. Left out with open_amount. */
  amount?: string | null;
  /** USDC, which is the default, or the native asset of the chain: ETH, BNB, CELO. */
  currency?: string;
  /** The chain on which it is paid: base, bsc, ink, celo, base-sepolia. */
  chain: string;
  /** The handle that is paid, by default the workspace of the key. Another one has to be allowed in the dashboard first. */
  recipient?: string;
  /** Whether the buyer types the figure; false when left out. */
  open_amount?: boolean;
  /** With open_amount: the least that a buyer may type. */
  min_amount?: string | null;
  /** With open_amount: the most that a buyer may type. */
  max_amount?: string | null;
  /** Your own notes, which come back as they were given: up to 50 keys of 40 characters, values of 500. */
  metadata?: {
    [k: string]: string;
  };
}

export interface ListPaymentLinksParams {
  /** Only those that take payments, or only those that do not. */
  active?: 'true' | 'false';
  /** How many at most. */
  limit?: number;
  /** The next_cursor of the page before. */
  cursor?: string;
}

export interface ListPaymentLinkOrdersParams {
  /** Only orders in this status. */
  status?: 'awaiting_payment' | 'processing' | 'completed' | 'expired' | 'cancelled';
  /** How many at most. */
  limit?: number;
  /** The next_cursor of the page before. */
  cursor?: string;
}

export interface ListEventsParams {
  /** Only this type, or a group of them such as `order.*`. There are: order.created, order.completed, order.cancelled, order.expired, order.refunded, escrow.created, escrow.claimed, escrow.refunded, subscription.plan_created, subscription.started, subscription.charged, subscription.cancelled, subscription.halted, campaign.grant_paid. */
  type?: string;
  /** Only what happened to this one: the id of an order or a tab. */
  resource?: string;
  /** How many at most. */
  limit?: number;
  /** The next_cursor of the page before. */
  cursor?: string;
}

export interface ReplayEventParams {
  /** Where it is sent; every endpoint that takes its type when it is left out. */
  endpoint?: string;
}

export interface CreateWebhookEndpointParams {
  /** Where events are posted to: https, or http in test mode; a public address. At most 2048 characters. */
  url: string;
  /**
   * The types that it is told of, or “*” alone for all, which is the default.
   *
   * @minItems 1
   * @maxItems 100
   */
  enabled_events?: (
    | '*'
    | 'order.created'
    | 'order.completed'
    | 'order.cancelled'
    | 'order.expired'
    | 'order.refunded'
    | 'escrow.created'
    | 'escrow.claimed'
    | 'escrow.refunded'
    | 'subscription.plan_created'
    | 'subscription.started'
    | 'subscription.charged'
    | 'subscription.cancelled'
    | 'subscription.halted'
    | 'campaign.grant_paid'
  )[];
  /** For yourself: plain text of at most 280 characters. */
  description?: string | null;
}

export interface ListWebhookEndpointsParams {
  /** How many at most. */
  limit?: number;
  /** The next_cursor of the page before. */
  cursor?: string;
}

export interface UpdateWebhookEndpointParams {
  /** Where events are posted to: https, or http in test mode; a public address. At most 2048 characters. */
  url?: string;
  /**
   * The types that it is told of, or “*” alone for all, which is the default.
   *
   * @minItems 1
   * @maxItems 100
   */
  enabled_events?: (
    | '*'
    | 'order.created'
    | 'order.completed'
    | 'order.cancelled'
    | 'order.expired'
    | 'order.refunded'
    | 'escrow.created'
    | 'escrow.claimed'
    | 'escrow.refunded'
    | 'subscription.plan_created'
    | 'subscription.started'
    | 'subscription.charged'
    | 'subscription.cancelled'
    | 'subscription.halted'
    | 'campaign.grant_paid'
  )[];
  /** For yourself: plain text of at most 280 characters. */
  description?: string | null;
  /** True disables it, false enables it. */
  disabled?: boolean;
}

export interface RollWebhookEndpointSecretParams {
  /** For how many hours deliveries are signed with the former secret, too; 24 when left out. */
  overlap_hours?: number;
}

export interface SendTestEventParams {
  /** What the event is; the first type that the endpoint takes when left out. */
  type?:
    | 'order.created'
    | 'order.completed'
    | 'order.cancelled'
    | 'order.expired'
    | 'order.refunded'
    | 'escrow.created'
    | 'escrow.claimed'
    | 'escrow.refunded';
}

export interface ReplayWebhookEndpointParams {
  /** When the deliveries failed for good: from this time on. ISO 8601 with a zone, or Unix seconds. */
  since: string | number;
}

export interface ListWebhookDeliveriesParams {
  /** Only deliveries to this endpoint. */
  endpoint?: string;
  /** Only deliveries of this event. */
  event?: string;
  /** Only deliveries in this status. */
  status?: 'pending' | 'delivered' | 'failed';
  /** How many at most. */
  limit?: number;
  /** The next_cursor of the page before. */
  cursor?: string;
}
