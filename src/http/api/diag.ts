// Probes that pages and monitors read. They change nothing.
import { z } from 'zod';
import { diagnoseSubscriptions } from '../../services/plans/diagnosis.ts';
import { countPublicRead } from '../../services/publicRateLimit.ts';
import { solanaSubs as answer } from './diagAnswers.ts';
import { type Route, route } from './route.ts';

const solanaSubs = route({
  method: 'get',
  path: '/api/diag/solana-subs',
  access: 'visitor',
  limit: (ctx, from) => countPublicRead(ctx, 'plan', from),
  query: z.strictObject({}),
  answer,
  status: 200,
  errors: [],
  run: (ctx) => diagnoseSubscriptions(ctx),
});

export const DIAG_ROUTES: readonly Route[] = [solanaSubs];
