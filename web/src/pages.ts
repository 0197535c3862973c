// The pages by address. Each is loaded when it is opened; the service serves the same document for all of them.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

type Page = { path: string; title: string; component: LazyExoticComponent<ComponentType> };

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
    path: '/operations',
    title: 'Operations · Ampersat',
    component: lazy(async () => ({ default: (await import('./operations/OperationsPage.tsx')).OperationsPage })),
  },
  {
    path: '/playground',
    title: 'Playground · Ampersat',
    component: lazy(async () => ({ default: (await import('./playground/PlaygroundPage.tsx')).PlaygroundPage })),
  },
];

/** The page of a path. The service answers unknown paths itself, so whoever gets here without a page sees the front page. */
export function pageAt(path: string): Page {
  const segments = path.split('/');
  const page = PAGES.find((one) => {
    const parts = one.path.split('/');
    return parts.length === segments.length && parts.every((part, i) => part.startsWith(':') || part === segments[i]);
  });
  return page ?? (PAGES[0] as Page);
}
