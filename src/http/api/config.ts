// What the pages have to know of this deployment's configuration. Nothing in it is a secret.
import type { Express } from 'express';
import type { Ctx } from '../../context.ts';

export function mountConfig(app: Express, ctx: Ctx): void {
  app.get('/api/config', (_request, response) => {
    response.json({ object: 'config', walletconnect_project_id: ctx.env.WALLETCONNECT_PROJECT_ID ?? null });
  });
}
