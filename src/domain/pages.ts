// The pages of the web app: where each is, what its tab is called, and the file in `web/src` that draws it.

/** A component is named like its file. `ownTitle`: the page names its tab after what it shows, and `title` is for while it knows nothing. */
export type PageRoute = { path: string; title: string; page: string; ownTitle?: true };

export const PAGES: readonly PageRoute[] = [
  { path: '/', title: 'Ampersat: pay any @handle', page: 'docs/landing/LandingPage' },
  { path: '/account', title: 'Your account · Ampersat', page: 'person/account/AccountPage' },
  { path: '/receive', title: 'Receive · Ampersat', page: 'person/money/ReceivePage' },
  { path: '/send', title: 'Send · Ampersat', page: 'person/money/SendPage' },
  { path: '/connect', title: 'Connect · Ampersat', page: 'person/connect/ConnectPage' },
  { path: '/connections', title: 'Chats · Ampersat', page: 'person/connections/ConnectionsPage' },
  { path: '/spending', title: 'Spending · Ampersat', page: 'person/spending/SpendingPage' },
  { path: '/history', title: 'History · Ampersat', page: 'person/history/HistoryPage' },
  { path: '/tabs', title: 'Tabs · Ampersat', page: 'person/escrow/EscrowsPage' },
  { path: '/tabs/new', title: 'New tab · Ampersat', page: 'person/escrow/NewEscrowPage' },
  { path: '/tabs/:tab', title: 'Tab · Ampersat', page: 'person/escrow/EscrowPage' },
  { path: '/subscriptions', title: 'Subscriptions · Ampersat', page: 'person/subscriptions/SubscriptionsPage' },
  { path: '/overview', title: 'Overview · Ampersat', page: 'merchant/overview/OverviewPage' },
  { path: '/orders', title: 'Orders · Ampersat', page: 'merchant/orders/OrdersPage' },
  { path: '/orders/new', title: 'New order · Ampersat', page: 'merchant/orders/NewOrderPage' },
  { path: '/orders/:order', title: 'Order · Ampersat', page: 'merchant/orders/OrderPage' },
  { path: '/links', title: 'Payment links · Ampersat', page: 'merchant/links/LinksPage' },
  { path: '/links/new', title: 'New payment link · Ampersat', page: 'merchant/links/NewLinkPage' },
  { path: '/links/:link', title: 'Payment link · Ampersat', page: 'merchant/links/LinkPage' },
  { path: '/plans', title: 'Plans · Ampersat', page: 'merchant/plans/PlansPage' },
  { path: '/plans/new', title: 'New plan · Ampersat', page: 'merchant/plans/NewPlanPage' },
  { path: '/plans/:plan', title: 'Plan · Ampersat', page: 'merchant/plans/PlanPage' },
  { path: '/campaigns', title: 'Campaigns · Ampersat', page: 'merchant/campaigns/CampaignsPage' },
  { path: '/campaigns/new', title: 'New campaign · Ampersat', page: 'merchant/campaigns/NewCampaignPage' },
  { path: '/campaigns/:campaign', title: 'Campaign · Ampersat', page: 'merchant/campaigns/CampaignPage' },
  { path: '/keys', title: 'API keys · Ampersat', page: 'merchant/keys/KeysPage' },
  { path: '/webhooks', title: 'Webhooks · Ampersat', page: 'merchant/webhooks/WebhooksPage' },
  { path: '/webhooks/failed', title: 'Failed deliveries · Ampersat', page: 'merchant/webhooks/FailedPage' },
  { path: '/webhooks/:endpoint', title: 'Webhook · Ampersat', page: 'merchant/webhooks/WebhookPage' },
  { path: '/events', title: 'Events · Ampersat', page: 'merchant/events/EventsPage' },
  { path: '/events/:event', title: 'Event · Ampersat', page: 'merchant/events/EventPage' },
  { path: '/logs', title: 'API log · Ampersat', page: 'merchant/requests/RequestsPage' },
  { path: '/logs/:request', title: 'Request · Ampersat', page: 'merchant/requests/RequestPage' },
  { path: '/workspace', title: 'Workspace · Ampersat', page: 'merchant/workspace/WorkspacePage' },
  { path: '/workspace/branding', title: 'Branding · Ampersat', page: 'merchant/branding/BrandingPage' },
  { path: '/settings', title: 'Settings · Ampersat', page: 'person/settings/SettingsPage' },
  { path: '/settings/page', title: 'Your page · Ampersat', page: 'person/handlePage/OwnPage' },
  { path: '/settings/team', title: 'Team · Ampersat', page: 'merchant/team/TeamPage' },
  { path: '/settings/audit-log', title: 'Audit log · Ampersat', page: 'merchant/team/AuditLogPage' },
  { path: '/r/:tip', title: 'Receipt · Ampersat', page: 'payer/receipt/ReceiptPage' },
  { path: '/docs', title: 'Documentation · Ampersat', page: 'docs/OverviewPage' },
  { path: '/docs/quickstart', title: 'Quickstart · Ampersat', page: 'docs/QuickstartPage' },
  { path: '/docs/orders', title: 'Orders guide · Ampersat', page: 'docs/OrdersPage' },
  { path: '/docs/subscriptions', title: 'Subscriptions guide · Ampersat', page: 'docs/SubscriptionsPage' },
  { path: '/docs/campaigns', title: 'Campaigns guide · Ampersat', page: 'docs/CampaignsPage' },
  { path: '/docs/webhooks', title: 'Webhooks guide · Ampersat', page: 'docs/WebhooksPage' },
  { path: '/docs/dashboard', title: 'Dashboard guide · Ampersat', page: 'docs/DashboardPage' },
  { path: '/docs/going-live', title: 'Going live · Ampersat', page: 'docs/GoingLivePage' },
  { path: '/docs/errors', title: 'Errors · Ampersat', page: 'docs/ErrorsPage' },
  { path: '/docs/sdk', title: 'Node.js SDK · Ampersat', page: 'docs/SdkPage' },
  { path: '/docs/cli', title: 'Command line · Ampersat', page: 'docs/CliPage' },
  { path: '/docs/api', title: 'API reference · Ampersat', page: 'docs/ApiPage' },
  { path: '/o/:order', title: 'Checkout · Ampersat', page: 'payer/checkout/OrderPage', ownTitle: true },
  { path: '/o/:order/receipt', title: 'Receipt · Ampersat', page: 'payer/checkout/OrderReceiptPage', ownTitle: true },
  { path: '/l/:link', title: 'Checkout · Ampersat', page: 'payer/checkout/LinkPage', ownTitle: true },
  { path: '/@:handle', title: 'Pay · Ampersat', page: 'payer/handle/HandlePage', ownTitle: true },
  { path: '/@:handle/poster', title: 'Poster · Ampersat', page: 'payer/handle/PosterPage', ownTitle: true },
  { path: '/p/:plan', title: 'Subscribe · Ampersat', page: 'payer/plan/HostedPlanPage', ownTitle: true },
  { path: '/operations', title: 'Operations · Ampersat', page: 'operator/OperationsPage' },
  { path: '/operations/search', title: 'Search · Ampersat', page: 'operator/SearchPage' },
  { path: '/operations/case', title: 'Time line · Ampersat', page: 'operator/CasePage' },
  { path: '/operations/failed', title: 'Failures · Ampersat', page: 'operator/FailedPage' },
  { path: '/operations/dead', title: 'Stuck work · Ampersat', page: 'operator/DeadPage' },
  { path: '/operations/transfers', title: 'Transfers to the treasury · Ampersat', page: 'operator/TransfersPage' },
];

/** Where pages of before are now: links in old messages lead there. */
export const MOVED_PAGES: readonly [from: string, to: string][] = [['/waiting', '/tabs']];

export const MISSING_PAGE: PageRoute = { path: '', title: 'Not found · Ampersat', page: 'app/missing/MissingPage' };

/** The page of a path, without a query. */
export function pageAt(path: string): PageRoute {
  const segments = path.split('/');
  const page = PAGES.find((one) => {
    const parts = one.path.split('/');
    return parts.length === segments.length && parts.every((part, i) => fits(part, segments[i] ?? ''));
  });
  return page ?? MISSING_PAGE;
}

/** A part such as `orders`, `:order` or `@:handle`. */
function fits(part: string, segment: string): boolean {
  const [before = '', name] = part.split(':');
  return name === undefined ? part === segment : segment.startsWith(before);
}
