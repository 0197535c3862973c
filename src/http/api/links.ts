// One-time links. The secret comes in a body, never in an address, and only a POST of a signed-in browser uses it up.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { type LinkView, linkOfSession, previewLink, redeemLink } from '../../services/accounts/connectLinks.ts';
import { countPublicCall } from '../../services/publicRateLimit.ts';
import { callerOf } from '../caller.ts';
import { parseBody } from '../parse.ts';
import { requireHandle, requireSession } from '../session.ts';

const secretBody = z.strictObject({ secret: z.string().min(1).max(200) });

export function mountLinks(app: Express, ctx: Ctx): void {
  app.post('/api/links/preview', async (request, response) => {
    const { secret } = parseBody(request, secretBody);
    await countPublicCall(ctx, 'link', callerOf(request));
    response.json({ link: shape(await previewLink(ctx, secret)) });
  });

  app.post('/api/links/redeem', async (request, response) => {
    const { id: sessionId, handle } = await requireHandle(ctx, request, response);
    const { secret } = parseBody(request, secretBody);
    await countPublicCall(ctx, 'link', callerOf(request));
    response.json({ link: shape(await redeemLink(ctx, secret, { sessionId, handleId: handle.id })) });
  });

  app.get('/api/links/:id', async (request, response) => {
    const session = await requireSession(ctx, request, response);
    response.json({ link: shape(await linkOfSession(ctx, request.params.id, session.id)) });
  });
}

function shape(link: LinkView) {
  return {
    id: link.id,
    platform: link.platform,
    platform_user_id: link.platformUserId,
    username: link.username,
    status: link.status,
    expires_at: link.expiresAt.toISOString(),
    bot_username: link.botUsername,
    handle: link.handle,
    connection_id: link.connectionId,
  };
}
