// The playground's page, on the API of the local stack alone.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Express } from 'express';
import type { Ctx } from '../../src/context.ts';
import { mountAssets, sendDocument, toOwnName } from '../../src/http/pages.ts';
import { ROOT } from '../../src/root.ts';

const BUILT = join(ROOT, 'local/playground/dist');
const DOCUMENT = join(BUILT, 'index.html');

/** Makes the pages link to the playground and offer play wallets: web/src/app/localStack reads it. */
export const LOCAL_STACK = '<link rel="local-stack" href="/playground" title="playground">';

export function mountPage(app: Express, ctx: Ctx): void {
  mountAssets(app, '/playground/assets', BUILT);
  app.get('/playground', toOwnName(ctx), (_request, response) => {
    sendDocument(response, existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : null);
  });
}
