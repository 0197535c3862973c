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
  | EscrowRefundedEvent
  | SubscriptionPlanCreatedEvent
  | SubscriptionStartedEvent
  | SubscriptionChargedEvent
  | SubscriptionCancelledEvent
  | SubscriptionHaltedEvent
  | CampaignGrantPaidEvent;
export type RefundOrderAnswer = Refund | SolanaRefund | Order;

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
  currency: 'USDC' | 'ETH' | 'BNB' | 'CELO' | 'SOL';
  /** Network of the payment. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
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
  /** Where the buyer goes after paying. */
  success_url: string | null;
  /** Where the buyer goes without paying. */
  cancel_url: string | null;
  /** Your own reference. Never shown to the buyer. */
  client_reference_id: string | null;
  /** What is bought. Adds up to the amount; empty where nothing is listed. */
  line_items: {
    name: string;
    quantity: number;
    /** Price of one. */
    amount: string;
  }[];
  /** Origins that the checkout’s window may report to. */
  embed_origins: string[];
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
  currency?: 'USDC' | 'ETH' | 'BNB' | 'CELO' | 'SOL';
  /** Network of the payment. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
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
  /** Where the buyer goes after paying. */
  success_url?: string | null;
  /** Where the buyer goes without paying. */
  cancel_url?: string | null;
  /** Your own reference. Never shown to the buyer. */
  client_reference_id?: string | null;
  /** What is bought. Adds up to the amount; empty where nothing is listed. */
  line_items?: {
    name: string;
    quantity: number;
    /** Price of one. */
    amount: string;
  }[];
  /** Origins that the checkout’s window may report to. */
  embed_origins?: string[];
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

/** Sent when a plan of the workspace exists on-chain. */
export interface SubscriptionPlanCreatedEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'subscription.plan_created';
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
      plan: Plan;
    };
    previous_attributes?: PlanChanges;
  };
}

/** A fixed amount that subscribers pay once a period. */
export interface Plan {
  /** The plan’s ID. */
  id: string;
  object: 'plan';
  /** Key of the plan at the subscription router, or the program on Solana. */
  planKey: string;
  /** Shown to subscribers. */
  name: string;
  /** Shown to subscribers. */
  description: string;
  /** Charged each period. */
  amount: string;
  /** Always USDC. */
  currency: 'USDC';
  /** Network of the plan. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Seconds between two charges. */
  period: number;
  /** `pending_create`: waits for the creator’s transaction. `inactive`: takes no subscribers and charges none. */
  status: 'pending_create' | 'active' | 'inactive';
  /** Part of the amount that is Ampersat’s fee. */
  fee: string;
  /** What the creator gets of each charge. */
  you_get: string;
  /** Days before the first charge; 0 for none. */
  trial_days: number;
  /** Image on the plan’s page. */
  image_url: string | null;
  /** Where the plan’s page leads a new subscriber. */
  return_url: string | null;
  /** Key-value pairs attached by you. */
  metadata: {
    [k: string]: string;
  };
  /** Page to share with subscribers. */
  url: string;
  /** Handle of the creator. */
  creatorHandle: string | null;
  /** Wallet that is paid. */
  creator: string;
  /** ID of the plan that replaced it at another price. */
  replaced_by: string | null;
  /** False on test and local networks. */
  livemode: boolean;
  /** When it was created here. ISO 8601 in UTC. */
  created_at: string;
  confirmed_at: string | null;
}

/** Previous values of the changed fields. */
export interface PlanChanges {
  /** The plan’s ID. */
  id?: string;
  object?: 'plan';
  /** Key of the plan at the subscription router, or the program on Solana. */
  planKey?: string;
  /** Shown to subscribers. */
  name?: string;
  /** Shown to subscribers. */
  description?: string;
  /** Charged each period. */
  amount?: string;
  /** Always USDC. */
  currency?: 'USDC';
  /** Network of the plan. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Seconds between two charges. */
  period?: number;
  /** `pending_create`: waits for the creator’s transaction. `inactive`: takes no subscribers and charges none. */
  status?: 'pending_create' | 'active' | 'inactive';
  /** Part of the amount that is Ampersat’s fee. */
  fee?: string;
  /** What the creator gets of each charge. */
  you_get?: string;
  /** Days before the first charge; 0 for none. */
  trial_days?: number;
  /** Image on the plan’s page. */
  image_url?: string | null;
  /** Where the plan’s page leads a new subscriber. */
  return_url?: string | null;
  /** Key-value pairs attached by you. */
  metadata?: {
    [k: string]: string;
  };
  /** Page to share with subscribers. */
  url?: string;
  /** Handle of the creator. */
  creatorHandle?: string | null;
  /** Wallet that is paid. */
  creator?: string;
  /** ID of the plan that replaced it at another price. */
  replaced_by?: string | null;
  /** False on test and local networks. */
  livemode?: boolean;
  /** When it was created here. ISO 8601 in UTC. */
  created_at?: string;
  confirmed_at?: string | null;
}

