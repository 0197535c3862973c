// The door of the SDK: a client with a verb for every endpoint of the API, and what checks webhooks.
import { type CallOptions, type Client, type ClientOptions, call, createClient } from './call.ts';
import { eachOf, type Page } from './pages.ts';
import { type StreamOptions, streamEvents } from './stream.ts';
import type {
  AmpersatEvent,
  CreateOrderParams,
  CreatePaymentLinkParams,
  CreateWebhookEndpointParams,
  DeletedWebhookEndpoint,
  ListEventsParams,
  ListOrdersParams,
  ListPaymentLinkOrdersParams,
  ListPaymentLinksParams,
  ListWebhookDeliveriesParams,
  ListWebhookEndpointsParams,
  NewWebhookEndpoint,
  Order,
  PaymentLink,
  Refund,
  RefundOrderParams,
  ReplayEventParams,
  RollWebhookEndpointSecretParams,
  SendTestEventParams,
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

/** Reads and writes what the workspace of a key has. @throws TypeError for a key or an address that cannot be one */
export function createAmpersat(options: ClientOptions) {
  const client = createClient(options);
  const { get, post, remove, list } = verbsOf(client);

  const orders = {
    create: (params: CreateOrderParams, how?: CallOptions) => post<Order>('/v1/orders', params, how),
    get: (id: string, how?: CallOptions) => get<Order>(`/v1/orders/${segment(id)}`, {}, how),
    cancel: (id: string, how?: CallOptions) => post<Order>(`/v1/orders/${segment(id)}/cancel`, {}, how),
    /** Step one: the call that the wallet of the workspace sends. */
    refund: (id: string, params: Pick<RefundOrderParams, 'amount' | 'to'> = {}, how?: CallOptions) =>
      post<Refund>(`/v1/orders/${segment(id)}/refund`, params, how),
    /** Step two, once it is sent: shows us the transaction. */
    confirmRefund: (id: string, txHash: string, how?: CallOptions) =>
      post<Order>(`/v1/orders/${segment(id)}/refund`, { action: 'confirm', txHash }, how),
    ...list<Order, ListOrdersParams>('/v1/orders'),
  };

  const paymentLinks = {
    create: (params: CreatePaymentLinkParams, how?: CallOptions) => post<PaymentLink>('/v1/payment_links', params, how),
    get: (id: string, how?: CallOptions) => get<PaymentLink>(`/v1/payment_links/${segment(id)}`, {}, how),
    deactivate: (id: string, how?: CallOptions) =>
      post<PaymentLink>(`/v1/payment_links/${segment(id)}/deactivate`, {}, how),
    /** The payments against a link. */
    orders: (id: string) => list<Order, ListPaymentLinkOrdersParams>(`/v1/payment_links/${segment(id)}/orders`),
    ...list<PaymentLink, Omit<ListPaymentLinksParams, 'active'> & { active?: boolean }>('/v1/payment_links'),
  };

  const events = {
    get: (id: string, how?: CallOptions) => get<AmpersatEvent>(`/v1/events/${segment(id)}`, {}, how),
    /** Sends it again: to one endpoint, or to all that take it. */
    replay: (id: string, params: ReplayEventParams = {}, how?: CallOptions) =>
      post<AmpersatEvent>(`/v1/events/${segment(id)}/replay`, params, how),
    /** Events as they happen, each once; a lost connection goes on behind the last one. */
    stream: (how?: StreamOptions) => streamEvents(client, how),
    ...list<AmpersatEvent, ListEventsParams>('/v1/events'),
  };

  const webhookEndpoints = {
    /** The answer alone has the secret; when the first answer was lost on its way and this is the second, it has none: roll it then. */
    create: (params: CreateWebhookEndpointParams, how?: CallOptions) =>
      post<NewWebhookEndpoint>('/v1/webhook_endpoints', params, how),
    get: (id: string, how?: CallOptions) => get<WebhookEndpoint>(`/v1/webhook_endpoints/${segment(id)}`, {}, how),
    /** Changes what is given and leaves the rest. */
    update: (id: string, params: UpdateWebhookEndpointParams, how?: CallOptions) =>
      post<WebhookEndpoint>(`/v1/webhook_endpoints/${segment(id)}`, params, how),
    delete: (id: string, how?: CallOptions) =>
      remove<DeletedWebhookEndpoint>(`/v1/webhook_endpoints/${segment(id)}`, how),
    /** Draws a new secret; the former one is in force for some hours more. */
    rollSecret: (id: string, params: RollWebhookEndpointSecretParams = {}, how?: CallOptions) =>
      post<NewWebhookEndpoint>(`/v1/webhook_endpoints/${segment(id)}/roll_secret`, params, how),
    /** Sends an event of something that never was. */
    test: (id: string, params: SendTestEventParams = {}, how?: CallOptions) =>
      post<AmpersatEvent>(`/v1/webhook_endpoints/${segment(id)}/test`, params, how),
    /** Sends once more what failed for good since a time: ISO 8601, or Unix seconds. */
    replay: (id: string, since: string | number, how?: CallOptions) =>
      post<WebhookReplay>(`/v1/webhook_endpoints/${segment(id)}/replay`, { since }, how),
    ...list<WebhookEndpoint, ListWebhookEndpointsParams>('/v1/webhook_endpoints'),
  };

  const webhookDeliveries = list<WebhookDelivery, ListWebhookDeliveriesParams>('/v1/webhook_deliveries');

  return { orders, paymentLinks, events, webhookEndpoints, webhookDeliveries };
}

/** What came to your endpoint, once it is certain that it is from us. */
export const webhooks = { constructEvent, verifyStandard };

function verbsOf(client: Client) {
  const get = <T>(path: string, query: object = {}, how?: CallOptions) =>
    call<T>(client, { method: 'GET', path, query }, how);
  const post = <T>(path: string, body: object, how?: CallOptions) =>
    call<T>(client, { method: 'POST', path, body }, how);
  const remove = <T>(path: string, how?: CallOptions) => call<T>(client, { method: 'DELETE', path }, how);
  /** A page of a list, and all of it: with `all`, `limit` is the length of the pages that are asked for. */
  const list = <T, Q extends { limit?: number; cursor?: string }>(path: string) => ({
    list: (query?: Q, how?: CallOptions) => get<Page<T>>(path, query, how),
    all: (query?: Q, how?: CallOptions) =>
      eachOf((asked: Q) => get<Page<T>>(path, asked, how), { limit: 100, ...query } as unknown as Q),
  });
  return { get, post, remove, list };
}

/** An id inside a path. @throws TypeError for what would lead elsewhere */
function segment(id: string): string {
  if (!/^\w+$/.test(id)) throw new TypeError(`“${id}” is no id.`);
  return id;
}
