// The API process, wherever it runs: it listens, looks at the chains for its health and its metrics, and watches over the other processes.
import type { Ctx } from './context.ts';
import type { AppOptions } from './http/app.ts';
import { serve } from './http/serve.ts';
import { every } from './loop.ts';
import { BOARD_PATH, createQueueBoard } from './queueBoard.ts';
import { evaluateProcesses } from './services/operations/alertChecks.ts';
import { tellAlerts } from './services/operations/alertNotices.ts';
import { BRIDGE_LOOK_MS, lookAtBridges } from './services/operations/bridges.ts';
import { lookAtChains } from './services/operations/probes.ts';

const LOOK_EVERY_MS = 20_000;

/** @returns the port that was bound. @throws StartError */
export async function startApi(ctx: Ctx, options: AppOptions = {}): Promise<number> {
  const port = await serve(ctx, { ...options, queueBoard: { path: BOARD_PATH, handler: createQueueBoard(ctx) } });
  every(ctx, 'look', LOOK_EVERY_MS, () => lookAtChains(ctx));
  every(ctx, 'bridges', BRIDGE_LOOK_MS, () => lookAtBridges(ctx), { firstAfterMs: 2_000 });
  every(ctx, 'watch processes', LOOK_EVERY_MS, async () => {
    await evaluateProcesses(ctx);
    await tellAlerts(ctx);
  });
  return port;
}
