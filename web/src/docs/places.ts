// The pages of the documentation in their reading order. A guide is written in markdown, `source`, which the repository shows as well.
export type Doc = { href: string; title: string; summary: string; source?: string };

export const DOCS: readonly Doc[] = [
  {
    href: '/docs/quickstart',
    title: 'Quickstart',
    summary: 'Accept your first payment on your own machine, in five commands.',
    source: 'docs/quickstart.md',
  },
  {
    href: '/docs/orders',
    title: 'Orders',
    summary: 'How an order is created, paid, settled and refunded.',
    source: 'docs/orders.md',
  },
  {
    href: '/docs/subscriptions',
    title: 'Subscriptions',
    summary: 'Charge subscribers once a period, and see a year of it in five commands.',
    source: 'docs/subscriptions.md',
  },
  {
    href: '/docs/campaigns',
    title: 'Campaigns',
    summary: 'Pay many people from one budget, from a file or by API.',
    source: 'docs/campaigns.md',
  },
  {
    href: '/docs/webhooks',
    title: 'Webhooks',
    summary: 'Receive signed events, verify them, and see every payload.',
    source: 'docs/webhooks.md',
  },
  {
    href: '/docs/dashboard',
    title: 'Dashboard',
    summary: 'What each figure of the overview counts, and how test and live are kept apart.',
    source: 'docs/dashboard.md',
  },
  {
    href: '/docs/going-live',
    title: 'Going live',
    summary: 'A checklist for the move from test keys to real payments.',
    source: 'docs/going-live.md',
  },
  {
    href: '/docs/errors',
    title: 'Errors',
    summary: 'The shape of an error, what to retry, and every code.',
    source: 'docs/errors.md',
  },
  {
    href: '/docs/sdk',
    title: 'Node.js SDK',
    summary: 'A typed client with retries and webhook verification.',
    source: 'sdk/README.md',
  },
  {
    href: '/docs/cli',
    title: 'Command line',
    summary: 'Orders, links, refunds and webhooks from a terminal.',
    source: 'docs/cli.md',
  },
  { href: '/docs/api', title: 'API reference', summary: 'Every endpoint, with examples and a form to try it.' },
];
