// What a workspace takes away as a file: its subscribers, and the grants of a campaign.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { grantsCsv } from '../../services/plans/campaigns/resultsCsv.ts';
import { subscriberCsv } from '../../services/plans/subscribersCsv.ts';
import { sendCsv } from '../csv.ts';
import { parseQuery } from '../parse.ts';
import { requireHandle } from '../session.ts';
import { subscriberFilter } from './subscriptions.ts';

const filtered = z.strictObject(subscriberFilter);

export function mountPlanFiles(app: Express, ctx: Ctx): void {
  app.get('/api/subscriptions/subs.csv', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { planId, ...filter } = parseQuery(request, filtered);
    await sendCsv(ctx, response, 'ampersat-subscribers.csv', await subscriberCsv(ctx, handle, planId, filter));
  });
  app.get('/api/campaigns/:campaign/grants.csv', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const lines = await grantsCsv(ctx, { workspaceId: handle.id }, request.params.campaign);
    await sendCsv(ctx, response, 'ampersat-grants.csv', lines);
  });
}
