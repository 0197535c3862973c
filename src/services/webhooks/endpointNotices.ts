// Notices to a merchant's chats when we stop sending to an endpoint. The bots have the texts.
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { ReplyData } from '../outbox/content.ts';
import { directChatsOf } from '../outbox/directMessages.ts';
import { wantReplies } from '../outbox/replies.ts';

/** The endpoint as it was when it was disabled, because the notice may be sent later. The URL's path may hold a secret, so it is left out. */
export type DisabledEndpoint = ReplyData<'endpoint_disabled'>['endpoint'];

/**
 * Tells everybody who is connected to the workspace that we disabled an endpoint, once for each time. Called with the move, in its transaction;
 * what its owner disables is no news to them.
 * @param endpoint the row as it is after the move
 */
export async function tellEndpointDisabled(ctx: Ctx, tx: Tx, endpoint: Row<'WebhookEndpoint'>): Promise<void> {
  const { id, handleId, url, livemode, disabledReason: reason, disabledAt } = endpoint;
  if (reason !== 'gone' && reason !== 'failing') return;
  const told: DisabledEndpoint = { host: new URL(url).host, reason, livemode };
  const chats = await directChatsOf(tx, handleId);
  await wantReplies(
    ctx,
    tx,
    chats.map((to) => ({
      key: `endpoint_disabled:${id}:${disabledAt?.getTime()}:${to.platform}:${to.chatId}`,
      to,
      replyTo: null,
      kind: 'endpoint_disabled',
      data: { endpoint: told },
    })),
  );
}