/** Sent when a wallet subscribes, with its first charge. */
export interface SubscriptionStartedEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'subscription.started';
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
      subscription: Subscription;
    };
    previous_attributes?: SubscriptionChanges;
  };
}

/** A wallet’s subscription to a plan, from its first charge to its end. */
export interface Subscription {
  /** The subscription’s ID. */
  id: string;
  object: 'subscription';
  /** ID of the plan. */
  plan: string;
  /** Key of the plan at the subscription router, or the program on Solana. */
  planKey: string;
  /** Name of the plan. */
  plan_name: string;
  /** Handle of the subscriber, if any. */
  subscriberHandle: string | null;
  /** Wallet that pays. */
  subscriber: string;
  /** Handle of the creator. */
  creatorHandle: string | null;
  /** Wallet that is paid. */
  creator: string;
  /** `halted`: stayed unpaid. `cancelled` and `halted` are final; a new start is a new subscription. */
  status: 'active' | 'cancelled' | 'halted';
  /** Charged each period. */
  amount: string;
  /** Always USDC. */
  currency: 'USDC';
  /** Network of the plan. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Seconds between two charges. */
  period: number;
  /** When it started: the time of the first charge. Unix milliseconds. */
  startedAt: number;
  /** When it was charged last. Unix milliseconds. */
  lastChargedAt: number;
  /** Charges so far, the first one included. */
  chargesPaid: number;
  next_charge_at: string | null;
  /** Sum of all charges. */
  total_paid: string;
  /** Set while a due charge cannot be made. */
  failing: {
    /** Why the due charge was not made. */
    code: 'insufficient_balance' | 'insufficient_allowance' | 'plan_inactive' | 'token_refused' | 'not_mined';
    since: string | null;
  } | null;
  ended_at: string | null;
  /** Who cancelled it. */
  cancelled_by: ('subscriber' | 'creator') | null;
  /** Why it was halted. `lapsed`: no charge was possible for three periods. */
  reason: ('unpaid' | 'lapsed') | null;
  /** ID of the plan that replaced its own at another price. */
  replaced_by: string | null;
  /** Hash of the transaction that started it. */
  txHash: string;
  /** False on test and local networks. */
  livemode: boolean;
}

/** Previous values of the changed fields. */
export interface SubscriptionChanges {
  /** The subscription’s ID. */
  id?: string;
  object?: 'subscription';
  /** ID of the plan. */
  plan?: string;
  /** Key of the plan at the subscription router, or the program on Solana. */
  planKey?: string;
  /** Name of the plan. */
  plan_name?: string;
  /** Handle of the subscriber, if any. */
  subscriberHandle?: string | null;
  /** Wallet that pays. */
  subscriber?: string;
  /** Handle of the creator. */
  creatorHandle?: string | null;
  /** Wallet that is paid. */
  creator?: string;
  /** `halted`: stayed unpaid. `cancelled` and `halted` are final; a new start is a new subscription. */
  status?: 'active' | 'cancelled' | 'halted';
  /** Charged each period. */
  amount?: string;
  /** Always USDC. */
  currency?: 'USDC';
  /** Network of the plan. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Seconds between two charges. */
  period?: number;
  /** When it started: the time of the first charge. Unix milliseconds. */
  startedAt?: number;
  /** When it was charged last. Unix milliseconds. */
  lastChargedAt?: number;
  /** Charges so far, the first one included. */
  chargesPaid?: number;
  next_charge_at?: string | null;
  /** Sum of all charges. */
  total_paid?: string;
  /** Set while a due charge cannot be made. */
  failing?: {
    /** Why the due charge was not made. */
    code: 'insufficient_balance' | 'insufficient_allowance' | 'plan_inactive' | 'token_refused' | 'not_mined';
    since: string | null;
  } | null;
  ended_at?: string | null;
  /** Who cancelled it. */
  cancelled_by?: ('subscriber' | 'creator') | null;
  /** Why it was halted. `lapsed`: no charge was possible for three periods. */
  reason?: ('unpaid' | 'lapsed') | null;
  /** ID of the plan that replaced its own at another price. */
  replaced_by?: string | null;
  /** Hash of the transaction that started it. */
  txHash?: string;
  /** False on test and local networks. */
  livemode?: boolean;
}

