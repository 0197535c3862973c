// The API log of a workspace, for its signed-in owner.
import { z } from 'zod';
import { LOGGED_METHODS, STATUS_CLASSES } from '../../domain/requestLog.ts';
import { usualMode } from '../../services/chains.ts';
import { getRequest, listRequests } from '../../services/workspaces/requestViews.ts';
import { pageOf } from '../list.ts';
import { countOf, modes, momentOf, optional } from '../parse.ts';
import { ENDPOINTS } from '../v1/endpoints.ts';
import { requestDetail, requestList, routeList } from './requestLogAnswers.ts';
import { type Route, route } from './route.ts';
import { readerIn } from './webhooks.ts';

const status = z
  .string()
  .regex(/^[1-5]\d\d$/, 'must be a status such as 404, or a class such as 4xx')
  .transform(Number);

const list = route({
  method: 'get',
  path: '/api/request_logs',
  access: 'handle',
  query: z.strictObject({
    mode: optional(modes),
    method: optional(z.enum(LOGGED_METHODS)),
    status: optional(z.union([z.enum(STATUS_CLASSES), status])),
    key: optional(z.string().max(60)),
    code: optional(z.string().max(60)),
    route: optional(z.string().max(200)),
    request: optional(z.string().trim().max(60)),
    from: optional(momentOf),
    before: optional(momentOf),
    limit: countOf(1, 100).default(25),
    cursor: z.string().max(200).optional(),
  }),
  answer: requestList,
  status: 200,
  errors: [],
  async run(ctx, { caller: { handle }, query: { mode, ...filters } }) {
    // A request that is named has a mode of its own.
    const reader = readerIn(handle.id, mode ?? (filters.request === undefined ? usualMode(ctx) : undefined));
    const { data, nextCursor } = await listRequests(ctx, reader, filters);
    return pageOf(data, nextCursor);
  },
});

const one = route({
  method: 'get',
  path: '/api/request_logs/{request_id}',
  access: 'handle',
  answer: requestDetail,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  run: (ctx, { caller: { handle }, id }) => getRequest(ctx, readerIn(handle.id), id),
});

const routes = route({
  method: 'get',
  path: '/api/request_log_routes',
  access: 'handle',
  answer: routeList,
  status: 200,
  errors: [],
  run: async () => ({ routes: [...new Set(ENDPOINTS.map(({ path }) => path))].sort() }),
});

export const REQUEST_LOG_ROUTES: readonly Route[] = [list, one, routes];
