// The API of the local stack: the application of a deployment, and the playground beside it.
import { startApi } from '../../src/api.ts';
import type { Ctx } from '../../src/context.ts';
import { LOCAL_STACK, mountPage } from '../playground/page.ts';
import { mountPlayground } from '../playground/playground.ts';
import { mountClock } from './clockRoute.ts';
import type { LocalFile } from './localFile.ts';

export async function startLocalApi(ctx: Ctx, local: LocalFile): Promise<void> {
  await startApi(ctx, {
    headHtml: LOCAL_STACK,
    // A platform that runs elsewhere has no address here.
    connectSources: Object.values(local.platforms).flatMap(({ url }) => url || []),
    mount: (app) => {
      mountPlayground(app, ctx, local);
      mountPage(app, ctx);
      mountClock(app, ctx, local.base_url);
    },
  });
}
