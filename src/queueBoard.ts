// The board of the queues (bull-board), for operators' eyes. It can retry and delete jobs: harmless, because jobs only wake workers, and what a
// deleted one was about is found again in the rows.
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { RequestHandler } from 'express';
import type { Ctx } from './context.ts';

export const BOARD_PATH = '/operations/queues';

/** Routes for {@link BOARD_PATH}. The caller that mounts them decides about access. */
export function createQueueBoard(ctx: Ctx): RequestHandler {
  const server = new ExpressAdapter();
  server.setBasePath(BOARD_PATH);
  createBullBoard({
    queues: ctx.queues.all().map((queue) => new BullMQAdapter(queue)),
    serverAdapter: server,
    options: { uiConfig: { boardTitle: 'Ampersat queues', hideRedisDetails: true } },
  });
  return server.getRouter() as RequestHandler;
}
