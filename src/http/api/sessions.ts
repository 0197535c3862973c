// The session of this browser, and the list of all.
import type { Express } from 'express';
import type { Ctx } from '../../context.ts';
import { accountOf, endAllSessions, endSession, listSessions } from '../../services/accounts/sessions.ts';
import { clearCookie } from '../cookies.ts';
import { wholeList } from '../list.ts';
import { readAnySession, readSession, requireSession } from '../session.ts';

export function mountSessions(app: Express, ctx: Ctx): void {
  app.get('/api/session', async (request, response) => {
    // Where a page learns that another account is signed in.
    const session = await readAnySession(ctx, request, response);
    response.json({ account: session && (await accountOf(ctx, session.id)) });
  });

  app.delete('/api/session', async (request, response) => {
    const session = await readSession(ctx, request, response);
    if (session) await endSession(ctx, session, session.id);
    clearCookie(ctx, response, 'service-session');
    response.json({});
  });

  app.get('/api/sessions', async (request, response) => {
    const session = await requireSession(ctx, request, response);
    response.json(wholeList(await listSessions(ctx, session)));
  });

  app.delete('/api/sessions/:id', async (request, response) => {
    const session = await requireSession(ctx, request, response);
    await endSession(ctx, session, request.params.id);
    if (request.params.id === session.id) clearCookie(ctx, response, 'service-session');
    response.json({});
  });

  app.delete('/api/sessions', async (request, response) => {
    await endAllSessions(ctx, await requireSession(ctx, request, response));
    clearCookie(ctx, response, 'service-session');
    response.json({});
  });
}
