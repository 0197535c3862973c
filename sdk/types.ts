// Generated from docs/api/openapi.json by tools/sdkTypes.ts; do not edit.

/** The version of the API that these types are of. */
export const API_VERSION = '2026-11-20';

/** A change in your workspace. `type` tells what `data.object` contains. */
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

/** Sent when an order is created. */
export interface OrderCreatedEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'order.created';
  /** When the event was created, in Unix seconds. */
  created: number;
  /** Same as `created`. ISO 8601 in UTC. */
  created_at: string;
  /** False on test and local networks. */
  livemode: boolean;
  /** Number of endpoints that haven’t acknowledged this event. */
  pending_webhooks: number;
  request: {
    /** ID of the API request that caused the event, if any. */
    id: string | null;
    /** Idempotency-Key of that request. */
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
  /** The order’s ID. */
  id: string;
  object: 'order';
  /** Order status. `completed`, `expired` and `cancelled` are final. */
  status: 'awaiting_payment' | 'processing' | 'completed' | 'expired' | 'cancelled';
  /** Checkout page. Send the buyer here. */
  checkout_url: string;
  /** Amount to pay. */
  amount: string;
  /** USDC or a native asset. */
  currency: 'USDC' | 'ETH' | 'BNB' | 'CELO';
  /** Network of the payment. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'base-sepolia';
  /** Handle that is paid. */
  recipient: string;
  /** Wallet that is paid, fixed when the order is created. */
  recipient_address: string;
  /** When the order expires. ISO 8601 in UTC. */
  expires_at: string;
  /** Key-value pairs attached by you. */
  metadata: {
    [k: string]: string;
  };
  /** When it was created. ISO 8601 in UTC. */
  created_at: string;
  /** False on test and local networks. */
  livemode: boolean;
  /** Shown to the buyer. */
  description: string | null;
  /** ID of the payment link the order was started from. */
  payment_link: string | null;
  tx_hash: string | null;
  txHash: string | null;
  /** Amount received in final blocks. */
  amount_received: string;
  /** Amount still due. */
  amount_due: string;
  /** Amount refunded in final blocks. */
  amount_refunded: string;
  payer: string | null;
  completed_at: string | null;
}

/** Previous values of the changed fields: the status, or `amount_refunded` for a refund. */
export interface OrderChanges {
  /** The order’s ID. */
  id?: string;
  object?: 'order';
  /** Order status. `completed`, `expired` and `cancelled` are final. */
  status?: 'awaiting_payment' | 'processing' | 'completed' | 'expired' | 'cancelled';
  /** Checkout page. Send the buyer here. */
  checkout_url?: string;
  /** Amount to pay. */
  amount?: string;
  /** USDC or a native asset. */
  currency?: 'USDC' | 'ETH' | 'BNB' | 'CELO';
  /** Network of the payment. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'base-sepolia';
  /** Handle that is paid. */
  recipient?: string;
  /** Wallet that is paid, fixed when the order is created. */
  recipient_address?: string;
  /** When the order expires. ISO 8601 in UTC. */
  expires_at?: string;
  /** Key-value pairs attached by you. */
  metadata?: {
    [k: string]: string;
  };
  /** When it was created. ISO 8601 in UTC. */
  created_at?: string;
  /** False on test and local networks. */
  livemode?: boolean;
  /** Shown to the buyer. */
  description?: string | null;
  /** ID of the payment link the order was started from. */
  payment_link?: string | null;
  tx_hash?: string | null;
  txHash?: string | null;
  /** Amount received in final blocks. */
  amount_received?: string;
  /** Amount still due. */
  amount_due?: string;
  /** Amount refunded in final blocks. */
  amount_refunded?: string;
  payer?: string | null;
  completed_at?: string | null;
}

