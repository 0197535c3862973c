// The SDK’s entry point: a client with a method for every endpoint of the API, and webhook verification.
import { type CallOptions, type Client, type ClientOptions, call, createClient } from './call.ts';
import { eachOf, type Page } from './pages.ts';
import { type StreamOptions, streamEvents } from './stream.ts';
import type {
  AddedGrants,
  AmpersatEvent,
  Campaign,
  CancelGrantsParams,
  Charge,
  CreateCampaignParams,
  CreateGrantsParams,
  CreateOrderParams,
  CreatePaymentLinkParams,
  CreateWebhookEndpointParams,
  DeletedWebhookEndpoint,
  Grant,
  ListCampaignsParams,
  ListEventsParams,
  ListGrantsParams,
  ListOrdersParams,
  ListPaymentLinkOrdersParams,
  ListPaymentLinksParams,
  ListPlansParams,
  ListRequestLogsParams,
  ListSubscriptionChargesParams,
  ListSubscriptionsParams,
  ListWebhookDeliveriesParams,
  ListWebhookEndpointsParams,
  NewWebhookEndpoint,
  Order,
  PaymentLink,
  Plan,
  Refund,
  RefundOrderParams,
  ReplayEventParams,
  RequestLog,
  RequestLogDetail,
  RollWebhookEndpointSecretParams,
  SendTestEventParams,
  SolanaRefund,
  Subscription,
  UpdateWebhookEndpointParams,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookReplay,
} from './types.ts';
import { constructEvent, verifyStandard } from './webhooks.ts';

export type { CallOptions, ClientOptions } from './call.ts';
export {
  AmpersatConnectionError,
  AmpersatError,
  AmpersatSignatureError,
  type ConnectionFailure,
  type SignatureFailure,
} from './errors.ts';
export type { Page } from './pages.ts';
export type { StreamOptions } from './stream.ts';
export type * from './types.ts';
export type { HeaderBag, VerifyOptions } from './webhooks.ts';

export type EventType = AmpersatEvent['type'];
export type Ampersat = ReturnType<typeof createAmpersat>;

