// The local clock over HTTP, on the API of the local stack alone: `GET` reads it, `POST` moves it. The stack's process does the moving.
import type { Express, NextFunction, Request, Response } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../src/context.ts';
import { AppError } from '../../src/domain/errors.ts';
import { parseBody } from '../../src/http/parse.ts';
import { requireOwnPage } from './ownPage.ts';

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** Years of charges are made on the way. */
const MOVES_WITHIN_MS = 5 * 60_000;

/** What the API and the stack's process say to each other. */
export type ClockRequest = { advanceClock: { id: number; ms: number } };
export type ClockReply = { clockAdvanced: { id: number; error: string | null } };

/** `31d`, `12h`, `90m`, `45s` or `2w`. @throws AppError `parameter_invalid` */
export function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const ms = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  if (ms > 0) return ms;
  throw new AppError('parameter_invalid', 'advance must be a time such as 31d, 12h or 90m.', { param: 'advance' });
}

export function mountClock(app: Express, ctx: Ctx, baseUrl: string): void {
  const view = () => ({ object: 'clock', now: new Date(ctx.clock.now()).toISOString() });
  // Pages go by the service's clock, which Node's own header does not have once it was moved.
  app.use((_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Date', new Date(ctx.clock.now()).toUTCString());
    next();
  });
  app.use(
    '/_local',
    requireOwnPage(() => baseUrl),
  );
  app.get('/_local/clock', (_request: Request, response: Response) => void response.json(view()));
  app.post('/_local/clock', async (request: Request, response: Response) => {
    const { advance } = parseBody(request, z.strictObject({ advance: z.string() }));
    await askStack(readDuration(advance));
    response.json(view());
  });
}

let requests = 0;

function askStack(ms: number): Promise<void> {
  if (!process.send) throw new AppError('state_conflict', 'The clock moves only under `npm start`.');
  requests += 1;
  const id = requests;
  return new Promise((resolve, reject) => {
    const over = (error: AppError | null) => {
      clearTimeout(late);
      process.off('message', listen);
      if (error) reject(error);
      else resolve();
    };
    const listen = (message: unknown) => {
      const reply = (message as Partial<ClockReply>).clockAdvanced;
      if (reply?.id !== id) return;
      over(reply.error === null ? null : new AppError('state_conflict', reply.error));
    };
    const late = setTimeout(() => over(new AppError('provider_unavailable')), MOVES_WITHIN_MS);
    process.on('message', listen);
    const request: ClockRequest = { advanceClock: { id, ms } };
    process.send?.(request);
  });
}