/** Sent for each charge, the first one included. */
export interface SubscriptionChargedEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'subscription.charged';
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
      subscription: ChargedSubscription;
    };
    previous_attributes?: SubscriptionChanges;
  };
}

/** A subscription with the charge that was made. */
export interface ChargedSubscription {
  /** The subscription’s ID. */
  id: string;
  object: 'subscription';
  /** ID of the plan. */
  plan: string;
  /** Key of the plan at the subscription router, or the program on Solana. */
  planKey: string;
  /** Name of the plan. */
  plan_name: string;
  /** Handle of the subscriber, if any. */
  subscriberHandle: string | null;
  /** Wallet that pays. */
  subscriber: string;
  /** Handle of the creator. */
  creatorHandle: string | null;
  /** Wallet that is paid. */
  creator: string;
  /** `halted`: stayed unpaid. `cancelled` and `halted` are final; a new start is a new subscription. */
  status: 'active' | 'cancelled' | 'halted';
  /** Charged each period. */
  amount: string;
  /** Always USDC. */
  currency: 'USDC';
  /** Network of the plan. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Seconds between two charges. */
  period: number;
  /** When it started: the time of the first charge. Unix milliseconds. */
  startedAt: number;
  /** When it was charged last. Unix milliseconds. */
  lastChargedAt: number;
  /** Charges so far, the first one included. */
  chargesPaid: number;
  next_charge_at: string | null;
  /** Sum of all charges. */
  total_paid: string;
  /** Set while a due charge cannot be made. */
  failing: {
    /** Why the due charge was not made. */
    code: 'insufficient_balance' | 'insufficient_allowance' | 'plan_inactive' | 'token_refused' | 'not_mined';
    since: string | null;
  } | null;
  ended_at: string | null;
  /** Who cancelled it. */
  cancelled_by: ('subscriber' | 'creator') | null;
  /** Why it was halted. `lapsed`: no charge was possible for three periods. */
  reason: ('unpaid' | 'lapsed') | null;
  /** ID of the plan that replaced its own at another price. */
  replaced_by: string | null;
  /** Hash of the transaction that started it. */
  txHash: string;
  /** False on test and local networks. */
  livemode: boolean;
  charge: Charge;
}

/** The charge that the event is about. */
export interface Charge {
  object: 'charge';
  /** ID of the subscription. */
  subscription: string;
  /** Number of the charge, from 1. */
  number: number;
  /** Amount charged. */
  amount: string;
  /** Part of it that is Ampersat’s fee. */
  fee: string;
  /** Always USDC. */
  currency: 'USDC';
  /** Hash of the transaction that charged it. */
  txHash: string;
  /** The transaction in the network’s explorer. */
  explorer_url: string | null;
  /** When it was charged: the time of its block. ISO 8601 in UTC. */
  charged_at: string;
  /** Start of the period that it pays. ISO 8601 in UTC. */
  period_start: string;
  /** End of the period that it pays. ISO 8601 in UTC. */
  period_end: string;
}

/** One charge of a subscription, in a final block. */
export interface Charge1 {
  object: 'charge';
  /** ID of the subscription. */
  subscription: string;
  /** Number of the charge, from 1. */
  number: number;
  /** Amount charged. */
  amount: string;
  /** Part of it that is Ampersat’s fee. */
  fee: string;
  /** Always USDC. */
  currency: 'USDC';
  /** Hash of the transaction that charged it. */
  txHash: string;
  /** The transaction in the network’s explorer. */
  explorer_url: string | null;
  /** When it was charged: the time of its block. ISO 8601 in UTC. */
  charged_at: string;
  /** Start of the period that it pays. ISO 8601 in UTC. */
  period_start: string;
  /** End of the period that it pays. ISO 8601 in UTC. */
  period_end: string;
}

/** Sent when the subscriber or the creator cancels a subscription. */
export interface SubscriptionCancelledEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'subscription.cancelled';
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
      subscription: Subscription;
    };
    previous_attributes?: SubscriptionChanges;
  };
}

/** Sent when a subscription ends because it stayed unpaid. */
export interface SubscriptionHaltedEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'subscription.halted';
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
      subscription: Subscription;
    };
    previous_attributes?: SubscriptionChanges;
  };
}

