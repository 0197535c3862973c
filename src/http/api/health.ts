// What machines ask: does the process live, can it work, and the metrics.
import type { Express } from 'express';
import type { Ctx } from '../../context.ts';
import { readHealth } from '../../services/operations/health.ts';
import { readFigures } from '../../services/operations/metrics.ts';
import { requireMetricsReader } from '../operator.ts';

export function mountHealth(app: Express, ctx: Ctx): void {
  app.get('/healthz', (_request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    response.json({ status: 'ok' });
  });

  app.get('/readyz', async (_request, response) => {
    const { ok, parts } = await readHealth(ctx);
    response.setHeader('Cache-Control', 'no-store');
    response.status(ok ? 200 : 503).json({ status: ok ? 'ready' : 'not_ready', parts });
  });

  app.get('/metrics', async (request, response) => {
    requireMetricsReader(ctx, request);
    const text = await ctx.metrics.render(await readFigures(ctx));
    response.setHeader('Cache-Control', 'no-store');
    response.type(ctx.metrics.contentType).send(text);
  });
}
