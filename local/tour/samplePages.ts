// An address of every page that shows something, with who sees it: what a newcomer of the local stack has, and one of each thing made for it.
import { setTimeout as sleep } from 'node:timers/promises';
import { createAmpersat } from '../../sdk/index.ts';
import { localPersonOf } from '../../src/cli/localPeople.ts';
import { createPlan } from '../../src/cli/planActs.ts';
import { PAGES, type PageRoute } from '../../src/domain/pages.ts';
import type { LocalFile } from '../stack/localFile.ts';

const LOOKS = 100;
const LOOK_AGAIN_MS = 200;

export type SamplePage = { route: PageRoute; path: string; as: 'alice' | 'shop' | null };

/** Needs base, and a tip of alice's for the receipt of one. */
export async function samplePages(local: LocalFile): Promise<SamplePage[]> {
  const shop = callerAs(local, 'shop');
  const alice = callerAs(local, 'alice');
  const { order } = await shop('/orders', { chain: 'base', amount: '12.5', description: 'Two coffees' });
  const { link } = await shop('/payment_links', { chain: 'base', label: 'Tickets', amount: '3' });
  const { endpoint } = await shop('/webhooks', { url: `http://127.0.0.1:4242/${order?.id}`, mode: 'test' });
  const { escrow } = await alice('/escrow', { handleSlug: 'bob', amount: '5', chain: 'base', dueInHours: 24 });
  const plan = await openPlan(local);
  const ends = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const { campaign } = await shop('/campaigns', { name: 'Rewards', chain: 'base', budget: '50', expires_at: ends });
  const events = await shop('/events');
  const tips = await alice('/history');
  const ids: Record<string, string | undefined> = {
    order: order?.id,
    link: link?.id,
    endpoint: endpoint?.id,
    tab: escrow?.id,
    plan,
    campaign: campaign?.id,
    event: events.data?.[0]?.id,
    handle: await openPage(alice),
    request: await loggedRequest(local, shop),
    tip: tips.data?.find(({ id }) => id.startsWith('tip_'))?.id,
  };
  return PAGES.map((route) => ({
    route,
    path: route.path.replace(/:(\w+)/, (_, name: string) => {
      const id = ids[name];
      if (!id) throw new Error(`the local stack has no ${name} to show`);
      return id;
    }),
    as: viewerOf(route.path),
  }));
}

function viewerOf(path: string): SamplePage['as'] {
  if (path === '/' || /^\/(docs|operations|connect|@:handle|[olp])(\/|$)/.test(path)) return null;
  return /^\/(overview|orders|links|plans|campaigns|keys|webhooks|events|logs|workspace|settings\/(team|audit-log))(\/|$)/.test(
    path,
  )
    ? 'shop'
    : 'alice';
}

/** One of the shop's key: requests are logged a moment after they were answered. */
async function loggedRequest(local: LocalFile, call: ReturnType<typeof callerAs>): Promise<string | undefined> {
  await createAmpersat({ apiKey: local.accounts['shop']?.api_key ?? '', baseUrl: local.base_url }).events.list();
  for (let look = 0; look < LOOKS; look++) {
    for (const mode of ['test', 'live']) {
      const { data } = await call(`/request_logs?mode=${mode}`);
      if (data?.[0]) return data[0].id;
    }
    await sleep(LOOK_AGAIN_MS);
  }
  return undefined;
}

/** Switches a page on. @returns whose it is */
async function openPage(call: ReturnType<typeof callerAs>): Promise<string> {
  await call('/settings/page', { enabled: true, line: 'Thanks for the coffee' }, 'PATCH');
  return 'alice';
}

/** A plan that takes subscribers. @returns its id */
async function openPlan(local: LocalFile): Promise<string> {
  const account = localPersonOf(local, 'shop');
  const api = createAmpersat({ apiKey: local.accounts['shop']?.api_key ?? '', baseUrl: local.base_url });
  const signal = AbortSignal.timeout(30_000);
  const other = localPersonOf(local, 'alice');
  return (await createPlan({ people: local, account, other, api, fields: {}, tell: () => {}, signal })).id;
}

type Answer = Partial<Record<'order' | 'link' | 'endpoint' | 'escrow' | 'campaign', { id: string }>> & {
  data?: { id: string }[];
};

/** Calls of the pages as a person of the local stack: a POST with a body, a GET without one. */
function callerAs(local: LocalFile, name: string) {
  const cookie = `service-session=${local.accounts[name]?.session}`;
  return async (path: string, body?: object, method = 'POST'): Promise<Answer> => {
    const response = await fetch(`${local.base_url}/api${path}`, {
      headers: { 'content-type': 'application/json', origin: local.base_url, cookie },
      ...(body && { method, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
}