/** Sent when an order’s payment is final. */
export interface OrderCompletedEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'order.completed';
  /** When the event was created, in Unix seconds. */
  created: number;
  /** Same as `created`. ISO 8601 in UTC. */
  created_at: string;
  /** False on test and local networks. */
  livemode: boolean;
  /** Number of endpoints that haven’t acknowledged this event. */
  pending_webhooks: number;
  request: {
    /** ID of the API request that caused the event, if any. */
    id: string | null;
    /** Idempotency-Key of that request. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      order: Order;
    };
    previous_attributes?: OrderChanges;
  };
}

/** Sent when an order is cancelled before it is paid. */
export interface OrderCancelledEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'order.cancelled';
  /** When the event was created, in Unix seconds. */
  created: number;
  /** Same as `created`. ISO 8601 in UTC. */
  created_at: string;
  /** False on test and local networks. */
  livemode: boolean;
  /** Number of endpoints that haven’t acknowledged this event. */
  pending_webhooks: number;
  request: {
    /** ID of the API request that caused the event, if any. */
    id: string | null;
    /** Idempotency-Key of that request. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      order: Order;
    };
    previous_attributes?: OrderChanges;
  };
}

/** Sent when an order expires unpaid. */
export interface OrderExpiredEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'order.expired';
  /** When the event was created, in Unix seconds. */
  created: number;
  /** Same as `created`. ISO 8601 in UTC. */
  created_at: string;
  /** False on test and local networks. */
  livemode: boolean;
  /** Number of endpoints that haven’t acknowledged this event. */
  pending_webhooks: number;
  request: {
    /** ID of the API request that caused the event, if any. */
    id: string | null;
    /** Idempotency-Key of that request. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      order: Order;
    };
    previous_attributes?: OrderChanges;
  };
}

/** Sent when a refund is final, once for each refund. */
export interface OrderRefundedEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'order.refunded';
  /** When the event was created, in Unix seconds. */
  created: number;
  /** Same as `created`. ISO 8601 in UTC. */
  created_at: string;
  /** False on test and local networks. */
  livemode: boolean;
  /** Number of endpoints that haven’t acknowledged this event. */
  pending_webhooks: number;
  request: {
    /** ID of the API request that caused the event, if any. */
    id: string | null;
    /** Idempotency-Key of that request. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      order: Order;
    };
    previous_attributes?: OrderChanges;
  };
}

/** Sent when a tab of the workspace is opened and final. */
export interface EscrowCreatedEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'escrow.created';
  /** When the event was created, in Unix seconds. */
  created: number;
  /** Same as `created`. ISO 8601 in UTC. */
  created_at: string;
  /** False on test and local networks. */
  livemode: boolean;
  /** Number of endpoints that haven’t acknowledged this event. */
  pending_webhooks: number;
  request: {
    /** ID of the API request that caused the event, if any. */
    id: string | null;
    /** Idempotency-Key of that request. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      escrow: Escrow;
    };
    previous_attributes?: EscrowChanges;
  };
}

/** A tab: money held on-chain until the recipient claims it or it returns to the sender. */
export interface Escrow {
  /** The tab’s ID. */
  id: string;
  object: 'escrow';
  /** `claimed`: paid out to the recipient. `refunded`: returned to the sender. */
  status: 'pending_create' | 'open' | 'claimed' | 'refunded';
  /** Locked amount. */
  amount: string;
  /** USDC or a native asset. */
  currency: 'USDC' | 'ETH' | 'BNB' | 'CELO';
  /** Network of the tab. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Recipient as named by the sender; null when known only on-chain. */
  handleSlug: string | null;
  /** Recipient, human-readable. */
  recipient_label: string;
  /** When it can be returned to the sender by anyone. ISO 8601 in UTC. */
  deadline: string;
  /** Whether the sender can take it back before the deadline. */
  revocable: boolean;
  /** Note of the sender. */
  note: string | null;
  /** The tab’s ID in the escrow contract. */
  onChainId: string;
  tx_hash: string | null;
  txHash: string | null;
  close_tx_hash: string | null;
  paid_to: string | null;
  /** When it was created. ISO 8601 in UTC. */
  created_at: string;
  opened_at: string | null;
  closed_at: string | null;
  /** False on test and local networks. */
  livemode: boolean;
}

/** Previous values of the changed fields. */
export interface EscrowChanges {
  /** The tab’s ID. */
  id?: string;
  object?: 'escrow';
  /** `claimed`: paid out to the recipient. `refunded`: returned to the sender. */
  status?: 'pending_create' | 'open' | 'claimed' | 'refunded';
  /** Locked amount. */
  amount?: string;
  /** USDC or a native asset. */
  currency?: 'USDC' | 'ETH' | 'BNB' | 'CELO';
  /** Network of the tab. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Recipient as named by the sender; null when known only on-chain. */
  handleSlug?: string | null;
  /** Recipient, human-readable. */
  recipient_label?: string;
  /** When it can be returned to the sender by anyone. ISO 8601 in UTC. */
  deadline?: string;
  /** Whether the sender can take it back before the deadline. */
  revocable?: boolean;
  /** Note of the sender. */
  note?: string | null;
  /** The tab’s ID in the escrow contract. */
  onChainId?: string;
  tx_hash?: string | null;
  txHash?: string | null;
  close_tx_hash?: string | null;
  paid_to?: string | null;
  /** When it was created. ISO 8601 in UTC. */
  created_at?: string;
  opened_at?: string | null;
  closed_at?: string | null;
  /** False on test and local networks. */
  livemode?: boolean;
}

/** Sent when a tab of the workspace is paid out to its recipient. */
export interface EscrowClaimedEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'escrow.claimed';
  /** When the event was created, in Unix seconds. */
  created: number;
  /** Same as `created`. ISO 8601 in UTC. */
  created_at: string;
  /** False on test and local networks. */
  livemode: boolean;
  /** Number of endpoints that haven’t acknowledged this event. */
  pending_webhooks: number;
  request: {
    /** ID of the API request that caused the event, if any. */
    id: string | null;
    /** Idempotency-Key of that request. */
    idempotency_key: string | null;
  };
  data: {
    object: {
      escrow: Escrow;
    };
    previous_attributes?: EscrowChanges;
  };
}

/** Sent when a tab of the workspace returns to its sender. */
export interface EscrowRefundedEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'escrow.refunded';
  /** When the event was created, in Unix seconds. */
  created: number;
  /** Same as `created`. ISO 8601 in UTC. */
  created_at: string;
  /** False on test and local networks. */
  livemode: boolean;
  /** Number of endpoints that haven’t acknowledged this event. */
  pending_webhooks: number;
  request: {
    /** ID of the API request that caused the event, if any. */
    id: string | null;
    /** Idempotency-Key of that request. */
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
  /** Whether more results are available. */
  has_more: boolean;
  /** Pass as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null;
}

/** The transaction that refunds an order, to be sent by the wallet that was paid. */
export interface Refund {
  object: 'order.refund';
  order: string;
  /** Network of the payment. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'base-sepolia';
  /** Router contract, same as `to`. */
  router: string;
  function: 'refund';
  args: {
    terms: {
      /** The order’s ID in the router contract. */
      orderId: string;
      /** Wallet that was paid. */
      payee: string;
      /** USDC contract, or the zero address for the native asset. */
      token: string;
      /** In the asset’s smallest units. */
      amount: string;
      /** In the asset’s smallest units. */
      fee: string;
      /** Unix seconds. */
      deadline: string;
    };
    /** Address that receives the refund. */
    to: string;
    /** In the asset’s smallest units. */
    amount: string;
  };
  /** EIP-155 chain ID. */
  chainId: number;
  /** Wallet that was paid. Only this wallet can send the refund. */
  from: string;
  /** Contract to call. */
  to: string;
  /** Transaction calldata. */
  data: string;
  /** Wei. */
  value: string;
  /** Address that receives the refund. */
  refund_to: string;
  /** Amount refunded. */
  amount: string;
  /** USDC or a native asset. */
  currency: 'USDC' | 'ETH' | 'BNB' | 'CELO';
  /** Approval transaction to send first; null when the allowance is sufficient. */
  approval: {
    /** EIP-155 chain ID. */
    chainId: number;
    /** Same as the refund’s `from`. */
    from: string;
    /** Token contract. */
    to: string;
    /** Transaction calldata. */
    data: string;
    /** Wei. */
    value: string;
    /** Token contract. */
    token: string;
    /** Router contract. */
    spender: string;
    /** In the asset’s smallest units. */
    amount: string;
  } | null;
}

/** A reusable page that creates an order for each payment. */
export interface PaymentLink {
  /** The payment link’s ID. */
  id: string;
  object: 'payment_link';
  /** Page to share with buyers. */
  url: string;
  /** Whether the link accepts new payments. */
  active: boolean;
  /** What the payment is for, shown to the buyer. */
  label: string;
  amount: string | null;
  /** USDC or a native asset. */
  currency: 'USDC' | 'ETH' | 'BNB' | 'CELO';
  /** Network of the payment. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'base-sepolia';
  /** Handle that is paid. */
  recipient: string;
  /** Whether the buyer enters the amount. */
  open_amount: boolean;
  min_amount: string | null;
  max_amount: string | null;
  /** Key-value pairs attached by you. */
  metadata: {
    [k: string]: string;
  };
  /** False on test and local networks. */
  livemode: boolean;
  /** When it was created. ISO 8601 in UTC. */
  created_at: string;
  deactivated_at: string | null;
}

/** A page of a list, newest first. */
export interface PaymentLinkList {
  object: 'list';
  data: PaymentLink[];
  /** Whether more results are available. */
  has_more: boolean;
  /** Pass as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null;
}

/** A page of a list, newest first. */
export interface EventList {
  object: 'list';
  data: AmpersatEvent[];
  /** Whether more results are available. */
  has_more: boolean;
  /** Pass as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null;
}

/** An endpoint with its new signing secret. */
export interface NewWebhookEndpoint {
  /** The endpoint’s ID. */
  id: string;
  object: 'webhook_endpoint';
  /** URL that receives events. */
  url: string;
  /** Your own note. */
  description: string | null;
  /** Event types sent to this endpoint; `*` alone for all. */
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
  )[];
  /** API version of the events sent to this endpoint. */
  api_version: string;
  /** Disabled endpoints receive nothing. */
  status: 'enabled' | 'disabled';
  /** `by_owner`: disabled by you. `gone`: returned 410. `failing`: no successful delivery for five days. */
  disabled_reason: ('by_owner' | 'gone' | 'failing') | null;
  disabled_at: string | null;
  failing_since: string | null;
  /** Whether the endpoint receives live or test events. */
  livemode: boolean;
  former_secret_until: string | null;
  /** When it was created. ISO 8601 in UTC. */
  created_at: string;
  /** Signing secret, shown only once. Omitted when the call is repeated with its Idempotency-Key. */
  secret?: string;
}

/** A page of a list, newest first. */
export interface WebhookEndpointList {
  object: 'list';
  data: WebhookEndpoint[];
  /** Whether more results are available. */
  has_more: boolean;
  /** Pass as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null;
}

/** A URL that receives events. */
export interface WebhookEndpoint {
  /** The endpoint’s ID. */
  id: string;
  object: 'webhook_endpoint';
  /** URL that receives events. */
  url: string;
  /** Your own note. */
  description: string | null;
  /** Event types sent to this endpoint; `*` alone for all. */
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
  )[];
  /** API version of the events sent to this endpoint. */
  api_version: string;
  /** Disabled endpoints receive nothing. */
  status: 'enabled' | 'disabled';
  /** `by_owner`: disabled by you. `gone`: returned 410. `failing`: no successful delivery for five days. */
  disabled_reason: ('by_owner' | 'gone' | 'failing') | null;
  disabled_at: string | null;
  failing_since: string | null;
  /** Whether the endpoint receives live or test events. */
  livemode: boolean;
  former_secret_until: string | null;
  /** When it was created. ISO 8601 in UTC. */
  created_at: string;
}

/** The deleted endpoint. */
export interface DeletedWebhookEndpoint {
  /** The endpoint’s ID. */
  id: string;
  object: 'webhook_endpoint';
  deleted: true;
}

/** A replay of failed deliveries. */
export interface WebhookReplay {
  object: 'webhook_replay';
  /** The endpoint’s ID. */
  endpoint: string;
  /** Number of deliveries being replayed. */
  count: number;
}

/** A page of a list, newest first. */
export interface WebhookDeliveryList {
  object: 'list';
  data: WebhookDelivery[];
  /** Whether more results are available. */
  has_more: boolean;
  /** Pass as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null;
}

/** Delivery of an event to an endpoint. */
export interface WebhookDelivery {
  /** The delivery’s ID. */
  id: string;
  object: 'webhook_delivery';
  /** The event’s ID. */
  event: string;
  /** Event type. */
  event_type:
    | 'order.created'
    | 'order.completed'
    | 'order.cancelled'
    | 'order.expired'
    | 'order.refunded'
    | 'escrow.created'
    | 'escrow.claimed'
    | 'escrow.refunded';
  /** ID of the object the event is about. */
  resource: string;
  /** The endpoint’s ID. */
  endpoint: string;
  /** `pending`: will be attempted again. `failed`: no more attempts unless replayed. */
  status: 'pending' | 'delivered' | 'failed';
  /** Why it failed: `exhausted` after the last attempt, or the endpoint was disabled, deleted or returned 410. */
  failure: ('exhausted' | 'endpoint_disabled' | 'endpoint_deleted' | 'gone') | null;
  /** Number of attempts, including replays. */
  attempt_count: number;
  next_attempt_at: string | null;
  /** Whether this is a test event, which is attempted once. */
  is_test: boolean;
  /** When it was created. ISO 8601 in UTC. */
  created_at: string;
  ended_at: string | null;
  /** Latest attempts, newest first, up to 20. */
  attempts: WebhookAttempt[];
}

/** One attempt to deliver an event. */
export interface WebhookAttempt {
  /** Number of the attempt, from 1; replays continue counting. */
  number: number;
  /** When the attempt started. ISO 8601 in UTC. */
  started_at: string;
  /** Duration in milliseconds. */
  latency_ms: number;
  /** HTTP status; null when there was no response. */
  status: number | null;
  /** Why there was no response. `secret_unreadable`: nothing was sent; roll the secret. */
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
  /** First 2 KB of the response body. */
  answer: string | null;
}

/** An error. */
export interface ErrorBody {
  error: {
    type: string;
    /** Stable error code. Use it in your code. */
    code: string;
    /** Human-readable message. It may change. */
    message: string;
    /** The parameter that caused the error. */
    param?: string;
    /** Include it when you contact support. */
    request_id: string;
    /** Documentation of the error code. */
    doc_url: string;
  };
}

export interface CreateOrderParams {
  /** Amount to charge, as a decimal string: up to 6 decimals for USDC, 18 for a native asset. */
  amount: string;
  /** USDC, or the chain’s native asset: ETH, BNB or CELO. Case-insensitive. Defaults to USDC. */
  currency?: string;
  /** Network of the payment: base, bsc, ink, celo, base-sepolia. Case-insensitive. */
  chain: string;
  /** Handle to pay. Defaults to the key’s workspace; any other handle must be on its allow list. */
  recipient?: string;
  /** Seconds until the order expires. Defaults to 3600. */
  expires_in?: number;
  /** Shown to the buyer. Plain text, up to 280 characters. */
  description?: string | null;
  /** Key-value pairs you can attach to the object: up to 50 keys of 40 characters, values up to 500. */
  metadata?: {
    [k: string]: string;
  };
}

export interface ListOrdersParams {
  /** Filter by status. */
  status?: 'awaiting_payment' | 'processing' | 'completed' | 'expired' | 'cancelled';
  /** Filter by payment link ID. */
  payment_link?: string;
  /** Filter by network. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'base-sepolia';
  /** Only what was created in this period: `created[gte]`, `created[gt]`, `created[lte]`, `created[lt]`, each Unix seconds or ISO 8601 with a zone. */
  created?: {
    /** After this time. */
    gt?: string;
    /** At this time or later. */
    gte?: string;
    /** Before this time. */
    lt?: string;
    /** At this time or earlier. */
    lte?: string;
  };
  /** Only what has this metadata, key and value: `metadata[cart]=7041`. */
  metadata?: {
    [k: string]: string;
  };
  /** Maximum number of results, 1–100. Defaults to 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface RefundOrderParams {
  /** Omit to get the transaction to sign; set to `confirm` after sending it. */
  action?: 'confirm';
  /** Hash of the refund transaction. Requires `action=confirm`. */
  tx_hash?: string;
  /** Same as `tx_hash`. */
  txHash?: string;
  /** Amount to refund. Defaults to the remaining amount. */
  amount?: string;
  /** Address to refund, when several wallets paid into the order’s deposit address. Must be one of them. */
  to?: string;
}

export interface CreatePaymentLinkParams {
  /** What the payment is for, shown to the buyer. Plain text, up to 280 characters. */
  label: string;
  /** Amount of each payment, as a decimal string: up to 6 decimals for USDC, 18 for a native asset. Omit it with open_amount. */
  amount?: string | null;
  /** USDC, or the chain’s native asset: ETH, BNB or CELO. Case-insensitive. Defaults to USDC. */
  currency?: string;
  /** Network of the payment: base, bsc, ink, celo, base-sepolia. Case-insensitive. */
  chain: string;
  /** Handle to pay. Defaults to the key’s workspace; any other handle must be on its allow list. */
  recipient?: string;
  /** Whether the buyer enters the amount. Defaults to false. */
  open_amount?: boolean;
  /** Minimum amount a buyer can enter. Requires open_amount. */
  min_amount?: string | null;
  /** Maximum amount a buyer can enter. Requires open_amount. */
  max_amount?: string | null;
  /** Key-value pairs you can attach to the object: up to 50 keys of 40 characters, values up to 500. */
  metadata?: {
    [k: string]: string;
  };
}

export interface ListPaymentLinksParams {
  /** Filter by whether the link accepts payments. */
  active?: 'true' | 'false';
  /** Filter by network. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'base-sepolia';
  /** Only what was created in this period: `created[gte]`, `created[gt]`, `created[lte]`, `created[lt]`, each Unix seconds or ISO 8601 with a zone. */
  created?: {
    /** After this time. */
    gt?: string;
    /** At this time or later. */
    gte?: string;
    /** Before this time. */
    lt?: string;
    /** At this time or earlier. */
    lte?: string;
  };
  /** Only what has this metadata, key and value: `metadata[cart]=7041`. */
  metadata?: {
    [k: string]: string;
  };
  /** Maximum number of results, 1–100. Defaults to 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface ListPaymentLinkOrdersParams {
  /** Filter by status. */
  status?: 'awaiting_payment' | 'processing' | 'completed' | 'expired' | 'cancelled';
  /** Only what was created in this period: `created[gte]`, `created[gt]`, `created[lte]`, `created[lt]`, each Unix seconds or ISO 8601 with a zone. */
  created?: {
    /** After this time. */
    gt?: string;
    /** At this time or later. */
    gte?: string;
    /** Before this time. */
    lt?: string;
    /** At this time or earlier. */
    lte?: string;
  };
  /** Only what has this metadata, key and value: `metadata[cart]=7041`. */
  metadata?: {
    [k: string]: string;
  };
  /** Maximum number of results, 1–100. Defaults to 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface ListEventsParams {
  /** Filter by type, or by a group such as `order.*`. Types: order.created, order.completed, order.cancelled, order.expired, order.refunded, escrow.created, escrow.claimed, escrow.refunded. */
  type?: string;
  /** Filter by the ID of the order or tab. */
  resource?: string;
  /** Only what was created in this period: `created[gte]`, `created[gt]`, `created[lte]`, `created[lt]`, each Unix seconds or ISO 8601 with a zone. */
  created?: {
    /** After this time. */
    gt?: string;
    /** At this time or later. */
    gte?: string;
    /** Before this time. */
    lt?: string;
    /** At this time or earlier. */
    lte?: string;
  };
  /** Maximum number of results, 1–100. Defaults to 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface ReplayEventParams {
  /** Endpoint to send it to. Defaults to every endpoint subscribed to its type. */
  endpoint?: string;
}

export interface CreateWebhookEndpointParams {
  /** Public URL that receives events. https, or http in test mode; up to 2048 characters. */
  url: string;
  /**
   * Event types to send, or `*` alone for all. Defaults to `*`.
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
  )[];
  /** Your own note. Plain text, up to 280 characters. */
  description?: string | null;
}

export interface ListWebhookEndpointsParams {
  /** Maximum number of results, 1–100. Defaults to 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface UpdateWebhookEndpointParams {
  /** Public URL that receives events. https, or http in test mode; up to 2048 characters. */
  url?: string;
  /**
   * Event types to send, or `*` alone for all. Defaults to `*`.
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
  )[];
  /** Your own note. Plain text, up to 280 characters. */
  description?: string | null;
  /** True disables the endpoint, false enables it. */
  disabled?: boolean;
}

export interface RollWebhookEndpointSecretParams {
  /** Hours during which deliveries are also signed with the previous secret. Defaults to 24. */
  overlap_hours?: number;
}

export interface SendTestEventParams {
  /** Type of the test event. Defaults to the first type the endpoint is subscribed to. */
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
  /** Replay deliveries that failed at this time or later. ISO 8601 with a zone, or Unix seconds. */
  since: string | number;
}

export interface ListWebhookDeliveriesParams {
  /** Filter by endpoint ID. */
  endpoint?: string;
  /** Filter by event ID. */
  event?: string;
  /** Filter by status. */
  status?: 'pending' | 'delivered' | 'failed';
  /** Maximum number of results, 1–100. Defaults to 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}