/** Sent for each grant that is paid and final. */
export interface CampaignGrantPaidEvent {
  /** Unique ID. Events can be delivered more than once; deduplicate by this ID. */
  id: string;
  object: 'event';
  /** API version of the event. */
  api_version: string;
  type: 'campaign.grant_paid';
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
      grant: Grant;
    };
    previous_attributes?: GrantChanges;
  };
}

/** One payment of a campaign. */
export interface Grant {
  /** The grant’s ID. */
  id: string;
  object: 'grant';
  /** ID of the campaign. */
  campaign: string;
  /** Your key, unique within the campaign. */
  key: string;
  /** Recipient as you wrote it. */
  recipient: string;
  /** Handle that is paid, if any. */
  recipientHandle: string | null;
  address: string | null;
  /** Amount to pay. */
  amount: string;
  /** Always USDC. */
  currency: 'USDC';
  /** Network of the campaign. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** `paid` once the payment is final. */
  status: 'queued' | 'sent' | 'paid' | 'failed' | 'cancelled';
  /** Queued until the recipient connects an account or, on Solana, has a USDC account that Ampersat doesn’t pay for. */
  waiting_for_account: boolean;
  /** Why it was not paid, once it has failed. */
  failure: {
    code:
      | 'campaign_closed'
      | 'campaign_expired'
      | 'budget_exhausted'
      | 'grant_too_large'
      | 'handle_not_found'
      | 'recipient_bot'
      | 'recipient_uncertain'
      | 'recipient_refused'
      | 'wallet_not_there'
      | 'token_refused'
      | 'places_used'
      | 'number_used';
    message: string;
  } | null;
  /** Shown to the recipient. */
  note: string | null;
  txHash: string | null;
  /** The transaction in the network’s explorer. */
  explorer_url: string | null;
  /** False on test and local networks. */
  livemode: boolean;
  /** When it was created. ISO 8601 in UTC. */
  created_at: string;
  paid_at: string | null;
}

