// What a workspace takes away as a file: its subscribers, and the grants of a campaign.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { grantsCsv } from '../../services/plans/campaigns/resultsCsv.ts';
import { subscriberCsv } from '../../services/plans/subscribersCsv.ts';
import { fileName, sendCsv } from '../csv.ts';
import { parseQuery } from '../parse.ts';
import { requireHandle } from '../session.ts';
import { subscriberFilter, subscribersMode } from './subscriptions.ts';

const filtered = z.strictObject(subscriberFilter);

export function mountPlanFiles(app: Express, ctx: Ctx): void {
  app.get('/api/subscriptions/subs.csv', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { planId, ...given } = parseQuery(request, filtered);
    const filter = { ...given, mode: subscribersMode(ctx, planId, given.mode) };
    const lines = await subscriberCsv(ctx, handle, planId, filter);
    const name = fileName('subscribers', handle.slug, filter.mode ?? null);
    await sendCsv(ctx, response, name, lines);
  });
  app.get('/api/campaigns/:campaign/grants.csv', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const lines = await grantsCsv(ctx, { workspaceId: handle.id }, request.params.campaign);
    await sendCsv(ctx, response, fileName('grants', handle.slug, null), lines);
  });
}
