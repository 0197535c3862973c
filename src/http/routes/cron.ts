// What a scheduler calls with the admin secret, where no worker runs or nobody wants to wait for it.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { CHAIN_NAMES, type ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { runIndexer } from '../../services/indexerRuns.ts';
import { requireAdminSecret } from '../operator.ts';
import { parseBody } from '../parse.ts';

const onChain = z.strictObject({ chain: z.string().max(40) });

export function mountCron(app: Express, ctx: Ctx): void {
  app.post('/api/cron/indexer', async (request, response) => {
    requireAdminSecret(ctx, request);
    const { chain } = parseBody(request, onChain);
    if (!(CHAIN_NAMES as readonly string[]).includes(chain))
      throw new AppError('unsupported_chain', undefined, { param: 'chain' });
    response.json(await runIndexer(ctx, chain as ChainName));
  });
}