/** Previous values of the changed fields. */
export interface GrantChanges {
  /** The grant’s ID. */
  id?: string;
  object?: 'grant';
  /** ID of the campaign. */
  campaign?: string;
  /** Your key, unique within the campaign. */
  key?: string;
  /** Recipient as you wrote it. */
  recipient?: string;
  /** Handle that is paid, if any. */
  recipientHandle?: string | null;
  address?: string | null;
  /** Amount to pay. */
  amount?: string;
  /** Always USDC. */
  currency?: 'USDC';
  /** Network of the campaign. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** `paid` once the payment is final. */
  status?: 'queued' | 'sent' | 'paid' | 'failed' | 'cancelled';
  /** Queued until the recipient connects an account or, on Solana, has a USDC account that Ampersat doesn’t pay for. */
  waiting_for_account?: boolean;
  /** Why it was not paid, once it has failed. */
  failure?: {
    code:
      | 'campaign_closed'
      | 'campaign_expired'
      | 'budget_exhausted'
      | 'grant_too_large'
      | 'handle_not_found'
      | 'recipient_bot'
      | 'recipient_uncertain'
      | 'recipient_refused'
      | 'wallet_not_there'
      | 'token_refused'
      | 'places_used'
      | 'number_used';
    message: string;
  } | null;
  /** Shown to the recipient. */
  note?: string | null;
  txHash?: string | null;
  /** The transaction in the network’s explorer. */
  explorer_url?: string | null;
  /** False on test and local networks. */
  livemode?: boolean;
  /** When it was created. ISO 8601 in UTC. */
  created_at?: string;
  paid_at?: string | null;
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
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Router contract; the program on Solana. */
  router: string;
  function: 'refund';
  args: {
    terms: {
      /** The order’s ID in the contract. */
      orderId: string;
      /** Wallet that was paid. */
      payee: string;
      /** USDC, or what stands for the native asset: the zero address, on Solana the system program. */
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
  /** Address that receives the refund. */
  refund_to: string;
  /** Amount refunded. */
  amount: string;
  /** USDC or a native asset. */
  currency: 'USDC' | 'ETH' | 'BNB' | 'CELO' | 'SOL';
  /** Whether the order was paid by a transfer to its deposit address. `refund_to` can then belong to an exchange, which may not credit the refund to the buyer: ask them first. */
  paid_by_transfer: boolean;
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

/** The transaction that refunds an order on Solana, to be signed by the wallet that was paid. */
export interface SolanaRefund {
  object: 'order.refund';
  order: string;
  /** Network of the payment. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Router contract; the program on Solana. */
  router: string;
  function: 'refund';
  args: {
    terms: {
      /** The order’s ID in the contract. */
      orderId: string;
      /** Wallet that was paid. */
      payee: string;
      /** USDC, or what stands for the native asset: the zero address, on Solana the system program. */
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
  /** Address that receives the refund. */
  refund_to: string;
  /** Amount refunded. */
  amount: string;
  /** USDC or a native asset. */
  currency: 'USDC' | 'ETH' | 'BNB' | 'CELO' | 'SOL';
  /** Whether the order was paid by a transfer to its deposit address. `refund_to` can then belong to an exchange, which may not credit the refund to the buyer: ask them first. */
  paid_by_transfer: boolean;
  /** Wallet that was paid. It signs the transaction. */
  signed_by: string;
  /** Transaction to sign, in base64. An executor pays its fee. Send it back within about a minute. */
  solana_transaction: string;
  /** What is sent back with the signed transaction. */
  submit: {
    /** Same as `refund_to`. */
    to: string;
    /** Same as `amount`. */
    amount: string;
  };
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
  currency: 'USDC' | 'ETH' | 'BNB' | 'CELO' | 'SOL';
  /** Network of the payment. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
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
  /** `active`, or why it starts no orders: deactivated, past `expires_at`, or all of `max_uses` taken. */
  state: 'active' | 'inactive' | 'expired' | 'used_up';
  /** What follows a payment. */
  after_completion:
    | (
        | {
            type: 'message';
            message: string;
          }
        | {
            type: 'url';
            url: string;
          }
      )
    | null;
  /** How many orders it can start; null for any number. */
  max_uses: number | null;
  /** Orders that are paid or can still be paid; null without `max_uses`. */
  uses: number | null;
  expires_at: string | null;
  /** Where the buyer goes after paying. */
  success_url: string | null;
  /** Where the buyer goes without paying. */
  cancel_url: string | null;
  /** Your own reference. Never shown to the buyer. */
  client_reference_id: string | null;
  /** What is bought. Adds up to the amount; empty where nothing is listed. */
  line_items: {
    name: string;
    quantity: number;
    /** Price of one. */
    amount: string;
  }[];
  /** Origins that the checkout’s window may report to. */
  embed_origins: string[];
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
export interface PlanList {
  object: 'list';
  data: Plan[];
  /** Whether more results are available. */
  has_more: boolean;
  /** Pass as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null;
}

/** A page of a list, newest first. */
export interface SubscriptionList {
  object: 'list';
  data: Subscription[];
  /** Whether more results are available. */
  has_more: boolean;
  /** Pass as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null;
}

/** A page of a list, newest first. */
export interface ChargeList {
  object: 'list';
  data: Charge1[];
  /** Whether more results are available. */
  has_more: boolean;
  /** Pass as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null;
}

/** A budget from which many people are paid. */
export interface Campaign {
  /** The campaign’s ID. */
  id: string;
  object: 'campaign';
  /** Shown to recipients. */
  name: string;
  /** Network of the campaign. */
  chain: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Always USDC. */
  currency: 'USDC';
  /** The most that all grants draw. */
  budget: string;
  /** Paid in final blocks. */
  spent: string;
  /** Budget that no grant holds. */
  left: string;
  /** The most of one grant. */
  most_per_grant: string;
  /** `pending_create`: waits for the sponsor’s transaction. `expired` and `closed` pay nothing more. */
  status: 'pending_create' | 'active' | 'expired' | 'closed';
  /** Until when grants are paid. ISO 8601 in UTC. */
  expires_at: string;
  /** Wallet that pays. */
  sponsor: string;
  /** Places for grants that the campaign’s account has on Solana. Null on other networks. */
  recipients: number | null;
  /** Number of grants by status. */
  grants: {
    /** All grants. */
    total: number;
    /** Not sent yet. */
    queued: number;
    /** Of `queued`: the recipient has no account yet. */
    waiting: number;
    /** In a transaction that is not final. */
    sent: number;
    /** Paid in a final block. */
    paid: number;
    /** Not paid; each says why. */
    failed: number;
    /** Cancelled before they were sent. */
    cancelled: number;
  };
  /** Why no queued grant is sent now. Cure it, and they are. */
  problem: {
    code: 'insufficient_balance' | 'insufficient_allowance' | 'sponsor_paused' | 'router_paused';
    message: string;
  } | null;
  /** Whether it is being closed. */
  closing: boolean;
  /** Page where the sponsor opens and closes the campaign. */
  url: string;
  txHash: string | null;
  /** False on test and local networks. */
  livemode: boolean;
  /** When it was created here. ISO 8601 in UTC. */
  created_at: string;
  opened_at: string | null;
  closed_at: string | null;
}

/** A page of a list, newest first. */
export interface CampaignList {
  object: 'list';
  data: Campaign[];
  /** Whether more results are available. */
  has_more: boolean;
  /** Pass as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null;
}

/** The outcome of each grant of a request. */
export interface AddedGrants {
  object: 'grants';
  /** ID of the campaign. */
  campaign: string;
  /** The grants of the request that are in the campaign now, in the order of the request. */
  grants: Grant[];
  /** Keys of those grants that were there before; they are not queued again. */
  existing: string[];
  /** Grants that were not queued. */
  rejected: {
    /** Position in the request, from 0. */
    index: number;
    /** Its key. */
    key: string;
    /** Why it was rejected. */
    code: string;
    /** The same in a sentence. */
    message: string;
  }[];
}

/** A page of a list, newest first. */
export interface GrantList {
  object: 'list';
  data: Grant[];
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
    | 'subscription.plan_created'
    | 'subscription.started'
    | 'subscription.charged'
    | 'subscription.cancelled'
    | 'subscription.halted'
    | 'campaign.grant_paid'
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
    | 'subscription.plan_created'
    | 'subscription.started'
    | 'subscription.charged'
    | 'subscription.cancelled'
    | 'subscription.halted'
    | 'campaign.grant_paid'
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
    | 'escrow.refunded'
    | 'subscription.plan_created'
    | 'subscription.started'
    | 'subscription.charged'
    | 'subscription.cancelled'
    | 'subscription.halted'
    | 'campaign.grant_paid';
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
  /** Whether the delivery had been replayed before this attempt. */
  is_replay: boolean;
}

/** A page of a list, newest first. */
export interface RequestLogList {
  object: 'list';
  data: RequestLog[];
  /** Whether more results are available. */
  has_more: boolean;
  /** Pass as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null;
}

/** A request to the API. */
export interface RequestLog {
  /** The request’s ID, as in its `Request-Id` header. */
  id: string;
  object: 'request_log';
  /** False on test and local networks. */
  livemode: boolean;
  /** HTTP method. */
  method: string;
  /** Endpoint, as the API reference writes it. Null for an unknown one. */
  route: string | null;
  /** Path and query, without secrets. */
  path: string;
  /** HTTP status; 499 when the client disconnected first. */
  status: number;
  /** Code of the error. */
  error_code: string | null;
  /** The `Idempotency-Key` header. */
  idempotency_key: string | null;
  /** Duration in milliseconds. */
  duration_ms: number;
  /** When the request began. ISO 8601 in UTC. */
  created_at: string;
  /** ID of the API key. Never the key. */
  api_key: string | null;
}

/** A request to the API with its bodies. */
export interface RequestLogDetail {
  /** The request’s ID, as in its `Request-Id` header. */
  id: string;
  object: 'request_log';
  /** False on test and local networks. */
  livemode: boolean;
  /** HTTP method. */
  method: string;
  /** Endpoint, as the API reference writes it. Null for an unknown one. */
  route: string | null;
  /** Path and query, without secrets. */
  path: string;
  /** HTTP status; 499 when the client disconnected first. */
  status: number;
  /** Code of the error. */
  error_code: string | null;
  /** The `Idempotency-Key` header. */
  idempotency_key: string | null;
  /** Duration in milliseconds. */
  duration_ms: number;
  /** When the request began. ISO 8601 in UTC. */
  created_at: string;
  /** ID of the API key. Never the key. */
  api_key: string | null;
  /** What was sent. Null where there is none. */
  request_body: {
    /** JSON, with `[redacted]` in the place of secrets. */
    text: string;
    /** Whether it was longer: the first 4 KB are stored. */
    is_cut: boolean;
  } | null;
  /** What was answered. Null where there is none. */
  response_body: {
    /** JSON, with `[redacted]` in the place of secrets. */
    text: string;
    /** Whether it was longer: the first 4 KB are stored. */
    is_cut: boolean;
  } | null;
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
    /** The request in the API log of your dashboard. Omitted where the request had no valid key. */
    request_log_url?: string;
    /** Documentation of the error code. */
    doc_url: string;
  };
}

export interface CreateOrderParams {
  /** Amount to charge, as a decimal string: up to 6 decimals for USDC, 18 for a native asset. */
  amount: string;
  /** USDC, or the chain’s native asset: ETH, BNB, CELO or SOL. Case-insensitive. Defaults to USDC. */
  currency?: string;
  /** Network of the payment: base, bsc, ink, celo, solana, base-sepolia. Case-insensitive. */
  chain: string;
  /** Handle to pay. Defaults to the key’s workspace; any other handle must be on its allow list. */
  recipient?: string;
  /** Seconds until the order expires. Defaults to 3600. */
  expires_in?: number;
  /** Shown to the buyer. Plain text, up to 280 characters. */
  description?: string | null;
  /** Key-value pairs you can attach to the object: up to 50 keys of 40 characters, values up to 500. Such a request body can have up to 1 MB. */
  metadata?: {
    [k: string]: string;
  };
  /** Where the buyer goes after paying. `{ORDER_ID}` is replaced by the order’s ID. https; on localhost and in test mode also http. Up to 2,048 bytes. */
  success_url?: string | null;
  /** Where the buyer goes without paying. Read like `success_url`. */
  cancel_url?: string | null;
  /** Your own reference, such as a cart ID. Up to 200 characters. Never shown to the buyer. */
  client_reference_id?: string | null;
  /** What is bought, shown to the buyer: up to 50 items. Quantity times amount must add up to the order’s amount exactly. */
  line_items?:
    | {
        /** Plain text, up to 120 characters. */
        name: string;
        /** From 1 to 10,000. */
        quantity: (number | string) & number;
        /** Price of one. */
        amount: string;
      }[]
    | null;
  /** Origins of pages that open the checkout in a window and receive its messages, up to 5. Defaults to the origin of `success_url`. */
  embed_origins?: string[] | null;
}

export interface ListOrdersParams {
  /** Filter by status. */
  status?: 'awaiting_payment' | 'processing' | 'completed' | 'expired' | 'cancelled';
  /** Filter by payment link ID. */
  payment_link?: string;
  /** Filter by network. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
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
  /** Hash of the refund transaction, on Solana its signature. Requires `action=confirm`. */
  tx_hash?: string;
  /** Same as `tx_hash`. */
  txHash?: string;
  /** Amount to refund. Defaults to the remaining amount. */
  amount?: string;
  /** Address to refund, when several wallets paid into the order’s deposit address. Must be one of them. */
  to?: string;
  /** On Solana: the transaction of the first step, signed by the wallet that was paid, in base64. Requires `amount` and `to`. */
  solana_transaction?: string;
}

export interface CreatePaymentLinkParams {
  /** What the payment is for, shown to the buyer. Plain text, up to 280 characters. */
  label: string;
  /** Amount of each payment, as a decimal string: up to 6 decimals for USDC, 18 for a native asset. Omit it with open_amount. */
  amount?: string | null;
  /** USDC, or the chain’s native asset: ETH, BNB, CELO or SOL. Case-insensitive. Defaults to USDC. */
  currency?: string;
  /** Network of the payment: base, bsc, ink, celo, solana, base-sepolia. Case-insensitive. */
  chain: string;
  /** Handle to pay. Defaults to the key’s workspace; any other handle must be on its allow list. */
  recipient?: string;
  /** Whether the buyer enters the amount. Defaults to false. */
  open_amount?: boolean;
  /** Minimum amount a buyer can enter. Requires open_amount. */
  min_amount?: string | null;
  /** Maximum amount a buyer can enter. Requires open_amount. */
  max_amount?: string | null;
  /** Key-value pairs you can attach to the object: up to 50 keys of 40 characters, values up to 500. Such a request body can have up to 1 MB. */
  metadata?: {
    [k: string]: string;
  };
  /** Where the buyer goes after paying. `{ORDER_ID}` is replaced by the order’s ID. https; on localhost and in test mode also http. Up to 2,048 bytes. */
  success_url?: string | null;
  /** Where the buyer goes without paying. Read like `success_url`. */
  cancel_url?: string | null;
  /** Your own reference, such as a cart ID. Up to 200 characters. Never shown to the buyer. */
  client_reference_id?: string | null;
  /** What is bought, shown to the buyer: up to 50 items. Quantity times amount must add up to the order’s amount exactly. */
  line_items?:
    | {
        /** Plain text, up to 120 characters. */
        name: string;
        /** From 1 to 10,000. */
        quantity: (number | string) & number;
        /** Price of one. */
        amount: string;
      }[]
    | null;
  /** Origins of pages that open the checkout in a window and receive its messages, up to 5. Defaults to the origin of `success_url`. */
  embed_origins?: string[] | null;
  /** What follows a payment: a message on the checkout page, or a URL, which is the same as `success_url`. Can’t be combined with `success_url`. */
  after_completion?:
    | (
        | {
            type: 'message';
            /** Plain text, up to 280 characters. */
            message: string;
          }
        | {
            type: 'url';
            url: string;
          }
      )
    | null;
  /** How many orders the link can start. An order counts while it is paid or can still be paid; one that expires or is cancelled frees its use. */
  max_uses?: (number | null) & (((number | null) & number) | ((number | null) & null));
  /** When the link stops starting orders. ISO 8601. Orders already started can still be paid. */
  expires_at?: string | null;
}

export interface ListPaymentLinksParams {
  /** Filter by whether the link accepts payments. */
  active?: 'true' | 'false';
  /** Filter by network. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
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

export interface ListPlansParams {
  /** Filter by status. */
  status?: 'pending_create' | 'active' | 'inactive';
  /** Filter by network. */
  chain?: 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';
  /** Maximum number of results, 1–100. Defaults to 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface ListSubscriptionsParams {
  /** Filter by plan ID. */
  plan?: string;
  /** Filter by status. */
  status?: 'active' | 'cancelled' | 'halted';
  /** Filter by wallet address or handle. */
  subscriber?: string;
  /** Maximum number of results, 1–100. Defaults to 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface ListSubscriptionChargesParams {
  /** Maximum number of results, 1–100. Defaults to 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface CreateCampaignParams {
  /** Shown to recipients. One line, up to 80 characters. */
  name: string;
  /** Network of the campaign: base, bsc, ink, celo, solana, base-sepolia. Case-insensitive. */
  chain: string;
  /** The most that all grants draw, in USDC. */
  budget: string;
  /** The most of one grant. Defaults to the budget. */
  most_per_grant?: string;
  /** Until when grants are paid: ISO 8601, from 1 hour to 366 days from now. */
  expires_at: string;
  /** On Solana only: places for grants, 1 to 65,536, 1,000 by default. The sponsor’s wallet pays rent for them until the campaign is over. */
  recipients?: number;
}

export interface ListCampaignsParams {
  /** Maximum number of results, 1–100. Defaults to 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface CreateGrantsParams {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  grants: {
    /** Your key, unique within the campaign: 1 to 64 visible ASCII characters. */
    key: string;
    /** `@handle`, `platform:id:<id>`, `platform:name` or an address. Platforms: telegram, discord, x. */
    recipient: string;
    /** Amount in USDC. */
    amount: string;
    /** Shown to the recipient. Up to 280 characters. */
    note?: string | null;
  }[];
}

export interface ListGrantsParams {
  /** Filter by status. */
  status?: 'queued' | 'sent' | 'paid' | 'failed' | 'cancelled';
  /** Maximum number of results, 1–100. Defaults to 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface CancelGrantsParams {
  /**
   * Keys of the grants. All queued grants without it.
   *
   * @minItems 1
   * @maxItems 1000
   */
  keys?: string[];
}

export interface ListEventsParams {
  /** Filter by type, or by a group such as `order.*`. Types: order.created, order.completed, order.cancelled, order.expired, order.refunded, escrow.created, escrow.claimed, escrow.refunded, subscription.plan_created, subscription.started, subscription.charged, subscription.cancelled, subscription.halted, campaign.grant_paid. */
  type?: string;
  /** Filter by the ID of the order, tab, plan, subscription or grant. */
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
    | 'subscription.plan_created'
    | 'subscription.started'
    | 'subscription.charged'
    | 'subscription.cancelled'
    | 'subscription.halted'
    | 'campaign.grant_paid'
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
    | 'subscription.plan_created'
    | 'subscription.started'
    | 'subscription.charged'
    | 'subscription.cancelled'
    | 'subscription.halted'
    | 'campaign.grant_paid'
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
    | 'escrow.refunded'
    | 'subscription.plan_created'
    | 'subscription.started'
    | 'subscription.charged'
    | 'subscription.cancelled'
    | 'subscription.halted'
    | 'campaign.grant_paid';
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
  /** Only deliveries that were attempted, or failed, at this time or later, however old their events are: Unix seconds, or ISO 8601 with a zone. */
  active_since?: (number | string) & string;
  /** Maximum number of results, 1–100. Defaults to 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface ListRequestLogsParams {
  /** Filter by status, or by class: `4xx`. */
  status?: string;
  /** Filter by HTTP method. */
  method?: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  /** Filter by endpoint: `/v1/orders/{order_id}`. */
  route?: string;
  /** Filter by error code. */
  error_code?: string;
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