/** Creates a client for the workspace of an API key. @throws TypeError for a malformed key or URL */
export function createAmpersat(options: ClientOptions) {
  const client = createClient(options);
  const { get, post, remove, list } = verbsOf(client);

  const orders = {
    create: (params: CreateOrderParams, how?: CallOptions) => post<Order>('/v1/orders', params, how),
    get: (id: string, how?: CallOptions) => get<Order>(`/v1/orders/${segment(id)}`, {}, how),
    cancel: (id: string, how?: CallOptions) => post<Order>(`/v1/orders/${segment(id)}/cancel`, {}, how),
    /** Step one: returns the transaction that the wallet that was paid signs and sends; on Solana, that it signs only. */
    refund: (id: string, params: Pick<RefundOrderParams, 'amount' | 'to'> = {}, how?: CallOptions) =>
      post<Refund | SolanaRefund>(`/v1/orders/${segment(id)}/refund`, params, how),
    /** Step two on Solana: sends the transaction that the wallet signed. @param signed in base64 */
    submitRefund: (id: string, { submit }: Pick<SolanaRefund, 'submit'>, signed: string, how?: CallOptions) =>
      post<Order>(`/v1/orders/${segment(id)}/refund`, { ...submit, solana_transaction: signed }, how),
    /** Step two elsewhere, after sending it: reports the transaction’s hash. */
    confirmRefund: (id: string, txHash: string, how?: CallOptions) =>
      post<Order>(`/v1/orders/${segment(id)}/refund`, { action: 'confirm', tx_hash: txHash }, how),
    ...list<Order, ListOrdersParams>('/v1/orders'),
  };

  const paymentLinks = {
    create: (params: CreatePaymentLinkParams, how?: CallOptions) => post<PaymentLink>('/v1/payment_links', params, how),
    get: (id: string, how?: CallOptions) => get<PaymentLink>(`/v1/payment_links/${segment(id)}`, {}, how),
    deactivate: (id: string, how?: CallOptions) =>
      post<PaymentLink>(`/v1/payment_links/${segment(id)}/deactivate`, {}, how),
    /** Orders started from a payment link. */
    orders: (id: string) => list<Order, ListPaymentLinkOrdersParams>(`/v1/payment_links/${segment(id)}/orders`),
    ...list<PaymentLink, Omit<ListPaymentLinksParams, 'active'> & { active?: boolean }>('/v1/payment_links'),
  };

  const events = {
    get: (id: string, how?: CallOptions) => get<AmpersatEvent>(`/v1/events/${segment(id)}`, {}, how),
    /** Sends an event again: to one endpoint, or to all that are subscribed to its type. */
    replay: (id: string, params: ReplayEventParams = {}, how?: CallOptions) =>
      post<AmpersatEvent>(`/v1/events/${segment(id)}/replay`, params, how),
    /** Streams events as they happen, each once. Reconnects and continues after the last one. */
    stream: (how?: StreamOptions) => streamEvents(client, how),
    ...list<AmpersatEvent, ListEventsParams>('/v1/events'),
  };

  const webhookEndpoints = {
    /** The secret is only in the first response. If that response was lost, roll the secret. */
    create: (params: CreateWebhookEndpointParams, how?: CallOptions) =>
      post<NewWebhookEndpoint>('/v1/webhook_endpoints', params, how),
    get: (id: string, how?: CallOptions) => get<WebhookEndpoint>(`/v1/webhook_endpoints/${segment(id)}`, {}, how),
    /** Updates the fields you pass. */
    update: (id: string, params: UpdateWebhookEndpointParams, how?: CallOptions) =>
      post<WebhookEndpoint>(`/v1/webhook_endpoints/${segment(id)}`, params, how),
    delete: (id: string, how?: CallOptions) =>
      remove<DeletedWebhookEndpoint>(`/v1/webhook_endpoints/${segment(id)}`, how),
    /** Creates a new secret; the previous one stays valid for the overlap. */
    rollSecret: (id: string, params: RollWebhookEndpointSecretParams = {}, how?: CallOptions) =>
      post<NewWebhookEndpoint>(`/v1/webhook_endpoints/${segment(id)}/roll_secret`, params, how),
    /** Sends a sample event (not backed by real data). */
    test: (id: string, params: SendTestEventParams = {}, how?: CallOptions) =>
      post<AmpersatEvent>(`/v1/webhook_endpoints/${segment(id)}/test`, params, how),
    /** Sends failed deliveries again, since a time: ISO 8601 or Unix seconds. */
    replay: (id: string, since: string | number, how?: CallOptions) =>
      post<WebhookReplay>(`/v1/webhook_endpoints/${segment(id)}/replay`, { since }, how),
    ...list<WebhookEndpoint, ListWebhookEndpointsParams>('/v1/webhook_endpoints'),
  };

  const plans = {
    get: (id: string, how?: CallOptions) => get<Plan>(`/v1/plans/${segment(id)}`, {}, how),
    ...list<Plan, ListPlansParams>('/v1/plans'),
  };

  const subscriptions = {
    get: (id: string, how?: CallOptions) => get<Subscription>(`/v1/subscriptions/${segment(id)}`, {}, how),
    /** Charges of a subscription. */
    charges: (id: string) => list<Charge, ListSubscriptionChargesParams>(`/v1/subscriptions/${segment(id)}/charges`),
    ...list<Subscription, ListSubscriptionsParams>('/v1/subscriptions'),
  };

  const campaigns = {
    create: (params: CreateCampaignParams, how?: CallOptions) => post<Campaign>('/v1/campaigns', params, how),
    get: (id: string, how?: CallOptions) => get<Campaign>(`/v1/campaigns/${segment(id)}`, {}, how),
    /** Queues up to 1,000 grants; `rejected` says what is wrong with the others. */
    addGrants: (id: string, params: CreateGrantsParams, how?: CallOptions) =>
      post<AddedGrants>(`/v1/campaigns/${segment(id)}/grants`, params, how),
    /** Grants of a campaign, in the order in which they were added. */
    grants: (id: string) => list<Grant, ListGrantsParams>(`/v1/campaigns/${segment(id)}/grants`),
    /** Cancels grants that are not sent: those with these keys, or all of them. */
    cancel: (id: string, params: CancelGrantsParams = {}, how?: CallOptions) =>
      post<Campaign>(`/v1/campaigns/${segment(id)}/cancel`, params, how),
    ...list<Campaign, ListCampaignsParams>('/v1/campaigns'),
  };

  const webhookDeliveries = list<WebhookDelivery, ListWebhookDeliveriesParams>('/v1/webhook_deliveries');

  const requestLogs = {
    /** A request with its bodies. */
    get: (id: string, how?: CallOptions) => get<RequestLogDetail>(`/v1/request_logs/${segment(id)}`, {}, how),
    ...list<RequestLog, ListRequestLogsParams>('/v1/request_logs'),
  };

  return {
    orders,
    paymentLinks,
    plans,
    subscriptions,
    campaigns,
    events,
    webhookEndpoints,
    webhookDeliveries,
    requestLogs,
  };
}

/** Verify webhook signatures and parse events. */
export const webhooks = { constructEvent, verifyStandard };

function verbsOf(client: Client) {
  const get = <T>(path: string, query: object = {}, how?: CallOptions) =>
    call<T>(client, { method: 'GET', path, query }, how);
  const post = <T>(path: string, body: object, how?: CallOptions) =>
    call<T>(client, { method: 'POST', path, body }, how);
  const remove = <T>(path: string, how?: CallOptions) => call<T>(client, { method: 'DELETE', path }, how);
  /** `list` returns a page, `all` iterates over everything with `limit` as page size. */
  const list = <T, Q extends { limit?: number; cursor?: string }>(path: string) => ({
    list: (query?: Q, how?: CallOptions) => get<Page<T>>(path, query, how),
    all: (query?: Q, how?: CallOptions) =>
      eachOf((asked: Q) => get<Page<T>>(path, asked, how), { limit: 100, ...query } as unknown as Q),
  });
  return { get, post, remove, list };
}

/** An ID inside a path. @throws TypeError if it would change the path */
function segment(id: string): string {
  if (!/^\w+$/.test(id)) throw new TypeError(`“${id}” is no id.`);
  return id;
}
