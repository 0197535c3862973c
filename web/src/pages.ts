// The pages by address. Each is loaded when it is opened; the service serves the same document for all of them.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** Without a title the page sets its own. */
type Page = { path: string; title?: string; component: LazyExoticComponent<ComponentType> };

const PAGES: Page[] = [
  {
    path: '/',
    title: 'Ampersat: pay any @handle',
    component: lazy(async () => ({ default: (await import('./landing/LandingPage.tsx')).LandingPage })),
  },
  {
    path: '/account',
    title: 'Your account · Ampersat',
    component: lazy(async () => ({ default: (await import('./account/AccountPage.tsx')).AccountPage })),
  },
  {
    path: '/connect',
    title: 'Connect · Ampersat',
    component: lazy(async () => ({ default: (await import('./connect/ConnectPage.tsx')).ConnectPage })),
  },
  {
    path: '/connections',
    title: 'Chats · Ampersat',
    component: lazy(async () => ({ default: (await import('./connections/ConnectionsPage.tsx')).ConnectionsPage })),
  },
  {
    path: '/spending',
    title: 'Spending · Ampersat',
    component: lazy(async () => ({ default: (await import('./spending/SpendingPage.tsx')).SpendingPage })),
  },
  {
    path: '/history',
    title: 'History · Ampersat',
    component: lazy(async () => ({ default: (await import('./history/HistoryPage.tsx')).HistoryPage })),
  },
  {
    path: '/waiting',
    title: 'Waiting for you · Ampersat',
    component: lazy(async () => ({ default: (await import('./waiting/WaitingPage.tsx')).WaitingPage })),
  },
  {
    path: '/tabs',
    title: 'Tabs · Ampersat',
    component: lazy(async () => ({ default: (await import('./tabs/TabsPage.tsx')).TabsPage })),
  },
  {
    path: '/tabs/new',
    title: 'New tab · Ampersat',
    component: lazy(async () => ({ default: (await import('./tabs/NewTabPage.tsx')).NewTabPage })),
  },
  {
    path: '/tabs/:tab',
    title: 'Tab · Ampersat',
    component: lazy(async () => ({ default: (await import('./tabs/TabPage.tsx')).TabPage })),
  },
  {
    path: '/orders',
    title: 'Orders · Ampersat',
    component: lazy(async () => ({ default: (await import('./orders/OrdersPage.tsx')).OrdersPage })),
  },
  {
    path: '/orders/new',
    title: 'New order · Ampersat',
    component: lazy(async () => ({ default: (await import('./orders/NewOrderPage.tsx')).NewOrderPage })),
  },
  {
    path: '/orders/:order',
    title: 'Order · Ampersat',
    component: lazy(async () => ({ default: (await import('./orders/OrderPage.tsx')).OrderPage })),
  },
  {
    path: '/links',
    title: 'Payment links · Ampersat',
    component: lazy(async () => ({ default: (await import('./links/LinksPage.tsx')).LinksPage })),
  },
  {
    path: '/links/new',
    title: 'New payment link · Ampersat',
    component: lazy(async () => ({ default: (await import('./links/NewLinkPage.tsx')).NewLinkPage })),
  },
  {
    path: '/links/:link',
    title: 'Payment link · Ampersat',
    component: lazy(async () => ({ default: (await import('./links/LinkPage.tsx')).LinkPage })),
  },
  {
    path: '/keys',
    title: 'API keys · Ampersat',
    component: lazy(async () => ({ default: (await import('./keys/KeysPage.tsx')).KeysPage })),
  },
  {
    path: '/webhooks',
    title: 'Webhooks · Ampersat',
    component: lazy(async () => ({ default: (await import('./webhooks/WebhooksPage.tsx')).WebhooksPage })),
  },
  {
    path: '/webhooks/failed',
    title: 'Failed deliveries · Ampersat',
    component: lazy(async () => ({ default: (await import('./webhooks/FailedPage.tsx')).FailedPage })),
  },
  {
    path: '/webhooks/:endpoint',
    title: 'Webhook · Ampersat',
    component: lazy(async () => ({ default: (await import('./webhooks/WebhookPage.tsx')).WebhookPage })),
  },
  {
    path: '/events',
    title: 'Events · Ampersat',
    component: lazy(async () => ({ default: (await import('./events/EventsPage.tsx')).EventsPage })),
  },
  {
    path: '/events/:event',
    title: 'Event · Ampersat',
    component: lazy(async () => ({ default: (await import('./events/EventPage.tsx')).EventPage })),
  },
  {
    path: '/workspace',
    title: 'Workspace · Ampersat',
    component: lazy(async () => ({ default: (await import('./workspace/WorkspacePage.tsx')).WorkspacePage })),
  },
  {
    path: '/settings',
    title: 'Settings · Ampersat',
    component: lazy(async () => ({ default: (await import('./settings/SettingsPage.tsx')).SettingsPage })),
  },
  {
    path: '/r/:tip',
    title: 'Receipt · Ampersat',
    component: lazy(async () => ({ default: (await import('./receipt/ReceiptPage.tsx')).ReceiptPage })),
  },
  {
    path: '/docs',
    title: 'API reference · Ampersat',
    component: lazy(async () => ({ default: (await import('./docs/DocsPage.tsx')).DocsPage })),
  },
  {
    path: '/docs/errors',
    title: 'Errors · Ampersat',
    component: lazy(async () => ({ default: (await import('./docs/ErrorsPage.tsx')).ErrorsPage })),
  },
  {
    path: '/o/:order',
    component: lazy(async () => ({ default: (await import('./checkout/OrderPage.tsx')).OrderPage })),
  },
  {
    path: '/o/:order/receipt',
    component: lazy(async () => ({ default: (await import('./checkout/OrderReceiptPage.tsx')).OrderReceiptPage })),
  },
  {
    path: '/l/:link',
    component: lazy(async () => ({ default: (await import('./checkout/LinkPage.tsx')).LinkPage })),
  },
  {
    path: '/operations',
    title: 'Operations · Ampersat',
    component: lazy(async () => ({ default: (await import('./operations/OperationsPage.tsx')).OperationsPage })),
  },
  {
    path: '/operations/search',
    title: 'Search · Ampersat',
    component: lazy(async () => ({ default: (await import('./operations/SearchPage.tsx')).SearchPage })),
  },
  {
    path: '/operations/case',
    title: 'Time line · Ampersat',
    component: lazy(async () => ({ default: (await import('./operations/CasePage.tsx')).CasePage })),
  },
  {
    path: '/operations/failed',
    title: 'Failures · Ampersat',
    component: lazy(async () => ({ default: (await import('./operations/FailedPage.tsx')).FailedPage })),
  },
  {
    path: '/operations/dead',
    title: 'Stuck work · Ampersat',
    component: lazy(async () => ({ default: (await import('./operations/DeadPage.tsx')).DeadPage })),
  },
  {
    path: '/playground',
    title: 'Playground · Ampersat',
    component: lazy(async () => ({ default: (await import('./playground/PlaygroundPage.tsx')).PlaygroundPage })),
  },
];

const MISSING: Page = {
  path: '',
  title: 'Nothing here · Ampersat',
  component: lazy(async () => ({ default: (await import('./missing/MissingPage.tsx')).MissingPage })),
};

/** The page of a path. */
export function pageAt(path: string): Page {
  const segments = path.split('/');
  const page = PAGES.find((one) => {
    const parts = one.path.split('/');
    return parts.length === segments.length && parts.every((part, i) => part.startsWith(':') || part === segments[i]);
  });
  return page ?? MISSING;
}
