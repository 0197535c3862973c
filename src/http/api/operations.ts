// What operators call: their sign-in, how things are, and the few things that they can do.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { CHAIN_NAMES } from '../../domain/chains.ts';
import { closeAlert, listAlerts } from '../../services/alerts.ts';
import { OPERATOR_TTL_MS, signInOperator, signOutOperator } from '../../services/operations/operators.ts';
import { type ChartMinutes, readCharts, readOverview } from '../../services/operations/overview.ts';
import { resumeX } from '../../services/operations/xResume.ts';
import { putBackKey } from '../../services/outgoing/keys.ts';
import { countPublicCall } from '../../services/publicRateLimit.ts';
import { callerOf } from '../caller.ts';
import { clearCookie, readCookie, setCookie } from '../cookies.ts';
import { requireOperator } from '../operator.ts';
import { parseBody, parseQuery } from '../parse.ts';

const signIn = z.strictObject({ secret: z.string().min(1).max(512) });
const putBack = z.strictObject({
  chain: z.enum(CHAIN_NAMES),
  address: z.string().regex(/^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/, 'must be an address'),
  force: z.boolean().default(false),
});
const span = z.strictObject({ minutes: z.enum(['60', '360', '1440', '10080']).default('60') });
const page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(40).optional(),
});

export function mountOperations(app: Express, ctx: Ctx): void {
  app.post('/api/operations/session', async (request, response) => {
    const { secret } = parseBody(request, signIn);
    await countPublicCall(ctx, 'operator', callerOf(request));
    const token = await signInOperator(ctx, secret);
    setCookie(ctx, response, 'service-operator', token, { maxAgeMs: OPERATOR_TTL_MS, sameSite: 'strict' });
    response.json({});
  });

  app.delete('/api/operations/session', async (request, response) => {
    const token = readCookie(request, 'service-operator');
    if (token !== undefined) await signOutOperator(ctx, token);
    clearCookie(ctx, response, 'service-operator');
    response.json({});
  });

  app.get('/api/operations/overview', async (request, response) => {
    await requireOperator(ctx, request);
    response.json(await readOverview(ctx));
  });

  app.get('/api/operations/charts', async (request, response) => {
    await requireOperator(ctx, request);
    const { minutes } = parseQuery(request, span);
    response.json(await readCharts(ctx, Number(minutes) as ChartMinutes));
  });

  app.get('/api/operations/alerts', async (request, response) => {
    await requireOperator(ctx, request);
    const { limit, cursor } = parseQuery(request, page);
    const rows = await listAlerts(ctx, { limit: limit + 1, before: cursor });
    const data = rows.slice(0, limit);
    const has_more = rows.length > limit;
    response.json({ object: 'list', data, has_more, next_cursor: has_more ? (data.at(-1)?.id ?? null) : null });
  });

  app.post('/api/operations/alerts/:id/close', async (request, response) => {
    await requireOperator(ctx, request);
    await closeAlert(ctx, request.params.id);
    response.json({});
  });

  app.post('/api/operations/x/resume', async (request, response) => {
    await resumeX(ctx, await requireOperator(ctx, request));
    response.json({});
  });

  app.post('/api/operations/keys/put-back', async (request, response) => {
    const by = await requireOperator(ctx, request);
    await putBackKey(ctx, { ...parseBody(request, putBack), by });
    response.json({});
  });
}
