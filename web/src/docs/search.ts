// The search of the documentation: everything in it that can be linked to, gathered from what the pages show, and what fits some words best.
import type { QueryClient } from '@tanstack/react-query';
import { ERRORS } from '../../../src/domain/errors.ts';
import { type Guide, plainText, wordsOf } from './guide.ts';
import { endpointsOf, OPEN_API, type OpenApi } from './openApi.ts';

export type Found = { kind: 'Guide' | 'Endpoint' | 'Error' | 'Event'; href: string; title: string; text: string };

const MOST = 10;

export async function readIndex(client: QueryClient): Promise<Found[]> {
  const [guides, document] = await Promise.all([readGuides(), client.fetchQuery(OPEN_API)]);
  return [
    ...Object.entries(guides).flatMap(([href, guide]) => sectionsOf(href, guide)),
    ...apiParts(document),
    ...Object.entries(ERRORS).map(
      ([code, { message }]): Found => ({ kind: 'Error', href: `/docs/errors#${code}`, title: code, text: message }),
    ),
  ];
}

async function readGuides(): Promise<Record<string, Guide>> {
  const [quickstart, orders, subscriptions, campaigns, webhooks, dashboard, goingLive, errors, sdk, cli] =
    await Promise.all([
      import('../../../docs/quickstart.md?guide'),
      import('../../../docs/orders.md?guide'),
      import('../../../docs/subscriptions.md?guide'),
      import('../../../docs/campaigns.md?guide'),
      import('../../../docs/webhooks.md?guide'),
      import('../../../docs/dashboard.md?guide'),
      import('../../../docs/going-live.md?guide'),
      import('../../../docs/errors.md?guide'),
      import('../../../sdk/README.md?guide'),
      import('../../../docs/cli.md?guide'),
    ]);
  return {
    '/docs/quickstart': quickstart.guide,
    '/docs/orders': orders.guide,
    '/docs/subscriptions': subscriptions.guide,
    '/docs/campaigns': campaigns.guide,
    '/docs/webhooks': webhooks.guide,
    '/docs/dashboard': dashboard.guide,
    '/docs/going-live': goingLive.guide,
    '/docs/errors': errors.guide,
    '/docs/sdk': sdk.guide,
    '/docs/cli': cli.guide,
  };
}

function sectionsOf(href: string, { title, blocks }: Guide): Found[] {
  const sections: Found[] = [{ kind: 'Guide', href, title, text: '' }];
  for (const block of blocks) {
    if (block.kind === 'heading')
      sections.push({
        kind: 'Guide',
        href: `${href}#${block.id}`,
        title: `${title}: ${plainText(block.children)}`,
        text: '',
      });
    else {
      const last = sections.at(-1);
      if (last) last.text += ` ${wordsOf(block)}`;
    }
  }
  return sections;
}

function apiParts(document: OpenApi): Found[] {
  return [
    ...endpointsOf(document).map(
      ({ operationId, summary, method, path, description }): Found => ({
        kind: 'Endpoint',
        href: `/docs/api#${operationId}`,
        title: summary,
        text: `${method} ${path} ${description}`,
      }),
    ),
    ...Object.entries(document.webhooks).map(
      ([type, { post }]): Found => ({
        kind: 'Event',
        href: `/docs/webhooks#${type}`,
        title: type,
        text: post.description,
      }),
    ),
  ];
}

/** Every word has to occur; a title counts more than a text, its beginning most. */
export function find(index: readonly Found[], typed: string): Found[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  return index
    .map((found) => ({ found, score: scoreOf(found, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ found }) => found);
}

function scoreOf({ title, text }: Found, words: string[]): number {
  const [head, body] = [title.toLowerCase(), text.toLowerCase()];
  const scores = words.map((word): number => {
    if (head.startsWith(word)) return 10;
    if (new RegExp(`(^|[^a-z])${word.replace(/\W/g, '\\$&')}`).test(head)) return 6;
    if (head.includes(word)) return 4;
    return body.includes(word) ? 1 : 0;
  });
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}
