// What a scheduler calls with the admin secret, where no worker runs, or to run it at once. Nothing of a request is read before the secret.
import express, { type Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { CHAIN_NAMES, type ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { runIndexer } from '../../services/operations/feed.ts';
import { dispatchEverywhere, dispatchGrants } from '../../services/plans/campaigns/dispatch.ts';
import { runCharges } from '../../services/plans/chargeRun.ts';
import { createDeliverer, type Deliverer } from '../../services/webhooks/dispatcher.ts';
import { runDeliverers } from '../../services/webhooks/runs.ts';
import { notFound } from '../errors.ts';
import { requireAdminSecret } from '../operator.ts';
import { parseBody } from '../parse.ts';

const nothing = z.strictObject({});
const onChain = z.strictObject({ chain: z.string().max(40) });
const onAnyChain = onChain.partial();
/** Whatever type it is called: schedulers say `text/plain`, or that of a form. */
const readJson = express.json({ limit: '64kb', type: () => true });

const TASKS = ['indexer', 'indexer-solana', 'process-webhooks', 'charge', 'dispatch-grants'].map(
  (task) => `/api/cron/${task}`,
);

/** Mounted before whatever reads bodies. All paths under it are guarded, those too of which there is nothing. */
export function mountCron(app: Express, ctx: Ctx): void {
  app.use('/api/cron', (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    requireAdminSecret(ctx, request);
    next();
  });
  app.post('/api/cron/indexer', readJson, async (request, response) => {
    const { chain } = parseBody(request, onChain);
    response.json(await runIndexer(ctx, chainNamed(chain)));
  });
  app.post('/api/cron/indexer-solana', readJson, async (request, response) => {
    parseBody(request, nothing);
    response.json(await runIndexer(ctx, 'solana'));
  });
  app.post('/api/cron/charge', readJson, async (request, response) => {
    const { chain } = parseBody(request, onChain);
    response.json(await runCharges(ctx, chainNamed(chain)));
  });
  app.post('/api/cron/dispatch-grants', readJson, async (request, response) => {
    const { chain } = parseBody(request, onAnyChain);
    response.json(chain === undefined ? await dispatchEverywhere(ctx) : await dispatchGrants(ctx, chainNamed(chain)));
  });
  let deliverer: Deliverer | undefined;
  app.post('/api/cron/process-webhooks', readJson, async (request, response) => {
    parseBody(request, nothing);
    // Most deployments have workers, and never need one here.
    deliverer ??= createDeliverer(ctx);
    response.json(await runDeliverers(ctx, deliverer));
  });
  app.all(TASKS, (_request, response) => {
    response.setHeader('Allow', 'POST');
    throw new AppError('method_not_allowed', 'Method not allowed. Use POST.');
  });
  app.use('/api/cron', notFound(ctx));
}

/** @throws AppError `unsupported_chain` */
function chainNamed(name: string): ChainName {
  if ((CHAIN_NAMES as readonly string[]).includes(name)) return name as ChainName;
  throw new AppError('unsupported_chain', undefined, { param: 'chain' });
}
