// The API process of the local stack: the application of a deployment, and the playground beside it.
import { readFileSync } from 'node:fs';
import { startApi } from '../../src/api.ts';
import { runProcess } from '../../src/process.ts';
import { LOCAL_STACK, mountPage } from '../playground/page.ts';
import { mountPlayground } from '../playground/playground.ts';
import type { LocalFile } from './localFile.ts';

const file = process.env['AMPERSAT_LOCAL_FILE'] ?? '';

await runProcess('api', async (ctx) => {
  const local = JSON.parse(readFileSync(file, 'utf8')) as LocalFile;
  await startApi(ctx, {
    headHtml: LOCAL_STACK,
    // A platform that runs elsewhere has no address here.
    connectSources: Object.values(local.platforms).flatMap(({ url }) => url || []),
    mount: (app) => {
      mountPlayground(app, ctx, local);
      mountPage(app, ctx);
    },
  });
});
